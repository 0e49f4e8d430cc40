/* The pool of a tuning: a worker of the program hone for each device of this machine, and
 * those that the user starts elsewhere. */
#ifndef HONE_TUNING_WORKERS_H
#define HONE_TUNING_WORKERS_H

#include "hone/build.h"
#include "hone/pool.h"

struct hone_workers_options {
    const char *device;                         /* one, or several with commas between */
    const char *program;                        /* path of hone, for workers here */
    const struct hone_builder_options *builder; /* its cache and threads */
    const char *const *commands; /* with device "auto" those alone, where there are any */
    size_t command_count;
    enum hone_clock clock; /* wished for; NONE: the best */
    bool no_wait;
    bool unlocked; /* as in struct hone_pool_options */
    struct hone_pool_deadlines deadlines;
    const volatile sig_atomic_t *cancel; /* optional, borrowed */
};

/* Failures are those of hone_pool_open, EUSAGE for a device without a name and for
 * workers that time by another clock. On failure too *out is to be closed. */
enum hone_status hone_workers_open(struct hone_pool **out,
                                   const struct hone_workers_options *options,
                                   struct hone_error *err);

#endif
