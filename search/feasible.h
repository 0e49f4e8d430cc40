/* How likely a configuration is to be valid, from those that were and those that failed:
 * trees, since limits are mostly on one side of some value. */
#ifndef HONE_SEARCH_FEASIBLE_H
#define HONE_SEARCH_FEASIBLE_H

#include "samples.h"
#include "search/forest.h"

struct hone_feasible {
    struct hone_forest forest;
    bool grown;     /* false while nothing failed: all chances are 1 */
    size_t settled; /* samples when it was grown */
};

void hone_feasible_init(struct hone_feasible *feasible, size_t params);
void hone_feasible_fini(struct hone_feasible *feasible);

/* Learn from the samples, if enough of them are new. False when memory runs out. */
bool hone_feasible_fit(struct hone_feasible *feasible, const struct hone_samples *samples,
                       struct hone_rng *rng);

double hone_feasible_chance(const struct hone_feasible *feasible, const uint16_t *row);

#endif
