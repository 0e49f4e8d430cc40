/* hone tune in parts: its steps, its summary. What tuning is stands in
 * hone/tuning.h. */
#ifndef HONE_CLI_TUNE_H
#define HONE_CLI_TUNE_H

#include <stdio.h>

#include "args/tune_args.h"

/* One tuning, with what its summary tells. */
struct tune {
    const struct hone_tune_args *args;
    struct hone_tuning *tuning;
    struct hone_session_result result;
    struct hone_recording *recording; /* of what was found, once the run is over */
    FILE *file;      /* of the summary; NULL: where the header does not go */
    bool silent;     /* no summary: it is one of several tunings */
    bool has_header; /* it was written */
    struct hone_written_header written;
};

/* From the options to the summary. Close it after a failure too. */
enum hone_status tune_run(struct tune *tune, const struct hone_tuning_options *options,
                          struct hone_error *err);
void tune_close(struct tune *tune);

/* What was found, on stdout (on stderr when the header goes to stdout). */
void tune_print_text(const struct tune *tune);

/* The same of several problems. */
void tune_several_print(const struct tune *tune);

#endif
