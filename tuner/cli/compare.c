// hone compare: are the shipped configurations still as fast, and still the best near by?
// For the day that driver, toolkit or template change.
#include <stdio.h>

#include "args/common_kinds.h"
#include "args/script_args.h"
#include "cli.h"
#include "output.h"
#include "record/output_path.h"
#include "report/comparison.h"
#include "terminal.h"
#include "tuning/script_sets.h"

struct compare_args {
    struct hone_words words;
    struct hone_script_args script;
    struct hone_build_args build;
    struct hone_comparison_options comparison;
    const char *junit;
    bool strict, json, quiet;
};

static enum hone_status check_compare_args(const struct compare_args *a,
                                           struct hone_error *err)
{
    if (!a->comparison.tuning.script)
        return hone_fail(err, HONE_EUSAGE, "--script is missing: the kernel's script");
    enum hone_status status = a->junit ? hone_output_check(a->junit, err) : HONE_OK;
    if (status != HONE_OK) return status;
    return hone_script_sets_check(a->script.set.items, a->script.set.count, err);
}

// strict: AMBIGUOUS rows, and those that are overtaken, fail too.
static enum hone_style verdict_style(const struct hone_compared_row *row, bool strict)
{
    if (hone_comparison_fails(row, strict)) return HONE_STYLE_BAD;
    return row->verdict == HONE_VERDICT_AMBIGUOUS ? HONE_STYLE_WARNING
           : hone_compared_row_measured(row)      ? HONE_STYLE_GOOD
                                                  : HONE_STYLE_PLAIN;
}

// Quiet: rows that fail alone.
static void print_comparison(const struct hone_comparison *found,
                             const struct compare_args *a)
{
    const bool fails = hone_comparison_failures(found, a->strict) > 0;
    if (a->quiet && !fails) return;
    cli_terminal_fold();
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_columns table = {.sides = "lll"};
    printf("%s on %s%s\n", found->shipped.kernel, found->device,
           found->shipped.predicted ? " (predicted)" : "");
    if (found->changes[0]) printf("changed: %s\n", found->changes);
    for (size_t i = 0; i < found->shipped.count; i++) {
        const struct hone_compared_row *row = &found->rows[i];
        if (a->quiet && !hone_comparison_fails(row, a->strict)) continue;
        hone_columns_add(&table, "%s", hone_verdict_name(row->verdict));
        hone_columns_style(&table, verdict_style(row, a->strict));
        hone_columns_add(&table, "%s", row->problem);
        hone_strbuf_clear(&text);
        hone_compared_times_text(&text, row);
        hone_columns_add(&table, "%s", text.data);
        hone_strbuf_clear(&text);
        hone_compared_note_text(&text, row);
        if (!text.len) continue;
        hone_columns_add(&table, "%s", "");
        hone_columns_add_rest(&table, "%s", text.data);
    }
    cli_print_columns(&table, stdout, "");
    hone_strbuf_fini(&text);
}

static enum hone_status conclude(const struct compare_args *a,
                                 const struct hone_comparison *found,
                                 struct hone_error *err)
{
    const size_t failures = hone_comparison_failures(found, a->strict);
    enum hone_status status = HONE_OK;
    struct hone_strbuf junit = HONE_STRBUF_INIT;
    if (a->json)
        status = cli_print_json(hone_comparison_json(found), err);
    else
        print_comparison(found, a);
    if (a->junit) hone_comparison_junit(&junit, found, a->words.items[0], a->strict);
    if (a->junit) status = cli_output_write(a->junit, &junit, status, err);
    if (status != HONE_OK || !failures) return status;
    return hone_fail(err, HONE_EDEVICE, "%zu of %zu rows regressed", failures,
                     found->shipped.count);
}

static enum hone_status run_compare(void *args, struct hone_error *err)
{
    const struct compare_args *a = args;
    struct hone_comparison found = {0};
    struct hone_comparison_options options = a->comparison;
    struct hone_script_input script = {0};
    enum hone_status status = check_compare_args(a, err);
    if (status == HONE_OK)
        status =
            hone_script_args_tuning(&options.tuning, &script, &a->script, &a->build, err);
    if (status == HONE_OK)
        status = hone_comparison_run(&found, a->words.items[0], &options, err);
    if (status == HONE_OK) status = conclude(a, &found, err);
    hone_comparison_fini(&found);
    hone_script_input_fini(&script);
    return status;
}

static const struct hone_option option_table[] = {
    {"script", 0, "SCRIPT", "the kernel's script, as it is now",
     HONE_FILE(struct compare_args, comparison.tuning.script)},
    {"tolerance", 0, "PART", "difference that does not matter [3%]", &hone_kind_share,
     offsetof(struct compare_args, comparison.tolerance)},
    {"neighbours", 0, "N", "configurations next to each row to measure, at most 15 [6]",
     HONE_COUNT(struct compare_args, comparison.neighbours)},
    {"strict", 0, NULL, "AMBIGUOUS rows, and those with a faster neighbour, fail too",
     HONE_FLAG(struct compare_args, strict)},
    {"junit", 0, "FILE", "write the verdicts there as JUnit XML",
     HONE_OUTPUT(struct compare_args, junit)},
    {"seed", 0, "N", "of the input data and the finals [1]",
     HONE_COUNT(struct compare_args, comparison.tuning.seed)},
    {"clock", 0, NULL, "what to time by [auto]", &hone_kind_clock,
     offsetof(struct compare_args, comparison.tuning.clock)},
    {"isolate", 0, NULL, "measure in a process of its own [auto: on a GPU]",
     &hone_kind_wish, offsetof(struct compare_args, comparison.tuning.isolate)},
    HONE_BUILD_OPTIONS(struct compare_args),
    {"quiet", 'q', NULL, "print rows that fail, and nothing without one",
     HONE_FLAG(struct compare_args, quiet)},
    {"json", 0, NULL, "print the verdicts as JSON", HONE_FLAG(struct compare_args, json)},
    {0},
};

const struct hone_command cli_compare = {
    .name = "compare",
    .summary = "Measure shipped configurations again: a gate for regressions",
    .usage = "HEADER|JOURNAL --script SCRIPT [--device DEVICE]",
    .details =
        "Each row of the device is measured again at its problem, with its neighbours in "
        "the space\nand the author's default. SAME, FASTER and SLOWER mean that the 95 % "
        "interval of the ratio\nto the shipped time lies within or outside the "
        "tolerance, AMBIGUOUS that it holds an edge\nof it, FAILED that the "
        "configuration does not build, run or agree any more. SLOWER and\nFAILED rows "
        "end the command with 1. On emu:GPU predictions are compared.",
    .options = CLI_OPTIONS(hone_options_of_script, option_table),
    .args_size = sizeof(struct compare_args),
    .defaults = &(
        const struct compare_args){.script.device = "auto",
                                   .comparison = {.tuning = {.seed = 1, .any_seed = true},
                                                  .tolerance = 0.03,
                                                  .neighbours = 6}},
    .operands = {1, 1, "the header or journal"},
    .run = run_compare,
};
