#include "tuning/installed_kernels.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/suggest.h"

enum { KERNELS_MOST = 256 };

static int is_script(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && dot != entry->d_name && strcmp(dot, ".lua") == 0;
}

char *hone_installed_path(const char *name, struct hone_error *err)
{
    char program[4096], below[256];
    if (!hone_file_program(program, sizeof program)) {
        hone_fail(err, HONE_EIO, "cannot find this program's file");
        return NULL;
    }
    snprintf(below, sizeof below, "../share/hone/%s", name);
    char *bin = hone_path_folder(program);
    char *path = bin ? hone_path_join(bin, below) : NULL;
    char *real = path ? hone_path_real(path) : NULL;
    free(bin);
    if (!path) hone_no_memory(err, "for '%s'", name);
    if (!real) return path;
    free(path);
    return real;
}

struct hone_docs_path hone_docs_path(const char *page)
{
    struct hone_docs_path out = {""};
    char below[256];
    snprintf(below, sizeof below, "docs%s%s", *page ? "/" : "", page);
    char *path = hone_installed_path(below, NULL);
    snprintf(out.text, sizeof out.text, "%s",
             path && hone_file_exists(path) ? path : below);
    free(path);
    return out;
}

enum hone_status hone_installed_kernels_open(struct hone_installed_kernels *out,
                                             struct hone_error *err)
{
    const char *named = getenv("HONE_KERNELS");
    *out = (struct hone_installed_kernels){0};
    out->folder = named && *named ? strdup(named) : hone_installed_path("kernels", err);
    if (!out->folder) return hone_no_memory(err, "for kernels");
    const int count = scandir(out->folder, &out->files, is_script, alphasort);
    if (count >= 0) {
        out->count = (size_t)count;
        return HONE_OK;
    }
    return hone_fail(err, HONE_ENOTFOUND,
                     "no kernels are installed in '%s'; HONE_KERNELS names their folder",
                     out->folder);
}

void hone_installed_kernels_close(struct hone_installed_kernels *kernels)
{
    for (size_t i = 0; i < kernels->count; i++)
        free(kernels->files[i]);
    free(kernels->files);
    free(kernels->folder);
}

static int name_length(const struct dirent *file)
{
    return (int)(strrchr(file->d_name, '.') - file->d_name);
}

// NULL for what is no regular file: opening a pipe waits.
static FILE *open_script(const char *path)
{
    const struct hone_file_want want = {.most = HONE_FILE_MOST};
    int fd;
    if (hone_file_open(&fd, path, &want, NULL) != HONE_OK) return NULL;
    FILE *file = fdopen(fd, "r");
    if (!file) close(fd);
    return file;
}

// The comment at the top, in one line.
static void read_comment(char *out, size_t size, const char *path)
{
    char line[256];
    size_t len = 0;
    FILE *file = open_script(path);
    out[0] = '\0';
    while (file && len < size && fgets(line, sizeof line, file) &&
           strncmp(line, "-- ", 3) == 0)
        len += (size_t)snprintf(out + len, size - len, "%s%.*s", len ? " " : "",
                                (int)strcspn(line + 3, "\n"), line + 3);
    if (file) fclose(file);
}

// Its first sentence, up to a colon; one that is too long ends with a whole word.
static void find_about(struct hone_installed_kernel *out, const char *comment)
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

static void find_page(struct hone_installed_kernel *out, const char *comment)
{
    const char *see = strstr(comment, "See docs/");
    const char *page = see ? see + strlen("See ") : "";
    const char *end = strstr(page, ".md");
    snprintf(out->page, sizeof out->page, "%.*s", end ? (int)(end + 3 - page) : 0, page);
}

void hone_installed_kernel_read(struct hone_installed_kernel *out,
                                const struct hone_installed_kernels *kernels, size_t i)
{
    const struct dirent *file = kernels->files[i];
    char comment[2048];
    snprintf(out->name, sizeof out->name, "%.*s", name_length(file), file->d_name);
    snprintf(out->path, sizeof out->path, "%s/%s", kernels->folder, file->d_name);
    read_comment(comment, sizeof comment, out->path);
    find_about(out, comment);
    find_page(out, comment);
}

static const char *nearest(const struct hone_installed_kernels *kernels, const char *name,
                           char names[][64])
{
    const char *list[KERNELS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < kernels->count && count < KERNELS_MOST; i++) {
        snprintf(names[count], sizeof names[count], "%.*s",
                 name_length(kernels->files[i]), kernels->files[i]->d_name);
        list[count] = names[count];
        count++;
    }
    return hone_suggest(name, list, count);
}

// Its number, or the count of all.
static size_t number_of(const struct hone_installed_kernels *kernels, const char *name,
                        size_t len)
{
    size_t i = 0;
    while (i < kernels->count && ((size_t)name_length(kernels->files[i]) != len ||
                                  strncmp(kernels->files[i]->d_name, name, len) != 0))
        i++;
    return i;
}

enum hone_status hone_installed_kernel_find(struct hone_installed_kernel *out,
                                            const struct hone_installed_kernels *kernels,
                                            const char *name, struct hone_error *err)
{
    char names[KERNELS_MOST][64];
    const size_t number = number_of(kernels, name, strlen(name));
    if (number < kernels->count) {
        hone_installed_kernel_read(out, kernels, number);
        return HONE_OK;
    }
    const char *near = nearest(kernels, name, names);
    return hone_fail(err, HONE_ENOTFOUND, "no installed kernel '%s'%s%s%s", name,
                     near ? "; did you mean '" : "; 'hone kernels' lists them",
                     near ? near : "", near ? "'?" : "");
}

enum hone_status hone_installed_kernel_named(struct hone_installed_kernel *out,
                                             const char *name, struct hone_error *err)
{
    struct hone_installed_kernels kernels;
    enum hone_status status = hone_installed_kernels_open(&kernels, err);
    if (status == HONE_OK) status = hone_installed_kernel_find(out, &kernels, name, err);
    hone_installed_kernels_close(&kernels);
    return status;
}

const char *hone_kernel_script(struct hone_installed_kernel *found, const char *own,
                               const char *kernel)
{
    if (own) return own;
    return hone_installed_kernel_named(found, kernel, NULL) == HONE_OK ? found->path
                                                                       : NULL;
}

// What may have been meant: masked.lua by masked; sgemm by kernels/sgemm.lua.
static enum hone_status suggest_script(const struct hone_installed_kernels *kernels,
                                       const char *word, const char *command,
                                       struct hone_error *err)
{
    char names[KERNELS_MOST][64], script[4096];
    const char *base = hone_path_base(word), *dot = strrchr(base, '.');
    const size_t len = dot ? (size_t)(dot - base) : strlen(base);
    snprintf(script, sizeof script, "%s.lua", word);
    if (hone_file_exists(script))
        return hone_fail(err, HONE_ENOTFOUND, "no script '%s'; did you mean '%s'?", word,
                         script);
    if (number_of(kernels, base, len) < kernels->count)
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

enum hone_status hone_installed_kernel_resolve(char *path, size_t size, const char *word,
                                               const char *command,
                                               struct hone_error *err)
{
    struct hone_installed_kernels kernels;
    enum hone_status status = HONE_OK;
    path[0] = '\0';
    if (hone_file_exists(word)) return HONE_OK;
    if (hone_installed_kernels_open(&kernels, NULL) != HONE_OK) kernels.count = 0;
    const size_t number = number_of(&kernels, word, strlen(word));
    if (number < kernels.count)
        snprintf(path, size, "%s/%s", kernels.folder, kernels.files[number]->d_name);
    else
        status = suggest_script(&kernels, word, command, err);
    hone_installed_kernels_close(&kernels);
    return status;
}
