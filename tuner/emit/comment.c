// Where a header comes from: its first lines, and the same as one text in each row.
#include <inttypes.h>
#include <math.h>

#include "base/sink.h"
#include "comment.h"
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

void hone_emit_comment_line(struct hone_strbuf *out, struct hone_strbuf *line,
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
    hone_emit_comment_line(out, &line, "  ");
    add_ranges(&line, plan, group);
    hone_strbuf_printf(&line, " %s",
                       group->rule.nodes   ? "of a decision tree"
                       : group->rule.model ? "of least time by a model of their sizes"
                                           : "of the nearest one");
    hone_emit_comment_line(out, &line, "  ");
    add_unseen(&line, &group->unseen);
    hone_emit_comment_line(out, &line, "  ");
    hone_strbuf_fini(&line);
}

static void device_comment(struct hone_strbuf *out, const struct emit_plan *plan,
                           size_t number)
{
    const struct emit_device *device = &plan->devices[number];
    struct hone_strbuf line = HONE_STRBUF_INIT;
    hone_strbuf_printf(&line, "Device %zu: ", number);
    add_device(&line, device->info);
    hone_emit_comment_line(out, &line, "");
    for (size_t g = device->first; g < device->first + device->count; g++)
        group_comment(out, plan, &plan->groups[g]);
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
        hone_emit_comment_line(out, &line, "");
    }
    hone_strbuf_fini(&line);
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
    hone_emit_comment_line(out, &line, "");
    if (hone_emit_has_interval(plan))
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
            hone_emit_row_comment(out, plan, r);
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
