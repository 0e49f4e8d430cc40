/* What follows from a GPU's compute capability alone. */
#ifndef HONE_BASE_ARCH_H
#define HONE_BASE_ARCH_H

#include "hone/limits.h"

/* Bytes of shared memory that a block may have on every GPU, and without asking for more:
 * CUDA C++ Programming Guide, shared memory of every compute capability. */
#define HONE_SHARED_ALWAYS 49152

struct hone_arch {
    int cc; /* 80 for 8.0 */
    int threads_per_sm, blocks_per_sm;
    int shared_kib_per_sm, reserved_kib; /* reserved: of it, by the system for a block */
    int fp32_lanes;                      /* of a multiprocessor */
};

/* Whether a capability may be one, and 10 * major + minor tells it from all others. */
bool hone_arch_is_sane(int64_t major, int64_t minor);
/* The i-th of those that are known; NULL past the last. */
const struct hone_arch *hone_arch_at(size_t i);
/* NULL: it is not known. */
const struct hone_arch *hone_arch_find(int64_t major, int64_t minor);

/* Set what follows from a compute capability: threads, blocks and shared memory of a
 * multiprocessor, shared memory of a block. One that is not known has the least of all.
 */
void hone_arch_limits(struct hone_limits *limits, int64_t major, int64_t minor);
/* Set what all GPUs have alike. */
void hone_universal_limits(struct hone_limits *limits);

#endif
