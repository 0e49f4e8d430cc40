// Derived values: parsed, bound to the slots, ordered so that each comes after those it
// uses. Those that use no parameter are evaluated here, once and for all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/bind.h"
#include "space_internal.h"

enum hone_status hone_space_parse(const struct hone_space *space, const char *what,
                                  const char *text, int line, struct hone_expr **out,
                                  struct hone_error *err)
{
    struct hone_error inner = {0};
    struct hone_expr *expr = NULL;
    enum hone_status status = hone_expr_new(&expr, text, &inner);
    if (status == HONE_OK) status = hone_expr_bind_index(expr, &space->index, &inner);
    if (status == HONE_OK) {
        *out = expr;
        return HONE_OK;
    }
    hone_expr_free(expr);
    return hone_fail_at(err, status, space->source, line ? line : space->line, "%s: %s",
                        what, inner.text);
}

bool hone_space_formula_of(const struct hone_space *space, size_t slot, size_t *formula)
{
    *formula = slot - space->param_count;
    return slot >= space->param_count && *formula < space->formula_count;
}

static enum hone_status parse_formula(struct hone_space *space, size_t i,
                                      const struct hone_derived *derived,
                                      struct hone_error *err)
{
    struct hone_space_formula *formula = &space->formulas[i];
    *formula = (struct hone_space_formula){
        .text = hone_arena_strdup(&space->arena, derived->text),
        .line = derived->line ? derived->line : space->line,
        .slot = space->param_count + i,
    };
    if (!formula->text) return hone_no_memory(err, "for a space");
    char what[96];
    snprintf(what, sizeof what, "derived value '%.60s'", derived->name);
    return hone_space_parse(space, what, formula->text, formula->line, &formula->expr,
                            err);
}

// --- order ---

// Derived values that each use the next one are visited one inside the other, and so they
// are where their uses are followed: 2 MB of stack.
enum { DEPTH_MAX = 10000 };

enum mark { UNSEEN, ON_PATH, DONE };

struct ordering {
    struct hone_space *space;
    unsigned char *marks; // of the formulas
    size_t *path;         // formulas being visited, each used by the one before
    size_t depth;
    size_t done; // formulas in formula_order
};

static enum hone_status fail_cycle(const struct ordering *o, size_t again,
                                   struct hone_error *err)
{
    const struct hone_space *space = o->space;
    const char *const *names = space->names + space->param_count;
    char cycle[256];
    size_t used = 0, first = o->depth;
    while (o->path[first - 1] != again)
        first--;
    for (size_t i = first - 1; i < o->depth && used < sizeof cycle; i++)
        used += (size_t)snprintf(cycle + used, sizeof cycle - used, "%s -> ",
                                 names[o->path[i]]);
    return hone_fail_at(err, HONE_EINPUT, space->source, space->formulas[again].line,
                        "derived value '%s' depends on itself: %s%s", names[again], cycle,
                        names[again]);
}

static enum hone_status fail_depth(const struct hone_space *space, size_t i,
                                   struct hone_error *err)
{
    return hone_fail_at(err, HONE_EINPUT, space->source, space->formulas[i].line,
                        "derived value '%s' ends a chain of more than %d derived values "
                        "that each use the next: write some of them out",
                        space->names[space->param_count + i], (int)DEPTH_MAX);
}

static enum hone_status visit(struct ordering *o, size_t i, struct hone_error *err)
{
    struct hone_space *space = o->space;
    struct hone_space_formula *formula = &space->formulas[i];
    if (o->marks[i] == DONE) return HONE_OK;
    if (o->marks[i] == ON_PATH) return fail_cycle(o, i, err);
    if (o->depth == DEPTH_MAX) return fail_depth(space, i, err);
    o->marks[i] = ON_PATH;
    o->path[o->depth++] = i;
    formula->constant = true;
    for (size_t v = 0; v < hone_expr_var_count(formula->expr); v++) {
        size_t slot = hone_expr_slot(formula->expr, v), used;
        if (slot < space->param_count) formula->constant = false;
        if (!hone_space_formula_of(space, slot, &used)) continue;
        enum hone_status status = visit(o, used, err);
        if (status != HONE_OK) return status;
        if (!space->formulas[used].constant) formula->constant = false;
    }
    o->depth--;
    o->marks[i] = DONE;
    space->formula_order[o->done++] = i;
    return HONE_OK;
}

static enum hone_status order_formulas(struct hone_space *space, struct hone_error *err)
{
    size_t n = space->formula_count;
    struct ordering o = {.space = space,
                         .marks = calloc(n + 1, sizeof *o.marks),
                         .path = calloc(n + 1, sizeof *o.path)};
    space->formula_order =
        hone_arena_array(&space->arena, n, sizeof *space->formula_order);
    enum hone_status status = HONE_OK;
    if (!o.marks || !o.path || !space->formula_order)
        status = hone_no_memory(err, "for a space");
    for (size_t i = 0; i < n && status == HONE_OK; i++)
        status = visit(&o, i, err);
    free(o.marks);
    free(o.path);
    return status;
}

// --- values ---

enum hone_status hone_space_evaluate(const struct hone_space *space, size_t i,
                                     struct hone_value *slots, unsigned *notes,
                                     struct hone_error *err)
{
    const struct hone_space_formula *formula = &space->formulas[i];
    struct hone_value *out = &slots[formula->slot];
    enum hone_status status = hone_expr_eval(formula->expr, slots, out, notes, NULL);
    if (status == HONE_OK || !err) return status;
    struct hone_error inner = {0}; // once more, for its text
    hone_expr_eval(formula->expr, slots, out, NULL, &inner);
    return hone_fail_at(err, status, space->source, formula->line,
                        "derived value '%s': %s", space->names[formula->slot],
                        inner.text);
}

enum hone_status hone_space_derive(struct hone_space *space,
                                   const struct hone_space_def *def,
                                   struct hone_error *err)
{
    size_t n = def->derived_count;
    space->formulas = hone_arena_array(&space->arena, n, sizeof *space->formulas);
    if (!space->formulas) return hone_no_memory(err, "for a space");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < n && status == HONE_OK; i++)
        status = parse_formula(space, i, &def->derived[i], err);
    if (status == HONE_OK) status = order_formulas(space, err);
    for (size_t i = 0; i < n && status == HONE_OK; i++) {
        size_t formula = space->formula_order[i];
        if (space->formulas[formula].constant)
            status = hone_space_evaluate(space, formula, space->slots, NULL, err);
    }
    return status;
}
