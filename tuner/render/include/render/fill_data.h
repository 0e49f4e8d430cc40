/* What the fill of a buffer may be given: scripts and messages both bring it. */
#ifndef HONE_RENDER_FILL_DATA_H
#define HONE_RENDER_FILL_DATA_H

#include "hone/kernel.h"

/* Whether every element that such a fill makes is a number that dtype can hold: FILE has
 * a whole number of elements and at most HONE_FILL_FILE_MAX bytes, low and high of others
 * are in order, at most 2^53 in magnitude, whole for integers and within their range. */
bool hone_fill_data_fits(const struct hone_fill_data *data, enum hone_fill fill,
                         enum hone_dtype dtype);

#endif
