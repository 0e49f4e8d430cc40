/* What is to be explained, with what has to run for it: a trial of a journal, or a
 * configuration of a script, which is run with its neighbours on the emulator. */
#ifndef HONE_TUNING_EXPLAIN_RUN_H
#define HONE_TUNING_EXPLAIN_RUN_H

#include "tuning/explaining.h"
#include "tuning/installed_kernels.h"

struct hone_explain_options {
    const char *path; /* a journal, or a script, which ends with .lua */
    /* Another configuration than a journal's best or a script's default: "BK=16". */
    const char *const *config;
    size_t config_count;
    /* A journal's kernel, which is run even where the journal has counts; NULL: the
     * installed one, where it has none. EUSAGE beside a script. */
    const char *script;
    size_t neighbours; /* of a script's configuration to run */
};

/* Begins with the options of what is run, whose set is also of the problem of a journal
 * that is meant. It must stay where it was opened. */
struct hone_explain_run {
    const struct hone_explain_options *options; /* since it was opened */
    struct hone_tuning_options tuning;
    struct hone_recording *whole;         /* a journal, or the runs of a script */
    const struct hone_recording *part;    /* of one problem */
    struct hone_recording *again;         /* trials of the journal on the emulator */
    const struct hone_trial *trial;       /* of part */
    struct hone_installed_kernel install; /* whose path tuning may borrow */
};

/* Close it after a failure too. */
enum hone_status hone_explain_run_open(struct hone_explain_run *run,
                                       const struct hone_explain_options *options,
                                       struct hone_error *err);
void hone_explain_run_close(struct hone_explain_run *run);

/* Nearby sizes, on the device that the counts are of, which the journal of a GPU names
 * otherwise; counted: a trial with counts. EUSAGE where there is no script. */
enum hone_status hone_explain_run_shapes(struct hone_shapes *out,
                                         struct hone_explain_run *run,
                                         const struct hone_trial *counted,
                                         struct hone_error *err);

#endif
