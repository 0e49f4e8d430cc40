/* Elements of device buffers on the host: every dtype to and from double, and random
 * data. */
#ifndef HONE_EVALUATE_ELEMENT_H
#define HONE_EVALUATE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/kernel.h"

bool hone_dtype_is_float(enum hone_dtype dtype);

/* Bits of the significand of a floating type, the hidden one included: 24 of f32. */
int hone_dtype_precision(enum hone_dtype dtype);

/* Exact but for 64-bit integers beyond 2^53. */
double hone_element_load(enum hone_dtype dtype, const void *data, size_t i);

/* Rounds to nearest even. Beyond the largest finite value: infinity, for e4m3 NaN.
 * Integers are truncated and must be in range. */
void hone_element_store(enum hone_dtype dtype, void *data, size_t i, double value);

/* A scalar argument's value as the kernel receives it. Integers wrap to the width of
 * dtype. */
void hone_element_from_value(enum hone_dtype dtype, void *data, struct hone_value value);

/* That of arg, whatever its kind; of a wide one rounded to what the kernel has. */
void hone_element_from_arg(const struct hone_job_arg *arg, void *data);

/* Elements first .. first+count-1 of the endless buffer that seed names, by the dtype and
 * fill of arg. UNIFORM: [-1, 1) in steps of one unit of the dtype's precision; integers
 * -8 .. 8, unsigned 0 .. 8. INDEX: the element's number, modulo what dtype holds exactly.
 * NORMAL is rounded to the dtype, all others are exact in it. A wide arg has the values
 * of its narrow type. The kernel hone_fill gives the same bits (filler.h). */
void hone_element_fill(const struct hone_job_arg *arg, uint64_t seed, uint64_t first,
                       size_t count, void *out);

#endif
