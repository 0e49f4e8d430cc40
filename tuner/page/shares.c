// Importance: one bar a parameter, its dark part what it does by itself.
#include <math.h>

#include "markup.h"
#include "part.h"
#include "report/importance.h"

enum { ROW = 24, NAMES = 150 };

static double share_place(double share, double most)
{
    return NAMES + (HONE_SVG_WIDTH - NAMES - 60) * fmin(share / most, 1);
}

static double most_of(const struct hone_importance *importance)
{
    double most = 0;
    for (size_t i = 0; i < importance->order_count; i++) {
        const struct hone_effect *effect = &importance->params[importance->order[i]];
        most = fmax(most, fmax(effect->total.high, effect->main.value));
    }
    return most > 0 ? most : 1;
}

static void share_bar(struct hone_strbuf *out, const struct page_part *part, size_t row,
                      double most)
{
    const size_t p = part->importance.order[row];
    const struct hone_effect *effect = &part->importance.params[p];
    const double y = (double)(row * ROW), x = share_place(effect->total.value, most);
    const double main = share_place(fmin(effect->main.value, effect->total.value), most);
    hone_strbuf_printf(out, "<g><title>%.3f, by itself %.3f</title>", effect->total.value,
                       effect->main.value);
    hone_strbuf_printf(out, "<text class=\"e\" x=\"%d\" y=\"%.0f\">", NAMES - 6, y + 16);
    hone_markup_text(out, hone_space_param(part->space, p)->name);
    hone_strbuf_printf(out,
                       "</text><rect class=\"total\" x=\"%d\" y=\"%.0f\" width=\"%.1f\" "
                       "height=\"14\"/><rect class=\"main\" x=\"%d\" y=\"%.0f\" "
                       "width=\"%.1f\" height=\"14\"/>",
                       NAMES, y + 5, x - NAMES, NAMES, y + 5, main - NAMES);
    if (part->importance.kind == HONE_IMPORTANCE_ESTIMATED)
        hone_strbuf_printf(out, "<path class=\"interval\" d=\"M%.1f %.0fH%.1f\"/>",
                           share_place(effect->total.low, most), y + 12,
                           share_place(effect->total.high, most));
    hone_strbuf_printf(out, "<text class=\"s\" x=\"%d\" y=\"%.0f\">%.2f</text></g>\n",
                       HONE_SVG_WIDTH - 50, y + 16, effect->total.value);
}

static void share_table(struct hone_strbuf *out, const struct page_part *part)
{
    hone_page_table(out, "Table: shares of the variance of log time",
                    (const char *const[]){"parameter", "in all", "interval", "by itself",
                                          "among the best", NULL});
    for (size_t i = 0; i < part->importance.order_count; i++) {
        const size_t p = part->importance.order[i];
        const struct hone_effect *effect = &part->importance.params[p];
        hone_strbuf_add(out, "<tr><th scope=\"row\">");
        hone_markup_text(out, hone_space_param(part->space, p)->name);
        hone_page_cell(out, "%.3f", effect->total.value);
        if (part->importance.kind == HONE_IMPORTANCE_EXACT)
            hone_page_cell(out, "exact");
        else
            hone_page_cell(out, "%.3f to %.3f", effect->total.low, effect->total.high);
        hone_page_cell(out, "%.3f", effect->main.value);
        hone_page_cell(out, isnan(effect->good) ? "not enough trials" : "%.3f",
                       effect->good);
    }
    hone_page_table_end(out);
}

void hone_page_shares(struct hone_strbuf *out, struct page_part *part)
{
    struct hone_strbuf words = HONE_STRBUF_INIT;
    hone_importance_text(&words, &part->importance);
    hone_page_heading(out, part, "shares", "Importance of parameters");
    hone_strbuf_add(out, "<p>Shares of the variance of log time: ");
    hone_markup_text(out, words.data);
    hone_strbuf_add(out, ".</p>\n");
    hone_strbuf_fini(&words);
    const size_t rows = part->importance.order_count;
    if (rows) {
        const double most = most_of(&part->importance);
        hone_strbuf_printf(out,
                           "<p class=\"legend\"><i class=\"main\"></i> by itself "
                           "<i class=\"total\"></i> with others: interaction</p>\n"
                           "<figure><svg viewBox=\"0 0 %d %zu\" role=\"img\" "
                           "aria-label=\"Importance of parameters. One bar a parameter; "
                           "the table has the figures.\">\n",
                           HONE_SVG_WIDTH, rows * ROW + 6);
        for (size_t i = 0; i < rows; i++)
            share_bar(out, part, i, most);
        hone_strbuf_add(out, "</svg></figure>\n");
        share_table(out, part);
    }
    hone_strbuf_add(out, "</section>\n");
}
