/* Files that get their name when they are whole. A temporary name tells which process
 * made it, so that those of dead processes can be removed:
 * .hone-tmp.WORLD.PID.START.RANDOM, where WORLD stands for a boot of a machine and a
 * namespace of process ids, and START is when the process began, in ticks since the boot.
 */
#ifndef HONE_BASE_TEMPORARY_H
#define HONE_BASE_TEMPORARY_H

#include <sys/types.h>
#include <time.h>

#include "hone/status.h"

#define HONE_TEMPORARY_PREFIX ".hone-tmp."

/* A temporary name in folder, which is not made. Freed by the caller; NULL when out of
 * memory. */
char *hone_temporary_name(const char *folder);

/* A new file in folder with such a name, open for reading and appending; -1 with errno.
 * *name is freed by the caller, NULL on failure. The first call of a process for a folder
 * removes what dead processes left there. */
int hone_temporary_open(char **name, const char *folder, mode_t mode);

/* Remove from folder temporary files of this user: those of processes of this machine
 * that are dead, and those of others that are older than a day at now, a time of the
 * folder's machine. */
void hone_temporary_sweep(const char *folder, time_t now);

#endif
