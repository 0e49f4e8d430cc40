// The names of an expression that is printed: what the printer is told of each, and what
// a function reads by those that its text has.
#include "c_names.h"
#include "emit_text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define ONE_MORE(field) +1
_Static_assert(0 HONE_LIMITS_LIST(ONE_MORE) <= EMIT_FIELDS_MOST,
               "a place for each limit");
#undef ONE_MORE

/* --- what a name is --- */

struct hone_expr_c_var hone_emit_known_of(const struct emit_plan *plan,
                                          const struct hone_value *value,
                                          struct emit_name name, const char *text)
{
    struct hone_limits ignored = {0};
    int64_t limit;
    switch (name.kind) {
    case EMIT_PARAM:
        return (struct hone_expr_c_var){.type = value->type, .value = value};
    case EMIT_CONSTANT:
        return (struct hone_expr_c_var){.type = plan->problem[name.number].type,
                                        .value =
                                            plan->problem[name.number].fixed
                                                ? &plan->info->problem[name.number].value
                                                : NULL};
    case EMIT_DERIVED:
        break;
    case EMIT_OTHER:
        if (strncmp(text, "device.", 7) != 0 ||
            !hone_limits_get(&ignored, text + 7, &limit))
            break;
        return (struct hone_expr_c_var){.type = HONE_INT};
    }
    return (struct hone_expr_c_var){.type = HONE_STRING, .guard = ""};
}

static void look_up_param(struct emit_plan *plan, struct hone_expr_c_var *var, size_t i)
{
    struct emit_field *field = &plan->params[i];
    field->range.narrow = !field->wide;
    *var = (struct hone_expr_c_var){
        .type = field->type,
        .range = field->type == HONE_INT ? &field->range : NULL,
        .text = hone_arena_printf(&plan->arena, "config->%s", field->name)};
}

// The value of a choice, as C writes it.
static const char *fixed_text(struct emit_plan *plan, size_t i)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_emit_literal(&text, &plan->problem[i], plan->info->problem[i].value);
    const char *copy = text.failed ? NULL : hone_arena_strdup(&plan->arena, text.data);
    hone_strbuf_fini(&text);
    return copy;
}

static void look_up_constant(const struct emit_printer *printer,
                             struct hone_expr_c_var *var, size_t i)
{
    static const struct hone_expr_c_range any = {INT64_MIN, INT64_MAX, false};
    struct emit_plan *plan = printer->plan;
    const struct emit_field *field = &plan->problem[i];
    const struct hone_expr_c_range *range = printer->sizes ? &printer->sizes[i] : &any;
    *var = (struct hone_expr_c_var){
        .type = field->type,
        .range = field->type == HONE_INT && field->wide && !field->fixed ? range : NULL,
        .value = field->fixed ? &plan->info->problem[i].value : NULL,
        .text = field->fixed ? fixed_text(plan, i) : field->name};
}

// One without a C form has no text; what is known of it is known all the same.
static void look_up_derived(const struct emit_c_value *value, struct hone_expr_c_var *var)
{
    const struct hone_c_summary *summary = &value->summary;
    const bool has_form = value->text != NULL;
    const char *guard = has_form ? value->flag : summary->never_fails ? NULL : "";
    *var = (struct hone_expr_c_var){
        .type = has_form ? value->type : summary->type,
        .range = has_form && value->type == HONE_INT ? &value->range : NULL,
        .value = summary->is_known ? &summary->value
                 : value->is_known ? &value->known
                                   : NULL,
        .text = has_form ? value->name : "",
        .guard = guard};
}

enum { NO_LIMIT = 64 };

// The place of "device.sm_count" among the limits.
static unsigned place_of_limit(const char *text)
{
    if (strncmp(text, "device.", 7) != 0) return NO_LIMIT;
    for (unsigned i = 0; hone_limits_name(i); i++)
        if (strcmp(hone_limits_name(i), text + 7) == 0) return i;
    return NO_LIMIT;
}

static void look_up_other(const struct emit_scope *scope, struct hone_expr_c_var *var,
                          const char *text)
{
    struct hone_arena *arena = &scope->plan->arena;
    const bool is_limit = place_of_limit(text) != NO_LIMIT;
    const char *of = scope->of_gpu ? "gpu->" : "config->device_";
    *var = (struct hone_expr_c_var){
        .type = HONE_INT,
        .text = is_limit ? hone_arena_printf(arena, "%s%s", of, text + 7) : "",
        .guard = is_limit ? NULL : ""};
}

static enum hone_status look_up(struct emit_printer *printer,
                                const struct emit_scope *scope,
                                struct hone_expr_c_var *var, const char *text)
{
    struct emit_plan *plan = printer->plan;
    const struct emit_name name = hone_emit_find_name(plan, text);
    enum hone_status status = HONE_OK;
    switch (name.kind) {
    case EMIT_PARAM:
        look_up_param(plan, var, name.number);
        break;
    case EMIT_CONSTANT:
        look_up_constant(printer, var, name.number);
        break;
    case EMIT_DERIVED:
        status = hone_emit_derive(printer, name.number);
        look_up_derived(&printer->values[name.number], var);
        break;
    case EMIT_OTHER:
        look_up_other(scope, var, text);
        break;
    }
    return var->text || status != HONE_OK ? status : hone_emit_no_memory(plan);
}

// A name has to be known where it is part of what is left, or may have no value.
static enum hone_status check_known(struct emit_printer *printer,
                                    const struct emit_scope *scope, const char *text)
{
    struct emit_plan *plan = printer->plan;
    const struct emit_name name = hone_emit_find_name(plan, text);
    if (name.kind == EMIT_OTHER && place_of_limit(text) == NO_LIMIT)
        return hone_fail_at(plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
                            "%s: '%s' is no parameter, problem size or derived value of "
                            "the journal",
                            scope->what, text);
    return name.kind == EMIT_DERIVED && !printer->values[name.number].text
               ? hone_emit_blame_derived(printer, name.number)
               : HONE_OK;
}

/* --- what a scope reads --- */

static void add_field(const char **fields, size_t *count, const char *field)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(fields[i], field) == 0) return;
    assert(*count < EMIT_FIELDS_MOST);
    fields[(*count)++] = field;
}

// A derived value reads them once a function needs it.
static void note_limits(struct emit_scope *scope, uint64_t limits, bool of_config)
{
    struct emit_plan *plan = scope->plan;
    scope->limits |= limits;
    scope->reads_config |= limits && of_config;
    for (unsigned i = 0; i < NO_LIMIT && !scope->of_derived; i++) {
        const char *field = limits >> i & 1 ? hone_limits_name(i) : NULL;
        if (field) add_field(plan->gpu_fields, &plan->gpu_field_count, field);
        if (field && of_config)
            add_field(plan->device_fields, &plan->device_field_count, field);
    }
}

// What was printed later may read what was printed before.
static void mark_used(struct emit_printer *printer, size_t i)
{
    const struct emit_walk *walk = &printer->walk;
    if (printer->values[i].is_used) return;
    printer->values[i].is_used = true;
    for (size_t n = walk->done_count; n-- > 0;) {
        const struct emit_c_value *value = &printer->values[walk->done[n]];
        if (!value->is_used) continue;
        for (const struct emit_need *need = value->scope.needs; need; need = need->next)
            printer->values[need->derived].is_used = true;
    }
}

static enum hone_status note_derived(struct emit_printer *printer,
                                     struct emit_scope *scope, size_t i, bool by_guard)
{
    const struct emit_scope *own = &printer->values[i].scope;
    struct emit_need *need = hone_arena_alloc(&printer->plan->arena, sizeof *need);
    if (!need) return hone_emit_no_memory(printer->plan);
    *need = (struct emit_need){i, by_guard, scope->needs};
    scope->needs = need;
    scope->reads_problem |= own->reads_problem;
    scope->reads_config |= own->reads_config;
    note_limits(scope, own->limits, true);
    if (!scope->of_derived) mark_used(printer, i);
    return HONE_OK;
}

static enum hone_status note_name(struct emit_printer *printer, struct emit_scope *scope,
                                  const char *text, bool by_guard)
{
    const struct emit_name name = hone_emit_find_name(printer->plan, text);
    if (name.kind == EMIT_DERIVED)
        return note_derived(printer, scope, name.number, by_guard);
    if (name.kind == EMIT_CONSTANT) scope->reads_problem |= (uint64_t)1 << name.number;
    if (name.kind == EMIT_PARAM) scope->reads_config = true;
    if (name.kind == EMIT_OTHER)
        note_limits(scope, (uint64_t)1 << place_of_limit(text), !scope->of_gpu);
    return HONE_OK;
}

/* --- all names of an expression --- */

enum hone_status hone_emit_name_all(struct emit_printer *printer,
                                    const struct emit_scope *scope,
                                    struct emit_naming *naming,
                                    const struct hone_expr *expr)
{
    struct hone_arena *arena = &printer->plan->arena;
    const size_t count = hone_expr_var_count(expr);
    *naming = (struct emit_naming){
        .expr = expr,
        .count = count,
        .vars = hone_arena_array(arena, count, sizeof *naming->vars),
        .is_printed = hone_arena_array(arena, count, sizeof(bool)),
        .is_in_text = hone_arena_array(arena, count, sizeof(bool)),
    };
    if (!naming->vars || !naming->is_printed || !naming->is_in_text)
        return hone_emit_no_memory(printer->plan);
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        status = look_up(printer, scope, &naming->vars[i], hone_expr_var(expr, i));
        naming->vars[i].printed = &naming->is_printed[i];
    }
    return status;
}

enum hone_status hone_emit_check_names(struct emit_printer *printer,
                                       const struct emit_scope *scope,
                                       const struct emit_naming *naming,
                                       const struct hone_c_form *form)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < naming->count && status == HONE_OK; i++)
        if (naming->vars[i].guard || hone_c_form_reads(form, i))
            status = check_known(printer, scope, hone_expr_var(naming->expr, i));
    return status;
}

enum hone_status hone_emit_note_names(struct emit_printer *printer,
                                      struct emit_scope *scope,
                                      const struct emit_naming *naming)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < naming->count && status == HONE_OK; i++)
        if (naming->is_printed[i])
            status = note_name(printer, scope, hone_expr_var(naming->expr, i),
                               !naming->is_in_text[i]);
    return status;
}
