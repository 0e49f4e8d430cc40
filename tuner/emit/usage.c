// What the first comment tells who uses a header: what runs where, how it is compiled and
// launched, and what is missing.
#include <string.h>

#include "base/sink.h"
#include "emit_internal.h"

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

void hone_emit_usage_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    serves_comment(out, plan);
    launch_comment(out, plan);
    missing_comment(out, plan);
    hone_emit_symbols_comment(out, plan);
}
