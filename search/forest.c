#include "forest.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"

void hone_forest_init(struct hone_forest *forest, size_t params, size_t trees)
{
    assert(trees <= HONE_FOREST_TREES_MOST);
    *forest = (struct hone_forest){.params = params, .trees = trees};
}

void hone_forest_fini(struct hone_forest *forest)
{
    free(forest->nodes);
    free(forest->order);
    forest->nodes = NULL;
    forest->order = NULL;
    forest->cap = 0;
}

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

// How much of the squares about the mean a random threshold of param explains.
static bool try_split(const struct growth *g, size_t from, size_t end,
                      struct split *split)
{
    uint16_t low = UINT16_MAX, high = 0;
    for (size_t i = from; i < end; i++) {
        const uint16_t v = choice(g, i, split->param);
        if (v < low) low = v;
        if (v > high) high = v;
    }
    if (low >= high) return false;
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

static bool best_split(const struct growth *g, size_t from, size_t end,
                       struct split *best)
{
    bool found = false;
    for (size_t p = 0; p < g->forest->params; p++) {
        struct split split = {.param = p};
        if (!try_split(g, from, end, &split)) continue;
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

enum hone_status hone_forest_grow(struct hone_forest *forest, const uint16_t *rows,
                                  const float *y, size_t count, struct hone_rng *rng,
                                  struct hone_error *err)
{
    enum hone_status status = reserve(forest, count, err);
    if (status != HONE_OK) return status;
    for (size_t t = 0; t < forest->trees; t++) {
        struct growth growth = {.forest = forest,
                                .nodes = forest->nodes + t * forest->cap,
                                .used = 1,
                                .rows = rows,
                                .y = y,
                                .order = forest->order,
                                .rng = rng};
        for (size_t i = 0; i < count; i++)
            forest->order[i] = (uint32_t)i;
        grow(&growth, 0, 0, count);
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
