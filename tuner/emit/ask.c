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
