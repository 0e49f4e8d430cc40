// Each parameter by itself: the times of the trials with each of its values, and what it
// costs to have the wrong one.
#include <math.h>
#include <stdlib.h>

#include "base/quantity.h"
#include "insight/by_value.h"
#include "markup.h"
#include "part.h"

enum {
    NAMED_MOST = 60, // values with a column of their own and a row in the table
    STRIP_HEIGHT = 220
};

struct strip {
    struct page_part *part;
    size_t p, values;
    const struct hone_param *param;
    struct hone_value_figures *figures;
    uint16_t *value_of; // [valid trials] in the order of standings
};

// Trials of one value stand side by side, by a number that mixes their order.
static double place_in_column(const struct strip *s, size_t value, size_t trial)
{
    const double part = (double)(trial * 2654435761u % 1024) / 1024;
    const double room = s->values > NAMED_MOST ? 0.9 : 0.6;
    return (double)value + 0.5 + (part - 0.5) * room;
}

static void strip_column(struct hone_svg *svg, const struct strip *s, size_t from,
                         size_t end)
{
    const size_t n = s->part->standings.count, stride = hone_page_stride(n);
    bool begun = false;
    for (size_t i = 0; i < n; i += stride) {
        if (s->value_of[i] < from || s->value_of[i] >= end) continue;
        if (!begun) hone_svg_dots(svg, "valid");
        begun = true;
        hone_svg_dot(svg, place_in_column(s, s->value_of[i], i),
                     hone_trial_cost(s->part->standings.trials[i]));
    }
    if (begun) hone_svg_dots_end(svg);
}

static void strip_level(struct hone_svg *svg, size_t value, const char *class_name,
                        double cost)
{
    hone_strbuf_printf(svg->out, "<path class=\"%s\" d=\"M%.1f %.1fH%.1f\"/>", class_name,
                       hone_svg_x(svg, (double)value + 0.12), hone_svg_y(svg, cost),
                       hone_svg_x(svg, (double)value + 0.88));
}

static void strip_name(struct hone_svg *svg, const struct strip *s, size_t value)
{
    const size_t step = (s->values + 15) / 16;
    if (value % step) return;
    hone_strbuf_printf(svg->out, "<text x=\"%.1f\" y=\"%d\">",
                       hone_svg_x(svg, (double)value + 0.5),
                       STRIP_HEIGHT - HONE_SVG_BOTTOM + 15);
    hone_markup_value(svg->out, s->param->values[value]);
    hone_strbuf_add(svg->out, "</text>");
}

static void strip_value(struct hone_svg *svg, const struct strip *s, size_t value)
{
    const struct hone_value_figures *f = &s->figures[value];
    hone_strbuf_add(svg->out, "<g><title>");
    hone_markup_text(svg->out, s->param->name);
    hone_strbuf_add(svg->out, "=");
    hone_markup_value(svg->out, s->param->values[value]);
    hone_strbuf_printf(svg->out, ": %zu valid, %zu not", f->valid, f->failed);
    if (f->valid)
        hone_strbuf_printf(svg->out, ", best %s, median %s", hone_plain(f->best, 5).text,
                           hone_plain(f->median, 5).text);
    hone_strbuf_add(svg->out, "</title>");
    strip_column(svg, s, value, value + 1);
    if (f->valid) {
        strip_level(svg, value, "median", f->median);
        strip_level(svg, value, "best", f->best);
    }
    strip_name(svg, s, value);
    hone_strbuf_add(svg->out, "</g>\n");
}

static void strip_plot(struct hone_strbuf *out, const struct strip *s)
{
    const struct hone_standings *r = &s->part->standings;
    struct hone_svg svg = {
        .out = out,
        .height = STRIP_HEIGHT,
        .x = {.low = 0, .high = (double)s->values},
        .y = hone_svg_log_axis(s->part->cost, hone_trial_cost(r->trials[0]),
                               hone_trial_cost(r->trials[r->count - 1]))};
    hone_svg_begin(&svg, s->param->name,
                   "The times of the trials with each value, with their best and median. "
                   "The table has the figures.");
    if (s->values <= NAMED_MOST) {
        for (size_t v = 0; v < s->values; v++)
            strip_value(&svg, s, v);
    } else {
        strip_column(&svg, s, 0, s->values);
        for (size_t v = 0; v < s->values; v++)
            strip_name(&svg, s, v);
    }
    hone_svg_end(&svg);
}

static void strip_table(struct hone_strbuf *out, const struct strip *s)
{
    const double best = hone_trial_cost(s->part->standings.trials[0]);
    hone_page_table(out, "Table: the cost of each value",
                    (const char *const[]){"value", "valid", "not valid", "best with it",
                                          "times the best of all", "median", NULL});
    for (size_t v = 0; v < s->values && v < NAMED_MOST; v++) {
        const struct hone_value_figures *f = &s->figures[v];
        hone_strbuf_add(out, "<tr><th scope=\"row\">");
        hone_markup_value(out, s->param->values[v]);
        hone_page_cell(out, "%zu", f->valid);
        hone_page_cell(out, "%zu", f->failed);
        hone_page_cell(out, "%s", f->valid ? hone_plain(f->best, 5).text : "none");
        hone_page_cell(out, f->valid ? "%.3f" : "none", f->best / best);
        hone_page_cell(out, "%s", f->valid ? hone_plain(f->median, 5).text : "none");
    }
    hone_page_table_end(out);
    if (s->values > NAMED_MOST)
        hone_strbuf_printf(out,
                           "<p class=\"note\">The table has the first %d of %zu "
                           "values.</p>\n",
                           NAMED_MOST, s->values);
}

// The dearest value that was tried: what it costs to be wrong.
static void strip_words(struct hone_strbuf *out, const struct strip *s)
{
    const double best = hone_trial_cost(s->part->standings.trials[0]);
    size_t worst = s->values;
    for (size_t v = 0; v < s->values; v++)
        if (s->figures[v].valid &&
            (worst == s->values || s->figures[v].best > s->figures[worst].best))
            worst = v;
    if (worst == s->values) return;
    hone_strbuf_add(out, "<p>The cost of being wrong: with ");
    hone_markup_value(out, s->param->values[worst]);
    hone_strbuf_printf(out, " the best takes %.3g times the best of all.</p>\n",
                       s->figures[worst].best / best);
}

static void strip_add(struct hone_strbuf *out, struct strip *s)
{
    const struct hone_standings *r = &s->part->standings;
    s->param = hone_space_param(s->part->space, s->p);
    s->values = s->param->count;
    s->value_of = calloc(r->count + 1, sizeof *s->value_of);
    if (!s->value_of ||
        hone_by_value(&s->figures, s->part->recording, s->p, NULL) != HONE_OK) {
        free(s->value_of);
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < r->count; i++)
        s->value_of[i] = hone_page_row(s->part, r->trials[i])[s->p];
    hone_strbuf_add(out, "<figure class=\"strip\"><figcaption>");
    hone_markup_text(out, s->param->name);
    hone_strbuf_add(out, "</figcaption>");
    strip_plot(out, s);
    strip_words(out, s);
    strip_table(out, s);
    hone_strbuf_add(out, "</figure>\n");
    free(s->value_of);
    free(s->figures);
}

void hone_page_strips(struct hone_strbuf *out, struct page_part *part)
{
    if (!part->standings.count) return;
    hone_page_heading(out, part, "strips", "Each parameter");
    hone_strbuf_add(out, "<p class=\"legend\"><i class=\"valid\"></i> a trial "
                         "<i class=\"best\"></i> best with the value "
                         "<i class=\"median\"></i> median</p>\n");
    hone_page_thinned(out, part->standings.count);
    hone_strbuf_add(out, "<div class=\"strips\">\n");
    for (size_t p = 0; p < part->params; p++)
        if (hone_space_param(part->space, p)->count > 1)
            strip_add(out, &(struct strip){.part = part, .p = p});
    hone_strbuf_add(out, "</div></section>\n");
}
