/* One tuner a GPU: two that time on one card would measure each other. */
#ifndef HONE_POOL_GPU_LOCK_H
#define HONE_POOL_GPU_LOCK_H

#include <signal.h>

#include "hone/status.h"

/* Lock the GPU of this uuid on this machine: the file hone-UUID.lock in $HONE_LOCKS, else
 * $XDG_RUNTIME_DIR, else /tmp. Waits while another process has it, saying so; with wait
 * false that is ELIMIT, and ECANCELLED once *cancel is not 0 (NULL: nobody can). EIO
 * where that is no regular file of one name. *fd ends the lock when it is closed, at the
 * latest with the process. "" (an emulated device) needs no lock: *fd is -1. */
enum hone_status hone_gpu_lock(int *fd, const char *uuid, bool wait,
                               const volatile sig_atomic_t *cancel,
                               struct hone_error *err);

#endif
