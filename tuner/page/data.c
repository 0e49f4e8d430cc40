// All trials: the best in a table that needs no script, and all of them as JSON, of which
// the script makes one to sort and filter. Values stand once; trials are their numbers.
#include <math.h>

#include "base/quantity.h"
#include "markup.h"
#include "part.h"
#include "report/values.h"

enum { SHOWN_MOST = 20 };

static void data_params(struct hone_strbuf *out, const struct page_part *part)
{
    hone_strbuf_add(out, "\"params\":[");
    for (size_t p = 0, n = 0; p < part->params; p++) {
        const struct hone_param *param = hone_space_param(part->space, p);
        if (param->count < 2) continue;
        hone_strbuf_add(out, n++ ? ",{\"name\":" : "{\"name\":");
        hone_markup_json(out, param->name);
        hone_strbuf_add(out, ",\"values\":[");
        for (size_t v = 0; v < param->count; v++) {
            if (v) hone_strbuf_add(out, ",");
            hone_markup_json_value(out, param->values[v]);
        }
        hone_strbuf_add(out, "]}");
    }
    hone_strbuf_add(out, "],\"outcomes\":[");
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++) {
        if (i) hone_strbuf_add(out, ",");
        hone_markup_json(out, hone_outcome_name((enum hone_outcome)i));
    }
    hone_strbuf_add(out, "]");
}

static void data_number(struct hone_strbuf *out, double number)
{
    if (isfinite(number))
        hone_strbuf_printf(out, "%.9g", number);
    else
        hone_strbuf_add(out, "null");
}

// [outcome, cost, first cost, registers, value numbers ..., reason]
static void data_trial(struct hone_strbuf *out, struct page_part *part,
                       const struct hone_convergence_point *point)
{
    const struct hone_trial *trial = point->trial;
    const uint16_t *row = hone_page_row(part, trial);
    hone_strbuf_printf(out, "[%d,", (int)trial->outcome);
    data_number(out, hone_trial_cost(trial));
    if (point->cost == hone_trial_cost(trial)) {
        hone_strbuf_add(out, ",0"); // the same as the cost
    } else {
        hone_strbuf_add(out, ",");
        data_number(out, point->cost);
    }
    hone_strbuf_printf(out, ",%d", (int)trial->resources.registers);
    for (size_t p = 0; p < part->params; p++)
        if (hone_space_param(part->space, p)->count > 1)
            hone_strbuf_printf(out, ",%u", (unsigned)row[p]);
    if (*trial->reason) {
        hone_strbuf_add(out, ",");
        hone_markup_json(out, trial->reason);
    }
    hone_strbuf_add(out, "]");
}

static void data_add(struct hone_strbuf *out, struct page_part *part)
{
    hone_strbuf_printf(out, "<script type=\"application/json\" id=\"data-%zu\">{",
                       part->number);
    hone_strbuf_add(out, "\"cost\":");
    hone_markup_json(out, part->cost);
    hone_strbuf_add(out, ",");
    data_params(out, part);
    hone_strbuf_add(out, ",\"trials\":[\n");
    for (size_t i = 0; i < part->progress.count; i++) {
        if (i) hone_strbuf_add(out, ",\n");
        data_trial(out, part, &part->progress.points[i]);
    }
    hone_strbuf_add(out, "]}</script>\n");
}

static void data_table(struct hone_strbuf *out, const struct page_part *part)
{
    hone_strbuf_printf(out,
                       "<div class=\"wide\"><table class=\"trials\" data-of=\"data-%zu\">"
                       "<caption>The best %d</caption><thead><tr><th scope=\"col\">rank"
                       "<th scope=\"col\">",
                       part->number, SHOWN_MOST);
    hone_markup_text(out, part->cost);
    hone_strbuf_add(out, "<th scope=\"col\">configuration<tbody>");
    for (size_t i = 0; i < part->standings.count && i < SHOWN_MOST; i++) {
        const struct hone_trial *trial = part->standings.trials[i];
        struct hone_strbuf config = HONE_STRBUF_INIT;
        hone_config_text(&config, part->space, trial->index);
        hone_strbuf_add(out, "<tr>");
        hone_page_cell(out, "%zu", i + 1);
        hone_page_cell(out, "%s", hone_plain(hone_trial_cost(trial), 6).text);
        hone_page_cell(out, "%s", config.data);
        hone_strbuf_fini(&config);
    }
    hone_strbuf_add(out, "</table></div>\n");
}

void hone_page_trials(struct hone_strbuf *out, struct page_part *part)
{
    hone_page_heading(out, part, "trials", "All trials");
    data_table(out, part);
    data_add(out, part);
    hone_strbuf_add(out, "</section>\n");
}
