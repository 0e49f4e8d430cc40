// What the counters of the GPU's hardware showed of winner and default.
#include <math.h>

#include "base/quantity.h"
#include "markup.h"
#include "part.h"

static void counter_cell(struct hone_strbuf *out, double value)
{
    if (isnan(value))
        hone_page_cell(out, "not counted");
    else
        hone_page_cell(out, "%s", hone_plain(value, 6).text);
}

static void counter_row(struct hone_strbuf *out, const struct hone_counted *counter,
                        const struct hone_trial *winner, const struct hone_trial *base)
{
    hone_strbuf_add(out, "<tr><th scope=\"row\">");
    hone_markup_text(out, counter->name);
    counter_cell(out, hone_trial_counter(winner, counter->name, (double)NAN));
    if (base) counter_cell(out, hone_trial_counter(base, counter->name, (double)NAN));
    hone_strbuf_add(out, "<td>");
    hone_markup_text(out, counter->unit);
}

void hone_page_counters(struct hone_strbuf *out, struct page_part *part)
{
    const struct hone_trial *winner = part->winner;
    const struct hone_trial *base = part->base == winner ? NULL : part->base;
    if (base && !base->counters->name) base = NULL;
    if (!winner || !winner->counters->name) return;
    hone_page_heading(out, part, "counters", "Counters of the hardware");
    hone_strbuf_printf(out,
                       "<p>Of one launch each, read after the search, which they had no "
                       "part in.</p>\n<div class=\"wide\"><table><thead><tr>"
                       "<th scope=\"col\">counter<th scope=\"col\">winner%s"
                       "<th scope=\"col\">unit<tbody>",
                       base ? "<th scope=\"col\">default" : "");
    for (const struct hone_counted *at = winner->counters; at->name; at++)
        counter_row(out, at, winner, base);
    hone_strbuf_add(out, "</table></div></section>\n");
}
