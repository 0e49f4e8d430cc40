// Checks and files of fuzz targets. The files are in memory where the system has such a
// folder.
#include "fuzz.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 8 };

static char folder[64], paths[FILES][128];

_Noreturn void fuzz_broken(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, condition);
    abort();
}

bool fuzz_taken(enum hone_status status, const struct hone_error *err)
{
    FUZZ_CHECK(status != HONE_ENOMEM);
    FUZZ_CHECK(status == HONE_OK || err->text[0]);
    return status == HONE_OK;
}

void fuzz_must(enum hone_status status, const struct hone_error *err)
{
    if (status == HONE_OK) return;
    fprintf(stderr, "%s:%d: %s\n", err->source, err->line, err->text);
    FUZZ_CHECK(status == HONE_OK);
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_CHECK(text != NULL);
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

static void remove_folder(void)
{
    for (int i = 0; i < FILES && paths[i][0]; i++)
        unlink(paths[i]);
    rmdir(folder);
}

static void make_folder(void)
{
    const char *root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/hone-fuzz-XXXXXX", root);
    FUZZ_CHECK(mkdtemp(folder) != NULL);
    atexit(remove_folder);
}

const char *fuzz_path(const char *name)
{
    char path[sizeof paths[0]];
    if (!folder[0]) make_folder();
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int i = 0;
    while (i < FILES && paths[i][0] && strcmp(paths[i], path) != 0)
        i++;
    FUZZ_CHECK(i < FILES);
    return strcpy(paths[i], path);
}

const char *fuzz_file(const char *name, const uint8_t *data, size_t size)
{
    const char *path = fuzz_path(name);
    FILE *file = fopen(path, "wb");
    FUZZ_CHECK(file != NULL);
    FUZZ_CHECK(fwrite(data, 1, size, file) == size);
    FUZZ_CHECK(fclose(file) == 0);
    return path;
}

const char *fuzz_no_file(const char *name)
{
    const char *path = fuzz_path(name);
    unlink(path);
    return path;
}
