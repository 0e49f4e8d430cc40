// hone report: journals as an HTML page.
#include <stddef.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/strbuf.h"
#include "cli.h"
#include "output.h"
#include "page/page.h"
#include "tuning/parts.h"

struct report_args {
    struct hone_words words;
    const char *output;
};

struct loaded {
    struct hone_recording **journals; // [words]
    size_t journal_count;
    const struct hone_recording **parts; // all problems of all journals
    size_t part_count, part_cap;
};

static enum hone_status load_journal(struct loaded *loaded, const char *path,
                                     struct hone_error *err)
{
    struct hone_recording *journal = NULL;
    enum hone_status status = hone_recording_load_noted(&journal, path, err);
    if (status != HONE_OK) return status;
    loaded->journals[loaded->journal_count++] = journal;
    for (size_t p = 0; p < hone_recording_problem_count(journal); p++) {
        if (!HONE_GROW(&loaded->parts, &loaded->part_cap, loaded->part_count + 1, 8))
            return hone_no_memory(err, "for '%s'", path);
        loaded->parts[loaded->part_count++] = hone_recording_problem(journal, p);
    }
    return HONE_OK;
}

static enum hone_status run_report(void *args, struct hone_error *err)
{
    const struct report_args *a = args;
    struct hone_strbuf page = HONE_STRBUF_INIT;
    struct loaded loaded = {0};
    enum hone_status status =
        hone_words_expect(&a->words, 1, SIZE_MAX, "the journal", err);
    if (status == HONE_OK && !a->output)
        status = hone_fail(err, HONE_EUSAGE,
                           "where to: -o report.html, or -o - for standard output");
    if (status == HONE_OK) status = cli_output_check(a->output, err);
    if (status == HONE_OK)
        loaded.journals = calloc(a->words.count, sizeof *loaded.journals);
    if (status == HONE_OK && !loaded.journals)
        status = hone_no_memory(err, "for a report");
    for (size_t i = 0; status == HONE_OK && i < a->words.count; i++)
        status = load_journal(&loaded, a->words.items[i], err);
    if (status == HONE_OK)
        status = hone_page_write(&page, loaded.parts, loaded.part_count, err);
    status = cli_output_write(a->output, &page, status, err);
    for (size_t i = 0; i < loaded.journal_count; i++)
        hone_recording_free(loaded.journals[i]);
    free(loaded.journals);
    free(loaded.parts);
    return status;
}

static const struct hone_option option_table[] = {
    {"output", 'o', "FILE.html", "the page; '-' for standard output", &hone_kind_file,
     offsetof(struct report_args, output)},
    {0},
};

const struct hone_command cli_report = {
    .name = "report",
    .summary = "Write what journals hold as an HTML page",
    .usage = "JOURNAL... -o FILE.html",
    .details =
        "One file, which needs no network: winner against default, the best so far, the\n"
        "distribution of times, each parameter and how much it matters, failures, "
        "finals, "
        "the\nroofline, all trials to sort and filter. Several journals, and the "
        "problems of "
        "one, stand\nside by side. docs/report.md",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct report_args),
    .run = run_report,
};
