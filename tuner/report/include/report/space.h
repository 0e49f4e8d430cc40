/* What a script's space holds, and what looks unintended in it, as JSON. */
#ifndef HONE_REPORT_SPACE_H
#define HONE_REPORT_SPACE_H

#include "tuning/script_lint.h"
#include "tuning/workbench.h"

struct json_t;

/* sample: indices of configurations to show. */
struct json_t *hone_space_json(const struct hone_workbench *bench, const uint64_t *sample,
                               size_t count);

/* An array. */
struct json_t *hone_script_lint_json(const struct hone_script_lint *lint,
                                     const struct hone_space *space);

#endif
