/* Trees over value numbers: extremely randomised ones (Geurts, Ernst, Wehenkel 2006), or
 * bagged ones (Breiman: Random forests, 2001), which differ by what data they grew from.
 */
#ifndef HONE_SEARCH_FOREST_H
#define HONE_SEARCH_FOREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

struct hone_rng;

enum { HONE_FOREST_TREES_MOST = 64 };

struct hone_forest_node {
    float value;        /* of a leaf: the mean of its samples; of a fork unused */
    uint16_t param;     /* of a fork */
    uint16_t threshold; /* value numbers up to this go to the first child */
    uint32_t child;     /* first of two children that follow each other; 0: a leaf */
};

struct hone_forest {
    size_t params, trees;
    struct hone_forest_node *nodes; /* [trees][cap] */
    size_t cap;
    uint32_t *order; /* [cap] for growing */
    /* Bagged: each tree grows from so many rows, drawn with replacement, by the best
     * thresholds. 0: from all rows by random thresholds. Set it after init. */
    size_t bag;
    struct hone_forest_sum *sums; /* by value number, for the best thresholds */
    size_t sum_cap;
};

/* trees: at most HONE_FOREST_TREES_MOST. */
void hone_forest_init(struct hone_forest *forest, size_t params, size_t trees);
void hone_forest_fini(struct hone_forest *forest);

/* Grow anew from count rows of value numbers and what each is worth. ENOMEM. */
enum hone_status hone_forest_grow(struct hone_forest *forest, const uint16_t *rows,
                                  const float *y, size_t count, struct hone_rng *rng,
                                  struct hone_error *err);

/* Mean and standard deviation of what the trees say of row. */
void hone_forest_ask(const struct hone_forest *forest, const uint16_t *row, double *mean,
                     double *sd);

/* What each tree says of row: values is [trees]. */
void hone_forest_ask_each(const struct hone_forest *forest, const uint16_t *row,
                          float *values);

#endif
