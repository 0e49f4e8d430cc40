#include "tuning/warm_files.h"

#include <stdlib.h>

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
