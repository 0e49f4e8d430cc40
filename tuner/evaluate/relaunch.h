/* More launches of a kernel that was right once: with other data, elsewhere in memory,
 * over what earlier launches left, in an order that it cannot know. A kernel whose result
 * depends on anything but its arguments is wrong in one of them
 * (docs/verification.md). */
#ifndef HONE_EVALUATE_RELAUNCH_H
#define HONE_EVALUATE_RELAUNCH_H

#include "evaluate/plan.h"
#include "evaluate/verify.h"

/* The cost of a launch, in instructions and bytes, that takes an emulator about a
 * second. */
#define HONE_RELAUNCH_SECOND (UINT64_C(1) << 26)

/* So many altogether, at all sizes; at most LEAST, or two a size (three where one takes
 * little), of a kernel that takes long at each of them. */
enum { HONE_RELAUNCHES = 12, HONE_RELAUNCHES_LEAST = 3 };

enum { HONE_RELAUNCH_SIZES = 3 };
/* Are kernels launched again at number i of the plan's sizes? At those that the script
 * names, or at three that were drawn: the smallest, the middle and the largest. bytes: of
 * each size; NAN of one that is skipped, which i is not. */
bool hone_relaunch_is_at(const struct hone_plan *plan, const double *bytes, size_t i);

/* A size that the kernel was right at. */
struct hone_relaunch_size {
    struct hone_verifier *verifier;
    const struct hone_variant *variant;
    uint64_t cost; /* hone_relaunch_cost of a launch */
    size_t count;  /* hone_relaunch sets it: launches here */
};

/* The cost of a launch on so many bytes: the instructions executed, or what an emulator
 * does in as many seconds where the device counts none, in steps: launches of less than a
 * sixteenth of a second cost the same each time. */
uint64_t hone_relaunch_cost(uint64_t executed, double seconds, size_t bytes);

/* What the order of a candidate's launches is drawn from. Its key, which has been made,
 * is of its machine code, and that cannot hold what follows from itself. */
uint64_t hone_relaunch_seed(uint64_t data_seed, const struct hone_candidate *candidate);

/* Launch, plainly, total times, or two or three times at each size. What is wrong is the
 * fault, and why it was right before: "right at first, wrong when its inputs change:
 * ...". */
enum hone_status hone_relaunch(struct hone_relaunch_size *sizes, size_t count,
                               size_t total, uint64_t seed, struct hone_fault *fault,
                               struct hone_error *err);

/* --- relaunch_cause.c --- */

/* The fault of a launch at size in that setting, of a kernel that was right before: tries
 * what made the difference, and has the fault say so. */
enum hone_status hone_relaunch_explain(const struct hone_relaunch_size *size,
                                       const struct hone_launch_setting *setting,
                                       struct hone_fault *fault, struct hone_error *err);

/* The fault of a launch at size in another order: if launches in the usual order, one
 * after another, go wrong as well then order has nothing to do with it, and that is the
 * fault. */
enum hone_status hone_relaunch_without_order(const struct hone_relaunch_size *size,
                                             struct hone_fault *fault,
                                             struct hone_error *err);

#endif
