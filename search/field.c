// Each sample adds a row of numbers, one for each candidate; inner loops run over
// candidates and are left to the compiler to vectorise.
#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hone/model.h"
#include "hone/rng.h"
#include "samples.h"

enum { BLOCK = 1024 }; // floats that stay in the first cache

// --- candidates ---

static void set(struct hone_field *field, const struct hone_gaussian *g, size_t slot,
                uint64_t index)
{
    field->index[slot] = index;
    hone_space_choices(field->space, index, field->row);
    for (size_t a = 0; a < g->axes.count; a++)
        field->choices[a * field->width + slot] = field->row[g->axes.items[a].param];
    field->expected[slot] =
        (float)hone_expectation_at(field->expectation, index, field->row);
}

void hone_field_draw(struct hone_field *field, const struct hone_gaussian *g,
                     struct hone_rng *rng)
{
    hone_field_cut(field, 0);
    field->count = field->whole ? field->width : HONE_FIELD_SAMPLE;
    field->next = field->count;
    if (!field->whole)
        hone_space_sample(field->space, rng, field->index, HONE_FIELD_SAMPLE);
    for (size_t i = 0; i < field->count; i++)
        set(field, g, i, field->whole ? i : field->index[i]);
}

enum hone_status hone_field_init(struct hone_field *field, const struct hone_space *space,
                                 const struct hone_gaussian *g, struct hone_error *err)
{
    const uint64_t all = hone_space_count(space);
    const bool whole = all <= HONE_FIELD_MOST;
    const size_t width = whole ? (size_t)all : HONE_FIELD_MOST;
    *field = (struct hone_field){.space = space, .whole = whole, .width = width};
    field->index = calloc(width, sizeof *field->index);
    field->choices = calloc(g->axes.count * width + 1, sizeof *field->choices);
    field->parts = calloc(g->cap * width, sizeof *field->parts);
    field->left = calloc(width, sizeof *field->left);
    field->mean = calloc(width, sizeof *field->mean);
    field->expected = calloc(width, sizeof *field->expected);
    field->gaps = calloc(g->axes.most + 1, sizeof *field->gaps);
    field->row = calloc(g->params + 1, sizeof *field->row);
    if (!field->index || !field->choices || !field->parts || !field->left ||
        !field->mean || !field->expected || !field->gaps || !field->row) {
        hone_field_fini(field);
        return hone_no_memory(err, "for %zu candidates", width);
    }
    return HONE_OK;
}

void hone_field_fini(struct hone_field *field)
{
    free(field->index);
    free(field->choices);
    free(field->parts);
    free(field->left);
    free(field->mean);
    free(field->expected);
    free(field->gaps);
    free(field->row);
    *field = (struct hone_field){0};
}

// --- samples ---

// Covariances of the candidates [from, end) with sample i, into its row.
static void cover(struct hone_field *field, const struct hone_gaussian *g, size_t i,
                  size_t from, size_t end)
{
    const uint16_t *sample = g->rows + i * g->params;
    float *part = field->parts + i * field->width;
    memset(part + from, 0, (end - from) * sizeof *part);
    for (size_t a = 0; a < g->axes.count; a++) {
        const struct hone_axis *axis = &g->axes.items[a];
        const uint16_t *choices = field->choices + a * field->width;
        const float weight = (float)exp(g->scales[a]);
        for (size_t v = 0; v < axis->count; v++)
            field->gaps[v] =
                weight * hone_axis_gap(axis, sample[axis->param], (uint16_t)v);
        for (size_t x = from; x < end; x++)
            part[x] += field->gaps[choices[x]];
    }
    for (size_t x = from; x < end; x++)
        part[x] = hone_matern(part[x]);
}

static void add_times(float *restrict to, const float *restrict from, float factor,
                      size_t n)
{
    for (size_t x = 0; x < n; x++)
        to[x] += factor * from[x];
}

// Row i of factor^-1 times the covariances.
static void solve(struct hone_field *field, const struct hone_gaussian *g, size_t i,
                  size_t from, size_t end)
{
    const double *l = g->factor + i * g->cap;
    float *part = field->parts + i * field->width;
    for (size_t k = 0; k < i; k++)
        add_times(part + from, field->parts + k * field->width + from, -(float)l[k],
                  end - from);
    const float inverse = (float)(1 / l[i]);
    for (size_t x = from; x < end; x++) {
        part[x] *= inverse;
        field->left[x] -= part[x] * part[x];
    }
}

static void take_in(struct hone_field *field, const struct hone_gaussian *g, size_t i,
                    size_t from, size_t end)
{
    cover(field, g, i, from, end);
    for (size_t first = from; first < end; first += BLOCK)
        solve(field, g, i, first, first + BLOCK < end ? first + BLOCK : end);
}

void hone_field_grow(struct hone_field *field, const struct hone_gaussian *g)
{
    for (; field->rows < g->count; field->rows++)
        take_in(field, g, field->rows, 0, field->count);
}

void hone_field_cut(struct hone_field *field, size_t count)
{
    while (field->rows > count) {
        const float *part = field->parts + --field->rows * field->width;
        for (size_t x = 0; x < field->count; x++)
            field->left[x] += part[x] * part[x];
    }
    for (size_t x = 0; x < field->width && !count; x++)
        field->left[x] = 1; // without what rounding has left
}

static bool has_joined(const struct hone_field *field, uint64_t index)
{
    for (size_t x = HONE_FIELD_SAMPLE; x < field->count; x++)
        if (field->index[x] == index) return true;
    return false;
}

// Give the candidates [from, end) what those before them have.
static void catch_up(struct hone_field *field, const struct hone_gaussian *g, size_t from,
                     size_t end)
{
    for (size_t x = from; x < end; x++)
        field->left[x] = 1;
    for (size_t i = 0; i < field->rows && from < end; i++)
        take_in(field, g, i, from, end);
}

void hone_field_join(struct hone_field *field, const struct hone_gaussian *g,
                     const uint64_t *indices, size_t n)
{
    size_t from = field->next;
    for (size_t i = 0; i < n && !field->whole; i++) {
        if (has_joined(field, indices[i])) continue;
        if (field->next == HONE_FIELD_MOST) {
            catch_up(field, g, from, field->next);
            from = field->next = HONE_FIELD_SAMPLE;
        }
        const size_t slot = field->next++;
        if (slot == field->count) field->count++;
        set(field, g, slot, indices[i]);
    }
    catch_up(field, g, from, field->next);
}

void hone_field_settle(struct hone_field *field, const struct hone_gaussian *g,
                       double usual)
{
    for (size_t x = 0; x < field->count; x++) {
        const double trend = hone_squeeze((double)field->expected[x], usual);
        field->mean[x] = (float)(g->mean + g->slope * trend);
    }
    for (size_t first = 0; first < field->count; first += BLOCK) {
        const size_t left = field->count - first, n = left < BLOCK ? left : BLOCK;
        for (size_t i = 0; i < field->rows; i++)
            add_times(field->mean + first, field->parts + i * field->width + first,
                      (float)hone_gaussian_half(g, i), n);
    }
}
