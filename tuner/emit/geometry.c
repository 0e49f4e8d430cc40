// Launch geometry as C functions: the expressions of the journal, printed. Without a
// configuration, which select may answer, each gives what no launch can have.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "c_expr.h"
#include "dispatch.h"
#include "emit_sections.h"
#include "emit_text.h"

bool hone_emit_is_block_settled(const struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    for (size_t i = 0; i < 3; i++)
        if (info->block[i] && hone_emit_reads_outside(plan, info->block[i])) return false;
    return true;
}

bool hone_emit_is_shared_settled(const struct emit_plan *plan)
{
    return !plan->info->shared || !hone_emit_reads_outside(plan, plan->info->shared);
}

struct emit_launch hone_emit_settled_launch(const struct emit_plan *plan, size_t config)
{
    static const struct hone_limits unknown;
    struct hone_value problem[EMIT_CONSTANTS_MOST];
    for (size_t i = 0; i < plan->info->problem_count; i++)
        problem[i] = plan->info->problem[i].value;
    return hone_emit_launch_of(plan, config, &unknown, problem);
}

// Underscores until no parameter is called so; NULL: no memory.
static const char *field_name(struct emit_plan *plan, const char *name)
{
    while (name && hone_emit_find_name(plan, name).kind == EMIT_PARAM)
        name = hone_arena_printf(&plan->arena, "%s_", name);
    return name;
}

// All shapes refuse the same expressions: what functions could not print settles nothing.
// A printer of its own, so that no function computes the derived values.
static enum hone_status check_numbers(struct emit_plan *plan, const char *what,
                                      const char *const *texts, size_t count)
{
    struct emit_printer *const printer = plan->printer;
    struct emit_scope scope = {.plan = plan, .what = what};
    enum hone_status status = hone_emit_open_printer(plan);
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        struct hone_strbuf ignored = HONE_STRBUF_INIT;
        struct hone_expr_c_range range;
        if (texts[i])
            status =
                hone_emit_print_number(plan->printer, &scope, &ignored, texts[i], &range);
        hone_strbuf_fini(&ignored);
    }
    if (plan->printer != printer) hone_emit_close_printer(plan);
    plan->printer = printer;
    return status;
}

static enum hone_status settle_field(struct emit_plan *plan, const char **field,
                                     const char *name, const char *what,
                                     const char *const *texts, size_t count)
{
    const enum hone_status status = check_numbers(plan, what, texts, count);
    if (status != HONE_OK) return status;
    *field = field_name(plan, name);
    return *field ? HONE_OK : hone_emit_no_memory(plan);
}

// A configuration that is forced is none of the table, so that functions compute it.
static enum hone_status choose_fields(struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    const bool has_block = info->block[0] || info->block[1] || info->block[2];
    enum hone_status status = HONE_OK;
    if (plan->shape != HONE_SHAPE_TABLE) return HONE_OK;
    if (has_block && hone_emit_is_block_settled(plan))
        status = settle_field(plan, &plan->block_field, "block", "block", info->block, 3);
    if (status == HONE_OK && info->shared && hone_emit_is_shared_settled(plan))
        status = settle_field(plan, &plan->shared_field, "shared_bytes", "shared",
                              &info->shared, 1);
    return status;
}

// The function of a field of the configuration, or of nothing.
static void print_settled(struct emit_plan *plan, const char *word)
{
    const struct emit_scope scope = {.plan = plan, .reads_config = true};
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf *shared = hone_emit_slot(&slots, "SHARED_BYTES");
    hone_emit_print_unused(hone_emit_slot(&slots, "UNUSED_ARGS"), &scope);
    hone_strbuf_add(hone_emit_slot(&slots, "BLOCK_FIELD"),
                    plan->block_field ? plan->block_field : "");
    hone_strbuf_printf(shared, "%s%s", plan->shared_field ? "config->" : "0",
                       plan->shared_field ? plan->shared_field : "");
    hone_emit_lines(&plan->geometry, plan, hone_text_settled, word, &slots);
}

static enum hone_status print_block(struct emit_printer *printer)
{
    static const struct emit_extent kind = {"block", hone_emit_block_most, 1024};
    struct emit_plan *plan = printer->plan;
    if (!plan->block_field)
        return hone_emit_print_extent(printer, &kind, plan->info->block);
    print_settled(plan, "block ");
    return HONE_OK;
}

// What the text of each function of the geometry has; scope: of its expression.
static void add_scope(struct emit_slots *slots, struct emit_scope *scope)
{
    scope->reads_config = true; // it may be a null pointer
    hone_emit_print_unused(hone_emit_slot(slots, "UNUSED_ARGS"), scope);
    hone_emit_need(scope->plan, scope->needs);
    hone_emit_print_needed(hone_emit_slot(slots, "NEEDED_VALUES"), scope->plan);
}

static enum hone_status print_shared(struct emit_printer *printer)
{
    struct emit_plan *plan = printer->plan;
    struct emit_slots slots = {.count = 0};
    struct emit_scope scope = {.plan = plan, .what = "shared"};
    struct hone_expr_c_range range;
    if (plan->shared_field || !plan->info->shared) {
        print_settled(plan, "shared ");
        return HONE_OK;
    }
    const enum hone_status status =
        hone_emit_print_number(printer, &scope, hone_emit_slot(&slots, "SHARED_BYTES"),
                               plan->info->shared, &range);
    add_scope(&slots, &scope);
    hone_emit_lines(&plan->geometry, plan, hone_text_shared, "", &slots);
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
                                             struct emit_scope *scope,
                                             struct hone_strbuf *out, const char *text)
{
    enum hone_type type = HONE_INT;
    struct hone_strbuf size = HONE_STRBUF_INIT, guard = HONE_STRBUF_INIT;
    enum hone_status status =
        hone_emit_print_expr(printer, scope, &size, &guard, text, &type);
    if (status == HONE_OK && type > HONE_FLOAT)
        status = hone_emit_blame(
            scope, text, HONE_EINPUT,
            &(struct hone_error){.text = "a workspace needs a number here"});
    if (guard.len) hone_strbuf_printf(out, "!(%s) ? -1 : ", guard.data);
    hone_strbuf_printf(out, type == HONE_FLOAT ? "hone2_to_int(%s)" : "%s", size.data);
    out->failed |= size.failed || guard.failed;
    hone_strbuf_fini(&guard);
    hone_strbuf_fini(&size);
    return status;
}

// Named in the first comment.
static enum hone_status note_workspace(struct emit_plan *plan, const char *function,
                                       const char *name)
{
    if (function)
        plan->scratch =
            hone_arena_printf(&plan->arena, "%s; %s bytes of %s (0: pass null)",
                              plan->scratch ? plan->scratch : "", function, name);
    return function && plan->scratch ? HONE_OK : hone_emit_no_memory(plan);
}

static enum hone_status print_workspace(struct emit_printer *printer,
                                        const struct hone_record_arg *arg)
{
    struct emit_plan *plan = printer->plan;
    struct emit_slots slots = {.count = 0};
    struct emit_scope scope = {.plan = plan, .what = arg->name};
    const unsigned bytes = hone_emit_element_bytes(arg->dtype);
    const char *function = hone_emit_workspace_name(plan, arg->name);
    enum hone_status status = note_workspace(plan, function, arg->name);
    if (status != HONE_OK) return status;
    status = print_workspace_size(printer, &scope,
                                  hone_emit_slot(&slots, "WORKSPACE_SIZE"), arg->size);
    hone_strbuf_add(hone_emit_slot(&slots, "WORKSPACE_BYTES"), function);
    hone_strbuf_printf(hone_emit_slot(&slots, "SIZE_MOST"), "%" PRId64,
                       INT64_MAX / bytes);
    hone_strbuf_printf(hone_emit_slot(&slots, "SIZE_UNIT"), "%u", bytes);
    add_scope(&slots, &scope);
    hone_emit_lines(&plan->geometry, plan, hone_text_workspace, "", &slots);
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

// "return K_NO_CONFIG" where the expression has no value, then variable = its C form.
static enum hone_status print_value(struct emit_plan *plan, struct hone_strbuf *out,
                                    const char *text, bool whole)
{
    enum hone_type type = HONE_INT;
    struct emit_scope scope = {
        .plan = plan, .what = "argument", .needs = plan->launch_needs};
    struct hone_strbuf value = HONE_STRBUF_INIT, guard = HONE_STRBUF_INIT;
    enum hone_status status =
        hone_emit_print_expr(plan->printer, &scope, &value, &guard, text, &type);
    if (status == HONE_OK && type > HONE_FLOAT)
        status = hone_emit_blame(&scope, text, HONE_EINPUT,
                                 &(struct hone_error){.text = "a launch needs a number "
                                                              "here"});
    const bool rounds = whole && type == HONE_FLOAT;
    const char *before = rounds             ? "value = hone2_to_int("
                         : whole            ? "value = ("
                         : type == HONE_INT ? "real = (double)("
                                            : "real = (";
    if (guard.len)
        hone_strbuf_printf(out, "    if (!(%s)) return %s_NO_CONFIG;\n", guard.data,
                           plan->upper);
    hone_strbuf_printf(out, "    %s%s);\n", before, value.data);
    if (rounds)
        hone_strbuf_printf(out,
                           "    if (hone2_cmp_fi(%s, value) != 0) return %s_NO_CONFIG;\n",
                           value.data, plan->upper);
    plan->launch_needs = scope.needs;
    out->failed |= value.failed || guard.failed;
    hone_strbuf_fini(&guard);
    hone_strbuf_fini(&value);
    return status;
}

enum hone_status hone_emit_print_integer(struct emit_plan *plan, struct hone_strbuf *out,
                                         const char *text, int64_t low, int64_t high)
{
    plan->launch_values = true;
    enum hone_status status = print_value(plan, out, text, true);
    if (low > INT64_MIN)
        hone_strbuf_printf(out, "    if (value < %" PRId64 "LL) return %s_NO_CONFIG;\n",
                           low, plan->upper);
    if (high < INT64_MAX)
        hone_strbuf_printf(out, "    if (value > %" PRId64 "LL) return %s_NO_CONFIG;\n",
                           high, plan->upper);
    return status;
}

enum hone_status hone_emit_print_real(struct emit_plan *plan, struct hone_strbuf *out,
                                      const char *text)
{
    plan->launch_reals = true;
    return print_value(plan, out, text, false);
}

enum hone_status hone_emit_make_geometry(struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    enum hone_status status = hone_emit_open_printer(plan);
    if (status != HONE_OK || !hone_emit_has_launch(info)) return status;
    static const struct emit_extent grid = {"grid", hone_emit_grid_most, 0},
                                    cluster = {"cluster", hone_emit_cluster_most,
                                               HONE_CLUSTER_MOST};
    status = choose_fields(plan);
    if (status == HONE_OK)
        status = hone_emit_print_extent(plan->printer, &grid, info->grid);
    if (status == HONE_OK) status = print_block(plan->printer);
    if (status == HONE_OK && hone_emit_has_cluster(info)) {
        status = hone_emit_print_extent(plan->printer, &cluster, info->cluster);
        hone_emit_cluster_fits(&plan->geometry, plan);
    }
    if (status == HONE_OK) status = print_shared(plan->printer);
    if (status == HONE_OK) status = print_workspaces(plan->printer);
    if (status == HONE_OK) status = check_limits(plan);
    if (status == HONE_OK && plan->geometry.failed) status = hone_emit_no_memory(plan);
    return status;
}
