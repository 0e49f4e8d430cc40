/* Tuning in one's own process: load a script, run, take the best, emit a header. The
 * kernels run in this process too, so on a GPU one that crashes takes it along: `hone
 * tune` measures in workers instead (hone/pool.h). */
#ifndef HONE_TUNING_H
#define HONE_TUNING_H

#include "hone/build.h"
#include "hone/emit.h"
#include "hone/script.h"
#include "hone/session.h"

struct hone_tuning;

/* {.script = "gemm.lua"} is enough. Texts are copied or not needed after open, but for
 * progress's context and cancel. */
struct hone_tuning_options {
    const char *script;   /* the kernel script */
    const char *device;   /* as hone_device_open takes it; NULL: "auto" */
    const char *strategy; /* as hone_strategy_parse takes it; NULL: "portfolio" */
    const struct hone_script_set *set; /* problem sizes and pinned parameters */
    size_t set_count;
    const char *const *template_path; /* further folders of templates */
    size_t template_path_count;
    struct hone_builder_options builder;
    const char *journal;  /* a new file; NULL: a temporary one, gone with the tuning */
    uint64_t seed;        /* 0 stands for 1 */
    uint64_t evaluations; /* to spend; 0: 200, without a limit where seconds is given */
    double seconds;       /* wall time to spend; 0: no limit */
    /* Optional; called after each trial; false stops the run. */
    bool (*progress)(void *context, const struct hone_progress *progress);
    void *context;
    /* Optional, borrowed. Non-zero: stop. An emulated launch and a build that is waited
     * for are given up within a tenth of a second; the run returns OK then, with what was
     * found, and an opening ECANCELLED. */
    const volatile sig_atomic_t *cancel;
};

/* Everything up to the first trial: script, space, device, builder, reference results.
 * Failures are those of hone_script_load, hone_space_new, hone_device_open,
 * hone_builder_new and hone_journal_create. */
enum hone_status hone_tuning_open(struct hone_tuning **out,
                                  const struct hone_tuning_options *options,
                                  struct hone_error *err);
void hone_tuning_close(struct hone_tuning *tuning); /* NULL is fine */

/* Search, once in a tuning's life. *result also holds what was found when the status is
 * not OK. */
enum hone_status hone_tuning_run(struct hone_session_result *result,
                                 struct hone_tuning *tuning, struct hone_error *err);

/* Borrowed: what result's indices are of, and the kernel, for hone_kernel_job. */
const struct hone_space *hone_tuning_space(const struct hone_tuning *tuning);
const struct hone_kernel *hone_tuning_kernel(const struct hone_tuning *tuning);

/* The value of parameter name in the best configuration; a text is borrowed. ENOTFOUND
 * for a name that is no parameter, or when no configuration is valid. */
enum hone_status hone_tuning_best(struct hone_value *out,
                                  const struct hone_tuning *tuning, const char *name,
                                  struct hone_error *err);

/* The header of what was found, after the run; options as of hone_emit, NULL for none. */
enum hone_status hone_tuning_emit(struct hone_tuning *tuning, const char *path,
                                  const struct hone_emit_options *options,
                                  struct hone_error *err);

#endif
