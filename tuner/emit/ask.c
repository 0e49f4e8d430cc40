#include "ask.h"

#include <stdlib.h>
#include <string.h>

void hone_emit_query_fini(struct emit_query *q)
{
    hone_emit_walk_fini(&q->walk);
    free(q->values);
    free(q->known);
    q->values = NULL;
    q->known = NULL;
}

void hone_emit_query_config(struct emit_query *q, const struct emit_config *config)
{
    q->config = config;
    hone_emit_walk_again(&q->walk);
}

static bool limit_of(const struct emit_query *q, const char *name,
                     struct hone_value *value)
{
    *value = (struct hone_value){.type = HONE_INT};
    return strncmp(name, "device.", 7) == 0 &&
           hone_limits_get(q->gpu, name + 7, &value->i);
}

// What is derived was computed before.
static bool look_up(const struct emit_query *q, struct emit_name name, const char *text,
                    struct hone_value *value)
{
    switch (name.kind) {
    case EMIT_PARAM:
        *value = hone_emit_value_of(q->config, name.number);
        return true;
    case EMIT_CONSTANT:
        *value = q->problem[name.number];
        return true;
    case EMIT_DERIVED:
        *value = q->values[name.number];
        return q->known[name.number];
    case EMIT_OTHER:
        break;
    }
    return limit_of(q, text, value);
}

static bool evaluate(struct emit_query *q, const struct emit_formula *formula,
                     struct hone_value *value)
{
    const struct hone_expr *expr = formula->expr;
    const size_t count = hone_expr_var_count(expr);
    struct hone_value *slots = calloc(count + 1, sizeof *slots);
    bool known = slots != NULL;
    for (size_t i = 0; i < count && known; i++)
        known = look_up(q, formula->names[i], hone_expr_var(expr, i), &slots[i]);
    known = known && hone_expr_eval(expr, slots, value, NULL, NULL) == HONE_OK;
    free(slots);
    q->steps++;
    return known;
}

static enum hone_status derive(void *context, size_t i)
{
    struct emit_query *q = context;
    const struct emit_derived *derived = &q->plan->derived[i];
    q->known[i] = derived->is_sound && evaluate(q, &derived->formula, &q->values[i]);
    return HONE_OK;
}

static bool has_room(struct emit_query *q)
{
    const size_t room = q->plan->info->derived_count + 1;
    if (q->values) return true;
    q->values = calloc(room, sizeof *q->values);
    q->known = calloc(room, sizeof *q->known);
    if (q->values && q->known && hone_emit_walk_init(&q->walk, q->plan)) return true;
    hone_emit_query_fini(q);
    return false;
}

bool hone_emit_evaluate(struct emit_query *q, const struct emit_formula *formula,
                        struct hone_value *value)
{
    if (!formula->expr) return false;
    for (size_t i = 0; i < hone_expr_var_count(formula->expr); i++) {
        const struct emit_name name = formula->names[i];
        if (name.kind != EMIT_DERIVED) continue;
        if (!has_room(q)) return false;
        hone_emit_walk(&q->walk, name.number, derive, q);
    }
    return evaluate(q, formula, value);
}

bool hone_emit_evaluate_text(struct emit_query *q, const char *text,
                             struct hone_value *value)
{
    struct emit_formula formula;
    const bool known = hone_emit_formula_init(&formula, q->plan, text) &&
                       hone_emit_evaluate(q, &formula, value);
    hone_emit_formula_fini(&formula);
    return known;
}

// Configurations that may be chosen: those that were valid. Beyond so many nobody looks,
// nor once so many expressions were evaluated for one header.
enum { TRIALS_MOST = 20000, STEPS_MOST = 5000000 };

static bool is_zero_nowhere(struct emit_query *q, const struct emit_row *row,
                            const struct emit_formula *formula, uint16_t *choices)
{
    const struct hone_space *space = hone_recording_space(row->recording);
    const size_t count = hone_recording_count(row->recording);
    const struct emit_config config = {.origin = row, .choices = choices};
    for (size_t i = 0; i < count; i++) {
        const struct hone_trial *trial = hone_recording_trial(row->recording, i);
        struct hone_value value = {0};
        if (trial->outcome != HONE_VALID) continue;
        if (q->plan->zero_steps + q->steps > STEPS_MOST) return false;
        hone_space_choices(space, trial->index, choices);
        hone_emit_query_config(q, &config);
        if (!hone_emit_evaluate(q, formula, &value) || value.type != HONE_INT ||
            value.i == 0)
            return false;
    }
    return true;
}

static bool is_zero_in_no_row(struct emit_query *q, const struct emit_formula *formula,
                              uint16_t *choices)
{
    const struct emit_plan *plan = q->plan;
    for (size_t r = 0; r < plan->row_count; r++)
        for (size_t m = 0; m < plan->rows[r].journals; m++)
            if (!is_zero_nowhere(q, &plan->rows[r].members[m], formula, choices))
                return false;
    return true;
}

static size_t count_trials(const struct emit_plan *plan)
{
    size_t trials = 0;
    for (size_t r = 0; r < plan->row_count; r++)
        for (size_t m = 0; m < plan->rows[r].journals; m++)
            trials += hone_recording_count(plan->rows[r].members[m].recording);
    return trials;
}

bool hone_emit_never_zero(struct emit_plan *plan, const char *text)
{
    static const struct hone_limits unknown;
    const struct hone_record_info *info = plan->info;
    if (count_trials(plan) > TRIALS_MOST || hone_emit_reads_outside(plan, text))
        return false;
    struct hone_value *problem = calloc(info->problem_count + 1, sizeof *problem);
    uint16_t *choices = calloc(info->param_count + 1, sizeof *choices);
    struct emit_formula formula = {0};
    struct emit_query q = {.plan = plan, .gpu = &unknown, .problem = problem};
    for (size_t i = 0; problem && i < info->problem_count; i++)
        problem[i] = info->problem[i].value;
    const bool never = problem && choices &&
                       hone_emit_formula_init(&formula, plan, text) &&
                       is_zero_in_no_row(&q, &formula, choices);
    plan->zero_steps += q.steps;
    hone_emit_query_fini(&q);
    hone_emit_formula_fini(&formula);
    free(choices);
    free(problem);
    return never;
}
