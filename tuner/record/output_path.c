// Outputs of commands and of the library. A journal is told by how it begins, a script or
// a template by how its name ends.
#include "record/output_path.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static const char journal_start[] = "{\"hone\":"; // header_write.c

static bool starts_as_journal(const char *path)
{
    char start[sizeof journal_start - 1];
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) return false;
    const ssize_t got = read(fd, start, sizeof start);
    close(fd);
    return got == (ssize_t)sizeof start &&
           memcmp(start, journal_start, sizeof start) == 0;
}

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

// Where links lead counts, as for who writes there.
static bool is_script(const char *path)
{
    char *target = hone_file_target(path);
    const bool is = target && (ends_with(target, ".lua") || ends_with(target, ".cu"));
    free(target);
    return is;
}

static enum hone_status check_kept(const char *path, struct hone_error *err)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
        return HONE_OK;
    if (starts_as_journal(path))
        return hone_fail(err, HONE_EUSAGE,
                         "cannot write '%s': it is a journal, and results are never "
                         "overwritten: name another file",
                         path);
    if (is_script(path))
        return hone_fail(err, HONE_EUSAGE,
                         "cannot write '%s': it is there, and scripts and templates are "
                         "never overwritten: name another file",
                         path);
    return HONE_OK;
}

enum hone_status hone_output_check(const char *path, struct hone_error *err)
{
    if (hone_path_is_stdout(path)) return HONE_OK;
    const enum hone_status status = hone_file_check_write(path, err);
    return status == HONE_OK ? check_kept(path, err) : status;
}

enum hone_status hone_output_write(const char *path, const void *data, size_t size,
                                   struct hone_error *err)
{
    const enum hone_status status = check_kept(path, err);
    return status == HONE_OK ? hone_file_write(path, data, size, err) : status;
}
