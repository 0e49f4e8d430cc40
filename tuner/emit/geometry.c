// Launch geometry as C functions: the expressions of the journal, printed. A derived
// value that they need becomes a function of its own; what they read of the device
// becomes a field of the configuration, so that each row carries the numbers of its own
// device.
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit_internal.h"

// One function being printed: what its expressions read decides which arguments are
// unused.
struct scope {
    struct emit_plan *plan;
    const char *what;    // the function is for: "grid"
    bool *reads_problem; // [problem_count]
    bool reads_config;
    bool of_gpu; // what is read of the device is asked of the one at hand: gpu->
};

enum visit { UNSEEN, OPEN, PRINTED };

struct emit_printer {
    struct emit_plan *plan;
    enum visit *visits;      // [derived_count]
    enum hone_type *derived; // [derived_count], once printed
    const char **guards;     // [derived_count], under which it has a value; NULL: always
};

static enum hone_status print_derived(struct emit_printer *printer, size_t i);

// All problem arguments are passed on to the function of a derived value.
static enum hone_status use_derived(struct emit_printer *printer, struct scope *scope,
                                    struct hone_expr_c_var *var, size_t i)
{
    struct emit_plan *plan = printer->plan;
    enum hone_status status = print_derived(printer, i);
    if (status != HONE_OK) return status;
    struct hone_strbuf call = HONE_STRBUF_INIT;
    hone_strbuf_printf(&call, "%s(config", plan->derived_functions[i]);
    hone_emit_problem_args(&call, plan, ", ");
    hone_strbuf_add(&call, ")");
    *var = (struct hone_expr_c_var){.type = printer->derived[i],
                                    .guard = printer->guards[i],
                                    .text = hone_arena_strdup(&plan->arena, call.data)};
    bool failed = call.failed || !var->text;
    hone_strbuf_fini(&call);
    scope->reads_config = true;
    for (size_t p = 0; p < plan->info->problem_count; p++)
        scope->reads_problem[p] = true;
    return failed ? hone_emit_no_memory(plan) : HONE_OK;
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

static enum hone_status use_device(struct scope *scope, struct hone_expr_c_var *var,
                                   const char *field)
{
    struct emit_plan *plan = scope->plan;
    bool added = add_field(plan, plan->gpu_fields, &plan->gpu_field_count, field);
    if (added && !scope->of_gpu)
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

static bool use_field(struct scope *scope, struct hone_expr_c_var *var, const char *name)
{
    struct emit_plan *plan = scope->plan;
    const struct hone_record_info *info = plan->info;
    for (size_t i = 0; i < info->param_count; i++) {
        if (strcmp(info->params[i].name, name) != 0) continue;
        scope->reads_config = true;
        *var = (struct hone_expr_c_var){
            .type = plan->params[i].type,
            .text = hone_arena_printf(&plan->arena, "config->%s", plan->params[i].name)};
        return true;
    }
    for (size_t i = 0; i < info->problem_count; i++) {
        if (strcmp(info->problem[i].name, name) != 0) continue;
        scope->reads_problem[i] = true;
        *var = (struct hone_expr_c_var){
            .type = plan->problem[i].type,
            .text = plan->problem[i].fixed ? fixed_text(plan, i) : plan->problem[i].name};
        return true;
    }
    return false;
}

static enum hone_status use_name(struct emit_printer *printer, struct scope *scope,
                                 struct hone_expr_c_var *var, const char *name)
{
    struct emit_plan *plan = printer->plan;
    const char *field = strncmp(name, "device.", 7) == 0 ? name + 7 : NULL;
    static const struct hone_limits limits;
    int64_t ignored;
    if (use_field(scope, var, name))
        return var->text ? HONE_OK : hone_emit_no_memory(plan);
    for (size_t i = 0; i < plan->info->derived_count; i++)
        if (strcmp(plan->info->derived[i].name, name) == 0)
            return use_derived(printer, scope, var, i);
    if (field && hone_limits_get(&limits, field, &ignored))
        return use_device(scope, var, field);
    return hone_fail_at(plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
                        "%s: '%s' is no parameter, problem size or derived value of the "
                        "journal",
                        scope->what, name);
}

// An expression at fault is a fault of the journal's first line; own says what it is.
static enum hone_status blame(const struct scope *scope, const char *text,
                              enum hone_status status, const struct hone_error *own)
{
    if (status == HONE_ENOMEM) return hone_emit_no_memory(scope->plan);
    return hone_fail_at(scope->plan->err, HONE_EINPUT, hone_emit_journal(scope->plan), 1,
                        "%s '%s': %s", scope->what, text, own->text);
}

static enum hone_status open_scope(struct scope *scope, struct emit_plan *plan,
                                   const char *what)
{
    *scope = (struct scope){.plan = plan, .what = what};
    scope->reads_problem = hone_arena_array(&plan->arena, plan->info->problem_count,
                                            sizeof *scope->reads_problem);
    return scope->reads_problem ? HONE_OK : hone_emit_no_memory(plan);
}

static bool is_never_zero(void *plan, const char *text)
{
    return hone_emit_never_zero(plan, text);
}

// A name may be left out of the C form: 'N and 4' is 4. The scope learns of those that
// are not, by asking again.
static enum hone_status print_parsed(struct emit_printer *printer, struct scope *scope,
                                     struct hone_strbuf *out, struct hone_strbuf *guard,
                                     const struct hone_expr *expr, enum hone_type *type)
{
    struct emit_plan *plan = printer->plan;
    struct hone_error own = {0};
    struct scope all;
    const size_t count = hone_expr_var_count(expr);
    struct hone_expr_c_var *vars = hone_arena_array(&plan->arena, count, sizeof *vars);
    bool *printed = hone_arena_array(&plan->arena, count, sizeof *printed);
    enum hone_status status = open_scope(&all, plan, scope->what);
    all.of_gpu = scope->of_gpu;
    if (!vars || !printed) status = hone_emit_no_memory(plan);
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        status = use_name(printer, &all, &vars[i], hone_expr_var(expr, i));
        vars[i].printed = &printed[i];
    }
    if (status != HONE_OK) return status;
    const struct hone_expr_c_known known = {is_never_zero, plan};
    status = hone_expr_print_c(expr, vars, out, type, &own);
    if (status == HONE_OK && guard)
        status = hone_expr_print_c_guard(expr, vars, &known, guard, &own);
    if (status != HONE_OK) return blame(scope, hone_expr_text(expr), status, &own);
    for (size_t i = 0; i < count && status == HONE_OK; i++)
        if (printed[i])
            status = use_name(printer, scope, &vars[i], hone_expr_var(expr, i));
    return status;
}

// Append the C form of text to out, and to guard, unless NULL, the condition under which
// it has a value.
static enum hone_status print_expr(struct emit_printer *printer, struct scope *scope,
                                   struct hone_strbuf *out, struct hone_strbuf *guard,
                                   const char *text, enum hone_type *type)
{
    struct emit_plan *plan = printer->plan;
    struct hone_expr *expr = NULL;
    struct hone_error own = {0};
    if (!text)
        return hone_fail_at(plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
                            "%s has no expression in the journal", scope->what);
    enum hone_status status = hone_expr_new(&expr, text, &own);
    if (status != HONE_OK) return blame(scope, text, status, &own);
    status = print_parsed(printer, scope, out, guard, expr, type);
    hone_expr_free(expr);
    return status;
}

static void print_unused(struct hone_strbuf *out, const struct scope *scope)
{
    const struct emit_plan *plan = scope->plan;
    if (!scope->reads_config) hone_strbuf_add(out, "    (void)config;\n");
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (!scope->reads_problem[i] && !plan->problem[i].fixed)
            hone_strbuf_printf(out, "    (void)%s;\n", plan->problem[i].name);
}

// "static inline TYPE NAME(const K_config *config, PROBLEM"
static void print_signature(struct hone_strbuf *out, const struct emit_plan *plan,
                            const char *type, const char *name)
{
    hone_strbuf_printf(out, "static inline %s%s(const %s_config *config", type, name,
                       plan->name);
    hone_emit_problem_params(out, plan, ", ");
}

static enum hone_status print_derived(struct emit_printer *printer, size_t i)
{
    struct emit_plan *plan = printer->plan;
    const struct hone_derived *derived = &plan->info->derived[i];
    if (printer->visits[i] == PRINTED) return HONE_OK;
    if (printer->visits[i] == OPEN)
        return hone_fail_at(plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
                            "derived value '%s' depends on itself", derived->name);
    printer->visits[i] = OPEN;
    struct scope scope;
    struct hone_strbuf body = HONE_STRBUF_INIT, *out = &plan->geometry;
    struct hone_strbuf guard = HONE_STRBUF_INIT;
    struct emit_field field = {.wide = true};
    enum hone_status status = open_scope(&scope, plan, derived->name);
    if (status == HONE_OK)
        status = print_expr(printer, &scope, &body, &guard, derived->text, &field.type);
    if (status == HONE_OK && guard.len) {
        printer->guards[i] = hone_arena_strdup(&plan->arena, guard.data);
        if (!printer->guards[i]) status = hone_emit_no_memory(plan);
    }
    if (status == HONE_OK) {
        print_signature(out, plan, hone_emit_type_text(&field),
                        plan->derived_functions[i]);
        hone_strbuf_add(out, ")\n{\n");
        print_unused(out, &scope);
        hone_strbuf_printf(out, "    return %s;\n}\n\n", body.data);
        if (body.failed) status = hone_emit_no_memory(plan);
        printer->derived[i] = field.type;
        printer->visits[i] = PRINTED;
    }
    hone_strbuf_fini(&guard);
    hone_strbuf_fini(&body);
    return status;
}

// Append a number of the launch as a long long; -1, which no launch can have, where the
// expression has no value.
static enum hone_status print_number(struct emit_printer *printer, struct scope *scope,
                                     struct hone_strbuf *out, const char *text)
{
    enum hone_type type = HONE_INT;
    struct hone_strbuf value = HONE_STRBUF_INIT, guard = HONE_STRBUF_INIT;
    enum hone_status status = print_expr(printer, scope, &value, &guard, text, &type);
    if (status == HONE_OK && type > HONE_FLOAT)
        status = blame(scope, text, HONE_EINPUT,
                       &(struct hone_error){.text = "a launch needs a number here"});
    if ((value.failed || guard.failed) && status == HONE_OK)
        status = hone_emit_no_memory(printer->plan);
    if (guard.len) hone_strbuf_printf(out, "!(%s) ? -1 : ", guard.data);
    hone_strbuf_printf(out, type == HONE_FLOAT ? "hone1_to_int(%s)" : "%s", value.data);
    hone_strbuf_fini(&guard);
    hone_strbuf_fini(&value);
    return status;
}

// CUDA C++ Programming Guide, technical specifications per compute capability: the same
// from 5.0 on.
const int64_t hone_emit_grid_most[3] = {2147483647, 65535, 65535};
const int64_t hone_emit_block_most[3] = {1024, 1024, 64};

static void print_extent_end(struct hone_strbuf *out, const char *name, bool is_block)
{
    hone_strbuf_printf(out, "    if (!%s[0] || !%s[1] || !%s[2]", name, name, name);
    if (is_block)
        hone_strbuf_printf(out, " || %s[0] * %s[1] * %s[2] > 1024", name, name, name);
    hone_strbuf_printf(out, ") %s[0] = %s[1] = %s[2] = 0;\n", name, name, name);
}

// A function that fills extent[3], "grid" or "block".
static enum hone_status print_extent(struct emit_printer *printer, const char *name,
                                     const char *const extent[3], bool is_block)
{
    struct emit_plan *plan = printer->plan;
    const int64_t *most = is_block ? hone_emit_block_most : hone_emit_grid_most;
    struct scope scope;
    struct hone_strbuf body = HONE_STRBUF_INIT, *out = &plan->geometry;
    enum hone_status status = open_scope(&scope, plan, name);
    for (int i = 0; i < 3 && status == HONE_OK; i++) {
        if (!extent[i]) {
            hone_strbuf_printf(&body, "    %s[%d] = 1;\n", name, i);
            continue;
        }
        hone_strbuf_printf(&body, "    %s[%d] = %s_extent(", name, i, plan->name);
        status = print_number(printer, &scope, &body, extent[i]);
        hone_strbuf_printf(&body, ", %" PRId64 ");\n", most[i]);
    }
    const char *function = hone_arena_printf(&plan->arena, "%s_%s", plan->name, name);
    if (status == HONE_OK && (body.failed || !function))
        status = hone_emit_no_memory(plan);
    if (status == HONE_OK) {
        print_signature(out, plan, "void ", function);
        hone_strbuf_printf(out, ", unsigned %s[3])\n{\n", name);
        print_unused(out, &scope);
        hone_strbuf_add(out, body.data);
        print_extent_end(out, name, is_block);
        hone_strbuf_add(out, "}\n\n");
    }
    hone_strbuf_fini(&body);
    return status;
}

static enum hone_status print_shared(struct emit_printer *printer)
{
    struct emit_plan *plan = printer->plan;
    const char *text = plan->info->shared ? plan->info->shared : "0";
    struct scope scope;
    struct hone_strbuf body = HONE_STRBUF_INIT, *out = &plan->geometry;
    enum hone_status status = open_scope(&scope, plan, "shared");
    if (status == HONE_OK) status = print_number(printer, &scope, &body, text);
    const char *function = hone_arena_printf(&plan->arena, "%s_shared_bytes", plan->name);
    if (status == HONE_OK && (body.failed || !function))
        status = hone_emit_no_memory(plan);
    if (status == HONE_OK) {
        print_signature(out, plan, "unsigned ", function);
        hone_strbuf_printf(out, ")\n{\n    const long long bytes_here = %s;\n",
                           body.data);
        print_unused(out, &scope);
        hone_strbuf_add(out, "    return bytes_here < 0 || bytes_here > 2147483647 ? ~0u "
                             ": (unsigned)bytes_here;\n}\n\n");
    }
    hone_strbuf_fini(&body);
    return status;
}

// Reads a dtype's name: f32, bf16, u8; e4m3 and e5m2 are one byte.
unsigned hone_emit_element_bytes(const char *dtype)
{
    const unsigned bits =
        dtype ? (unsigned)strtoul(dtype + strcspn(dtype, "0123456789"), NULL, 10) : 0;
    return bits < 8 ? 1 : bits / 8;
}

static enum hone_status print_workspace_size(struct emit_printer *printer,
                                             struct scope *scope, struct hone_strbuf *out,
                                             const char *text)
{
    enum hone_type type = HONE_INT;
    struct hone_strbuf size = HONE_STRBUF_INIT, guard = HONE_STRBUF_INIT;
    enum hone_status status = print_expr(printer, scope, &size, &guard, text, &type);
    if (status == HONE_OK && type > HONE_FLOAT)
        status = blame(scope, text, HONE_EINPUT,
                       &(struct hone_error){.text = "a workspace needs a number here"});
    if (guard.len) hone_strbuf_printf(out, "!(%s) ? -1 : ", guard.data);
    hone_strbuf_printf(out, "%s(%s)", type == HONE_FLOAT ? "hone1_to_int" : "",
                       size.data);
    out->failed |= size.failed || guard.failed;
    hone_strbuf_fini(&guard);
    hone_strbuf_fini(&size);
    return status;
}

static enum hone_status print_workspace(struct emit_printer *printer,
                                        const struct hone_record_arg *arg)
{
    struct emit_plan *plan = printer->plan;
    struct scope scope;
    struct hone_strbuf size = HONE_STRBUF_INIT, *out = &plan->geometry;
    enum hone_status status = open_scope(&scope, plan, arg->name);
    if (status == HONE_OK)
        status = print_workspace_size(printer, &scope, &size, arg->size);
    const char *function = hone_emit_workspace_name(plan, arg->name);
    if (status == HONE_OK && (size.failed || !function))
        status = hone_emit_no_memory(plan);
    if (status == HONE_OK) {
        print_signature(out, plan, "unsigned long long ", function);
        hone_strbuf_printf(out, ")\n{\n    const long long size_here = %s;\n", size.data);
        print_unused(out, &scope);
        hone_strbuf_printf(out,
                           "    return size_here < 0 || size_here > %" PRId64
                           " ? ~0ULL : (unsigned long long)size_here * %u;\n}\n\n",
                           INT64_MAX / hone_emit_element_bytes(arg->dtype),
                           hone_emit_element_bytes(arg->dtype));
    }
    hone_strbuf_fini(&size);
    return status;
}

// What the kernel needs beside its operands, workspace by workspace.
static enum hone_status print_workspaces(struct emit_printer *printer)
{
    struct emit_plan *plan = printer->plan;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < plan->info->arg_count && status == HONE_OK; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        if (strcmp(arg->kind, "workspace") == 0) status = print_workspace(printer, arg);
    }
    return status;
}

static enum hone_status check_limits(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->row_count && plan->device_field_count; i++)
        if (!plan->rows[i].info->limits)
            return hone_fail_at(plan->err, HONE_EINPUT,
                                hone_recording_path(plan->rows[i].recording), 1,
                                "this journal lacks the device's limits, but its launch "
                                "reads device.%s",
                                plan->device_fields[0]);
    return HONE_OK;
}

static enum hone_status print_alone(struct emit_plan *plan, struct hone_strbuf *out,
                                    struct hone_strbuf *guard, const char *text,
                                    enum hone_type *type, bool of_gpu)
{
    struct scope scope;
    enum hone_status status =
        open_scope(&scope, plan, of_gpu ? "constraint" : "argument");
    if (status != HONE_OK) return status;
    scope.of_gpu = of_gpu;
    return print_expr(plan->printer, &scope, out, guard, text, type);
}

enum hone_status hone_emit_print_condition(struct emit_plan *plan,
                                           struct hone_strbuf *out, const char *text,
                                           enum hone_type *type)
{
    struct hone_strbuf value = HONE_STRBUF_INIT, guard = HONE_STRBUF_INIT;
    enum hone_status status = print_alone(plan, &value, &guard, text, type, true);
    if (status == HONE_OK && guard.len)
        hone_strbuf_printf(out, *type == HONE_BOOL ? "(%s) && (%s)" : "%s", guard.data,
                           value.data);
    else
        hone_strbuf_add_bytes(out, value.data, value.len);
    if (guard.len) *type = HONE_BOOL;
    out->failed |= value.failed || guard.failed;
    hone_strbuf_fini(&guard);
    hone_strbuf_fini(&value);
    return status;
}

enum hone_status hone_emit_print_value(struct emit_plan *plan, struct hone_strbuf *out,
                                       const char *text, enum hone_type *type)
{
    return print_alone(plan, out, NULL, text, type, false);
}

static enum hone_status open_printer(struct emit_plan *plan)
{
    const size_t count = plan->info->derived_count;
    struct emit_printer *printer = hone_arena_alloc(&plan->arena, sizeof *printer);
    if (!printer) return hone_emit_no_memory(plan);
    printer->plan = plan;
    printer->visits = hone_arena_array(&plan->arena, count, sizeof *printer->visits);
    printer->derived = hone_arena_array(&plan->arena, count, sizeof *printer->derived);
    printer->guards = hone_arena_array(&plan->arena, count, sizeof *printer->guards);
    plan->printer = printer;
    return printer->visits && printer->derived && printer->guards
               ? HONE_OK
               : hone_emit_no_memory(plan);
}

enum hone_status hone_emit_make_geometry(struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    enum hone_status status = open_printer(plan);
    if (status != HONE_OK || !hone_emit_has_launch(info)) return status;
    status = print_extent(plan->printer, "grid", info->grid, false);
    if (status == HONE_OK)
        status = print_extent(plan->printer, "block", info->block, true);
    if (status == HONE_OK) status = print_shared(plan->printer);
    if (status == HONE_OK) status = print_workspaces(plan->printer);
    if (status == HONE_OK) status = check_limits(plan);
    if (status == HONE_OK && plan->geometry.failed) status = hone_emit_no_memory(plan);
    return status;
}
