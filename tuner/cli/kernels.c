// hone kernels: the kernels that come with hone, which other commands take by name.
#include "kernels.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/suggest.h"
#include "color.h"
#include "commands.h"
#include "record/json_out.h"
#include "script_args.h"
#include "terminal.h"

enum { KERNELS_MOST = 256, ABOUT_MOST = 160 };

struct kernels {
    char *folder;          // owned, as are the entries
    struct dirent **files; // scripts, in the order of their names
    int count;
};

struct kernels_args {
    struct hone_words words;
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

struct kernel {
    char name[256], about[ABOUT_MOST], page[256], path[4096];
};

// The comment at the top, in one line.
static void read_comment(char *out, size_t size, const char *path)
{
    char line[256];
    size_t len = 0;
    FILE *file = fopen(path, "r");
    out[0] = '\0';
    while (file && len < size && fgets(line, sizeof line, file) &&
           strncmp(line, "-- ", 3) == 0)
        len += (size_t)snprintf(out + len, size - len, "%s%.*s", len ? " " : "",
                                (int)strcspn(line + 3, "\n"), line + 3);
    if (file) fclose(file);
}

// Its first sentence, up to a colon; one that is too long ends with a whole word.
static void find_about(struct kernel *out, const char *comment)
{
    size_t len = 0;
    while (comment[len] && comment[len] != ':' &&
           !(comment[len] == '.' && (comment[len + 1] == ' ' || !comment[len + 1])))
        len++;
    const bool fits = len < sizeof out->about - 4;
    if (!fits) len = sizeof out->about - 4;
    while (!fits && len && comment[len] != ' ')
        len--;
    snprintf(out->about, sizeof out->about, "%.*s%s", (int)len, comment,
             fits ? "" : "...");
}

static void find_page(struct kernel *out, const char *comment)
{
    const char *see = strstr(comment, "See docs/");
    const char *page = see ? see + strlen("See ") : "";
    const char *end = strstr(page, ".md");
    snprintf(out->page, sizeof out->page, "%.*s", end ? (int)(end + 3 - page) : 0, page);
}

static void kernel_read(struct kernel *out, const struct kernels *kernels,
                        const struct dirent *file)
{
    char comment[2048];
    snprintf(out->name, sizeof out->name, "%.*s", name_length(file), file->d_name);
    snprintf(out->path, sizeof out->path, "%s/%s", kernels->folder, file->d_name);
    read_comment(comment, sizeof comment, out->path);
    find_about(out, comment);
    find_page(out, comment);
}

static void print_text(const struct kernels *kernels)
{
    cli_terminal_fold();
    struct kernel kernel;
    struct hone_columns table = {.sides = "ll"};
    printf("%s\n", kernels->folder);
    for (int i = 0; i < kernels->count; i++) {
        kernel_read(&kernel, kernels, kernels->files[i]);
        hone_columns_add(&table, "%s", kernel.name);
        hone_columns_add(&table, "%s", kernel.about);
    }
    cli_print_columns(&table, stdout, "");
}

static struct json_t *kernel_json(const struct kernel *kernel)
{
    struct json_t *object = hone_json_object();
    hone_json_text(object, "kernel", kernel->name);
    hone_json_text(object, "description", kernel->about);
    hone_json_text(object, "script", kernel->path);
    hone_json_text(object, "page", kernel->page[0] ? kernel->page : NULL);
    return object;
}

static enum hone_status print_json(const struct kernels *kernels, struct hone_error *err)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    struct kernel kernel;
    for (int i = 0; i < kernels->count; i++) {
        kernel_read(&kernel, kernels, kernels->files[i]);
        hone_json_append(list, kernel_json(&kernel));
    }
    hone_json_child(root, "kernels", list);
    return hone_json_print(root, stdout, err);
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

// Its entry of the folder, or NULL.
static const struct dirent *find(const struct kernels *kernels, const char *name,
                                 size_t len)
{
    for (int i = 0; i < kernels->count; i++)
        if ((size_t)name_length(kernels->files[i]) == len &&
            strncmp(kernels->files[i]->d_name, name, len) == 0)
            return kernels->files[i];
    return NULL;
}

/* --- one of them --- */

static enum hone_status print_one(const struct kernel *kernel, bool json,
                                  struct hone_error *err)
{
    struct hone_workbench bench;
    const struct cli_script_args args = {.device = "auto"};
    enum hone_status status = cli_workbench_open(&bench, kernel->path, &args, err);
    const size_t count = status == HONE_OK ? hone_space_param_count(bench.space) : 0;
    if (status == HONE_OK && json) {
        struct json_t *object = kernel_json(kernel);
        hone_json_integer(object, "parameters", (int64_t)count);
        status = hone_json_print(object, stdout, err);
    } else if (status == HONE_OK) {
        cli_terminal_fold();
        printf("%s: %s\n  script      %s\n", kernel->name, kernel->about, kernel->path);
        printf("  parameters  %zu: hone space %s lists them\n", count, kernel->name);
        if (kernel->page[0]) printf("  page        %s\n", kernel->page);
    }
    hone_workbench_close(&bench);
    return status;
}

static enum hone_status show_one(const struct kernels *kernels, const char *name,
                                 bool json, struct hone_error *err)
{
    static char names[KERNELS_MOST][64];
    struct kernel kernel = {0};
    const struct dirent *file = find(kernels, name, strlen(name));
    const char *near = file ? NULL : nearest(kernels, name, names);
    if (!file)
        return hone_fail(err, HONE_ENOTFOUND, "no installed kernel '%s'%s%s%s", name,
                         near ? "; did you mean '" : "; 'hone kernels' lists them",
                         near ? near : "", near ? "'?" : "");
    kernel_read(&kernel, kernels, file);
    return print_one(&kernel, json, err);
}

static enum hone_status run(void *args, struct hone_error *err)
{
    const struct kernels_args *a = args;
    struct kernels kernels = {0};
    enum hone_status status = hone_words_expect(&a->words, 0, 1, "", err);
    if (status == HONE_OK) status = kernels_open(&kernels, err);
    if (status == HONE_OK && a->words.count)
        status = show_one(&kernels, a->words.items[0], a->json, err);
    else if (status == HONE_OK && a->json)
        status = print_json(&kernels, err);
    else if (status == HONE_OK)
        print_text(&kernels);
    kernels_close(&kernels);
    return status;
}

/* --- the first operand of other commands --- */

// What may have been meant: masked.lua by masked; sgemm by kernels/sgemm.lua.
static enum hone_status suggest_script(const struct kernels *kernels, const char *word,
                                       const char *command, struct hone_error *err)
{
    static char names[KERNELS_MOST][64];
    char script[4096];
    const char *base = hone_path_base(word), *dot = strrchr(base, '.');
    const size_t len = dot ? (size_t)(dot - base) : strlen(base);
    snprintf(script, sizeof script, "%s.lua", word);
    if (hone_file_exists(script))
        return hone_fail(err, HONE_ENOTFOUND, "no script '%s'; did you mean '%s'?", word,
                         script);
    if (find(kernels, base, len))
        return hone_fail(err, HONE_ENOTFOUND,
                         "no script '%s'; the kernel that comes with hone is taken by "
                         "name: hone %s %.*s",
                         word, command, (int)len, base);
    const char *near = strpbrk(word, "/.") ? NULL : nearest(kernels, word, names);
    return near ? hone_fail(err, HONE_ENOTFOUND,
                            "no script '%s'; did you mean the installed kernel '%s'?",
                            word, near)
                : HONE_OK;
}

enum hone_status cli_kernels_resolve(struct hone_words *words, const char *command,
                                     struct hone_error *err)
{
    static char path[4096];
    const char *word = words->count ? words->items[0] : "";
    struct kernels kernels;
    enum hone_status status = HONE_OK;
    if (!*word || hone_file_exists(word)) return HONE_OK;
    if (kernels_open(&kernels, NULL) != HONE_OK) kernels.count = 0;
    const struct dirent *file = find(&kernels, word, strlen(word));
    if (file) {
        snprintf(path, sizeof path, "%s/%s", kernels.folder, file->d_name);
        words->items[0] = path;
    } else {
        status = suggest_script(&kernels, word, command, err);
    }
    kernels_close(&kernels);
    return status;
}

static const struct hone_option option_table[] = {
    {"json", 0, NULL, "print JSON", &hone_kind_flag, offsetof(struct kernels_args, json)},
    {0},
};

const struct hone_command cli_kernels = {
    .name = "kernels",
    .summary = "List the kernels that come with hone",
    .usage = "[KERNEL] [--json]",
    .details = "Of one kernel: its script, how many parameters it has, and its page.\n"
               "hone tune, check, space and header take them by name: hone tune sgemm. "
               "Their folder is\nshare/hone/kernels beside the program's, or what "
               "HONE_KERNELS names.",
    .options =
        (const struct hone_option *const[]){option_table, cli_common_options, NULL},
    .args_size = sizeof(struct kernels_args),
    .named_operand = true,
    .run = run,
};
