// What a header says of a row: its figure, the gain over the author's default, the search
// that found it and what was compared.
#include <inttypes.h>
#include <math.h>

#include "base/quantity.h"
#include "comment.h"
#include "emit_sections.h"

// That of the row's journals which the trial is of.
static const struct emit_row *member_of(const struct emit_row *row,
                                        const struct hone_trial *trial)
{
    for (size_t i = 0; i < row->journals; i++)
        if (hone_recording_find(row->members[i].recording, trial->index) == trial)
            return &row->members[i];
    return row;
}

// The author's default, of the journal of what serves the row, or NULL: times of two
// journals make no gain.
static const struct hone_trial *default_beside(const struct emit_row *row)
{
    return member_of(row, row->served)->baseline;
}

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
    const struct hone_trial *best = row->served, *base = default_beside(row);
    struct hone_gain gain;
    if (hone_finals_gain(&gain, best, base)) return gain;
    gain = (struct hone_gain){.ratio =
                                  hone_emit_cost(plan, base) / hone_emit_cost(plan, best),
                              .low = (double)NAN,
                              .high = (double)NAN};
    bool known = plan->times != HONE_TIME_PREDICTED && !(best->cost > 0) &&
                 best->samples > 1 && base->samples > 1 && isfinite(best->rel_std) &&
                 isfinite(base->rel_std);
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
    const struct hone_trial *best = row->served;
    const char *measured = hone_time_kind_measured(best->kind);
    hone_strbuf_printf(out, "%s us%s", hone_plain(hone_emit_time(plan, best), 6).text,
                       plan->times == HONE_TIME_PREDICTED ? " (predicted)" : "");
    if (*measured) hone_strbuf_printf(out, ", %s", measured);
    if (best->final.sustained_us > 0)
        hone_strbuf_printf(out, ", %s us %s",
                           hone_plain(best->final.sustained_us, 6).text,
                           hone_time_kind_name(HONE_TIME_SUSTAINED));
    if (best->energy_j > 0) hone_strbuf_printf(out, ", %.4g J", best->energy_j);
    const double warm_us = hone_trial_metric(best, "warm_us", 0);
    if (warm_us > 0)
        hone_strbuf_printf(out, ", %s us with warm caches", hone_plain(warm_us, 4).text);
    if (best->samples) hone_strbuf_printf(out, ", n %" PRIu32, best->samples);
    if (isfinite(best->rel_std))
        hone_strbuf_printf(out, ", standard deviation %.3g %%", 100 * best->rel_std);
}

static void add_gain(struct hone_strbuf *out, const struct emit_plan *plan,
                     const struct emit_row *row)
{
    const struct hone_trial *base = default_beside(row);
    if (base == row->served) hone_strbuf_add(out, "; is the author's default");
    if (!base || base == row->served) return;
    struct hone_gain gain = measure_gain(plan, row);
    if (row->served->cost > 0)
        hone_strbuf_printf(out, "; %.3f times as good by %s as the author's default",
                           gain.ratio,
                           row->info->objective ? row->info->objective : "cost");
    else
        hone_strbuf_printf(out, "; %s%.3f times as fast as the author's default",
                           plan->times == HONE_TIME_PREDICTED ? "predicted " : "",
                           gain.ratio);
    if (isfinite(gain.low))
        hone_strbuf_printf(out, " (95 %% interval %.3f to %.3f", gain.low, gain.high);
    if (isfinite(gain.low) && gain.rounds)
        hone_strbuf_printf(out, ", %" PRIu32 " paired rounds", gain.rounds);
    if (isfinite(gain.low)) hone_strbuf_add(out, ")");
}

// What the row's configuration gives away to a better one that is none of the header's.
static void add_regret(struct hone_strbuf *out, const struct emit_plan *plan,
                       const struct emit_row *row)
{
    if (!(row->regret > 0)) return;
    hone_strbuf_printf(
        out, "%.1f %% over the best, %s us, whose configuration is not kept",
        100 * row->regret, hone_plain(hone_emit_time(plan, row->best), 6).text);
}

static void add_search(struct hone_strbuf *out, const struct emit_row *row)
{
    const struct hone_record_info *info = row->info;
    if (info->strategy)
        hone_strbuf_printf(out, "strategy %s, seed %" PRIu64 ", ", info->strategy,
                           info->seed);
    hone_strbuf_printf(out, "%zu evaluated, %zu of them valid", row->evaluated,
                       row->valid);
    if (info->space_count)
        hone_strbuf_printf(out, ", of %" PRIu64 " in the space", info->space_count);
    if (row->journals > 1) hone_strbuf_printf(out, ", in %zu journals", row->journals);
}

const struct hone_trial *hone_emit_compared(const char **why,
                                            const struct emit_plan *plan,
                                            const struct emit_row *row)
{
    const struct hone_trial *trial =
        hone_emit_trial_of(plan, row, &plan->configs[row->config]);
    const char *why_not_best;
    *why = NULL;
    if (trial && hone_trial_is_compared(why, trial)) return trial;
    if (*why || trial == row->best || (trial && trial->compared[0])) return NULL;
    if (hone_trial_is_compared(&why_not_best, row->best) || why_not_best)
        *why =
            row->regret > 0 ? "it was not the best" : "those of another, as fast, were";
    return NULL;
}

// Nothing where no journal says anything.
static void add_compared(struct hone_strbuf *out, const struct emit_plan *plan,
                         const struct emit_row *row)
{
    const char *why;
    const struct hone_trial *trial = hone_emit_compared(&why, plan, row);
    if (trial) {
        char text[HONE_COMPARED_MAX + 16];
        hone_strbuf_printf(out, "results at this size: %s",
                           hone_compared_text(text, trial));
    } else if (why) {
        hone_strbuf_printf(out, "results not verified at this size (%s)", why);
    }
}

// What was found in the row's configuration and let pass, with the author's reason.
static void waived_comment(struct hone_strbuf *out, const struct emit_plan *plan,
                           const struct emit_row *row)
{
    const struct hone_trial *trial =
        hone_emit_trial_of(plan, row, &plan->configs[row->config]);
    struct hone_strbuf line = HONE_STRBUF_INIT;
    if (!trial) return;
    const struct hone_record_info *info = member_of(row, trial)->info;
    for (size_t i = 0; i < info->waiver_count && i < HONE_WAIVER_MAX; i++) {
        const struct hone_waiver *waiver = &info->waivers[i];
        char text[256];
        if (!trial->waived[i]) continue;
        hone_waiver_text(text, sizeof text, waiver);
        hone_strbuf_printf(&line, "waived: %s: %s", text, waiver->reason);
        hone_emit_comment_line(out, &line, "  ");
    }
    hone_strbuf_fini(&line);
}

void hone_emit_row_comment(struct hone_strbuf *out, const struct emit_plan *plan,
                           size_t i)
{
    const struct emit_row *row = &plan->rows[i];
    struct hone_strbuf line = HONE_STRBUF_INIT;
    hone_strbuf_printf(&line, "Row %zu, configuration %zu: ", i, row->config);
    hone_emit_add_problem(&line, plan, row->info, false);
    if (row->weight != 1)
        hone_strbuf_printf(&line, "%sweight %g", row->info->problem_count ? ", " : "",
                           row->weight);
    hone_emit_comment_line(out, &line, "");
    if (plan->times != HONE_TIME_NONE) {
        add_figure(&line, plan, row);
        add_gain(&line, plan, row);
        hone_emit_comment_line(out, &line, "  ");
        add_regret(&line, plan, row);
        hone_emit_comment_line(out, &line, "  ");
        add_search(&line, row);
        hone_emit_comment_line(out, &line, "  ");
        add_compared(&line, plan, row);
        hone_emit_comment_line(out, &line, "  ");
        waived_comment(out, plan, row);
    }
    hone_strbuf_fini(&line);
}

bool hone_emit_has_interval(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->row_count; i++) {
        const struct emit_row *row = &plan->rows[i];
        const struct hone_trial *base = default_beside(row);
        if (base && base != row->served && isfinite(measure_gain(plan, row).low) &&
            !measure_gain(plan, row).rounds)
            return true;
    }
    return false;
}
