// The files of starter/, a kernel that works, with the name of the new one.
#include "tuning/starter.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/identifier.h"
#include "hone/strbuf.h"

// From starter/, see CMakeLists.txt.
extern const unsigned char hone_starter_script[], hone_starter_template[],
    hone_starter_reference[];

static const struct starter {
    const char *what, *ending; // after the name
    const unsigned char *text;
} starters[] = {{"script", ".lua", hone_starter_script},
                {"template", ".cu", hone_starter_template},
                {"reference", "_reference.cu", hone_starter_reference}};
_Static_assert(sizeof starters / sizeof *starters == HONE_STARTER_FILES, "each file");

enum { NAME_MOST = 64 };

const char *hone_starter_what(size_t file)
{
    return starters[file].what;
}

static enum hone_status check_name(const char *name, struct hone_error *err)
{
    const char *end = hone_identifier_end(name);
    if (!end || *end || hone_identifier_is_keyword(name))
        return hone_fail(err, HONE_EUSAGE,
                         "a kernel cannot be called '%s': its name is one of C and Lua",
                         name);
    if (strlen(name) > NAME_MOST)
        return hone_fail(err, HONE_EUSAGE, "the name has %zu letters, at most %d fit",
                         strlen(name), NAME_MOST);
    return HONE_OK;
}

static enum hone_status make_paths(char *paths[HONE_STARTER_FILES], const char *folder,
                                   const char *name, struct hone_error *err)
{
    for (size_t i = 0; i < HONE_STARTER_FILES; i++) {
        char file[NAME_MOST + 32];
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

static enum hone_status write_files(char *const paths[HONE_STARTER_FILES],
                                    const char *name, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < HONE_STARTER_FILES && status == HONE_OK; i++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        rename_into(&text, (const char *)starters[i].text, name);
        status = text.failed ? hone_no_memory(err, "for the text of a file")
                             : hone_file_write(paths[i], text.data, text.len, err);
        hone_strbuf_fini(&text);
    }
    return status;
}

enum hone_status hone_starter_write(char *paths[HONE_STARTER_FILES], const char *folder,
                                    const char *name, struct hone_error *err)
{
    memset(paths, 0, HONE_STARTER_FILES * sizeof *paths);
    enum hone_status status = check_name(name, err);
    if (status == HONE_OK) status = make_paths(paths, folder, name, err);
    if (status == HONE_OK) status = hone_file_mkdirs(folder, err);
    return status == HONE_OK ? write_files(paths, name, err) : status;
}
