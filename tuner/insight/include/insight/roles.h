/* Kernels whose warps have roles, some copying and some multiplying: which of them the
 * others wait for, by the emulator's simulation (docs/emulator.md). */
#ifndef HONE_INSIGHT_ROLES_H
#define HONE_INSIGHT_ROLES_H

#include "hone/trial.h"

/* Name for programs, words for people. */
/* clang-format off */
#define HONE_ROLE_LIMIT_LIST(X)                                                         \
    X(TENSOR,   "tensor_cores",  "the tensor cores")                                    \
    X(PORT,     "shared_memory", "shared memory")                                       \
    X(SUPPLY,   "supply",        "what L2 brings")                                      \
    X(UNITS,    "units",         "several units")                                       \
    X(PRODUCER, "producer",      "the warps that copy")                                 \
    X(CONSUMER, "consumer",      "the warps that multiply")
/* clang-format on */

enum hone_role_limit {
#define HONE_ROLE_ENUM(name, word, text) HONE_ROLE_##name,
    HONE_ROLE_LIMIT_LIST(HONE_ROLE_ENUM)
#undef HONE_ROLE_ENUM
        HONE_ROLE_LIMIT_COUNT
};

struct hone_roles {
    enum hone_role_limit limit;
    /* Parts of the simulated time, 0 to 1: units that are busy, by the first limits. */
    double busy[HONE_ROLE_UNITS];
    double multiply_waits, copy_waits; /* warps that wait at barriers */
};

/* False where the trial's time was not simulated. */
bool hone_roles_find(struct hone_roles *out, const struct hone_trial *trial);

/* From which part of the time on a unit counts as busy. */
extern const double hone_role_busy;

const char *hone_role_word(enum hone_role_limit limit);
const char *hone_role_text(enum hone_role_limit limit);

#endif
