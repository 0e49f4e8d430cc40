// Trees of single samples: what earlier runs measured is said as it was, between them the
// trees guess. They are grown once, so that many searches can share them.
#include <stdlib.h>

#include "forest.h"
#include "hone/model.h"
#include "rng.h"

enum { TREES = 8, SEED = 1 };

struct hone_expectation {
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
    if (!rows || !y)
        status = hone_fail(err, HONE_ENOMEM, "out of memory for %zu hints", count);
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        hone_space_choices(space, hints[i].index, rows + i * params);
        y[i] = (float)hints[i].slower;
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
    if (!expectation) return hone_fail(err, HONE_ENOMEM, "out of memory for hints");
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
    hone_forest_fini(&expectation->forest);
    free(expectation);
}

double hone_expectation_at(const struct hone_expectation *expectation,
                           const uint16_t *choices)
{
    double mean = 0, sd;
    if (expectation) hone_forest_ask(&expectation->forest, choices, &mean, &sd);
    return mean;
}
