/* Outputs of launches that are timed. A kernel that was verified may do less, or
 * something else, when it is timed: so its outputs are poisoned before, and its inouts
 * hold what they held at first; afterwards both must hold what one launch of the same
 * module computed, but for what each launch goes on with. A device that predicts runs
 * nothing to the end, and is left alone. */
#ifndef HONE_EVALUATE_TIMED_H
#define HONE_EVALUATE_TIMED_H

#include "evaluate/buffers.h"
#include "evaluate/module.h"

struct hone_runner;

/* What is timed. All borrowed. */
struct hone_timed_job {
    struct hone_runner *runner;
    struct hone_loaded kernel;
    struct hone_buffers *buffers; /* in which its data is */
};

/* A part of an output that is looked at. */
struct hone_timed_piece {
    size_t buffer, first, bytes; /* which one, from which byte on */
    bool steady;                 /* launches in a row leave the same in it */
    unsigned char *expected;     /* after one launch */
};

struct hone_timed { /* {0}: nothing is looked at */
    struct hone_timed_piece *pieces;
    size_t count;
    unsigned char *scratch; /* room for the largest piece */
    bool adds;              /* there are inouts, which each launch goes on with */
};

/* Launch once, with inouts twice in a row; what it computes is what later launches are
 * held to. A launch that goes wrong is the fault. */
enum hone_status hone_timed_begin(struct hone_timed *timed,
                                  const struct hone_timed_job *at,
                                  struct hone_fault *fault, struct hone_error *err);
/* Poison the outputs and give the inouts what they held at first: launches follow. */
enum hone_status hone_timed_arm(const struct hone_timed *timed,
                                const struct hone_timed_job *at, struct hone_error *err);
/* Give the inouts what they held at first, where at has such. */
enum hone_status hone_timed_restore(const struct hone_timed_job *at,
                                    struct hone_error *err);
/* After them: are the outputs the same, but for what each launch changes? */
enum hone_status hone_timed_check(const struct hone_timed *timed,
                                  const struct hone_timed_job *at,
                                  struct hone_fault *fault, struct hone_error *err);
/* At the end: what each launch changes is computed once more, from the start. */
enum hone_status hone_timed_finish(const struct hone_timed *timed,
                                   const struct hone_timed_job *at,
                                   struct hone_fault *fault, struct hone_error *err);
/* Somebody may have changed what buffers hold: their data is made anew when they are
 * asked for (hone_runner_buffers), or when hone_timed_begin launches. */
void hone_timed_distrust(struct hone_buffers *buffers);
void hone_timed_fini(struct hone_timed *timed);

#endif
