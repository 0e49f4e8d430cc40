#include "insight/work.h"

#include <math.h>
#include <stdlib.h>

// NAN where it is no number, or fails there.
static double value_of(const char *text, const struct hone_space *space,
                       const struct hone_value *slots)
{
    struct hone_expr *expr = NULL;
    struct hone_value value = {0};
    double number = NAN;
    if (text && hone_expr_new(&expr, text, NULL) == HONE_OK &&
        hone_expr_bind(expr, hone_space_names(space), hone_space_name_count(space),
                       NULL) == HONE_OK &&
        hone_expr_eval(expr, slots, &value, NULL, NULL) == HONE_OK)
        number = value.type == HONE_INT     ? (double)value.i
                 : value.type == HONE_FLOAT ? value.f
                                            : (double)NAN;
    hone_expr_free(expr);
    return number > 0 ? number : (double)NAN;
}

// The product of up to three extents, those that are left out being 1.
static double extent_of(const char *const texts[3], const struct hone_space *space,
                        const struct hone_value *slots)
{
    double product = texts[0] ? 1 : (double)NAN;
    for (int i = 0; i < 3; i++)
        if (texts[i]) product *= value_of(texts[i], space, slots);
    return product;
}

enum hone_status hone_journal_work(struct hone_work *out,
                                   const struct hone_recording *recording,
                                   const struct hone_space *space,
                                   const struct hone_trial *trial, struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(recording);
    *out = (struct hone_work){NAN, NAN, NAN, NAN};
    if (!space) return HONE_OK;
    uint16_t *row = calloc(info->param_count + 1, sizeof *row);
    struct hone_value *slots = calloc(hone_space_name_count(space) + 1, sizeof *slots);
    uint64_t index;
    const bool ok = row && slots;
    if (ok) hone_space_choices(hone_recording_space(recording), trial->index, row);
    if (ok && hone_space_index(space, row, &index) == HONE_OK &&
        hone_space_slots(space, index, slots, NULL) == HONE_OK) {
        out->flops = value_of(info->flops, space, slots);
        out->bytes = value_of(info->bytes, space, slots);
        out->blocks = extent_of(info->grid, space, slots);
        out->threads = extent_of(info->block, space, slots);
    }
    free(row);
    free(slots);
    return ok ? HONE_OK : hone_no_memory(err, "for the work of a launch");
}
