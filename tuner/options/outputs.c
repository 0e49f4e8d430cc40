// A file that a command replaces is none of those that it reads: "-o a.jsonl b.jsonl"
// with the header's name forgotten must not cost a.jsonl.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "options/command.h"
#include "outputs.h"

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static bool is_same_folder(const char *a, const char *b)
{
    struct stat first, second;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static bool is_same_name(const char *a, const char *b)
{
    char *folder = hone_path_folder(a), *other = hone_path_folder(b);
    const bool same = strcmp(hone_path_base(a), hone_path_base(b)) == 0 && folder &&
                      other && is_same_folder(folder, other);
    free(folder);
    free(other);
    return same;
}

// Will they be one file that is not there yet? Links lead to their names.
static bool will_be_same_file(const char *a, const char *b)
{
    struct stat info;
    if (stat(a, &info) == 0 || stat(b, &info) == 0) return false;
    char *first = hone_file_target(a), *second = hone_file_target(b);
    const bool same = first && second && is_same_name(first, second);
    free(first);
    free(second);
    return same;
}

static enum hone_status fail_read(const struct hone_option *output, const char *path,
                                  struct hone_error *err)
{
    return hone_fail(err, HONE_EUSAGE,
                     "--%s '%s' is a file that the command reads: name another one",
                     output->name, path);
}

static enum hone_status check_against_option(const struct hone_option *output,
                                             const char *path,
                                             const struct hone_option *other,
                                             const void *field, struct hone_error *err)
{
    const struct hone_texts *list = field;
    const char *named = other->kind->repeats ? NULL : *(const char *const *)field;
    if (named && (is_same_file(named, path) || will_be_same_file(named, path)))
        return hone_fail(err, HONE_EUSAGE,
                         "--%s and --%s are one file, '%s': name another one",
                         output->name, other->name, path);
    for (size_t i = 0; other->kind->repeats && i < list->count; i++)
        if (is_same_file(list->items[i], path)) return fail_read(output, path, err);
    return HONE_OK;
}

static enum hone_status check_output(const struct hone_command *command, const void *args,
                                     const struct hone_option *output, const char *path,
                                     struct hone_error *err)
{
    const struct hone_words *words = args;
    const struct hone_option *other;
    for (size_t i = 0; i < words->count; i++)
        if (is_same_file(words->items[i], path)) return fail_read(output, path, err);
    for (size_t i = 0; (other = hone_option_at(command, i)) != NULL; i++) {
        if (other == output || other->kind->complete != HONE_COMPLETE_FILES) continue;
        const enum hone_status status = check_against_option(
            output, path, other, (const char *)args + other->offset, err);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

enum hone_status hone_outputs_check(const struct hone_command *command, const void *args,
                                    struct hone_error *err)
{
    const struct hone_option *option;
    for (size_t i = 0; (option = hone_option_at(command, i)) != NULL; i++) {
        if (!option->kind->writes) continue;
        const char *path =
            *(const char *const *)(const void *)((const char *)args + option->offset);
        const enum hone_status status =
            path ? check_output(command, args, option, path, err) : HONE_OK;
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}
