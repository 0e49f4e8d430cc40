// The functions that fill three extents: a grid, a block, a cluster. Without a
// configuration, which select may answer, and where CUDA takes no such extent, all are 0.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "c_expr.h"
#include "emit_launch.h"
#include "emit_text.h"

enum hone_status hone_emit_print_number(struct emit_printer *printer,
                                        struct emit_scope *scope, struct hone_strbuf *out,
                                        const char *text, struct hone_expr_c_range *range)
{
    enum hone_type type = HONE_INT;
    struct hone_strbuf value = HONE_STRBUF_INIT, guard = HONE_STRBUF_INIT;
    enum hone_status status =
        hone_emit_print_expr(printer, scope, &value, &guard, text, &type);
    if (status == HONE_OK && type > HONE_FLOAT)
        status =
            hone_emit_blame(scope, text, HONE_EINPUT,
                            &(struct hone_error){.text = "a launch needs a number here"});
    if ((value.failed || guard.failed) && status == HONE_OK)
        status = hone_emit_no_memory(printer->plan);
    if (guard.len) hone_strbuf_printf(out, "!(%s) ? -1 : ", guard.data);
    hone_strbuf_printf(out, type == HONE_FLOAT ? "hone2_to_int(%s)" : "%s", value.data);
    *range = printer->range;
    if (guard.len || type == HONE_FLOAT)
        *range = (struct hone_expr_c_range){.low = INT64_MIN, .high = INT64_MAX};
    hone_strbuf_fini(&guard);
    hone_strbuf_fini(&value);
    return status;
}

// CUDA C++ Programming Guide, technical specifications per compute capability: the same
// from 5.0 on.
const int64_t hone_emit_grid_most[3] = {2147483647, 65535, 65535};
const int64_t hone_emit_block_most[3] = {1024, 1024, 64};
const int64_t hone_emit_cluster_most[3] = {HONE_CLUSTER_MOST, HONE_CLUSTER_MOST,
                                           HONE_CLUSTER_MOST};

/* The value along one axis, as C. */
struct axis {
    struct hone_strbuf text;
    struct hone_expr_c_range range;
    bool is_given; // else it is 1
};

// A name or a number, with what leads to it.
static bool is_short(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_->.";
    return text[0] != '-' && text[strspn(text, letters)] == '\0';
}

static void add_bound(struct hone_strbuf *when, const char *text, const char *symbol,
                      int64_t bound)
{
    hone_strbuf_printf(when, "%s%s %s %" PRId64, when->len ? " || " : "", text, symbol,
                       bound);
}

// As many in all as the values of the axes may make.
static int64_t volume_of(const struct emit_extent *kind, const struct axis axes[3])
{
    int64_t volume = 1;
    for (int i = 0; i < 3; i++) {
        const int64_t most = axes[i].range.high;
        volume *= !axes[i].is_given ? 1 : most < kind->most[i] ? most : kind->most[i];
    }
    return volume;
}

static void bound_volume(struct hone_strbuf *when, const struct emit_extent *kind,
                         const struct axis axes[3])
{
    struct hone_strbuf product = HONE_STRBUF_INIT;
    for (int i = 0; i < 3; i++)
        if (axes[i].is_given)
            hone_strbuf_printf(&product, "%s%s", product.len ? " * " : "",
                               axes[i].text.data);
    if (product.len) add_bound(when, product.data, ">", kind->volume);
    when->failed |= product.failed;
    hone_strbuf_fini(&product);
}

// Where CUDA takes no such extent; nothing: it takes each.
static void add_bounds(struct hone_strbuf *when, const struct emit_extent *kind,
                       const struct axis axes[3])
{
    for (int i = 0; i < 3; i++) {
        const struct axis *axis = &axes[i];
        if (!axis->is_given) continue;
        if (axis->range.low < 1) add_bound(when, axis->text.data, "<", 1);
        if (axis->range.high > kind->most[i])
            add_bound(when, axis->text.data, ">", kind->most[i]);
    }
    if (kind->volume && volume_of(kind, axes) > kind->volume)
        bound_volume(when, kind, axes);
}

// Read an axis; what is more than a name becomes a constant of the function, in body.
static enum hone_status read_axis(struct emit_printer *printer, struct emit_scope *scope,
                                  struct hone_strbuf *body, struct axis *axis, int number,
                                  const char *text)
{
    struct hone_strbuf value = HONE_STRBUF_INIT;
    axis->is_given = text != NULL;
    if (!text) return HONE_OK;
    const enum hone_status status =
        hone_emit_print_number(printer, scope, &value, text, &axis->range);
    const bool is_name = status == HONE_OK && !value.failed && is_short(value.data);
    if (is_name)
        hone_strbuf_add(&axis->text, value.data);
    else
        hone_strbuf_printf(&axis->text, "%s_%c", scope->what, "xyz"[number]);
    if (!is_name)
        hone_strbuf_printf(body, "    const long long %s = %s;\n", axis->text.data,
                           value.data);
    body->failed |= value.failed || axis->text.failed;
    hone_strbuf_fini(&value);
    return status;
}

static void add_axes(struct emit_slots *slots, const struct axis axes[3])
{
    static const char *const names[] = {"EXTENT_X", "EXTENT_Y", "EXTENT_Z"};
    for (int i = 0; i < 3; i++) {
        struct hone_strbuf *out = hone_emit_slot(slots, names[i]);
        if (axes[i].is_given)
            hone_strbuf_printf(out,
                               hone_is_digit(*axes[i].text.data) ? "%s" : "(unsigned)%s",
                               axes[i].text.data);
        else
            hone_strbuf_add(out, "1");
        out->failed |= axes[i].text.failed;
    }
}

// The values are in the slots already.
static void print_extent(struct emit_plan *plan, const struct emit_extent *kind,
                         struct emit_slots *slots, struct emit_scope *scope,
                         const struct axis axes[3])
{
    char words[16];
    struct hone_strbuf *bounds = hone_emit_slot(slots, "IS_OUT_OF_BOUNDS");
    hone_strbuf_add(hone_emit_slot(slots, "EXTENT"), kind->name);
    hone_strbuf_printf(hone_emit_slot(slots, "KERNEL_EXTENT"), "%s_%s", plan->name,
                       kind->name);
    add_bounds(bounds, kind, axes);
    add_axes(slots, axes);
    scope->reads_config = true; // it may be a null pointer
    hone_emit_print_unused(hone_emit_slot(slots, "UNUSED_ARGS"), scope);
    hone_emit_need(plan, scope->needs);
    hone_emit_print_needed(hone_emit_slot(slots, "NEEDED_VALUES"), plan);
    snprintf(words, sizeof words, "%s%s", plan->geometry.len ? "" : "first ",
             bounds->len ? "bounds " : "");
    hone_emit_lines(&plan->geometry, plan, hone_text_extent, words, slots);
}

enum hone_status hone_emit_print_extent(struct emit_printer *printer,
                                        const struct emit_extent *kind,
                                        const char *const extent[3])
{
    struct emit_plan *plan = printer->plan;
    struct axis axes[3] = {{.text = HONE_STRBUF_INIT},
                           {.text = HONE_STRBUF_INIT},
                           {.text = HONE_STRBUF_INIT}};
    struct emit_scope scope = {.plan = plan, .what = kind->name};
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf *values = hone_emit_slot(&slots, "LONG_AXES");
    enum hone_status status = HONE_OK;
    for (int i = 0; i < 3 && status == HONE_OK; i++)
        status = read_axis(printer, &scope, values, &axes[i], i, extent[i]);
    if (status == HONE_OK) print_extent(plan, kind, &slots, &scope, axes);
    for (int i = 0; i < 3; i++)
        hone_strbuf_fini(&axes[i].text);
    hone_emit_slots_fini(&slots);
    return status;
}
