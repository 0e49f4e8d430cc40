#include "axes.h"

#include <math.h>
#include <stdlib.h>

// Shares of a gap. Chosen on recorded spaces, see docs/strategies.md.
static const float share_apart = 0.1F, share_place = 0.4F, share_align = 0.5F;

enum { ALIGN_MOST = 9 }; // exponents of two that are told apart: up to 512

static void place_values(struct hone_axis *axis, float share)
{
    for (size_t v = 0; v < axis->count; v++)
        axis->place[v] = share * (float)v / (float)(axis->count - 1);
}

static int exponent_of_two(int64_t value)
{
    int exponent = 0;
    for (; value && value % 2 == 0 && exponent < ALIGN_MOST; value /= 2)
        exponent++;
    return exponent;
}

// Exponents count by their range in the list: all alike, they count nothing.
static void align_values(struct hone_axis *axis, const struct hone_param *param)
{
    int least = ALIGN_MOST, most = 0;
    for (size_t v = 0; v < param->count; v++) {
        int64_t value = 0;
        hone_value_to_int(param->values[v], &value);
        const int exponent = exponent_of_two(value);
        axis->align[v] = (float)exponent;
        if (exponent < least) least = exponent;
        if (exponent > most) most = exponent;
    }
    const float scale = most > least ? share_align / (float)(most - least) : 0;
    for (size_t v = 0; v < param->count; v++)
        axis->align[v] *= scale;
}

static bool all_integers(const struct hone_param *param)
{
    int64_t value;
    for (size_t v = 0; v < param->count; v++)
        if (!hone_value_to_int(param->values[v], &value)) return false;
    return true;
}

static bool has_names(const struct hone_param *param)
{
    for (size_t v = 0; v < param->count; v++)
        if (param->values[v].type == HONE_STRING) return true;
    return false;
}

static enum hone_status add_axis(struct hone_axes *axes, const struct hone_param *param,
                                 size_t i)
{
    struct hone_axis *axis = &axes->items[axes->count++];
    *axis = (struct hone_axis){.param = i, .count = param->count, .apart = share_apart};
    axis->place = calloc(param->count, sizeof *axis->place);
    axis->align = calloc(param->count, sizeof *axis->align);
    if (!axis->place || !axis->align) return HONE_ENOMEM;
    if (param->count > axes->most) axes->most = param->count;
    if (all_integers(param)) {
        place_values(axis, share_place);
        align_values(axis, param);
    } else if (has_names(param)) {
        axis->apart = 1; // names have no order
    } else {
        place_values(axis, share_place + share_align);
    }
    return HONE_OK;
}

enum hone_status hone_axes_init(struct hone_axes *axes, const struct hone_space *space,
                                struct hone_error *err)
{
    const size_t params = hone_space_param_count(space);
    *axes = (struct hone_axes){.items = calloc(params + 1, sizeof *axes->items)};
    enum hone_status status = axes->items ? HONE_OK : HONE_ENOMEM;
    for (size_t i = 0; i < params && status == HONE_OK; i++) {
        const struct hone_param *param = hone_space_param(space, i);
        if (param->count > 1) status = add_axis(axes, param, i);
    }
    if (status == HONE_OK) return HONE_OK;
    hone_axes_fini(axes);
    return hone_no_memory(err, "for a space of %zu parameters", params);
}

void hone_axes_fini(struct hone_axes *axes)
{
    for (size_t i = 0; i < axes->count; i++) {
        free(axes->items[i].place);
        free(axes->items[i].align);
    }
    free(axes->items);
    *axes = (struct hone_axes){0};
}

float hone_axis_gap(const struct hone_axis *axis, uint16_t a, uint16_t b)
{
    if (a == b) return 0;
    return axis->apart + fabsf(axis->place[a] - axis->place[b]) +
           fabsf(axis->align[a] - axis->align[b]);
}

float hone_matern(float gap)
{
    const float r = sqrtf(3 * gap);
    return (1 + r) * expf(-r);
}
