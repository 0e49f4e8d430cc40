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
    bool fixed;    /* folders are places (hone_root_place): one that becomes a link later
                    * is no way out. Else links are followed at each use. */
};

struct hone_root_file {
    char *text; /* size bytes and a NUL; the caller frees it */
    size_t size;
    uint64_t device, inode; /* the same by whichever name it was opened */
};

/* Reads path, which is opened once: what is checked is what is read. ENOTFOUND when there
 * is none, or a folder; EINPUT when it is no regular file (a pipe or a device is not even
 * opened), has more than most bytes, or lies outside the folders; EUSAGE without
 * /proc. */
enum hone_status hone_root_read(struct hone_root_file *out,
                                const struct hone_roots *roots, const char *path,
                                size_t most, struct hone_error *err);

/* Where a folder lies after links are followed, for the caller to free. NULL: ENOTFOUND
 * when there is none, EUSAGE when the system does not tell, as without /proc; ENOMEM. */
char *hone_root_place(const char *folder, struct hone_error *err);

/* Is place, as hone_root_place tells, one of the roots or below one? */
bool hone_root_holds(const struct hone_roots *roots, const char *place);

#endif
