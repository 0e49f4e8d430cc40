// The distribution of costs: how hard is the space?
#include <math.h>

#include "base/quantity.h"
#include "part.h"

// The cost that a share of the valid trials does not exceed.
static double quantile(const struct page_part *part, double share)
{
    const size_t n = part->standings.count;
    const double at = share * (double)(n - 1);
    return hone_trial_cost(part->standings.trials[(size_t)ceil(at)]);
}

static void spread_point(struct hone_svg *svg, const struct page_part *part, size_t i)
{
    const double share = (double)(i + 1) / (double)part->standings.count;
    hone_strbuf_printf(svg->out, "%s%.1f %.1f", i ? "L" : "M",
                       hone_svg_x(svg, hone_trial_cost(part->standings.trials[i])),
                       hone_svg_y(svg, 100 * share));
}

static void spread_curve(struct hone_svg *svg, const struct page_part *part)
{
    enum { STEPS = 400 };
    const size_t n = part->standings.count;
    hone_strbuf_add(svg->out, "<path class=\"line\" d=\"");
    for (size_t i = 0; i + 1 < n; i += n / STEPS + 1)
        spread_point(svg, part, i);
    spread_point(svg, part, n - 1);
    hone_strbuf_add(svg->out, "\"/>\n");
}

static void spread_table(struct hone_strbuf *out, const struct page_part *part)
{
    static const double shares[] = {0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1};
    const double best = quantile(part, 0);
    hone_page_table(
        out, "Table: quantiles",
        (const char *const[]){"% of valid trials", part->cost, "times the best", NULL});
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        const double cost = quantile(part, shares[i]);
        hone_strbuf_add(out, "<tr>");
        hone_page_cell(out, "%g", 100 * shares[i]);
        hone_page_cell(out, "%s", hone_plain(cost, 5).text);
        hone_page_cell(out, "%.3f", cost / best);
    }
    hone_page_table_end(out);
}

static size_t count_within(const struct page_part *part, double factor)
{
    size_t n = 0;
    const double best = quantile(part, 0);
    while (n < part->standings.count &&
           hone_trial_cost(part->standings.trials[n]) <= factor * best)
        n++;
    return n;
}

void hone_page_spread(struct hone_strbuf *out, struct page_part *part)
{
    const size_t n = part->standings.count;
    if (n < 2) return;
    const size_t near = count_within(part, 1.05);
    struct hone_svg svg = {
        .out = out,
        .x = hone_svg_log_axis(part->cost, quantile(part, 0), quantile(part, 1)),
        .y = {.label = "% of valid trials", .low = 0, .high = 100}};
    hone_page_heading(out, part, "spread", "Distribution of times");
    hone_strbuf_printf(out,
                       "<p>%zu of %zu valid trials are within 5 %% of the best; the "
                       "median is %.3g times as slow.</p>\n<figure>",
                       near, n, quantile(part, 0.5) / quantile(part, 0));
    hone_svg_begin(&svg, "Distribution of times",
                   "The share of valid trials that take at most a time. The table has "
                   "quantiles.");
    spread_curve(&svg, part);
    hone_svg_upright(&svg, hone_trial_cost(part->winner), "best", "winner");
    if (part->base && isfinite(hone_trial_cost(part->base)))
        hone_svg_upright(&svg, hone_trial_cost(part->base), "base", "default");
    hone_svg_end(&svg);
    hone_strbuf_add(out, "</figure>\n");
    spread_table(out, part);
    hone_strbuf_add(out, "</section>\n");
}
