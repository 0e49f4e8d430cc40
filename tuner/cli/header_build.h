/* hone header, between its files: header_build.c runs it, header_tune.c tunes within a
 * time. */
#ifndef HONE_CLI_HEADER_BUILD_H
#define HONE_CLI_HEADER_BUILD_H

#include "header_command.h"

struct build_args {
    struct hone_words words;
    struct cli_script_args script;
    struct cli_header_args header;
    const char *output, *results, *journal, *depfile, *problems, *strategy;
    double budget; /* seconds */
    bool tune, require_tuned, json, quiet;
};

/* Tune until deadline (of hone_clock_seconds) at most: what was measured by then is in
 * the journal. Its failure is a warning: there is something to fall back to. ECANCELLED
 * when the user interrupts it. */
enum hone_status build_tune(const struct build_args *args, const char *device,
                            const char *journal, double deadline, struct hone_error *err);

#endif
