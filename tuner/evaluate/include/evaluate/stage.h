/* A kernel at the tuned size: launched on data that the host knows, as often as wanted,
 * its outputs brought back. Red zones, inputs and whether one launch gives what the next
 * one does are looked at; what the outputs should be is the caller's matter. */
#ifndef HONE_EVALUATE_STAGE_H
#define HONE_EVALUATE_STAGE_H

#include "evaluate/buffers.h"
#include "evaluate/module.h"

/* What a kernel computed: for each buffer its bytes, NULL of what is no output. */
struct hone_outputs {
    unsigned char **data;
    size_t count;
    bool wide; /* of a reference in double precision: floating types are doubles */
};

void hone_outputs_fini(struct hone_outputs *outputs); /* {0} is fine */

struct hone_stage {
    struct hone_buffers buffers;
    unsigned char *scratch; /* as large as the largest block */
    size_t scratch_bytes;
    uint64_t launched; /* in the run at hand */
    bool fixed;        /* its outputs hold addresses: buffers stay in place */
};

/* Buffers of job, filled by seed. ELIMIT where device or host have no room for them. */
enum hone_status hone_stage_open(struct hone_stage *stage, struct hone_device *device,
                                 const struct hone_job *job, uint64_t seed,
                                 struct hone_error *err);
void hone_stage_close(struct hone_stage *stage); /* {0} is fine */

struct hone_stage_launches {
    size_t count;
    double deadline_s; /* of each; 0: the device's default */
};

/* Launch the kernel as its job says, outputs poisoned before each launch, buffers
 * elsewhere each time. What is wrong is the fault; else *out, which the caller releases,
 * holds what the first launch computed. ELIMIT where the buffers of the job find no
 * room. */
enum hone_status hone_stage_run(struct hone_stage *stage,
                                const struct hone_loaded *kernel,
                                const struct hone_stage_launches *launches,
                                struct hone_outputs *out, struct hone_fault *fault,
                                struct hone_error *err);

/* Do outputs agree with expected, within the tolerance of job? Else fault says where not,
 * whose ("reference", static) being the name of what is expected. */
bool hone_stage_agree(struct hone_stage *stage, const struct hone_job *job,
                      const struct hone_outputs *outputs,
                      const struct hone_outputs *expected, const char *whose,
                      struct hone_fault *fault);

/* Was every element of every output written? Else fault says which one was not. */
bool hone_stage_written(struct hone_stage *stage, const struct hone_outputs *outputs,
                        struct hone_fault *fault);

#endif
