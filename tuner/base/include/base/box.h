/* A process shuts itself in before it runs foreign code: limits, no new privileges,
 * Landlock and seccomp, without a library and without privileges. What the kernel lacks
 * is left out and said. There is no way back. */
#ifndef HONE_BASE_BOX_H
#define HONE_BASE_BOX_H

#include <stddef.h>
#include <stdint.h>

#include "hone/box.h"

struct hone_box_rules {
    uint64_t data_bytes; /* of memory that is no file's; 0: no limit. Not set where a
                            sanitizer keeps shadows of it */
    /* Files and folders, with all below, that may still be opened, for reading only. With
     * none of them no path leads anywhere: opening and asking for a file say ENOENT. */
    const char *const *readable;
    size_t readable_count;
};

/* No part is active, for that reason. */
void hone_box_init(struct hone_box *box, const char *why);

/* Shut this process in: call while it has one thread; those made later are in as well.
 * Descriptors that are open stay usable. Tells of all parts but PROCESS, TIME and CPU,
 * which are its parent's. */
void hone_box_enter(struct hone_box *box, const struct hone_box_rules *rules);

/* The parts, for box.c. Each returns 0, else an errno. *network and *scope likewise. */
int hone_box_landlock(const struct hone_box_rules *rules, int *network, int *scope);
int hone_box_seccomp(const struct hone_box_rules *rules);

#endif
