// The first thing a reader wants: what won, by how much over the default, and what is
// different in it.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/quantity.h"
#include "markup.h"
#include "part.h"
#include "report/values.h"

static const struct {
    const char *badge, *words;
} sources[] = {
    [PAGE_MEASURED] = {"measured", "Times on this page were measured on this device."},
    [PAGE_PREDICTED] = {"predicted", "Every time on this page is predicted by a model: "
                                     "nothing ran on a GPU."},
    [PAGE_IMPORTED] = {"imported", "Times on this page come from another program: Hone "
                                   "does not know how it measured."},
};

static void verdict_badge(struct hone_strbuf *out, const struct page_part *part)
{
    const enum page_source source = hone_page_source(part);
    hone_strbuf_printf(out, "<p class=\"source\"><b class=\"badge %s\">%s</b> %s</p>\n",
                       sources[source].badge, sources[source].badge,
                       sources[source].words);
}

static void verdict_kind(struct hone_strbuf *out, const struct page_part *part)
{
    const char *kind = hone_time_kind_measured(part->winner->kind);
    if (hone_page_source(part) == PAGE_PREDICTED) hone_strbuf_add(out, ", predicted");
    if (*kind) hone_strbuf_printf(out, ", %s", kind);
    if (part->info->l2 && *kind) {
        hone_strbuf_add(out, " with L2 ");
        hone_markup_text(out, part->info->l2);
    }
}

// "12.3 us": with the unit between the brackets of the cost's name.
static void verdict_cost(struct hone_strbuf *out, const struct page_part *part,
                         double cost)
{
    const char *unit = strchr(part->cost, '(');
    hone_page_cost(out, cost);
    hone_strbuf_printf(out, " %.*s", (int)strlen(unit) - 2, unit + 1);
}

static void verdict_gain(struct hone_strbuf *out, const struct page_part *part)
{
    struct hone_gain gain = {.low = NAN, .high = NAN};
    if (!part->base || hone_trial_cost(part->base) == (double)INFINITY) {
        hone_strbuf_add(out, part->base ? " The default is not valid: "
                                        : " The default was not measured, so there is no "
                                          "gain to tell.");
        if (part->base) hone_markup_text(out, hone_outcome_name(part->base->outcome));
        return;
    }
    if (part->base == part->winner) {
        hone_strbuf_add(out, " It is the default: nothing better was found.");
        return;
    }
    const bool paired = hone_finals_gain(&gain, part->winner, part->base);
    if (!paired) gain.ratio = hone_trial_cost(part->base) / hone_trial_cost(part->winner);
    hone_strbuf_printf(out, " That is <b>%.4g times as %s</b> as the default's ",
                       gain.ratio, strstr(part->cost, "time (us)") ? "fast" : "good");
    verdict_cost(out, part, hone_trial_cost(part->base));
    if (paired && !isnan(gain.low))
        hone_strbuf_printf(out, " (95 %% interval %.4g to %.4g, %u rounds of finals)",
                           gain.low, gain.high, gain.rounds);
    else
        hone_strbuf_add(out, " (one measurement of each: no interval)");
    if (paired && gain.low <= 1)
        hone_strbuf_add(out, ". The interval holds 1: that may be <b>no change</b>");
    hone_strbuf_add(out, ".");
}

static void verdict_work(struct hone_strbuf *out, const struct page_part *part)
{
    const struct hone_work work = part->winner_work;
    const double us =
        isnan(part->winner->time_us) ? part->winner->predicted_us : part->winner->time_us;
    if (work.flops > 0 && us > 0)
        hone_strbuf_printf(out, " Rate: %s GFLOP/s.",
                           hone_plain(work.flops / us * 1e-3, 4).text);
    if (work.bytes > 0 && us > 0) {
        hone_strbuf_printf(out, " At least %s GB/s",
                           hone_plain(work.bytes / us * 1e-3, 4).text);
        if (part->info->limits && part->info->limits->memory_bandwidth_mbs > 0)
            hone_strbuf_printf(out, ", %.3g %% of the memory's nominal bandwidth",
                               100 * work.bytes / us /
                                   (double)part->info->limits->memory_bandwidth_mbs);
        hone_strbuf_add(out, ".");
    }
}

static void verdict_value(struct hone_strbuf *out, const struct hone_param *param,
                          size_t value)
{
    hone_strbuf_add(out, "<td>");
    hone_markup_value(out, param->values[value]);
}

// The winner's values beside the default's; what differs is marked.
static void verdict_configuration(struct hone_strbuf *out, struct page_part *part)
{
    const uint16_t *defaults = part->info->defaults;
    const uint16_t *row = hone_page_row(part, part->winner);
    hone_strbuf_add(out,
                    "<div class=\"wide\"><table class=\"winner\"><caption>The winner's "
                    "configuration");
    hone_strbuf_printf(out,
                       "%s</caption><thead><tr><th scope=\"col\">parameter"
                       "<th scope=\"col\">winner%s<tbody>",
                       defaults ? ", and what differs from the default" : "",
                       defaults ? "<th scope=\"col\">default" : "");
    for (size_t p = 0; p < part->params; p++) {
        const struct hone_param *param = hone_space_param(part->space, p);
        const bool differs = defaults && defaults[p] != row[p];
        if (param->count < 2) continue;
        hone_strbuf_printf(out, "<tr%s><th scope=\"row\">",
                           differs ? " class=\"differs\"" : "");
        hone_markup_text(out, param->name);
        verdict_value(out, param, row[p]);
        if (defaults) verdict_value(out, param, defaults[p]);
        if (differs) hone_strbuf_add(out, " <span>differs</span>");
    }
    hone_strbuf_add(out, "</table></div>\n");
}

void hone_page_verdict(struct hone_strbuf *out, struct page_part *part)
{
    const struct hone_plain trials =
        hone_count_text((double)hone_recording_count(part->recording));
    hone_page_heading(out, part, "verdict", "Winner against default");
    verdict_badge(out, part);
    if (!part->winner) {
        hone_strbuf_printf(out, "<p>None of %s trials is valid.</p></section>\n",
                           trials.text);
        return;
    }
    hone_strbuf_printf(
        out, "<p class=\"verdict\">The best of %s trials%s takes <b class=\"best\">",
        trials.text, part->info->complete ? ", the whole space," : "");
    verdict_cost(out, part, hone_trial_cost(part->winner));
    hone_strbuf_add(out, "</b>");
    verdict_kind(out, part);
    hone_strbuf_add(out, ".");
    verdict_gain(out, part);
    verdict_work(out, part);
    hone_strbuf_add(out, "</p>\n");
    verdict_configuration(out, part);
    hone_strbuf_add(out, "</section>\n");
}
