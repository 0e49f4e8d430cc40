/* A journal that somebody else is writing: each look reads what was added since the last
 * one, so that a long one costs no more than a short one. Readers need no lock. */
#ifndef HONE_RECORD_FOLLOWING_H
#define HONE_RECORD_FOLLOWING_H

#include "hone/record.h"

/* The best so far became this cost by the trial-th trial, from 1. */
struct hone_following_step {
    size_t trial;
    double cost;
};

/* What is known of one problem. Configurations count once, with their first line: finals,
 * and what was measured again after a drift, compared at the tuned size or counted, are
 * no new trials and no steps, unless that line is the only one. */
struct hone_following_part {
    size_t done;
    size_t outcomes[HONE_OUTCOME_COUNT];
    const struct hone_following_step *steps; /* less and less cost */
    size_t step_count;
    const struct hone_trial *best; /* its index is 0; NULL while none is valid */
    const uint16_t *choices;       /* value numbers of the best, one a parameter */
    bool refuted; /* it is not valid by a later line: another one is the best then */
    bool finals;  /* best is the winner of the finals, measured there */
};

/* How the journal looks. */
enum hone_following_state {
    HONE_FOLLOWING_ABSENT,  /* it is not there, yet or any more */
    HONE_FOLLOWING_WRITTEN, /* by another process, which holds its lock */
    HONE_FOLLOWING_ENDED    /* nobody holds the lock, and all whole lines were read */
};

struct hone_following;

/* The file need not be there. */
enum hone_status hone_following_open(struct hone_following **out, const char *path,
                                     struct hone_error *err);
void hone_following_close(struct hone_following *following);

/* Read what is new. A journal that was replaced or cut is read from its beginning. A last
 * line without its end waits for the rest. EINPUT with file and line as
 * hone_recording_load; what was read before stays. */
enum hone_status hone_following_look(struct hone_following *following,
                                     enum hone_following_state *state,
                                     struct hone_error *err);

/* NULL before there is a first line; valid until the next look. */
const struct hone_record_info *hone_following_info(const struct hone_following *f);

/* The problem that the newest trial is of, and its number. Valid until the next look. */
const struct hone_following_part *hone_following_part(const struct hone_following *f,
                                                      size_t *number);

/* Trials of all problems; how many came a second since the first look, 0 while that
 * cannot be told. */
size_t hone_following_done(const struct hone_following *f);
double hone_following_rate(const struct hone_following *f);

#endif
