// What the first comment tells who uses a header: what runs where, how it is compiled and
// launched, and what is missing.
#include <string.h>

#include "base/sink.h"
#include "emit/coverage.h"
#include "tables.h"

// What gets which configuration, and where the default is from.
static void serves_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    static const char *const origins[] = {
        [EMIT_AUTHORS] = "the author's default",
        [EMIT_BEST_MEAN] = "the best on average of what ran on all devices",
        [EMIT_FIRST_ROW] = "the first row's"};
    hone_strbuf_add(out, " * What runs: ");
    if (plan->times)
        hone_strbuf_add(out, "the row of this size and GPU (compute capability and SM "
                             "count); else the nearest row of the same major version "
                             "that can run there; else ");
    hone_strbuf_printf(out, "%s (configuration %zu", origins[plan->default_of],
                       plan->default_config);
    if (plan->default_of == EMIT_BEST_MEAN)
        hone_strbuf_printf(out, "; %.1f %% of each device's best",
                           100 * plan->default_performance);
    hone_strbuf_add(out, ")");
    if (plan->config_count > 1) hone_strbuf_add(out, " or any that can");
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

static bool is_of_gap(const struct hone_coverage_gap *gap, const char *device)
{
    for (size_t i = 0; gap && i < gap->device_count; i++)
        if (gap->devices[i] == device) return true;
    return false;
}

static const struct hone_coverage_gap *gap_named(const struct hone_coverage *coverage,
                                                 const char *what)
{
    for (size_t i = 0; i < coverage->gap_count; i++)
        if (strcmp(coverage->gaps[i].what, what) == 0) return &coverage->gaps[i];
    return NULL;
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

// GPUs that have nothing at the tuned sizes, and what else nothing runs for on others.
static void add_gaps(struct hone_strbuf *out, const struct hone_coverage *coverage)
{
    const struct hone_coverage_gap *tuned = gap_named(coverage, "tuned");
    const char *device = NULL, *kind = NULL;
    for (size_t i = 0; tuned && i < tuned->device_count; i++)
        add_item(out, &device, "on ", tuned->devices[i]);
    for (size_t i = 0; i < coverage->gap_count; i++) {
        const struct hone_coverage_gap *gap = &coverage->gaps[i];
        size_t further = 0;
        for (size_t d = 0; d < gap->device_count; d++)
            further += !is_of_gap(tuned, gap->devices[d]);
        if (further)
            add_item(out, &kind, device ? "; elsewhere for " : "for ", gap->what);
    }
}

// What of the sizes and GPUs that are tried has no configuration.
static void gaps_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct hone_coverage coverage = {0};
    const enum hone_status status = hone_emit_survey(&coverage, plan, NULL);
    if (status == HONE_OK && coverage.gap_count) {
        hone_strbuf_add(out, " * Nothing runs ");
        add_gaps(out, &coverage);
        hone_strbuf_add(
            out, " (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)).\n");
    }
    out->failed |= status != HONE_OK;
    hone_coverage_fini(&coverage);
}

void hone_emit_usage_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    serves_comment(out, plan);
    launch_comment(out, plan);
    missing_comment(out, plan);
    gaps_comment(out, plan);
    hone_emit_symbols_comment(out, plan);
}
