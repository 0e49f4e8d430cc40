/* Trials as JSON lines: the journal of a run, and recordings of whole spaces. Form and
 * fields: docs/journal.md. Written append-only; whatever was measured survives a crash.
 */
#ifndef HONE_RECORD_H
#define HONE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "hone/geometry.h"
#include "hone/limits.h"
#include "hone/space.h"
#include "hone/tensor_map.h"
#include "hone/trial.h"

/* Where the journal was read, kind, name and size are there. */
struct hone_record_arg {
    const char *kind; /* "input", "output", "inout", "scalar", "constant", "workspace" */
    const char *name;
    const char *dtype; /* "f32" */
    const char *size;  /* expression */
    /* Expression: the kernel gets an array of so many pointers to parts of the buffer;
     * NULL: a pointer to the buffer. */
    const char *pointers;
    const struct hone_map_def *map; /* the kernel gets a tensor map; NULL: none */
    const char *fill; /* "zero": what an inout holds before a launch; NULL: any values */
};

/* A constraint of the space: an expression, or a Lua function of these variables. */
struct hone_record_constraint {
    const char *text; /* NULL: a function */
    const char *const *vars;
    size_t var_count; /* 0 of an expression */
};

/* One of the problems that were tuned together. */
struct hone_record_problem {
    const struct hone_value *values; /* one for each name of the info's problem */
    double weight;                   /* above 0; 1 unless the author said more */
};

/* Against the reference; without one launched alone, so that values were not judged: at
 * the sizes of verify, or of a script that has none at the tuned size. Not at all, as the
 * user wanted. */
#define HONE_VERIFIED_REFERENCE   "reference"
#define HONE_VERIFIED_TUNED       "reference at the tuned size"
#define HONE_VERIFIED_ALONE       "no reference"
#define HONE_VERIFIED_ALONE_TUNED "no reference at the tuned size"
#define HONE_VERIFIED_NO          "no"
/* The same in words for people, static; NULL for anything else. */
const char *hone_verified_words(const char *verified);

/* The first line: everything a reader needs to replay the run or to emit a header, so
 * that neither needs the script. Pointers are borrowed when writing, owned by the
 * recording when read. Absent texts are NULL, absent lists have count 0. */
struct hone_record_info {
    const char *kernel;
    const struct hone_param *params;
    size_t param_count;
    const struct hone_constant *problem; /* values may be numbers, strings or booleans */
    size_t problem_count;
    double weight; /* of this problem among those tuned with it; 0 stands for 1 */
    /* All problems of the run, problem being the first; count 0: there is just that. */
    const struct hone_record_problem *problems;
    size_t problems_count;

    const char *device_name; /* "NVIDIA A100-PCIE-40GB" */
    const char *device_id;   /* "cuda:0" */
    const char *driver;
    const struct hone_limits *limits; /* NULL when not recorded */
    const char *clock;                /* "cupti", "event", "graph", "emulated" */
    const char *clock_note;           /* as in struct hone_device; NULL for nothing */
    const char *l2; /* what a timed launch found there: "cold", "warm", then how
                              much was set aside: ", 1048576 bytes set aside" */
    /* By hone_objective_record: "time_us", "energy_j", "edp_js", "flops_per_watt",
     * "predicted_us". */
    const char *objective;
    enum hone_time_kind times; /* what the objective says they are; not written */
    uint64_t drift_every;      /* trials between two checks of the default; 0: none */
    double drift_limit;
    bool complete; /* the lines are exactly all valid configurations */

    const char *template_name, *template_hash, *space_hash, *options_hash;
    const char *hone_version, *nvrtc_version;
    const char *box; /* what compilers were shut in by, names with spaces between */
    /* How, and where, results were judged: one of HONE_VERIFIED_*. */
    const char *verified;
    const char *strategy;
    uint64_t seed;
    uint64_t drawn_sizes;           /* to verify at, drawn by seed; 0: none */
    const struct hone_value *drawn; /* these, each with problem_count values */
    uint64_t space_count;           /* valid configurations; 0 when unknown */
    /* Some journals keep the fastest trials of a run: these count all that it evaluated,
     * and the valid ones among them; 0: the lines are all there were. */
    uint64_t evaluated, evaluated_valid;
    const uint16_t *defaults; /* value numbers of the author's default; or NULL */

    const char *entry;
    const struct hone_derived *derived;
    size_t derived_count;
    const struct hone_record_constraint *where; /* count 0 when not recorded */
    size_t where_count;
    const char *grid[3], *block[3], *cluster[3],
        *shared;           /* launch expressions; NULL when not recorded */
    uint32_t launch_flags; /* as in struct hone_geometry */
    const struct hone_record_arg *args;
    size_t arg_count;
    /* Names of the problem's that the template is compiled with as macros; NULL: not
     * recorded. */
    const char *const *defines;
    size_t define_count;
    const char *flops, *bytes;         /* work expressions; NULL when unknown */
    const struct hone_waiver *waivers; /* a trial counts what each let pass */
    size_t waiver_count;               /* at most HONE_WAIVER_MAX */
};

/* The name of a device for people: what is NULL or "" was not named. */
const char *hone_device_text(const char *name);

/* --- writing --- */

struct hone_journal;

enum hone_journal_flags {
    HONE_JOURNAL_SYNC = 1, /* fsync each trial: for a real device */
    HONE_JOURNAL_HELD = 2 /* to resume: this process has the lock, by hone_journal_hold */
};

/* Start a new file (EUSAGE when it exists: results are never overwritten; and for a
 * device, a pipe, a folder). A journal being written is locked: another process that
 * resumes it gets EUSAGE, which names this one; readers are free. */
enum hone_status hone_journal_create(struct hone_journal **out, const char *path,
                                     const struct hone_record_info *info, unsigned flags,
                                     struct hone_error *err);

/* What follows is of this problem, a number of info->problems; 0 to begin with. */
void hone_journal_set_problem(struct hone_journal *journal, size_t problem);

/* Append a trial; choices are its value numbers, one for each parameter. EINPUT for a
 * valid trial without time_us and predicted_us: readers refuse it. After EIO nothing more
 * is written, and the file ends with its last whole line. */
enum hone_status hone_journal_append(struct hone_journal *journal,
                                     const struct hone_trial *trial,
                                     const uint16_t *choices, struct hone_error *err);
/* The same where the trial's index, of this space, tells the choices. */
enum hone_status hone_journal_append_of(struct hone_journal *journal,
                                        const struct hone_trial *trial,
                                        const struct hone_space *space,
                                        struct hone_error *err);

/* Note that a configuration is about to be launched, and sync what stands before it: a
 * launch may take the machine with it. left: the run ended in order before its trial was
 * there, so nothing is to be suspected. */
enum hone_status hone_journal_begin(struct hone_journal *journal, const uint16_t *choices,
                                    bool left, struct hone_error *err);

/* A remark for people, which readers of trials pass over. */
enum hone_status hone_journal_note(struct hone_journal *journal, const char *text,
                                   struct hone_error *err);

/* A descriptor that keeps the lock when the journal is closed, until it is closed too; -1
 * with errno. For who will resume it. */
int hone_journal_hold(const struct hone_journal *journal);

/* Flush and close; reports what could not be written. A journal that was deleted
 * meanwhile is written anew. NULL is fine. */
enum hone_status hone_journal_close(struct hone_journal *journal, struct hone_error *err);

/* --- reading --- */

/* A journal in memory, or the part of it that is about one problem: header, the space of
 * its configurations, trials in file order with index in that space. Where a
 * configuration stands twice, the last line counts. */
struct hone_recording;

/* EINPUT with file and line for what is no journal, a wrong version, unknown parameter
 * values. A last line without its end is torn and dropped; hone_recording_notice then
 * says so. path may be a pipe that was handed over: /dev/stdin, /dev/fd/N. A journal
 * without trials loads; its space has no configuration. Lists in problem are numbered:
 * size_0, size_1. */
enum hone_status hone_recording_load(struct hone_recording **out, const char *path,
                                     struct hone_error *err);
void hone_recording_free(struct hone_recording *recording);

/* The problems of the run, 1 or more, and the part of each, borrowed: a recording like
 * that of a run of this problem alone. The first part is the recording itself. */
size_t hone_recording_problem_count(const struct hone_recording *recording);
const struct hone_recording *
hone_recording_problem(const struct hone_recording *recording, size_t i);

const struct hone_record_info *
hone_recording_info(const struct hone_recording *recording);
const struct hone_space *hone_recording_space(const struct hone_recording *recording);
size_t hone_recording_count(const struct hone_recording *recording);
const struct hone_trial *hone_recording_trial(const struct hone_recording *recording,
                                              size_t i);
/* Trial of an index of the recording's space; NULL when there is none. */
const struct hone_trial *hone_recording_find(const struct hone_recording *recording,
                                             uint64_t index);
/* Where the configuration of trial i stood first: finals and trials that were measured
 * again have a later line, which counts. */
struct hone_first_line {
    uint32_t line;
    double cost; /* there; INFINITY where it was not valid */
};
struct hone_first_line hone_recording_first(const struct hone_recording *recording,
                                            size_t i);
/* The configuration of a trial in another space, by names and values of that one's
 * parameters; false where that has no such. scratch: room for the value numbers of both
 * spaces. */
bool hone_recording_index_in(const struct hone_recording *recording,
                             const struct hone_trial *trial,
                             const struct hone_space *space, uint16_t *scratch,
                             uint64_t *index);
/* Winner of the finals that the journal ends with; NULL when it does not end with finals.
 */
const struct hone_trial *hone_recording_winner(const struct hone_recording *recording);
/* That winner; where there is none the valid trial of the least cost, of equals that of
 * the lower index. NULL when no trial is valid. */
const struct hone_trial *hone_recording_best(const struct hone_recording *recording);
/* The trial of the author's default, whatever became of it; NULL where there is none. */
const struct hone_trial *hone_recording_default(const struct hone_recording *recording);

/* Configurations that were begun and have no trial: a run was killed over them, or they
 * killed it. */
struct hone_begun {
    const uint16_t *choices; /* value numbers, one for each parameter of the info */
    uint32_t times;
    uint32_t problem; /* number of the problem */
};
size_t hone_recording_begun_count(const struct hone_recording *recording);
const struct hone_begun *hone_recording_begun(const struct hone_recording *recording,
                                              size_t i);

const char *hone_recording_path(const struct hone_recording *recording);
const char *
hone_recording_notice(const struct hone_recording *recording); /* "" when none */

/* Continue a journal: checks that info describes the same kernel, parameters, problem,
 * device name, clock and hashes as the file (EINPUT says what differs), drops a torn last
 * line, and opens for appending, locked. *done receives what was measured; its trials'
 * indices are of the file's own space: map them by hone_space_choices and
 * hone_space_index. */
enum hone_status hone_journal_resume(struct hone_journal **out,
                                     struct hone_recording **done, const char *path,
                                     const struct hone_record_info *info, unsigned flags,
                                     struct hone_error *err);

#endif
