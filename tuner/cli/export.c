// hone export: a journal as a file of another tuner, or as a table.
#include <stddef.h>
#include <stdlib.h>

#include "cli.h"
#include "hone/exchange.h"
#include "output.h"
#include "report/table.h"
#include "tuning/parts.h"

enum export_form { NO_FORM, TO_KERNEL_TUNER, TO_T4, TO_CSV, TO_JSONL };

struct export_args {
    struct hone_words words;
    const char *output;
    enum export_form to;
    struct hone_texts set;
};

static enum hone_status export_table(struct hone_strbuf *out,
                                     const struct hone_recording *whole,
                                     const struct hone_recording *part,
                                     enum hone_table_form form, struct hone_error *err)
{
    const size_t count = part ? 1 : hone_recording_problem_count(whole);
    const struct hone_recording **list = calloc(count, sizeof *list);
    if (!list) return hone_no_memory(err, "for a table");
    for (size_t i = 0; i < count; i++)
        list[i] = part ? part : hone_recording_problem(whole, i);
    const enum hone_status status = hone_table_write(out, list, count, form, err);
    free(list);
    return status;
}

static enum hone_status export_as(struct hone_strbuf *out, enum export_form to,
                                  const struct hone_recording *whole,
                                  const struct hone_recording *part,
                                  struct hone_error *err)
{
    if (to == TO_CSV) return export_table(out, whole, part, HONE_TABLE_CSV, err);
    if (to == TO_JSONL) return export_table(out, whole, part, HONE_TABLE_JSONL, err);
    return hone_export(out, part, to == TO_T4 ? HONE_FORMAT_T4 : HONE_FORMAT_KERNEL_TUNER,
                       err);
}

// The problem that is exported; NULL: all of a journal, which each row of a table tells.
static enum hone_status export_part(const struct hone_recording **part,
                                    const struct hone_recording *recording,
                                    const struct export_args *a, struct hone_error *err)
{
    *part = NULL;
    if ((a->to == TO_CSV || a->to == TO_JSONL) && !a->set.count) return HONE_OK;
    return hone_part_of_texts(part, recording, a->set.items, a->set.count, err);
}

static enum hone_status run_export(void *args, struct hone_error *err)
{
    const struct export_args *a = args;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_recording *recording = NULL;
    const struct hone_recording *part = NULL;
    enum hone_status status = HONE_OK;
    if (a->to == NO_FORM)
        status = hone_fail(err, HONE_EUSAGE,
                           "--to is missing: kernel_tuner, t4, csv or jsonl");
    if (status == HONE_OK) status = cli_output_check(a->output, err);
    if (status == HONE_OK)
        status = hone_recording_load_noted(&recording, a->words.items[0], err);
    if (status == HONE_OK) status = export_part(&part, recording, a, err);
    if (status == HONE_OK) status = export_as(&text, a->to, recording, part, err);
    hone_recording_free(recording);
    return cli_output_write(a->output, &text, status, err);
}

static const struct hone_choice to_words[] = {{"kernel_tuner", TO_KERNEL_TUNER},
                                              {"t4", TO_T4},
                                              {"csv", TO_CSV},
                                              {"jsonl", TO_JSONL},
                                              {0}};
static const struct hone_option_kind to_kind = HONE_CHOICE_KIND(to_words);

static const struct hone_option option_table[] = {
    {"to", 0, NULL, "what to write: a cache file of Kernel Tuner, a T4 file, a table",
     &to_kind, offsetof(struct export_args, to)},
    {"output", 'o', "FILE", "the new file; '-' for standard output [-]", &hone_kind_file,
     offsetof(struct export_args, output)},
    {"set", 0, "NAME=VALUE", "a size of the problem, where the journal is of several",
     &hone_kind_texts, offsetof(struct export_args, set)},
    {0},
};

const struct hone_command cli_export = {
    .name = "export",
    .summary = "Write a journal as a table or a file of another tuner",
    .usage = "JOURNAL --to FORMAT [-o FILE]",
    .details =
        "csv and jsonl have a row a trial, with parameters and metrics as columns, also "
        "of\npredictions, which they mark. docs/report.md names the columns and units.",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct export_args),
    .defaults = &(const struct export_args){.output = "-"},
    .operands = {1, 1, "the journal"},
    .run = run_export,
};
