/* Lua 5.4's arithmetic on numbers (manual 3.4.1-3.4.3): wrap-around, floor division and
 * modulo, shifts, exact conversions and exact comparison of integers with floats. */
#ifndef HONE_EXPR_NUMBER_H
#define HONE_EXPR_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline int64_t hone_wrap(uint64_t bits)
{
    return (
        int64_t)bits; /* two's complement, as every compiler we build with defines it */
}

int64_t hone_int_floor_div(int64_t a, int64_t b);   /* b is not 0; minimum // -1 wraps */
int64_t hone_int_floor_mod(int64_t a, int64_t b);   /* b is not 0 */
int64_t hone_int_shift_left(int64_t a, int64_t by); /* logical; negative shifts right */
double hone_float_floor_mod(double a, double b);
double hone_float_pow(double a, double b);

/* False where f has no exact integer value. */
bool hone_float_to_int(double f, int64_t *out);

/* i <=> f: -1, 0, 1, or 2 where f is not a number. */
int hone_compare_int_float(int64_t i, double f);

#endif
