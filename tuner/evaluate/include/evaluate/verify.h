/* Verification at one problem size: the reference kernel's result is computed once on the
 * same device; a kernel is right when its outputs agree with it within the tolerance,
 * every output element was written, no input changed and no red zone was touched. What is
 * compared and how: docs/verification.md. */
#ifndef HONE_EVALUATE_VERIFY_H
#define HONE_EVALUATE_VERIFY_H

#include "evaluate/buffers.h"
#include "evaluate/candidate.h"
#include "evaluate/images.h"

/* What a launch finds: {0} is what the first one does. */
struct hone_launch_setting {
    size_t set;        /* of data */
    uint64_t place;    /* seed of where the buffers lie; 0: where they were made */
    bool other_poison; /* that outputs hold */
    enum hone_leftovers leftovers;
    unsigned char byte; /* that workspaces hold, with HONE_LEFTOVERS_BYTE */
};

struct hone_verifier {
    struct hone_buffers buffers;
    struct hone_images images;
    unsigned char *scratch; /* as large as the largest block */
    size_t scratch_bytes;
    const char *where; /* borrowed: "M=33 N=17", for messages */
    double deadline_s;
    uint64_t seed;   /* of what an order draws */
    bool reverse;    /* kernels are also run with their warps in reverse order */
    bool apart;      /* and with lanes of a warp that run apart */
    bool again;      /* kernels are launched again here, with other data */
    bool fixed;      /* expected results hold addresses: buffers stay in place */
    bool plain;      /* what is launched is not looked at for races, in one order */
    double launch_s; /* what the last one in the usual order took, by the clock */
    const struct hone_waiver *waivers; /* borrowed: of the kernel, not of its reference */
    size_t waiver_count;
};

struct hone_verifier_params {
    struct hone_device *device;
    struct hone_builder *builder;
    uint64_t data_seed;
    double deadline_s;
    const struct hone_waiver *waivers; /* borrowed */
    size_t waiver_count;
    bool plain; /* the reference is launched without checks */
    bool again; /* kernels are launched again here: with other data, too */
    bool quiet; /* what there is to say of the reference was said */
};

/* Runs the reference; where (borrowed) says at which sizes. EINPUT when it does not build
 * or run or leaves elements unwritten. */
enum hone_status hone_verifier_init(struct hone_verifier *verifier,
                                    const struct hone_verifier_params *params,
                                    const struct hone_job *reference, const char *where,
                                    struct hone_error *err);
/* For a kernel without a reference: buffers of its job, and nothing that they should
 * hold. ELIMIT where there is no room for them. */
enum hone_status hone_verifier_init_alone(struct hone_verifier *verifier,
                                          const struct hone_verifier_params *params,
                                          const struct hone_job *job, const char *where,
                                          struct hone_error *err);

/* Launch it once, as hone_verifier_check does; what it computes, unless a fault tells
 * what is wrong with it, is what further launches are held to. */
enum hone_status hone_verifier_expect_own(struct hone_verifier *verifier,
                                          const struct hone_loaded *kernel,
                                          struct hone_launch_report *report,
                                          struct hone_fault *fault,
                                          struct hone_error *err);

void hone_verifier_fini(struct hone_verifier *verifier); /* {0} is fine */

/* Launch module as job says and compare; then again in the other orders that the device
 * can run it in. What is wrong with the kernel
 * is the fault; report (zeroed before the first call for a kernel) is added to. */
enum hone_status hone_verifier_check(struct hone_verifier *verifier,
                                     const struct hone_loaded *kernel,
                                     struct hone_launch_report *report,
                                     struct hone_fault *fault, struct hone_error *err);

/* Launch a kernel that was checked so once more, plainly, with module variables as they
 * are, and compare. setting->set has been made; the buffers stay in setting. */
enum hone_status hone_verifier_launch_in(struct hone_verifier *verifier,
                                         const struct hone_launch_setting *setting,
                                         const struct hone_loaded *kernel,
                                         struct hone_fault *fault,
                                         struct hone_error *err);

/* What further kernels find is again what the first launch did: to be called after
 * launches in other settings, whatever became of them. */
enum hone_status hone_verifier_go_back(struct hone_verifier *verifier,
                                       const struct hone_job *job,
                                       struct hone_error *err);

/* ", at M=33 N=17" behind the reason of a fault. */
void hone_verifier_say_where(const struct hone_verifier *verifier,
                             struct hone_fault *fault);

/* ---- between verify.c and its other files ---- */

/* One kernel at one size: what is launched, and where the findings go. */
struct hone_verify_at {
    struct hone_verifier *verifier;
    const struct hone_loaded *kernel;
    struct hone_launch_report *report; /* NULL: nobody wants one */
    struct hone_fault *fault;
    struct hone_error *err;
};

/* Launches it once, in an order, and checks every buffer: inputs first, since a broken
 * input explains a wrong output. watched: the launch is looked at for races. */
enum hone_status hone_verify_launch(const struct hone_verify_at *v, enum hone_order order,
                                    bool watched);
/* A kernel that was right in the usual order, in the others; the fault is VALID before,
 * and there is a report. */
enum hone_status hone_verify_orders(const struct hone_verify_at *v);

#endif
