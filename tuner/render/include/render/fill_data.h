/* What the fill of a buffer may be given: scripts and messages both bring it. */
#ifndef HONE_RENDER_FILL_DATA_H
#define HONE_RENDER_FILL_DATA_H

#include "hone/kernel.h"

/* The numbers that fills may name for a dtype: its finite ones, of at most 2^53 in
 * magnitude, up to where a double holds every integer. A floating type rounds those that
 * lie between two of its own. */
struct hone_dtype_range {
    double low, high;
    bool whole; /* integers only */
};
struct hone_dtype_range hone_dtype_range(enum hone_dtype dtype);

/* Whether every element that such a fill makes is a finite number of dtype: FILE has a
 * whole number of elements (of any bits) and at most HONE_FILL_FILE_MAX bytes, low and
 * high of others are in order and within hone_dtype_range, whole for INTEGERS. */
bool hone_fill_data_fits(const struct hone_fill_data *data, enum hone_fill fill,
                         enum hone_dtype dtype);

#endif
