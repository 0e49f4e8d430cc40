// Which configurations are allowed at a size to verify at: the space was made for the
// tuned problem, so constraints that read what another size has are looked at once more.
#include <stdlib.h>
#include <string.h>

#include "render_internal.h"

// Is the size drawn from more than the problem's own value?
static bool is_drawn(const struct hone_kernel_def *def, size_t constant)
{
    for (size_t i = 0; i < def->draw_count; i++) {
        const struct hone_draw_choice *choice = &def->draws[i].choices[constant];
        if (!choice->values || choice->count > 1 ||
            !hone_value_same(choice->values[0], def->space.constants[constant].value))
            return true;
    }
    return false;
}

// Or has it another value where verify names it?
static bool varies(const struct hone_kernel_def *def, size_t constant)
{
    for (size_t i = 0; i < def->verify_count; i++)
        if (!hone_value_same(def->verify[i].values[constant],
                             def->space.constants[constant].value))
            return true;
    return is_drawn(def, constant);
}

// Marks what such a size decides: its name, and derived values that read a marked one.
static bool *mark_names(struct hone_kernel *kernel,
                        bool (*decides)(const struct hone_kernel_def *, size_t))
{
    const struct hone_kernel_def *def = &kernel->def;
    bool *marks = hone_arena_array(&kernel->arena, kernel->name_count, sizeof *marks);
    for (size_t i = 0; marks && i < def->problem_count; i++)
        marks[kernel->first_constant + i] = decides(def, i);
    for (size_t i = 0; marks && i < def->space.derived_count; i++) {
        const size_t d = kernel->derived_order[i];
        const struct hone_expr *expr = kernel->derived[d].expr;
        for (size_t v = 0; v < hone_expr_var_count(expr); v++)
            if (marks[hone_expr_slot(expr, v)]) marks[def->space.param_count + d] = true;
    }
    return marks;
}

static bool reads_marked(const struct hone_expr *expr, const bool *marks)
{
    for (size_t v = 0; v < hone_expr_var_count(expr); v++)
        if (marks[hone_expr_slot(expr, v)]) return true;
    return false;
}

// A function of the script is called while the space is made and never again. The author
// answers for sizes that verify names, nobody for those that it draws.
static enum hone_status check_function(const struct hone_kernel *kernel,
                                       const struct hone_constraint *constraint,
                                       const bool *marks, struct hone_error *err)
{
    const char *const *names = hone_space_names(kernel->space);
    for (size_t v = 0; v < constraint->var_count; v++)
        for (size_t i = 0; i < kernel->name_count; i++)
            if (marks[i] && strcmp(names[i], constraint->vars[v]) == 0)
                return hone_fail_at(
                    err, HONE_EINPUT, kernel->def.source, constraint->line,
                    "a hone.fn reads '%s', which verify draws: write the constraint as "
                    "an expression",
                    names[i]);
    return HONE_OK;
}

static enum hone_status bind_constraint(struct hone_kernel *kernel,
                                        const struct hone_constraint *constraint,
                                        const bool *marks, const bool *drawn,
                                        struct hone_error *err)
{
    if (constraint->holds) return check_function(kernel, constraint, drawn, err);
    struct hone_formula *formula = &kernel->drawn[kernel->drawn_count];
    formula->what = "constraint";
    enum hone_status status =
        hone_formula_bind(formula, kernel, constraint->text, constraint->line, err);
    if (status == HONE_OK && reads_marked(formula->expr, marks)) {
        kernel->drawn_count++;
    } else {
        hone_expr_free(formula->expr);
        formula->expr = NULL;
    }
    return status;
}

enum hone_status hone_allows_bind(struct hone_kernel *kernel, struct hone_error *err)
{
    const struct hone_space_def *space = &kernel->def.space;
    if (!kernel->def.draw_count && !kernel->def.verify_count) return HONE_OK;
    const bool *marks = mark_names(kernel, varies), *drawn = mark_names(kernel, is_drawn);
    kernel->drawn =
        hone_arena_array(&kernel->arena, space->constraint_count, sizeof *kernel->drawn);
    if (!marks || !drawn || !kernel->drawn)
        return hone_no_memory(err, "for kernel '%s'", kernel->def.name);
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < space->constraint_count; i++)
        status = bind_constraint(kernel, &space->constraints[i], marks, drawn, err);
    return status;
}

// The values of all names for the configuration at problem. A derived value that fails
// there is no value that a constraint could hold for.
static bool fill_slots(const struct hone_kernel *kernel, uint64_t index,
                       const struct hone_problem *problem, struct hone_value *slots)
{
    const struct hone_kernel_def *def = &kernel->def;
    if (hone_space_slots(kernel->space, index, slots, NULL) != HONE_OK) return false;
    for (size_t i = 0; i < def->problem_count; i++)
        slots[kernel->first_constant + i] = problem->values[i];
    for (size_t i = 0; i < def->space.derived_count; i++) {
        const size_t d = kernel->derived_order[i];
        if (hone_formula_eval(kernel, &kernel->derived[d], slots,
                              &slots[def->space.param_count + d], NULL) != HONE_OK)
            return false;
    }
    return true;
}

enum hone_status hone_kernel_allows(const struct hone_kernel *kernel, uint64_t index,
                                    const struct hone_problem *problem, bool *allowed,
                                    struct hone_error *err)
{
    *allowed = true;
    if (!kernel->drawn_count) return HONE_OK;
    struct hone_value *slots = calloc(kernel->name_count, sizeof *slots), value;
    if (!slots) return hone_no_memory(err, "for kernel '%s'", kernel->def.name);
    *allowed = fill_slots(kernel, index, problem, slots);
    for (size_t i = 0; *allowed && i < kernel->drawn_count; i++)
        *allowed = hone_formula_eval(kernel, &kernel->drawn[i], slots, &value, NULL) ==
                       HONE_OK &&
                   hone_value_true(value);
    free(slots);
    return HONE_OK;
}
