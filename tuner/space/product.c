// The space as a product of the tuple sets of independent components. The index is the
// rank in lexicographic order of all parameters, also where the parameters of different
// components alternate. It is found without listing the product: fixing the parameters
// from the first on narrows each component to a range of its sorted tuples, and what is
// left of the product is as large as the product of these ranges.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "space_internal.h"

// Indices fit into a signed integer of Lua, C or JSON.
static const uint64_t count_max = (uint64_t)INT64_MAX;

// --- making ---

bool hone_product_reserve(struct hone_space *space, size_t part_count)
{
    struct hone_arena *arena = &space->arena;
    space->parts = hone_arena_array(arena, part_count, sizeof *space->parts);
    space->places = hone_arena_array(arena, space->param_count, sizeof *space->places);
    space->runs = hone_arena_array(arena, space->param_count, sizeof *space->runs);
    return space->parts && space->places && space->runs;
}

static enum hone_status init_keys(const struct hone_space *space, struct hone_part *part,
                                  struct hone_error *err)
{
    size_t *counts = calloc(part->param_count, sizeof *counts);
    if (!counts) return hone_no_memory(err, "for a space");
    for (size_t k = 0; k < part->param_count; k++)
        counts[k] = space->params[part->params[k]].count;
    enum hone_status status = hone_keys_init(&part->keys, counts, part->param_count, err);
    free(counts);
    return status;
}

enum hone_status hone_product_add(struct hone_space *space, const size_t *params,
                                  size_t param_count, bool is_free,
                                  struct hone_error *err)
{
    size_t i = space->part_count++;
    struct hone_part *part = &space->parts[i];
    part->params = hone_arena_array(&space->arena, param_count, sizeof *params);
    if (!part->params) return hone_no_memory(err, "for a space");
    memcpy(part->params, params, param_count * sizeof *params);
    part->param_count = param_count;
    part->count = space->params[params[0]].count;
    enum hone_status status = is_free ? HONE_OK : init_keys(space, part, err);
    for (size_t k = 0; k < param_count && status == HONE_OK; k++) {
        struct hone_place *place = &space->places[params[k]];
        *place = (struct hone_place){.part = i};
        if (!is_free) place->field = part->keys.fields[k];
    }
    return status;
}

static enum hone_status multiply(struct hone_space *space, struct hone_error *err)
{
    double product = 1;
    bool fits = true;
    space->count = 1;
    for (size_t i = 0; i < space->part_count; i++) {
        struct hone_part *part = &space->parts[i];
        if (part->keys.fields) part->count = part->keys.count;
        product *= (double)part->count;
        fits = fits && (!part->count || space->count <= count_max / part->count);
        if (fits) space->count *= part->count;
    }
    if (fits) return HONE_OK;
    return hone_fail_at(err, HONE_ELIMIT, space->source, space->line,
                        "%.4g of %.4g combinations are valid, at most %.4g are "
                        "supported: add constraints or take values away",
                        product, space->cartesian, (double)count_max);
}

// Parts that leave a choice come first.
static enum hone_status sort_parts(struct hone_space *space, struct hone_error *err)
{
    size_t *moved = calloc(space->part_count, sizeof *moved);
    struct hone_part *sorted = calloc(space->part_count, sizeof *sorted);
    if (moved && sorted) {
        size_t at = 0;
        for (int wide = 1; wide >= 0; wide--) {
            for (size_t i = 0; i < space->part_count; i++) {
                if ((space->parts[i].count != 1) != wide) continue;
                moved[i] = at;
                sorted[at++] = space->parts[i];
            }
            if (wide) space->wide_count = at;
        }
        memcpy(space->parts, sorted, at * sizeof *sorted);
        for (size_t p = 0; p < space->param_count; p++)
            space->places[p].part = moved[space->places[p].part];
    }
    bool ok = moved && sorted;
    free(moved);
    free(sorted);
    return ok ? HONE_OK : hone_no_memory(err, "for a space");
}

static void add_to_runs(struct hone_space *space, size_t param)
{
    const struct hone_place *place = &space->places[param];
    if (place->part >= space->wide_count || space->params[param].count == 1) return;
    bool goes_on =
        space->run_count > 0 && space->runs[space->run_count - 1].part == place->part;
    struct hone_run *run =
        &space->runs[goes_on ? space->run_count - 1 : space->run_count++];
    *run = (struct hone_run){.part = place->part,
                             .word = place->field.word,
                             .mask = UINT64_MAX << place->field.shift,
                             .last = true};
    for (size_t r = 0; r + 1 < space->run_count; r++)
        if (space->runs[r].part == place->part) space->runs[r].last = false;
}

enum hone_status hone_product_finish(struct hone_space *space, struct hone_error *err)
{
    enum hone_status status = multiply(space, err);
    if (status == HONE_OK) status = sort_parts(space, err);
    for (size_t p = 0; p < space->param_count && status == HONE_OK; p++)
        add_to_runs(space, p);
    return status;
}

// --- index and ranks ---

// What is left of the product while runs are fixed one after the other.
struct rest {
    size_t low[HONE_WIDE_PARTS_MAX]; // tuples low .. high - 1 of each part
    size_t high[HONE_WIDE_PARTS_MAX];
    uint64_t total; // the product of these ranges
};

static void rest_init(struct rest *rest, const struct hone_space *space)
{
    rest->total = space->count;
    for (size_t i = 0; i < space->wide_count; i++) {
        rest->low[i] = 0;
        rest->high[i] = (size_t)space->parts[i].count;
    }
}

static bool agree(const struct hone_keys *keys, const struct hone_run *run, size_t a,
                  size_t b)
{
    const uint64_t *x = hone_keys_at(keys, a), *y = hone_keys_at(keys, b);
    for (uint32_t w = 0; w < run->word; w++)
        if (x[w] != y[w]) return false;
    return !((x[run->word] ^ y[run->word]) & run->mask);
}

// The first tuple from low on that agrees with tuple rank: steps of doubling length, then
// halving, as those that agree are near each other.
static size_t first_alike(const struct hone_keys *keys, const struct hone_run *run,
                          size_t low, size_t rank)
{
    size_t first = rank, step = 1;
    for (; first - low >= step && agree(keys, run, first - step, rank); step *= 2)
        first -= step;
    if (first - low >= step) low = first - step + 1;
    while (low < first) {
        size_t middle = low + (first - low) / 2;
        if (agree(keys, run, middle, rank))
            first = middle;
        else
            low = middle + 1;
    }
    return first;
}

// One past the last tuple before high that agrees with tuple rank.
static size_t last_alike(const struct hone_keys *keys, const struct hone_run *run,
                         size_t rank, size_t high)
{
    size_t end = rank + 1, step = 1;
    for (; high - end >= step && agree(keys, run, end + step - 1, rank); step *= 2)
        end += step;
    if (high - end >= step) high = end + step - 1;
    while (end < high) {
        size_t middle = end + (high - end) / 2;
        if (agree(keys, run, middle, rank))
            end = middle + 1;
        else
            high = middle;
    }
    return end;
}

// Fix the parameters of run as tuple rank of its part has them, where others is how many
// combinations the other parts have left. Returns how many combinations come before.
static uint64_t fix(struct rest *rest, const struct hone_space *space,
                    const struct hone_run *run, size_t rank, uint64_t others)
{
    size_t *low = &rest->low[run->part], *high = &rest->high[run->part];
    const struct hone_keys *keys = &space->parts[run->part].keys;
    size_t first = run->last ? rank : first_alike(keys, run, *low, rank);
    uint64_t before = (first - *low) * others;
    *high = run->last ? rank + 1 : last_alike(keys, run, rank, *high);
    *low = first;
    rest->total = (*high - *low) * others;
    return before;
}

void hone_product_ranks(const struct hone_space *space, uint64_t index,
                        size_t ranks[HONE_WIDE_PARTS_MAX])
{
    if (space->run_count == 1) {
        ranks[0] = (size_t)index;
        return;
    }
    struct rest rest;
    rest_init(&rest, space);
    for (size_t r = 0; r < space->run_count; r++) {
        const struct hone_run *run = &space->runs[r];
        size_t low = rest.low[run->part];
        uint64_t others = rest.total / (rest.high[run->part] - low);
        ranks[run->part] = low + (size_t)(index / others);
        index -= fix(&rest, space, run, ranks[run->part], others);
    }
}

uint64_t hone_product_index(const struct hone_space *space,
                            const size_t ranks[HONE_WIDE_PARTS_MAX])
{
    if (space->run_count == 1) return ranks[0];
    struct rest rest;
    rest_init(&rest, space);
    uint64_t index = 0;
    for (size_t r = 0; r < space->run_count; r++) {
        const struct hone_run *run = &space->runs[r];
        uint64_t others = rest.total / (rest.high[run->part] - rest.low[run->part]);
        index += fix(&rest, space, run, ranks[run->part], others);
    }
    return index;
}

// --- tuples ---

uint16_t hone_product_choice(const struct hone_space *space,
                             const size_t ranks[HONE_WIDE_PARTS_MAX], size_t param)
{
    const struct hone_place *place = &space->places[param];
    const struct hone_keys *keys = &space->parts[place->part].keys;
    size_t rank = place->part < space->wide_count ? ranks[place->part] : 0;
    if (!keys->fields) return (uint16_t)rank;
    return hone_key_get(hone_keys_at(keys, rank), place->field);
}

bool hone_product_find(const struct hone_space *space, const uint16_t *choices,
                       size_t ranks[HONE_WIDE_PARTS_MAX])
{
    for (size_t i = 0; i < space->part_count; i++) {
        const struct hone_part *part = &space->parts[i];
        uint64_t key[HONE_KEY_WORDS_MAX], rank = choices[part->params[0]];
        memset(key, 0, part->keys.words * sizeof *key);
        for (size_t k = 0; k < part->param_count; k++) {
            uint16_t choice = choices[part->params[k]];
            if (choice >= space->params[part->params[k]].count) return false;
            if (part->keys.fields) hone_key_set(key, part->keys.fields[k], choice);
        }
        if (part->keys.fields && !hone_keys_find(&part->keys, key, &rank)) return false;
        if (i < space->wide_count) ranks[i] = (size_t)rank;
    }
    return true;
}

bool hone_product_vary(const struct hone_space *space,
                       const size_t ranks[HONE_WIDE_PARTS_MAX], size_t param,
                       size_t value, size_t *rank)
{
    const struct hone_place *place = &space->places[param];
    if (place->part >= space->wide_count) return false;
    const struct hone_keys *keys = &space->parts[place->part].keys;
    uint64_t key[HONE_KEY_WORDS_MAX], found = value;
    if (keys->fields) {
        memcpy(key, hone_keys_at(keys, ranks[place->part]), keys->words * sizeof *key);
        hone_key_set(key, place->field, value);
        if (!hone_keys_find(keys, key, &found)) return false;
    }
    *rank = (size_t)found;
    return true;
}
