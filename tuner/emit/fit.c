// What has to hold for a configuration to run, as the C of where it does not: a
// constraint that is false, an argument whose type does not hold its value.
#include <inttypes.h>
#include <string.h>

#include "base/ascii.h"
#include "emit_launch.h"
#include "emit_text.h"

#include "c_expr.h"

static bool is_name(const char *text)
{
    for (; *text; text++)
        if (!hone_is_alnum(*text) && *text != '_') return false;
    return true;
}

// "M < 1 || M > 65535", "M < 1 || M != (int)M": where a text of these values is out of
// bounds.
static void add_bounds(struct hone_strbuf *out, const char *text,
                       const struct emit_fit *fit)
{
    const bool is_int = fit->low >= INT32_MIN && fit->high == INT32_MAX;
    const bool asks_low = fit->known.low < fit->low;
    const bool asks_high = fit->known.high > fit->high;
    if (is_int && asks_low && asks_high && is_name(text)) {
        if (fit->low > INT32_MIN)
            hone_strbuf_printf(out, "%s < %" PRId64 " || ", text, fit->low);
        hone_strbuf_printf(out, "%s != (int)%s", text, text);
        return;
    }
    hone_strbuf_printf(out, asks_low ? "%s < " : "", text);
    if (asks_low) hone_emit_integer(out, fit->low);
    hone_strbuf_add(out, asks_low && asks_high ? " || " : "");
    hone_strbuf_printf(out, asks_high ? "%s > " : "", text);
    if (asks_high) hone_emit_integer(out, fit->high);
}

// A remainder is 0 for C where it is for the language, whatever the sign.
static void add_unit(struct hone_strbuf *out, const char *text, bool is_compound,
                     const struct emit_fit *fit)
{
    if (fit->unit < 2) return;
    const bool goes_on = fit->known.low < fit->low || fit->known.high > fit->high;
    hone_strbuf_printf(out, is_compound ? "%s(%s) %% " : "%s%s %% ",
                       goes_on ? " || " : "", text);
    hone_emit_integer(out, fit->unit);
    hone_strbuf_add(out, " != 0");
}

// A float is one that is whole. Sums and products need no brackets in a comparison.
static void add_integer(struct hone_strbuf *out, const struct emit_fit *fit,
                        const char *value, enum hone_type type)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const bool is_whole = type != HONE_FLOAT;
    // A text of ints is a sum with 0, as compilers warn of bounds that no int reaches.
    const bool is_wide = (fit->known.low < fit->low && fit->low < INT32_MIN) ||
                         (fit->known.high > fit->high && fit->high > INT32_MAX);
    const bool is_loose = strpbrk(value, "?<>=&|^") != NULL;
    const bool is_compound = is_whole && !is_wide && !is_loose && !is_name(value);
    hone_strbuf_printf(&text,
                       !is_whole        ? "hone2_to_int(%s)"
                       : is_name(value) ? "%s"
                       : is_wide        ? "hone2_add(%s, 0)"
                       : is_loose       ? "(%s)"
                                        : "%s",
                       value);
    if (!is_whole) hone_strbuf_printf(out, "hone2_cmp_fi(%s, %s) != 0", value, text.data);
    if (!is_whole && (fit->low > INT64_MIN || fit->high < INT64_MAX))
        hone_strbuf_add(out, " || ");
    if (!text.failed) {
        add_bounds(out, text.data, fit);
        add_unit(out, text.data, is_compound, fit);
    }
    out->failed |= text.failed;
    hone_strbuf_fini(&text);
}

// A number is true, whatever it is: only what may be false is of interest. What ranges
// prove is no question.
static void add_failures(struct hone_strbuf *out, const struct emit_fit *fit,
                         const char *value, enum hone_type type,
                         const struct hone_c_summary *known)
{
    if (fit->of == EMIT_FIT_TRUTH && known->is_known)
        hone_strbuf_add(out, hone_value_true(known->value) ? "" : "1");
    else if (fit->of == EMIT_FIT_TRUTH)
        hone_strbuf_add(out, type == HONE_BOOL ? value : "");
    else if (fit->of == EMIT_FIT_INTEGER && type <= HONE_FLOAT)
        add_integer(out, fit, value, type);
}

// A number has its guard alone printed.
static enum hone_status take_needs(struct emit_plan *plan, struct emit_fit *fit,
                                   const struct emit_need *needs)
{
    if (fit->of != EMIT_FIT_NUMBER) fit->needs = needs;
    for (; needs && fit->of == EMIT_FIT_NUMBER; needs = needs->next) {
        struct emit_need *need = hone_arena_alloc(&plan->arena, sizeof *need);
        if (!need) return hone_emit_no_memory(plan);
        *need = (struct emit_need){needs->derived, true, fit->needs};
        fit->needs = need;
    }
    return HONE_OK;
}

static enum hone_status keep_fit(struct emit_plan *plan, struct emit_fit *fit,
                                 const struct emit_scope *scope,
                                 const struct hone_strbuf *fails)
{
    const enum hone_status status = take_needs(plan, fit, scope->needs);
    if (status != HONE_OK) return status;
    fit->reads_problem = scope->reads_problem;
    fit->reads_config = scope->reads_config;
    fit->reads_gpu = scope->limits;
    fit->fails = fails->failed
                     ? NULL
                     : hone_arena_strdup(&plan->arena, fails->len ? fails->data : "0");
    return fit->fails ? HONE_OK : hone_emit_no_memory(plan);
}

// What has no C form is no error here, so it is printed with an error of its own.
enum hone_status hone_emit_print_fit(struct emit_plan *plan, struct emit_fit *fit)
{
    struct hone_strbuf value = HONE_STRBUF_INIT, guard = HONE_STRBUF_INIT;
    struct hone_strbuf fails = HONE_STRBUF_INIT, rest = HONE_STRBUF_INIT;
    struct hone_error own = {0}, *err = plan->err;
    struct emit_scope scope = {.plan = plan,
                               .what =
                                   fit->of == EMIT_FIT_TRUTH ? "constraint" : "argument",
                               .of_gpu = true,
                               .denies = fit->of == EMIT_FIT_TRUTH};
    enum hone_type type = HONE_BOOL;
    plan->err = &own;
    enum hone_status status =
        hone_emit_print_expr(plan->printer, &scope, &value, &guard, fit->text, &type);
    plan->err = err;
    if (status == HONE_OK && (value.failed || guard.failed)) status = HONE_ENOMEM;
    if (status == HONE_OK) {
        add_failures(&rest, fit, value.data, type, &plan->printer->summary);
        if (guard.len) hone_strbuf_printf(&fails, "!(%s)", guard.data);
        if (rest.len)
            hone_strbuf_printf(&fails, "%s%s", fails.len ? " || " : "", rest.data);
        fails.failed |= rest.failed;
        status = keep_fit(plan, fit, &scope, &fails);
    }
    hone_strbuf_fini(&rest);
    hone_strbuf_fini(&fails);
    hone_strbuf_fini(&guard);
    hone_strbuf_fini(&value);
    return status == HONE_ENOMEM ? hone_emit_no_memory(plan) : HONE_OK;
}

void hone_emit_add_fit(struct emit_plan *plan, const struct emit_fit *fit)
{
    if (fit->fails && strcmp(fit->fails, "0") == 0) return;
    for (size_t i = 0; i < plan->fit_count && fit->fails; i++)
        if (plan->fits[i].fails && strcmp(plan->fits[i].fails, fit->fails) == 0) return;
    plan->fits[plan->fit_count++] = *fit;
}
