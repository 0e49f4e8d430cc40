// hone tune --calibrate: predictions corrected by the journal of a run on the GPU itself.
#include <string.h>

#include "base/log.h"
#include "tune.h"

// The recorded value of a problem size that this run has too; false when it differs.
static bool same_size(const struct hone_record_info *info,
                      const struct hone_constant *recorded)
{
    for (size_t i = 0; i < info->problem_count; i++) {
        char ours[64], theirs[64];
        if (strcmp(info->problem[i].name, recorded->name) != 0) continue;
        hone_value_print(ours, sizeof ours, info->problem[i].value);
        hone_value_print(theirs, sizeof theirs, recorded->value);
        return strcmp(ours, theirs) == 0;
    }
    return true;
}

// Times of another kernel or problem say nothing about this one.
static enum hone_status check_same(const struct tune *tune,
                                   const struct hone_recording *measured,
                                   struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(measured);
    const char *path = hone_recording_path(measured);
    if (strcmp(info->kernel, tune->info.kernel) != 0)
        return hone_fail(err, HONE_EINPUT, "'%s' is of kernel '%s', not of '%s'", path,
                         info->kernel, tune->info.kernel);
    for (size_t i = 0; i < info->problem_count; i++)
        if (!same_size(&tune->info, &info->problem[i]))
            return hone_fail(err, HONE_EINPUT, "'%s' was measured at another %s", path,
                             info->problem[i].name);
    if (info->device_name && strcmp(info->device_name, tune->info.device_name) != 0)
        hone_log(HONE_LOG_WARNING, "%s was measured on %s, predictions are for %s", path,
                 info->device_name, tune->info.device_name);
    return HONE_OK;
}

enum hone_status tune_calibrate(struct tune *tune, struct hone_error *err)
{
    const char *path = tune->args->calibrate;
    struct hone_recording *measured = NULL;
    struct hone_evaluator *calibrated = NULL;
    size_t points = 0;
    if (!tune->predicts)
        return hone_fail(err, HONE_EUSAGE, "%s measures: there is nothing to --calibrate",
                         tune->info.device_id);
    enum hone_status status = hone_recording_load(&measured, path, err);
    if (status == HONE_OK) status = check_same(tune, measured, err);
    if (status == HONE_OK)
        status = hone_evaluator_calibrated(&calibrated, tune->evaluator, tune->space,
                                           measured, &points, err);
    hone_recording_free(measured);
    if (status != HONE_OK) return status;
    tune->evaluator = calibrated;
    tune->info.driver = hone_arena_printf(&tune->arena, "%s, calibrated with %zu points",
                                          tune->info.driver, points);
    return tune->info.driver ? HONE_OK : hone_fail(err, HONE_ENOMEM, "out of memory");
}
