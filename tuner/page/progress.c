// The best so far, over trials and over seconds: was the budget enough?
#include <math.h>

#include "base/quantity.h"
#include "markup.h"
#include "part.h"
#include "report/values.h"

// What the axis counts.
enum progress_axis { OVER_TRIALS, OVER_SECONDS };

static double place_of(const struct page_part *part, size_t i, enum progress_axis axis)
{
    return axis == OVER_SECONDS ? part->progress.points[i].seconds : (double)(i + 1);
}

static void progress_points(struct hone_svg *svg, const struct page_part *part,
                            enum progress_axis axis)
{
    const size_t n = part->progress.count, stride = hone_page_stride(n);
    hone_svg_dots(svg, "valid");
    for (size_t i = 0; i < n; i += stride)
        if (isfinite(part->progress.points[i].cost))
            hone_svg_dot(svg, place_of(part, i, axis), part->progress.points[i].cost);
    hone_svg_dots_end(svg);
    // What has no time stands at the top edge.
    hone_svg_dots(svg, "failed");
    for (size_t i = 0; i < n; i += stride)
        if (!isfinite(part->progress.points[i].cost))
            hone_svg_dot(svg, place_of(part, i, axis), svg->y.high);
    hone_svg_dots_end(svg);
}

static void progress_steps(struct hone_svg *svg, const struct page_part *part,
                           enum progress_axis axis)
{
    const struct hone_convergence_point *points = part->progress.points;
    bool begun = false;
    hone_strbuf_add(svg->out, "<path class=\"line\" d=\"");
    for (size_t i = 0; i < part->progress.count; i++) {
        if (!points[i].is_best) continue;
        const double x = hone_svg_x(svg, place_of(part, i, axis));
        hone_strbuf_printf(svg->out, begun ? "H%.1fV%.1f" : "M%.1f %.1f", x,
                           hone_svg_y(svg, points[i].best));
        begun = true;
    }
    hone_strbuf_printf(svg->out, "H%d\"/>\n", HONE_SVG_WIDTH - HONE_SVG_RIGHT);
}

// Costs on the axis: from the best to the worst that was first measured.
static struct hone_svg_axis cost_axis(const struct page_part *part)
{
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < part->progress.count; i++) {
        const double cost = part->progress.points[i].cost;
        if (!isfinite(cost)) continue;
        low = fmin(low, cost);
        high = fmax(high, cost);
    }
    return hone_svg_log_axis(part->cost, low, high);
}

static void progress_plot(struct hone_strbuf *out, const struct page_part *part,
                          enum progress_axis axis)
{
    const size_t n = part->progress.count;
    const bool seconds = axis == OVER_SECONDS;
    const double last = place_of(part, n - 1, axis);
    struct hone_svg svg = {
        .out = out,
        .x = hone_svg_linear_axis(
            seconds ? "seconds of building and measuring, added up" : "trials", 0, last),
        .y = cost_axis(part)};
    hone_strbuf_printf(out, "<figure class=\"progress\"%s>",
                       seconds ? "" : " data-trials");
    hone_svg_begin(&svg, seconds ? "Best so far over seconds" : "Best so far over trials",
                   "Each trial is a point at its time, those without one stand at the "
                   "top; the line is the least time so far. The table has its steps.");
    progress_points(&svg, part, axis);
    progress_steps(&svg, part, axis);
    const double base = part->base ? hone_trial_cost(part->base) : (double)INFINITY;
    if (isfinite(base)) hone_svg_level(&svg, base, "base", "default");
    hone_svg_end(&svg);
    hone_strbuf_add(out, "<output aria-live=\"polite\"></output></figure>\n");
}

static void progress_table(struct hone_strbuf *out, struct page_part *part)
{
    const struct hone_convergence_point *points = part->progress.points;
    hone_page_table(
        out, "Table: each new best",
        (const char *const[]){"trial", "seconds", part->cost, "configuration", NULL});
    for (size_t i = 0; i < part->progress.count; i++) {
        struct hone_strbuf config = HONE_STRBUF_INIT;
        if (!points[i].is_best) continue;
        hone_config_text(&config, part->space, points[i].trial->index);
        hone_strbuf_add(out, "<tr>");
        hone_page_cell(out, "%zu", i + 1);
        hone_page_cell(out, "%.1f", points[i].seconds);
        hone_page_cell(out, "%s", hone_plain(points[i].best, 5).text);
        hone_page_cell(out, "%s", config.data);
        hone_strbuf_fini(&config);
    }
    hone_page_table_end(out);
}

// How late the best came, in words.
static void progress_words(struct hone_strbuf *out, const struct page_part *part)
{
    const size_t n = part->progress.count;
    size_t last = 0;
    for (size_t i = 0; i < n; i++)
        if (part->progress.points[i].is_best) last = i + 1;
    hone_strbuf_printf(out, "<p>The best came at trial %zu of %zu.", last, n);
    if (part->info->complete)
        hone_strbuf_add(out, " The journal is the whole space, in an order that says "
                             "nothing of a search.");
    else if (last * 5 > n * 4)
        hone_strbuf_add(out, " That is in the last fifth of the budget: more trials may "
                             "find better ones.");
    else
        hone_strbuf_printf(out, " The last %zu trials found nothing better.", n - last);
    hone_strbuf_add(out, "</p>\n");
}

void hone_page_progress(struct hone_strbuf *out, struct page_part *part)
{
    const size_t n = part->progress.count;
    // Where a trial was valid only when measured again, the winner is not among these.
    if (n < 2 || !isfinite(part->progress.points[n - 1].best)) return;
    hone_page_heading(out, part, "progress", "Best so far");
    progress_words(out, part);
    hone_strbuf_add(out, "<p class=\"legend\"><i class=\"valid\"></i> valid "
                         "<i class=\"failed\"></i> not valid: no time, at the top "
                         "<i class=\"line\"></i> best so far</p>\n");
    hone_page_thinned(out, n);
    hone_strbuf_add(out, "<div class=\"strips\">\n");
    progress_plot(out, part, OVER_TRIALS);
    if (part->progress.points[n - 1].seconds > 0)
        progress_plot(out, part, OVER_SECONDS);
    else
        hone_strbuf_add(out,
                        "<p class=\"note\">The journal does not tell how long trials "
                        "took.</p>\n");
    hone_strbuf_add(out, "</div>\n");
    progress_table(out, part);
    hone_strbuf_add(out, "</section>\n");
}
