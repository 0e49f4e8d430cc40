// hone export: a journal as a file of another tuner.
#include <stddef.h>

#include "cli.h"
#include "hone/exchange.h"
#include "output.h"
#include "tuning/parts.h"

struct export_args {
    struct hone_words words;
    const char *output;
    enum hone_format to; // AUTO: not given
    struct hone_texts set;
};

static enum hone_status run_export(void *args, struct hone_error *err)
{
    const struct export_args *a = args;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_recording *recording = NULL;
    const struct hone_recording *part = NULL;
    enum hone_status status = hone_words_expect(&a->words, 1, 1, "the journal", err);
    if (status == HONE_OK && a->to == HONE_FORMAT_AUTO)
        status = hone_fail(err, HONE_EUSAGE, "--to is missing: kernel_tuner or t4");
    if (status == HONE_OK) status = cli_output_check(a->output, err);
    if (status == HONE_OK)
        status = hone_recording_load_noted(&recording, a->words.items[0], err);
    if (status == HONE_OK)
        status = hone_part_of_texts(&part, recording, a->set.items, a->set.count, err);
    if (status == HONE_OK) status = hone_export(&text, part, a->to, err);
    hone_recording_free(recording);
    return cli_output_write(a->output, &text, status, err);
}

static const struct hone_choice to_words[] = {
    {"kernel_tuner", HONE_FORMAT_KERNEL_TUNER}, {"t4", HONE_FORMAT_T4}, {0}};
static const struct hone_option_kind to_kind = HONE_CHOICE_KIND(to_words);

static const struct hone_option option_table[] = {
    {"to", 0, NULL, "what to write; kernel_tuner is a cache file", &to_kind,
     offsetof(struct export_args, to)},
    {"output", 'o', "FILE", "the new file; '-' for standard output [-]", &hone_kind_file,
     offsetof(struct export_args, output)},
    {"set", 0, "NAME=VALUE", "a size of the problem, where the journal is of several",
     &hone_kind_texts, offsetof(struct export_args, set)},
    {0},
};

const struct hone_command cli_export = {
    .name = "export",
    .summary = "Write a journal as a file of another tuner",
    .usage = "JOURNAL --to FORMAT [-o FILE]",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct export_args),
    .defaults = &(const struct export_args){.output = "-"},
    .run = run_export,
};
