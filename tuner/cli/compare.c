// hone compare: are the shipped configurations still as fast, and still the best near by?
// For the day that driver, toolkit or template change.
#include "compare_command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "header_command.h"
#include "output.h"

static enum hone_status check_args(struct compare *c, struct hone_error *err)
{
    const struct compare_args *a = c->args;
    char *end = NULL;
    enum hone_status status =
        cli_expect_words(&a->words, 1, 1, "the header or journal", err);
    if (status == HONE_OK && !a->kernel)
        status = hone_fail(err, HONE_EUSAGE, "--script is missing: the kernel's script");
    c->tolerance = strtod(a->tolerance, &end);
    if (*end == '%') {
        end++;
        c->tolerance /= 100;
    }
    if (status == HONE_OK && (*end || !(c->tolerance >= 0 && c->tolerance < 1)))
        status = hone_fail(err, HONE_EUSAGE,
                           "--tolerance wants a part like 3%%, got '%s'", a->tolerance);
    if (status == HONE_OK && a->junit) status = cli_output_check(a->junit, err);
    return status;
}

static void name_problem(struct compared_row *row)
{
    size_t len = 0;
    for (size_t i = 0; row->shipped->problem[i] && len < sizeof row->problem; i++) {
        const int n = snprintf(row->problem + len, sizeof row->problem - len, "%s%s",
                               i ? " " : "", row->shipped->problem[i]);
        len += n > 0 ? (size_t)n : 0;
    }
}

static enum hone_status compare_all(struct compare *c, struct hone_error *err)
{
    size_t skipped = 0;
    c->rows = calloc(c->shipped.count + 1, sizeof *c->rows);
    if (!c->rows) return hone_fail(err, HONE_ENOMEM, "out of memory");
    for (size_t i = 0; i < c->shipped.count; i++) {
        struct compared_row *row = &c->rows[i];
        row->shipped = &c->shipped.rows[i];
        name_problem(row);
        enum hone_status status = compare_measure(c, row, err);
        if (status != HONE_OK) return status;
        skipped += row->verdict == VERDICT_SKIPPED;
    }
    if (skipped < c->shipped.count) return HONE_OK;
    return hone_fail(err, HONE_EINPUT, "no row of '%s' is of %s", c->args->words.items[0],
                     c->device);
}

static enum hone_status conclude(const struct compare *c, struct hone_error *err)
{
    const struct compare_args *a = c->args;
    size_t failures = 0;
    enum hone_status status = HONE_OK;
    if (a->json)
        status = compare_print_json(c, err);
    else
        compare_print_text(c);
    if (status == HONE_OK && a->junit) status = compare_write_junit(c, a->junit, err);
    for (size_t i = 0; i < c->shipped.count; i++)
        failures += compare_fails(c, &c->rows[i]);
    if (status != HONE_OK || !failures) return status;
    return hone_fail(err, HONE_EDEVICE, "%zu of %zu rows regressed", failures,
                     c->shipped.count);
}

static enum hone_status run(void *args, struct hone_error *err)
{
    struct compare c = {.args = args};
    enum hone_status status = check_args(&c, err);
    if (status == HONE_OK)
        status = hone_shipped_load(&c.shipped, c.args->words.items[0], err);
    if (status == HONE_OK) status = compare_all(&c, err);
    if (status == HONE_OK) status = conclude(&c, err);
    hone_shipped_fini(&c.shipped);
    free(c.rows);
    return status;
}

static const struct cli_option option_table[] = {
    {"script", 0, "SCRIPT", "the kernel's script, as it is now", &cli_file,
     offsetof(struct compare_args, kernel)},
    {"tolerance", 0, "PART", "difference that does not matter [3%]", &cli_text,
     offsetof(struct compare_args, tolerance)},
    {"neighbours", 0, "N", "configurations next to each row to measure, at most 15 [6]",
     &cli_count, offsetof(struct compare_args, neighbours)},
    {"strict", 0, NULL, "AMBIGUOUS rows, and those with a faster neighbour, fail too",
     &cli_flag, offsetof(struct compare_args, strict)},
    {"junit", 0, "FILE", "write the verdicts there as JUnit XML", &cli_file,
     offsetof(struct compare_args, junit)},
    {"seed", 0, "N", "of the input data and the finals [1]", &cli_count,
     offsetof(struct compare_args, seed)},
    {"clock", 0, "auto|cupti|event|graph", "what to time by [auto]", &cli_text,
     offsetof(struct compare_args, clock)},
    {"isolate", 0, "yes|no|auto", "measure in a process of its own [auto: on a GPU]",
     &cli_text, offsetof(struct compare_args, isolate)},
    {"threads", 'j', "N", "compile threads [one a core]", &cli_count,
     offsetof(struct compare_args, build.threads)},
    {"cache", 0, "FOLDER", "of builds; '' for none", &cli_folder_or_none,
     offsetof(struct compare_args, build.cache)},
    {"json", 0, NULL, "print the verdicts as JSON", &cli_flag,
     offsetof(struct compare_args, json)},
    {0},
};

const struct cli_command cli_compare = {
    .name = "compare",
    .summary = "Measure shipped configurations again: a gate for regressions",
    .usage = "HEADER|JOURNAL --script SCRIPT [--device DEVICE]",
    .details =
        "Each row of the device is measured again at its problem, with its neighbours in "
        "the space\n"
        "and the author's default. SAME, FASTER and SLOWER mean that the 95 % interval "
        "of the ratio\n"
        "to the shipped time lies within or outside the tolerance, AMBIGUOUS that it "
        "holds an edge\n"
        "of it, FAILED that the configuration does not build, run or agree any more. "
        "SLOWER and\n"
        "FAILED rows end the command with 1. On emu:GPU predictions are compared.",
    .options = (const struct cli_option *const[]){cli_script_options, option_table, NULL},
    .args_size = sizeof(struct compare_args),
    .defaults = &(const struct compare_args){.script.device = "auto",
                                             .clock = "auto",
                                             .isolate = "auto",
                                             .tolerance = "3%",
                                             .neighbours = 6,
                                             .seed = 1},
    .run = run,
};
