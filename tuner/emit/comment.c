// Where a header comes from: its first lines, and the same as one text in each row.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/quantity.h"
#include "base/sink.h"
#include "emit_sections.h"
#include "emit_text.h"
#include "failed.h"
#include "hone/version.h"
#include "problem_words.h"

// What a header says of its times.
static const struct {
    const char *brief, *head;
} times_words[] = {
    [HONE_TIME_NONE] = {"not tuned",
                        "NOT TUNED: the author's default configuration; nothing was "
                        "measured"},
    [HONE_TIME_BURST] = {"measured", "MEASURED: times are medians of n launches"},
    [HONE_TIME_PREDICTED] = {"predicted",
                             "PREDICTED by the emulator's model, not measured"},
};

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
    hone_strbuf_add(out, hone_device_text(info->device_name));
    if (limits && limits->cc_major)
        hone_strbuf_printf(
            out, " (compute capability %" PRId64 ".%" PRId64 ", %" PRId64 " SMs)",
            limits->cc_major, limits->cc_minor, limits->sm_count);
}

void hone_emit_add_problem(struct hone_strbuf *out, const struct emit_plan *plan,
                           const struct hone_record_info *info, bool fixed)
{
    const char *before = "";
    for (size_t i = 0; i < info->problem_count; i++) {
        if (plan->problem[i].fixed != fixed) continue;
        hone_strbuf_add(out, before);
        hone_problem_words_add(out, info->problem[i].name, info->problem[i].value);
        before = ", ";
    }
}

// What no row has otherwise.
void hone_emit_fixed_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct hone_strbuf line = HONE_STRBUF_INIT;
    hone_emit_add_problem(&line, plan, plan->info, true);
    if (line.len) {
        hone_strbuf_add(out, " * Of problems with ");
        hone_sink_comment(out, line.data);
        hone_strbuf_add(out, ".\n");
    }
    out->failed |= line.failed;
    hone_strbuf_fini(&line);
}

void hone_emit_provenance(struct hone_strbuf *out, const struct emit_plan *plan,
                          const struct emit_device *device)
{
    struct hone_strbuf tools = HONE_STRBUF_INIT, hashes = HONE_STRBUF_INIT;
    add_tools(&tools, device->info);
    add_hashes(&hashes, device->info);
    hone_strbuf_add(out, times_words[plan->times].brief);
    add_named(out, "; ", "clock", device->info->clock);
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
        hone_sink_comment(out, line->data);
        hone_strbuf_add(out, "\n");
    }
    hone_strbuf_clear(line);
}

static void add_percent(struct hone_strbuf *out, const char *name, double part)
{
    if (isfinite(part)) hone_strbuf_printf(out, "%s%.1f %%", name, 100 * part);
}

// "tuned: K 512 to 4096, M 1000 to 4096; other sizes, however far, get ...".
static void add_ranges(struct hone_strbuf *out, const struct emit_plan *plan,
                       const struct emit_group *group)
{
    const char *before = "tuned: ";
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        int64_t low = INT64_MAX, high = INT64_MIN;
        if (!hone_emit_is_size(plan, i)) continue;
        for (size_t r = group->first; r < group->first + group->count; r++) {
            const int64_t size = plan->rows[r].problem[i].value.i;
            if (size < low) low = size;
            if (size > high) high = size;
        }
        hone_strbuf_printf(out, "%s%s %" PRId64 " to %" PRId64, before,
                           plan->info->problem[i].name, low, high);
        before = ", ";
    }
    hone_strbuf_add(out, out->len ? "; other sizes, however far, get the configuration"
                                  : "other problems get the configuration");
}

// What the rule costs on problems that it has not seen; of few of them each.
static void add_unseen(struct hone_strbuf *out, const struct emit_estimate *unseen)
{
    const bool few = unseen->known < EMIT_INTERVAL_LEAST;
    if (!unseen->known) {
        hone_strbuf_add(out,
                        "expected regret of that: not known: tune the problems together");
        return;
    }
    if (few) {
        for (size_t i = 0; i < unseen->known; i++)
            add_percent(out, i ? ", " : "regret of that where one problem is left out: ",
                        unseen->each[i]);
        if (unseen->known < unseen->asked)
            hone_strbuf_printf(out, ", of %zu more not known",
                               unseen->asked - unseen->known);
        hone_strbuf_add(out, "; too few to tell what to expect");
        return;
    }
    add_percent(out, "expected regret of that: ", unseen->mean);
    add_percent(out, " (95 % interval ", unseen->low);
    add_percent(out, " to ", unseen->high);
    add_percent(out, "), worst ", unseen->worst);
    hone_strbuf_printf(out, ", of %zu of %zu problems left out", unseen->known,
                       unseen->asked);
}

// What it costs that the group has few configurations, and a rule.
static void group_comment(struct hone_strbuf *out, const struct emit_plan *plan,
                          const struct emit_group *group)
{
    struct hone_strbuf line = HONE_STRBUF_INIT;
    if (group->count < 2) return;
    hone_strbuf_printf(&line,
                       "%zu configurations for %zu problems%s; slower than the best",
                       group->config_count, group->count,
                       group->over_limit ? ", more than asked for since some were not "
                                           "measured on the others' problems"
                                         : "");
    add_percent(&line, " by ", group->tuned.mean);
    add_percent(&line, " on average, ", group->tuned.worst);
    hone_strbuf_add(&line, " at worst");
    flush_line(out, &line, "  ");
    add_ranges(&line, plan, group);
    hone_strbuf_printf(&line, " %s",
                       group->rule.nodes   ? "of a decision tree"
                       : group->rule.model ? "of least time by a model of their sizes"
                                           : "of the nearest one");
    flush_line(out, &line, "  ");
    add_unseen(&line, &group->unseen);
    flush_line(out, &line, "  ");
    hone_strbuf_fini(&line);
}

static void device_comment(struct hone_strbuf *out, const struct emit_plan *plan,
                           size_t number)
{
    const struct emit_device *device = &plan->devices[number];
    struct hone_strbuf line = HONE_STRBUF_INIT;
    hone_strbuf_printf(&line, "Device %zu: ", number);
    add_device(&line, device->info);
    flush_line(out, &line, "");
    for (size_t g = device->first; g < device->first + device->count; g++)
        group_comment(out, plan, &plan->groups[g]);
    hone_strbuf_fini(&line);
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
        flush_line(out, &line, "  ");
    }
    hone_strbuf_fini(&line);
}

static void row_comment(struct hone_strbuf *out, const struct emit_plan *plan, size_t i)
{
    const struct emit_row *row = &plan->rows[i];
    struct hone_strbuf line = HONE_STRBUF_INIT;
    hone_strbuf_printf(&line, "Row %zu, configuration %zu: ", i, row->config);
    hone_emit_add_problem(&line, plan, row->info, false);
    if (row->weight != 1)
        hone_strbuf_printf(&line, "%sweight %g", row->info->problem_count ? ", " : "",
                           row->weight);
    flush_line(out, &line, "");
    if (plan->times != HONE_TIME_NONE) {
        add_figure(&line, plan, row);
        add_gain(&line, plan, row);
        flush_line(out, &line, "  ");
        add_regret(&line, plan, row);
        flush_line(out, &line, "  ");
        add_search(&line, row);
        flush_line(out, &line, "  ");
        add_compared(&line, plan, row);
        flush_line(out, &line, "  ");
        waived_comment(out, plan, row);
    }
    hone_strbuf_fini(&line);
}

// The constraints that no other problem or device gets past.
static void envelope_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct hone_strbuf line = HONE_STRBUF_INIT;
    for (size_t i = 0; i < plan->fit_count; i++) {
        if (plan->fits[i].fails) continue;
        hone_strbuf_printf(&line,
                           "No other problem or device than those of the rows is served, "
                           "as a constraint has no C form: %s",
                           plan->fits[i].name);
        flush_line(out, &line, "");
    }
    hone_strbuf_fini(&line);
}

static bool has_interval(const struct emit_plan *plan)
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

const char *hone_emit_times_head(const struct emit_plan *plan)
{
    return times_words[plan->times].head;
}

void hone_emit_opening(struct hone_strbuf *out, const struct emit_plan *plan,
                       const char *as)
{
    hone_strbuf_printf(out, "/* %s of the kernel ",
                       plan->times ? "Tuned configurations"
                                   : "The default configuration");
    hone_sink_comment(out, plan->info->kernel);
    hone_strbuf_printf(
        out, "%s. Emitted by hone " HONE_VERSION " (form 3): do not edit.\n", as);
}

enum hone_status hone_emit_head_comment(struct hone_strbuf *out,
                                        const struct emit_plan *plan)
{
    struct hone_strbuf line = HONE_STRBUF_INIT;
    hone_emit_opening(out, plan, "");
    hone_strbuf_add(&line, times_words[plan->times].head);
    if (plan->times == HONE_TIME_PREDICTED)
        hone_strbuf_add(&line, " (how accurate: docs/emulator.md)");
    add_named(&line, "; ", "clock", plan->info->clock);
    add_named(&line, ", ", "L2", plan->info->l2);
    flush_line(out, &line, "");
    if (has_interval(plan))
        hone_strbuf_add(
            out, " * Intervals are those of the ratio of two medians whose standard "
                 "error is\n * sqrt(pi / 2) s / sqrt(n), as of normal samples.\n");
    if (plan->times != HONE_TIME_NONE) {
        hone_strbuf_printf(out, " * Valid: %s, and ",
                           plan->times == HONE_TIME_PREDICTED ? "emulated" : "built");
        hone_emit_add_valid(out, plan);
        hone_strbuf_add(out, ".\n");
    }
    envelope_comment(out, plan);
    const enum hone_status status = hone_emit_usage_comment(out, plan);
    hone_emit_fixed_comment(out, plan);
    hone_emit_failed_comment(out, plan);
    for (size_t d = 0; d < plan->device_count; d++) {
        const struct emit_device *device = &plan->devices[d];
        const struct emit_group *last = &plan->groups[device->first + device->count - 1];
        hone_strbuf_add(out, " *\n");
        device_comment(out, plan, d);
        for (size_t r = plan->groups[device->first].first; r < last->first + last->count;
             r++)
            row_comment(out, plan, r);
    }
    hone_strbuf_add(out, " */\n");
    hone_strbuf_fini(&line);
    return status;
}

void hone_emit_second_comment(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "/* What a program may change at run time in the tuned configurations of $n: to "
        "be\n"
        " * included after their table. Emitted by hone: do not edit.\n"
        " *\n"
        " * $n_force, or $N_CONFIG in the environment, sets what selections answer;\n"
        " * $n_note_misses, or $N_MISSES, lists problems that no row serves.\n");
    if (plan->payload) hone_emit_put(out, plan, " * $n" EMIT_PAYLOAD_LINE ".\n");
    hone_strbuf_add(out, " */\n");
}
