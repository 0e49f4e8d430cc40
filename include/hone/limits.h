/* What a device allows and how large it is: filled once when a device is opened, or taken
 * from the table of known GPUs, and read-only after that. Expressions see each field of
 * HONE_LIMITS_LIST as device.NAME. */
#ifndef HONE_LIMITS_H
#define HONE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#define HONE_LIMITS_LIST(X)                                                             \
    X(cc_major)                       /* compute capability 9.0: 9 */                   \
    X(cc_minor)                       /* compute capability 9.0: 0 */                   \
    X(sm_count)                       /* multiprocessors */                             \
    X(warp_size)                      /* threads */                                     \
    X(max_threads_per_block)                                                            \
    X(max_threads_per_sm)                                                               \
    X(max_blocks_per_sm)                                                                \
    X(max_registers_per_thread)                                                         \
    X(registers_per_block)            /* 32-bit registers */                            \
    X(registers_per_sm)               /* 32-bit registers */                            \
    X(max_shared_bytes)               /* a block, with opt-in */                        \
    X(shared_bytes_per_sm)                                                              \
    X(reserved_shared_bytes)          /* a block, taken by the system */                \
    X(l2_bytes)                                                                         \
    X(memory_bytes)                                                                     \
    X(max_grid_x)                     /* blocks */                                      \
    X(max_grid_y)                                                                       \
    X(max_grid_z)                                                                       \
    X(sm_clock_khz)                   /* boost clock */                                 \
    X(memory_bandwidth_mbs)           /* nominal, MB/s (1e6) */
/* clang-format on */

struct hone_limits {
    char name[64]; /* "NVIDIA H200" */
    char arch[16]; /* what NVRTC builds for: "sm_90a" */
#define HONE_LIMITS_FIELD(field) int64_t field;
    HONE_LIMITS_LIST(HONE_LIMITS_FIELD)
#undef HONE_LIMITS_FIELD
};

/* The value of the field called name (without "device."); false when there is no such
 * field. */
bool hone_limits_get(const struct hone_limits *limits, const char *name, int64_t *value);

/* The i-th field's name, NULL past the last. */
const char *hone_limits_name(size_t i);

#endif
