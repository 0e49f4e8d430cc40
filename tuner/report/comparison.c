#include "report/comparison.h"

#include <math.h>

#include "base/quantity.h"
#include "base/sink.h"
#include "record/json_out.h"

bool hone_compared_row_measured(const struct hone_compared_row *row)
{
    return row->verdict != HONE_VERDICT_FAILED && row->verdict != HONE_VERDICT_SKIPPED;
}

// "664.32 us -> 668.1 us, 1.006 (0.998 to 1.014)"
void hone_compared_times_text(struct hone_strbuf *out,
                              const struct hone_compared_row *row)
{
    if (!hone_compared_row_measured(row)) return;
    hone_strbuf_printf(out, "%s us -> %s us, ratio %.4f",
                       hone_plain(row->shipped->time_us, 6).text,
                       hone_plain(row->time_us, 6).text, row->ratio.ratio);
    if (isfinite(row->ratio.high))
        hone_strbuf_printf(out, " (%.4f to %.4f)", row->ratio.low, row->ratio.high);
}

void hone_compared_note_text(struct hone_strbuf *out, const struct hone_compared_row *row)
{
    if (row->reason[0]) hone_strbuf_printf(out, "%s", row->reason);
    if (row->overtaken)
        hone_strbuf_printf(out, "%sfaster now: %s, ratio %.4f (%.4f to %.4f)",
                           row->reason[0] ? "; " : "", row->rival, row->rival_ratio.ratio,
                           row->rival_ratio.low, row->rival_ratio.high);
}

struct json_t *hone_comparison_json(const struct hone_comparison *found)
{
    struct json_t *root = hone_json_object(), *rows = hone_json_array();
    hone_json_text(root, "kernel", found->shipped.kernel);
    hone_json_text(root, "device", found->device);
    hone_json_bool(root, "predicted", found->shipped.predicted);
    hone_json_text(root, "changed", found->changes);
    hone_json_number(root, "tolerance", found->options->tolerance);
    for (size_t i = 0; i < found->shipped.count; i++) {
        const struct hone_compared_row *row = &found->rows[i];
        struct json_t *item = hone_json_object();
        hone_json_text(item, "verdict", hone_verdict_name(row->verdict));
        hone_json_text(item, "problem", row->problem);
        hone_json_number(item, "shipped_us", row->shipped->time_us);
        hone_json_number(item, "now_us",
                         hone_compared_row_measured(row) ? row->time_us : (double)NAN);
        hone_json_number(item, "ratio",
                         hone_compared_row_measured(row) ? row->ratio.ratio
                                                         : (double)NAN);
        hone_json_number(item, "low",
                         hone_compared_row_measured(row) ? row->ratio.low : (double)NAN);
        hone_json_number(item, "high",
                         hone_compared_row_measured(row) ? row->ratio.high : (double)NAN);
        hone_json_integer(item, "contenders", (int64_t)row->neighbours);
        hone_json_text(item, "compared", row->compared[0] ? row->compared : NULL);
        hone_json_text(item, "reason", row->reason[0] ? row->reason : NULL);
        hone_json_text(item, "faster_now", row->overtaken ? row->rival : NULL);
        hone_json_append(rows, item);
    }
    hone_json_child(root, "rows", rows);
    return root;
}

static void add_attribute(struct hone_strbuf *out, const char *name, const char *text)
{
    hone_strbuf_printf(out, " %s=\"", name);
    hone_sink_html(out, text);
    hone_strbuf_add(out, "\"");
}

static void add_case(struct hone_strbuf *out, const struct hone_comparison *found,
                     const struct hone_compared_row *row, bool strict)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const bool fails = hone_comparison_fails(row, strict);
    hone_strbuf_printf(&text, "%s ", hone_verdict_name(row->verdict));
    hone_compared_times_text(&text, row);
    if (row->reason[0] || row->overtaken) hone_strbuf_add(&text, " ");
    hone_compared_note_text(&text, row);
    hone_strbuf_add(out, "  <testcase");
    add_attribute(out, "classname", found->shipped.kernel);
    add_attribute(out, "name", row->problem);
    hone_strbuf_add(out, ">\n    <");
    hone_strbuf_add(out, fails                                  ? "failure"
                         : row->verdict == HONE_VERDICT_SKIPPED ? "skipped"
                                                                : "system-out");
    if (fails || row->verdict == HONE_VERDICT_SKIPPED) {
        add_attribute(out, "message", text.data);
        hone_strbuf_add(out, "/>\n  </testcase>\n");
    } else {
        hone_strbuf_add(out, ">");
        hone_sink_html(out, text.data);
        hone_strbuf_add(out, "</system-out>\n  </testcase>\n");
    }
    hone_strbuf_fini(&text);
}

void hone_comparison_junit(struct hone_strbuf *out, const struct hone_comparison *found,
                           const char *path, bool strict)
{
    size_t skipped = 0;
    const size_t failures = hone_comparison_failures(found, strict);
    for (size_t i = 0; i < found->shipped.count; i++)
        skipped += found->rows[i].verdict == HONE_VERDICT_SKIPPED;
    hone_strbuf_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite");
    add_attribute(out, "name", path);
    hone_strbuf_printf(out,
                       " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\"",
                       found->shipped.count, failures, skipped);
    add_attribute(out, "hostname", found->device);
    hone_strbuf_add(out, ">\n  <properties>\n    <property name=\"changed\"");
    add_attribute(out, "value", found->changes);
    hone_strbuf_add(out, "/>\n  </properties>\n");
    for (size_t i = 0; i < found->shipped.count; i++)
        add_case(out, found, &found->rows[i], strict);
    hone_strbuf_add(out, "</testsuite>\n");
}
