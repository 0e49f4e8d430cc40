// Tolerances: of a kernel's outputs, and of one of them.
#include "tolerance.h"

#include <stdio.h>

enum hone_status hone_tolerance_bind(struct hone_tolerance_formulas *formulas,
                                     struct hone_kernel *kernel,
                                     const struct hone_tolerance_def *def,
                                     const char *argument, struct hone_error *err)
{
    struct {
        struct hone_formula *formula;
        const char *what, *text;
    } const figures[] = {
        {&formulas->relative, "relative tolerance", def->relative},
        {&formulas->absolute, "absolute tolerance", def->absolute},
        {&formulas->scale, "scale of the tolerance", def->scale},
        {&formulas->mean, "mean tolerance", def->mean},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        struct hone_formula *formula = figures[i].formula;
        formula->what = argument
                            ? hone_arena_printf(&kernel->arena, "%s of argument '%s'",
                                                figures[i].what, argument)
                            : figures[i].what;
        if (!formula->what)
            return hone_no_memory(err, "for kernel '%s'", kernel->def.name);
        enum hone_status status =
            hone_formula_bind(formula, kernel, figures[i].text, def->line, err);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

void hone_tolerance_free(struct hone_tolerance_formulas *formulas)
{
    hone_expr_free(formulas->relative.expr);
    hone_expr_free(formulas->absolute.expr);
    hone_expr_free(formulas->scale.expr);
    hone_expr_free(formulas->mean.expr);
}

// None but zero: that one asks for equal bits, which the other tolerances say better.
static enum hone_status make_mean(const struct hone_maker *maker,
                                  const struct hone_formula *formula, double *out)
{
    enum hone_status status = hone_maker_number(maker, formula, 0, out);
    if (status != HONE_OK || !formula->expr || *out > 0) return status;
    const struct hone_value zero = {.type = HONE_INT};
    return hone_maker_refuse(maker, formula, zero, "above 0");
}

enum hone_status hone_tolerance_make(const struct hone_maker *maker,
                                     const struct hone_tolerance_formulas *formulas,
                                     struct hone_tolerance *out)
{
    double scale = 1;
    enum hone_status status =
        hone_maker_number(maker, &formulas->relative, 0, &out->relative);
    if (status == HONE_OK)
        status = hone_maker_number(maker, &formulas->absolute, 0, &out->absolute);
    if (status == HONE_OK) status = hone_maker_number(maker, &formulas->scale, 1, &scale);
    if (status == HONE_OK) status = make_mean(maker, &formulas->mean, &out->mean);
    out->relative *= scale;
    out->absolute *= scale;
    return status;
}

enum hone_status hone_tolerance_check(const struct hone_maker *maker,
                                      const struct hone_tolerance_formulas *formulas)
{
    const struct hone_formula *const numbers[] = {&formulas->relative,
                                                  &formulas->absolute, &formulas->scale};
    enum hone_status status = HONE_OK;
    double number;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == HONE_OK; i++)
        if (hone_formula_is_fixed(numbers[i]))
            status = hone_maker_number(maker, numbers[i], 0, &number);
    if (status == HONE_OK && hone_formula_is_fixed(&formulas->mean))
        status = make_mean(maker, &formulas->mean, &number);
    return status;
}
