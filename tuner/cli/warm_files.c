#include "warm_files.h"

#include <stdlib.h>

#include "hone/record.h"
#include "log.h"

enum hone_status cli_warm_load(struct cli_warm *warm, const struct cli_list *files,
                               struct hone_error *err)
{
    *warm = (struct cli_warm){
        .recordings = calloc(files->count + 1, sizeof(struct hone_recording *))};
    if (!warm->recordings) return hone_fail(err, HONE_ENOMEM, "out of memory");
    for (size_t i = 0; i < files->count; i++) {
        struct hone_recording **recording = &warm->recordings[i];
        enum hone_status status = hone_recording_load(recording, files->items[i], err);
        if (status != HONE_OK) return status;
        warm->count++;
        if (*hone_recording_notice(*recording))
            hone_log(HONE_LOG_WARNING, "%s: %s", files->items[i],
                     hone_recording_notice(*recording));
    }
    return HONE_OK;
}

void cli_warm_fini(struct cli_warm *warm)
{
    for (size_t i = 0; i < warm->count; i++)
        hone_recording_free(warm->recordings[i]);
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
