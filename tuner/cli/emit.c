// hone emit: journals to a header.
#include <stdio.h>

#include "args/header_args.h"
#include "cli.h"
#include "output.h"
#include "print.h"
#include "report/written.h"

struct emit_args {
    struct hone_words words;
    struct hone_script_args script; // of the payload: there may be none
    struct hone_header_args header;
    const char *output, *script_path;
    bool json;
};

static enum hone_status run(void *args, struct hone_error *err)
{
    const struct emit_args *a = args;
    struct hone_written_header written = {0};
    struct hone_recordings recordings = {0};
    enum hone_status status = hone_header_args_check(a->output, &a->header, a->json, err);
    if (status == HONE_OK)
        status = hone_recordings_load(&recordings, a->words.items, a->words.count, err);
    const struct hone_header_options options = {
        .recordings = (const struct hone_recording *const *)recordings.items,
        .count = recordings.count,
        .payload.script = a->script_path};
    if (status == HONE_OK)
        status = hone_header_args_write(&written, a->output, &a->header, &a->script,
                                        &options, cli_output_write, err);
    if (status == HONE_OK && a->json)
        status = cli_print_json(
            hone_emitted_json(a->output, written.second, &recordings, &written.coverage),
            err);
    else if (status == HONE_OK)
        cli_print_coverage_beside(a->output, &written.coverage);
    hone_written_header_fini(&written);
    hone_recordings_fini(&recordings);
    return status;
}

static const struct hone_option option_table[] = {
    {"output", 'o', "FILE", "the header; '-' for standard output [-]",
     HONE_OUTPUT(struct emit_args, output)},
    {"script", 0, "FILE", "the kernel's script, for the payload",
     HONE_FILE(struct emit_args, script_path)},
    {"templates", 0, "FOLDER", "a further folder to look for templates in; repeatable",
     &hone_kind_folders, offsetof(struct emit_args, script.templates)},
    {"json", 0, NULL, "print what was written as JSON; needs -o FILE",
     HONE_FLAG(struct emit_args, json)},
    {0},
};

const struct hone_command cli_emit = {
    .name = "emit",
    .summary = "Write the best configurations of journals as a C header",
    .usage = "JOURNAL... [-o HEADER]",
    .options = CLI_OPTIONS(option_table, hone_options_of_header),
    .args_size = sizeof(struct emit_args),
    .defaults = &(const struct emit_args){.output = "-"},
    .operands = {1, SIZE_MAX, "the journal"},
    .run = run,
};
