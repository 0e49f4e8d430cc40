// hone emit: journals to a header.
#include <stdlib.h>

#include "commands.h"
#include "header.h"
#include "hone/record.h"
#include "log.h"

struct emit_args {
    struct cli_words words;
    const char *output;
    const char *name;
    bool accept_predicted;
};

static enum hone_status load_all(struct hone_recording **recordings,
                                 const struct cli_words *words, struct hone_error *err)
{
    for (size_t i = 0; i < words->count; i++) {
        enum hone_status status =
            hone_recording_load(&recordings[i], words->items[i], err);
        if (status != HONE_OK) return status;
        const char *notice = hone_recording_notice(recordings[i]);
        if (*notice) hone_log(HONE_LOG_WARNING, "%s: %s", words->items[i], notice);
    }
    return HONE_OK;
}

static enum hone_status run(void *args, struct hone_error *err)
{
    const struct emit_args *a = args;
    const size_t count = a->words.count;
    struct hone_recording **recordings = calloc(count + 1, sizeof *recordings);
    if (!recordings) return hone_fail(err, HONE_ENOMEM, "out of memory");
    const struct hone_emit_options options = {.name = a->name,
                                              .accept_predicted = a->accept_predicted};
    enum hone_status status =
        cli_expect_words(&a->words, 1, SIZE_MAX, "the journal", err);
    if (status == HONE_OK) status = cli_header_check_path(a->output, err);
    if (status == HONE_OK) status = load_all(recordings, &a->words, err);
    if (status == HONE_OK)
        status =
            cli_header_write(a->output, (const struct hone_recording *const *)recordings,
                             count, &options, err);
    for (size_t i = 0; i < count; i++)
        hone_recording_free(recordings[i]);
    free(recordings);
    return status;
}

static const struct cli_option option_table[] = {
    {"output", 'o', "FILE", "the header; '-' for standard output [-]", CLI_TEXT,
     offsetof(struct emit_args, output)},
    {"name", 0, "NAME", "prefix of everything in the header [the kernel's name]",
     CLI_TEXT, offsetof(struct emit_args, name)},
    {"accept-predicted", 0, NULL, "emit from a model's predictions; the header says so",
     CLI_FLAG, offsetof(struct emit_args, accept_predicted)},
    {0},
};

const struct cli_command cli_emit = {
    .name = "emit",
    .summary = "Write the best configurations of journals as a C header",
    .usage = "JOURNAL... [-o HEADER]",
    .options = (const struct cli_option *const[]){option_table, NULL},
    .args_size = sizeof(struct emit_args),
    .defaults = &(const struct emit_args){.output = "-"},
    .run = run,
};
