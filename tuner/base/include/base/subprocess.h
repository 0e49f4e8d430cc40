/* A program of ours at the other end of two pipes: lines go to its standard input and
 * come from its standard output; its standard error is this process's. It leads a process
 * group of its own, so that what it started ends with it and Ctrl-C reaches us alone.
 * What left the group is found by a mark in its environment (spawn.h). Where the main
 * thread started it, it ends with this process, however that ends.
 *
 * A deadline is a time of hone_clock_seconds, INFINITY for none, 0 for "do not wait".
 * Nothing here raises SIGPIPE or goes through a shell. Not for two threads at once. */
#ifndef HONE_BASE_SUBPROCESS_H
#define HONE_BASE_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/status.h"

struct hone_subprocess;

/* argv ends with NULL; argv[0] is looked up in PATH unless it has a slash. ENOTFOUND when
 * there is no such program, EIO when it cannot be started. Messages name argv[0]. */
enum hone_status hone_subprocess_start(struct hone_subprocess **out,
                                       const char *const *argv, struct hone_error *err);

struct hone_subprocess_options {
    char *const *environment; /* ends with NULL; NULL: this process's */
    bool quiet;               /* its standard error goes nowhere */
    int errors; /* open for writing, becomes its standard error; 0: this process's */
};

enum hone_status hone_subprocess_start_with(struct hone_subprocess **out,
                                            const char *const *argv,
                                            const struct hone_subprocess_options *options,
                                            struct hone_error *err);

/* Kills the group at once and waits for it; NULL is fine. */
void hone_subprocess_free(struct hone_subprocess *program);

/* Its process id, which is also that of its group. */
int hone_subprocess_id(const struct hone_subprocess *program);

/* Write all of data; reads what comes meanwhile, so neither side blocks the other. ELIMIT
 * at the deadline, EIO when it no longer reads: part of data may have been sent then. */
enum hone_status hone_subprocess_write(struct hone_subprocess *program, const void *data,
                                       size_t size, double deadline,
                                       struct hone_error *err);

/* Write all of data, a few bytes, at once, or nothing: false where it does not read. */
bool hone_subprocess_try_write(struct hone_subprocess *program, const void *data,
                               size_t size);

/* The next line, without its end of line and NUL-terminated; it is valid until the next
 * call for this program. A last line that was not ended counts. ELIMIT at the deadline,
 * what came so far is kept; EIO when its output is closed, EINPUT for a line of over
 * 64 MiB, which closes it. */
enum hone_status hone_subprocess_read_line(struct hone_subprocess *program,
                                           const char **line, size_t *size,
                                           double deadline, struct hone_error *err);

/* The first of count programs (NULLs are passed over) for which read_line need not wait,
 * because a line is there or its output is closed; count at the deadline, or when a
 * signal came. */
size_t hone_subprocess_wait(struct hone_subprocess *const *programs, size_t count,
                            double deadline);

/* For a program that speaks no lines: what came and was not taken. *data is valid until
 * the next call for this program. */
size_t hone_subprocess_peek(const struct hone_subprocess *program, const char **data);
void hone_subprocess_skip(struct hone_subprocess *program, size_t bytes);
/* Its output is closed: what peek shows is all that comes. */
bool hone_subprocess_is_closed(const struct hone_subprocess *program);
/* Was it closed here, since what it wrote found no memory? */
bool hone_subprocess_lacks_memory(const struct hone_subprocess *program);

/* Wait until more came from one of count programs (NULLs are passed over) or its output
 * was closed. Closed ones are not waited for. False at the deadline, or when a signal
 * came. */
bool hone_subprocess_poll(struct hone_subprocess *const *programs, size_t count,
                          double deadline);

struct hone_exit {
    bool signalled;
    bool stuck; /* killed, and still there after 30 s: the system does not let it go */
    int code;   /* exit status, or the signal */
};

/* Close its input, let it end by itself until the deadline, then kill its group. Returns
 * how it ended; the same when called again. */
struct hone_exit hone_subprocess_stop(struct hone_subprocess *program, double deadline);

/* An end in steps, without waiting for it, for a program that has others to end (srun its
 * job, ssh its connection). How long each step may take: */
struct hone_patience {
    double close_s; /* from the end of its input to SIGTERM to its group */
    double term_s;  /* from there to SIGKILL; 0: SIGKILL instead of SIGTERM */
};

/* Begin the end, or hasten one that has begun. Its input is closed, what it still says is
 * lost. */
void hone_subprocess_leave(struct hone_subprocess *program,
                           struct hone_patience patience);

/* Take the step that is due. True once it has ended, or cannot be ended: *how, and there
 * are no further steps. */
bool hone_subprocess_has_left(struct hone_subprocess *program, struct hone_exit *how);

/* When the next step is due. */
double hone_subprocess_step_due(const struct hone_subprocess *program);

/* "ended with status 3", "was killed by signal 9 (Killed)". */
void hone_exit_text(char *buf, size_t size, struct hone_exit how);

/* Split a command as a shell would split plain words: at spaces, with '...' and "..." and
 * \ to quote; nothing is expanded. *argv ends with NULL and is one block: free it. EUSAGE
 * for an open quote and for a command without words. */
enum hone_status hone_command_split(char ***argv, const char *command,
                                    struct hone_error *err);

#endif
