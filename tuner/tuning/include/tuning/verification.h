/* Configurations of a script built and verified, not timed: drawn at random, or those of
 * a journal, whose results must then have the bits that they had there. */
#ifndef HONE_TUNING_VERIFICATION_H
#define HONE_TUNING_VERIFICATION_H

#include "evaluate/template_lint.h"
#include "hone/evaluate.h"
#include "hone/pool.h"
#include "hone/record.h"
#include "hone/strbuf.h"
#include "tuning/workbench.h"

/* Borrowed while the verification is open. */
struct hone_verification_options {
    const char *script;
    const struct hone_script_options *script_options; /* its limits are the device's */
    const char *device;                               /* as hone_device_open takes it */
    const char *program; /* path of hone: on a GPU its workers verify */
    struct hone_builder_options builder;
    uint64_t sample; /* configurations to draw; UINT64_MAX: all */
    /* The author's default alone, or the first one without it; in this process, also on a
     * GPU, so that the builder of the bench has it. */
    bool only_default;
    /* On a device that can estimate what PTX needs, builds stop there unless ptxas has to
     * judge them. Without, or with only_default, every build has machine code. */
    bool estimate;
    uint64_t seed;            /* of the sample, and of the input data without same_as */
    double launch_deadline_s; /* most that one launch may take; 0: 30 */
    const char *same_as;      /* journal to compare with; NULL: none */
    const volatile sig_atomic_t *cancel; /* optional */
    /* Optional; called after each trial. */
    void (*progress)(void *context, size_t done, size_t count, double seconds);
    void *context;
};

/* What a journal's run computed, configuration by configuration. */
struct hone_verification_same {
    struct hone_recording *recording; /* NULL: nothing to compare with */
    struct hone_verification_known {
        uint64_t index; /* in the space at hand */
        const struct hone_trial *trial;
    } * known; /* sorted by index */
    size_t count;
    size_t equal, apart; /* with the same bits; with others where that may be: one is not
                            exact, or the GPUs have not as many multiprocessors */
    struct hone_value *drawn; /* sizes that it was verified at, as evaluators take them */
};

/* The evaluator: of workers on GPUs; or, where the device is emulated, of several, each
 * with a device of its own. */
struct hone_verification_crew {
    struct hone_evaluator *evaluator;
    const char *device;           /* "cuda:0" */
    struct hone_pool *pool;       /* NULL when this process verifies */
    struct hone_device **devices; /* beside bench's */
    size_t device_count;
};

struct hone_verification {
    const struct hone_verification_options *options;
    struct hone_workbench bench;
    struct hone_verification_crew crew;
    struct hone_verification_same same;
    uint64_t *indices;
    size_t count;
    struct hone_trial *trials; /* as they came */
    size_t done;
    size_t outcomes[HONE_OUTCOME_COUNT];
    struct hone_size_counts sizes;  /* that they are verified at */
    size_t waived[HONE_WAIVER_MAX]; /* configurations that each waiver let pass */
    double seconds;
    double build_seconds, verify_seconds; /* summed over the threads */
};

/* Verify as options say. A configuration that fails is no failure of this; ECANCELLED
 * once cancel is set. EINPUT for a journal of another kernel or other sizes. What was
 * verified until a failure is there: done trials. Close it in any case. */
enum hone_status hone_verification_run(struct hone_verification *out,
                                       const struct hone_verification_options *options,
                                       struct hone_error *err);
void hone_verification_close(struct hone_verification *v); /* zeros are fine */

/* EDEVICE with counts where a configuration failed, or none could be verified. */
enum hone_status hone_verification_verdict(const struct hone_verification *v,
                                           struct hone_error *err);

/* The seed of the input data: the journal's, where results are to be the same. */
uint64_t hone_verification_seed(const struct hone_verification *v);

/* How many valid ones were built without ptxas: their registers are estimated. */
size_t hone_verification_estimated(const struct hone_verification *v);

/* There is a reference to compare results with. */
bool hone_verification_judges(const struct hone_verification *v);

/* Add what the template lacks, by the default configuration, which was verified
 * (only_default) and is valid. */
enum hone_status hone_verification_lint(struct hone_lapses *lapses,
                                        const struct hone_verification *v,
                                        struct hone_error *err);

/* --- what was found --- */

/* A rejected configuration is over a limit of this device and an unsupported one was not
 * judged: neither says that the template is wrong. */
bool hone_outcome_is_failure(enum hone_outcome outcome);

/* What the script knows of a name that a failed build does not know, by its reason: a
 * derived value, or a size of the problem. */
struct hone_lost_name {
    char name[64];
    const struct hone_derived *derived; /* NULL: it is none */
    bool is_size;
};
struct hone_lost_name hone_lost_name(const struct hone_kernel_def *def,
                                     const char *reason);

/* Trials that failed alike. */
struct hone_failure_cause {
    enum hone_outcome outcome;
    char text[HONE_REASON_MAX]; /* the reason without numbers and places */
    size_t count;
    const struct hone_trial *example; /* the first, borrowed */
};

struct hone_failure_causes {
    struct hone_failure_cause *items; /* the most frequent first */
    size_t count;
};

/* Why trials are not valid. Without memory there are none; free items. */
struct hone_failure_causes hone_failure_causes(const struct hone_verification *v);

/* How many of the valid trials have the fidelity that the i-th one has; 0 when one
 * before it has it, and where there is none. */
size_t hone_verification_alike(const struct hone_verification *v, size_t i);

/* Bytes of dynamic shared memory that trial asks for and never writes, where they are
 * many; 0 where they are not, or not known. */
int32_t hone_trial_unwritten_shared(const struct hone_trial *trial);

/* How many valid ones have such bytes; *most, NULL where none has, is the one with the
 * most. */
size_t hone_verification_unwritten_shared(const struct hone_verification *v,
                                          const struct hone_trial **most);

/* How many valid ones leave elements of outputs as they were, and the most that one
 * does. */
size_t hone_verification_unwritten_outputs(const struct hone_verification *v,
                                           double *most);

/* How many valid ones have blocks that wait for each other and were at no size all
 * watched in turns; the fewest blocks of those sizes. */
size_t hone_verification_unturned(const struct hone_verification *v, double *fewest);

/* How many failed with the finding that a waiver is of; *first, NULL where none did, is
 * the first of them. */
size_t hone_verification_unwaived(const struct hone_verification *v,
                                  const struct hone_waiver *waiver,
                                  const struct hone_trial **first);

/* How many were not run at the size that verify names as its number size, from 0: their
 * constraints do not allow it. */
size_t hone_verification_skips(const struct hone_verification *v, size_t size);

/* --- what a stage made --- */

/* EUSAGE with the stages that there are, where stage is none. */
enum hone_status hone_stage_expect(const char *stage, struct hone_error *err);

/* The i-th stage that there is, NULL behind the last one. */
const char *hone_stage_name(size_t i);

/* Append what a stage on the way from the template to a prediction made of the default
 * configuration, or of the first one. */
enum hone_status hone_stage_dump(struct hone_strbuf *out,
                                 const struct hone_verification_options *options,
                                 const char *stage, struct hone_error *err);

#endif
