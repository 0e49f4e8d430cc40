// What hone compare found: a table, JSON, and JUnit for those who watch builds.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/quantity.h"
#include "base/sink.h"
#include "color.h"
#include "compare_command.h"
#include "output.h"
#include "record/json_out.h"
#include "terminal.h"

static bool was_measured(const struct hone_compared_row *row)
{
    return row->verdict != HONE_VERDICT_FAILED && row->verdict != HONE_VERDICT_SKIPPED;
}

// "664.32 us -> 668.1 us, 1.006 (0.998 to 1.014)"
static void print_times(struct hone_strbuf *out, const struct hone_compared_row *row)
{
    if (!was_measured(row)) return;
    hone_strbuf_printf(out, "%s us -> %s us, ratio %.4f",
                       hone_plain(row->shipped->time_us, 6).text,
                       hone_plain(row->time_us, 6).text, row->ratio.ratio);
    if (isfinite(row->ratio.high))
        hone_strbuf_printf(out, " (%.4f to %.4f)", row->ratio.low, row->ratio.high);
}

static void print_note(struct hone_strbuf *out, const struct hone_compared_row *row)
{
    if (row->reason[0]) hone_strbuf_printf(out, "%s", row->reason);
    if (row->overtaken)
        hone_strbuf_printf(out, "%sfaster now: %s, ratio %.4f (%.4f to %.4f)",
                           row->reason[0] ? "; " : "", row->rival, row->rival_ratio.ratio,
                           row->rival_ratio.low, row->rival_ratio.high);
}

static enum hone_style verdict_style(const struct compare *compare,
                                     const struct hone_compared_row *row)
{
    if (hone_comparison_fails(row, compare->strict)) return HONE_STYLE_BAD;
    return row->verdict == HONE_VERDICT_AMBIGUOUS ? HONE_STYLE_WARNING
           : was_measured(row)                    ? HONE_STYLE_GOOD
                                                  : HONE_STYLE_PLAIN;
}

void compare_print_text(const struct compare *compare)
{
    cli_terminal_fold();
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_columns table = {.sides = "lll"};
    printf("%s on %s%s\n", compare->found.shipped.kernel, compare->found.device,
           compare->found.shipped.predicted ? " (predicted)" : "");
    if (compare->found.changes[0]) printf("changed: %s\n", compare->found.changes);
    for (size_t i = 0; i < compare->found.shipped.count; i++) {
        const struct hone_compared_row *row = &compare->found.rows[i];
        hone_columns_add(&table, "%s", hone_verdict_name(row->verdict));
        hone_columns_style(&table, verdict_style(compare, row));
        hone_columns_add(&table, "%s", row->problem);
        hone_strbuf_clear(&text);
        print_times(&text, row);
        hone_columns_add(&table, "%s", text.data);
        hone_strbuf_clear(&text);
        print_note(&text, row);
        if (!text.len) continue;
        hone_columns_add(&table, "%s", "");
        hone_columns_add_rest(&table, "%s", text.data);
    }
    cli_print_columns(&table, stdout, "");
    hone_strbuf_fini(&text);
}

enum hone_status compare_print_json(const struct compare *compare, struct hone_error *err)
{
    struct json_t *root = hone_json_object(), *rows = hone_json_array();
    hone_json_text(root, "kernel", compare->found.shipped.kernel);
    hone_json_text(root, "device", compare->found.device);
    hone_json_bool(root, "predicted", compare->found.shipped.predicted);
    hone_json_text(root, "changed", compare->found.changes);
    hone_json_number(root, "tolerance", compare->found.options->tolerance);
    for (size_t i = 0; i < compare->found.shipped.count; i++) {
        const struct hone_compared_row *row = &compare->found.rows[i];
        struct json_t *item = hone_json_object();
        hone_json_text(item, "verdict", hone_verdict_name(row->verdict));
        hone_json_text(item, "problem", row->problem);
        hone_json_number(item, "shipped_us", row->shipped->time_us);
        hone_json_number(item, "now_us", was_measured(row) ? row->time_us : (double)NAN);
        hone_json_number(item, "ratio",
                         was_measured(row) ? row->ratio.ratio : (double)NAN);
        hone_json_number(item, "low", was_measured(row) ? row->ratio.low : (double)NAN);
        hone_json_number(item, "high", was_measured(row) ? row->ratio.high : (double)NAN);
        hone_json_integer(item, "contenders", (int64_t)row->neighbours);
        hone_json_text(item, "compared", row->compared[0] ? row->compared : NULL);
        hone_json_text(item, "reason", row->reason[0] ? row->reason : NULL);
        hone_json_text(item, "faster_now", row->overtaken ? row->rival : NULL);
        hone_json_append(rows, item);
    }
    hone_json_child(root, "rows", rows);
    return hone_json_print(root, stdout, err);
}

/* --- JUnit --- */

static void add_attribute(struct hone_strbuf *out, const char *name, const char *text)
{
    hone_strbuf_printf(out, " %s=\"", name);
    hone_sink_html(out, text);
    hone_strbuf_add(out, "\"");
}

static void add_case(struct hone_strbuf *out, const struct compare *compare,
                     const struct hone_compared_row *row)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const bool fails = hone_comparison_fails(row, compare->strict);
    hone_strbuf_printf(&text, "%s ", hone_verdict_name(row->verdict));
    print_times(&text, row);
    if (row->reason[0] || row->overtaken) hone_strbuf_add(&text, " ");
    print_note(&text, row);
    hone_strbuf_add(out, "  <testcase");
    add_attribute(out, "classname", compare->found.shipped.kernel);
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

enum hone_status compare_write_junit(const struct compare *compare, const char *path,
                                     struct hone_error *err)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    size_t skipped = 0;
    const size_t failures = hone_comparison_failures(&compare->found, compare->strict);
    for (size_t i = 0; i < compare->found.shipped.count; i++)
        skipped += compare->found.rows[i].verdict == HONE_VERDICT_SKIPPED;
    hone_strbuf_add(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite");
    add_attribute(&out, "name", compare->path);
    hone_strbuf_printf(&out,
                       " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\"",
                       compare->found.shipped.count, failures, skipped);
    add_attribute(&out, "hostname", compare->found.device);
    hone_strbuf_add(&out, ">\n  <properties>\n    <property name=\"changed\"");
    add_attribute(&out, "value", compare->found.changes);
    hone_strbuf_add(&out, "/>\n  </properties>\n");
    for (size_t i = 0; i < compare->found.shipped.count; i++)
        add_case(&out, compare, &compare->found.rows[i]);
    hone_strbuf_add(&out, "</testsuite>\n");
    const enum hone_status status = cli_output_write(path, &out, err);
    hone_strbuf_fini(&out);
    return status;
}
