/* Every configuration of a space, with sums over the known ones weighted by how many
 * parameters agree: what kernel regression needs to look at all candidates at once.
 * Adding a sample goes through the table once, 2 ns a configuration. */
#ifndef HONE_SEARCH_TABLE_H
#define HONE_SEARCH_TABLE_H

#include "samples.h"

enum { HONE_TABLE_MOST = 200000 }; /* configurations; beyond, memory and time are felt */

struct hone_table {
    size_t count;      /* of configurations */
    size_t columns;    /* of parameters that have a choice */
    uint16_t *choices; /* [columns][count] */
    float *weights;    /* [count] of valid samples */
    float *sums;       /* [count] of their y, weighted */
    float *failures;   /* [count] weights of failed samples */
    bool *known;       /* [count] */
};

/* ENOMEM. */
enum hone_status hone_table_init(struct hone_table *table, const struct hone_space *space,
                                 struct hone_error *err);
void hone_table_fini(struct hone_table *table);

/* Forget all sums. */
void hone_table_clear(struct hone_table *table);

/* Add times sample index with y, NAN for failed; times -1 takes it back. kernel[d] is the
 * weight where d parameters differ. */
void hone_table_add(struct hone_table *table, uint64_t index, double y, float times,
                    const float *kernel);

#endif
