#define _GNU_SOURCE // O_CLOEXEC
#include "record/journal_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file.h"
#include "base/file_lock.h"
#include "base/log.h"
#include "recording.h"

static enum hone_status refuse_kind(const char *path, unsigned mode,
                                    struct hone_error *err)
{
    return hone_fail(err, HONE_EUSAGE,
                     "'%s' cannot be a journal: it is %s, and a journal is a file that "
                     "is read again",
                     path, hone_file_kind(mode));
}

// With its first line: who is killed here leaves a journal that can be resumed, or none.
enum hone_status hone_journal_file_create(int *fd, const char *path,
                                          const struct hone_strbuf *line,
                                          struct hone_error *err)
{
    struct stat info;
    const bool there = stat(path, &info) == 0;
    if (there && !S_ISREG(info.st_mode)) return refuse_kind(path, info.st_mode, err);
    if (there)
        return hone_fail(err, HONE_EUSAGE,
                         "journal '%s' exists: results are never overwritten; "
                         "--resume goes on with it",
                         path);
    return hone_file_create(fd, path, line->data, line->len, err);
}

enum hone_status hone_journal_file_open(int *fd, const char *path, bool held,
                                        struct hone_error *err)
{
    const struct hone_file_want want = {.most = HONE_JOURNAL_MOST};
    struct stat info;
    *fd = -1;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return refuse_kind(path, info.st_mode, err);
    // What no journal can be is refused as every reader does: files of /proc, too large.
    enum hone_status status =
        hone_file_exists(path) ? hone_file_open(fd, path, &want, err) : HONE_OK;
    if (status != HONE_OK) return status;
    if (*fd >= 0) close(*fd);
    *fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0)
        return hone_fail(err, hone_file_read_status(errno),
                         "cannot continue journal '%s': %s", path,
                         hone_errno_text(errno));
    if (fstat(*fd, &info) != 0 || !S_ISREG(info.st_mode))
        status = refuse_kind(path, info.st_mode, err);
    else if (!held)
        status = hone_file_lock(*fd, path, err);
    if (status == HONE_OK) return HONE_OK;
    close(*fd);
    *fd = -1;
    return status;
}

// Under its name, or beside it.
static enum hone_status write_again(const char *path, const char *data, size_t size,
                                    struct hone_error *err)
{
    static const char *const endings[] = {"", ".kept"};
    struct hone_strbuf name = HONE_STRBUF_INIT;
    enum hone_status status = HONE_EIO;
    for (size_t i = 0; i < 2 && status != HONE_OK; i++) {
        int fd = -1;
        hone_strbuf_clear(&name);
        hone_strbuf_printf(&name, "%s%s", path, endings[i]);
        if (name.failed) break;
        status = hone_file_create(&fd, name.data, data, size, i ? err : NULL);
        if (fd >= 0) close(fd);
    }
    if (status == HONE_OK)
        hone_log(HONE_LOG_WARNING,
                 "journal '%s' was deleted while it was written; its %zu bytes are in "
                 "'%s'",
                 path, size, name.data);
    hone_strbuf_fini(&name);
    return status;
}

// The name is another file's now: a header or report made by it would be of that one.
static enum hone_status check_name(const struct stat *written, const char *path,
                                   struct hone_error *err)
{
    struct stat now;
    const bool there = stat(path, &now) == 0;
    if (there && now.st_dev == written->st_dev && now.st_ino == written->st_ino)
        return HONE_OK;
    return hone_fail(err, HONE_EIO,
                     "journal '%s' was moved away while it was written%s: the %lld bytes "
                     "of this run are where it was moved to",
                     path, there ? ", and another file has its name" : "",
                     (long long)written->st_size);
}

enum hone_status hone_journal_file_keep(int fd, const char *path, struct hone_error *err)
{
    struct stat info;
    struct hone_error why = {0};
    char *data = NULL;
    size_t size = 0;
    if (fstat(fd, &info) != 0) return HONE_OK;
    if (info.st_nlink > 0) return check_name(&info, path, err);
    enum hone_status status =
        lseek(fd, 0, SEEK_SET) == 0
            ? hone_fd_read(&data, &size, fd, path, HONE_JOURNAL_MOST, &why)
            : hone_fail(&why, HONE_EIO, "%s", hone_errno_text(errno));
    if (status == HONE_OK) status = write_again(path, data, size, &why);
    free(data);
    if (status == HONE_OK) return HONE_OK;
    return hone_fail(err, HONE_EIO,
                     "journal '%s' was deleted while it was written, and its %lld bytes "
                     "are lost: %s",
                     path, (long long)info.st_size, why.text);
}

enum hone_status hone_journal_file_remove(const char *path, struct hone_error *err)
{
    int fd;
    if (!hone_file_exists(path)) return HONE_OK;
    enum hone_status status = hone_journal_file_open(&fd, path, false, err);
    if (status != HONE_OK) return status;
    if (unlink(path) != 0)
        status = hone_fail(err, HONE_EIO, "cannot remove '%s': %s", path,
                           hone_errno_text(errno));
    close(fd);
    return status;
}
