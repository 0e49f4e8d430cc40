// The kernel's arguments for people: ahead of the functions of the launch, in the order
// of its parameters, with what buffers hold and what scalars follow from.
#include <stdlib.h>
#include <string.h>

#include "base/sink.h"
#include "c_names.h"
#include "emit_launch.h"
#include "emit_sections.h"
#include "launcher.h"

// A derived value whose type is not known may be anything.
static enum hone_type type_of_derived(const struct emit_plan *plan, size_t i)
{
    const bool ready = hone_emit_derive(plan->printer, i) == HONE_OK;
    const struct emit_c_value *value = &plan->printer->values[i];
    return ready && value->text ? value->type : HONE_STRING;
}

// What is known of a name where nothing is computed: choices that are fixed.
static struct hone_expr_c_var signature_var(const struct emit_plan *plan,
                                            struct emit_name name, const char *text)
{
    struct hone_expr_c_var var = {.type = HONE_INT, .text = text};
    if (name.kind == EMIT_PARAM) var.type = plan->params[name.number].type;
    if (name.kind == EMIT_CONSTANT) var.type = plan->problem[name.number].type;
    if (name.kind == EMIT_CONSTANT && plan->problem[name.number].fixed)
        var.value = &plan->info->problem[name.number].value;
    if (name.kind == EMIT_DERIVED)
        var.type = type_of_derived(plan, name.number), var.guard = "";
    return var;
}

// An expression as it is with the choices that are fixed.
static void add_expression(struct hone_strbuf *out, const struct emit_plan *plan,
                           const char *text)
{
    struct emit_formula formula;
    struct hone_c_form *form = NULL;
    const bool ready = hone_emit_formula_init(&formula, plan, text) && formula.expr;
    const size_t count = ready ? hone_expr_var_count(formula.expr) : 0;
    struct hone_expr_c_var *vars = calloc(count + 1, sizeof *vars);
    for (size_t i = 0; vars && i < count; i++)
        vars[i] = signature_var(plan, formula.names[i], hone_expr_var(formula.expr, i));
    if (!ready || !vars || hone_c_form_new(&form, formula.expr, vars, NULL) != HONE_OK ||
        !hone_c_form_tell(form, out))
        hone_strbuf_add(out, text); // the script's words
    hone_c_form_free(form);
    free(vars);
    hone_emit_formula_fini(&formula);
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

// What the kernel gets of an argument, behind its type.
static const char *form_of(const struct hone_record_arg *arg)
{
    return arg->map ? " tensor map" : arg->pointers ? " pointers" : "";
}

// "A[M * K]"; "lda = K", where that follows from the problem and is no size of its name.
static void add_extent(struct hone_strbuf *out, const struct emit_plan *plan,
                       const struct hone_record_arg *arg)
{
    const bool is_scalar = is_same_text(arg->kind, "scalar");
    struct hone_strbuf text = HONE_STRBUF_INIT;
    if (is_scalar && !hone_emit_is_computed(plan, arg)) return;
    add_expression(&text, plan, arg->size);
    if (!text.failed && !(is_scalar && is_same_text(text.data, arg->name)))
        hone_strbuf_printf(out, is_scalar ? " = %s" : "[%s]", text.data);
    if (is_same_text(arg->fill, "zero")) hone_strbuf_add(out, " (0 before each launch)");
    out->failed |= text.failed;
    hone_strbuf_fini(&text);
}

// "input f32 A[M]"; behind one of the same kind "i32 B[N]", of the same type too "B[N]".
static void add_argument(struct hone_strbuf *list, const struct emit_plan *plan,
                         const struct hone_record_arg *arg,
                         const struct hone_record_arg *before)
{
    hone_strbuf_add(list, before ? ", " : "");
    const bool is_kind = before && is_same_text(before->kind, arg->kind);
    if (!is_kind) hone_strbuf_printf(list, "%s ", arg->kind);
    if (!is_kind || !is_same_text(before->dtype, arg->dtype) ||
        !is_same_text(form_of(before), form_of(arg)))
        hone_strbuf_printf(list, "%s%s ", arg->dtype ? arg->dtype : "untyped",
                           form_of(arg));
    hone_strbuf_add(list, arg->name);
    if (arg->kind && arg->size) add_extent(list, plan, arg);
}

void hone_emit_signature(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct hone_strbuf list = HONE_STRBUF_INIT;
    const struct hone_record_arg *before = NULL;
    for (size_t i = 0; i < plan->info->arg_count; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        if (hone_emit_is_symbol(arg)) continue;
        add_argument(&list, plan, arg, before);
        before = arg;
    }
    if (list.len && plan->info->entry) {
        hone_strbuf_add(out, "/* The kernel, by its arguments and their elements: ");
        hone_sink_comment(out, plan->info->entry);
        hone_strbuf_add(out, "(");
        hone_sink_comment(out, list.data);
        hone_strbuf_add(out, "). */\n");
    }
    out->failed |= list.failed;
    hone_strbuf_fini(&list);
}
