/* A worker's line to its tuner. One thread listens: it queues builds the moment a job
 * comes, says once a second that the process lives, and ends it when its input ends
 * (worker_watch.h: when the tuner is silent). The other speaks, and takes what came. */
#ifndef HONE_POOL_WORKER_LINE_H
#define HONE_POOL_WORKER_LINE_H

#include <pthread.h>
#include <stdatomic.h>

#include "letters.h"
#include "worker_watch.h"

struct hone_worker_line {
    int in, out;
    const char *arch; /* that builds are for; borrowed */

    pthread_mutex_t speaking; /* one frame at a time */
    struct hone_worker_watch watch;
    pthread_t listener;
    int wake[2];          /* written to end the listener */
    atomic_bool finished; /* the main thread is done */

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t arrived;
    struct hone_builder *builder; /* NULL until the setup; set once */
    struct hone_letters jobs, orders;
    bool ended;              /* nothing more will come */
    struct hone_error wrong; /* what came was no message */
};

/* A line over two descriptors; silence_s as in struct hone_worker_options. It is watched,
 * but nobody listens yet. */
void hone_worker_line_init(struct hone_worker_line *line, int in, int out,
                           double silence_s);
void hone_worker_line_fini(struct hone_worker_line *line);

/* Any thread may speak. Without a tuner that listens there is nothing left to do, in
 * whatever state this is: the process ends. */
void hone_worker_say(struct hone_worker_line *line, const struct hone_message *message);

/* Listen from now on, builds being for arch; stop, and discard what nobody took. */
enum hone_status hone_worker_listen(struct hone_worker_line *line, const char *arch,
                                    struct hone_error *err);
void hone_worker_hang_up(struct hone_worker_line *line);

/* Jobs are built by it from now on; it stays the caller's. */
void hone_worker_build_by(struct hone_worker_line *line, struct hone_builder *builder);

/* Wait for the next message: an order, or a job if wanted and there is no order. NULL
 * when nothing more comes. */
struct hone_letter *hone_worker_next(struct hone_worker_line *line, bool want_job);

/* Whoever queued builds ends them, also those that nobody took. */
void hone_worker_discard(struct hone_worker_line *line, struct hone_letter *letter);

#endif
