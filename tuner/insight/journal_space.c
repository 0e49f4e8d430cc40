#include "insight/journal_space.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

// Parts that more combinations satisfy are represented by a sample.
enum { TUPLES_MOST = 2000000 };

static enum hone_status add_constants(struct hone_arena *arena,
                                      const struct hone_record_info *info,
                                      struct hone_space_def *def)
{
    size_t limits = 0;
    while (info->limits && hone_limits_name(limits))
        limits++;
    struct hone_constant *constants =
        hone_arena_array(arena, info->problem_count + limits, sizeof *constants);
    if (!constants) return HONE_ENOMEM;
    for (size_t i = 0; i < info->problem_count; i++)
        constants[i] = info->problem[i];
    for (size_t i = 0; i < limits; i++) {
        struct hone_constant *constant = &constants[info->problem_count + i];
        constant->name = hone_arena_printf(arena, "device.%s", hone_limits_name(i));
        if (!constant->name) return HONE_ENOMEM;
        constant->value.type = HONE_INT;
        hone_limits_get(info->limits, hone_limits_name(i), &constant->value.i);
    }
    def->constants = constants;
    def->constant_count = info->problem_count + limits;
    return HONE_OK;
}

static enum hone_status add_constraints(struct hone_arena *arena,
                                        const struct hone_record_info *info,
                                        struct hone_space_def *def)
{
    struct hone_constraint *list =
        hone_arena_array(arena, info->where_count, sizeof *list);
    if (!list) return HONE_ENOMEM;
    for (size_t i = 0; i < info->where_count; i++)
        if (info->where[i].text) list[def->constraint_count++].text = info->where[i].text;
    def->constraints = list;
    return HONE_OK;
}

enum hone_status hone_journal_space(struct hone_space **out,
                                    const struct hone_record_info *info,
                                    struct hone_error *err)
{
    struct hone_arena arena = {0};
    struct hone_space_def def = {.params = info->params,
                                 .param_count = info->param_count,
                                 .derived = info->derived,
                                 .derived_count = info->derived_count,
                                 .max_tuples = TUPLES_MOST};
    *out = NULL;
    enum hone_status status = add_constants(&arena, info, &def);
    if (status == HONE_OK) status = add_constraints(&arena, info, &def);
    if (status == HONE_OK) status = hone_space_new(out, &def, NULL);
    hone_arena_fini(&arena);
    if (status != HONE_ENOMEM) return HONE_OK;
    return hone_no_memory(err, "for the space of '%s'", info->kernel);
}
