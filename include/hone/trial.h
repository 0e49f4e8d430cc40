/* The outcome of one configuration: what an evaluator returns, a strategy is told and a
 * journal keeps. A plain value of about 200 bytes that owns nothing: what it says in
 * words and lists stands elsewhere, and copies share it. */
#ifndef HONE_TRIAL_H
#define HONE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/finding.h"
#include "hone/status.h"

/* clang-format off */
#define HONE_OUTCOME_LIST(X)                                                            \
    X(VALID,         "valid")                                                           \
    X(REJECTED,      "rejected")       /* pruned before it was launched: over a limit */\
    X(BUILD_FAILED,  "build_failed")                                                    \
    X(LAUNCH_FAILED, "launch_failed")                                                   \
    X(WRONG_RESULT,  "wrong_result")                                                    \
    X(CRASHED,       "crashed")        /* illegal access, trap, dead worker */          \
    X(TIMED_OUT,     "timed_out")                                                       \
    X(UNSUPPORTED,   "unsupported")    /* the emulator lacks an instruction form */
/* clang-format on */

enum hone_outcome {
#define HONE_OUTCOME_ENUM(name, text) HONE_##name,
    HONE_OUTCOME_LIST(HONE_OUTCOME_ENUM)
#undef HONE_OUTCOME_ENUM
        HONE_OUTCOME_COUNT
};

const char *hone_outcome_name(enum hone_outcome outcome);
/* ENOTFOUND for an unknown name. */
enum hone_status hone_outcome_parse(enum hone_outcome *out, const char *name);

/* What a time is, as the device says that made it: measured over a few launches at the
 * clock that a GPU has until heat and power hold it down, or over a second of them in a
 * row at the clock that it then keeps; or predicted by a model. Whether L2 was cold is
 * the same for all trials of a journal, which says it. */
/* clang-format off */
#define HONE_TIME_KIND_LIST(X)                                                          \
    X(NONE,      "")          /* no time, or one measured in a way not known: by an     \
                                 earlier version, by another tuner */                   \
    X(BURST,     "burst")                                                               \
    X(SUSTAINED, "sustained")                                                           \
    X(PREDICTED, "predicted")
/* clang-format on */

enum hone_time_kind {
#define HONE_TIME_KIND_ENUM(name, text) HONE_TIME_##name,
    HONE_TIME_KIND_LIST(HONE_TIME_KIND_ENUM)
#undef HONE_TIME_KIND_ENUM
        HONE_TIME_KIND_COUNT
};
const char *hone_time_kind_name(enum hone_time_kind kind);
/* The name of a kind of measurement; "" of the others. Journals and the JSON output of
 * commands say it beside time_us; of predicted_us the name of the figure says it. */
const char *hone_time_kind_measured(enum hone_time_kind kind);
/* A kind of measurement by its name; ENOTFOUND for any other name. */
enum hone_status hone_time_kind_parse(enum hone_time_kind *out, const char *name);

/* What a run looks for the least of. */
/* clang-format off */
#define HONE_OBJECTIVE_LIST(X)                                                          \
    X(TIME,   "time",           "time_us")                                              \
    X(ENERGY, "energy",         "energy_j")                                             \
    X(EDP,    "edp",            "edp_js")  /* energy times time */                      \
    X(FLOPS_PER_WATT, "flops_per_watt", "flops_per_watt") /* the most of it */
/* clang-format on */

enum hone_objective {
#define HONE_OBJECTIVE_ENUM(name, text, record) HONE_OBJECTIVE_##name,
    HONE_OBJECTIVE_LIST(HONE_OBJECTIVE_ENUM)
#undef HONE_OBJECTIVE_ENUM
        HONE_OBJECTIVE_COUNT
};
const char *hone_objective_name(enum hone_objective objective); /* "energy" */
/* What a journal calls the figure that its run looks for, the least of it or the most of
 * "flops_per_watt": "energy_j"; "predicted_us" where times are PREDICTED, of which there
 * is no other objective. */
const char *hone_objective_record(enum hone_objective objective,
                                  enum hone_time_kind times);
/* What that says of the times: PREDICTED, or NONE where each says itself what it is. NULL
 * and unknown words are NONE. */
enum hone_time_kind hone_objective_times(const char *record);
enum hone_status hone_objective_parse(enum hone_objective *out,
                                      const char *name); /* ENOTFOUND */

/* What is minimised: microseconds, joules, joule seconds, or joules an operation (the
 * inverse of operations a second and watt). NAN where energy_j or flops is not known. */
double hone_objective_cost(enum hone_objective objective, double time_us, double energy_j,
                           double flops);

/* What a build needs of a multiprocessor. -1 where unknown. */
struct hone_resources {
    int32_t registers;            /* a thread */
    int32_t spill_store_bytes;    /* a thread */
    int32_t spill_load_bytes;     /* a thread */
    int32_t stack_bytes;          /* a thread, local memory frame */
    int32_t static_shared_bytes;  /* a block */
    int32_t dynamic_shared_bytes; /* a block */
    int32_t blocks_per_sm;        /* theoretical occupancy */
    /* registers, and with them blocks_per_sm, are estimated from PTX: no ptxas ran. */
    bool estimated;
};

#define HONE_RESOURCES_UNKNOWN                                                           \
    (struct hone_resources)                                                              \
    {                                                                                    \
        -1, -1, -1, -1, -1, -1, -1, false                                                \
    }

struct hone_metric {
    const char *name; /* static or interned text, for example "shared_wavefronts" */
    double value;
};

/* What a counter of the GPU's hardware showed: docs/counters.md. */
struct hone_counted {
    const char *name, *unit; /* static or interned text: "dram_read_bytes", "bytes" */
    double value;            /* of one launch */
};

/* Where a trial was measured, as far as that is worth telling: by a worker that a command
 * started, or by one of several. Texts are empty where there is nothing to tell. */
struct hone_trial_place {
    char host[64];
    char job[32]; /* of the batch system: $SLURM_JOB_ID and its like */
    char gpu_uuid[48];
};
extern const struct hone_trial_place hone_nowhere; /* of which nothing is told */

enum {
    HONE_METRIC_MAX = 64,
    HONE_COUNTED_MAX = 96,
    HONE_REASON_MAX = 640,
    HONE_FIDELITY_MAX = 160,
    HONE_COMPARED_MAX = 128
};

/* How a configuration did when the best ones were measured once more, in turn. */
struct hone_final {
    uint32_t rank;    /* from 1, the winner; 0: it was not in the finals */
    uint32_t rounds;  /* in which it was measured */
    double ratio;     /* of its time to the base's of the same round: the median */
    double low, high; /* its 95 % interval: 0 and INFINITY where there is none */
    /* Median time of a launch among many in a row, which the ratio is of; 0: the finals
     * were of few launches at a time, and their time is the trial's. */
    double sustained_us;
};

/* The figures are the trial's own. The texts and lists behind them are borrowed and never
 * NULL in a trial that hone_trial_make began: those of an evaluator's trial live until it
 * is closed, of a recording's until that is freed, of a trial that somebody else makes as
 * long as he says. A search keeps copies of the trials that it is told: their texts have
 * to live as long as it does. */
struct hone_trial {
    uint64_t index; /* in the space */
    enum hone_outcome outcome;
    uint32_t samples; /* timed launches behind time_us */
    double time_us;   /* median of the samples; NAN unless measured */
    double
        predicted_us; /* from a model; NAN unless predicted; never mixed with time_us */
    double energy_j;  /* of one launch; NAN unless measured */
    /* By hone_objective_cost where the objective is not the time; NAN where it is. */
    double cost;
    double rel_std;     /* standard deviation of the samples / median; NAN when unknown */
    double build_ms;    /* compiling, 0 when cached; NAN when unknown */
    double evaluate_ms; /* verifying and timing on the device; NAN when unknown */
    uint64_t outputs;   /* hash of what it computed when verified; 0: not known */
    /* The machine had drifted and it was measured again: its cost is the ratio to the
     * default in the same rounds times the default's first cost, and the default's cost
     * was so many times that first one then. NAN of all others. */
    double drift;
    uint32_t line;            /* of the journal that it was read from; 0 elsewhere */
    enum hone_time_kind kind; /* PREDICTED of predicted_us, the others of time_us */
    struct hone_final final;
    struct hone_resources resources;
    uint32_t metric_count;               /* at most HONE_METRIC_MAX */
    const struct hone_metric *metrics;   /* [metric_count] */
    const struct hone_counted *counters; /* up to one without a name: mostly none */
    const struct hone_found *found;      /* what the reason says, for programs; NONE when
                                           valid */
    /* Interned, as names are: keeping a trial copies it no more than those. */
    const struct hone_trial_place *place;
    const uint32_t *waived; /* [HONE_WAIVER_MAX] findings that each waiver of
                                           its kernel let pass */
    const char *fidelity;   /* of an emulated result: "exact", "approximate: "
                                           with the forms; "" when it is not known */
    const char *reason;     /* why it is not valid; "" when it is */
    /* What its results at the tuned size were compared with at the end of a run:
     * "reference", "majority", or "no: " and why not; "" when it was not to be. */
    const char *compared;
};

/* Room for what a trial says, for who fills one in step by step. */
struct hone_trial_notes {
    struct hone_found found;
    uint32_t waived[HONE_WAIVER_MAX];
    char fidelity[HONE_FIDELITY_MAX];
    char reason[HONE_REASON_MAX];
    char compared[HONE_COMPARED_MAX];
    struct hone_metric metrics[HONE_METRIC_MAX];
    struct hone_counted counters[HONE_COUNTED_MAX + 1];
};

/* Let the trial, which says how many metrics there are, refer to the notes: it is good as
 * long as they stay where they are. */
void hone_trial_refer(struct hone_trial *trial, const struct hone_trial_notes *notes);

/* Copy what the trial says into the notes, to change it there; longer texts are cut. What
 * lies behind the last metric and counter and the end of each text stays as it was. */
void hone_trial_note(const struct hone_trial *trial, struct hone_trial_notes *notes);

/* The trial's metric of that name; absent where it has none. */
double hone_trial_metric(const struct hone_trial *trial, const char *name, double absent);

/* The value of the trial's counter of that name; absent where it has none. */
double hone_trial_counter(const struct hone_trial *trial, const char *name,
                          double absent);
size_t hone_trial_counter_count(const struct hone_trial *trial);

/* A trial of this index and outcome with every figure unknown, which says nothing. */
struct hone_trial hone_trial_make(uint64_t index, enum hone_outcome outcome);

/* What the finalists of a run say that ended because the reference is wrong there. */
#define HONE_COMPARED_WRONG_REFERENCE "no: the reference fails at this size"

/* Whether its results at the tuned size were compared with others. Where not, *why says
 * why, borrowed from the trial; NULL where it says nothing, or they were. */
bool hone_trial_is_compared(const char **why, const struct hone_trial *trial);

/* Which of two trials stands for a cost that both have, below 0 for a: the one whose
 * results at the tuned size were compared, else the lower index, which follows the order
 * of the values and not that of the evaluations. */
int hone_trial_break_tie(const struct hone_trial *a, const struct hone_trial *b);

/* What compared says, for people: "equal to the reference's", "as the majority has them",
 * "not compared: ..."; "" where it says nothing. */
const char *hone_compared_text(char buf[HONE_COMPARED_MAX + 16],
                               const struct hone_trial *trial);

/* The figure that is minimised: cost, else time_us, else predicted_us; +INFINITY for a
 * trial that is not valid (for comparing only: strategies must model failure by the
 * outcome) or was not timed. */
double hone_trial_cost(const struct hone_trial *trial);

/* How many times as fast as another, with the 95 % interval of that. */
struct hone_gain {
    double ratio;
    double low, high; /* NAN where there is none */
    uint32_t rounds;  /* of finals that compared the two */
};

/* The gain of best over base as finals found it, round by round; false when they were not
 * compared so: both have to be in the finals, and base what the others are compared with.
 */
bool hone_finals_gain(struct hone_gain *out, const struct hone_trial *best,
                      const struct hone_trial *base);

#endif
