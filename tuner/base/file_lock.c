// A lock of the open file description (F_OFD_SETLK): unlike those of flock it is kept by
// NFS, unlike those of POSIX it is not lost when the process closes another descriptor of
// the file. The system names no owner of such a lock: the owner notes itself in an
// attribute of the file, and on this machine /proc knows who has it.
#define _GNU_SOURCE // F_OFD_SETLK
#include "base/file_lock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/c_text.h"
#include "base/log.h"
#include "process.h"

#define ATTRIBUTE "user.hone.writer"

enum { TEXT_BYTES = 256 };

struct owner {
    struct stat file;
    long id; // 0 while it is not known
};

// A descriptor tells of the locks that were taken by it: "lock: 1: OFDLCK ADVISORY ...".
static bool has_lock(long id, const char *fd)
{
    char path[96], line[256];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%ld/fdinfo/%.20s", id, fd);
    FILE *file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, "lock:", 5) == 0 && strstr(line, "WRITE");
    if (file) fclose(file);
    return found;
}

static bool look_at(void *context, long id)
{
    struct owner *owner = context;
    char path[64];
    const struct dirent *entry;
    snprintf(path, sizeof path, "/proc/%ld/fd", id);
    DIR *entries = opendir(path);
    while (entries && !owner->id && (entry = readdir(entries))) {
        struct stat info;
        if (fstatat(dirfd(entries), entry->d_name, &info, 0) == 0 &&
            info.st_dev == owner->file.st_dev && info.st_ino == owner->file.st_ino &&
            has_lock(id, entry->d_name))
            owner->id = id;
    }
    if (entries) closedir(entries);
    return !owner->id;
}

static void file_lock_describe(char *text, size_t size, int fd)
{
    struct owner owner = {.id = 0};
    if (fstat(fd, &owner.file) == 0) hone_process_each(look_at, &owner);
    if (owner.id) {
        hone_process_text(text, size, owner.id);
        return;
    }
    const ssize_t n = fgetxattr(fd, ATTRIBUTE, text, size - 1);
    text[n > 0 ? n : 0] = '\0';
    for (char *p = text; *p; p++)
        if (hone_is_control(*p)) *p = '?';
    if (!*text) snprintf(text, size, "a process that cannot be seen from here");
}

// For others that cannot see this process; where there are no attributes they are told
// less.
static void note_owner(int fd)
{
    char text[TEXT_BYTES], host[64] = "";
    if (gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
    snprintf(text, sizeof text, "process %ld on %s", (long)getpid(), host);
    if (fsetxattr(fd, ATTRIBUTE, text, strlen(text), 0) != 0) return;
}

enum hone_status hone_file_lock(int fd, const char *path, struct hone_error *err)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_OFD_SETLK, &whole) == 0) {
        note_owner(fd);
        return HONE_OK;
    }
    if (errno == EAGAIN || errno == EACCES) {
        char text[TEXT_BYTES];
        file_lock_describe(text, sizeof text, fd);
        return hone_fail(err, HONE_EUSAGE,
                         "'%s' is in use by %s: wait for it, or name another file", path,
                         text);
    }
    hone_log(HONE_LOG_WARNING,
             "'%s' is not locked (%s): no other run may write to it meanwhile", path,
             hone_errno_text(errno));
    return HONE_OK;
}

bool hone_file_is_locked(int fd)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
}
