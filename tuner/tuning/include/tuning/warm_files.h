/* The journals of a warm start, and where a search starts because of them. */
#ifndef HONE_TUNING_WARM_FILES_H
#define HONE_TUNING_WARM_FILES_H

#include "tuning/parts.h"
#include "warm/warm.h"

struct hone_warm_files {
    const struct hone_recording **recordings; /* of every problem, borrowed from files */
    size_t count;
    struct hone_recordings files;
};

/* Read the journals of these paths. Must be released on failure too. */
enum hone_status hone_warm_files_load(struct hone_warm_files *warm,
                                      const char *const *paths, size_t count,
                                      struct hone_error *err);
void hone_warm_files_fini(struct hone_warm_files *warm);

/* Start configurations for a search of space: *start is first, then what warm proposes,
 * a share of budget; freed by the caller. first NULL: none. */
enum hone_status hone_warm_files_start(uint64_t **start, size_t *count,
                                       const struct hone_warm *warm,
                                       const uint64_t *first, uint64_t budget,
                                       struct hone_error *err);

#endif
