// The file is found by O_PATH, which follows links but opens nothing: a pipe does not
// block and a device does not stir. /proc then tells where the descriptor's file lies,
// and the same descriptor is reopened to be read, so that nobody can put another file in
// its place between the check and the reading.
#define _GNU_SOURCE // O_PATH
#include "base/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file.h"

enum { LINK_NAME = 40 };

static void name_link(char name[LINK_NAME], int fd)
{
    snprintf(name, LINK_NAME, "/proc/self/fd/%d", fd);
}

static bool find_place(char place[PATH_MAX], int fd)
{
    char link[LINK_NAME];
    name_link(link, fd);
    const ssize_t length = readlink(link, place, PATH_MAX);
    if (length <= 0 || length >= PATH_MAX || place[0] != '/') return false;
    place[length] = '\0';
    return true;
}

static bool find_folder(char place[PATH_MAX], const char *folder)
{
    const int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool found = find_place(place, fd);
    close(fd);
    return found;
}

static bool is_below(const char *place, const char *folder)
{
    const size_t length = strlen(folder);
    if (length == 1) return true; // "/"
    return strncmp(place, folder, length) == 0 &&
           (place[length] == '/' || place[length] == '\0');
}

static bool is_in_roots(const struct hone_roots *roots, const char *place)
{
    char folder[PATH_MAX];
    for (size_t i = 0; i < roots->count; i++)
        if (roots->fixed
                ? is_below(place, roots->folders[i])
                : find_folder(folder, roots->folders[i]) && is_below(place, folder))
            return true;
    return false;
}

bool hone_root_holds(const struct hone_roots *roots, const char *place)
{
    return roots->anywhere || is_in_roots(roots, place);
}

static enum hone_status fail_place(const char *path, struct hone_error *err)
{
    return hone_fail(
        err, HONE_EUSAGE,
        "cannot tell where '%s' lies: /proc/self/fd does not say, mount /proc", path);
}

char *hone_root_place(const char *folder, struct hone_error *err)
{
    char place[PATH_MAX];
    const int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        hone_fail(err, HONE_ENOTFOUND, "cannot open folder '%s': %s", folder,
                  hone_errno_text(errno));
        return NULL;
    }
    const bool found = find_place(place, fd);
    close(fd);
    char *copy = found ? strdup(place) : NULL;
    if (!found) fail_place(folder, err);
    if (found && !copy) hone_no_memory(err, "finding folder '%s'", folder);
    return copy;
}

static enum hone_status root_check(const struct hone_roots *roots, int fd,
                                   const struct stat *info, const char *path, size_t most,
                                   struct hone_error *err)
{
    char place[PATH_MAX];
    if (S_ISDIR(info->st_mode))
        return hone_fail(err, HONE_ENOTFOUND, "'%s' is not a file", path);
    if (!S_ISREG(info->st_mode))
        return hone_fail(err, HONE_EINPUT, "'%s' is not a file", path);
    if (!roots->anywhere && !find_place(place, fd)) return fail_place(path, err);
    if (!roots->anywhere && !is_in_roots(roots, place))
        return hone_fail(err, HONE_EINPUT, "'%s' leads out of '%s'%s", path,
                         roots->count ? roots->folders[0] : ".",
                         roots->count > 1 ? " and the other folders it may lie in" : "");
    if ((uintmax_t)info->st_size > most)
        return hone_fail(err, HONE_EINPUT, "'%s' has %lld bytes, at most %zu are read",
                         path, (long long)info->st_size, most);
    return HONE_OK;
}

// A file that grows meanwhile is cut off by the size it had.
static enum hone_status read_all(struct hone_root_file *out, int fd, size_t size,
                                 const char *path, struct hone_error *err)
{
    char *text = malloc(size + 1);
    if (!text) return hone_no_memory(err, "reading '%s'", path);
    size_t len = 0;
    while (len < size) {
        const ssize_t n = read(fd, text + len, size - len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            free(text);
            return hone_fail(err, HONE_EIO, "cannot read '%s': %s", path,
                             hone_errno_text(errno));
        }
        if (n == 0) break;
        len += (size_t)n;
    }
    text[len] = '\0';
    out->text = text;
    out->size = len;
    return HONE_OK;
}

static enum hone_status read_checked(struct hone_root_file *out,
                                     const struct hone_roots *roots, int found,
                                     const char *path, size_t most,
                                     struct hone_error *err)
{
    struct stat info;
    char link[LINK_NAME];
    if (fstat(found, &info) != 0)
        return hone_fail(err, HONE_EIO, "cannot read '%s': %s", path,
                         hone_errno_text(errno));
    enum hone_status status = root_check(roots, found, &info, path, most, err);
    if (status != HONE_OK) return status;
    name_link(link, found);
    const int fd = open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) return fail_place(path, err);
    if (fd < 0)
        return hone_fail(err, hone_file_read_status(errno), "cannot read '%s': %s", path,
                         hone_errno_text(errno));
    out->device = (uint64_t)info.st_dev;
    out->inode = (uint64_t)info.st_ino;
    status = read_all(out, fd, (size_t)info.st_size, path, err);
    close(fd);
    return status;
}

enum hone_status hone_root_read(struct hone_root_file *out,
                                const struct hone_roots *roots, const char *path,
                                size_t most, struct hone_error *err)
{
    *out = (struct hone_root_file){0};
    const int found = open(path, O_PATH | O_CLOEXEC);
    if (found < 0)
        return hone_fail(err, hone_file_read_status(errno), "cannot read '%s': %s", path,
                         hone_errno_text(errno));
    const enum hone_status status = read_checked(out, roots, found, path, most, err);
    close(found);
    return status;
}
