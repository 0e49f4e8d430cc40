// Names of descriptors, and where links lead.
#define _XOPEN_SOURCE 700 // readlink
#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"

enum { LINKS_MOST = 40, NAME_BYTES = 4096 };

int hone_file_descriptor(const char *path)
{
    static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (int i = 0; i < 3; i++)
        if (strcmp(path, names[i]) == 0) return i;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t len = strlen(folders[i]);
        char *end = NULL;
        if (strncmp(path, folders[i], len) != 0 || !hone_is_digit(path[len])) continue;
        const long number = strtol(path + len, &end, 10);
        if (!*end && number <= INT_MAX) return (int)number;
    }
    return -1;
}

bool hone_path_is_stdout(const char *path)
{
    return path &&
           (strcmp(path, "-") == 0 || hone_file_descriptor(path) == STDOUT_FILENO);
}

// The next name of a link; NULL with errno where there is none.
static char *next_name(const char *path)
{
    char text[NAME_BYTES];
    const ssize_t len = readlink(path, text, sizeof text - 1);
    if (len < 0) return NULL;
    if (len >= NAME_BYTES - 1) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    text[len] = '\0';
    char *folder = hone_path_folder(path);
    char *name = folder ? hone_path_join(folder, text) : NULL;
    free(folder);
    if (!name) errno = ENOMEM;
    return name;
}

char *hone_file_target(const char *path)
{
    char *name = strdup(path);
    if (!name) errno = ENOMEM;
    for (int i = 0; name && hone_file_descriptor(name) < 0; i++) {
        char *next = next_name(name);
        if (!next && (errno == EINVAL || errno == ENOENT || errno == ENOTDIR)) break;
        free(name);
        name = next;
        if (!name || i < LINKS_MOST) continue;
        free(name);
        errno = ELOOP;
        return NULL;
    }
    return name;
}
