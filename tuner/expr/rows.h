/* Operators on rows of doubles, which stand for integers within 2^52 or floats, and on
 * sets of bits, which stand for booleans. */
#ifndef HONE_EXPR_ROWS_H
#define HONE_EXPR_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Larger integers than these are not exact. */
#define HONE_ROW_INTEGER_MAX 4503599627370496.0 /* 2^52 */

struct hone_row_step {
    unsigned op; /* enum expr_op; floats decide // % and the sign of zero */
    bool floats;
    bool a_varies, b_varies; /* a row of count, or one value for all; one varies */
    const double *a, *b;     /* b is a for one operand */
    double *out;             /* of arithmetic */
    uint64_t *truths;        /* of a comparison: a word for 64 elements, and */
    const uint64_t *bits;    /* what element i sets in its word, by i % 64 */
    size_t count;
};

/* Whether there is such an operator, of numbers or of booleans. */
bool hone_row_operates(unsigned op, bool floats);

void hone_row_fill(const struct hone_row_step *step);
void hone_row_compare(const struct hone_row_step *step);

struct hone_bits_step {
    unsigned op;
    bool a_varies, b_varies; /* a row of words, or one word for all */
    const uint64_t *a, *b;   /* b is a for one operand */
    uint64_t *out;
    size_t words;
};
void hone_bits_fill(const struct hone_bits_step *step);

#endif
