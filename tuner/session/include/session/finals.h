/* The finals: the best of a search and the author's default, measured once more in turn
 * until it is clear who is fastest. A search picks the luckiest of its contenders; the
 * finals pick the best (docs/measurement.md). */
#ifndef HONE_SESSION_FINALS_H
#define HONE_SESSION_FINALS_H

#include "hone/evaluate.h"

enum {
    HONE_FINALS_LEAST = 5,
    HONE_FINALS_MOST = 16,
    HONE_CONTENDERS_MOST = HONE_FINALS_MOST + 1 /* and the default */
};

/* The best of a search so far, best first. {0} is empty. */
struct hone_shortlist {
    struct hone_trial trials[HONE_FINALS_MOST];
    size_t count;
};

void hone_shortlist_add(struct hone_shortlist *list, const struct hone_trial *trial);

/* The trial of an index among them, or NULL. */
struct hone_trial *hone_shortlist_find(struct hone_shortlist *list, uint64_t index);
void hone_shortlist_remove(struct hone_shortlist *list, uint64_t index);

/* Leave who may be the best within the noise, but not fewer than HONE_FINALS_LEAST. */
void hone_shortlist_cut(struct hone_shortlist *list);

struct hone_finals_options {
    size_t base;   /* number of the trial that the others are compared with */
    uint64_t seed; /* of the orders within the rounds */
    /* To spend at most; sustained turns are cut to fit. The first series of rounds is
     * held in any case, with turns as short as makes sense. */
    double seconds;
    bool sustained; /* by times of many launches in a row */
};

/* Measure up to HONE_CONTENDERS_MOST trials against each other. They are put in order,
 * the winner first, each with its final and its time (a sustained one is the final's, and
 * the trial's stays); who cannot be measured any more comes last, without. So it is also
 * where a status other than OK ends them, ECANCELLED for one, after the first series: by
 * the rounds that were held until then. Before that trials[0] gets no final. */
enum hone_status hone_finals_hold(struct hone_evaluator *evaluator,
                                  const struct hone_finals_options *options,
                                  struct hone_trial *trials, size_t count,
                                  struct hone_error *err);

#endif
