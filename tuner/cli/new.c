// hone new: a template, its script and its reference to begin with. They are the files of
// starter/, a kernel that works, with the name of the new one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/identifier.h"
#include "base/strbuf.h"
#include "commands.h"
#include "record/json_out.h"

// From starter/, see CMakeLists.txt.
extern const unsigned char starter_script[], starter_template[], starter_reference[];

static const struct starter {
    const char *what, *ending; // after the name
    const unsigned char *text;
} starters[] = {{"script", ".lua", starter_script},
                {"template", ".cu", starter_template},
                {"reference", "_reference.cu", starter_reference}};

enum { COUNT = sizeof starters / sizeof *starters, NAME_MAX_LENGTH = 64 };

struct new_args {
    struct cli_words words;
    const char *folder;
    bool json;
};

static enum hone_status check_name(const char *name, struct hone_error *err)
{
    const char *end = hone_identifier_end(name);
    if (!end || *end || hone_identifier_is_keyword(name))
        return hone_fail(err, HONE_EUSAGE,
                         "a kernel cannot be called '%s': its name is one of C and Lua",
                         name);
    if (strlen(name) > NAME_MAX_LENGTH)
        return hone_fail(err, HONE_EUSAGE, "the name has %zu letters, at most %d fit",
                         strlen(name), NAME_MAX_LENGTH);
    return HONE_OK;
}

static enum hone_status make_paths(char *paths[COUNT], const char *folder,
                                   const char *name, struct hone_error *err)
{
    for (size_t i = 0; i < COUNT; i++) {
        char file[NAME_MAX_LENGTH + 32];
        snprintf(file, sizeof file, "%s%s", name, starters[i].ending);
        paths[i] = hone_path_join(folder, file);
        if (!paths[i]) return hone_no_memory(err, "for the name of a file");
        if (hone_file_exists(paths[i]))
            return hone_fail(err, HONE_EUSAGE, "'%s' exists already", paths[i]);
    }
    return HONE_OK;
}

// The text with another name wherever a word begins with "starter".
static void rename_into(struct hone_strbuf *out, const char *text, const char *name)
{
    static const char word[] = "starter";
    while (*text) {
        const char *end = hone_identifier_end(text);
        if (end && strncmp(text, word, sizeof word - 1) == 0) {
            hone_strbuf_add(out, name);
            text += sizeof word - 1;
        }
        const size_t rest = end ? (size_t)(end - text) : 1;
        hone_strbuf_add_bytes(out, text, rest);
        text += rest;
    }
}

static enum hone_status write_files(char *const paths[COUNT], const char *name,
                                    struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < COUNT && status == HONE_OK; i++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        rename_into(&text, (const char *)starters[i].text, name);
        status = text.failed ? hone_no_memory(err, "for the text of a file")
                             : hone_file_write(paths[i], text.data, text.len, err);
        hone_strbuf_fini(&text);
    }
    return status;
}

static enum hone_status print_json(char *const paths[COUNT], const char *name,
                                   struct hone_error *err)
{
    struct json_t *root = hone_json_object();
    hone_json_text(root, "kernel", name);
    for (size_t i = 0; i < COUNT; i++)
        hone_json_text(root, starters[i].what, paths[i]);
    return hone_json_print(root, stdout, err);
}

static void print_text(char *const paths[COUNT])
{
    for (size_t i = 0; i < COUNT; i++)
        printf("%s\n", paths[i]);
    printf("\nIt works as it is: hone check %s --all\n", paths[0]);
}

static enum hone_status run(void *args, struct hone_error *err)
{
    const struct new_args *a = args;
    char *paths[COUNT] = {0};
    enum hone_status status =
        cli_expect_words(&a->words, 1, 1, "the name of the kernel", err);
    const char *name = a->words.count ? a->words.items[0] : "";
    if (status == HONE_OK) status = check_name(name, err);
    if (status == HONE_OK) status = make_paths(paths, a->folder, name, err);
    if (status == HONE_OK) status = hone_file_mkdirs(a->folder, err);
    if (status == HONE_OK) status = write_files(paths, name, err);
    if (status == HONE_OK && a->json) status = print_json(paths, name, err);
    if (status == HONE_OK && !a->json) print_text(paths);
    for (size_t i = 0; i < COUNT; i++)
        free(paths[i]);
    return status;
}

static const struct cli_option option_table[] = {
    {"folder", 0, "FOLDER", "where to write them [.]", &cli_folder,
     offsetof(struct new_args, folder)},
    {"json", 0, NULL, "print what was written as JSON", &cli_flag,
     offsetof(struct new_args, json)},
    {0},
};

const struct cli_command cli_new = {
    .name = "new",
    .summary = "Write a template, a script and a reference to begin with",
    .usage = "NAME [--folder FOLDER]",
    .details = "Writes NAME.lua, NAME.cu and NAME_reference.cu: a kernel that passes "
               "'hone check' and can\nbe tuned, with comments that say what belongs "
               "where. Files that exist are not touched.",
    .options = (const struct cli_option *const[]){option_table, NULL},
    .args_size = sizeof(struct new_args),
    .defaults = &(const struct new_args){.folder = "."},
    .run = run,
};
