#include "insight/neighbours.h"

#include <stdlib.h>

// The only parameter in which two rows differ; count where there is none, or several.
static size_t only_difference(const uint16_t *a, const uint16_t *b, size_t count)
{
    size_t found = count;
    for (size_t p = 0; p < count; p++) {
        if (a[p] == b[p]) continue;
        if (found < count) return count;
        found = p;
    }
    return found;
}

static int by_param_and_value(const void *a, const void *b)
{
    const struct hone_neighbour *x = a, *y = b;
    if (x->param != y->param) return x->param < y->param ? -1 : 1;
    return (int)x->value - (int)y->value;
}

enum hone_status hone_neighbours_find(struct hone_neighbours *out,
                                      const struct hone_recording *recording,
                                      const struct hone_trial *trial,
                                      struct hone_error *err)
{
    const struct hone_space *space = hone_recording_space(recording);
    const size_t params = hone_space_param_count(space);
    const size_t trials = hone_recording_count(recording);
    uint16_t *own = calloc(2 * params + 1, sizeof *own), *other = own + params;
    *out = (struct hone_neighbours){.items = calloc(trials + 1, sizeof *out->items)};
    const bool ok = own && out->items;
    if (ok) hone_space_choices(space, trial->index, own);
    for (size_t i = 0; ok && i < trials; i++) {
        const struct hone_trial *there = hone_recording_trial(recording, i);
        hone_space_choices(space, there->index, other);
        const size_t p = only_difference(own, other, params);
        if (p == params) continue;
        out->items[out->count++] = (struct hone_neighbour){
            .param = p,
            .value = other[p],
            .trial = there,
            .ratio = hone_trial_cost(there) / hone_trial_cost(trial)};
    }
    free(own);
    if (!ok) return hone_no_memory(err, "for the neighbours of a configuration");
    qsort(out->items, out->count, sizeof *out->items, by_param_and_value);
    return HONE_OK;
}

void hone_neighbours_fini(struct hone_neighbours *neighbours)
{
    free(neighbours->items);
    *neighbours = (struct hone_neighbours){0};
}

const struct hone_neighbour *hone_neighbours_get(const struct hone_neighbours *neighbours,
                                                 size_t param, uint16_t value)
{
    for (size_t i = 0; i < neighbours->count; i++)
        if (neighbours->items[i].param == param && neighbours->items[i].value == value)
            return &neighbours->items[i];
    return NULL;
}
