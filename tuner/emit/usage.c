// What the first comment tells who uses a header: what is selected where, how it is
// compiled and launched, and what is missing.
#include <string.h>

#include "base/sink.h"
#include "emit/coverage.h"
#include "emit_launch.h"
#include "emit_sections.h"
#include "emit_text.h"
#include "launcher.h"
#include "tables.h"

// What gets which configuration, and where the default is from.
static void serves_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    static const char *const origins[] = {
        [EMIT_AUTHORS] = "the author's default",
        [EMIT_BEST_MEAN] = "the best on average of what was valid on all devices",
        [EMIT_FIRST_ROW] = "the first row's"};
    hone_strbuf_add(out, " * Selected: ");
    if (plan->times)
        hone_strbuf_add(out, "the row of this size and GPU (compute capability and SM "
                             "count); else the nearest row, however far, of the same "
                             "major version that fits there; else ");
    hone_strbuf_printf(out, "%s (configuration %zu", origins[plan->default_of],
                       plan->default_config);
    if (plan->default_of == EMIT_BEST_MEAN)
        hone_strbuf_printf(out, "; %.1f %% of each device's best",
                           100 * plan->default_performance);
    hone_strbuf_add(out, ")");
    if (plan->config_count > 1) hone_strbuf_add(out, " or any that fits");
    hone_strbuf_add(out, "; else null.\n");
}

void hone_emit_other_defines(struct hone_strbuf *out, const struct emit_plan *plan)
{
    bool any = false;
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (plan->problem[i].fixed || !hone_emit_is_define(plan, i)) continue;
        hone_strbuf_add(out, " and -D");
        hone_sink_comment(out, plan->info->problem[i].name);
        hone_strbuf_add(out, "=");
        any = true;
    }
    hone_strbuf_add(out, any ? " of the problem" : "");
    if (!plan->defines && plan->info->problem_count)
        hone_strbuf_add(out, " and those of the script's defines, which no journal "
                             "recorded");
}

// The functions that give the launch, and what else it has to be.
static void geometry_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const unsigned flags = plan->info->launch_flags;
    hone_emit_put(out, plan, "; $n_grid, $n_block, ");
    if (hone_emit_has_cluster(plan->info)) hone_emit_put(out, plan, "$n_cluster, ");
    hone_emit_put(out, plan, "$n_shared_bytes its launch");
    if (flags & HONE_LAUNCH_COOPERATIVE) hone_strbuf_add(out, ", a cooperative one");
    if (flags & HONE_LAUNCH_DEPENDENT)
        hone_strbuf_add(out, ", by programmatic stream serialization");
}

static void launch_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const bool launches = plan->payload && plan->shape == HONE_SHAPE_TABLE;
    hone_emit_put(out, plan, " * To launch: ");
    if (launches) hone_emit_put(out, plan, "$n" EMIT_PAYLOAD_LINE ". By hand: ");
    hone_emit_put(out, plan,
                  "$n_select gives a configuration, $n_defines[config - $n_configs] "
                  "the options to compile ");
    hone_sink_comment(out, plan->info->template_name ? plan->info->template_name : "it");
    hone_strbuf_add(out, " with");
    hone_emit_other_defines(out, plan);
    if (hone_emit_has_launch(plan->info)) geometry_comment(out, plan);
    hone_strbuf_add(out, plan->scratch ? plan->scratch : "");
    hone_strbuf_add(out, ".");
    hone_strbuf_add(out, " C99, C++11, CUDA.\n");
}

static bool is_compared_everywhere(const struct emit_plan *plan)
{
    const char *why;
    for (size_t i = 0; i < plan->row_count; i++)
        if (!hone_emit_compared(&why, plan, &plan->rows[i])) return false;
    return true;
}

static void missing_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_strbuf_add(out, " * Missing: ");
    if (plan->times == HONE_TIME_PREDICTED) hone_strbuf_add(out, "measured times; ");
    if (plan->times && !is_compared_everywhere(plan))
        hone_strbuf_add(out, "a look at the results of every row; ");
    hone_strbuf_add(out, plan->times ? "tuning for other sizes and GPUs" : "tuning");
    if (!plan->payload)
        hone_strbuf_printf(out, "; the kernel's code%s (--payload)",
                           hone_emit_has_maps(plan) ? ", the making of tensor maps" : "");
    hone_strbuf_add(out, ".\n");
}

// How many of the devices that have some configuration lack one for what is asked.
enum extent { IN_PARTS, EVERYWHERE };

static enum extent extent_of(const struct hone_coverage *coverage,
                             const struct hone_coverage_gap *gap)
{
    size_t lacking = 0;
    for (size_t d = 0; d < coverage->device_count; d++)
        lacking += gap->missing[d] == gap->asked;
    return lacking + coverage->without_count == coverage->device_count ? EVERYWHERE
                                                                       : IN_PARTS;
}

// "on compute capability 7.0, 7.5": what items have in common is said once.
static void add_item(struct hone_strbuf *out, const char **before, const char *begin,
                     const char *item)
{
    static const char common[] = "compute capability ";
    enum { LEN = sizeof common - 1 };
    const bool again =
        *before && strncmp(*before, common, LEN) == 0 && strncmp(item, common, LEN) == 0;
    hone_strbuf_add(out, *before ? ", " : begin);
    hone_sink_comment(out, item + (again ? LEN : 0));
    *before = item;
}

static bool add_kinds(struct hone_strbuf *out, const struct hone_coverage *coverage,
                      enum extent extent, const char *begin)
{
    const char *kind = NULL;
    for (size_t i = 0; i < coverage->gap_count; i++)
        if (extent_of(coverage, &coverage->gaps[i]) == extent)
            add_item(out, &kind, begin, coverage->gaps[i].what);
    return kind != NULL;
}

static void add_gpus(struct hone_strbuf *out, const char *begin, const char *const *names,
                     size_t count)
{
    const char *device = NULL;
    for (size_t d = 0; d < count; d++)
        add_item(out, &device, begin, names[d]);
}

// GPUs that have no configuration, what else has none, and what only some sizes or GPUs
// lack.
static void add_gaps(struct hone_strbuf *out, const struct hone_coverage *coverage)
{
    const size_t without = coverage->without_count;
    add_gpus(out, "on ", coverage->without, without);
    const bool kinds =
        add_kinds(out, coverage, EVERYWHERE, without ? "; elsewhere for " : "for ");
    add_kinds(out, coverage, IN_PARTS,
              without || kinds ? "; in some cases for " : "in some cases for ");
}

// What of the sizes and GPUs that are tried has no configuration.
static enum hone_status gaps_comment(struct hone_strbuf *out,
                                     const struct emit_plan *plan)
{
    struct hone_coverage coverage = {0};
    const enum hone_status status = hone_emit_survey(&coverage, plan, NULL);
    if (status == HONE_OK && coverage.without_image_count) {
        add_gpus(out, " * No image for ", coverage.without_image,
                 coverage.without_image_count);
        hone_strbuf_add(out, ": --arch gives more.\n");
    }
    if (status == HONE_OK && (coverage.gap_count || coverage.without_count)) {
        hone_strbuf_add(out, " * No configuration ");
        add_gaps(out, &coverage);
        hone_strbuf_add(
            out,
            " (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)), as "
            "constraints, arguments or launches forbid: tune such, or expect null.\n");
    }
    hone_coverage_fini(&coverage);
    return status;
}

// What is asked of tensor maps before a launch, and what is not.
static void maps_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const char *before = " * Tensor maps of ";
    const char *unit = "16 bytes";
    if (!hone_emit_has_maps(plan)) return;
    for (size_t i = 0; i < plan->info->arg_count; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        if (!arg->map) continue;
        hone_strbuf_add(out, before);
        hone_sink_comment(out, arg->name);
        before = ", ";
        if (arg->map->modes.interleave == 32) unit = "16 bytes (32 where interleaved so)";
    }
    hone_strbuf_printf(
        out,
        ": nothing is selected but for sizes of 1 to 2^32, strides that are "
        "multiples of %s below 2^40, boxes up to 256, whose rows are "
        "multiples of 16 bytes. That addresses are such multiples, nobody "
        "asks: see to it.\n",
        unit);
}

enum hone_status hone_emit_usage_comment(struct hone_strbuf *out,
                                         const struct emit_plan *plan)
{
    serves_comment(out, plan);
    launch_comment(out, plan);
    maps_comment(out, plan);
    missing_comment(out, plan);
    const enum hone_status status = gaps_comment(out, plan);
    hone_emit_symbols_comment(out, plan);
    return status;
}
