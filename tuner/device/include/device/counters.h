/* Counters of a GPU's hardware: what is counted, what CUPTI calls it on a chip, and how
 * many launches it takes to count it. All of that is known without a GPU. */
#ifndef HONE_DEVICE_COUNTERS_H
#define HONE_DEVICE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

enum { HONE_COUNTER_CANDIDATES = 4 };

struct hone_counter {
    const char *name;  /* the same on all chips: "dram_read_bytes" */
    const char *group; /* "dram": of a table */
    const char *unit;
    const char *text; /* what it counts */
    bool light;       /* of the small set */
    /* What CUPTI calls it; chips differ: the first that a chip has. Ends with NULL. */
    const char *cupti[HONE_COUNTER_CANDIDATES];
};

/* The i-th counter; NULL past the last. */
const struct hone_counter *hone_counter_at(size_t i);

/* A chip of each generation that Hone knows: "GH100"; NULL past the last. */
const char *hone_counter_chip(size_t i);

/* The chip of that generation; NULL where none is known. Smaller chips of it count the
 * same things. */
const char *hone_counter_chip_of(int64_t cc_major, int64_t cc_minor);

/* The chip that word means, cut to size bytes: its own name, in any case, or that of a
 * device, which has a colon. ENOTFOUND where no chip of the device is known. */
enum hone_status hone_counter_chip_find(char *chip, size_t size, const char *word,
                                        struct hone_error *err);

struct hone_planned_counter {
    const struct hone_counter *counter;
    const char *cupti; /* its name on the chip */
};

/* Read-only once it is made. */
struct hone_counter_plan {
    struct hone_planned_counter *counters;
    size_t count;
    size_t passes; /* launches of a kernel, each of which counts a part */
    /* What the profiler of a GPU is configured with. */
    uint8_t *image;
    size_t image_bytes;
};

/* Plan the counters that a chip, by its name at CUPTI, has: the light ones, or all. All
 * of the hardware is taken to be free. ENODEVICE where there is no CUPTI of CUDA 12.6 or
 * later ($HONE_CUPTI, else the usual places); ENOTFOUND for a chip that it does not know.
 * Release it also after a failure. */
enum hone_status hone_counter_plan_make(struct hone_counter_plan *out, const char *chip,
                                        bool light, struct hone_error *err);
void hone_counter_plan_fini(struct hone_counter_plan *plan);

#endif
