/* Results at the tuned size. Kernels are verified at small sizes, and then timed at one
 * that nobody looks at: an index that overflows, or a race that needs a full GPU, shows
 * there alone. So who may win is launched there and its results are compared, with the
 * reference's or with each other (docs/verification.md). */
#ifndef HONE_EVALUATE_TUNED_H
#define HONE_EVALUATE_TUNED_H

#include "evaluate/candidate.h"
#include "evaluate/stage.h"

struct hone_runner;
struct hone_confirmation;

/* What became of one of them. */
struct hone_verdict {
    enum hone_outcome outcome;
    struct hone_found found;
    char compared[HONE_COMPARED_MAX]; /* as in struct hone_trial; "" while undecided */
    char reason[HONE_REASON_MAX];
};

struct hone_tuned_request {
    struct hone_candidate *candidates; /* resolved, builds queued or taken */
    size_t count;
    double seconds;           /* as in struct hone_confirmation */
    const char *no_reference; /* why the reference is not to be tried; "" : it is */
};

struct hone_tuned_result {
    struct hone_verdict *verdicts; /* [count], the caller's */
    bool undecided;
    bool reference_wrong;                 /* as in struct hone_confirmation */
    double spent_s;                       /* as there */
    char no_reference[HONE_COMPARED_MAX]; /* why it gave nothing; "" where it did */
};

/* What a runner keeps of the reference at the tuned size. */
struct hone_tuned {
    bool tried;
    struct hone_outputs expected;
    char no_reference[HONE_COMPARED_MAX];
};
void hone_tuned_fini(struct hone_tuned *tuned);

/* Judge the candidates. Those that a lost device leaves (runner->lost) are undecided. */
enum hone_status hone_runner_confirm(struct hone_runner *runner,
                                     const struct hone_tuned_request *request,
                                     struct hone_tuned_result *result,
                                     struct hone_error *err);

/* Would it take an emulator too long, by the instructions that were counted when the
 * trials were predicted? Then each trial says so. candidates are resolved, one for each
 * trial. ENOMEM. */
enum hone_status hone_tuned_takes_too_long(bool *too_long,
                                           struct hone_evaluator *evaluator,
                                           struct hone_confirmation *confirmation,
                                           const struct hone_candidate *candidates,
                                           struct hone_error *err);

/* Put a verdict into its trial; what is undecided is not compared, for that reason. What
 * the trial then says lives until the evaluator is closed. ENOMEM. */
enum hone_status hone_tuned_judge(struct hone_evaluator *evaluator,
                                  struct hone_trial *trial,
                                  const struct hone_verdict *verdict,
                                  const char *undecided, struct hone_error *err);

#endif
