#include "search/forest.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "hone/rng.h"

void hone_forest_init(struct hone_forest *forest, size_t params, size_t trees)
{
    assert(trees <= HONE_FOREST_TREES_MOST);
    *forest = (struct hone_forest){.params = params, .trees = trees};
}

void hone_forest_fini(struct hone_forest *forest)
{
    free(forest->nodes);
    free(forest->order);
    free(forest->sums);
    forest->nodes = NULL;
    forest->order = NULL;
    forest->sums = NULL;
    forest->cap = forest->sum_cap = 0;
}

struct hone_forest_sum {
    double y, count;
};

// What grows a tree: samples are in order[from .. end) of their node.
struct growth {
    const struct hone_forest *forest;
    struct hone_forest_node *nodes;
    size_t used;
    const uint16_t *rows;
    const float *y;
    uint32_t *order;
    struct hone_rng *rng;
};

struct split {
    size_t param;
    uint16_t threshold;
    double gain;
};

static uint16_t choice(const struct growth *g, size_t i, size_t param)
{
    return g->rows[g->order[i] * g->forest->params + param];
}

// The range of param's value numbers; false where there is one only.
static bool find_range(const struct growth *g, size_t from, size_t end, size_t param,
                       uint16_t *low, uint16_t *high)
{
    *low = UINT16_MAX;
    *high = 0;
    for (size_t i = from; i < end; i++) {
        const uint16_t v = choice(g, i, param);
        if (v < *low) *low = v;
        if (v > *high) *high = v;
    }
    return *low < *high;
}

// How much of the squares about the mean a random threshold of param explains.
static bool try_random(const struct growth *g, size_t from, size_t end,
                       struct split *split)
{
    uint16_t low, high;
    if (!find_range(g, from, end, split->param, &low, &high)) return false;
    split->threshold = (uint16_t)(low + hone_rng_below(g->rng, (uint64_t)(high - low)));
    double sum[2] = {0}, count[2] = {0};
    for (size_t i = from; i < end; i++) {
        const bool right = choice(g, i, split->param) > split->threshold;
        sum[right] += (double)g->y[g->order[i]];
        count[right] += 1;
    }
    split->gain = sum[0] * sum[0] / count[0] + sum[1] * sum[1] / count[1];
    return true;
}

// The threshold of param that explains most.
static bool try_all(const struct growth *g, size_t from, size_t end, struct split *split)
{
    struct hone_forest_sum *sums = g->forest->sums, left = {0}, all = {0};
    uint16_t low, high;
    if (!find_range(g, from, end, split->param, &low, &high)) return false;
    for (size_t v = low; v <= high; v++)
        sums[v] = left;
    for (size_t i = from; i < end; i++) {
        const double y = (double)g->y[g->order[i]];
        struct hone_forest_sum *sum = &sums[choice(g, i, split->param)];
        sum->y += y;
        sum->count += 1;
        all.y += y;
    }
    all.count = (double)(end - from);
    split->gain = -1;
    for (uint16_t v = low; v < high; v++) {
        left.y += sums[v].y;
        left.count += sums[v].count;
        const double rest = all.y - left.y;
        const double gain =
            left.y * left.y / left.count + rest * rest / (all.count - left.count);
        if (gain <= split->gain) continue;
        split->gain = gain;
        split->threshold = v;
    }
    return true;
}

static bool best_split(const struct growth *g, size_t from, size_t end,
                       struct split *best)
{
    bool found = false;
    for (size_t p = 0; p < g->forest->params; p++) {
        struct split split = {.param = p};
        const bool splits = g->forest->bag ? try_all(g, from, end, &split)
                                           : try_random(g, from, end, &split);
        if (!splits) continue;
        if (!found || split.gain > best->gain) *best = split;
        found = true;
    }
    return found;
}

static size_t part(const struct growth *g, size_t from, size_t end,
                   const struct split *split)
{
    size_t middle = from;
    for (size_t i = from; i < end; i++) {
        if (choice(g, i, split->param) > split->threshold) continue;
        const uint32_t sample = g->order[i];
        g->order[i] = g->order[middle];
        g->order[middle++] = sample;
    }
    return middle;
}

static float mean_of(const struct growth *g, size_t from, size_t end)
{
    double sum = 0;
    for (size_t i = from; i < end; i++)
        sum += (double)g->y[g->order[i]];
    return (float)(sum / (double)(end - from));
}

static bool all_equal(const struct growth *g, size_t from, size_t end)
{
    for (size_t i = from + 1; i < end; i++)
        if (g->y[g->order[i]] != g->y[g->order[from]]) return false;
    return true;
}

static void grow(struct growth *g, size_t node, size_t from, size_t end)
{
    struct split split = {0};
    g->nodes[node] = (struct hone_forest_node){.value = mean_of(g, from, end)};
    if (all_equal(g, from, end) || !best_split(g, from, end, &split)) return;
    const size_t middle = part(g, from, end, &split), child = g->used;
    g->used += 2;
    g->nodes[node].param = (uint16_t)split.param;
    g->nodes[node].threshold = split.threshold;
    g->nodes[node].child = (uint32_t)child;
    grow(g, child, from, middle);
    grow(g, child + 1, middle, end);
}

static enum hone_status reserve(struct hone_forest *forest, size_t count,
                                struct hone_error *err)
{
    if (2 * count <= forest->cap) return HONE_OK;
    const size_t cap = 4 * count;
    struct hone_forest_node *nodes = calloc(cap * forest->trees, sizeof *nodes);
    uint32_t *order = calloc(cap, sizeof *order);
    if (!nodes || !order) {
        free(nodes);
        free(order);
        return hone_no_memory(err, "for trees over %zu samples", count);
    }
    hone_forest_fini(forest);
    forest->nodes = nodes;
    forest->order = order;
    forest->cap = cap;
    return HONE_OK;
}

// Sums for every value number of the rows.
static enum hone_status reserve_sums(struct hone_forest *forest, const uint16_t *rows,
                                     size_t count, struct hone_error *err)
{
    size_t most = 0;
    for (size_t i = 0; i < count * forest->params; i++)
        if (rows[i] > most) most = rows[i];
    if (HONE_GROW(&forest->sums, &forest->sum_cap, most + 1, most + 1)) return HONE_OK;
    return hone_no_memory(err, "for trees over %zu values", most + 1);
}

enum hone_status hone_forest_grow(struct hone_forest *forest, const uint16_t *rows,
                                  const float *y, size_t count, struct hone_rng *rng,
                                  struct hone_error *err)
{
    const size_t samples = forest->bag ? forest->bag : count;
    enum hone_status status = reserve(forest, samples, err);
    if (status == HONE_OK && forest->bag) status = reserve_sums(forest, rows, count, err);
    if (status != HONE_OK) return status;
    for (size_t t = 0; t < forest->trees; t++) {
        struct growth growth = {.forest = forest,
                                .nodes = forest->nodes + t * forest->cap,
                                .used = 1,
                                .rows = rows,
                                .y = y,
                                .order = forest->order,
                                .rng = rng};
        for (size_t i = 0; i < samples; i++)
            forest->order[i] = (uint32_t)(forest->bag ? hone_rng_below(rng, count) : i);
        grow(&growth, 0, 0, samples);
    }
    return HONE_OK;
}

// All trees a level at a time: none waits for the memory of another.
static void descend(const struct hone_forest *forest, const uint16_t *row,
                    const struct hone_forest_node *at[])
{
    bool moved = true;
    for (size_t t = 0; t < forest->trees; t++)
        at[t] = forest->nodes + t * forest->cap;
    while (moved) {
        moved = false;
        for (size_t t = 0; t < forest->trees; t++) {
            const struct hone_forest_node *tree = forest->nodes + t * forest->cap,
                                          *node = at[t];
            const size_t next = node->child + (row[node->param] > node->threshold);
            at[t] = node->child ? tree + next : node;
            moved |= node->child != 0;
        }
    }
}

void hone_forest_ask(const struct hone_forest *forest, const uint16_t *row, double *mean,
                     double *sd)
{
    const struct hone_forest_node *leaves[HONE_FOREST_TREES_MOST];
    double sum = 0, squares = 0;
    const double n = (double)forest->trees;
    descend(forest, row, leaves);
    for (size_t t = 0; t < forest->trees; t++) {
        const double value = (double)leaves[t]->value;
        sum += value;
        squares += value * value;
    }
    *mean = sum / n;
    *sd = sqrt(fmax(squares / n - *mean * *mean, 0));
}

void hone_forest_ask_each(const struct hone_forest *forest, const uint16_t *row,
                          float *values)
{
    const struct hone_forest_node *leaves[HONE_FOREST_TREES_MOST];
    descend(forest, row, leaves);
    for (size_t t = 0; t < forest->trees; t++)
        values[t] = leaves[t]->value;
}
