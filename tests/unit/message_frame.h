/* What the suites of messages share: one message of each type. */
#ifndef MESSAGE_FRAME_H
#define MESSAGE_FRAME_H

#include <math.h>
#include <string.h>

#include "hone_test.h"

#include "base/file.h"
#include "hone/rng.h"
#include "pool_message.h"

// --- one message of each type ---

static struct hone_job_arg args[] = {
    {.name = "A",
     .kind = HONE_ARG_INPUT,
     .dtype = HONE_BF16,
     .line = 12,
     .count = 1u << 20,
     .pointers = 32,
     .map = {.rank = 2,
             .type = 9,
             .size = {1u << 10, 1u << 10},
             .stride_bytes = {2, 1u << 11},
             .box = {64, 256},
             .modes = {.swizzle = 128, .promotion = 64, .nan_fill = 1}}},
    {.name = "rows",
     .kind = HONE_ARG_INPUT,
     .dtype = HONE_I32,
     .fill = HONE_FILL_FILE,
     .count = 100,
     .data = {.bytes = "rows of 12 b", .size = 12}},
    {.name = "bias",
     .kind = HONE_ARG_INPUT,
     .dtype = HONE_F64,
     .wide = true,
     .narrow = HONE_F16,
     .fill = HONE_FILL_INTEGERS,
     .count = 7,
     .data = {.low = -3, .high = 4}},
    {.name = "C",
     .kind = HONE_ARG_OUTPUT,
     .dtype = HONE_F32,
     .fill = HONE_FILL_INDEX,
     .bounded = true,
     .tolerance = {1e-3, 2e-4, 3e-5}},
    {.name = "n",
     .kind = HONE_ARG_SCALAR,
     .dtype = HONE_I64,
     .value = {.type = HONE_INT, .i = -7}},
    {.name = "eps",
     .kind = HONE_ARG_SCALAR,
     .dtype = HONE_F64,
     .value = {.type = HONE_FLOAT, .f = 0x1.8p-9}},
    {.name = "flag",
     .kind = HONE_ARG_SCALAR,
     .dtype = HONE_U8,
     .value = {.type = HONE_BOOL, .b = true}},
    {.name = "text",
     .kind = HONE_ARG_SCALAR,
     .dtype = HONE_U8,
     .value = {.type = HONE_STRING, .s = "abc"}},
};
static const char *const options[] = {"-DX=1", "--use_fast_math"};
static const struct hone_build_header headers[] = {{"hone.1/a.h", "#define A 1\n"},
                                                   {"hone.2/b.h", ""}};
static char source[] = "#define BM 64\nextern \"C\" __global__ void k() {}\n";
static char other[] = "// another text\n";

static inline struct hone_job make_job(char *text)
{
    return (struct hone_job){
        .source = text,
        .source_name = "k.cu",
        .script = "k.lua",
        .entry = "k",
        .geometry = {{7, 8, 9}, {32, 4, 1}, 49152, {1, 2, 3}, HONE_LAUNCH_DEPENDENT},
        .args = args,
        .arg_count = sizeof args / sizeof *args,
        .options = options,
        .option_count = 2,
        .headers = headers,
        .header_count = 2,
        .tolerance = {1e-5, 0x1p-20, 0x1p-30},
        .flops = (double)NAN,
        .bytes = 1e9,
    };
}

static struct hone_variant variants[3];
static const struct hone_trial_notes notes = {
    .found = {HONE_FINDING_OUT_OF_BOUNDS, .line = 12, .file = "a b.cu", .buffer = "C"},
    .waived = {[3] = 7},
    .reason = "an illegal address",
    .metrics = {{"event_us", 12.5}, {"x", -1}},
    .counters = {{"instructions", "warp instructions", 4096}, {"occupancy", "%", 50}}};
static struct hone_candidate candidate = {.variants = variants, .count = 3};
static struct hone_candidate contenders[2];
static const double samples[] = {1.5, 2.5, 0x1p-1000};
static struct hone_plan_size verify_at[2] = {{.where = "M=33 N=17"}, {.where = ""}};
static const struct hone_waiver waivers[] = {
    {HONE_FINDING_RACE, .file = "k.cu", .line = 7, .reason = "either will do"},
    {HONE_FINDING_UNWRITTEN, .buffer = "C", .reason = "padding"}};
static struct hone_plan plan = {
    .waivers = waivers,
    .waiver_count = 2,
    .options = {.flags = 2,
                .policy = {.min_samples = 3,
                           .max_samples = 4,
                           .target_rel_ci = 0.01,
                           .budget_ms = 5,
                           .energy_ms = 1000,
                           .sustained_s = 6,
                           .warm_cache = true,
                           .sustained = true,
                           .brief = true,
                           .rival_us = 7,
                           .rival_margin = 0.125},
                .objective = HONE_OBJECTIVE_EDP,
                .deadline_s = 8,
                .lookahead = 9,
                .data_seed = 1ull << 63},
    .verify_at = verify_at,
    .verify_count = 2,
    .named = 1,
    .tuned = {.where = "M=4096 N=4096"},
};

static struct hone_verdict verdicts[2] = {
    {.outcome = HONE_WRONG_RESULT,
     .found = {.finding = HONE_FINDING_MISMATCH, .buffer = "y"},
     .compared = "majority",
     .reason = "y[3] is 1, the majority's 2"},
    {.compared = "no: the time for it was over"}};

static inline void fill_hello(struct hone_message *out)
{
    out->hello = (struct hone_hello){.host = "node7",
                                     .job = "815",
                                     .process = 4711,
                                     .id = "cuda:3",
                                     .uuid = "GPU-0",
                                     .clock = HONE_CLOCK_CUPTI,
                                     .limits = {.name = "H200", .l2_bytes = -1}};
    strcpy(out->hello.version, hone_message_version);
}

static inline void fill_setup(struct hone_message *out)
{
    out->setup = (struct hone_setup){true, false, &plan};
}

static inline void fill_ready(struct hone_message *out)
{
    out->ready = (struct hone_ready){"13.0", 17, "cupti was refused"};
}

static inline void fill_job(struct hone_message *out)
{
    out->job = &candidate;
}

static inline void fill_measure(struct hone_message *out)
{
    out->deadline_s = 2.5;
}

static inline void fill_contest(struct hone_message *out)
{
    out->contest.candidates = contenders;
    out->contest.terms = (struct hone_contest){.count = 2, .rounds = 5, .turn_s = 1.5};
    contenders[0] = contenders[1] = candidate;
}

static inline void fill_samples(struct hone_message *out)
{
    out->samples.values = samples;
    out->samples.count = 3;
}

static inline void fill_confirm(struct hone_message *out)
{
    out->confirm.candidates = contenders;
    out->confirm.count = 2;
    out->confirm.seconds = 40;
    out->confirm.deadline_s = 2.5;
    strcpy(out->confirm.no_reference, "timed_out: after 30 s");
    contenders[0] = contenders[1] = candidate;
}

static inline void fill_confirmed(struct hone_message *out)
{
    out->confirmed.verdicts = verdicts;
    out->confirmed.count = 2;
    out->confirmed.spent_s = 2.5;
    out->confirmed.undecided = out->confirmed.last = true;
}

static inline void fill_log(struct hone_message *out)
{
    out->log.line = "a line";
}

static inline void fill_failed(struct hone_message *out)
{
    out->failed.status = HONE_EDEVICE;
    out->failed.reference_wrong = true;
    strcpy(out->failed.error.text, "fell off the bus");
}

static inline void fill_trial(struct hone_message *out)
{
    out->result.last = true;
    out->result.trial = hone_trial_make(42, HONE_CRASHED);
    out->result.trial.metric_count = 2;
    out->result.trial.kind = HONE_TIME_SUSTAINED;
    hone_trial_refer(&out->result.trial, &notes);
}

static inline struct hone_message make(enum hone_message_type type)
{
    static void (*const fills[HONE_MESSAGE_TYPES])(struct hone_message *) = {
        [HONE_MESSAGE_HELLO] = fill_hello,         [HONE_MESSAGE_SETUP] = fill_setup,
        [HONE_MESSAGE_READY] = fill_ready,         [HONE_MESSAGE_JOB] = fill_job,
        [HONE_MESSAGE_MEASURE] = fill_measure,     [HONE_MESSAGE_CONTEST] = fill_contest,
        [HONE_MESSAGE_SAMPLES] = fill_samples,     [HONE_MESSAGE_CONFIRM] = fill_confirm,
        [HONE_MESSAGE_CONFIRMED] = fill_confirmed, [HONE_MESSAGE_LOG] = fill_log,
        [HONE_MESSAGE_FAILED] = fill_failed,       [HONE_MESSAGE_TRIAL] = fill_trial,
    };
    struct hone_message message = {.type = type, .id = 0x123456789abcdefu};
    for (int i = 0; i < 3; i++)
        variants[i].job = make_job(i == 1 ? other : source);
    verify_at[0].reference = verify_at[1].reference = make_job(source);
    plan.tuned.reference = make_job(other);
    if (fills[type]) fills[type](&message);
    return message;
}

static inline struct hone_strbuf write_one(enum hone_message_type type)
{
    struct hone_error err = {0};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    const struct hone_message message = make(type);
    assert_ok(hone_message_write(&out, &message, &err), err);
    return out;
}

#endif
