#include "tuning/warm_files.h"

#include <stdlib.h>

enum hone_status hone_warm_files_load(struct hone_warm_files *warm,
                                      const char *const *paths, size_t count,
                                      struct hone_error *err)
{
    size_t parts = 0; // the problems of all of them
    *warm = (struct hone_warm_files){0};
    enum hone_status status = hone_recordings_load(&warm->files, paths, count, err);
    if (status != HONE_OK) return status;
    for (size_t i = 0; i < count; i++)
        parts += hone_recording_problem_count(warm->files.items[i]);
    warm->recordings = calloc(parts + 1, sizeof *warm->recordings);
    if (!warm->recordings) return hone_no_memory(err, "for recordings");
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < hone_recording_problem_count(warm->files.items[i]); p++)
            warm->recordings[warm->count++] =
                hone_recording_problem(warm->files.items[i], p);
    return HONE_OK;
}

void hone_warm_files_fini(struct hone_warm_files *warm)
{
    hone_recordings_fini(&warm->files);
    free(warm->recordings);
    *warm = (struct hone_warm_files){0};
}

enum hone_status hone_warm_files_start(uint64_t **start, size_t *count,
                                       const struct hone_warm *warm,
                                       const uint64_t *first, uint64_t budget,
                                       struct hone_error *err)
{
    const size_t limit = hone_warm_limit(budget);
    size_t found = 0;
    *count = 0;
    *start = calloc(limit + 1, sizeof **start);
    if (!*start) return hone_no_memory(err, "for configurations to start with");
    if (first) (*start)[(*count)++] = *first;
    // The engine drops what stands twice: the default may be among them.
    enum hone_status status =
        warm->recording_count ? hone_warm_start(*start + *count, &found, limit, warm, err)
                              : HONE_OK;
    *count += found;
    return status;
}
