/* How much each parameter matters to the cost of a configuration, as shares of the
 * variance of its logarithm, since costs differ by factors.
 *
 * The total effect of a parameter is the mean variance when it alone changes (Homma,
 * Saltelli 1996), the main effect is the variance of the means by its value. What the
 * total has more is interaction. Constraints make parameters depend on each other: then
 * shares need not sum to 1, and a main effect can be above the total. */
#ifndef HONE_INSIGHT_IMPORTANCE_H
#define HONE_INSIGHT_IMPORTANCE_H

#include "hone/record.h"

/* Valid trials, below which there is nothing to say of all, and of the good ones. */
enum { HONE_IMPORTANCE_LEAST = 30, HONE_IMPORTANCE_GOOD_LEAST = 200 };

enum hone_importance_kind {
    HONE_IMPORTANCE_NONE,      /* not enough trials, or all cost the same */
    HONE_IMPORTANCE_EXACT,     /* computed of all configurations of the space */
    HONE_IMPORTANCE_ESTIMATED, /* of what a forest predicts for configurations drawn
                                  uniformly, with 95 % intervals */
};

struct hone_share {
    double value, low, high; /* low and high are value where it is exact */
};

struct hone_effect {
    struct hone_share total, main;
    /* Share of what tells the best tenth from the others (PED-ANOVA: Watanabe, Bansal,
     * Hutter 2023); NAN where there are not enough trials. */
    double good;
};

struct hone_importance {
    enum hone_importance_kind kind;
    size_t trials;              /* with a cost */
    size_t param_count;         /* of the journal */
    struct hone_effect *params; /* [param_count]; NULL for NONE */
    /* [param_count] parameters with more than one value, the most important first. */
    size_t *order;
    size_t order_count;
};

/* Find the figures of a recording; the same one has the same figures. space is the
 * journal's (hone_journal_space); NULL: it is made here where estimates need it. Release
 * it also after a failure. ENOMEM. */
enum hone_status hone_importance_make(struct hone_importance *out,
                                      const struct hone_recording *recording,
                                      const struct hone_space *space,
                                      struct hone_error *err);
void hone_importance_fini(struct hone_importance *importance);

/* "exact": of a kind, for people and programs. */
const char *hone_importance_kind_name(enum hone_importance_kind kind);

#endif
