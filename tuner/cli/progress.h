/* Progress on stderr: one line that is redrawn on a terminal, few plain lines in a log.
 */
#ifndef HONE_CLI_PROGRESS_H
#define HONE_CLI_PROGRESS_H

#include "hone/session.h"

/* A run of known length: done of count after seconds. A callback without a context. */
void cli_progress_count(void *none, size_t done, size_t count, double seconds);

/* A tuning session; waiting: so many of its workers. */
void cli_progress_tune(const struct hone_progress *progress,
                       const struct hone_space *space, size_t waiting);

/* Finish the line; on any thread. */
void cli_progress_end(void);

/* The same, and nobody draws it again until resume, by the same thread: in between a line
 * of its own is printed. */
void cli_progress_pause(void);
void cli_progress_resume(void);

#endif
