/* The instructions of the machine of a trial's configuration, which is built once more by
 * its script: journals keep no images. */
#ifndef HONE_TUNING_MACHINE_CODE_H
#define HONE_TUNING_MACHINE_CODE_H

#include "build/sass.h"
#include "hone/tuning.h"

/* script of tuning: of the recording's kernel; NULL: the installed one. Sizes are the
 * recording's. EUSAGE without a script or where its space lacks the configuration, and
 * for a device of which no architecture is known; EDEVICE where it does not build; else
 * as hone_sass_of. A template that is not the recording's is a warning. */
enum hone_status hone_machine_code(struct hone_sass *out,
                                   const struct hone_recording *recording,
                                   const struct hone_trial *trial,
                                   const struct hone_tuning_options *tuning,
                                   struct hone_error *err);

#endif
