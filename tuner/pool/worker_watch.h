/* What ends a worker from outside, whatever it is at: a tuner that says nothing any more,
 * since it, its machine or the network died, and SIGTERM, by which batch systems end a
 * job. A thread of its own sees both, so that neither a launch nor a pipe that takes
 * nothing is in the way. */
#ifndef HONE_POOL_WORKER_WATCH_H
#define HONE_POOL_WORKER_WATCH_H

#include <pthread.h>
#include <stdatomic.h>

#include "hone/status.h"

struct hone_worker_watch {
    pthread_mutex_t *speaking; /* held while a frame is written */
    int out;
    double silence_s; /* INFINITY: any */
    pthread_t thread;
    atomic_bool stop;
    atomic_llong heard_ms; /* 0: silence does not count yet */
};

/* Watch; the fields up to thread are the caller's. SIGTERM must be blocked in every
 * thread (hone_worker_watch_block). ELIMIT where there can be no thread. */
enum hone_status hone_worker_watch_start(struct hone_worker_watch *watch,
                                         struct hone_error *err);
void hone_worker_watch_block(void);

/* The tuner said something; from the first time on silence counts. Of any thread. */
void hone_worker_watch_heard(struct hone_worker_watch *watch);

void hone_worker_watch_stop(struct hone_worker_watch *watch);

#endif
