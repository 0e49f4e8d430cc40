#include "tuning/machine_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "evaluate/module.h"
#include "insight/machine.h"
#include "tuning/installed_kernels.h"
#include "tuning/script_sets.h"
#include "tuning/workbench.h"

static enum hone_status open_bench(struct hone_workbench *bench, const char *script,
                                   const struct hone_record_info *info,
                                   const struct hone_limits *limits,
                                   const struct hone_tuning_options *tuning,
                                   struct hone_error *err)
{
    struct hone_script_set *sets = NULL;
    enum hone_status status = hone_problem_sets(&sets, info, err);
    const struct hone_script_options options = {
        .limits = limits,
        .set = sets,
        .set_count = info->problem_count,
        .max_instructions = tuning->max_instructions,
        .max_memory_bytes = tuning->max_memory_bytes,
        .allow_io = tuning->allow_io,
        .template_path = tuning->template_path,
        .template_path_count = tuning->template_path_count};
    if (status == HONE_OK) status = hone_workbench_open(bench, script, &options, err);
    if (status == HONE_OK) status = hone_workbench_make_kernel(bench, err);
    if (status == HONE_OK)
        status = hone_builder_new(&bench->builder, &tuning->builder, err);
    free(sets);
    if (status != HONE_OK) return status;
    const char *now = hone_kernel_template_hash(bench->kernel);
    if (!info->template_hash || !now || strcmp(now, info->template_hash) != 0)
        hone_log(HONE_LOG_WARNING,
                 "the template is not the journal's: instructions are of the one that "
                 "'%s' has",
                 script);
    return HONE_OK;
}

static enum hone_status find_configuration(uint64_t *index,
                                           const struct hone_recording *recording,
                                           const struct hone_trial *trial,
                                           const struct hone_space *space,
                                           struct hone_error *err)
{
    const size_t params = hone_space_param_count(space) +
                          hone_space_param_count(hone_recording_space(recording));
    uint16_t *scratch = calloc(params + 1, sizeof *scratch);
    if (!scratch) return hone_no_memory(err, "for a configuration");
    const bool found = hone_recording_index_in(recording, trial, space, scratch, index);
    free(scratch);
    return found ? HONE_OK
                 : hone_fail(err, HONE_EUSAGE,
                             "the script has no such configuration as '%s'",
                             hone_recording_path(recording));
}

static enum hone_status disassemble(struct hone_sass *out, struct hone_workbench *bench,
                                    uint64_t index, const char *arch,
                                    struct hone_error *err)
{
    struct hone_job job = {0};
    const struct hone_build *build = NULL;
    uint64_t ticket = 0;
    enum hone_status status = hone_kernel_job(&job, bench->kernel, index, NULL, err);
    if (status == HONE_OK)
        status = hone_job_queue(&job, bench->builder, arch, &ticket, err);
    if (status == HONE_OK)
        status = hone_builder_take(bench->builder, ticket, &build, err);
    if (status == HONE_OK && build->outcome != HONE_VALID)
        status = hone_fail(err, HONE_EDEVICE, "it does not build: %s", build->reason);
    if (status == HONE_OK)
        status = hone_sass_of(out, build, job.entry, hone_builder_library(bench->builder),
                              err);
    hone_build_release(build);
    hone_job_fini(&job);
    return status;
}

enum hone_status hone_machine_code(struct hone_sass *out,
                                   const struct hone_recording *recording,
                                   const struct hone_trial *trial,
                                   const struct hone_tuning_options *tuning,
                                   struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(recording);
    struct hone_workbench bench = {0};
    struct hone_installed_kernel install;
    struct hone_machine machine;
    uint64_t index = 0;
    if (!hone_machine_of(&machine, info))
        return hone_fail(err, HONE_EUSAGE,
                         "--sass: of '%s' no architecture is known to build for",
                         hone_device_text(info->device_name));
    const char *script = hone_kernel_script(&install, tuning->script, info->kernel);
    if (!script)
        return hone_fail(
            err, HONE_EUSAGE,
            "kernel '%s' is none that is installed: --script names its script",
            info->kernel);
    enum hone_status status =
        open_bench(&bench, script, info, &machine.limits, tuning, err);
    if (status == HONE_OK)
        status = find_configuration(&index, recording, trial, bench.space, err);
    if (status == HONE_OK)
        status = disassemble(out, &bench, index, machine.limits.arch, err);
    hone_workbench_close(&bench);
    return status;
}
