// Trees of single samples: what earlier runs measured is said as it was, from a table;
// between them the trees guess. They are grown once, so that many searches can share
// them.
#include <stdlib.h>

#include "history.h"
#include "hone/model.h"
#include "hone/rng.h"
#include "search/forest.h"

enum { TREES = 8, SEED = 1 };

struct hone_expectation {
    struct hone_history said;
    struct hone_forest forest;
};

static enum hone_status grow(struct hone_expectation *expectation,
                             const struct hone_space *space,
                             const struct hone_hint *hints, size_t count,
                             struct hone_error *err)
{
    const size_t params = hone_space_param_count(space);
    uint16_t *rows = calloc(count * params + 1, sizeof *rows);
    float *y = calloc(count + 1, sizeof *y);
    enum hone_status status = HONE_OK;
    struct hone_rng rng;
    hone_rng_seed(&rng, SEED);
    if (!rows || !y) status = hone_no_memory(err, "for %zu hints", count);
    if (status == HONE_OK) status = hone_history_reserve(&expectation->said, count, err);
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        const double slower = hints[i].slower;
        hone_space_choices(space, hints[i].index, rows + i * params);
        y[i] = (float)slower;
        hone_history_set(&expectation->said, hints[i].index, HONE_KNOWN_COST, slower);
    }
    if (status == HONE_OK)
        status = hone_forest_grow(&expectation->forest, rows, y, count, &rng, err);
    free(rows);
    free(y);
    return status;
}

enum hone_status hone_expectation_new(struct hone_expectation **out,
                                      const struct hone_space *space,
                                      const struct hone_hint *hints, size_t count,
                                      struct hone_error *err)
{
    *out = NULL;
    if (!count) return HONE_OK;
    struct hone_expectation *expectation = calloc(1, sizeof *expectation);
    if (!expectation) return hone_no_memory(err, "for hints");
    hone_forest_init(&expectation->forest, hone_space_param_count(space), TREES);
    enum hone_status status = grow(expectation, space, hints, count, err);
    if (status == HONE_OK)
        *out = expectation;
    else
        hone_expectation_free(expectation);
    return status;
}

void hone_expectation_free(struct hone_expectation *expectation)
{
    if (!expectation) return;
    hone_history_fini(&expectation->said);
    hone_forest_fini(&expectation->forest);
    free(expectation);
}

double hone_expectation_at(const struct hone_expectation *expectation, uint64_t index,
                           const uint16_t *choices)
{
    double mean = 0, sd;
    if (!expectation) return mean;
    const struct hone_history_entry *said = hone_history_find(&expectation->said, index);
    if (said) return said->cost;
    hone_forest_ask(&expectation->forest, choices, &mean, &sd);
    return mean;
}
