// Writing whole files. A regular file is replaced at once by a new one with its mode,
// also where a link leads to it; what is no regular file is written through.
#define _GNU_SOURCE // F_DUPFD_CLOEXEC
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file_lock.h"
#include "base/temporary.h"

enum hone_status hone_file_write_status(int error)
{
    if (error == EROFS) return HONE_EUSAGE;
    const enum hone_status status = hone_file_read_status(error);
    return status == HONE_ENOTFOUND || status == HONE_EINPUT ? HONE_EUSAGE : status;
}

static enum hone_status file_write_fail(struct hone_error *err, const char *what,
                                        const char *path)
{
    return hone_fail(err, hone_file_write_status(errno), "cannot %s '%s': %s", what, path,
                     hone_errno_text(errno));
}

static enum hone_status no_memory(struct hone_error *err, const char *path)
{
    return hone_no_memory(err, "writing '%s'", path);
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

// --- through ---

// To a descriptor of this process, a device, a pipe that somebody reads, or into a file
// that cannot be replaced.
static enum hone_status write_through(const char *path, const char *target, int flags,
                                      const void *data, size_t size,
                                      struct hone_error *err)
{
    const int number = hone_file_descriptor(target);
    const int fd = number >= 0 ? fcntl(number, F_DUPFD_CLOEXEC, 3)
                               : open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags);
    if (fd < 0) return file_write_fail(err, "write", path);
    const bool written = hone_fd_write(fd, data, size);
    const int reason = errno;
    const bool closed = close(fd) == 0;
    if (written && closed) return HONE_OK;
    if (!written) errno = reason;
    return file_write_fail(err, "write", path);
}

// --- by a new file ---

// As the old one; its owner where this user may give files away.
static bool keep_rights(int fd, const struct stat *old)
{
    if (old->st_uid != geteuid() || old->st_gid != getegid()) {
        const bool given = fchown(fd, old->st_uid, old->st_gid) == 0;
        if (!given && fchown(fd, (uid_t)-1, old->st_gid) != 0) errno = 0;
    }
    return fchmod(fd, old->st_mode & 0777) == 0;
}

// old: NULL where there is none. errno says why not.
static bool replace(const char *target, const char *folder, const struct stat *old,
                    mode_t mode, const void *data, size_t size)
{
    char *temporary = NULL;
    const int fd = hone_temporary_open(&temporary, folder, mode);
    if (fd < 0) return false;
    bool written =
        (!old || keep_rights(fd, old)) && hone_fd_write(fd, data, size) && fsync(fd) == 0;
    int reason = written ? 0 : errno;
    if (close(fd) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (written && rename(temporary, target) != 0) {
        written = false;
        reason = errno;
    }
    if (!written) unlink(temporary);
    free(temporary);
    errno = reason;
    return written;
}

static enum hone_status write_target(const char *path, const char *target,
                                     const void *data, size_t size,
                                     struct hone_error *err)
{
    struct stat old;
    const bool there = hone_file_descriptor(target) < 0 && stat(target, &old) == 0;
    if (there && S_ISDIR(old.st_mode))
        return hone_fail(err, HONE_EUSAGE, "cannot write '%s': it is a folder", path);
    if (hone_file_descriptor(target) >= 0 || (there && !S_ISREG(old.st_mode)))
        return write_through(path, target, 0, data, size, err);
    char *folder = hone_path_folder(target);
    if (!folder) return no_memory(err, path);
    enum hone_status status = HONE_OK;
    // A file that is mounted by itself can be written, not replaced.
    if (!replace(target, folder, there ? &old : NULL, 0666, data, size))
        status = errno == EBUSY ? write_through(path, target, O_TRUNC, data, size, err)
                                : file_write_fail(err, "write", path);
    free(folder);
    return status;
}

enum hone_status hone_file_write(const char *path, const void *data, size_t size,
                                 struct hone_error *err)
{
    assert(path && (data || size == 0));
    char *target = hone_file_target(path);
    if (!target)
        return errno == ENOMEM ? no_memory(err, path)
                               : file_write_fail(err, "write", path);
    const enum hone_status status = write_target(path, target, data, size, err);
    free(target);
    return status;
}

enum hone_status hone_file_write_private(const char *path, const void *data, size_t size,
                                         struct hone_error *err)
{
    char *folder = hone_path_folder(path);
    if (!folder) return no_memory(err, path);
    enum hone_status status = HONE_OK;
    if (!replace(path, folder, NULL, 0600, data, size))
        status = file_write_fail(err, "write", path);
    free(folder);
    return status;
}

static enum hone_status check_folder(const char *path, const char *target,
                                     struct hone_error *err)
{
    char *folder = hone_path_folder(target);
    if (!folder) return no_memory(err, path);
    enum hone_status status = HONE_OK;
    if (access(folder, W_OK | X_OK) != 0)
        status = hone_fail(err, HONE_EUSAGE, "cannot write '%s': folder '%s': %s", path,
                           folder, hone_errno_text(errno));
    free(folder);
    return status;
}

enum hone_status hone_file_check_write(const char *path, struct hone_error *err)
{
    struct stat info;
    char *target = hone_file_target(path);
    enum hone_status status = HONE_OK;
    if (!target)
        return errno == ENOMEM ? no_memory(err, path)
                               : hone_fail(err, HONE_EUSAGE, "cannot write '%s': %s",
                                           path, hone_errno_text(errno));
    const int number = hone_file_descriptor(target);
    const bool there = number < 0 && stat(target, &info) == 0;
    if (number >= 0 && fcntl(number, F_GETFD) < 0)
        status = hone_fail(err, HONE_EUSAGE, "cannot write '%s': %s", path,
                           hone_errno_text(errno));
    else if (there && (S_ISDIR(info.st_mode) || S_ISSOCK(info.st_mode)))
        status = hone_fail(err, HONE_EUSAGE, "cannot write '%s': it is %s", path,
                           hone_file_kind(info.st_mode));
    else if (there && !S_ISREG(info.st_mode) && access(target, W_OK) != 0)
        status = hone_fail(err, HONE_EUSAGE, "cannot write '%s': %s", path,
                           hone_errno_text(errno));
    else if (number < 0 && (!there || S_ISREG(info.st_mode)))
        status = check_folder(path, target, err);
    free(target);
    return status;
}

// --- new files ---

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

static enum hone_status fail_create(struct hone_error *err, const char *path)
{
    return file_write_fail(err, "create", path);
}

// Locked before it has its name, so that nobody else can be first.
static enum hone_status create(int *fd, const char *path, const char *target,
                               const char *folder, const void *data, size_t size,
                               struct hone_error *err)
{
    char *temporary = NULL;
    *fd = hone_temporary_open(&temporary, folder, 0666);
    if (*fd < 0) return fail_create(err, path);
    enum hone_status status = hone_file_lock(*fd, path, err);
    if (status == HONE_OK &&
        !(hone_fd_write(*fd, data, size) && give_name(temporary, target)))
        status = fail_create(err, path);
    if (status != HONE_OK) {
        unlink(temporary);
        close(*fd);
        *fd = -1;
    }
    free(temporary);
    return status;
}

enum hone_status hone_file_create(int *fd, const char *path, const void *data,
                                  size_t size, struct hone_error *err)
{
    *fd = -1;
    char *target = hone_file_target(path);
    if (!target) return fail_create(err, path);
    char *folder = hone_path_folder(target);
    enum hone_status status =
        folder ? create(fd, path, target, folder, data, size, err) : no_memory(err, path);
    free(folder);
    free(target);
    return status;
}

enum hone_status hone_file_temporary(char **out, struct hone_error *err)
{
    const char *named = getenv("TMPDIR");
    const char *folder = named && *named ? named : "/tmp";
    int fd = hone_temporary_open(out, folder, 0600);
    if (fd < 0) return file_write_fail(err, "make a file in", folder);
    close(fd);
    unlink(*out);
    return HONE_OK;
}
