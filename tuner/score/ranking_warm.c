// Each space is begun with what the recordings of the same kernel on other devices
// propose, so a run never sees its own device beforehand.
#include "ranking_warm.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "warm/warm.h"

static bool has_param(const struct hone_space *space, const char *name)
{
    for (size_t i = 0; i < hone_space_param_count(space); i++)
        if (strcmp(hone_space_param(space, i)->name, name) == 0) return true;
    return false;
}

static bool same_kernel(const struct hone_recording *a, const struct hone_recording *b)
{
    const struct hone_space *x = hone_recording_space(a), *y = hone_recording_space(b);
    const char *name = hone_recording_info(a)->kernel;
    if (strcmp(name, hone_recording_info(b)->kernel) != 0) return false;
    if (hone_space_param_count(x) != hone_space_param_count(y)) return false;
    for (size_t i = 0; i < hone_space_param_count(x); i++)
        if (!has_param(y, hone_space_param(x, i)->name)) return false;
    return true;
}

// The same file counts as the same device: not every recording names its own.
static bool same_device(const struct hone_recording *a, const struct hone_recording *b)
{
    const char *x = hone_recording_info(a)->device_name,
               *y = hone_recording_info(b)->device_name;
    if (x && y && *x && strcmp(x, y) == 0) return true;
    char *p = hone_path_real(hone_recording_path(a)),
         *q = hone_path_real(hone_recording_path(b));
    const bool same = p && q && strcmp(p, q) == 0;
    free(p);
    free(q);
    return same;
}

// The start and the expectation that warm lets a space have.
static enum hone_status begin_with(struct hone_ranking_space *space,
                                   const struct hone_warm *warm, uint64_t budget,
                                   struct hone_error *err)
{
    const size_t limit = hone_warm_limit(budget);
    space->start = calloc(limit + 1, sizeof *space->start);
    if (!space->start) return hone_no_memory(err, "to rank strategies");
    enum hone_status status =
        hone_warm_start(space->start, &space->start_count, limit, warm, err);
    return status == HONE_OK ? hone_warm_expect(&space->expectation, warm, err) : status;
}

enum hone_status hone_ranking_warm(struct hone_ranking_space *space,
                                   const struct hone_ranking_plan *plan,
                                   const struct hone_recording *target, uint64_t budget,
                                   struct hone_error *err)
{
    if (!plan->warm_count) return HONE_OK;
    const struct hone_recording **others = calloc(plan->warm_count, sizeof *others);
    if (!others) return hone_no_memory(err, "to rank strategies");
    struct hone_warm warm = {.space = hone_recording_space(target),
                             .info = hone_recording_info(target),
                             .recordings = others};
    for (size_t i = 0; i < plan->warm_count; i++)
        if (same_kernel(plan->warm[i], target) && !same_device(plan->warm[i], target))
            others[warm.recording_count++] = plan->warm[i];
    if (!warm.recording_count && !space->apart)
        space->apart = "no --warm recording of this kernel on another device";
    enum hone_status status =
        warm.recording_count ? begin_with(space, &warm, budget, err) : HONE_OK;
    free(others);
    return status;
}
