/* hone campaign in parts: its arguments, and what people read. */
#ifndef HONE_CLI_CAMPAIGN_PRINT_H
#define HONE_CLI_CAMPAIGN_PRINT_H

#include "campaign/engine.h"
#include "campaign/merge.h"
#include "campaign/overview.h"
#include "campaign/slurm.h"
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
    bool *chosen; /* one for each run */
    const char *program;
    struct hone_overview overview; /* but of run */
    struct hone_engine_result result;
    struct hone_slurm_submitted submitted;
    struct hone_strbuf commands; /* of the engine print, a line each */
    size_t listed_failed;        /* runs of that engine that are not tried again */
    size_t changed;              /* runs that were cancelled or may be tried again */
};

void campaign_print_plan(const struct campaign *c);
void campaign_print_status(const struct campaign *c);

/* While runs go on, a line each. */
void campaign_print_told(const struct campaign *c, enum hone_told what, size_t run,
                         const struct hone_run_state *state,
                         const struct hone_error *why);

/* The commands of chosen runs that are open, for whoever starts them. */
enum hone_status campaign_add_commands(struct campaign *c, const bool *chosen,
                                       struct hone_error *err);

/* Which files were made. */
void campaign_print_merge(const struct hone_merge *merge);

/* Chosen runs that have failed, now or before, whatever engine they are of. */
size_t campaign_failed(const struct campaign *c);

/* What a run of the campaign came to. */
enum hone_status campaign_print_result(const struct campaign *c, struct hone_error *err);

#endif
