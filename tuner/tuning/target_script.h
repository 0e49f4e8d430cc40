/* The target of a script. */
#ifndef HONE_TUNING_TARGET_SCRIPT_H
#define HONE_TUNING_TARGET_SCRIPT_H

#include "tuning/target.h"

/* Measured by this process or by workers, as options->isolate says. */
enum hone_status hone_target_open_script(struct hone_target *target,
                                         const struct hone_tuning_options *options,
                                         const struct hone_value *sizes,
                                         struct hone_error *err);

/* The script and what it defines, without a space, for the limits of device. */
enum hone_status hone_target_load_script(struct hone_workbench *bench,
                                         const struct hone_tuning_options *options,
                                         const char *device, struct hone_error *err);

/* Put the correction by the journal options->calibrate before the evaluator. */
enum hone_status hone_target_calibrate(struct hone_target *target,
                                       const struct hone_tuning_options *options,
                                       struct hone_error *err);

#endif
