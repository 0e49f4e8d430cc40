// The finals: each finalist's ratio to the default in the same rounds, with its interval.
#include <math.h>

#include "base/quantity.h"
#include "part.h"
#include "report/values.h"

enum { ROW = 24 };

static const char *verdict_of(const struct hone_final *final)
{
    if (isinf(final->high)) return "no interval";
    if (final->low == 1 && final->high == 1) return "the default";
    if (final->high < 1) return "faster";
    return final->low > 1 ? "slower" : "no change";
}

static struct hone_svg_axis ratio_axis(const struct hone_standings *s)
{
    double low = 1, high = 1;
    for (size_t i = 0; i < s->final_count; i++) {
        const struct hone_final *f = &s->finals[i]->final;
        low = fmin(low, f->low > 0 ? f->low : f->ratio);
        high = fmax(high, isinf(f->high) ? f->ratio : f->high);
    }
    return hone_svg_linear_axis("ratio to the default", low, high);
}

static void finals_plot(struct hone_strbuf *out, const struct page_part *part)
{
    const struct hone_standings *s = &part->standings;
    struct hone_svg svg = {.out = out,
                           .height =
                               (int)s->final_count * ROW + HONE_SVG_TOP + HONE_SVG_BOTTOM,
                           .x = ratio_axis(s),
                           .y = {.low = 0, .high = (double)s->final_count}};
    hone_strbuf_add(out, "<figure>");
    hone_svg_begin(&svg, "Finals",
                   "The ratio of each finalist's time to the default's, with its 95 % "
                   "interval. The table has the figures.");
    hone_svg_upright(&svg, 1, "base", "default");
    for (size_t i = 0; i < s->final_count; i++) {
        const struct hone_final *f = &s->finals[i]->final;
        const double y = (double)(s->final_count - i) - 0.5;
        hone_strbuf_printf(out, "<g><title>rank %u: %.4f</title>", f->rank, f->ratio);
        if (!isinf(f->high))
            hone_strbuf_printf(out, "<path class=\"interval\" d=\"M%.1f %.1fH%.1f\"/>",
                               hone_svg_x(&svg, f->low), hone_svg_y(&svg, y),
                               hone_svg_x(&svg, f->high));
        hone_svg_dots(&svg, "valid big");
        hone_svg_dot(&svg, f->ratio, y);
        hone_svg_dots_end(&svg);
        hone_strbuf_printf(out, "<text class=\"e\" x=\"%d\" y=\"%.1f\">%u</text></g>\n",
                           HONE_SVG_LEFT - 8, hone_svg_y(&svg, y) + 4, f->rank);
    }
    hone_svg_end(&svg);
    hone_strbuf_add(out, "</figure>\n");
}

static void finals_table(struct hone_strbuf *out, const struct page_part *part)
{
    const struct hone_standings *s = &part->standings;
    hone_page_table(out, "Table: the finalists",
                    (const char *const[]){"rank", part->cost, "ratio", "95 % interval",
                                          "rounds", "against the default",
                                          "configuration", NULL});
    for (size_t i = 0; i < s->final_count; i++) {
        const struct hone_final *f = &s->finals[i]->final;
        struct hone_strbuf config = HONE_STRBUF_INIT;
        hone_config_text(&config, part->space, s->finals[i]->index);
        hone_strbuf_add(out, "<tr>");
        hone_page_cell(out, "%u", f->rank);
        hone_page_cell(out, "%s", hone_plain(hone_trial_cost(s->finals[i]), 5).text);
        hone_page_cell(out, "%.4f", f->ratio);
        if (isinf(f->high))
            hone_page_cell(out, "none");
        else
            hone_page_cell(out, "%.4f to %.4f", f->low, f->high);
        hone_page_cell(out, "%u", f->rounds);
        hone_page_cell(out, "%s", verdict_of(f));
        hone_page_cell(out, "%s", config.data);
        hone_strbuf_fini(&config);
    }
    hone_page_table_end(out);
}

void hone_page_finals(struct hone_strbuf *out, struct page_part *part)
{
    if (!part->standings.final_count) return;
    hone_page_heading(out, part, "finals", "Finals");
    hone_strbuf_add(out,
                    "<p>The best ones, measured once more in turn with the default. An "
                    "interval that holds 1 is no change.</p>\n");
    finals_plot(out, part);
    finals_table(out, part);
    hone_strbuf_add(out, "</section>\n");
}
