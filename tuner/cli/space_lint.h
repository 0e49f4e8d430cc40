/* What looks unintended in a script, for hone space. */
#ifndef HONE_CLI_SPACE_LINT_H
#define HONE_CLI_SPACE_LINT_H

#include "tuning/script_lint.h"

void cli_lint_print(const struct hone_script_lint *lint,
                    const struct hone_workbench *bench);

#endif
