// Predictions corrected by the journal of a run on the GPU itself.
#include <string.h>

#include "base/log.h"
#include "expr/value_text.h"
#include "target_script.h"

// The recorded value of a problem size that this run has too; false when it differs.
static bool same_size(const struct hone_record_info *info,
                      const struct hone_constant *recorded)
{
    for (size_t i = 0; i < info->problem_count; i++) {
        char ours[HONE_NUMBER_TEXT], theirs[HONE_NUMBER_TEXT];
        if (strcmp(info->problem[i].name, recorded->name) != 0) continue;
        return strcmp(hone_value_in_full(ours, info->problem[i].value),
                      hone_value_in_full(theirs, recorded->value)) == 0;
    }
    return true;
}

// Times of another kernel or problem say nothing about this one.
static enum hone_status check_same(const struct hone_target *target,
                                   const struct hone_recording *measured,
                                   struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(measured);
    const char *path = hone_recording_path(measured);
    if (strcmp(info->kernel, target->info.kernel) != 0)
        return hone_fail(err, HONE_EINPUT, "'%s' is of kernel '%s', not of '%s'", path,
                         info->kernel, target->info.kernel);
    for (size_t i = 0; i < info->problem_count; i++)
        if (!same_size(&target->info, &info->problem[i]))
            return hone_fail(err, HONE_EINPUT, "'%s' was measured at another %s", path,
                             info->problem[i].name);
    if (info->device_name && strcmp(info->device_name, target->info.device_name) != 0)
        hone_log(HONE_LOG_WARNING, "%s was measured on %s, predictions are for %s", path,
                 info->device_name, target->info.device_name);
    return HONE_OK;
}

enum hone_status hone_target_calibrate(struct hone_target *target,
                                       const struct hone_tuning_options *options,
                                       struct hone_error *err)
{
    struct hone_recording *measured = NULL;
    struct hone_evaluator *calibrated = NULL;
    size_t points = 0;
    if (!target->predicts)
        return hone_fail(err, HONE_EUSAGE, "%s measures: there is nothing to --calibrate",
                         target->info.device_id);
    enum hone_status status = hone_recording_load(&measured, options->calibrate, err);
    if (status == HONE_OK) status = check_same(target, measured, err);
    if (status == HONE_OK)
        status = hone_evaluator_calibrated(&calibrated, target->evaluator, target->space,
                                           measured, &points, err);
    hone_recording_free(measured);
    if (status != HONE_OK) return status;
    target->evaluator = calibrated;
    target->info.driver = hone_arena_printf(
        &target->arena, "%s, calibrated with %zu points", target->info.driver, points);
    return target->info.driver ? HONE_OK
                               : hone_no_memory(err, "for the name of the driver");
}
