#include "warm_files.h"

#include <stdlib.h>

#include "parts.h"

enum hone_status cli_warm_load(struct cli_warm *warm, const struct cli_list *files,
                               struct hone_error *err)
{
    size_t parts = 0;
    *warm = (struct cli_warm){0};
    warm->files = calloc(files->count + 1, sizeof *warm->files);
    if (!warm->files) return hone_fail(err, HONE_ENOMEM, "out of memory");
    for (size_t i = 0; i < files->count; i++) {
        enum hone_status status =
            cli_recording_load(&warm->files[i], files->items[i], err);
        if (status != HONE_OK) return status;
        warm->file_count++;
        parts += hone_recording_problem_count(warm->files[i]);
    }
    warm->recordings = calloc(parts + 1, sizeof *warm->recordings);
    if (!warm->recordings) return hone_fail(err, HONE_ENOMEM, "out of memory");
    for (size_t i = 0; i < warm->file_count; i++)
        for (size_t p = 0; p < hone_recording_problem_count(warm->files[i]); p++)
            warm->recordings[warm->count++] = hone_recording_problem(warm->files[i], p);
    return HONE_OK;
}

void cli_warm_fini(struct cli_warm *warm)
{
    for (size_t i = 0; i < warm->file_count; i++)
        hone_recording_free(warm->files[i]);
    free(warm->files);
    free(warm->recordings);
    *warm = (struct cli_warm){0};
}

enum hone_status cli_warm_start(uint64_t **start, size_t *count,
                                const struct hone_warm *warm, const uint64_t *first,
                                uint64_t budget, struct hone_error *err)
{
    const size_t limit = hone_warm_limit(budget);
    size_t found = 0;
    *count = 0;
    *start = calloc(limit + 1, sizeof **start);
    if (!*start) return hone_fail(err, HONE_ENOMEM, "out of memory");
    if (first) (*start)[(*count)++] = *first;
    // The engine drops what stands twice: the default may be among them.
    enum hone_status status =
        warm->recording_count ? hone_warm_start(*start + *count, &found, limit, warm, err)
                              : HONE_OK;
    *count += found;
    return status;
}
