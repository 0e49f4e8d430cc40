/* Files that one process at a time may write. The lock belongs to the open file: threads,
 * fork and other descriptors of the file neither share nor lose it, exec and death end
 * it. It binds those who ask for it; reading needs none. */
#ifndef HONE_BASE_FILE_LOCK_H
#define HONE_BASE_FILE_LOCK_H

#include <stdbool.h>

#include "hone/status.h"

/* Lock the file of fd, which is open for writing, until fd and its duplicates are closed.
 * EUSAGE where another has it; the message tells which process, as far as that can be
 * known. Where the file system knows no locks, a warning is logged and OK returned. */
enum hone_status hone_file_lock(int fd, const char *path, struct hone_error *err);

/* Has another open file of it the lock? Asked without taking it; false where the file
 * system knows no locks. */
bool hone_file_is_locked(int fd);

#endif
