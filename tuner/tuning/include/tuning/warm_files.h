/* Where a search starts because of the journals of others. */
#ifndef HONE_TUNING_WARM_FILES_H
#define HONE_TUNING_WARM_FILES_H

#include "warm/warm.h"

/* Start configurations for a search of space: *start is first, then what warm proposes,
 * a share of budget; freed by the caller. first NULL: none. */
enum hone_status hone_warm_files_start(uint64_t **start, size_t *count,
                                       const struct hone_warm *warm,
                                       const uint64_t *first, uint64_t budget,
                                       struct hone_error *err);

#endif
