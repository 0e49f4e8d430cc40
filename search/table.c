// Columns of value numbers, gone through in blocks that stay in the first cache; the
// inner loops are left to the compiler to vectorise.
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 2048 };

static void table_fill(struct hone_table *table, const struct hone_space *space,
                       uint16_t *row)
{
    const size_t params = hone_space_param_count(space);
    for (size_t x = 0; x < table->count; x++) {
        uint16_t *cell = table->choices + x;
        hone_space_choices(space, x, row);
        for (size_t p = 0; p < params; p++) {
            if (hone_space_param(space, p)->count < 2) continue;
            *cell = row[p];
            cell += table->count;
        }
    }
}

enum hone_status hone_table_init(struct hone_table *table, const struct hone_space *space,
                                 struct hone_error *err)
{
    const size_t params = hone_space_param_count(space);
    *table = (struct hone_table){.count = (size_t)hone_space_count(space)};
    for (size_t p = 0; p < params; p++)
        table->columns += hone_space_param(space, p)->count > 1;
    uint16_t *row = calloc(params + 1, sizeof *row);
    table->choices = calloc(table->columns * table->count + 1, sizeof *table->choices);
    table->weights = calloc(table->count, sizeof *table->weights);
    table->sums = calloc(table->count, sizeof *table->sums);
    table->failures = calloc(table->count, sizeof *table->failures);
    table->known = calloc(table->count, sizeof *table->known);
    const bool ok = row && table->choices && table->weights && table->sums &&
                    table->failures && table->known;
    if (ok) table_fill(table, space, row);
    free(row);
    if (ok) return HONE_OK;
    hone_table_fini(table);
    return hone_no_memory(err, "for a model of %zu configurations",
                          (size_t)hone_space_count(space));
}

void hone_table_fini(struct hone_table *table)
{
    free(table->choices);
    free(table->weights);
    free(table->sums);
    free(table->failures);
    free(table->known);
    *table = (struct hone_table){0};
}

void hone_table_clear(struct hone_table *table)
{
    memset(table->weights, 0, table->count * sizeof *table->weights);
    memset(table->sums, 0, table->count * sizeof *table->sums);
    memset(table->failures, 0, table->count * sizeof *table->failures);
    memset(table->known, 0, table->count * sizeof *table->known);
}

static size_t block_size(const struct hone_table *table, size_t first)
{
    const size_t left = table->count - first;
    return left < BLOCK ? left : BLOCK;
}

// In how many parameters the configurations from first on differ from index.
static void count_differences(const struct hone_table *table, uint64_t index,
                              size_t first, size_t n, uint16_t *restrict differ)
{
    memset(differ, 0, n * sizeof *differ);
    for (size_t c = 0; c < table->columns; c++) {
        const uint16_t *column = table->choices + c * table->count;
        const uint16_t *restrict cell = column + first;
        const uint16_t value = column[index];
        for (size_t i = 0; i < n; i++)
            differ[i] = (uint16_t)(differ[i] + (cell[i] != value));
    }
}

static void look_up(float *restrict weights, const float *kernel,
                    const uint16_t *restrict differ, size_t n)
{
    for (size_t i = 0; i < n; i++)
        weights[i] = kernel[differ[i]];
}

static void add_weights(float *restrict to, const float *restrict weights, size_t n,
                        float factor)
{
    for (size_t i = 0; i < n; i++)
        to[i] += factor * weights[i];
}

void hone_table_add(struct hone_table *table, uint64_t index, double y, float times,
                    const float *kernel)
{
    uint16_t differ[BLOCK];
    float weights[BLOCK];
    table->known[index] = times > 0;
    for (size_t first = 0; first < table->count; first += BLOCK) {
        const size_t n = block_size(table, first);
        count_differences(table, index, first, n, differ);
        look_up(weights, kernel, differ, n);
        if (isnan(y)) {
            add_weights(table->failures + first, weights, n, times);
            continue;
        }
        add_weights(table->weights + first, weights, n, times);
        add_weights(table->sums + first, weights, n, times * (float)y);
    }
}
