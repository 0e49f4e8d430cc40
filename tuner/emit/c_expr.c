// Expressions as C over config, the problem and the derived values that they need: local
// constants of each function that reads them, each after those that it reads itself. What
// is read of the device becomes a field of the configuration, so that each row carries
// the numbers of its own device.
#include "c_expr.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static enum hone_status need_derived(struct emit_printer *printer, size_t i);

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

static enum hone_status use_derived(struct emit_printer *printer,
                                    struct emit_scope *scope, struct hone_expr_c_var *var,
                                    size_t i)
{
    struct emit_plan *plan = printer->plan;
    enum hone_status status = need_derived(printer, i);
    if (status != HONE_OK) return status;
    struct emit_c_value *value = &printer->values[i];
    struct emit_need *need = hone_arena_alloc(&plan->arena, sizeof *need);
    if (!need) return hone_emit_no_memory(plan);
    *need = (struct emit_need){i, scope->by_guard, scope->needs};
    scope->needs = need;
    scope->reads_problem |= value->scope.reads_problem;
    scope->reads_config |= value->scope.reads_config;
    *var = (struct hone_expr_c_var){.type = value->type,
                                    .range = &value->range,
                                    .value = value->is_known ? &value->known : NULL,
                                    .text = value->name,
                                    .guard = value->flag};
    return HONE_OK;
}

#define ONE_MORE(field) +1
_Static_assert(0 HONE_LIMITS_LIST(ONE_MORE) <= EMIT_FIELDS_MOST,
               "a place for each limit");
#undef ONE_MORE

// field is one of struct hone_limits.
static bool add_field(struct emit_plan *plan, const char **fields, size_t *count,
                      const char *field)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(fields[i], field) == 0) return true;
    assert(*count < EMIT_FIELDS_MOST);
    fields[*count] = hone_arena_strdup(&plan->arena, field);
    return fields[(*count)++] != NULL;
}

static enum hone_status use_device(struct emit_scope *scope, struct hone_expr_c_var *var,
                                   const char *field)
{
    struct emit_plan *plan = scope->plan;
    bool added =
        scope->tries || add_field(plan, plan->gpu_fields, &plan->gpu_field_count, field);
    if (added && !scope->of_gpu && !scope->tries)
        added = add_field(plan, plan->device_fields, &plan->device_field_count, field);
    if (!added) return hone_emit_no_memory(plan);
    scope->reads_config = scope->reads_config || !scope->of_gpu;
    *var = (struct hone_expr_c_var){
        .type = HONE_INT,
        .text = hone_arena_printf(&plan->arena, "%s%s",
                                  scope->of_gpu ? "gpu->" : "config->device_", field)};
    return var->text ? HONE_OK : hone_emit_no_memory(plan);
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

static void use_param(struct emit_scope *scope, struct hone_expr_c_var *var, size_t i)
{
    struct emit_plan *plan = scope->plan;
    scope->reads_config = true;
    *var = (struct hone_expr_c_var){
        .type = plan->params[i].type,
        .text = hone_arena_printf(&plan->arena, "config->%s", plan->params[i].name)};
    plan->params[i].range.narrow = !plan->params[i].wide;
    if (plan->params[i].type == HONE_INT) var->range = &plan->params[i].range;
}

static void use_constant(struct emit_scope *scope, struct hone_expr_c_var *var, size_t i)
{
    static const struct hone_expr_c_range any = {INT64_MIN, INT64_MAX, false};
    struct emit_plan *plan = scope->plan;
    const struct emit_field *field = &plan->problem[i];
    scope->reads_problem |= (uint64_t)1 << i;
    *var = (struct hone_expr_c_var){
        .type = field->type,
        .range = field->type == HONE_INT && field->wide && !field->fixed ? &any : NULL,
        .value = field->fixed ? &plan->info->problem[i].value : NULL,
        .text = field->fixed ? fixed_text(plan, i) : field->name};
}

static bool is_limit(const char *text)
{
    static const struct hone_limits limits;
    int64_t ignored;
    return strncmp(text, "device.", 7) == 0 &&
           hone_limits_get(&limits, text + 7, &ignored);
}

static enum hone_status use_name(struct emit_printer *printer, struct emit_scope *scope,
                                 struct hone_expr_c_var *var, const char *text)
{
    struct emit_plan *plan = printer->plan;
    const struct emit_name name = hone_emit_find_name(plan, text);
    if (name.kind == EMIT_DERIVED) return use_derived(printer, scope, var, name.number);
    if (name.kind == EMIT_OTHER && is_limit(text))
        return use_device(scope, var, text + 7);
    if (name.kind == EMIT_OTHER)
        return hone_fail_at(plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
                            "%s: '%s' is no parameter, problem size or derived value of "
                            "the journal",
                            scope->what, text);
    (name.kind == EMIT_PARAM ? use_param : use_constant)(scope, var, name.number);
    return var->text ? HONE_OK : hone_emit_no_memory(plan);
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

/* --- what is known ahead of printing --- */

static void foresee_name(struct emit_printer *printer, struct emit_scope *scope,
                         struct hone_expr_c_var *var, const char *text)
{
    const struct emit_name name = hone_emit_find_name(printer->plan, text);
    if (name.kind == EMIT_PARAM) {
        use_param(scope, var, name.number);
    } else if (name.kind == EMIT_CONSTANT) {
        use_constant(scope, var, name.number);
    } else if (name.kind == EMIT_DERIVED) {
        const struct emit_c_value *value = &printer->values[name.number];
        *var = (struct hone_expr_c_var){
            .type = value->summary.type,
            .value = value->summary.is_known ? &value->summary.value : NULL,
            .guard = value->summary.never_fails ? NULL : ""};
    } else {
        *var = (struct hone_expr_c_var){.type = HONE_INT,
                                        .guard = is_limit(text) ? NULL : ""};
    }
}

// is_left: of each name, whether it is part of no branch that is ruled out.
static enum hone_status foresee(struct emit_printer *printer,
                                const struct hone_expr *expr,
                                struct hone_expr_c_var *vars, bool *is_left,
                                struct hone_expr_c_summary *summary)
{
    struct emit_plan *plan = printer->plan;
    struct emit_scope scope = {.plan = plan};
    for (size_t i = 0; i < hone_expr_var_count(expr); i++) {
        foresee_name(printer, &scope, &vars[i], hone_expr_var(expr, i));
        vars[i].printed = &is_left[i];
    }
    return hone_expr_c_summarize(expr, vars, summary, NULL) == HONE_OK
               ? HONE_OK
               : hone_emit_no_memory(plan);
}

static enum hone_status foresee_derived(void *context, size_t i)
{
    struct emit_printer *printer = context;
    struct emit_plan *plan = printer->plan;
    const struct hone_expr *expr = plan->derived[i].formula.expr;
    if (!plan->derived[i].is_sound) return HONE_OK;
    const size_t count = hone_expr_var_count(expr);
    struct hone_expr_c_var *vars = hone_arena_array(&plan->arena, count, sizeof *vars);
    bool *is_left = hone_arena_array(&plan->arena, count, sizeof *is_left);
    if (!vars || !is_left) return hone_emit_no_memory(plan);
    struct hone_expr_c_summary *summary = &printer->values[i].summary;
    enum hone_status status = foresee(printer, expr, vars, is_left, summary);
    // What has no value in a branch that is ruled out leaves this one without a value.
    for (size_t v = 0; v < count; v++) {
        plan->derived[i].formula.names[v].is_spare = !is_left[v] && !vars[v].guard;
        if (vars[v].guard) summary->never_fails = summary->is_known = false;
    }
    return status;
}

static enum hone_status foresee_all(struct emit_printer *printer)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < printer->plan->info->derived_count && status == HONE_OK; i++)
        status = hone_emit_walk(&printer->walk, i, foresee_derived, printer);
    hone_emit_walk_again(&printer->walk);
    printer->walk.skips_spare = true;
    return status;
}

// A name in a branch that is ruled out asks for nothing if it always has a value.
static enum hone_status use_names(struct emit_printer *printer, struct emit_scope *scope,
                                  const struct hone_expr *expr,
                                  struct hone_expr_c_var *vars)
{
    struct emit_plan *plan = printer->plan;
    const size_t count = hone_expr_var_count(expr);
    struct hone_expr_c_summary summary;
    bool *is_left = hone_arena_array(&plan->arena, count, sizeof *is_left);
    if (!is_left) return hone_emit_no_memory(plan);
    enum hone_status status = foresee(printer, expr, vars, is_left, &summary);
    for (size_t i = 0; i < count && status == HONE_OK; i++)
        if (is_left[i] || vars[i].guard)
            status = use_name(printer, scope, &vars[i], hone_expr_var(expr, i));
    return status;
}

// A name may be left out of the C form: 'N and 4' is 4. The scope learns of those that
// are not, by asking again.
static enum hone_status print_parsed(struct emit_printer *printer,
                                     struct emit_scope *scope, struct hone_strbuf *out,
                                     struct hone_strbuf *guard,
                                     const struct hone_expr *expr, enum hone_type *type)
{
    struct emit_plan *plan = printer->plan;
    struct hone_error own = {0};
    struct emit_scope all = {
        .plan = plan, .what = scope->what, .of_gpu = scope->of_gpu, .tries = true};
    const size_t count = hone_expr_var_count(expr);
    struct hone_expr_c_var *vars = hone_arena_array(&plan->arena, count, sizeof *vars);
    bool *printed = hone_arena_array(&plan->arena, count, sizeof *printed);
    bool *in_text = hone_arena_array(&plan->arena, count, sizeof *in_text);
    enum hone_status status =
        vars && printed && in_text ? HONE_OK : hone_emit_no_memory(plan);
    if (status == HONE_OK) status = use_names(printer, &all, expr, vars);
    for (size_t i = 0; i < count && status == HONE_OK; i++)
        vars[i].printed = &printed[i];
    if (status != HONE_OK) return status;
    const struct hone_expr_c_known known = {is_never_zero, plan};
    status = hone_expr_print_c(expr, vars, out, type, &own);
    if (status == HONE_OK) status = hone_expr_c_range(expr, vars, &printer->range, &own);
    for (size_t i = 0; i < count; i++)
        in_text[i] = printed[i];
    if (status == HONE_OK && guard)
        status = hone_expr_print_c_guard(expr, vars, &known, guard, &own);
    if (status != HONE_OK)
        return hone_emit_blame(scope, hone_expr_text(expr), status, &own);
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        scope->by_guard = !in_text[i];
        if (printed[i])
            status = use_name(printer, scope, &vars[i], hone_expr_var(expr, i));
    }
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

// Those of one header: each function that reads all of them has all as constants.
enum { DERIVED_MOST = 4096, BYTES_MOST = 64 << 20 };

static enum hone_status check_room(const struct emit_printer *printer, const char *name)
{
    const struct emit_plan *plan = printer->plan;
    if (printer->walk.done_count < DERIVED_MOST && printer->bytes <= BYTES_MOST)
        return HONE_OK;
    return hone_fail_at(plan->err, HONE_ELIMIT, hone_emit_journal(plan), 1,
                        "derived value '%s' is one too many: a header computes at most "
                        "%d of them, in at most %d MiB; write some of them out",
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

static enum hone_status print_derived(void *context, size_t i)
{
    struct emit_printer *printer = context;
    struct emit_plan *plan = printer->plan;
    struct emit_c_value *value = &printer->values[i];
    struct hone_strbuf text = HONE_STRBUF_INIT, guard = HONE_STRBUF_INIT;
    value->scope = (struct emit_scope){.plan = plan, .what = plan->info->derived[i].name};
    enum hone_status status = check_room(printer, value->scope.what);
    if (status == HONE_OK)
        status = hone_emit_print_expr(printer, &value->scope, &text, &guard,
                                      plan->info->derived[i].text, &value->type);
    if (status == HONE_OK) status = keep_value(printer, i, &text, &guard);
    hone_strbuf_fini(&guard);
    hone_strbuf_fini(&text);
    return status;
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

static enum hone_status need_derived(struct emit_printer *printer, size_t i)
{
    if (!printer->plan->derived[i].is_sound) return blame_unsound(printer, i);
    return hone_emit_walk(&printer->walk, i, print_derived, printer);
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
        if (!value->is_known && i-- == 0) return value->name;
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
               ? foresee_all(printer)
               : hone_emit_no_memory(plan);
}

void hone_emit_close_printer(struct emit_plan *plan)
{
    if (!plan->printer) return;
    hone_emit_walk_fini(&plan->printer->walk);
}
