// hone bench --warm: each space is begun with what the recordings of the same kernel on
// other devices propose, so a run never sees its own device beforehand.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "bench.h"

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

enum hone_status bench_warm_start(const struct bench *bench, struct bench_space *space,
                                  const struct hone_recording *target, uint64_t budget,
                                  struct hone_error *err)
{
    if (!bench->warm.count) return HONE_OK;
    const struct hone_recording **others = calloc(bench->warm.count, sizeof *others);
    if (!others) return hone_fail(err, HONE_ENOMEM, "out of memory");
    struct hone_warm warm = {.space = hone_recording_space(target),
                             .info = hone_recording_info(target),
                             .recordings = others};
    for (size_t i = 0; i < bench->warm.count; i++)
        if (same_kernel(bench->warm.recordings[i], target) &&
            !same_device(bench->warm.recordings[i], target))
            others[warm.recording_count++] = bench->warm.recordings[i];
    if (!warm.recording_count && !space->apart)
        space->apart = "no --warm recording of this kernel on another device";
    enum hone_status status = hone_warm_files_start(&space->start, &space->start_count,
                                                    &warm, NULL, budget, err);
    if (status == HONE_OK && warm.recording_count)
        status = hone_warm_expect(&space->expectation, &warm, err);
    free(others);
    return status;
}
