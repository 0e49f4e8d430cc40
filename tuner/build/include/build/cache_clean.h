/* What a folder of builds holds, and less of it. Only files whose names are those of
 * entries are looked at, whatever else lies in the folder. */
#ifndef HONE_BUILD_CACHE_CLEAN_H
#define HONE_BUILD_CACHE_CLEAN_H

#include <stdint.h>
#include <time.h>

#include "hone/status.h"

struct hone_cache_facts {
    uint64_t entries, bytes;
    time_t oldest, newest; /* when they were built; 0 without entries */
    uint64_t removed_entries, removed_bytes;
};

/* What is to go: entries of more than an age, then the oldest ones while the rest has
 * more than so many bytes. */
struct hone_cache_cut {
    double age;          /* seconds; 0: none for their age */
    uint64_t most_bytes; /* UINT64_MAX: none for their size */
};

/* Remove what cut says (NULL: nothing), and tell what is there then. A folder that is not
 * there is an empty one. EINPUT for a folder that is not this user's; EIO where something
 * cannot be removed: the rest is. */
enum hone_status hone_cache_clean(struct hone_cache_facts *facts, const char *folder,
                                  const struct hone_cache_cut *cut,
                                  struct hone_error *err);

#endif
