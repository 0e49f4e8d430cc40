/* Known GPUs: what each allows and how fast its parts are, for devices that are not
 * there. */
#ifndef HONE_GPU_TABLE_H
#define HONE_GPU_TABLE_H

#include "hone/limits.h"

/* Rates of one multiprocessor and the memory behind it, for the performance model. */
struct hone_gpu_rates {
    int fp32_per_cycle; /* lanes of add, mul, fma */
    int fp64_per_cycle;
    int int_per_cycle;      /* lanes of integer and logic operations */
    int sfu_per_cycle;      /* lanes of transcendentals and conversions */
    int l2_bytes_per_cycle; /* of the whole GPU */
};

struct hone_gpu {
    const char *name; /* "h200", what stands after "emu:" */
    struct hone_limits limits;
    struct hone_gpu_rates rates;
};

/* False when no GPU has that name. */
bool hone_gpu_find(struct hone_gpu *out, const char *name);
/* The i-th name, NULL past the last; the first is the default. */
const char *hone_gpu_name(size_t i);

#endif
