#include "evaluate/module.h"

#include <stdio.h>

#include "arguments.h"

double hone_job_bytes(const struct hone_job *job)
{
    double bytes = 0;
    for (size_t i = 0; i < job->arg_count; i++)
        bytes += (double)job->args[i].count * (double)hone_dtype_size(job->args[i].dtype);
    return bytes;
}

enum hone_status hone_job_queue(const struct hone_job *job, struct hone_builder *builder,
                                const char *arch, uint64_t *ticket,
                                struct hone_error *err)
{
    const struct hone_build_request request = {
        .source = job->source,
        .source_name = job->source_name,
        .entry = job->entry,
        .arch = arch,
        .options = job->options,
        .option_count = job->option_count,
        .headers = job->headers,
        .header_count = job->header_count,
    };
    return hone_builder_submit(builder, &request, ticket, err);
}

enum hone_status hone_job_build(const struct hone_build **out, const struct hone_job *job,
                                struct hone_builder *builder, const char *arch,
                                struct hone_error *err)
{
    uint64_t ticket = 0;
    *out = NULL;
    enum hone_status status = hone_job_queue(job, builder, arch, &ticket, err);
    return status == HONE_OK ? hone_builder_take(builder, ticket, out, err) : status;
}

// A device says that there is no such kernel; the PTX, which there are.
static enum hone_status explain_load(const struct hone_build *build,
                                     const struct hone_job *job,
                                     const struct hone_error *why,
                                     struct hone_fault *fault, struct hone_error *err)
{
    struct hone_error missing = {0};
    if (hone_build_entry(build, job->entry, &missing) != HONE_ENOTFOUND)
        return hone_error_pass(err, why->code, why);
    if (why->code != HONE_OK)
        return hone_fail(err, why->code, "'%s' has %.350s", job->source_name,
                         missing.text);
    snprintf(fault->reason, sizeof fault->reason, "'%s' has %.350s", job->source_name,
             missing.text);
    return HONE_OK;
}

// What every configuration has ends the run, with the script's line.
static enum hone_status refuse_arguments(const struct hone_job *job,
                                         const struct hone_misfit *misfit,
                                         struct hone_fault *fault, struct hone_error *err)
{
    if (misfit->fixed && job->script)
        return hone_fail_at(err, HONE_EINPUT, job->script, misfit->line, "%s",
                            misfit->text);
    fault->outcome = HONE_LAUNCH_FAILED;
    snprintf(fault->reason, sizeof fault->reason, "%s", misfit->text);
    return HONE_OK;
}

enum hone_status hone_module_load(struct hone_loaded *kernel, struct hone_device *device,
                                  struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_job *job = kernel->job;
    const struct hone_build *build = kernel->build;
    kernel->module = NULL;
    *fault = (struct hone_fault){.outcome = build->outcome};
    if (build->outcome != HONE_VALID) {
        snprintf(fault->reason, sizeof fault->reason, "%s", build->reason);
        return HONE_OK;
    }
    struct hone_misfit misfit;
    if (!hone_arguments_fit(build, job, &misfit))
        return refuse_arguments(job, &misfit, fault, err);
    struct hone_error why = {0};
    why.code = device->fns->load(device, build, job->entry, &kernel->module, fault, &why);
    if (why.code == HONE_OK && fault->outcome == HONE_VALID) return HONE_OK;
    return explain_load(build, job, &why, fault, err);
}

void hone_module_unload(struct hone_loaded *kernel, struct hone_device *device)
{
    if (kernel->module) device->fns->unload(device, kernel->module);
    kernel->module = NULL;
}
