// One C type for each parameter and problem constant, wide enough for every journal's
// values.
#include "emit_plan.h"

// Integers with floats become floats; other types do not mix.
static bool types_join(struct emit_field *field, struct hone_value value, bool first)
{
    if (value.type == HONE_INT && (value.i > INT32_MAX || value.i < INT32_MIN))
        field->wide = true;
    if (value.type == HONE_INT && (first || value.i < field->range.low))
        field->range.low = value.i;
    if (value.type == HONE_INT && (first || value.i > field->range.high))
        field->range.high = value.i;
    if (first) field->type = value.type;
    if (field->type == value.type) return true;
    if (field->type > HONE_FLOAT || value.type > HONE_FLOAT) return false;
    field->type = HONE_FLOAT;
    return true;
}

static enum hone_status mixed(const struct emit_plan *plan, const char *what,
                              const char *name)
{
    return hone_fail_at(plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
                        "%s '%s' has values of types that no C type holds together", what,
                        name);
}

static enum hone_status join_params(struct emit_plan *plan,
                                    const struct hone_record_info *info, bool first)
{
    for (size_t i = 0; i < info->param_count; i++)
        for (size_t v = 0; v < info->params[i].count; v++)
            if (!types_join(&plan->params[i], info->params[i].values[v], first && v == 0))
                return mixed(plan, "parameter", info->params[i].name);
    return HONE_OK;
}

static enum hone_status join_problem(struct emit_plan *plan,
                                     const struct hone_record_info *info, bool first)
{
    for (size_t i = 0; i < info->problem_count; i++) {
        if (!types_join(&plan->problem[i], info->problem[i].value, first))
            return mixed(plan, "problem", info->problem[i].name);
        // Sizes other than the recorded ones will be asked for.
        plan->problem[i].wide = true;
        const struct hone_value now = info->problem[i].value;
        plan->problem[i].fixed = (now.type == HONE_STRING || now.type == HONE_BOOL) &&
                                 (first || plan->problem[i].fixed) &&
                                 hone_value_same(now, plan->info->problem[i].value);
    }
    return HONE_OK;
}

struct hone_value hone_emit_as_type(struct hone_value value, enum hone_type type)
{
    if (type != HONE_FLOAT || value.type != HONE_INT) return value;
    return (struct hone_value){.type = HONE_FLOAT, .f = (double)value.i};
}

static bool is_float_somewhere(const struct hone_recording *const *recordings,
                               size_t count, size_t constant)
{
    for (size_t i = 0; i < count; i++)
        if (hone_recording_info(recordings[i])->problem[constant].value.type ==
            HONE_FLOAT)
            return true;
    return false;
}

// Column by column; a row that needs no change keeps its journal's constants.
enum hone_status hone_emit_type_problems(struct emit_plan *plan,
                                         const struct hone_recording *const *recordings,
                                         size_t count)
{
    for (size_t r = 0; r < plan->row_count; r++)
        plan->rows[r].problem = plan->rows[r].info->problem;
    const size_t constants = hone_recording_info(recordings[0])->problem_count;
    for (size_t i = 0; i < constants; i++) {
        if (!is_float_somewhere(recordings, count, i)) continue;
        for (size_t r = 0; r < plan->row_count; r++) {
            const struct hone_constant *own = plan->rows[r].problem;
            if (own[i].value.type != HONE_INT) continue;
            struct hone_constant *typed =
                hone_arena_dup(&plan->arena, own, constants * sizeof *own);
            if (!typed) return hone_emit_no_memory(plan);
            typed[i].value = hone_emit_as_type(own[i].value, HONE_FLOAT);
            plan->rows[r].problem = typed;
        }
    }
    return HONE_OK;
}

enum hone_status hone_emit_make_types(struct emit_plan *plan,
                                      const struct hone_recording *const *recordings,
                                      size_t count)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        const struct hone_record_info *info = hone_recording_info(recordings[i]);
        status = join_params(plan, info, i == 0);
        if (status == HONE_OK) status = join_problem(plan, info, i == 0);
    }
    return status;
}
