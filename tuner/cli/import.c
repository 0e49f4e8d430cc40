// hone import: files of other tuners into journals, and spaces into scripts.
#include <stdio.h>
#include <stdlib.h>

#include "args/common_kinds.h"
#include "base/file.h"
#include "base/log.h"
#include "cli.h"
#include "record/json_out.h"
#include "report/written.h"

struct import_args {
    struct hone_words words;
    const char *output;
    struct hone_import_options import;
    bool json;
};

static enum hone_status report(const struct hone_import *import, const char *path,
                               const char *output, bool json, struct hone_error *err)
{
    const size_t lost = hone_import_lost(import);
    for (size_t i = 0; i < hone_import_note_count(import); i++) {
        const struct hone_import_note note = hone_import_note(import, i);
        if (note.line)
            hone_log(HONE_LOG_WARNING, "%s:%zu: %s", path, note.line, note.text);
        else
            hone_log(HONE_LOG_WARNING, "%s: %s", path, note.text);
    }
    if (json)
        return hone_json_print(hone_imported_json(import, path, output), stdout, err);
    printf("%s: %zu %s from %s (%s)", output, hone_import_count(import),
           hone_import_is_script(import) ? "parameters and constraints" : "trials", path,
           hone_format_name(hone_import_format(import)));
    printf(lost ? ", %zu entries left out\n" : "\n", lost);
    return HONE_OK;
}

static enum hone_status import_file(const struct import_args *a, const char *path,
                                    struct hone_error *err)
{
    struct hone_import *import = NULL;
    char *name = NULL;
    enum hone_status status = hone_import_load(&import, path, &a->import, err);
    if (status != HONE_OK) return status;
    name = hone_path_here(path, hone_import_is_script(import) ? ".lua" : ".jsonl");
    const char *output = a->output ? a->output : name;
    if (!output) status = hone_no_memory(err, "for the name of a file");
    if (status == HONE_OK) status = hone_import_write(import, output, err);
    if (status == HONE_OK) status = report(import, path, output, a->json, err);
    hone_import_free(import);
    free(name);
    return status;
}

static enum hone_status run_import(void *args, struct hone_error *err)
{
    const struct import_args *a = args;
    enum hone_status status = HONE_OK;
    if (a->output && a->words.count > 1)
        status = hone_fail(err, HONE_EUSAGE, "--output names one journal for %zu files",
                           a->words.count);
    for (size_t i = 0; status == HONE_OK && i < a->words.count; i++)
        status = import_file(a, a->words.items[i], err);
    return status;
}

static const struct hone_option option_table[] = {
    {"output", 'o', "FILE",
     "the new journal or script [the file's name with .jsonl or .lua, here]",
     HONE_OUTPUT(struct import_args, output)},
    {"from", 0, NULL, "what the file is; hone is a damaged journal [auto]",
     &hone_kind_format, offsetof(struct import_args, import.format)},
    {"kernel", 0, "NAME", "the kernel's name [what the file says]",
     HONE_TEXT(struct import_args, import.kernel)},
    {"device-name", 0, "NAME", "the GPU's name [what the file says]",
     HONE_TEXT(struct import_args, import.device)},
    {"complete", 0, NULL, "the file holds every valid configuration of its space",
     HONE_FLAG(struct import_args, import.complete)},
    {"json", 0, NULL, "print JSON, one object a file",
     HONE_FLAG(struct import_args, json)},
    {0},
};

const struct hone_command cli_import = {
    .name = "import",
    .summary = "Read files of other tuners into journals",
    .usage = "FILE... [-o FILE]",
    .details = "Trials become a journal, the space of a T1 file a script. Files may be "
               "compressed by gzip.\nWhat is sound in a damaged file is kept; the rest "
               "is counted and named.",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct import_args),
    .operands = {1, SIZE_MAX, "the file to import"},
    .run = run_import,
};
