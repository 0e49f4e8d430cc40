#define _XOPEN_SOURCE 700 // realpath
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum hone_status fail(struct hone_error *err, const char *what, const char *path)
{
    enum hone_status status = errno == ENOENT ? HONE_ENOTFOUND : HONE_EIO;
    return hone_fail(err, status, "cannot %s '%s': %s", what, path, strerror(errno));
}

static enum hone_status read_stream(char **out, size_t *size, FILE *file,
                                    const char *path, struct hone_error *err)
{
    size_t len = 0, cap = 4096;
    char *data = malloc(cap);
    while (data) {
        len += fread(data + len, 1, cap - len - 1, file);
        if (len < cap - 1) break;
        char *more = realloc(data, cap *= 2);
        if (!more) free(data);
        data = more;
    }
    if (!data) return hone_fail(err, HONE_ENOMEM, "out of memory reading '%s'", path);
    if (ferror(file)) {
        free(data);
        return fail(err, "read", path);
    }
    data[len] = '\0';
    *out = data;
    if (size) *size = len;
    return HONE_OK;
}

enum hone_status hone_file_read(char **out, size_t *size, const char *path,
                                struct hone_error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file) return fail(err, "read", path);
    enum hone_status status = read_stream(out, size, file, path, err);
    fclose(file);
    return status;
}

bool hone_fd_write(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

// A new file beside path, named after the process and a counter: mkstemp would leave the
// mode to be mended by umask, which is not safe in threads. EEXIST is left by another
// machine's process.
static int open_temporary(char *name, size_t size, const char *path)
{
    static atomic_uint counter;
    int fd;
    do {
        unsigned n = atomic_fetch_add(&counter, 1);
        snprintf(name, size, "%s.%ld.%u", path, (long)getpid(), n);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EEXIST);
    return fd;
}

enum hone_status hone_file_write(const char *path, const void *data, size_t size,
                                 struct hone_error *err)
{
    size_t len = strlen(path) + 40;
    char *temporary = malloc(len);
    if (!temporary)
        return hone_fail(err, HONE_ENOMEM, "out of memory writing '%s'", path);
    enum hone_status status = HONE_OK;
    int fd = open_temporary(temporary, len, path);
    bool written = fd >= 0 && hone_fd_write(fd, data, size) && fsync(fd) == 0;
    if (fd >= 0) written = close(fd) == 0 && written;
    if (!written || rename(temporary, path) != 0) {
        status = fail(err, "write", path);
        if (fd >= 0) unlink(temporary);
    }
    free(temporary);
    return status;
}

// The name goes to a file that is whole. Where there are no hard links it is moved, if it
// was not there a moment ago.
static bool give_name(const char *temporary, const char *path)
{
    if (link(temporary, path) == 0) return unlink(temporary) == 0;
    if (errno == EEXIST) return false;
    if (hone_file_exists(path)) {
        errno = EEXIST;
        return false;
    }
    return rename(temporary, path) == 0;
}

enum hone_status hone_file_create(const char *path, const void *data, size_t size,
                                  struct hone_error *err)
{
    size_t len = strlen(path) + 40;
    char *temporary = malloc(len);
    if (!temporary)
        return hone_fail(err, HONE_ENOMEM, "out of memory creating '%s'", path);
    enum hone_status status = HONE_OK;
    int fd = open_temporary(temporary, len, path);
    bool written = fd >= 0 && hone_fd_write(fd, data, size);
    if (fd >= 0) written = close(fd) == 0 && written;
    if (!written || !give_name(temporary, path)) {
        status =
            hone_fail(err, HONE_EIO, "cannot create '%s': %s", path, strerror(errno));
        if (fd >= 0) unlink(temporary);
    }
    free(temporary);
    return status;
}

enum hone_status hone_file_temporary(char **out, struct hone_error *err)
{
    const char *folder = getenv("TMPDIR");
    *out = hone_path_join(folder && *folder ? folder : "/tmp", "hone-XXXXXX");
    if (!*out) return hone_fail(err, HONE_ENOMEM, "out of memory naming a file");
    const int fd = mkstemp(*out);
    if (fd < 0) {
        const enum hone_status status =
            hone_fail(err, HONE_EIO, "cannot make '%s': %s", *out, strerror(errno));
        free(*out);
        *out = NULL;
        return status;
    }
    close(fd);
    unlink(*out);
    return HONE_OK;
}

bool hone_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

enum hone_status hone_file_mkdirs(const char *folder, struct hone_error *err)
{
    char *path = strdup(folder);
    if (!path) return hone_fail(err, HONE_ENOMEM, "out of memory making '%s'", folder);
    enum hone_status status = HONE_OK;
    for (char *p = path + 1;; p++) {
        if (*p && *p != '/') continue;
        char end = *p;
        *p = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            status = hone_fail(err, HONE_EIO, "cannot make folder '%s': %s", path,
                               strerror(errno));
            break;
        }
        if (!end) break;
        *p = end;
    }
    free(path);
    return status;
}

char *hone_path_join(const char *folder, const char *name)
{
    if (name[0] == '/') return strdup(name);
    size_t len = strlen(folder) + strlen(name) + 2;
    char *path = malloc(len);
    if (path) snprintf(path, len, "%s/%s", folder, name);
    return path;
}

char *hone_path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

const char *hone_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *hone_path_real(const char *path)
{
    return realpath(path, NULL);
}
