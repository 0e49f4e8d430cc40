/* What the suites over scripts share: a device, generous and tight limits. */
#ifndef HONE_SCRIPT_TEST_H
#define HONE_SCRIPT_TEST_H

#include "hone/script.h"

static const struct hone_limits test_limits = {
    .name = "test",
    .arch = "sm_90a",
    .cc_major = 9,
    .sm_count = 132,
    .warp_size = 32,
    .max_threads_per_block = 1024,
    .max_threads_per_sm = 2048,
    .max_blocks_per_sm = 32,
    .max_registers_per_thread = 255,
    .registers_per_block = 65536,
    .registers_per_sm = 65536,
    .max_shared_bytes = 232448,
    .shared_bytes_per_sm = 233472,
};

/* Tight enough that a script which never ends is over them at once. */
#define TEST_OPTIONS                                                                     \
    {                                                                                    \
        .limits = &test_limits, .max_instructions = 3000000,                             \
        .max_memory_bytes = 8u << 20                                                     \
    }

#endif
