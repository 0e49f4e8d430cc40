/* What looks unintended in a script, for hone space. */
#ifndef HONE_CLI_SPACE_LINT_H
#define HONE_CLI_SPACE_LINT_H

#include "script_args.h"

struct json_t;

/* Both make the kernel of an open bench, and its builder where NVRTC is there. */
enum hone_status cli_lint_print(struct hone_workbench *bench, struct hone_error *err);
enum hone_status cli_lint_json(struct json_t *root, struct hone_workbench *bench,
                               struct hone_error *err);

#endif
