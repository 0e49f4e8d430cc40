/* The journals of --warm, and where a search starts because of them. */
#ifndef HONE_CLI_WARM_FILES_H
#define HONE_CLI_WARM_FILES_H

#include "cli.h"
#include "warm/warm.h"

struct cli_warm {
    const struct hone_recording **recordings; /* of every problem, borrowed from files */
    size_t count;
    struct hone_recording **files;
    size_t file_count;
};

enum hone_status cli_warm_load(struct cli_warm *warm, const struct cli_list *files,
                               struct hone_error *err);
void cli_warm_fini(struct cli_warm *warm);

/* Start configurations for a search of space: *start is first, then what warm proposes,
 * a share of budget; freed by the caller. first NULL: none. */
enum hone_status cli_warm_start(uint64_t **start, size_t *count,
                                const struct hone_warm *warm, const uint64_t *first,
                                uint64_t budget, struct hone_error *err);

#endif
