/* What became of a run, read from the files of its folder: there is no other state, and
 * no process keeps it. Events are lines that whoever holds the folder's lock appends, one
 * write each; the journal is the truth about trials. */
#ifndef HONE_CAMPAIGN_STATE_H
#define HONE_CAMPAIGN_STATE_H

#include <stdint.h>

#include "campaign/list.h"

#define HONE_RUN_PHASE_LIST(X)                                                           \
    X(WAITING, "waiting")         /* nobody has begun it, or it is to be tried again */  \
    X(QUEUED, "queued")           /* handed to a scheduler */                            \
    X(RUNNING, "running")         /* a living process has its lock */                    \
    X(STALE, "stale")             /* the same, but its journal has not grown for long */ \
    X(INTERRUPTED, "interrupted") /* its process ended before it did: it goes on */      \
    X(DONE, "done")                                                                      \
    X(FAILED, "failed") /* as often as it may, or for what no second try changes */      \
    X(CANCELLED, "cancelled")

enum hone_run_phase {
#define HONE_RUN_PHASE_ENUM(name, text) HONE_RUN_##name,
    HONE_RUN_PHASE_LIST(HONE_RUN_PHASE_ENUM)
#undef HONE_RUN_PHASE_ENUM
        HONE_RUN_PHASES
};
const char *hone_run_phase_name(enum hone_run_phase phase);

/* What a journal holds; costs are 0 where there is none. */
struct hone_run_figures {
    uint64_t trials, valid;
    double best, base; /* microseconds, or what the run minimised: of best and default */
    double gain;       /* base over best, by finals where they compared the two */
    bool predicted;
};

struct hone_run_state {
    enum hone_run_phase phase;
    unsigned starts;      /* how often it was begun, */
    unsigned tries;       /* and how often of these it failed, since the last retry */
    int64_t begun, ended; /* the last time, seconds of the wall's clock; 0: never */
    double seconds;       /* that its starts took, as far as they ended */
    double age;           /* of the journal while it runs, in seconds; else 0 */
    long process;
    int code;                        /* exit code of the last start that ended */
    struct hone_run_figures figures; /* of the last start that ended */
    char host[64], job[64];          /* of the last start, else of the queue */
    bool in_job;                     /* the last start was a job of a scheduler */
    char reason[256];                /* why the last start failed */
};

/* Seconds after which a journal that does not grow is stale. */
enum { HONE_RUN_STALE_S = 900 };

/* Seconds of the wall clock: events are dates, which people and machines compare. */
int64_t hone_date_now(void);

/* Read it; now is the wall's clock, tries how many may fail. EIO, EINPUT for a folder
 * that another program wrote. */
enum hone_status hone_run_state_read(struct hone_run_state *out,
                                     const struct hone_campaign_run *run, unsigned tries,
                                     int64_t now, struct hone_error *err);

/* The same of a run by its number, as it is now. */
enum hone_status hone_run_state_now(struct hone_run_state *out,
                                    const struct hone_campaign *campaign, size_t run,
                                    struct hone_error *err);

/* The same for who holds the run's lock: how those before left it. A lock shows in every
 * descriptor but its own, so hone_run_state_read would take the caller for them. */
enum hone_status hone_run_state_left(struct hone_run_state *out,
                                     const struct hone_campaign_run *run, unsigned tries,
                                     struct hone_error *err);

/* Figures of the run's journal; zeros without one, and after a failure. */
enum hone_status hone_run_figures_read(struct hone_run_figures *out,
                                       const struct hone_campaign_run *run,
                                       struct hone_error *err);

/* Ask that the run be left alone: who runs it ends it within a second. Nothing happens to
 * one that is done. */
enum hone_status hone_run_cancel(const struct hone_campaign_run *run,
                                 struct hone_error *err);

/* Take back a cancel, and count tries from 0. EUSAGE while it is running. */
enum hone_status hone_run_retry(const struct hone_campaign_run *run,
                                struct hone_error *err);

bool hone_run_is_cancelled(const struct hone_campaign_run *run);

/* Note the job of a scheduler that will begin it. */
enum hone_status hone_run_set_job(const struct hone_campaign_run *run, const char *job,
                                  struct hone_error *err);

#endif
