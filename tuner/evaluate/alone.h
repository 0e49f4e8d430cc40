/* A kernel without a reference, run by itself at the sizes that it would be verified at:
 * under all that the device looks for, with red zones and poison, and against its own
 * first result. What it should compute nobody knows. */
#ifndef HONE_EVALUATE_ALONE_H
#define HONE_EVALUATE_ALONE_H

#include "evaluate/runner.h"

/* As hone_runner_verify, where the plan has sizes to run at alone. A tuned problem that
 * is too large for that is rejected where nothing is timed, else passed over. */
enum hone_status hone_runner_run_alone(struct hone_runner *runner,
                                       const struct hone_candidate *candidate,
                                       struct hone_launch_report *report,
                                       struct hone_fault *fault, struct hone_error *err);

#endif
