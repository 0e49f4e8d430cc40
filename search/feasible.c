#include "feasible.h"

#include <stdlib.h>

enum { TREES = 8 };
static const double growth = 1.05; // of the samples, before trees are grown anew

void hone_feasible_init(struct hone_feasible *feasible, size_t params)
{
    *feasible = (struct hone_feasible){0};
    hone_forest_init(&feasible->forest, params, TREES);
}

void hone_feasible_fini(struct hone_feasible *feasible)
{
    hone_forest_fini(&feasible->forest);
}

bool hone_feasible_fit(struct hone_feasible *feasible, const struct hone_samples *samples,
                       struct hone_rng *rng)
{
    if (samples->valid == samples->count) return true;
    if (feasible->grown && (double)samples->count <= growth * (double)feasible->settled)
        return true;
    float *valid = calloc(samples->count, sizeof *valid);
    if (!valid) return false;
    for (size_t i = 0; i < samples->count; i++)
        valid[i] = hone_samples_is_valid(samples, i) ? 1 : 0;
    enum hone_status status = hone_forest_grow(&feasible->forest, samples->choices, valid,
                                               samples->count, rng, NULL);
    free(valid);
    if (status != HONE_OK) return false;
    feasible->grown = true;
    feasible->settled = samples->count;
    return true;
}

double hone_feasible_chance(const struct hone_feasible *feasible, const uint16_t *row)
{
    double chance = 1, sd;
    if (feasible->grown) hone_forest_ask(&feasible->forest, row, &chance, &sd);
    return chance;
}
