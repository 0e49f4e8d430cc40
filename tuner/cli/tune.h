/* hone tune in parts: its options, its steps, its summary. What tuning is stands in
 * hone/tuning.h. */
#ifndef HONE_CLI_TUNE_H
#define HONE_CLI_TUNE_H

#include <stdio.h>

#include "args/common_kinds.h"
#include "args/header_args.h"
#include "hone/tuning.h"
#include "written_header.h"

/* Whether a timed launch finds its data in L2. */
enum tune_l2 { TUNE_L2_COLD, TUNE_L2_WARM };

struct tune_args {
    struct hone_words words;
    struct hone_script_args script;
    struct hone_header_args header;
    struct hone_build_args build;
    /* What options give as the library takes it; tune_options_make adds the rest. */
    struct hone_tuning_options tuning;
    struct hone_budget_args budget;
    struct hone_texts warm, workers;
    enum tune_l2 l2;
    const char *output;
    uint64_t repeat; /* tunings */
    bool json, quiet;
};

/* The options of the library, and what they borrow besides the arguments. */
struct tune_options {
    struct hone_tuning_options options;
    struct hone_script_input script;
};

/* EUSAGE for arguments that do not go together. Release it after a failure too. */
enum hone_status tune_options_make(struct tune_options *out, const struct tune_args *args,
                                   struct hone_error *err);
void tune_options_fini(struct tune_options *options);

/* One tuning, with what its summary tells. */
struct tune {
    const struct tune_args *args;
    struct hone_tuning *tuning;
    struct hone_session_result result;
    struct hone_recording *recording; /* of what was found, once the run is over */
    FILE *file;      /* of the summary; NULL: where the header does not go */
    bool silent;     /* no summary: it is one of several tunings */
    bool has_header; /* it was written */
    struct cli_written_header written;
};

/* From the options to the summary. Close it after a failure too. */
enum hone_status tune_run(struct tune *tune, const struct hone_tuning_options *options,
                          struct hone_error *err);
void tune_close(struct tune *tune);

/* What was found, on stdout (on stderr when the header goes to stdout). */
void tune_print_text(const struct tune *tune);

/* The same of several problems. */
void tune_several_print(const struct tune *tune);

/* As many tunings as args->repeat, with seeds that count up, and how often each winner
 * won. Journals are numbered. Stops at the first that fails. */
enum hone_status tune_repeat(const struct tune_args *args,
                             const struct hone_tuning_options *options,
                             struct hone_error *err);

#endif
