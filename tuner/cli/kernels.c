// hone kernels: the kernels that come with hone, which other commands take by name.
#include "kernels.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/suggest.h"
#include "columns.h"
#include "commands.h"
#include "record/json_out.h"
#include "script_args.h"

enum { KERNELS_MOST = 256, ABOUT_MOST = 160 };

struct kernels {
    char *folder;          // owned, as are the entries
    struct dirent **files; // scripts, in the order of their names
    int count;
};

struct kernels_args {
    struct cli_words words;
    bool json;
};

static int is_script(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && dot != entry->d_name && strcmp(dot, ".lua") == 0;
}

// PREFIX/bin/hone has PREFIX/share/hone/kernels, wherever it was moved to.
static char *find_folder(struct hone_error *err)
{
    const char *program;
    const char *named = getenv("HONE_KERNELS");
    if (named && *named) return strdup(named);
    if (cli_program_path(&program, err) != HONE_OK) return NULL;
    char *bin = hone_path_folder(program);
    char *folder = bin ? hone_path_join(bin, "../share/hone/kernels") : NULL;
    char *real = folder ? hone_path_real(folder) : NULL;
    free(bin);
    if (!real) return folder;
    free(folder);
    return real;
}

static enum hone_status kernels_open(struct kernels *out, struct hone_error *err)
{
    *out = (struct kernels){.folder = find_folder(err)};
    if (!out->folder) return hone_no_memory(err, "for kernels");
    out->count = scandir(out->folder, &out->files, is_script, alphasort);
    if (out->count >= 0) return HONE_OK;
    return hone_fail(err, HONE_ENOTFOUND,
                     "no kernels are installed in '%s'; HONE_KERNELS names their folder",
                     out->folder);
}

static void kernels_close(struct kernels *kernels)
{
    for (int i = 0; i < kernels->count; i++)
        free(kernels->files[i]);
    free(kernels->files);
    free(kernels->folder);
}

static int name_length(const struct dirent *file)
{
    return (int)(strrchr(file->d_name, '.') - file->d_name);
}

// What the comment at the top says before its first colon.
static void read_about(char *about, const char *path)
{
    char line[256];
    size_t len = 0;
    FILE *file = fopen(path, "r");
    about[0] = '\0';
    while (file && fgets(line, sizeof line, file) && strncmp(line, "-- ", 3) == 0) {
        const size_t part = strcspn(line + 3, ":\n");
        const bool whole = line[3 + part] == ':';
        len += (size_t)snprintf(about + len, ABOUT_MOST - len, "%s%.*s", len ? " " : "",
                                (int)part, line + 3);
        if (whole || len >= ABOUT_MOST) break;
    }
    if (file) fclose(file);
}

struct kernel {
    char name[256], about[ABOUT_MOST], path[4096];
};

static void kernel_read(struct kernel *out, const struct kernels *kernels,
                        const struct dirent *file)
{
    snprintf(out->name, sizeof out->name, "%.*s", name_length(file), file->d_name);
    snprintf(out->path, sizeof out->path, "%s/%s", kernels->folder, file->d_name);
    read_about(out->about, out->path);
}

static void print_text(const struct kernels *kernels)
{
    struct kernel kernel;
    struct cli_table table = {.columns = "ll"};
    printf("%s\n", kernels->folder);
    for (int i = 0; i < kernels->count; i++) {
        kernel_read(&kernel, kernels, kernels->files[i]);
        cli_table_add(&table, "%s", kernel.name);
        cli_table_add(&table, "%s", kernel.about);
    }
    cli_table_print(&table, stdout, "");
}

static enum hone_status print_json(const struct kernels *kernels, struct hone_error *err)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    struct kernel kernel;
    for (int i = 0; i < kernels->count; i++) {
        struct json_t *object = hone_json_object();
        kernel_read(&kernel, kernels, kernels->files[i]);
        hone_json_text(object, "kernel", kernel.name);
        hone_json_text(object, "description", kernel.about);
        hone_json_text(object, "script", kernel.path);
        hone_json_append(list, object);
    }
    hone_json_child(root, "kernels", list);
    return hone_json_print(root, stdout, err);
}

static enum hone_status run(void *args, struct hone_error *err)
{
    const struct kernels_args *a = args;
    struct kernels kernels = {0};
    enum hone_status status = cli_expect_words(&a->words, 0, 0, "", err);
    if (status == HONE_OK) status = kernels_open(&kernels, err);
    if (status == HONE_OK && a->json) status = print_json(&kernels, err);
    if (status == HONE_OK && !a->json) print_text(&kernels);
    kernels_close(&kernels);
    return status;
}

static const char *nearest(const struct kernels *kernels, const char *name,
                           char names[][64])
{
    const char *list[KERNELS_MOST];
    size_t count = 0;
    for (int i = 0; i < kernels->count && count < KERNELS_MOST; i++) {
        snprintf(names[count], sizeof names[count], "%.*s",
                 name_length(kernels->files[i]), kernels->files[i]->d_name);
        list[count] = names[count];
        count++;
    }
    return hone_suggest(name, list, count);
}

enum hone_status cli_kernels_resolve(struct cli_words *words, struct hone_error *err)
{
    static char path[4096], names[KERNELS_MOST][64];
    const char *word = words->count ? words->items[0] : "";
    struct kernels kernels;
    if (!*word || strpbrk(word, "/.") || hone_file_exists(word)) return HONE_OK;
    if (kernels_open(&kernels, NULL) == HONE_OK) {
        snprintf(path, sizeof path, "%s/%s.lua", kernels.folder, word);
        if (hone_file_exists(path)) words->items[0] = path;
    }
    const char *near = nearest(&kernels, word, names);
    kernels_close(&kernels);
    if (words->items[0] == path || !near) return HONE_OK;
    return hone_fail(err, HONE_ENOTFOUND,
                     "no script '%s'; did you mean the installed kernel '%s'?", word,
                     near);
}

static const struct cli_option option_table[] = {
    {"json", 0, NULL, "print JSON", &cli_flag, offsetof(struct kernels_args, json)},
    {0},
};

const struct cli_command cli_kernels = {
    .name = "kernels",
    .summary = "List the kernels that come with hone",
    .usage = "[--json]",
    .details = "hone tune, check, space and header take them by name: hone tune sgemm. "
               "Their folder is\nshare/hone/kernels beside the program's, or what "
               "HONE_KERNELS names.",
    .options = (const struct cli_option *const[]){option_table, NULL},
    .args_size = sizeof(struct kernels_args),
    .run = run,
};
