// hone report: journals as an HTML page.
#include "cli.h"
#include "hone/strbuf.h"
#include "output.h"
#include "page/page.h"
#include "record/output_path.h"
#include "tuning/parts.h"

struct report_args {
    struct hone_words words;
    const char *output;
};

static enum hone_status run_report(void *args, struct hone_error *err)
{
    const struct report_args *a = args;
    struct hone_strbuf page = HONE_STRBUF_INIT;
    struct hone_parts parts = {0};
    if (!a->output)
        return hone_fail(err, HONE_EUSAGE,
                         "where to: -o report.html, or -o - for standard output");
    enum hone_status status = hone_output_check(a->output, err);
    if (status == HONE_OK)
        status = hone_parts_load(&parts, a->words.items, a->words.count, err);
    if (status == HONE_OK) status = hone_page_write(&page, parts.items, parts.count, err);
    status = cli_output_write(a->output, &page, status, err);
    hone_parts_fini(&parts);
    return status;
}

static const struct hone_option option_table[] = {
    {"output", 'o', "FILE.html", "the page; '-' for standard output",
     HONE_OUTPUT(struct report_args, output)},
    {0},
};

const struct hone_command cli_report = {
    .name = "report",
    .summary = "Write what journals hold as an HTML page",
    .usage = "JOURNAL... -o FILE.html",
    .details =
        "One file, which needs no network: winner against default, the best so far, the\n"
        "distribution of times, each parameter and how much it matters, failures, "
        "finals, the\nroofline, all trials to sort and filter. Several journals, and the "
        "problems of one, stand\nside by side. docs/report.md",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct report_args),
    .operands = {1, SIZE_MAX, "the journal"},
    .run = run_report,
};
