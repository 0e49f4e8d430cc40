/* From a job to a module on the device. */
#ifndef HONE_EVALUATE_MODULE_H
#define HONE_EVALUATE_MODULE_H

#include "hone/build.h"
#include "hone/device.h"
#include "hone/kernel.h"

/* Sums the bytes of all its arguments. */
double hone_job_bytes(const struct hone_job *job);

/* Queue the build of job for arch. */
enum hone_status hone_job_queue(const struct hone_job *job, struct hone_builder *builder,
                                const char *arch, uint64_t *ticket,
                                struct hone_error *err);

/* Load a build, whatever its outcome: one that failed is a fault, and so is a kernel that
 * does not take the job's arguments. EINPUT with the script's line where no configuration
 * would take them. */
enum hone_status hone_module_load(struct hone_device *device,
                                  const struct hone_build *build,
                                  const struct hone_job *job, struct hone_module **out,
                                  struct hone_fault *fault, struct hone_error *err);

#endif
