/* The file of events of a run: its lock, and lines that are written whole or not at all.
 */
#ifndef HONE_CAMPAIGN_EVENTS_H
#define HONE_CAMPAIGN_EVENTS_H

#include "campaign/state.h"

struct json_t;

/* Open a file of a campaign for reading and appending, close-on-exec; it is made where it
 * is not there. EINPUT for what is no regular file, which is not even opened, and where
 * this user may not; EIO. *fd is -1 then. */
enum hone_status hone_events_open(int *fd, const char *path, struct hone_error *err);

/* Make the run's folder, open its events and lock them until fd is closed. EUSAGE where
 * another process has the lock, EUNSUPPORTED where the file system knows no locks. */
enum hone_status hone_events_lock(int *fd, const struct hone_campaign_run *run,
                                  struct hone_error *err);

/* How many bytes of a file of events were written: NULs behind them are what a power loss
 * leaves of an append that had not reached the disk. */
size_t hone_events_size(const char *text, size_t size);

/* Append an event, taken, and sync it. What was not written is cut off first, and a line
 * that a crash cut short is ended. */
enum hone_status hone_events_add(int fd, const struct hone_campaign_run *run,
                                 struct json_t *event, struct hone_error *err);

/* {"event":NAME,"at":NOW} */
struct json_t *hone_event(const char *name);

#endif
