/* The loop: ask a strategy as many configurations as the evaluator has room for, submit,
 * wait, record, tell, stop. */
#ifndef HONE_SESSION_H
#define HONE_SESSION_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/evaluate.h"
#include "hone/record.h"
#include "hone/search.h"

enum hone_stop {
    HONE_STOP_BUDGET,    /* evaluations spent */
    HONE_STOP_TIME,      /* seconds spent */
    HONE_STOP_EXHAUSTED, /* every configuration was evaluated */
    HONE_STOP_DONE,      /* the strategy has ended the search */
    HONE_STOP_CANCELLED, /* Ctrl-C or the callback */
    HONE_STOP_FAILED     /* evaluator or journal broke; the status tells */
};
const char *hone_stop_text(enum hone_stop stop);

struct hone_progress {
    size_t done;                    /* trials so far, resumed ones included */
    uint64_t budget;                /* UINT64_MAX for none */
    double seconds, seconds_budget; /* budget: INFINITY for none */
    const struct hone_trial *trial; /* the newest */
    const struct hone_trial *best;  /* NULL while none is valid */
    size_t outcomes[HONE_OUTCOME_COUNT];
};

struct hone_session_options {
    const struct hone_strategy_fns *strategy;
    struct hone_search_options search; /* seed, budget, start, design */
    bool no_default;              /* else search.start begins with the author's default */
    double seconds;               /* wall time to spend; INFINITY for no limit */
    struct hone_journal *journal; /* borrowed; NULL: keep no journal */
    /* Known before, indices of this space; the result may hold copies of them. */
    const struct hone_trial *resumed;
    size_t resumed_count;
    /* Begun by an earlier run that was killed over them: measured after search.start,
     * before the strategy is asked. Not among the resumed. */
    const uint64_t *retried;
    size_t retried_count;
    /* Optional; called after each trial; false stops the run. */
    bool (*progress)(void *context, const struct hone_progress *progress);
    void *context;
    /* Measure the best ones once more in turn at the end, where the evaluator can; a
     * limit on the wall time keeps a tenth of it for that. */
    bool finals;
    /* By the times of many launches in a row: at the clock that a GPU keeps, which may
     * name another winner where kernels draw much. */
    bool sustained;
    /* Before that, compare results of the best ones and the default at the tuned size,
     * where the evaluator can: who is wrong there leaves (docs/verification.md). */
    bool confirm;
    /* Every so many trials the default is measured again, where the evaluator can; 0:
     * never. Beyond the limit (0.02 is 2 % to each side) what came since is, too. */
    size_t drift_every;
    double drift_limit;
    const volatile sig_atomic_t *cancel; /* optional; non-zero: stop */
};

/* What its trials say lives as long as those of the evaluator and the resumed ones. */
struct hone_session_result {
    enum hone_stop stop;
    size_t done, resumed;
    size_t outcomes[HONE_OUTCOME_COUNT];
    size_t waived[HONE_WAIVER_MAX]; /* configurations that each waiver let pass */
    double seconds;
    bool strategy_asked; /* else the default and the start design took all evaluations */
    bool has_best;
    struct hone_trial best;
    bool has_first; /* the author's default was measured and is valid */
    struct hone_trial first;
    size_t repeated;      /* trials that were measured again because of drift */
    size_t finalists;     /* 0: there were no finals; else best is their winner */
    size_t refuted;       /* trials that were valid and are not, at the tuned size */
    bool default_refuted; /* the author's default is one of them */
    bool reference_wrong; /* at the tuned size: the run ended for it, best is unjudged */
    struct hone_trial
        refuted_first; /* the first of them; of the default where it is one */
};

/* Run to the end. *result is filled also when the status is not OK: what was measured
 * stays. */
enum hone_status hone_session_run(struct hone_session_result *result,
                                  const struct hone_space *space,
                                  struct hone_evaluator *evaluator,
                                  const struct hone_session_options *options,
                                  struct hone_error *err);

#endif
