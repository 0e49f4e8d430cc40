#include "tuning/build_tuning.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "hone/device.h"
#include "record/journal_file.h"

// The device to tune on; NULL where there is none, which is no failure.
static enum hone_status find_device(const char **device, struct hone_limits *limits,
                                    const char *wanted, struct hone_error *err)
{
    struct hone_error why = {0};
    *device = strcmp(wanted, "auto") == 0 ? "cuda:0" : wanted;
    enum hone_status status = hone_device_limits(limits, *device, &why);
    if (status == HONE_OK) return HONE_OK;
    if (status != HONE_ENODEVICE) return hone_error_pass(err, status, &why);
    hone_log(HONE_LOG_WARNING, "not tuned: %s", why.text);
    *device = NULL;
    return HONE_OK;
}

static enum hone_status tune_on(const struct hone_build_tuning *build, const char *device,
                                double deadline, struct hone_error *err)
{
    struct hone_error why = {0};
    const enum hone_status status = build->tune(build->context, device, deadline, &why);
    if (status != HONE_OK && status != HONE_ECANCELLED)
        hone_log(HONE_LOG_WARNING, "tuning failed: %s", hone_error_line(&why).text);
    return *build->cancel ? hone_fail(err, HONE_ECANCELLED, "interrupted") : HONE_OK;
}

enum hone_status hone_build_tuning_run(struct hone_kept_results *results,
                                       const struct hone_build_tuning *build,
                                       struct hone_error *err)
{
    struct hone_limits limits;
    const char *device;
    bool covered = false;
    const double deadline = hone_clock_seconds() + build->seconds;
    enum hone_status status = find_device(&device, &limits, build->device, err);
    if (status != HONE_OK || (!device && !build->required)) return status;
    if (!device) return hone_fail(err, HONE_ENODEVICE, "no GPU to tune on");
    status = hone_kept_results_cover(&covered, results, build->kept, &limits, build->many,
                                     err);
    if (status != HONE_OK || covered) return status;
    status = hone_journal_file_remove(build->journal, err);
    if (status == HONE_OK) status = tune_on(build, device, deadline, err);
    if (status == HONE_OK)
        status = hone_kept_results_add(results, build->kept, NULL, build->journal, err);
    if (status == HONE_OK)
        status = hone_kept_results_cover(&covered, results, build->kept, &limits,
                                         build->many, err);
    if (status == HONE_OK && !covered && build->required)
        status = hone_fail(err, HONE_EDEVICE, "tuning on %s found no valid configuration",
                           device);
    return status;
}
