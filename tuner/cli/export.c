// hone export: a journal as a file of another tuner, or as a table.
#include <stddef.h>

#include "cli.h"
#include "output.h"
#include "record/output_path.h"
#include "report/exported.h"
#include "tuning/parts.h"

struct export_args {
    struct hone_words words;
    const char *output;
    enum hone_export_form to;
    struct hone_texts set;
};

static enum hone_status run_export(void *args, struct hone_error *err)
{
    const struct export_args *a = args;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_recording *recording = NULL;
    if (a->to == HONE_EXPORT_NONE)
        return hone_fail(err, HONE_EUSAGE,
                         "--to is missing: kernel_tuner, t4, csv or jsonl");
    enum hone_status status = hone_output_check(a->output, err);
    if (status == HONE_OK)
        status = hone_recording_load_noted(&recording, a->words.items[0], err);
    if (status == HONE_OK)
        status = hone_export_recording(&text, recording, a->to, a->set.items,
                                       a->set.count, err);
    hone_recording_free(recording);
    return cli_output_write(a->output, &text, status, err);
}

static const struct hone_choice to_words[] = {{"kernel_tuner", HONE_EXPORT_KERNEL_TUNER},
                                              {"t4", HONE_EXPORT_T4},
                                              {"csv", HONE_EXPORT_CSV},
                                              {"jsonl", HONE_EXPORT_JSONL},
                                              {0}};
static const struct hone_option_kind to_kind = HONE_CHOICE_KIND(to_words);

static const struct hone_option option_table[] = {
    {"to", 0, NULL, "what to write: a cache file of Kernel Tuner, a T4 file, a table",
     &to_kind, offsetof(struct export_args, to)},
    {"output", 'o', "FILE", "the new file; '-' for standard output [-]",
     HONE_OUTPUT(struct export_args, output)},
    {"set", 0, "NAME=VALUE", "a size of the problem, where the journal is of several",
     HONE_TEXTS(struct export_args, set)},
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
