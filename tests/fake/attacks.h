/* What foreign code would do if it could: each attempt is made for real, so that a box
 * around the process can be seen to hold, and the same attempts to succeed without it.
 *
 * $HONE_FAKE_VICTIM names a folder with the file "secret" in it, for what touches files;
 * the parent process is the victim of what touches processes. */
#ifndef FAKE_ATTACKS_H
#define FAKE_ATTACKS_H

#include <stddef.h>

struct attack {
    const char *name;
    int (*attempt)(void); /* 0: it worked; else an errno */
};

extern const struct attack attacks[];
extern const size_t attack_count;

#endif
