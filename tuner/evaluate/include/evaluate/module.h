/* From a job to a module on the device. */
#ifndef HONE_EVALUATE_MODULE_H
#define HONE_EVALUATE_MODULE_H

#include "hone/build.h"
#include "hone/device.h"
#include "hone/kernel.h"

/* A job and what runs it on a device. Whoever loads the module unloads it; the rest is
 * borrowed. */
struct hone_loaded {
    const struct hone_job *job;
    const struct hone_build *build; /* of the job */
    bool is_reference;              /* it may leave out no symbol */
    struct hone_module *module;     /* of the build; NULL: it was not loaded */
};

/* Sums the bytes of all its arguments. */
double hone_job_bytes(const struct hone_job *job);

/* Queue the build of job for arch. */
enum hone_status hone_job_queue(const struct hone_job *job, struct hone_builder *builder,
                                const char *arch, uint64_t *ticket,
                                struct hone_error *err);

/* The same, and wait for it; the caller releases it. */
enum hone_status hone_job_build(const struct hone_build **out, const struct hone_job *job,
                                struct hone_builder *builder, const char *arch,
                                struct hone_error *err);

/* Load kernel's build, whatever its outcome: one that failed is a fault, and so is a
 * kernel that does not take the job's arguments. EINPUT with the script's line where no
 * configuration would take them. The module is to be unloaded also on a fault. */
enum hone_status hone_module_load(struct hone_loaded *kernel, struct hone_device *device,
                                  struct hone_fault *fault, struct hone_error *err);
/* Nothing happens where it was not loaded. */
void hone_module_unload(struct hone_loaded *kernel, struct hone_device *device);

#endif
