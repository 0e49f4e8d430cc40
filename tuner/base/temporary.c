#define _GNU_SOURCE // getrandom
#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "process.h"

enum { NAME_BYTES = 96, SWEPT = 1024, STRANGE_SECONDS = 24 * 3600 };

// The boot and the namespace of process ids: where both are the same, a number means the
// same process.
static uint32_t world(void)
{
    char text[128] = "";
    struct stat space = {0};
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        if (read(fd, text, 64) < 0) text[0] = '\0';
        close(fd);
    }
    if (stat("/proc/self/ns/pid", &space) != 0) space.st_ino = 0;
    const uint64_t parts[] = {hone_hash64(text, sizeof text), (uint64_t)space.st_ino};
    return (uint32_t)hone_hash64(parts, sizeof parts);
}

char *hone_temporary_name(const char *folder)
{
    static atomic_uint counter;
    char name[NAME_BYTES];
    uint64_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
        number = atomic_fetch_add(&counter, 1);
    snprintf(name, sizeof name, HONE_TEMPORARY_PREFIX "%08x.%ld.%llu.%016llx", world(),
             (long)getpid(), (unsigned long long)hone_process_start((long)getpid()),
             (unsigned long long)number);
    return hone_path_join(folder, name);
}

// Whether no process can still be writing a file of this name and age.
static bool is_left(const char *name, const struct stat *info, time_t now)
{
    unsigned of;
    long id;
    unsigned long long start;
    if (sscanf(name, HONE_TEMPORARY_PREFIX "%8x.%ld.%llu.", &of, &id, &start) != 3)
        return false;
    if (of == world()) return !hone_process_is(id, start);
    return info->st_mtime + STRANGE_SECONDS < now;
}

void hone_temporary_sweep(const char *folder, time_t now)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    if (!entries) return;
    while ((entry = readdir(entries))) {
        struct stat info;
        const char *name = entry->d_name;
        if (strncmp(name, HONE_TEMPORARY_PREFIX, strlen(HONE_TEMPORARY_PREFIX)) != 0)
            continue;
        if (fstatat(dirfd(entries), name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
            is_left(name, &info, now))
            unlinkat(dirfd(entries), name, 0);
    }
    closedir(entries);
}

// A table of folders that were swept; one that lost its place is swept again.
static void sweep_once(const char *folder, int fd)
{
    static _Atomic uint64_t swept[SWEPT];
    struct stat info, own;
    if (stat(folder, &info) != 0 || fstat(fd, &own) != 0) return;
    const uint64_t parts[] = {(uint64_t)info.st_dev, (uint64_t)info.st_ino};
    const uint64_t key = hone_hash64(parts, sizeof parts);
    if (atomic_exchange(&swept[key % SWEPT], key) != key)
        hone_temporary_sweep(folder, own.st_mtime);
}

int hone_temporary_open(char **name, const char *folder, mode_t mode)
{
    const int flags = O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    int fd = -1;
    do {
        *name = hone_temporary_name(folder);
        if (!*name) {
            errno = ENOMEM;
            return -1;
        }
        fd = open(*name, flags, mode);
        if (fd >= 0) break;
        free(*name);
        *name = NULL;
    } while (errno == EEXIST);
    const int reason = errno;
    if (fd >= 0) sweep_once(folder, fd);
    errno = reason;
    return fd;
}
