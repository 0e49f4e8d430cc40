/* hone campaign in parts: its arguments, and what people read. */
#ifndef HONE_CLI_CAMPAIGN_PRINT_H
#define HONE_CLI_CAMPAIGN_PRINT_H

#include "campaign/merge.h"
#include "campaign/overview.h"
#include "campaign/work.h"
#include "cli.h"

enum campaign_action {
    CAMPAIGN_PLAN,
    CAMPAIGN_RUN,
    CAMPAIGN_STATUS,
    CAMPAIGN_CANCEL,
    CAMPAIGN_RETRY,
    CAMPAIGN_MERGE
};

struct campaign_args {
    struct hone_words words;
    struct hone_texts runs;
    int engine; /* enum hone_engine + 1; 0: as the file says */
    uint64_t at_once, rows;
    bool json, accept_predicted, allow_io;
};

struct campaign {
    const struct campaign_args *args;
    enum campaign_action action;
    struct hone_campaign *campaign;
    bool *chosen;                  /* one for each run */
    struct hone_overview overview; /* but of run */
    struct hone_campaign_work work;
    size_t changed; /* runs that were cancelled or may be tried again */
};

void campaign_print_plan(const struct campaign *c);
void campaign_print_status(const struct campaign *c);

/* While runs go on, a line each; context: the struct campaign. */
void campaign_print_told(void *context, enum hone_told what, size_t run,
                         const struct hone_run_state *state,
                         const struct hone_error *why);

/* Which files were made. */
void campaign_print_merge(const struct hone_merge *merge);

/* What a run of the campaign came to. */
void campaign_print_result(const struct hone_campaign_work *work);

#endif
