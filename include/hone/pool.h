/* Workers: processes that measure for a tuner, each on one device. What a bad kernel does
 * to its process (a sticky error, a crash, a hang) costs one configuration and a new
 * worker, never the run. Started on this machine, or by any command that ends in
 * `hone worker` (ssh, srun). How they are watched: docs/measurement.md. */
#ifndef HONE_POOL_H
#define HONE_POOL_H

#include "hone/evaluate.h"

struct hone_pool;

struct hone_worker_command {
    const char *const *argv; /* ends with NULL */
    const char *name;        /* for messages; NULL: the words of argv */
    bool local;              /* on this machine: the pool locks its GPU */
};

/* Seconds; 0 means the default. A deadline starts at its most, and once a few
 * configurations were seen follows them, within these bounds. */
struct hone_pool_deadlines {
    double start; /* until a worker is ready [120] */
    double queue; /* until the first byte of one that is not local [INFINITY] */
    double
        build_most; /* until the next configuration is built [600]; at least 60 or this */
    double launch_most; /* of one launch [30]; at least 2 or this */
    double silence;     /* without a sign of life, which comes each second [30] */
};

struct hone_pool_options {
    const struct hone_worker_command *commands;
    size_t count;
    bool unlocked; /* the caller holds the locks of its GPUs */
    bool no_wait;  /* a GPU that another tuner uses is an error, not waited for */
    struct hone_pool_deadlines deadlines;
    const volatile sig_atomic_t *cancel; /* optional, borrowed; non-zero: ECANCELLED from
                                            whatever waits for workers */
};

/* What the workers measure on; all of one kind. Texts live as long as the pool. */
struct hone_pool_facts {
    const struct hone_limits *limits;
    const char *device_id; /* of the first */
    const char *driver;
    enum hone_clock clock;
    bool counts_energy;     /* each of them */
    const char *clock_note; /* of the first, once there is an evaluator; else "" */
};

/* What happened to workers so far. */
struct hone_pool_counts {
    size_t waiting; /* now: their commands run and have not said a word yet */
    size_t respawns;
    double respawn_s; /* all of them, each from an end to a ready worker */
    double slowest_respawn_s;
    /* Since the opening: none was of this machine, and no command ran whose worker had
     * said a word. */
    double absent_s;
};

/* Start the workers and wait until each told its device, or one did and the others, which
 * are not local, have been silent for some seconds: they join when they come, and are
 * refused where they are of another kind. One that is not local and fails at its start is
 * tried again, and given up in the end, as long as others are left. EUSAGE for none, and
 * for one GPU twice; ENODEVICE where one has none, EDEVICE where one does not start,
 * EINPUT where the devices differ, ELIMIT where a GPU is in use. Everything is copied. */
enum hone_status hone_pool_open(struct hone_pool **out,
                                const struct hone_pool_options *options,
                                struct hone_error *err);
void hone_pool_close(struct hone_pool *pool); /* NULL is fine */
struct hone_pool_facts hone_pool_facts(const struct hone_pool *pool);
struct hone_pool_counts hone_pool_counts(const struct hone_pool *pool);

/* End the workers in order and wait until their commands have ended: what they held is
 * free. Facts, counts and trials stay until the pool is closed; measuring fails. */
void hone_pool_end_workers(struct hone_pool *pool);

/* Measure kernel by the pool, which is borrowed and has one evaluator in its life. One
 * worker returns trials in the order of submission, several as they come. A status from
 * wait means that no worker is left; what was measured was returned before. *nvrtc, of
 * the first worker, lives as long as the pool. */
enum hone_status hone_evaluator_pool(struct hone_evaluator **out, const char **nvrtc,
                                     struct hone_pool *pool,
                                     const struct hone_kernel *kernel,
                                     const struct hone_evaluate_options *options,
                                     struct hone_error *err);

struct hone_worker_options {
    const char *device;    /* as hone_device_open takes it */
    enum hone_clock clock; /* wished for; NONE: the best */
    struct hone_builder_options builder;
    int in, out;      /* to the tuner */
    double silence_s; /* without a word of the tuner, and the process ends; 0: any */
};

/* Be a worker until the tuner ends it, or SIGTERM, which is blocked then: the process is
 * the worker's from now on. It sets the log (hone_log_set), and where the tuner falls
 * silent or SIGTERM comes while a kernel runs, it says why on standard error and ends the
 * process by _exit. *lost: the device is of no more use, and leaving the process in order
 * might block: _exit. */
enum hone_status hone_worker_serve(const struct hone_worker_options *options, bool *lost,
                                   struct hone_error *err);

#endif
