/* hone header, between its files: header_build.c runs it, header_results.c finds the
 * journals that are still true, header_tune.c tunes within a time. */
#ifndef HONE_CLI_HEADER_BUILD_H
#define HONE_CLI_HEADER_BUILD_H

#include "base/strbuf.h"
#include "header_command.h"
#include "hone/record.h"

struct build_args {
    struct cli_words words;
    struct cli_script_args script;
    struct cli_header_args header;
    const char *output, *results, *journal, *depfile, *problems, *strategy;
    struct cli_budget budget; /* seconds */
    bool tune, require_tuned, json, quiet;
};

/* Journals of the script as it is now. */
struct build_results {
    struct hone_recording **items;
    size_t count;
    struct hone_strbuf refused; /* a line for each journal that is not: why */
    size_t refused_count;
};

/* Add the journals (*.jsonl) of a folder in the order of their names, and one file, each
 * where it is there; folder and file may be NULL. A journal counts that was made by this
 * minor version of hone, of a kernel of the same name, template and space. EINPUT for a
 * file that is no journal, and for whatever is wrong with the script. */
enum hone_status build_results_add(struct build_results *results,
                                   const struct build_args *args, const char *folder,
                                   const char *file, struct hone_error *err);
void build_results_fini(struct build_results *results);

/* One of the journals is of this device and of the problem of bench (of any, where many
 * is set). */
bool build_results_cover(const struct build_results *results,
                         const struct hone_workbench *bench, bool many);

/* Run hone tune in a process of its own until deadline (of hone_clock_seconds), then end
 * it: what it measured is in the journal. Its failure is a warning: there is something to
 * fall back to. */
void build_tune(const struct build_args *args, const char *device, const char *journal,
                double deadline);

#endif
