/* fill_values.h for the host, and which rule an argument's data follow. */
#ifndef HONE_EVALUATE_FILL_RULE_H
#define HONE_EVALUATE_FILL_RULE_H

#include <stdint.h>
#include <string.h>

#include "hone/kernel.h"

typedef unsigned long long hone_fill_bits;

static inline hone_fill_bits hone_fill_bits_of(double value)
{
    hone_fill_bits bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline hone_fill_bits hone_fill_bits_of_single(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define HONE_FILL_FUNCTION static inline
#include "fill_values.h"

struct hone_fill_rule hone_fill_rule_of(const struct hone_job_arg *arg, uint64_t seed);

#endif
