// hone new: a template, its script and its reference to begin with.
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "record/json_out.h"
#include "report/written.h"
#include "tuning/installed_kernels.h"

struct new_args {
    struct hone_words words;
    const char *folder;
    bool json;
};

static void print_new_text(char *const paths[HONE_STARTER_FILES])
{
    for (size_t i = 0; i < HONE_STARTER_FILES; i++)
        printf("%s\n", paths[i]);
    printf("\nIt works as it is: hone check %s --all\n"
           "From here to a kernel that is launched: %s\n",
           paths[0], hone_docs_path("tutorial.md").text);
}

static enum hone_status run_new(void *args, struct hone_error *err)
{
    const struct new_args *a = args;
    char *paths[HONE_STARTER_FILES] = {0};
    const char *name = a->words.items[0];
    enum hone_status status = hone_starter_write(paths, a->folder, name, err);
    if (status == HONE_OK && a->json)
        status = hone_json_print(hone_starter_json(name, paths), stdout, err);
    if (status == HONE_OK && !a->json) print_new_text(paths);
    for (size_t i = 0; i < HONE_STARTER_FILES; i++)
        free(paths[i]);
    return status;
}

static const struct hone_option option_table[] = {
    {"folder", 0, "FOLDER", "where to write them [.]", &hone_kind_folder,
     offsetof(struct new_args, folder)},
    {"json", 0, NULL, "print what was written as JSON", HONE_FLAG(struct new_args, json)},
    {0},
};

const struct hone_command cli_new = {
    .name = "new",
    .summary = "Write a template, a script and a reference to begin with",
    .usage = "NAME [--folder FOLDER]",
    .details = "Writes NAME.lua, NAME.cu and NAME_reference.cu: a kernel that passes "
               "'hone check' and can\nbe tuned, with comments that say what belongs "
               "where. Files that exist are not touched.",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct new_args),
    .defaults = &(const struct new_args){.folder = "."},
    .operands = {1, 1, "the name of the kernel"},
    .run = run_new,
};
