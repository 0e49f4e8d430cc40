/* Operators on rows of doubles, which stand for integers within 2^52, floats or
 * booleans. */
#ifndef HONE_EXPR_ROWS_H
#define HONE_EXPR_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* Larger integers than these are not exact. */
#define HONE_ROW_INTEGER_MAX 4503599627370496.0 /* 2^52 */

struct hone_row_step {
    unsigned op; /* enum expr_op; whether of floats matters to // and % only */
    bool floats;
    bool a_varies, b_varies; /* a row of count, or one value for all; one varies */
    const double *a, *b;     /* b is a for one operand */
    double *out;
    size_t count;
};

/* Whether there is such an operator. */
bool hone_row_operates(unsigned op, bool floats);

void hone_row_fill(const struct hone_row_step *step);

#endif
