/* Journals that are kept with the sources of a kernel, as far as they are still true. */
#ifndef HONE_TUNING_KEPT_RESULTS_H
#define HONE_TUNING_KEPT_RESULTS_H

#include "hone/record.h"
#include "hone/strbuf.h"
#include "tuning/workbench.h"

/* What they are held against; borrowed. */
struct hone_kept_options {
    const char *script;                               /* the kernel's, as it is now */
    const struct hone_script_options *script_options; /* its limits are each journal's */
    bool accept_predicted;                            /* predictions count, too */
};

/* Begins as {.refused = HONE_STRBUF_INIT}. */
struct hone_kept_results {
    struct hone_recording **items; /* that are true */
    size_t count;
    struct hone_strbuf refused; /* a line for each journal that is not: why */
    size_t refused_count;
};

/* Add the journals (*.jsonl) of a folder and of those in it, in the order of their names,
 * and one file, each where it is there; those of other kernels in folders in it are
 * passed over, whatever recorded them; folder and file may be NULL. A journal counts that
 * was made by this minor version of hone, of a kernel of the same name, template and
 * space. Predictions count where nothing was measured. What is no journal is refused in
 * folders in it; EINPUT for one elsewhere, and for whatever is wrong with the script. */
enum hone_status hone_kept_results_add(struct hone_kept_results *results,
                                       const struct hone_kept_options *options,
                                       const char *folder, const char *file,
                                       struct hone_error *err);
/* Log a warning for each that was refused. */
void hone_kept_results_warn(const struct hone_kept_results *results);
void hone_kept_results_fini(struct hone_kept_results *results);

/* Is one of the journals of the device with these limits, and of the script's problem (of
 * any, where many is set or the script has several)? */
enum hone_status hone_kept_results_cover(bool *covered,
                                         const struct hone_kept_results *results,
                                         const struct hone_kept_options *options,
                                         const struct hone_limits *limits, bool many,
                                         struct hone_error *err);

#endif
