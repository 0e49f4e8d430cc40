/* Tuning: from a kernel script, or a recording, to the best configuration and a header.
 * `hone tune` is these calls with options and printing around them. */
#ifndef HONE_TUNING_H
#define HONE_TUNING_H

#include "hone/build.h"
#include "hone/emit.h"
#include "hone/pool.h"
#include "hone/script.h"
#include "hone/session.h"

struct hone_tuning;

/* Which counters of the GPU's hardware are read of the winner and the default at the end:
 * none, those that take few launches, or all (docs/counters.md). */
enum hone_counting { HONE_COUNTING_NONE, HONE_COUNTING_LIGHT, HONE_COUNTING_FULL };

enum hone_wish { HONE_WISH_AUTO, HONE_WISH_YES, HONE_WISH_NO };

/* Where a tuning is. */
enum hone_stage {
    HONE_STAGE_OPENING,   /* script, device and reference results of a problem */
    HONE_STAGE_SEARCHING, /* the first trial of the problem comes next */
    HONE_STAGE_CLOSING    /* the search is over, its journal is closed next */
};

/* {.script = "gemm.lua"} is enough. Everything but cancel and what context points to is
 * copied by hone_tuning_open. */
struct hone_tuning_options {
    /* --- what is tuned --- */

    const char *script; /* the kernel script; NULL for a recording */
    /* As hone_device_open takes it, or several of one kind with commas between; or
     * "replay:JOURNAL": the recording answers and nothing is run. NULL: "auto". */
    const char *device;
    /* Problem sizes and pinned parameters; of a recording the sizes of the problem that
     * is meant. */
    const struct hone_script_set *set;
    size_t set_count;
    const char *const *template_path; /* further folders of templates */
    size_t template_path_count;
    uint64_t max_instructions; /* of the script, as in struct hone_script_options */
    size_t max_memory_bytes;
    bool allow_io;
    struct hone_builder_options builder;
    /* A file of problems to tune together, a line of sizes each ("M=512 N=64 weight=2");
     * NULL: those of the script, or else its own problem alone. */
    const char *problems;

    /* --- how it is searched --- */

    /* As hone_strategy_parse takes it, a file that ends with .lua, or exec:COMMAND
     * (docs/strategies.md); NULL: "portfolio". */
    const char *strategy;
    enum hone_on_error on_strategy_error; /* when the strategy breaks */
    double strategy_timeout_s;            /* that exec:COMMAND has for an answer; 0: 60 */
    /* Journals of other GPUs or sizes: the search begins with the best of them. */
    const char *const *warm;
    size_t warm_count;
    uint64_t seed;        /* of the search and of the input data; 0 stands for 1 */
    bool any_seed;        /* 0 is a seed like any other */
    uint64_t evaluations; /* to spend; 0: 200, without a limit where seconds is given.
                             Each of several problems has as many. */
    double seconds;       /* wall time to spend, on all problems; 0: no limit */

    /* --- how it is measured --- */

    /* In processes of their own: what a bad kernel does to its process then costs one
     * configuration. AUTO: where workers or several devices are named, and on a GPU where
     * program is; an emulated kernel cannot hurt its process. */
    enum hone_wish isolate;
    const char *program; /* path of the program hone, for workers here; NULL: none */
    const char *const *workers; /* commands that end in `hone worker`, for others */
    size_t worker_count;
    struct hone_pool_deadlines deadlines; /* launch_most also holds without workers */
    bool no_wait;          /* a GPU that another tuner uses is an error, ELIMIT */
    enum hone_clock clock; /* wished for; NONE: the best there is */
    bool warm_cache;       /* a timed launch finds its data in L2 */
    enum hone_objective objective;
    const char
        *calibrate;     /* the journal of a run on the GPU: corrects predictions by it */
    bool no_verify;     /* time without comparing to the reference */
    bool no_race;       /* measure also what is clearly slower to the end */
    bool measured_only; /* EUSAGE where times would be predictions */
    bool no_finals;     /* the best of the search is not measured again */
    /* By a process of its own, which program is for. EUSAGE for a device that is
     * emulated and for a recording; what a GPU refuses is a warning. */
    enum hone_counting counting;
    enum hone_wish sustained; /* finals by launches in a row; AUTO: compute-bound ones */
    uint64_t
        drift_every; /* trials between measurements of the default; 0: 50, UINT64_MAX:
                             never */

    /* --- where it is kept, and who is told --- */

    const char *journal; /* a new file; NULL: a temporary one, gone with the tuning */
    bool name_journal;   /* of a script, for NULL: NAME-DEVICE.jsonl in the working
                            folder, numbered where that exists */
    bool resume;         /* journal is of an earlier run of the same: go on with it.
                            Configurations over which it was killed are tried once more,
                            those over which it was killed twice count as crashed. */
    /* Optional; called once, when kernel and device are known and there is no journal
     * yet: what is not OK ends the opening. What it gets is borrowed. */
    enum hone_status (*known)(void *context, const struct hone_record_info *info,
                              const struct hone_space *space, struct hone_error *err);
    /* Optional; called after each trial; false stops the run. */
    bool (*progress)(void *context, const struct hone_progress *progress);
    /* Optional; called when a stage begins, for each of several problems, and for each
     * once more when it is measured with the best of the others (cross). */
    void (*stage)(void *context, const struct hone_tuning *tuning, enum hone_stage stage,
                  size_t problem, bool cross);
    void *context;
    /* Optional, borrowed. Non-zero: stop. An emulated launch and a build that is waited
     * for are given up within a tenth of a second; the run returns OK then, with what was
     * found, and an opening ECANCELLED. */
    const volatile sig_atomic_t *cancel;
};

/* Everything up to the first trial: script, space, device, builder, reference results,
 * journal. Failures are those of hone_script_load, hone_space_new, hone_device_open,
 * hone_pool_open, hone_builder_new, hone_recording_load and hone_journal_create or
 * hone_journal_resume; EUSAGE for options that do not go together. */
enum hone_status hone_tuning_open(struct hone_tuning **out,
                                  const struct hone_tuning_options *options,
                                  struct hone_error *err);
void hone_tuning_close(struct hone_tuning *tuning); /* NULL is fine */

/* Search, once in a tuning's life. *result also holds what was found when the status is
 * not OK; what its trials say lives until hone_tuning_close. Of several problems it sums
 * up counts and seconds, and names neither best nor first: hone_tuning_problem does. */
enum hone_status hone_tuning_run(struct hone_session_result *result,
                                 struct hone_tuning *tuning, struct hone_error *err);

/* After the run: OK when a configuration is valid, of one of the problems at least;
 * ECANCELLED for a run that was stopped, whatever it found; EDEVICE with the first
 * failure otherwise. */
enum hone_status hone_tuning_check_found(const struct hone_tuning *tuning,
                                         struct hone_error *err);

/* Borrowed: what result's indices are of, and the kernel, for hone_kernel_job. Of several
 * problems they are those of the problem at hand; NULL after the run. There is no kernel
 * of a recording. */
const struct hone_space *hone_tuning_space(const struct hone_tuning *tuning);
const struct hone_kernel *hone_tuning_kernel(const struct hone_tuning *tuning);

/* What there is to know besides the result; borrowed, up to the next call. */
struct hone_tuning_facts {
    const struct hone_record_info *info; /* the first line of the journal */
    const char *journal;                 /* its file */
    bool journal_is_temporary;
    bool predicts;      /* times are predictions */
    bool replays;       /* a recording answers: the two below are not known */
    bool has_reference; /* results are compared with it */
    size_t named_sizes; /* that they are compared at, besides the tuned one */
    bool has_workers;
    struct hone_pool_counts workers; /* what happened to them */
};
struct hone_tuning_facts hone_tuning_facts(const struct hone_tuning *tuning);

/* The value of parameter name in the best configuration; a text is borrowed. ENOTFOUND
 * for a name that is no parameter, or when no configuration is valid. EUSAGE where
 * several problems are tuned. */
enum hone_status hone_tuning_best(struct hone_value *out,
                                  const struct hone_tuning *tuning, const char *name,
                                  struct hone_error *err);

/* How many problems these options tune together; 0: the script's own alone. */
enum hone_status hone_tuning_count_problems(size_t *out,
                                            const struct hone_tuning_options *options,
                                            struct hone_error *err);
/* The same of an open tuning. */
size_t hone_tuning_problem_count(const struct hone_tuning *tuning);

/* What was found for one of several problems, after the run; *space, unless that is NULL,
 * is what the indices of *result are of. Both are borrowed. The problem's sizes and its
 * weight are in the facts' info->problems; one that the run did not reach has a result of
 * zeros.
 * EUSAGE before the run, for a number that is none, and where the first problem's search
 * broke. */
enum hone_status hone_tuning_problem(const struct hone_session_result **result,
                                     const struct hone_space **space,
                                     const struct hone_tuning *tuning, size_t number,
                                     struct hone_error *err);

/* The journal after the run, read again; freed by the caller. EIO where that of a single
 * problem was not written to its end. */
enum hone_status hone_tuning_recording(struct hone_recording **out,
                                       const struct hone_tuning *tuning,
                                       struct hone_error *err);

/* The header of what was found, after the run; options as of hone_emit, NULL for none. */
enum hone_status hone_tuning_emit(struct hone_tuning *tuning, const char *path,
                                  const struct hone_emit_options *options,
                                  struct hone_error *err);

#endif
