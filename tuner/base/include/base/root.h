/* Reading a file that must lie in one of some folders. What counts is where the file
 * lies after links are followed: a link to a file of the same folder is as good as the
 * file, one that leads out is refused. */
#ifndef HONE_BASE_ROOT_H
#define HONE_BASE_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

struct hone_roots {
    const char *const *folders;
    size_t count;
    bool anywhere; /* every folder will do */
};

struct hone_root_file {
    char *text; /* size bytes and a NUL; the caller frees it */
    size_t size;
    uint64_t device, inode; /* the same by whichever name it was opened */
};

/* Reads path, which is opened once: what is checked is what is read. ENOTFOUND when there
 * is none, or a folder; EINPUT when it is no regular file (a pipe or a device is not even
 * opened), has more than most bytes, or lies outside the folders. */
enum hone_status hone_root_read(struct hone_root_file *out,
                                const struct hone_roots *roots, const char *path,
                                size_t most, struct hone_error *err);

/* Is folder one of the roots, or a folder below one? */
bool hone_root_holds_folder(const struct hone_roots *roots, const char *folder);

#endif
