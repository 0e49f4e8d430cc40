/* Evaluators take a configuration through every stage (render, build, prune, verify,
 * time) and return its trial. The session only submits indices and waits for trials, so
 * it is the same for a GPU, the emulator, a pool of workers and a replayed journal. */
#ifndef HONE_EVALUATE_H
#define HONE_EVALUATE_H

#include <stddef.h>
#include <stdint.h>

#include "hone/build.h"
#include "hone/device.h"
#include "hone/kernel.h"
#include "hone/record.h"

struct hone_evaluator;

/* Valid configurations measured against each other: in each round every one of them once,
 * in an order drawn anew. */
struct hone_contest {
    const uint64_t *indices;
    size_t count, rounds;
    uint64_t seed; /* of the orders */
    bool verify;   /* once more at the end: who is wrong now has no samples */
    /* Each cost is of a row of launches at the clock that a GPU keeps, on inputs that
     * nobody else has; every second round goes backwards. Of times only. */
    bool sustained;
    double turn_s; /* where it is: of a turn at most; 0: as the device likes */
};

/* Valid configurations whose results are to be compared at the tuned size: with the
 * reference's where it can be run, else with each other (docs/verification.md). The most
 * important ones come first: time may run out. */
struct hone_confirmation {
    /* In and out: compared, and where one is wrong outcome and reason, which live until
     * the evaluator is closed. */
    struct hone_trial *trials;
    size_t count;
    /* To spend at most, beside a reference that runs. What is emulated spends processor
     * time, so that as much is compared on a busy machine. */
    double seconds;
    double spent_s; /* out, of these seconds and the reference's; also where it fails */
    bool undecided; /* out: without a reference there is no majority */
    /* Out, with EINPUT: the reference faults there or leaves a part of its outputs
     * unwritten. Without it, an EINPUT is of something else. */
    bool reference_wrong;
};

struct hone_evaluator_fns {
    const char *name;
    size_t priv_size;
    /* How many submitted indices it can work on at once. */
    size_t (*capacity)(struct hone_evaluator *evaluator);
    /* Take an index; at most capacity are in flight. */
    enum hone_status (*submit)(struct hone_evaluator *evaluator, uint64_t index,
                               struct hone_error *err);
    /* Wait until something is finished and return it: at least one trial while any is in
     * flight. What the trials say lives until the evaluator is closed. A status other
     * than OK means the evaluator is of no more use. */
    enum hone_status (*wait)(struct hone_evaluator *evaluator, struct hone_trial *out,
                             size_t cap, size_t *count, struct hone_error *err);
    /* Optional. Hold a contest: costs[round * count + i] is a cost of indices[i] (by the
     * objective), NAN where it failed. What is in flight goes on being built; on the
     * device of the contest nothing of it is launched meanwhile. */
    enum hone_status (*contest)(struct hone_evaluator *evaluator,
                                const struct hone_contest *contest, double *costs,
                                struct hone_error *err);
    /* Optional. Compare results at the tuned size while nothing is in flight. Each trial
     * that is still valid says in compared what came of it. EINPUT, with reference_wrong,
     * where the reference is. */
    enum hone_status (*confirm)(struct hone_evaluator *evaluator,
                                struct hone_confirmation *confirmation,
                                struct hone_error *err);
    /* Optional. Seconds so far in which nobody was there to measure, as while all workers
     * wait in a queue: they are not taken from a session's time. */
    double (*absent_s)(const struct hone_evaluator *evaluator);
    void (*close)(struct hone_evaluator *evaluator);
};

struct hone_evaluator {
    const struct hone_evaluator_fns *fns;
    void *priv;
    /* Optional, set by the user before the first submit: called within submit and wait,
     * in the thread that called those, before a configuration is launched, which may take
     * the machine with it. A status other than OK ends the evaluation. */
    enum hone_status (*begin)(void *context, uint64_t index, struct hone_error *err);
    void *begin_context;
    struct hone_arena_block
        *said; /* what its trials say; hone_evaluator_close frees it */
};

enum hone_evaluate_flags {
    HONE_EVALUATE_NO_VERIFY = 1,  /* time without comparing to the reference */
    HONE_EVALUATE_NO_TIME = 2,    /* build and verify only */
    HONE_EVALUATE_NO_RACE = 4,    /* measure also what is clearly slower to the end */
    HONE_EVALUATE_QUIET = 8,      /* what there is to say of the reference was said */
    HONE_EVALUATE_COUNT = 16,     /* read counters of the hardware, instead of timing */
    HONE_EVALUATE_COUNT_ALL = 32, /* not only the light ones */
    /* Build PTX only, where the device can estimate what it needs and ptxas could judge
     * nothing else; the direct evaluator's, with NO_TIME. */
    HONE_EVALUATE_ESTIMATE = 64
};

/* Metric of a trial that was verified but not timed, on an emulated device: dynamic
 * shared bytes up to the last one that was written. */
#define HONE_METRIC_SHARED_WRITTEN "dynamic_shared_written"

/* Elements of outputs that a trial without a reference, verified but not timed, left as
 * they were at one of the sizes, where that is more than none. */
#define HONE_METRIC_UNWRITTEN "unwritten_outputs"

/* Blocks of the smallest size of a trial, verified but not timed, whose blocks wait for
 * each other, where no size had all of them watched while they take turns. */
#define HONE_METRIC_UNTURNED "blocks_not_turned"

struct hone_evaluate_options {
    unsigned flags;
    struct hone_time_policy policy;
    enum hone_objective objective; /* not the time: policy has to count energy */
    uint64_t data_seed;            /* of the random inputs */
    double deadline_s;             /* of one launch; 0: the device's default */
    /* Configurations being built ahead; 0: one more than the builder's threads, where
     * time is measured one more than four times as many. */
    size_t lookahead;
    /* Optional, read while the evaluator is opened: the configuration that will be
     * submitted first. The direct one builds it while the references run. */
    const uint64_t *first;
    /* Optional, read then: the sizes that an earlier run drew, so many, each with the
     * values of the kernel's problem. Drawn by data_seed where this is NULL. */
    const struct hone_value *drawn;
    size_t drawn_sizes;
};

/* At how many problem sizes a kernel is verified: named by its script, and drawn from its
 * ranges. EINPUT where there is nothing to draw. values, optional: those of the drawn
 * ones, as in options; to be freed, their texts are the kernel's or the options'. */
struct hone_size_counts {
    size_t named, drawn;
};
enum hone_status hone_evaluate_sizes(const struct hone_kernel *kernel,
                                     const struct hone_evaluate_options *options,
                                     struct hone_size_counts *counts,
                                     struct hone_value **values, struct hone_error *err);

/* In this process on one device. Everything is borrowed and must outlive the evaluator.
 * Trials come back in the order of submission, so a run repeats by its seed. Reference
 * results are computed here, once a problem: EDEVICE or EINPUT when the reference itself
 * fails. */
enum hone_status hone_evaluator_direct(struct hone_evaluator **out,
                                       const struct hone_kernel *kernel,
                                       struct hone_device *device,
                                       struct hone_builder *builder,
                                       const struct hone_evaluate_options *options,
                                       struct hone_error *err);

/* Answers from a recording; an index it lacks is a rejected trial "not in the recording".
 * The recording is borrowed; indices are those of hone_recording_space. */
enum hone_status hone_evaluator_replay(struct hone_evaluator **out,
                                       const struct hone_recording *recording,
                                       struct hone_error *err);

/* Corrects predictions of inner by measured trials of the same kernel, problem and GPU:
 * up to 64 of the recording's valid ones that space has are predicted by inner (one at a
 * time, now), and what both say becomes a factor that depends on the configuration
 * (docs/emulator.md). The prediction as it was stays in the metric uncalibrated_us.
 * EINPUT for fewer than 4 points. On success inner belongs to the new evaluator, else to
 * the caller; space and recording are borrowed for the call. */
enum hone_status hone_evaluator_calibrated(struct hone_evaluator **out,
                                           struct hone_evaluator *inner,
                                           const struct hone_space *space,
                                           const struct hone_recording *measured,
                                           size_t *points_used, struct hone_error *err);

/* Several evaluators of one kernel at work at once, each in a thread of its own and on a
 * device of its own; they may share a kernel and a builder. Trials come back in the order
 * of submission. On success the members belong to the crew, else to the caller. */
enum hone_status hone_evaluator_crew(struct hone_evaluator **out,
                                     struct hone_evaluator *const *members, size_t count,
                                     struct hone_error *err);

void hone_evaluator_close(struct hone_evaluator *evaluator);

#endif
