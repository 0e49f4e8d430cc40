// What the kernel can be passed: a size below 0, beyond the type of the argument that
// takes it, or beyond what a tensor map holds, is one that no configuration of the table
// serves. What follows from other bounds is no check.
#include <assert.h>
#include <string.h>

#include "c_expr.h"
#include "emit_launch.h"

bool hone_emit_is_computed(const struct emit_plan *plan,
                           const struct hone_record_arg *arg)
{
    return arg->kind && arg->size && strcmp(arg->kind, "scalar") == 0 &&
           hone_emit_reads_outside(plan, arg->size);
}

bool hone_emit_integer_range(const char *dtype, int64_t *low, int64_t *high)
{
    *low = INT64_MIN, *high = INT64_MAX;
    if (!dtype || (dtype[0] != 'i' && dtype[0] != 'u')) return false;
    const bool is_signed = dtype[0] == 'i';
    const unsigned bits = 8 * hone_emit_element_bytes(dtype) - is_signed;
    *high = bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
    *low = is_signed ? -*high - 1 : 0;
    return true;
}

int64_t hone_emit_map_most(const struct hone_record_arg *arg, size_t axis,
                           enum emit_map_part part)
{
    const int64_t bytes = hone_emit_element_bytes(arg->dtype);
    const int64_t line = hone_map_line_most(&arg->map->modes) / bytes;
    const int64_t most[] = {[EMIT_MAP_SIZE] = INT64_C(1) << 32,
                            [EMIT_MAP_BOX] = !axis && line < HONE_MAP_BOX_MOST
                                                 ? line
                                                 : (int64_t)HONE_MAP_BOX_MOST,
                            [EMIT_MAP_STRIDE] = ((INT64_C(1) << 40) - 1) / bytes};
    return most[part];
}

// What divides it, in elements.
static int64_t map_unit(const struct hone_record_arg *arg, size_t axis,
                        enum emit_map_part part)
{
    const struct hone_map_modes *modes = &arg->map->modes;
    const uint32_t bytes = part == EMIT_MAP_STRIDE         ? hone_map_unit(modes)
                           : part == EMIT_MAP_BOX && !axis ? hone_map_line_unit(modes)
                                                           : 1;
    const uint32_t element = hone_emit_element_bytes(arg->dtype);
    return bytes > element ? bytes / element : 1;
}

/* A number that a launch passes on. */
struct passed {
    struct emit_fit fit;
    size_t size; // the constant that it is; else SIZE_MAX
};

struct passing {
    struct emit_plan *plan;
    struct passed *list;
    size_t count;
    struct hone_expr_c_range sizes[EMIT_CONSTANTS_MOST]; // as they are passed
    int64_t units[EMIT_CONSTANTS_MOST];                  // what divides them
};

static const struct hone_expr_c_range any = {INT64_MIN, INT64_MAX, false};

static void passing_add(struct passing *p, const char *text, const char *name,
                        struct emit_fit fit)
{
    if (!text || !hone_emit_reads_outside(p->plan, text)) return;
    fit.text = text;
    fit.name = name;
    fit.known = any;
    p->list[p->count++] = (struct passed){fit, SIZE_MAX};
}

static struct emit_fit integer_fit(int64_t low, int64_t high, int64_t unit)
{
    return (struct emit_fit){
        .of = EMIT_FIT_INTEGER, .low = low, .high = high, .unit = unit};
}

// A stride that is not given is the product of the sizes of the axes within; NULL: no
// memory.
static const char *stride_text(struct hone_arena *arena, const struct hone_map_def *map,
                               size_t i)
{
    if (map->axes[i].stride) return map->axes[i].stride;
    if (i == 1) return map->axes[0].size;
    const char *text = stride_text(arena, map, i - 1);
    return text ? hone_arena_printf(arena, "(%s) * (%s)", text, map->axes[i - 1].size)
                : NULL;
}

static enum hone_status add_map(struct passing *p, const struct hone_record_arg *arg)
{
    for (size_t i = 0; arg->map && i < arg->map->rank; i++) {
        const char *const texts[] = {
            [EMIT_MAP_SIZE] = arg->map->axes[i].size,
            [EMIT_MAP_BOX] = arg->map->axes[i].box,
            [EMIT_MAP_STRIDE] = i ? stride_text(&p->plan->arena, arg->map, i) : ""};
        if (!texts[EMIT_MAP_STRIDE]) return hone_emit_no_memory(p->plan);
        for (unsigned k = 0; k < (i ? EMIT_MAP_PARTS : EMIT_MAP_STRIDE); k++) {
            const enum emit_map_part part = (enum emit_map_part)k;
            passing_add(
                p, texts[k], arg->name,
                integer_fit(1, hone_emit_map_most(arg, i, part), map_unit(arg, i, part)));
        }
    }
    return HONE_OK;
}

// The least that the script asked of a size, by a problem or by what it had drawn, where
// that is no size of anything; else 0, which kernels are verified at.
static int64_t size_least(const struct emit_plan *plan, size_t i)
{
    int64_t least = 0;
    for (size_t r = 0; r < plan->row_count; r++) {
        const struct emit_row *row = &plan->rows[r];
        const struct hone_record_info *info = row->info;
        if (row->problem[i].value.i < least) least = row->problem[i].value.i;
        for (size_t n = 0; n < info->drawn_sizes; n++) {
            const struct hone_value drawn = info->drawn[n * info->problem_count + i];
            if (drawn.type == HONE_INT && drawn.i < least) least = drawn.i;
        }
    }
    return least;
}

static void add_sizes(struct passing *p)
{
    const struct hone_record_info *info = p->plan->info;
    for (size_t i = 0; i < info->problem_count; i++)
        if (hone_emit_is_size(p->plan, i))
            passing_add(p, info->problem[i].name, info->problem[i].name,
                        integer_fit(size_least(p->plan, i), INT64_MAX, 1));
}

// A header serves where the kernel has all of them.
static enum hone_status add_all(struct passing *p)
{
    const struct hone_record_info *info = p->plan->info;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < info->arg_count && status == HONE_OK; i++) {
        const struct hone_record_arg *arg = &info->args[i];
        int64_t low, high;
        if (hone_emit_is_computed(p->plan, arg)) {
            const bool whole = hone_emit_integer_range(arg->dtype, &low, &high);
            passing_add(p, arg->size, arg->name,
                        whole ? integer_fit(low, high, 1)
                              : (struct emit_fit){.of = EMIT_FIT_NUMBER});
        }
        status = add_map(p, arg);
    }
    return status;
}

/* --- what is proven --- */

// The constant of this name in C.
static size_t size_named(const struct emit_plan *plan, const char *c)
{
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (!plan->problem[i].fixed && plan->problem[i].type == HONE_INT &&
            strcmp(plan->problem[i].name, c) == 0)
            return i;
    return SIZE_MAX;
}

static void narrow(struct hone_expr_c_range *range, int64_t low, int64_t high)
{
    if (low > range->low) range->low = low;
    if (high < range->high) range->high = high;
}

// By a printer of its own, whose scope is no function's: nothing that is read here is
// needed for that. True: it has a value, which is in bounds; what is no number is passed
// by no launch.
static bool is_proven(struct emit_printer *printer, struct passing *p, struct passed *one)
{
    struct emit_scope scope = {
        .plan = p->plan, .what = "argument", .of_gpu = true, .of_derived = true};
    struct hone_strbuf value = HONE_STRBUF_INIT, guard = HONE_STRBUF_INIT;
    struct hone_error own = {0}, *const err = p->plan->err;
    enum hone_type type = HONE_INT;
    p->plan->err = &own;
    const bool printed = hone_emit_print_expr(printer, &scope, &value, &guard,
                                              one->fit.text, &type) == HONE_OK &&
                         !value.failed && !guard.failed;
    p->plan->err = err;
    const bool sound = printed && !guard.len;
    const struct hone_expr_c_range range = printer->range;
    if (sound && type == HONE_INT) one->size = size_named(p->plan, value.data);
    hone_strbuf_fini(&guard);
    hone_strbuf_fini(&value);
    if (!sound) return false;
    if (one->fit.of == EMIT_FIT_NUMBER || type > HONE_FLOAT) return true;
    if (type == HONE_INT) one->fit.known = range;
    return type == HONE_INT && range.low >= one->fit.low && range.high <= one->fit.high;
}

// The bounds of an argument that is a size by itself hold for what else reads that size.
static enum hone_status prove(struct passing *p, bool *proven)
{
    struct emit_plan *plan = p->plan;
    struct emit_printer *const printer = plan->printer;
    enum hone_status status = hone_emit_open_printer(plan);
    if (status == HONE_OK) plan->printer->sizes = p->sizes;
    for (size_t i = 0; i < p->count && status == HONE_OK; i++)
        proven[i] = is_proven(plan->printer, p, &p->list[i]);
    if (plan->printer != printer) hone_emit_close_printer(plan);
    plan->printer = printer;
    return status;
}

static enum hone_status narrow_sizes(struct passing *p, bool *proven)
{
    const enum hone_status status = prove(p, proven);
    for (size_t i = 0; i < p->count && status == HONE_OK; i++) {
        const struct passed *one = &p->list[i];
        if (one->size == SIZE_MAX) continue;
        narrow(&p->sizes[one->size], one->fit.low, one->fit.high);
        if (p->units[one->size] < one->fit.unit) p->units[one->size] = one->fit.unit;
    }
    return status;
}

/* --- what is not --- */

// A float without a C form is a float; an integer of the device alone is as it was where
// the configuration ran.
static bool decides(const struct emit_fit *fit)
{
    return fit->fails ? fit->reads_problem : fit->of == EMIT_FIT_INTEGER;
}

// The size as its narrowest argument wants it.
static void take_size(const struct passing *p, struct passed *one)
{
    const struct hone_expr_c_range *range = &p->sizes[one->size];
    one->fit.of = EMIT_FIT_INTEGER;
    one->fit.low = range->low, one->fit.high = range->high;
    one->fit.unit = p->units[one->size];
    one->fit.known = any;
}

// Each size once, and what is not proven by that.
static enum hone_status add_fits(struct passing *p, const bool *proven)
{
    struct emit_plan *plan = p->plan;
    enum hone_status status = HONE_OK;
    uint64_t done = 0;
    for (size_t i = 0; i < p->count && status == HONE_OK; i++) {
        struct passed *one = &p->list[i];
        struct emit_fit *fit = &one->fit;
        bool in_bounds = proven[i];
        if (one->size != SIZE_MAX) {
            if (done >> one->size & 1) continue;
            done |= (uint64_t)1 << one->size;
            take_size(p, one);
            in_bounds = fit->low == INT64_MIN && fit->high == INT64_MAX;
        }
        if (fit->unit > 1 && hone_emit_is_multiple(plan, fit->text, fit->unit))
            fit->unit = 1;
        if (in_bounds && fit->unit < 2) continue;
        status = hone_emit_print_fit(plan, fit);
        if (decides(fit)) hone_emit_add_fit(plan, fit);
    }
    return status;
}

size_t hone_emit_bounds_most(const struct hone_record_info *info)
{
    size_t most = info->arg_count + info->problem_count;
    for (size_t i = 0; i < info->arg_count; i++)
        if (info->args[i].map) most += EMIT_MAP_PARTS * info->args[i].map->rank;
    return most;
}

enum hone_status hone_emit_bound_arguments(struct emit_plan *plan)
{
    const size_t most = hone_emit_bounds_most(plan->info);
    struct passing p = {.plan = plan,
                        .list = hone_arena_array(&plan->arena, most, sizeof *p.list)};
    bool *proven = hone_arena_array(&plan->arena, most, sizeof *proven);
    if (!p.list || !proven) return hone_emit_no_memory(plan);
    for (size_t i = 0; i < EMIT_CONSTANTS_MOST; i++)
        p.sizes[i] = any, p.units[i] = 1;
    add_sizes(&p);
    enum hone_status status = add_all(&p);
    if (status == HONE_OK) status = narrow_sizes(&p, proven);
    if (status == HONE_OK) status = prove(&p, proven);
    return status == HONE_OK ? add_fits(&p, proven) : status;
}
