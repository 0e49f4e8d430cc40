/* Campaigns in a scratch folder, of a small kernel that is never compiled: a fake `hone
 * tune` writes their journals, as whole and as torn as the real one would. */
#ifndef HONE_CAMPAIGN_TEST_H
#define HONE_CAMPAIGN_TEST_H

#include "campaign/engine.h"
#include "campaign/overview.h"
#include "hone_test.h"

extern char campaign_folder[64];

/* Begin a case: a new folder with kernel.lua, kernel.cu and part.cuh. */
void campaign_begin(void **state);
/* Remove it, at the end of the suite. */
int campaign_end(void **state);

/* A file of the folder. */
void campaign_write(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A line of shell in the folder; fails the test unless it ends with 0. */
void campaign_shell(const char *line);

/* Write campaign.lua with these lines in its table (kernels and devices unless it has
 * such) and open it. */
struct hone_campaign *campaign_open(const char *lines);

/* The state of a run. */
struct hone_run_state campaign_state(const struct hone_campaign *campaign, size_t run);

/* A fake `hone tune`: each trial is a line of the journal, and one of the file `measured`
 * in the folder, which nobody ever cuts. */
struct campaign_fake {
    int trials;      /* of a run */
    int code;        /* that it ends with */
    int most;        /* trials of one start, after which it is lost; 0: all */
    char argv[4096]; /* of the last start, with blanks between */
    int starts;
    bool missing; /* the program: none starts */
    int codes[8]; /* of the first starts, where code_count says so */
    int code_count;
};
struct hone_starter campaign_starter(struct campaign_fake *fake);

/* Do all runs. */
enum hone_status campaign_run(struct hone_engine_result *out,
                              const struct hone_campaign *campaign,
                              struct campaign_fake *fake, struct hone_error *err);

/* Lines of a file of the folder that begin so. */
int campaign_count(const char *file, const char *begin);

#endif
