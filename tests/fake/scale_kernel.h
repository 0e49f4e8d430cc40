/* A kernel that is wrong on demand, its space and a direct evaluator. Parameters: MODE
 * (what it does wrong, enum scale_mode) and TWIN (0 or 1, which changes nothing).
 * Verified at N = 16 and 37, tuned at 100.
 *
 *     scale(const float *x, float *y, float *sum, int *count, float a, int n):
 *         y[i] = a * x[i]; sum[i] += x[i]; count[i] = i */
#ifndef SCALE_KERNEL_H
#define SCALE_KERNEL_H

#include "hone/evaluate.h"

/* From SCALE_UNKNOWN on they are the fake machine's (fake_machine.h) and right elsewhere,
 * but for SCALE_LARGE_WRONG. */
enum scale_mode {
    SCALE_RIGHT,
    SCALE_NEARLY_RIGHT, /* y within a relative 1e-6 */
    SCALE_WRONG,        /* y[3] off by 0.25 */
    SCALE_WRONG_COUNT,  /* count[2] off by one */
    SCALE_PAST_END,     /* writes y[n] */
    SCALE_BEFORE_START, /* writes y[-1] */
    SCALE_UNWRITTEN,    /* leaves y[5] and count[5] */
    SCALE_CHANGES_INPUT,
    SCALE_NOT_A_NUMBER,
    SCALE_RAGGED_WRONG, /* wrong where n is no multiple of 4 */
    SCALE_ENDLESS,
    SCALE_BROKEN,       /* does not compile */
    SCALE_HEAVY,        /* 400000 bytes of shared memory */
    SCALE_UNKNOWN,      /* the device cannot load it */
    SCALE_STICKY,       /* takes the device with it */
    SCALE_UNPLUGGED,    /* the device reports a status, not a fault */
    SCALE_LARGE_WRONG,  /* y[3] off by 0.25 at the tuned size only */
    SCALE_UNSTEADY,     /* every third launch there, counted from the first anywhere */
    SCALE_LARGE_STICKY, /* takes the device with it there */
    SCALE_TIMED_WRONG,  /* y[3] off by 0.25 from its module's fourth launch there on */
    SCALE_TIMED_IDLE,   /* computes nothing in launches that are timed */
    SCALE_LATE,         /* in the launches that fake_late says */
    SCALE_MODES
};

enum scale_flags {
    SCALE_NO_REFERENCE = 1,
    SCALE_NO_VERIFY_SIZES = 2,
    SCALE_SIZE_BY_MODE = 4,   /* SCALE_NEARLY_RIGHT needs 400 MB at the tuned size */
    SCALE_SIZES_DEFINED = 8,  /* N is compiled in */
    SCALE_SIZES_DRAWN = 16,   /* further sizes are drawn, where TWIN + 16 <= N */
    SCALE_WIDE = 32,          /* the reference computes in doubles */
    SCALE_MANY_DRAWN = 64,    /* SCALE_SIZES_DRAWN draws 20 of them */
    SCALE_OWN_TOLERANCE = 128 /* y has one that SCALE_NEARLY_RIGHT breaks, TWIN 1 not */
};

struct scale_kernel {
    struct hone_space *space;
    struct hone_kernel *kernel;
    struct hone_evaluator *evaluator;
};

/* Group set-up and tear-down: the template files, in a folder of their own. */
int scale_set_up(void **state);
int scale_tear_down(void **state);
extern char scale_folder[64];

/* Close it also after a failure. The device and the builder are borrowed. */
enum hone_status scale_open(struct scale_kernel *k, struct hone_device *device,
                            struct hone_builder *builder, unsigned flags,
                            unsigned evaluate_flags, struct hone_error *err);
void scale_close(struct scale_kernel *k);
uint64_t scale_index(const struct scale_kernel *k, enum scale_mode mode, uint16_t twin);

#endif
