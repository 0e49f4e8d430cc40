/* One search: of the script's problem alone, or of one of several. A step knows its
 * options, its target and its journal; what joins several is in
 * tuning_problems.c. */
#ifndef HONE_TUNING_STEP_H
#define HONE_TUNING_STEP_H

#include "record/problem_list.h"
#include "tuning/named_strategy.h"
#include "tuning/target.h"

/* What is done with several problems: each is searched, then each is measured with the
 * best configurations of the others. */
enum tuning_round { TUNING_SEARCH, TUNING_CROSS };

/* One of them, in one of these rounds. */
struct tuning_part {
    const struct hone_problem_list *problems;
    size_t number;
    const struct hone_record_info *whole; /* of the journal there is; NULL: not yet */
    enum tuning_round round;
    double seconds;                /* to spend; 0: no limit */
    struct hone_builder **builder; /* of all parts, made by the first that builds here */
    int *lock; /* of the journal, from one part to the next; -1: not yet */
};

/* What an earlier run of the same left in the journal. */
struct tuning_earlier {
    struct hone_recording *done; /* the journal as it was; NULL: it is new */
    struct hone_trial *trials;   /* with indices of this run's space */
    size_t count;
    uint64_t *retried; /* the earlier run was killed over these */
    size_t retried_count;
};

/* Where the search starts. */
struct tuning_start {
    uint64_t *items; /* the default, then what earlier journals propose */
    size_t count;
    size_t fresh; /* how many of them a cross measurement lacks */
    struct hone_expectation
        *expectation; /* by earlier journals, other problems; or NULL */
};

struct tuning_step {
    const struct hone_tuning_options *options;
    const struct hone_named_strategy *strategy;
    struct tuning_part part;          /* problems NULL: the script's own problem, alone */
    const struct hone_tuning *tuning; /* for the callbacks */
    struct hone_target target;

    struct hone_journal *journal;
    char *journal_path;
    enum hone_status closed; /* what became of closing it */
    struct tuning_earlier earlier;
    struct tuning_start start;

    struct hone_session_result result;
    struct hone_trial first_failure; /* outcome VALID while there is none */
    struct hone_error
        unlaunchable; /* of hone_workbench_check_sizes, where none is valid */
};

/* A step of these, which are borrowed, not opened yet; part NULL: the script's own
 * problem, alone. */
struct tuning_step hone_tuning_step_make(const struct hone_tuning_options *options,
                                         const struct hone_named_strategy *strategy,
                                         const struct tuning_part *part,
                                         const struct hone_tuning *tuning);

/* Everything up to the first trial. Close it after a failure too. */
enum hone_status hone_tuning_step_open(struct tuning_step *step, struct hone_error *err);

/* Search, then close the journal. The result is also there when the status is not OK. */
enum hone_status hone_tuning_step_run(struct tuning_step *step, struct hone_error *err);
void hone_tuning_step_close(struct tuning_step *step);

/* --- its parts --- */

/* Start or continue the journal: options->journal, else a new one in the working
 * folder. */
enum hone_status hone_tuning_journal_open(struct tuning_step *step,
                                          struct hone_error *err);
/* Close it; the file stays readable until the step is closed. */
enum hone_status hone_tuning_journal_close(struct tuning_step *step,
                                           struct hone_error *err);

/* Read the counters of the winner and the default, where options say so, for the journal
 * and the result. What cannot be read is a warning, and a note of the journal. */
enum hone_status hone_tuning_count(struct tuning_step *step, struct hone_error *err);

/* Find what the journal held again in this run's space. What two runs were killed over is
 * noted in the journal as crashed. */
enum hone_status hone_tuning_earlier_find(struct tuning_step *step,
                                          struct hone_error *err);
void hone_tuning_earlier_fini(struct tuning_earlier *earlier);

/* The default, and what the journals of options->warm propose for a search of budget
 * evaluations. Notes in the target's info what the search goes by. */
enum hone_status hone_tuning_start_find(struct tuning_step *step, uint64_t budget,
                                        struct hone_error *err);

/* The same of one of several problems, once the journal is open: a search also begins
 * with what was found for the others, and a cross measurement is of that alone. */
enum hone_status hone_tuning_start_across(struct tuning_step *step,
                                          struct hone_error *err);
void hone_tuning_start_fini(struct tuning_start *start);

#endif
