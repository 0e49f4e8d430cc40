/* What costs a configuration time without need. A cause is named where the emulator's
 * model says that a launch would take at least so much less without it; spills by their
 * size, since nobody counts how often they are executed; and the tail of a grid, which
 * the geometry alone tells. */
#ifndef HONE_INSIGHT_DIAGNOSIS_H
#define HONE_INSIGHT_DIAGNOSIS_H

#include "insight/usage.h"

/* Name for programs, words for people, heading of docs/causes.md. */
/* clang-format off */
#define HONE_CAUSE_LIST(X)                                                              \
    X(BANK_CONFLICTS, "bank_conflicts", "bank conflicts in shared memory",              \
      "bank-conflicts")                                                                 \
    X(UNCOALESCED,    "uncoalesced",    "uncoalesced accesses to global memory",        \
      "uncoalesced-accesses")                                                           \
    X(SPILLS,         "spills",         "registers spilled to local memory",            \
      "spills")                                                                         \
    X(OCCUPANCY,      "low_occupancy",  "low occupancy", "low-occupancy")               \
    X(TAIL,           "tail_wave",      "a tail of blocks", "tail-wave")                \
    X(FEW_BLOCKS,     "few_blocks",     "too few blocks", "too-few-blocks")             \
    X(DIVERGENCE,     "divergence",     "lanes that do nothing", "divergence")
/* clang-format on */

enum hone_cause {
#define HONE_CAUSE_ENUM(name, word, text, section) HONE_CAUSE_##name,
    HONE_CAUSE_LIST(HONE_CAUSE_ENUM)
#undef HONE_CAUSE_ENUM
        HONE_CAUSE_COUNT
};

/* What keeps further blocks from a multiprocessor. */
enum hone_occupancy_limit {
    HONE_OCCUPANCY_UNKNOWN,
    HONE_OCCUPANCY_REGISTERS,
    HONE_OCCUPANCY_SHARED,
    HONE_OCCUPANCY_BOTH,  /* registers and shared memory, each for itself */
    HONE_OCCUPANCY_BLOCKS /* blocks are so small that their number is the limit */
};

struct hone_found_cause {
    enum hone_cause cause;
    double gain; /* part of the time that goes without it, by the model; NAN: not known */
    /* The figure that shows it, and what that would be without: wavefronts a block,
     * sectors a block, bytes a thread, warps a multiprocessor, waves, blocks, lanes. */
    double have, want;
    enum hone_occupancy_limit by; /* of OCCUPANCY */
};

struct hone_diagnosis {
    struct hone_usage usage;
    struct hone_found_cause causes[HONE_CAUSE_COUNT]; /* the most costly first */
    size_t cause_count;
};

/* As hone_usage_find. */
void hone_diagnosis_make(struct hone_diagnosis *out, const struct hone_machine *machine,
                         const struct hone_work *work, const struct hone_trial *trial);

/* The cause among those that were found; NULL where it is not. */
const struct hone_found_cause *hone_diagnosis_find(const struct hone_diagnosis *diagnosis,
                                                   enum hone_cause cause);

const char *hone_cause_word(enum hone_cause cause);
const char *hone_cause_text(enum hone_cause cause);
const char *hone_cause_section(enum hone_cause cause);

#endif
