/* What trials beside a configuration show: those that differ from it in one parameter. */
#ifndef HONE_INSIGHT_NEIGHBOURS_H
#define HONE_INSIGHT_NEIGHBOURS_H

#include "hone/record.h"

struct hone_neighbour {
    size_t param;
    uint16_t value;                 /* number of its value of that parameter */
    const struct hone_trial *trial; /* borrowed; of any outcome */
    double ratio; /* its cost to the configuration's; INFINITY: not valid */
};

struct hone_neighbours {
    struct hone_neighbour *items; /* by parameter, then by value */
    size_t count;
};

/* The neighbours of a valid trial in its recording. ENOMEM; release them also then. */
enum hone_status hone_neighbours_find(struct hone_neighbours *out,
                                      const struct hone_recording *recording,
                                      const struct hone_trial *trial,
                                      struct hone_error *err);
void hone_neighbours_fini(struct hone_neighbours *neighbours);

/* The one with that value; NULL where there is none. */
const struct hone_neighbour *hone_neighbours_get(const struct hone_neighbours *neighbours,
                                                 size_t param, uint16_t value);

#endif
