// Where a header comes from: its first lines, and the same as one text in each row.
#include <inttypes.h>
#include <math.h>

#include "hone/version.h"
#include "internal.h"

// The standard error of a median of n samples: sqrt(pi / 2) s / sqrt(n) (normal samples).
static double median_error(const struct hone_trial *trial)
{
    return sqrt(acos(-1.0) / 2) * trial->rel_std / sqrt((double)trial->samples);
}

// How much faster than the author's default, with a 95 % interval where the spread of
// both is known: relative errors of the two medians add in squares for their ratio.
// Finals compare the two round by round, which is worth more: their interval is taken.
static struct hone_gain measure_gain(const struct emit_plan *plan,
                                     const struct emit_row *row)
{
    const struct hone_trial *best = row->best, *base = row->baseline;
    struct hone_gain gain;
    if (hone_finals_gain(&gain, best, base)) return gain;
    gain = (struct hone_gain){.ratio = emit_cost(plan, base) / emit_cost(plan, best),
                              .low = (double)NAN,
                              .high = (double)NAN};
    bool known = !plan->predicted && !(best->cost > 0) && best->samples > 1 &&
                 base->samples > 1 && isfinite(best->rel_std) && isfinite(base->rel_std);
    if (!known) return gain;
    double half = 1.96 * hypot(median_error(best), median_error(base));
    gain.low = gain.ratio * (1 - half);
    gain.high = gain.ratio * (1 + half);
    return gain;
}

// "553.6 us", with spread where it is known
static void add_figure(struct hone_strbuf *out, const struct emit_plan *plan,
                       const struct emit_row *row)
{
    const struct hone_trial *best = row->best;
    hone_strbuf_printf(out, "%.6g us%s", emit_time(plan, best),
                       plan->predicted ? " (predicted)" : "");
    if (best->energy_j > 0) hone_strbuf_printf(out, ", %.4g J", best->energy_j);
    if (best->samples) hone_strbuf_printf(out, ", n %" PRIu32, best->samples);
    if (isfinite(best->rel_std))
        hone_strbuf_printf(out, ", standard deviation %.3g %%", 100 * best->rel_std);
}

static void add_gain(struct hone_strbuf *out, const struct emit_plan *plan,
                     const struct emit_row *row)
{
    if (!row->baseline) return;
    struct hone_gain gain = measure_gain(plan, row);
    if (row->baseline == row->best) {
        hone_strbuf_add(out, "; is the author's default");
        return;
    }
    if (row->best->cost > 0)
        hone_strbuf_printf(out, "; %.3f times as good by %s as the author's default",
                           gain.ratio, row->info->objective);
    else
        hone_strbuf_printf(out, "; %s%.3f times as fast as the author's default",
                           plan->predicted ? "predicted " : "", gain.ratio);
    if (isfinite(gain.low))
        hone_strbuf_printf(out, " (95 %% interval %.3f to %.3f", gain.low, gain.high);
    if (isfinite(gain.low) && gain.rounds)
        hone_strbuf_printf(out, ", %" PRIu32 " paired rounds", gain.rounds);
    if (isfinite(gain.low)) hone_strbuf_add(out, ")");
}

static void add_search(struct hone_strbuf *out, const struct emit_row *row)
{
    const struct hone_record_info *info = row->info;
    if (info->strategy)
        hone_strbuf_printf(out, "strategy %s, seed %" PRIu64 ", ", info->strategy,
                           info->seed);
    hone_strbuf_printf(out, "%zu evaluated, %zu of them valid", row->evaluated,
                       row->valid);
    if (info->space_count) hone_strbuf_printf(out, ", of %" PRIu64, info->space_count);
    if (row->journals > 1) hone_strbuf_printf(out, ", in %zu journals", row->journals);
}

static void add_named(struct hone_strbuf *out, const char *separator, const char *name,
                      const char *text)
{
    if (text) hone_strbuf_printf(out, "%s%s %s", out->len ? separator : "", name, text);
}

static void add_tools(struct hone_strbuf *out, const struct hone_record_info *info)
{
    add_named(out, ", ", "driver", info->driver);
    add_named(out, ", ", "NVRTC", info->nvrtc_version);
    add_named(out, ", ", "recorded by hone", info->hone_version);
}

static void add_hashes(struct hone_strbuf *out, const struct hone_record_info *info)
{
    add_named(out, ", ", "template", info->template_name);
    add_named(out, ", ", "template hash", info->template_hash);
    add_named(out, ", ", "space hash", info->space_hash);
    add_named(out, ", ", "options hash", info->options_hash);
}

static void add_device(struct hone_strbuf *out, const struct hone_record_info *info)
{
    const struct hone_limits *limits = info->limits;
    const char *name = info->device_name;
    hone_strbuf_add(out, name && *name ? name : "a device that was not named");
    if (limits)
        hone_strbuf_printf(
            out, " (compute capability %" PRId64 ".%" PRId64 ", %" PRId64 " SMs)",
            limits->cc_major, limits->cc_minor, limits->sm_count);
}

static void add_problem(struct hone_strbuf *out, const struct hone_record_info *info)
{
    for (size_t i = 0; i < info->problem_count; i++) {
        char text[64];
        hone_value_print(text, sizeof text, info->problem[i].value);
        hone_strbuf_printf(out, "%s%s = %s", i ? ", " : "", info->problem[i].name, text);
    }
}

void emit_provenance(struct hone_strbuf *out, const struct emit_plan *plan,
                     const struct emit_row *row)
{
    struct hone_strbuf tools = HONE_STRBUF_INIT, hashes = HONE_STRBUF_INIT;
    add_tools(&tools, row->info);
    add_hashes(&hashes, row->info);
    hone_strbuf_add(out, plan->predicted ? "predicted: " : "measured: ");
    add_figure(out, plan, row);
    add_gain(out, plan, row);
    add_named(out, "; ", "clock", row->info->clock);
    add_named(out, ", ", "L2", row->info->l2);
    hone_strbuf_add(out, "; ");
    add_search(out, row);
    if (tools.len) hone_strbuf_printf(out, "; %s", tools.data);
    if (hashes.len) hone_strbuf_printf(out, "; %s", hashes.data);
    out->failed = out->failed || tools.failed || hashes.failed;
    hone_strbuf_fini(&tools);
    hone_strbuf_fini(&hashes);
}

// One line of the comment; nothing when there is nothing to say.
static void flush_line(struct hone_strbuf *out, struct hone_strbuf *line,
                       const char *indent)
{
    out->failed = out->failed || line->failed;
    if (line->len) {
        hone_strbuf_printf(out, " * %s", indent);
        emit_comment(out, line->data);
        hone_strbuf_add(out, "\n");
    }
    hone_strbuf_clear(line);
}

static void row_comment(struct hone_strbuf *out, const struct emit_plan *plan, size_t i)
{
    const struct emit_row *row = &plan->rows[i];
    struct hone_strbuf line = HONE_STRBUF_INIT;
    hone_strbuf_printf(&line, "Row %zu: ", i);
    add_device(&line, row->info);
    flush_line(out, &line, "");
    add_problem(&line, row->info);
    flush_line(out, &line, "  ");
    add_figure(&line, plan, row);
    add_gain(&line, plan, row);
    flush_line(out, &line, "  ");
    add_search(&line, row);
    flush_line(out, &line, "  ");
    add_tools(&line, row->info);
    flush_line(out, &line, "  ");
    add_hashes(&line, row->info);
    flush_line(out, &line, "  ");
    hone_strbuf_fini(&line);
}

static bool has_interval(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->row_count; i++) {
        const struct emit_row *row = &plan->rows[i];
        if (row->baseline && row->baseline != row->best &&
            isfinite(measure_gain(plan, row).low) && !measure_gain(plan, row).rounds)
            return true;
    }
    return false;
}

void emit_head_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct hone_strbuf line = HONE_STRBUF_INIT;
    hone_strbuf_printf(
        &line,
        "Tuned configurations of the kernel %s. Emitted by hone " HONE_VERSION
        ": do not edit.",
        plan->info->kernel);
    hone_strbuf_add(out, "/* ");
    emit_comment(out, line.data);
    hone_strbuf_add(out, "\n *\n");
    hone_strbuf_clear(&line);
    hone_strbuf_add(&line, plan->predicted
                               ? "PREDICTED by the emulator's model, not measured"
                               : "MEASURED: times are medians of n launches");
    add_named(&line, "; ", "clock", plan->info->clock);
    add_named(&line, ", ", "L2", plan->info->l2);
    flush_line(out, &line, "");
    if (has_interval(plan))
        hone_strbuf_add(
            out, " * Intervals are those of the ratio of two medians whose standard "
                 "error is\n * sqrt(pi / 2) s / sqrt(n), as of normal samples.\n");
    for (size_t i = 0; i < plan->row_count; i++) {
        hone_strbuf_add(out, " *\n");
        row_comment(out, plan, i);
    }
    hone_strbuf_add(out, " */\n");
    hone_strbuf_fini(&line);
}
