#define _DEFAULT_SOURCE // flock
#include "pool/gpu_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file.h"
#include "base/log.h"

static const char *folder(void)
{
    static const char *const variables[] = {"HONE_LOCKS", "XDG_RUNTIME_DIR"};
    for (size_t i = 0; i < 2; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value) return value;
    }
    return "/tmp";
}

// Another user's file is opened for reading: flock asks for no more, and a folder like
// /tmp refuses O_CREAT there (fs.protected_regular). Readable, whatever the umask.
// Opening waits for nobody: it may be a pipe by then.
static int open_file(const char *path)
{
    const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    int fd = open(path, O_RDWR | O_CREAT | flags, 0644);
    if (fd < 0 && errno == EACCES) fd = open(path, O_RDONLY | flags);
    return fd;
}

// The number of a process is written to no device, and to no file of another name.
static enum hone_status check_file(int fd, const char *path, struct hone_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return hone_fail(err, HONE_EIO, "cannot open the lock '%s': %s", path,
                         hone_errno_text(errno));
    if (S_ISREG(info.st_mode) && info.st_nlink <= 1) return HONE_OK;
    return hone_fail(err, HONE_EIO,
                     "the lock '%s' is %s: remove it, or name another folder by "
                     "HONE_LOCKS",
                     path,
                     S_ISREG(info.st_mode) ? "a file that has other names"
                                           : hone_file_kind(info.st_mode));
}

static void read_holder(int fd, char *out, size_t size)
{
    ssize_t n = pread(fd, out, size - 1, 0);
    out[n > 0 ? n : 0] = '\0';
    out[strcspn(out, "\n")] = '\0';
}

static void write_holder(int fd)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    // Who holds it is for people: a file of another user cannot be written.
    if (ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) < 0) return;
}

static enum hone_status wait_for(int fd, const char *uuid, bool wait,
                                 const volatile sig_atomic_t *cancel,
                                 struct hone_error *err)
{
    const struct timespec nap = {.tv_nsec = 50 * 1000000};
    bool told = false;
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        char holder[32];
        if (errno != EWOULDBLOCK && errno != EINTR)
            return hone_fail(err, HONE_EIO, "cannot lock GPU %s: %s", uuid,
                             hone_errno_text(errno));
        read_holder(fd, holder, sizeof holder);
        if (!wait)
            return hone_fail(err, HONE_ELIMIT,
                             "GPU %s is in use by another tuner (process %s)", uuid,
                             holder);
        if (!told)
            hone_log(HONE_LOG_WARNING,
                     "GPU %s is in use by another tuner (process %s): waiting for it",
                     uuid, holder);
        told = true;
        if (cancel && *cancel)
            return hone_fail(err, HONE_ECANCELLED, "interrupted while waiting for GPU %s",
                             uuid);
        nanosleep(&nap, NULL);
    }
    write_holder(fd);
    return HONE_OK;
}

enum hone_status hone_gpu_lock(int *fd, const char *uuid, bool wait,
                               const volatile sig_atomic_t *cancel,
                               struct hone_error *err)
{
    *fd = -1;
    if (!*uuid) return HONE_OK;
    char path[512];
    snprintf(path, sizeof path, "%s/hone-%s.lock", folder(), uuid);
    *fd = open_file(path);
    if (*fd < 0)
        return hone_fail(err, HONE_EIO, "cannot open the lock '%s': %s", path,
                         hone_errno_text(errno));
    enum hone_status status = check_file(*fd, path, err);
    if (status == HONE_OK) status = wait_for(*fd, uuid, wait, cancel, err);
    if (status == HONE_OK) return HONE_OK;
    close(*fd);
    *fd = -1;
    return status;
}
