/* What looks unintended in a script: constraints and values that do nothing, parameters
 * that change nothing. */
#ifndef HONE_TUNING_SCRIPT_LINT_H
#define HONE_TUNING_SCRIPT_LINT_H

#include "evaluate/param_effect.h"
#include "hone/space.h"
#include "tuning/workbench.h"

struct hone_script_lint {
    struct hone_lint *findings;
    size_t count;
    struct hone_param_effect
        *effects; /* by parameter; NULL for a script without a kernel */
};

/* Judge the script of an open bench. Makes its kernel, and its builder where NVRTC is
 * there: elsewhere parameters are judged by sources, and a warning says so. Release it
 * also after a failure. */
enum hone_status hone_script_lint(struct hone_script_lint *out,
                                  struct hone_workbench *bench, struct hone_error *err);
void hone_script_lint_fini(struct hone_script_lint *lint);

/* Findings, and parameters of the script's space that change nothing. */
size_t hone_script_lint_count(const struct hone_script_lint *lint,
                              const struct hone_space *space);

/* The parameter changed nothing in the pairs that were compared. */
bool hone_changes_nothing(const struct hone_param_effect *effect);

#endif
