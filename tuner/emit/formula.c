#include "formula.h"

#include <assert.h>
#include <stdlib.h>

#include "emit_plan.h"

struct emit_name hone_emit_find_name(const struct emit_plan *plan, const char *name)
{
    const struct hone_record_info *info = plan->info;
    size_t number = hone_name_index_find(&plan->names, name);
    if (number == SIZE_MAX) return (struct emit_name){.kind = EMIT_OTHER};
    if (number < info->param_count)
        return (struct emit_name){.kind = EMIT_PARAM, .number = number};
    number -= info->param_count;
    if (number < info->problem_count)
        return (struct emit_name){.kind = EMIT_CONSTANT, .number = number};
    return (struct emit_name){.kind = EMIT_DERIVED,
                              .number = number - info->problem_count};
}

enum hone_status hone_emit_index_names(struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    bool added = true;
    for (size_t i = 0; i < info->param_count && added; i++)
        added = hone_name_index_add(&plan->names, info->params[i].name);
    for (size_t i = 0; i < info->problem_count && added; i++)
        added = hone_name_index_add(&plan->names, info->problem[i].name);
    for (size_t i = 0; i < info->derived_count && added; i++)
        added = hone_name_index_add(&plan->names, info->derived[i].name);
    return added ? HONE_OK : hone_emit_no_memory(plan);
}

bool hone_emit_formula_init(struct emit_formula *formula, const struct emit_plan *plan,
                            const char *text)
{
    *formula = (struct emit_formula){0};
    const enum hone_status status =
        text ? hone_expr_new(&formula->expr, text, NULL) : HONE_EINPUT;
    if (status != HONE_OK) return status != HONE_ENOMEM;
    const size_t count = hone_expr_var_count(formula->expr);
    formula->names = calloc(count + 1, sizeof *formula->names);
    for (size_t i = 0; formula->names && i < count; i++)
        formula->names[i] = hone_emit_find_name(plan, hone_expr_var(formula->expr, i));
    return formula->names != NULL;
}

void hone_emit_formula_fini(struct emit_formula *formula)
{
    hone_expr_free(formula->expr);
    free(formula->names);
    *formula = (struct emit_formula){0};
}

/* --- walks --- */

enum { UNSEEN, OPEN, DONE };

bool hone_emit_walk_init(struct emit_walk *walk, const struct emit_plan *plan)
{
    const size_t room = plan->info->derived_count + 1;
    *walk = (struct emit_walk){.plan = plan};
    walk->marks = calloc(room, sizeof *walk->marks);
    walk->stack = calloc(room, sizeof *walk->stack);
    walk->done = calloc(room, sizeof *walk->done);
    return walk->marks && walk->stack && walk->done;
}

void hone_emit_walk_fini(struct emit_walk *walk)
{
    free(walk->marks);
    free(walk->stack);
    free(walk->done);
    *walk = (struct emit_walk){0};
}

void hone_emit_walk_again(struct emit_walk *walk)
{
    while (walk->done_count)
        walk->marks[walk->done[--walk->done_count]] = UNSEEN;
}

// The next derived value that the one of the step reads and that was not visited.
static size_t next_unseen(const struct emit_walk *walk, struct emit_step *step)
{
    const struct emit_formula *formula = &walk->plan->derived[step->derived].formula;
    const size_t count = formula->expr ? hone_expr_var_count(formula->expr) : 0;
    while (step->next < count) {
        const struct emit_name name = formula->names[step->next++];
        if (name.kind == EMIT_DERIVED && walk->marks[name.number] == UNSEEN)
            return name.number;
    }
    return SIZE_MAX;
}

enum hone_status hone_emit_walk(struct emit_walk *walk, size_t i, emit_visit *visit,
                                void *context)
{
    assert(i < walk->plan->info->derived_count);
    enum hone_status status = HONE_OK;
    size_t depth = 0;
    if (walk->marks[i] != UNSEEN) return HONE_OK;
    walk->stack[depth++].derived = i;
    while (depth) {
        struct emit_step *step = &walk->stack[depth - 1];
        if (walk->marks[step->derived] == UNSEEN) step->next = 0;
        walk->marks[step->derived] = OPEN;
        const size_t unseen = next_unseen(walk, step);
        if (unseen != SIZE_MAX) {
            walk->stack[depth++].derived = unseen;
            continue;
        }
        status = visit(context, step->derived);
        if (status != HONE_OK) break;
        walk->marks[step->derived] = DONE;
        walk->done[walk->done_count++] = step->derived;
        depth--;
    }
    while (depth)
        walk->marks[walk->stack[--depth].derived] = UNSEEN;
    return status;
}

/* --- the derived values --- */

static bool is_outside(const struct emit_plan *plan, struct emit_name name)
{
    switch (name.kind) {
    case EMIT_PARAM:
        return false;
    case EMIT_CONSTANT:
        return !plan->problem[name.number].fixed;
    case EMIT_DERIVED:
        return plan->derived[name.number].is_outside;
    case EMIT_OTHER:
        return true;
    }
    return true;
}

static bool reads_outside(const struct emit_plan *plan,
                          const struct emit_formula *formula)
{
    if (!formula->expr) return true;
    for (size_t i = 0; i < hone_expr_var_count(formula->expr); i++)
        if (is_outside(plan, formula->names[i])) return true;
    return false;
}

bool hone_emit_is_outside(const struct emit_plan *plan, const char *name)
{
    return is_outside(plan, hone_emit_find_name(plan, name));
}

bool hone_emit_reads_outside(const struct emit_plan *plan, const char *text)
{
    struct emit_formula formula;
    const bool outside =
        !hone_emit_formula_init(&formula, plan, text) || reads_outside(plan, &formula);
    hone_emit_formula_fini(&formula);
    return outside;
}

// What reads itself is visited before it is sound.
static enum hone_status judge(void *context, size_t i)
{
    const struct emit_plan *plan = context;
    struct emit_derived *derived = &plan->derived[i];
    const struct emit_formula *formula = &derived->formula;
    derived->is_sound = formula->expr != NULL;
    derived->is_outside = reads_outside(plan, formula);
    for (size_t v = 0; derived->is_sound && v < hone_expr_var_count(formula->expr); v++)
        if (formula->names[v].kind == EMIT_DERIVED &&
            !plan->derived[formula->names[v].number].is_sound)
            derived->is_sound = false;
    return HONE_OK;
}

enum hone_status hone_emit_make_derived(struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    struct emit_walk walk = {0};
    plan->derived = calloc(info->derived_count + 1, sizeof *plan->derived);
    bool ok = plan->derived;
    for (size_t i = 0; ok && i < info->derived_count; i++) {
        plan->derived[i].is_outside = true;
        ok = hone_emit_formula_init(&plan->derived[i].formula, plan,
                                    info->derived[i].text);
    }
    ok = ok && hone_emit_walk_init(&walk, plan);
    for (size_t i = 0; ok && i < info->derived_count; i++)
        ok = hone_emit_walk(&walk, i, judge, plan) == HONE_OK;
    hone_emit_walk_fini(&walk);
    return ok ? HONE_OK : hone_emit_no_memory(plan);
}

void hone_emit_derived_fini(struct emit_plan *plan)
{
    for (size_t i = 0; plan->derived && i < plan->info->derived_count; i++)
        hone_emit_formula_fini(&plan->derived[i].formula);
    free(plan->derived);
    plan->derived = NULL;
    hone_name_index_fini(&plan->names);
}
