/* Several problems in one journal: each is searched on its own, with the winners of those
 * before it among its first candidates, then the best few of each are measured on all the
 * others. Each step is a resumed search of one problem: what it needs to know stands in
 * the journal, so an interrupted tuning goes on where it was. */
#ifndef HONE_TUNING_PROBLEMS_H
#define HONE_TUNING_PROBLEMS_H

#include "tuning_step.h"

/* What was found for one of them. */
struct problem_found {
    struct hone_session_result result;
    uint16_t *choices; /* of the best, then of the default: numbers of values; or NULL */
    struct hone_error unlaunchable; /* of its step */
};

struct tuning_problems {
    struct hone_problem_list list; /* none: the script's own problem, alone */
    struct problem_found *found;   /* one for each */
    struct hone_arena said;        /* by their trials */
    struct hone_recording *whole;  /* the journal as it was last closed; or NULL */
    double begun;                  /* seconds, of hone_clock_seconds */
    struct hone_builder *builder;  /* so that what problems share is built once */
    int lock;                      /* of the journal between two steps; -1: not yet */
    bool reference_wrong;          /* of one of them, at its tuned size */
    bool cancelled;
};

/* The problems of options->problems, or else of the script. On failure too they must be
 * released. */
enum hone_status hone_tuning_problems_load(struct tuning_problems *problems,
                                           const struct hone_tuning_options *options,
                                           struct hone_error *err);
void hone_tuning_problems_fini(struct tuning_problems *problems);

/* What the next step is about; borrows from problems. */
struct tuning_part hone_tuning_problems_part(struct tuning_problems *problems,
                                             const struct hone_tuning_options *options,
                                             size_t number, enum tuning_round round);

/* A step was run: keep what it found, and read its journal, which the next one begins
 * from. */
enum hone_status hone_tuning_problems_keep(struct tuning_problems *problems,
                                           const struct tuning_step *step,
                                           struct hone_error *err);

/* All steps were run: what was found is told by indices of the journal's spaces, since
 * those of the steps are gone. */
enum hone_status hone_tuning_problems_finish(struct tuning_problems *problems,
                                             struct hone_error *err);

/* Counts and seconds of all of them; neither best nor first. */
struct hone_session_result
hone_tuning_problems_sum(const struct tuning_problems *problems);

/* OK where one has a valid configuration (hone_tuning_check_found). */
enum hone_status hone_tuning_problems_check_found(const struct tuning_problems *problems,
                                                  const char *journal,
                                                  struct hone_error *err);

#endif
