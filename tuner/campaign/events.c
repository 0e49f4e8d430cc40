#define _GNU_SOURCE
#include "events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file.h"
#include "base/file_lock.h"
#include "record/json_out.h"

// Whether the lock that fd should have is one that other processes see.
static bool lock_holds(const char *path)
{
    const struct hone_file_want want = {.most = UINT64_MAX};
    int other;
    if (hone_file_open(&other, path, &want, NULL) != HONE_OK) return false;
    const bool locked = hone_file_is_locked(other);
    close(other);
    return locked;
}

static enum hone_status refuse_kind(const char *path, unsigned mode,
                                    struct hone_error *err)
{
    return hone_fail(err, HONE_EINPUT, "cannot write '%s': it is %s, not a file", path,
                     hone_file_kind(mode));
}

enum hone_status hone_events_open(int *fd, const char *path, struct hone_error *err)
{
    struct stat info;
    *fd = -1;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return refuse_kind(path, info.st_mode, err);
    *fd =
        open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    if (*fd < 0) {
        const enum hone_status status = hone_file_write_status(errno);
        return hone_fail(err, status == HONE_EUSAGE ? HONE_EINPUT : status,
                         "cannot open '%s': %s", path, hone_errno_text(errno));
    }
    if (fstat(*fd, &info) == 0 && S_ISREG(info.st_mode)) return HONE_OK;
    close(*fd);
    *fd = -1;
    return refuse_kind(path, info.st_mode, err);
}

static enum hone_status lock_file(int *fd, const char *path, struct hone_error *err)
{
    enum hone_status status = hone_events_open(fd, path, err);
    if (status != HONE_OK) return status;
    status = hone_file_lock(*fd, path, err);
    if (status == HONE_OK && !lock_holds(path))
        status = hone_fail(err, HONE_EUNSUPPORTED,
                           "the file system of '%s' knows no locks, so two processes "
                           "could do the same run: put 'state' on one that does",
                           path);
    if (status != HONE_OK) {
        close(*fd);
        *fd = -1;
    }
    return status;
}

enum hone_status hone_events_lock(int *fd, const struct hone_campaign_run *run,
                                  struct hone_error *err)
{
    *fd = -1;
    char *path = hone_run_file(run, HONE_RUN_EVENTS);
    enum hone_status status = path ? hone_file_mkdirs(run->folder, err)
                                   : hone_no_memory(err, "for a run's files");
    if (status == HONE_OK) status = lock_file(fd, path, err);
    free(path);
    return status;
}

size_t hone_events_size(const char *text, size_t size)
{
    while (size && !text[size - 1])
        size--;
    return size;
}

// False leaves the reason in errno, also where somebody cuts the file meanwhile.
static bool read_at(int fd, char *out, size_t size, off_t from)
{
    const ssize_t got = pread(fd, out, size, from);
    if (got >= 0 && (size_t)got != size) errno = EIO;
    return got == (ssize_t)size;
}

// The file ends where hone_events_size says. *torn: a crash cut its last line short.
// False leaves the reason in errno.
static bool mend_end(int fd, bool *torn)
{
    char text[512];
    const off_t whole = lseek(fd, 0, SEEK_END);
    off_t size = whole;
    *torn = false;
    while (size > 0) {
        const off_t from = size > (off_t)sizeof text ? size - (off_t)sizeof text : 0;
        const size_t count = (size_t)(size - from);
        if (!read_at(fd, text, count, from)) return false;
        const size_t left = hone_events_size(text, count);
        size = from + (off_t)left;
        if (!left) continue;
        *torn = text[left - 1] != '\n';
        break;
    }
    return size >= 0 && (size == whole || ftruncate(fd, size) == 0);
}

enum hone_status hone_events_add(int fd, const struct hone_campaign_run *run,
                                 struct json_t *event, struct hone_error *err)
{
    struct hone_strbuf line = HONE_STRBUF_INIT;
    bool torn;
    const bool mended = mend_end(fd, &torn);
    if (torn) hone_strbuf_add(&line, "\n");
    hone_json_line(&line, event);
    enum hone_status status = HONE_OK;
    if (line.failed)
        status = hone_no_memory(err, "for an event of a run");
    else if (!mended || !hone_fd_write(fd, line.data, line.len) || fdatasync(fd) != 0)
        status = hone_fail(err, HONE_EIO, "cannot write '%s/%s': %s", run->folder,
                           HONE_RUN_EVENTS, hone_errno_text(errno));
    hone_strbuf_fini(&line);
    return status;
}

struct json_t *hone_event(const char *name)
{
    struct json_t *event = hone_json_object();
    hone_json_text(event, "event", name);
    hone_json_integer(event, "at", hone_date_now());
    return event;
}
