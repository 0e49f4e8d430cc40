// What a finished space answers: configurations by index, indices by configuration,
// values by name, random draws and neighbours.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "hone/rng.h"
#include "space_internal.h"

uint64_t hone_space_count(const struct hone_space *space)
{
    return space->count;
}

bool hone_space_is_sampled(const struct hone_space *space)
{
    for (size_t i = 0; i < space->part_count; i++)
        if (space->parts[i].is_sampled) return true;
    return false;
}

// Errors of factors add up relatively.
double hone_space_valid(const struct hone_space *space, double *error)
{
    double valid = 1, squares = 0;
    for (size_t i = 0; i < space->part_count; i++) {
        const struct hone_part *part = &space->parts[i];
        valid *= part->is_sampled ? part->tuples : (double)part->count;
        if (!part->is_sampled) continue;
        const double relative = part->error / part->tuples;
        squares += relative * relative;
    }
    if (error) *error = valid * sqrt(squares);
    return valid;
}

double hone_space_cartesian(const struct hone_space *space)
{
    return space->cartesian;
}

size_t hone_space_param_count(const struct hone_space *space)
{
    return space->param_count;
}

const struct hone_param *hone_space_param(const struct hone_space *space, size_t i)
{
    assert(i < space->param_count);
    return &space->params[i];
}

void hone_space_choices(const struct hone_space *space, uint64_t index, uint16_t *choices)
{
    assert(index < space->count);
    size_t ranks[HONE_WIDE_PARTS_MAX];
    hone_product_ranks(space, index, ranks);
    for (size_t i = 0; i < space->param_count; i++)
        choices[i] = hone_product_choice(space, ranks, i);
}

enum hone_status hone_space_index(const struct hone_space *space, const uint16_t *choices,
                                  uint64_t *index)
{
    size_t ranks[HONE_WIDE_PARTS_MAX];
    if (!hone_product_find(space, choices, ranks)) return HONE_ENOTFOUND;
    *index = hone_product_index(space, ranks);
    return HONE_OK;
}

enum hone_status hone_space_choice_of(const struct hone_space *space, size_t i,
                                      struct hone_value v, uint16_t *choice)
{
    const struct hone_param *param = hone_space_param(space, i);
    for (size_t c = 0; c < param->count; c++) {
        if (!hone_value_matches(param->values[c], v)) continue;
        *choice = (uint16_t)c;
        return HONE_OK;
    }
    return HONE_ENOTFOUND;
}

// --- names ---

size_t hone_space_name_count(const struct hone_space *space)
{
    return space->name_count;
}

const char *const *hone_space_names(const struct hone_space *space)
{
    return space->names;
}

const struct hone_name_index *hone_space_name_index(const struct hone_space *space)
{
    return &space->index;
}

const size_t *hone_space_derived_order(const struct hone_space *space)
{
    return space->formula_order;
}

enum hone_status hone_space_slots(const struct hone_space *space, uint64_t index,
                                  struct hone_value *slots, struct hone_error *err)
{
    assert(index < space->count);
    size_t ranks[HONE_WIDE_PARTS_MAX];
    hone_product_ranks(space, index, ranks);
    memcpy(slots, space->slots, space->name_count * sizeof *slots);
    for (size_t i = 0; i < space->param_count; i++)
        slots[i] = space->params[i].values[hone_product_choice(space, ranks, i)];
    for (size_t k = 0; k < space->formula_count; k++) {
        size_t i = space->formula_order[k];
        if (space->formulas[i].constant) continue;
        enum hone_status status = hone_space_evaluate(space, i, slots, NULL, err);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

// --- random draws ---

// A draw that is sorted costs as much as passing over so many configurations.
enum { SORTING = 16 };

static size_t drop_repeated(uint64_t *sorted, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || sorted[i] != sorted[i - 1]) sorted[kept++] = sorted[i];
    return kept;
}

// Few of many: draws with repetition until n are distinct. Needs no memory of its own.
static void draw_few(uint64_t count, struct hone_rng *rng, uint64_t *out, size_t n)
{
    for (size_t have = 0; have < n;) {
        for (size_t i = have; i < n; i++)
            out[i] = hone_rng_below(rng, count);
        hone_sort_indices(out, n);
        have = drop_repeated(out, n);
    }
}

// Most of all: selection sampling, Knuth, The Art of Computer Programming 3.4.2,
// algorithm S.
static void draw_most(uint64_t count, struct hone_rng *rng, uint64_t *out, size_t n)
{
    size_t have = 0;
    for (uint64_t i = 0; have < n; i++)
        if (hone_rng_below(rng, count - i) < n - have) out[have++] = i;
}

static void shuffle(struct hone_rng *rng, uint64_t *items, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)hone_rng_below(rng, i);
        uint64_t item = items[i - 1];
        items[i - 1] = items[k];
        items[k] = item;
    }
}

size_t hone_space_sample(const struct hone_space *space, struct hone_rng *rng,
                         uint64_t *out, size_t n)
{
    uint64_t count = hone_space_count(space);
    if (n > count) n = (size_t)count;
    if (n <= count / SORTING)
        draw_few(count, rng, out, n);
    else
        draw_most(count, rng, out, n);
    shuffle(rng, out, n);
    return n;
}

// --- neighbours ---

// Collects what was found around a configuration, of which only cap fits.
struct found {
    const struct hone_space *space;
    size_t ranks[HONE_WIDE_PARTS_MAX]; // of the configuration
    uint64_t *out;
    size_t cap, count;
};

// The configuration with that value of param.
static bool probe(struct found *found, size_t param, size_t value)
{
    const struct hone_space *space = found->space;
    size_t rank;
    if (!hone_product_vary(space, found->ranks, param, value, &rank)) return false;
    if (found->count < found->cap) {
        size_t *own = &found->ranks[space->places[param].part], before = *own;
        *own = rank;
        found->out[found->count] = hone_product_index(space, found->ranks);
        *own = before;
    }
    found->count++;
    return true;
}

static void add_hamming(struct found *found, size_t param)
{
    size_t own = hone_product_choice(found->space, found->ranks, param);
    for (size_t value = 0; value < found->space->params[param].count; value++)
        if (value != own) probe(found, param, value);
}

static void add_adjacent(struct found *found, size_t param)
{
    size_t own = hone_product_choice(found->space, found->ranks, param);
    for (size_t value = own; value-- > 0;)
        if (probe(found, param, value)) break;
    for (size_t value = own + 1; value < found->space->params[param].count; value++)
        if (probe(found, param, value)) break;
}

size_t hone_space_neighbours(const struct hone_space *space, uint64_t index,
                             enum hone_neighbourhood kind, uint64_t *out, size_t cap)
{
    assert(index < space->count);
    struct found found = {.space = space, .out = out, .cap = cap};
    hone_product_ranks(space, index, found.ranks);
    for (size_t p = 0; p < space->param_count; p++) {
        if (kind == HONE_HAMMING)
            add_hamming(&found, p);
        else
            add_adjacent(&found, p);
    }
    return found.count;
}
