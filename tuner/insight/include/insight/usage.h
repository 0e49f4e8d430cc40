/* Where the time of a launch goes: what each part of the GPU would take alone, at its
 * peak, and which one limits it. Of trials with the counts of an emulated block all parts
 * are known, by the emulator's model; of others what their journal tells. */
#ifndef HONE_INSIGHT_USAGE_H
#define HONE_INSIGHT_USAGE_H

#include "device/launch_time.h"
#include "insight/machine.h"
#include "insight/work.h"

/* Name for programs, words for people, heading of docs/causes.md. */
/* clang-format off */
#define HONE_LIMIT_LIST(X)                                                              \
    X(ISSUE,   "issue_slots",  "issue slots",                          "issue-slots")   \
    X(ALU,     "arithmetic",   "fp32 and integer units",               "arithmetic")    \
    X(FP64,    "fp64",         "fp64 units",                           "arithmetic")    \
    X(SFU,     "special",      "units of special functions",           "arithmetic")    \
    X(TENSOR,  "tensor_cores", "tensor cores",                         "tensor-cores")  \
    X(LOADS,   "loads",        "shared memory and L1",                                  \
      "shared-memory-and-l1")                                                           \
    X(L2,      "l2",           "L2",                                   "l2")            \
    X(DRAM,    "dram",         "DRAM",                                 "dram")          \
    X(LATENCY, "latency",      "latency",                              "latency")       \
    X(WAVES,   "waves",        "waves of blocks",                      "waves")         \
    X(LAUNCH,  "launch",       "the launch itself",                    "launch")        \
    X(UNKNOWN, "unknown",      "not known",                            "not-known")
/* clang-format on */

enum hone_limit {
#define HONE_LIMIT_ENUM(name, word, text, section) HONE_LIMIT_##name,
    HONE_LIMIT_LIST(HONE_LIMIT_ENUM)
#undef HONE_LIMIT_ENUM
        HONE_LIMIT_COUNT
};

/* Metrics of a trial by which a launch's time is computed anew. */
struct hone_block_load {
    double issue, alu, memory, path; /* cycles a block */
    struct hone_launch_load launch;  /* pipe_cycles is the largest of the first three */
};

struct hone_usage {
    bool counted;  /* the trial has the counts of an emulated block */
    bool emulable; /* its GPU is one that the emulator has */
    /* Where it has none, but counters of the hardware: how busy the busiest part of the
     * GPU was, which decides the limit; else 0. */
    double busy;
    double us; /* the trial's time, that shares are of */
    /* What each part alone would take at its peak; LATENCY and WAVES what they add to
     * that of the busiest part. NAN where it is not known. */
    double part_us[HONE_LIMIT_COUNT];
    enum hone_limit limit;
    /* counted; of kernels whose warps have roles the trial's time is simulated instead */
    struct hone_block_load load;  /* counted */
    struct hone_launch_time time; /* counted */
    struct hone_work work;
    double blocks, occupancy, waves; /* NAN where not known */
    /* The nominal roof over the trial, operations a microsecond of it and of the work;
     * 0 where the script tells no work. */
    double roof_gflops; /* of the units that it uses: tensor cores or fp32 */
    double roof_share;  /* of the time, that the nearer roof alone would take */
    bool roof_is_memory;
    bool beyond_fp32; /* more operations than the units of fp32 can do */
};

/* The trial is valid and has a time. work: of its configuration. */
void hone_usage_find(struct hone_usage *out, const struct hone_machine *machine,
                     const struct hone_work *work, const struct hone_trial *trial);

/* The time by the model if the block had this load; time_us of the result is meant. */
struct hone_launch_time hone_block_time(const struct hone_block_load *load,
                                        const struct hone_machine *machine);

double hone_trial_us(const struct hone_trial *trial); /* measured, else predicted */

const char *hone_limit_word(enum hone_limit limit);
const char *hone_limit_text(enum hone_limit limit);
const char *hone_limit_section(enum hone_limit limit);

#endif
