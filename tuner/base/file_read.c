// Reading whole files that others wrote: what is no regular file is refused before it is
// opened, since opening alone can wait for ever or set a device going; what is larger
// than its reader wants is refused before and while it is read.
#define _GNU_SOURCE // F_DUPFD_CLOEXEC, O_NOFOLLOW
#include "base/c_text.h"
#include "base/file.h"
#include "base/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { FIRST_BYTES = 1 << 16 };

enum hone_status hone_file_read_status(int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return HONE_ENOTFOUND;
    case EACCES:
    case EPERM:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
        return HONE_EINPUT;
    case ENOMEM:
        return HONE_ENOMEM;
    default:
        return HONE_EIO;
    }
}

static enum hone_status file_read_fail(struct hone_error *err, const char *path)
{
    return hone_fail(err, hone_file_read_status(errno), "cannot read '%s': %s", path,
                     hone_errno_text(errno));
}

const char *hone_file_kind(unsigned mode)
{
    static const struct {
        unsigned mode;
        const char *name;
    } kinds[] = {{S_IFDIR, "a folder"},
                 {S_IFIFO, "a pipe"},
                 {S_IFSOCK, "a socket"},
                 {S_IFCHR, "a device"},
                 {S_IFBLK, "a device for blocks"},
                 {S_IFLNK, "a link"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ((mode & S_IFMT) == kinds[i].mode) return kinds[i].name;
    return "no regular file";
}

// A group that is this user's is the user alone on most systems.
bool hone_file_others_write(unsigned mode, unsigned group)
{
    return mode & S_IWOTH || (mode & S_IWGRP && group != getegid());
}

// Files of these have no size that could be known before, and some never end.
static bool is_of_kernel(int fd)
{
    static const unsigned long magics[] = {
        PROC_SUPER_MAGIC, SYSFS_MAGIC,        DEBUGFS_MAGIC,       TRACEFS_MAGIC,
        SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC};
    struct statfs system;
    if (fstatfs(fd, &system) != 0) return false;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if ((unsigned long)system.f_type == magics[i]) return true;
    return false;
}

static enum hone_status check_kind(const struct stat *info, const char *path,
                                   const struct hone_file_want *want,
                                   struct hone_error *err)
{
    const bool streams = S_ISFIFO(info->st_mode) || S_ISSOCK(info->st_mode);
    const bool handed = hone_file_descriptor(path) >= 0;
    if (streams && want->stream && handed) return HONE_OK;
    if (streams && want->stream)
        return hone_fail(err, HONE_EINPUT,
                         "cannot read '%s': it is %s; hand it over as /dev/stdin, by "
                         "'<' or by <(...)",
                         path, hone_file_kind(info->st_mode));
    if (!S_ISREG(info->st_mode))
        return hone_fail(err, HONE_EINPUT, "cannot read '%s': it is %s, not a file", path,
                         hone_file_kind(info->st_mode));
    if (info->st_size < 0 || (uint64_t)info->st_size > want->most)
        return hone_fail_at(err, HONE_ELIMIT, path, 0,
                            "the file has %lld bytes, at most %llu are read",
                            (long long)info->st_size, (unsigned long long)want->most);
    if (want->own && info->st_uid != geteuid() && info->st_uid != 0)
        return hone_fail(err, HONE_EINPUT, "'%s' belongs to user %ld", path,
                         (long)info->st_uid);
    if (want->own && hone_file_others_write(info->st_mode, info->st_gid))
        return hone_fail(err, HONE_EINPUT, "'%s' may be written by others (mode %03o)",
                         path, info->st_mode & 0777u);
    return HONE_OK;
}

// A socket has no name that could be opened: it is taken by its number.
static int open_or_take(const char *path, int flags)
{
    const int fd = open(path, flags), number = hone_file_descriptor(path);
    if (fd >= 0 || errno != ENXIO || number < 0) return fd;
    return fcntl(number, F_DUPFD_CLOEXEC, 3);
}

enum hone_status hone_file_open(int *fd, const char *path,
                                const struct hone_file_want *want, struct hone_error *err)
{
    struct stat info;
    *fd = -1;
    if ((want->own ? lstat(path, &info) : stat(path, &info)) != 0)
        return file_read_fail(err, path);
    enum hone_status status = check_kind(&info, path, want, err);
    if (status != HONE_OK) return status;
    const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    *fd = open_or_take(path, want->own ? flags | O_NOFOLLOW : flags);
    if (*fd < 0 || fstat(*fd, &info) != 0)
        status = file_read_fail(err, path);
    else
        status = check_kind(&info, path, want, err);
    if (status == HONE_OK && S_ISREG(info.st_mode) && is_of_kernel(*fd))
        status = hone_fail(err, HONE_EINPUT,
                           "cannot read '%s': it is of the system, not a file", path);
    if (status == HONE_OK && !S_ISREG(info.st_mode))
        fcntl(*fd, F_SETFL, fcntl(*fd, F_GETFL) & ~O_NONBLOCK);
    if (status != HONE_OK && *fd >= 0) close(*fd);
    if (status != HONE_OK) *fd = -1;
    return status;
}

// Room for what the file says to have, and one byte to see that it ends there.
static size_t first_room(int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return FIRST_BYTES;
    return (size_t)info.st_size + 2;
}

enum hone_status hone_file_check_library(const char *path, struct hone_error *err)
{
    struct stat info;
    if (!strchr(path, '/') || stat(path, &info) != 0 || S_ISREG(info.st_mode))
        return HONE_OK;
    return hone_fail(err, HONE_EINPUT, "'%s' is %s, not a library", path,
                     hone_file_kind(info.st_mode));
}

static ssize_t read_some(int fd, char *data, size_t size)
{
    ssize_t n;
    do
        n = read(fd, data, size);
    while (n < 0 && errno == EINTR);
    return n;
}

enum hone_status hone_fd_read(char **out, size_t *size, int fd, const char *path,
                              uint64_t most, struct hone_error *err)
{
    size_t len = 0, room = first_room(fd);
    ssize_t n = 0;
    char *data = malloc(room);
    while (data && len <= most && (n = read_some(fd, data + len, room - len - 1)) > 0) {
        len += (size_t)n;
        if (len < room - 1) continue;
        if (HONE_GROW(&data, &room, room + 1, 1)) continue;
        free(data);
        data = NULL;
    }
    if (!data) return hone_no_memory(err, "reading '%s'", path);
    enum hone_status status = n < 0 ? file_read_fail(err, path) : HONE_OK;
    if (len > most)
        status =
            hone_fail_at(err, HONE_ELIMIT, path, 0, "more than %llu bytes are not read",
                         (unsigned long long)most);
    if (status != HONE_OK) {
        free(data);
        return status;
    }
    data[len] = '\0';
    *out = data;
    if (size) *size = len;
    return HONE_OK;
}

enum hone_status hone_file_read_as(char **out, size_t *size, const char *path,
                                   const struct hone_file_want *want,
                                   struct hone_error *err)
{
    int fd;
    enum hone_status status = hone_file_open(&fd, path, want, err);
    if (status != HONE_OK) return status;
    status = hone_fd_read(out, size, fd, path, want->most, err);
    close(fd);
    return status;
}

enum hone_status hone_file_read(char **out, size_t *size, const char *path,
                                struct hone_error *err)
{
    const struct hone_file_want want = {.most = HONE_FILE_MOST};
    return hone_file_read_as(out, size, path, &want, err);
}
