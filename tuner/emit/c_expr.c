// Expressions as C over config, the problem and the derived values that they need: local
// constants of each function that reads them, each after those that it reads itself. What
// is read of the device becomes a field of the configuration, so that each row carries
// the numbers of its own device.
#include "c_expr.h"

#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "c_names.h"
#include "emit_launch.h"
#include "emit_text.h"

// Name of the constant that tells whether a derived value has one: known_SMEM, with
// underscores until nothing else of the journal is called so. NULL: no memory.
static const char *flag_of(struct emit_plan *plan, size_t i)
{
    const char *flag =
        hone_arena_printf(&plan->arena, "known_%s", plan->info->derived[i].name);
    while (flag && hone_emit_find_name(plan, flag).kind != EMIT_OTHER)
        flag = hone_arena_printf(&plan->arena, "%s_", flag);
    return flag;
}

enum hone_status hone_emit_blame(const struct emit_scope *scope, const char *text,
                                 enum hone_status status, const struct hone_error *own)
{
    if (status == HONE_ENOMEM) return hone_emit_no_memory(scope->plan);
    return hone_fail_at(scope->plan->err, HONE_EINPUT, hone_emit_journal(scope->plan), 1,
                        "%s '%s': %s", scope->what, text, own->text);
}

static bool is_never_zero(void *plan, const char *text)
{
    return hone_emit_never_zero(plan, text);
}

// A name may be left out of the text, too: 'N and 4' is 4.
static enum hone_status print_form(struct emit_printer *printer,
                                   const struct emit_naming *naming,
                                   struct hone_c_form *form, struct hone_strbuf *out,
                                   struct hone_strbuf *guard, enum hone_type *type,
                                   struct hone_error *own)
{
    const struct hone_c_known known = {is_never_zero, printer->plan};
    enum hone_status status = hone_c_form_print(form, out, type, &printer->range, own);
    for (size_t i = 0; i < naming->count; i++)
        naming->is_in_text[i] = naming->is_printed[i];
    if (status == HONE_OK && guard)
        status = hone_c_form_print_guard(form, &known, guard, own);
    return status;
}

// Names are looked up; what is known of them is folded in; those that are left have to be
// known; the text is printed; what it reads is noted.
static enum hone_status print_parsed(struct emit_printer *printer,
                                     struct emit_scope *scope, struct hone_strbuf *out,
                                     struct hone_strbuf *guard,
                                     const struct hone_expr *expr, enum hone_type *type)
{
    struct emit_naming naming;
    struct hone_c_form *form = NULL;
    struct hone_error own = {0};
    enum hone_status status = hone_emit_name_all(printer, scope, &naming, expr);
    if (status != HONE_OK) return status;
    if (hone_c_form_new(&form, expr, naming.vars, NULL) != HONE_OK)
        return hone_emit_no_memory(printer->plan);
    printer->summary = *hone_c_form_summary(form);
    if (scope->denies) hone_c_form_deny(form);
    status = hone_emit_check_names(printer, scope, &naming, form);
    if (status == HONE_OK) {
        status = print_form(printer, &naming, form, out, guard, type, &own);
        if (status != HONE_OK)
            status = hone_emit_blame(scope, hone_expr_text(expr), status, &own);
    }
    if (status == HONE_OK) status = hone_emit_note_names(printer, scope, &naming);
    hone_c_form_free(form);
    return status;
}

enum hone_status hone_emit_print_expr(struct emit_printer *printer,
                                      struct emit_scope *scope, struct hone_strbuf *out,
                                      struct hone_strbuf *guard, const char *text,
                                      enum hone_type *type)
{
    struct emit_plan *plan = printer->plan;
    struct hone_expr *expr = NULL;
    struct hone_error own = {0};
    if (!text)
        return hone_fail_at(plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
                            "%s has no expression in the journal", scope->what);
    enum hone_status status = hone_expr_new(&expr, text, &own);
    if (status != HONE_OK) return hone_emit_blame(scope, text, status, &own);
    status = print_parsed(printer, scope, out, guard, expr, type);
    hone_expr_free(expr);
    return status;
}

void hone_emit_print_unused(struct hone_strbuf *out, const struct emit_scope *scope)
{
    const struct emit_plan *plan = scope->plan;
    const char *before = "    ";
    if (!scope->reads_config) {
        hone_strbuf_add(out, "    (void)config");
        before = ", ";
    }
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (scope->reads_problem >> i & 1 || plan->problem[i].fixed) continue;
        hone_strbuf_printf(out, "%s(void)%s", before, plan->problem[i].name);
        before = ", ";
    }
    hone_strbuf_add(out, *before == ',' ? ";\n" : "");
}

/* --- the derived values --- */

// Those that the expressions of one header mention, needed or not: each function that
// reads all of them has all as constants.
enum { DERIVED_MOST = 4096, BYTES_MOST = 64 << 20 };

static enum hone_status check_room(const struct emit_printer *printer, const char *name)
{
    const struct emit_plan *plan = printer->plan;
    if (printer->walk.done_count < DERIVED_MOST && printer->bytes <= BYTES_MOST)
        return HONE_OK;
    return hone_fail_at(plan->err, HONE_ELIMIT, hone_emit_journal(plan), 1,
                        "derived value '%s' is one too many: expressions of a header "
                        "mention at most %d of them, in at most %d MiB; write some of "
                        "them out",
                        name, (int)DERIVED_MOST, BYTES_MOST >> 20);
}

static enum hone_status keep_value(struct emit_printer *printer, size_t i,
                                   const struct hone_strbuf *text,
                                   const struct hone_strbuf *guard)
{
    struct emit_plan *plan = printer->plan;
    struct emit_c_value *value = &printer->values[i];
    value->range = printer->range;
    value->range.narrow = false; // the constant is a long long
    value->name = hone_emit_local_name(plan, plan->info->derived[i].name);
    value->text = hone_arena_strdup(&plan->arena, text->data);
    value->flag = guard->len ? flag_of(plan, i) : NULL;
    value->is_known =
        value->type == HONE_INT && !guard->len && value->range.low == value->range.high;
    value->known = (struct hone_value){.type = HONE_INT, .i = value->range.low};
    value->guard = guard->len ? hone_arena_strdup(&plan->arena, guard->data) : NULL;
    printer->bytes += text->len + guard->len;
    const bool kept = value->name && value->text &&
                      (!guard->len || (value->flag && value->guard)) && !text->failed &&
                      !guard->failed;
    return kept ? HONE_OK : hone_emit_no_memory(plan);
}

static enum hone_status keep_failure(struct emit_plan *plan, struct emit_c_value *value,
                                     enum hone_status status,
                                     const struct hone_error *own)
{
    struct hone_error *failure = hone_arena_alloc(&plan->arena, sizeof *failure);
    value->text = NULL;
    value->failure = failure;
    if (!failure || status == HONE_ENOMEM) return hone_emit_no_memory(plan);
    *failure = *own;
    return HONE_OK;
}

// What has no C form may be of no consequence: its failure is kept for those that need
// it.
static enum hone_status print_derived(void *context, size_t i)
{
    struct emit_printer *printer = context;
    struct emit_plan *plan = printer->plan;
    struct emit_c_value *value = &printer->values[i];
    const struct hone_derived *derived = &plan->info->derived[i];
    struct hone_strbuf text = HONE_STRBUF_INIT, guard = HONE_STRBUF_INIT;
    struct hone_error *const outer = plan->err, own = {0};
    value->scope =
        (struct emit_scope){.plan = plan, .what = derived->name, .of_derived = true};
    value->summary.type = HONE_STRING;
    if (!plan->derived[i].is_sound) return HONE_OK;
    plan->err = &own;
    enum hone_status status = hone_emit_print_expr(printer, &value->scope, &text, &guard,
                                                   derived->text, &value->type);
    value->summary = printer->summary;
    if (status == HONE_OK) status = check_room(printer, derived->name);
    if (status == HONE_OK) status = keep_value(printer, i, &text, &guard);
    plan->err = outer;
    hone_strbuf_fini(&guard);
    hone_strbuf_fini(&text);
    return status == HONE_OK ? HONE_OK : keep_failure(plan, value, status, &own);
}

// The derived value that i reads and that is not sound; SIZE_MAX: there is none.
static size_t next_unsound(const struct emit_plan *plan, size_t i)
{
    const struct emit_formula *formula = &plan->derived[i].formula;
    const size_t count = formula->expr ? hone_expr_var_count(formula->expr) : 0;
    for (size_t v = 0; v < count; v++)
        if (formula->names[v].kind == EMIT_DERIVED &&
            !plan->derived[formula->names[v].number].is_sound)
            return formula->names[v].number;
    return SIZE_MAX;
}

// Following what is not sound leads to one that cannot be read, or round for ever: after
// so many steps as there are, only what reads itself is left.
static enum hone_status blame_unsound(struct emit_printer *printer, size_t i)
{
    const struct emit_plan *plan = printer->plan;
    const struct hone_derived *list = plan->info->derived;
    size_t at = i;
    for (size_t n = 0; n < plan->info->derived_count && at != SIZE_MAX; n++) {
        i = at;
        at = next_unsound(plan, i);
    }
    if (at != SIZE_MAX)
        return hone_fail_at(plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
                            "derived value '%s' depends on itself", list[at].name);
    const struct emit_scope scope = {.plan = printer->plan, .what = list[i].name};
    struct hone_error own = {0};
    struct hone_expr *expr = NULL;
    enum hone_status status = hone_expr_new(&expr, list[i].text, &own);
    hone_expr_free(expr);
    return hone_emit_blame(&scope, list[i].text, status, &own);
}

enum hone_status hone_emit_derive(struct emit_printer *printer, size_t i)
{
    return hone_emit_walk(&printer->walk, i, print_derived, printer);
}

enum hone_status hone_emit_blame_derived(struct emit_printer *printer, size_t i)
{
    const struct hone_error *failure = printer->values[i].failure;
    return failure ? hone_error_pass(printer->plan->err, failure->code, failure)
                   : blame_unsound(printer, i);
}

void hone_emit_need(const struct emit_plan *plan, const struct emit_need *needs)
{
    for (; needs; needs = needs->next) {
        struct emit_c_value *value = &plan->printer->values[needs->derived];
        value->is_needed = true;
        value->is_read |= !needs->by_guard;
    }
}

// What was printed later may read what was printed before.
void hone_emit_print_needed(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const struct emit_printer *printer = plan->printer;
    const struct emit_walk *walk = &printer->walk;
    for (size_t n = walk->done_count; n-- > 0;)
        if (printer->values[walk->done[n]].is_needed)
            hone_emit_need(plan, printer->values[walk->done[n]].scope.needs);
    for (size_t n = 0; n < walk->done_count; n++) {
        struct emit_c_value *value = &printer->values[walk->done[n]];
        const struct emit_field field = {.type = value->type, .wide = true};
        if (!value->is_needed) continue;
        value->is_needed = false;
        if (value->guard)
            hone_strbuf_printf(out, "    const int %s = %s;\n", value->flag,
                               value->guard);
        hone_strbuf_printf(out, "    %s%s%s = %s;\n",
                           value->type == HONE_STRING ? "" : "const ",
                           hone_emit_type_text(&field), value->name, value->text);
        if (!value->is_read) hone_strbuf_printf(out, "    (void)%s;\n", value->name);
        value->is_read = false;
    }
}

const char *hone_emit_computed(const struct emit_plan *plan, size_t i)
{
    const struct emit_printer *printer = plan->printer;
    for (size_t n = 0; n < printer->walk.done_count; n++) {
        const struct emit_c_value *value = &printer->values[printer->walk.done[n]];
        if (value->is_used && i-- == 0) return value->name;
    }
    return NULL;
}

enum hone_status hone_emit_open_printer(struct emit_plan *plan)
{
    const size_t count = plan->info->derived_count;
    struct emit_printer *printer = hone_arena_alloc(&plan->arena, sizeof *printer);
    if (!printer) return hone_emit_no_memory(plan);
    *printer = (struct emit_printer){
        .plan = plan,
        .values = hone_arena_array(&plan->arena, count, sizeof *printer->values)};
    plan->printer = printer;
    return hone_emit_walk_init(&printer->walk, plan) && printer->values
               ? HONE_OK
               : hone_emit_no_memory(plan);
}

void hone_emit_close_printer(struct emit_plan *plan)
{
    if (!plan->printer) return;
    hone_emit_walk_fini(&plan->printer->walk);
}
