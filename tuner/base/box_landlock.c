// Landlock (landlock(7)): rights on files by where they lie. Headers of distributions are
// older than kernels, so the numbers stand here, as linux/landlock.h has them.
#define _GNU_SOURCE // O_PATH
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/box.h"

// The same numbers on every architecture.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };

enum { ASK_VERSION = 1, PATH_BENEATH = 1 };

static const uint64_t read_file = 1 << 2, read_folder = 1 << 3;
static const uint64_t refer = 1 << 13, truncates = 1 << 14, ioctl_dev = 1 << 15;
static const uint64_t all_of_first = (1 << 13) - 1;
static const uint64_t bind_and_connect = 3, sockets_and_signals = 3;

struct ruleset {
    uint64_t files, network, scoped;
};

struct rule {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

// What a kernel of this version of the interface can refuse, all of it; size is how much
// of the structure it knows.
static struct ruleset everything(int version, size_t *size)
{
    struct ruleset set = {.files = all_of_first};
    if (version >= 2) set.files |= refer;
    if (version >= 3) set.files |= truncates;
    if (version >= 5) set.files |= ioctl_dev;
    if (version >= 4) set.network = bind_and_connect;
    if (version >= 6) set.scoped = sockets_and_signals;
    *size = version >= 6 ? sizeof set : (version >= 4 ? 2 : 1) * sizeof(uint64_t);
    return set;
}

// A path that is not there cannot be opened either.
static int allow(int set, const char *path)
{
    struct stat file;
    const int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return 0;
    const bool folder = fstat(fd, &file) == 0 && S_ISDIR(file.st_mode);
    const struct rule rule = {.allowed = read_file | (folder ? read_folder : 0),
                              .folder = fd};
    const int failed = syscall(ADD_RULE, set, PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
    close(fd);
    return failed;
}

static int restrict_self(int set, const struct hone_box_rules *rules)
{
    for (size_t i = 0; i < rules->readable_count; i++) {
        const int failed = allow(set, rules->readable[i]);
        if (failed) return failed;
    }
    return syscall(RESTRICT_SELF, set, 0) == 0 ? 0 : errno;
}

int hone_box_landlock(const struct hone_box_rules *rules, int *network, int *scope)
{
    size_t size;
    const int version = (int)syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (version < 0) return *network = *scope = errno;
    const struct ruleset set = everything(version, &size);
    const int fd = (int)syscall(CREATE_RULESET, &set, size, 0);
    if (fd < 0) return *network = *scope = errno;
    const int failed = restrict_self(fd, rules);
    close(fd);
    *network = failed || set.network ? failed : ENOSYS;
    *scope = failed || set.scoped ? failed : ENOSYS;
    return failed;
}
