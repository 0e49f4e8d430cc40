/* What counters of a GPU showed of a configuration, beside what the emulator counts and
 * the model makes of it. */
#ifndef HONE_INSIGHT_BESIDE_H
#define HONE_INSIGHT_BESIDE_H

#include "insight/explanation.h"

enum { HONE_BESIDE_MAX = 24 };

struct hone_beside {
    const char *name;        /* for programs: "bank_conflicts" */
    const char *text, *unit; /* for people */
    double counted;          /* by the GPU */
    double emulated;         /* NAN where the emulator has none, or none that can be */
};

/* The part of the GPU that the trial's counters show as the busiest, and its share of its
 * peak, at most 1; LATENCY where none reaches most of it, UNKNOWN without counters. */
enum hone_limit hone_beside_limit(double *share, const struct hone_trial *trial);

/* Those that the trial's counters tell, the parts of the GPU first, then what a launch
 * does; returns how many, 0 without counters. Each is finite and not negative: what else
 * a journal holds is left out. */
size_t hone_beside_find(struct hone_beside out[HONE_BESIDE_MAX],
                        const struct hone_explained *explained);

#endif
