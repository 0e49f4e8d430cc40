/* A device set up for one plan: reference results computed, buffers made. Takes resolved
 * candidates through every stage, in whatever process it stands. */
#ifndef HONE_EVALUATE_RUNNER_H
#define HONE_EVALUATE_RUNNER_H

#include "evaluate/hold.h"
#include "evaluate/memo.h"
#include "evaluate/plan.h"
#include "evaluate/rival.h"
#include "evaluate/tuned.h"
#include "evaluate/verify.h"

struct hone_timed_job; /* timed.h */

struct hone_runner {
    struct hone_device *device; /* all three borrowed */
    struct hone_builder *builder;
    const struct hone_plan *plan;
    struct hone_verifier *verifiers; /* one a reference */
    size_t verifier_count;
    struct hone_buffers timing; /* for the tuned problem, made when first needed */
    struct hone_filler filler;  /* of these */
    struct hone_tuned tuned;    /* the reference there, run when it is asked for */
    struct hone_memo memo;
    struct hone_rival rival;    /* the best that was measured here */
    struct hone_hold hold;      /* of the default, which is measured again and again */
    bool told_unset;            /* variables that are read unwritten were warned of */
    double deadline_s;          /* of one launch; 0: the device's default */
    char lost[HONE_REASON_MAX]; /* why the device is of no more use; "" while it is */
};

/* Runs the references: EDEVICE or EINPUT when one of them fails. */
enum hone_status hone_runner_init(struct hone_runner *runner, struct hone_device *device,
                                  struct hone_builder *builder,
                                  const struct hone_plan *plan, struct hone_error *err);
void hone_runner_fini(struct hone_runner *runner); /* {0} is fine */

/* Keep the builds of a queued candidate at hand, in place of those kept so far: a later
 * one of the same jobs does not wait behind what is queued. */
enum hone_status hone_runner_hold(struct hone_runner *runner,
                                  const struct hone_candidate *candidate,
                                  struct hone_error *err);

/* Wait for the candidate's builds; the first one's are held. *launches: it has to be
 * launched; else its trial is finished (it did not build, is over a limit, or equals one
 * that was measured). */
enum hone_status hone_runner_take(struct hone_runner *runner,
                                  struct hone_candidate *candidate, bool *launches,
                                  struct hone_error *err);

/* Verify and time a candidate that has to be launched; its trial is finished then. */
enum hone_status hone_runner_measure(struct hone_runner *runner,
                                     struct hone_candidate *candidate,
                                     struct hone_error *err);

/* Buffers to time a loaded kernel with: those verified on where the tuned problem is
 * verified, or own ones, made anew when sizes change. They stay the runner's. ELIMIT when
 * there is no room. */
enum hone_status hone_runner_buffers(struct hone_runner *runner,
                                     const struct hone_loaded *kernel,
                                     struct hone_buffers **out, struct hone_error *err);

/* Load a variant to be timed, its symbols in place. The module is to be unloaded, also on
 * a fault. A module that cannot be loaded and buffers without room are faults. */
enum hone_status hone_runner_load(struct hone_runner *runner,
                                  const struct hone_variant *variant,
                                  struct hone_timed_job *at, struct hone_fault *fault,
                                  struct hone_error *err);

/* Sets the deadline of each launch from now on, in seconds. */
void hone_runner_set_deadline(struct hone_runner *runner, double deadline_s);

/* Compare candidate's results with the references, as before it was timed. report is
 * zeroed by the caller. */
enum hone_status hone_runner_verify(struct hone_runner *runner,
                                    const struct hone_candidate *candidate,
                                    struct hone_launch_report *report,
                                    struct hone_fault *fault, struct hone_error *err);

/* What a fault says, as a trial keeps it. */
struct hone_found hone_runner_found(const struct hone_fault *fault);

/* Where the fault took the device with it: from now on that is lost. */
void hone_runner_note_loss(struct hone_runner *runner, const struct hone_fault *fault);

/* EDEVICE with the reason when the device is lost. */
enum hone_status hone_runner_check_alive(const struct hone_runner *runner,
                                         struct hone_error *err);

#endif
