/* One start of a run: it is claimed by a lock, said in its events, and `hone tune` does
 * the rest. What the attempt itself does never waits. */
#ifndef HONE_CAMPAIGN_ATTEMPT_H
#define HONE_CAMPAIGN_ATTEMPT_H

#include "campaign/state.h"

enum hone_claim {
    HONE_CLAIM_OURS, /* it is begun: start its command */
    HONE_CLAIM_BUSY, /* another process does it */
    HONE_CLAIM_OVER  /* done, failed for good, or cancelled */
};

struct hone_attempt {
    const struct hone_campaign *campaign;
    const struct hone_campaign_run *run;
    int lock;       /* descriptor of its events */
    int log;        /* descriptor that its standard error goes to */
    double started; /* hone_clock_seconds */
    bool resumes;   /* there is a journal */
};

/* Claim the run, ask whether device has the name that the campaign wants, and note that
 * it begins. A GPU of another name ends the attempt as a failure: EDEVICE. Whatever is
 * not OURS needs no end. */
enum hone_status hone_attempt_begin(struct hone_attempt *out, enum hone_claim *claim,
                                    const struct hone_campaign *campaign, size_t run,
                                    const char *device, struct hone_error *err);

/* Note how its command ended (exit code, or 128 and a signal) and what it found, and give
 * up the claim. reason: of a failure, where the caller knows one; may be NULL. */
enum hone_status hone_attempt_end(struct hone_attempt *attempt, int code,
                                  const char *reason, struct hone_error *err);

/* A command as words, ended by NULL; begins as zeros. */
struct hone_argv {
    const char **items;
    size_t count, cap;
    struct hone_arena arena;
    bool failed;
};
void hone_argv_add(struct hone_argv *argv, const char *word); /* copied */
void hone_argv_fini(struct hone_argv *argv);

/* `hone tune` of this run on device; program is hone. */
enum hone_status hone_run_command(struct hone_argv *out, const char *program,
                                  const struct hone_campaign *campaign, size_t run,
                                  const char *device, bool resumes,
                                  struct hone_error *err);

/* The command by which any machine that sees these files does the run. */
enum hone_status hone_run_own_command(struct hone_argv *out, const char *program,
                                      const struct hone_campaign *campaign, size_t run,
                                      struct hone_error *err);

/* As a shell reads it, words in quotes where they need them. */
void hone_argv_text(struct hone_strbuf *out, const struct hone_argv *argv);

#endif
