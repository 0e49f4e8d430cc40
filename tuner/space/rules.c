// Constraints: each expression is split into the conjuncts of its top-level "and", each
// of which can be tested as soon as the parameters it depends on, directly or through
// derived values, have a value.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/suggest.h"
#include "space_internal.h"

void hone_rule_name(const struct hone_rule *rule, char out[HONE_RULE_NAME])
{
    const char *text = rule->info.text;
    const size_t longest = 120;
    bool cut = strlen(text) > longest;
    snprintf(out, HONE_RULE_NAME, "constraint '%.*s%s'", (int)longest, text,
             cut ? "..." : "");
}

// --- what a check depends on ---

struct closure {
    const struct hone_space *space;
    bool *seen; // slots
};

static void follow(struct closure *closure, size_t slot)
{
    size_t i;
    if (closure->seen[slot]) return;
    closure->seen[slot] = true;
    if (!hone_space_formula_of(closure->space, slot, &i)) return;
    const struct hone_expr *expr = closure->space->formulas[i].expr;
    for (size_t v = 0; v < hone_expr_var_count(expr); v++)
        follow(closure, hone_expr_slot(expr, v));
}

static bool list_scope(struct hone_space *space, struct hone_check *check,
                       const bool *seen)
{
    struct hone_arena *arena = &space->arena;
    check->scope = hone_arena_array(arena, space->param_count, sizeof *check->scope);
    check->needs = hone_arena_array(arena, space->formula_count, sizeof *check->needs);
    if (!check->scope || !check->needs) return false;
    check->tuples = 1;
    for (size_t p = 0; p < space->param_count; p++) {
        if (!seen[p]) continue;
        check->scope[check->scope_count++] = p;
        check->tuples *= (double)space->params[p].count;
    }
    for (size_t k = 0; k < space->formula_count; k++) {
        size_t i = space->formula_order[k];
        if (seen[space->formulas[i].slot] && !space->formulas[i].constant)
            check->needs[check->need_count++] = i;
    }
    return true;
}

static bool find_scope(struct hone_space *space, struct hone_check *check)
{
    struct closure closure = {.space = space,
                              .seen = calloc(space->name_count, sizeof *closure.seen)};
    if (!closure.seen) return false;
    for (size_t a = 0; a < check->arg_count; a++)
        follow(&closure, check->args[a]);
    for (size_t v = 0; check->expr && v < hone_expr_var_count(check->expr); v++)
        follow(&closure, hone_expr_slot(check->expr, v));
    bool ok = list_scope(space, check, closure.seen);
    free(closure.seen);
    return ok;
}

// --- checks ---

// Takes the expression, also when it fails.
static enum hone_status add_check(struct hone_space *space, struct hone_check check,
                                  struct hone_error *err)
{
    if (!HONE_GROW(&space->checks, &space->check_cap, space->check_count + 1, 16)) {
        hone_expr_free(check.expr);
        return hone_no_memory(err, "for a space");
    }
    struct hone_check *added = &space->checks[space->check_count++];
    *added = check;
    if (!find_scope(space, added)) return hone_no_memory(err, "for a space");
    added->memo = hone_arena_alloc(&space->arena, sizeof *added->memo);
    if (!added->memo) return hone_no_memory(err, "for a space");
    added->memo->strides =
        hone_arena_array(&space->arena, added->scope_count, sizeof *added->memo->strides);
    return added->memo->strides ? HONE_OK : hone_no_memory(err, "for a space");
}

static enum hone_status rules_split(struct hone_space *space, size_t rule,
                                    const struct hone_expr *whole, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < hone_expr_conjunct_count(whole) && status == HONE_OK; i++) {
        struct hone_check check = {.rule = rule};
        status = hone_expr_conjunct(&check.expr, whole, i, err);
        if (status == HONE_OK) status = add_check(space, check, err);
    }
    return status;
}

static enum hone_status add_expression(struct hone_space *space, size_t rule,
                                       struct hone_error *err)
{
    const struct hone_constraint_info *info = &space->rules[rule].info;
    char what[HONE_RULE_NAME];
    hone_rule_name(&space->rules[rule], what);
    struct hone_expr *whole = NULL;
    enum hone_status status =
        hone_space_parse(space, what, info->text, info->line, &whole, err);
    if (status != HONE_OK) return status;
    if (hone_expr_conjunct_count(whole) == 1)
        return add_check(space, (struct hone_check){.rule = rule, .expr = whole}, err);
    status = rules_split(space, rule, whole, err);
    hone_expr_free(whole);
    return status;
}

static enum hone_status find_slot(const struct hone_space *space, size_t rule,
                                  const char *name, size_t *slot, struct hone_error *err)
{
    for (size_t i = 0; i < space->name_count; i++) {
        if (strcmp(space->names[i], name) != 0) continue;
        *slot = i;
        return HONE_OK;
    }
    char what[HONE_RULE_NAME];
    hone_rule_name(&space->rules[rule], what);
    const char *near = hone_suggest(name, space->names, space->name_count);
    return hone_fail_at(err, HONE_EINPUT, space->source, space->rules[rule].info.line,
                        "%s: unknown variable '%s'%s%s%s", what, name,
                        near ? ", did you mean '" : "", near ? near : "",
                        near ? "'?" : "");
}

static enum hone_status add_predicate(struct hone_space *space, size_t rule,
                                      const struct hone_constraint *constraint,
                                      struct hone_error *err)
{
    struct hone_check check = {.rule = rule, .arg_count = constraint->var_count};
    check.args = hone_arena_array(&space->arena, check.arg_count, sizeof *check.args);
    if (!check.args) return hone_no_memory(err, "for a space");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < check.arg_count && status == HONE_OK; i++)
        status = find_slot(space, rule, constraint->vars[i], &check.args[i], err);
    return status != HONE_OK ? status : add_check(space, check, err);
}

static enum hone_status add_rule(struct hone_space *space, size_t rule,
                                 const struct hone_constraint *constraint,
                                 struct hone_error *err)
{
    const char *text = constraint->text ? constraint->text : "function";
    space->rules[rule] = (struct hone_rule){
        .info = {.text = hone_arena_strdup(&space->arena, text),
                 .line = constraint->line ? constraint->line : space->line},
        .first_check = space->check_count,
        .holds = constraint->holds,
        .context = constraint->context,
    };
    if (!space->rules[rule].info.text) return hone_no_memory(err, "for a space");
    enum hone_status status = constraint->holds
                                  ? add_predicate(space, rule, constraint, err)
                                  : add_expression(space, rule, err);
    space->rules[rule].check_count = space->check_count - space->rules[rule].first_check;
    return status;
}

enum hone_status hone_space_constrain(struct hone_space *space,
                                      const struct hone_space_def *def,
                                      struct hone_error *err)
{
    space->rule_count = def->constraint_count;
    space->rules =
        hone_arena_array(&space->arena, def->constraint_count, sizeof *space->rules);
    if (!space->rules) return hone_no_memory(err, "for a space");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < def->constraint_count && status == HONE_OK; i++)
        status = add_rule(space, i, &def->constraints[i], err);
    return status;
}
