// Messages between tuner and worker: each survives the way there and back, and damage of
// every kind is refused with words. HONE_FUZZ_FRAMES sets how many frames are tried
// (docs/measurement.md: a million under the sanitizers); 50,000 without it.
#include <math.h>
#include <string.h>

#include "hone_test.h"

#include "base/file.h"
#include "base/rng.h"
#include "pool_message.h"

enum { FRAMES = 50000 };

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
    {.name = "C", .kind = HONE_ARG_OUTPUT, .dtype = HONE_F32, .fill = HONE_FILL_INDEX},
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

static struct hone_job make_job(char *text)
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
static struct hone_reference references[2] = {{.where = "M=33 N=17"}, {.where = ""}};
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
    .references = references,
    .count = 2,
    .tuned = {.where = "M=4096 N=4096"},
};

static struct hone_verdict verdicts[2] = {
    {.outcome = HONE_WRONG_RESULT,
     .found = {.finding = HONE_FINDING_MISMATCH, .buffer = "y"},
     .compared = "majority",
     .reason = "y[3] is 1, the majority's 2"},
    {.compared = "no: the time for it was over"}};

static struct hone_message make(enum hone_message_type type)
{
    struct hone_message message = {.type = type, .id = 0x123456789abcdefu};
    for (int i = 0; i < 3; i++)
        variants[i].job = make_job(i == 1 ? other : source);
    references[0].job = references[1].job = make_job(source);
    plan.tuned.job = make_job(other);
    if (type == HONE_MESSAGE_HELLO)
        message.hello = (struct hone_hello){.version = "0.1.0",
                                            .host = "node7",
                                            .job = "815",
                                            .process = 4711,
                                            .id = "cuda:3",
                                            .uuid = "GPU-0",
                                            .clock = HONE_CLOCK_CUPTI,
                                            .limits = {.name = "H200", .l2_bytes = -1}};
    if (type == HONE_MESSAGE_SETUP)
        message.setup = (struct hone_setup){true, false, &plan};
    if (type == HONE_MESSAGE_READY)
        message.ready = (struct hone_ready){"13.0", 17, "cupti was refused"};
    if (type == HONE_MESSAGE_JOB) message.job = &candidate;
    if (type == HONE_MESSAGE_MEASURE) message.deadline_s = 2.5;
    if (type == HONE_MESSAGE_CONTEST) {
        message.contest.candidates = contenders;
        message.contest.count = 2;
        message.contest.rounds = 5;
        message.contest.turn_s = 1.5;
        contenders[0] = contenders[1] = candidate;
    }
    if (type == HONE_MESSAGE_SAMPLES) {
        message.samples.values = samples;
        message.samples.count = 3;
    }
    if (type == HONE_MESSAGE_CONFIRM) {
        message.confirm.candidates = contenders;
        message.confirm.count = 2;
        message.confirm.seconds = 40;
        message.confirm.deadline_s = 2.5;
        strcpy(message.confirm.no_reference, "timed_out: after 30 s");
        contenders[0] = contenders[1] = candidate;
    }
    if (type == HONE_MESSAGE_CONFIRMED) {
        message.confirmed.verdicts = verdicts;
        message.confirmed.count = 2;
        message.confirmed.undecided = message.confirmed.last = true;
    }
    if (type == HONE_MESSAGE_LOG) message.log.line = "a line";
    if (type == HONE_MESSAGE_FAILED) {
        message.failed.status = HONE_EDEVICE;
        message.failed.reference_wrong = true;
        strcpy(message.failed.error.text, "fell off the bus");
    }
    if (type == HONE_MESSAGE_TRIAL) {
        message.result.last = true;
        message.result.trial = hone_trial_make(42, HONE_CRASHED);
        message.result.trial.metric_count = 2;
        message.result.trial.kind = HONE_TIME_SUSTAINED;
        hone_trial_refer(&message.result.trial, &notes);
    }
    return message;
}

static struct hone_strbuf write_one(enum hone_message_type type)
{
    struct hone_error err = {0};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    const struct hone_message message = make(type);
    assert_ok(hone_message_write(&out, &message, &err), err);
    return out;
}

static struct hone_message read_one(const struct hone_strbuf *bytes)
{
    struct hone_error err = {0};
    struct hone_frame frame;
    struct hone_message message;
    size_t used = 0;
    assert_ok(hone_frame_parse(&frame, &used, bytes->data, bytes->len, &err), err);
    assert_int_equal(used, bytes->len);
    assert_ok(hone_message_read(&message, &frame, &err), err);
    return message;
}

// Writing what was read gives the same bytes: nothing is lost on the way.
static void every_message_survives_the_way_there_and_back(void **state)
{
    (void)state;
    for (int type = 1; type < HONE_MESSAGE_TYPES; type++) {
        struct hone_error err = {0};
        struct hone_strbuf sent = write_one((enum hone_message_type)type);
        struct hone_strbuf again = HONE_STRBUF_INIT;
        struct hone_message message = read_one(&sent);
        assert_int_equal(message.type, type);
        assert_ok(hone_message_write(&again, &message, &err), err);
        assert_int_equal(again.len, sent.len);
        assert_memory_equal(again.data, sent.data, sent.len);
        hone_message_fini(&message);
        hone_strbuf_fini(&again);
        hone_strbuf_fini(&sent);
    }
}

static void a_job_arrives_with_all_it_needs(void **state)
{
    (void)state;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_JOB);
    struct hone_message message = read_one(&sent);
    const struct hone_candidate *job = message.job;
    assert_int_equal(message.id, 0x123456789abcdefu);
    assert_int_equal(job->count, 3);
    assert_int_equal(job->variants[0].job.args[0].pointers, 32);
    assert_int_equal(job->variants[0].job.args[0].line, 12);
    assert_string_equal(job->variants[0].job.script, "k.lua");
    assert_int_equal(job->variants[0].job.args[3].pointers, 0);
    assert_memory_equal(&job->variants[0].job.args[0].map, &args[0].map,
                        sizeof args[0].map);
    assert_int_equal(job->variants[0].job.args[1].map.rank, 0);
    assert_string_equal(job->variants[1].job.source, other);
    assert_ptr_equal(job->variants[2].job.source, job->variants[0].job.source);
    assert_string_equal(job->variants[2].job.source, source);
    for (size_t i = 0; i < 3; i++)
        assert_memory_equal(&job->variants[i].job.geometry, &variants[i].job.geometry,
                            sizeof variants[i].job.geometry);
    assert_int_equal(job->variants[0].job.args[4].value.i, -7);
    assert_string_equal(job->variants[0].job.args[7].value.s, "abc");
    for (size_t i = 0; i < 3; i++) { // what a file holds came once
        const struct hone_job_arg *got = job->variants[i].job.args;
        assert_int_equal(got[1].data.size, 12);
        assert_memory_equal(got[1].data.bytes, "rows of 12 b", 12);
        assert_ptr_equal(got[1].data.bytes, job->variants[0].job.args[1].data.bytes);
        assert_true(got[2].data.low == -3 && got[2].data.high == 4);
    }
    assert_true(job->variants[1].job.args[2].wide);
    assert_int_equal(job->variants[1].job.args[2].narrow, HONE_F16);
    assert_false(job->variants[1].job.args[1].wide);
    assert_string_equal(job->variants[0].job.options[1], "--use_fast_math");
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(job->variants[0].job.headers[i].name, headers[i].name);
        assert_string_equal(job->variants[0].job.headers[i].text, headers[i].text);
        assert_int_equal(job->variants[i].job.header_count, 2);
    }
    assert_ptr_equal(job->variants[1].job.headers, job->variants[0].job.headers);
    assert_true(isnan(job->variants[0].job.flops));
    assert_true(job->variants[1].job.tolerance.absolute == 0x1p-20);
    assert_true(job->variants[1].job.tolerance.mean == 0x1p-30);
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
}

// A size that does not suit a configuration has no job to send.
static void a_skipped_size_arrives_as_one(void **state)
{
    (void)state;
    variants[1].skipped = true;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_JOB);
    struct hone_message message = read_one(&sent);
    assert_true(message.job->variants[1].skipped);
    assert_null(message.job->variants[1].job.source);
    assert_false(message.job->variants[2].skipped);
    assert_string_equal(message.job->variants[2].job.source, source);
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
    variants[1].skipped = false;
}

static void a_plan_arrives_with_all_it_needs(void **state)
{
    (void)state;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_SETUP);
    struct hone_message message = read_one(&sent);
    const struct hone_evaluate_options *got = &message.setup.plan->options;
    const struct hone_time_policy *policy = &got->policy;
    assert_int_equal(got->flags, 2);
    assert_int_equal(got->objective, HONE_OBJECTIVE_EDP);
    assert_true(got->data_seed == 1ull << 63);
    assert_float_equal(got->deadline_s, 8, 0);
    assert_int_equal(got->lookahead, 9);
    assert_int_equal(policy->min_samples, 3);
    assert_int_equal(policy->max_samples, 4);
    assert_true(policy->target_rel_ci == 0.01 && policy->budget_ms == 5);
    assert_true(policy->energy_ms == 1000 && policy->sustained_s == 6);
    assert_true(policy->warm_cache && policy->sustained && policy->brief);
    assert_true(policy->rival_us == 7 && policy->rival_margin == 0.125);
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
}

static void waivers_findings_and_kinds_arrive(void **state)
{
    (void)state;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_SETUP);
    struct hone_message message = read_one(&sent);
    const struct hone_plan *got = message.setup.plan;
    assert_int_equal(got->waiver_count, 2);
    assert_int_equal(got->waivers[0].finding, HONE_FINDING_RACE);
    assert_string_equal(got->waivers[0].file, "k.cu");
    assert_int_equal(got->waivers[0].line, 7);
    assert_null(got->waivers[0].buffer);
    assert_string_equal(got->waivers[1].buffer, "C");
    assert_string_equal(got->waivers[1].reason, "padding");
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
    sent = write_one(HONE_MESSAGE_TRIAL);
    message = read_one(&sent);
    const struct hone_trial *trial = &message.result.trial;
    assert_int_equal(trial->kind, HONE_TIME_SUSTAINED);
    assert_int_equal(trial->found->finding, HONE_FINDING_OUT_OF_BOUNDS);
    assert_int_equal(trial->found->line, 12);
    assert_string_equal(trial->found->file, "a b.cu");
    assert_string_equal(trial->found->buffer, "C");
    assert_string_equal(trial->reason, "an illegal address");
    assert_true(hone_trial_metric(trial, "event_us", 0) == 12.5);
    assert_int_equal(hone_trial_counter_count(trial), 2);
    assert_true(hone_trial_counter(trial, "occupancy", 0) == 50);
    assert_string_equal(trial->counters[0].unit, "warp instructions");
    assert_int_equal(trial->waived[3], 7);
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
}

static void half_a_frame_is_waited_for(void **state)
{
    (void)state;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_TRIAL);
    for (size_t size = 0; size < sent.len; size++) {
        struct hone_error err = {0};
        struct hone_frame frame;
        size_t used = 1;
        assert_ok(hone_frame_parse(&frame, &used, sent.data, size, &err), err);
        assert_int_equal(used, 0);
    }
    hone_strbuf_fini(&sent);
}

static void every_flipped_bit_is_found(void **state)
{
    (void)state;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_HELLO);
    for (size_t bit = 0; bit < 8 * sent.len; bit++) {
        struct hone_error err = {0};
        struct hone_frame frame;
        size_t used = 0;
        sent.data[bit / 8] ^= (char)(1 << bit % 8);
        enum hone_status status =
            hone_frame_parse(&frame, &used, sent.data, sent.len, &err);
        // A longer length is waited for; everything else is refused with words.
        if (status == HONE_OK)
            assert_true(used == 0 && bit / 8 >= 8 && bit / 8 < 12);
        else
            assert_true(err.text[0]);
        sent.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    hone_strbuf_fini(&sent);
}

static void a_greeting_of_a_shell_is_shown(void **state)
{
    (void)state;
    const char text[] = "Welcome to node7\nLast login: ...";
    struct hone_error err = {0};
    struct hone_frame frame;
    size_t used;
    assert_int_equal(hone_frame_parse(&frame, &used, text, strlen(text), &err),
                     HONE_EINPUT);
    assert_string_equal(err.text, "expected a frame, got 'Welcome to node7'");
}

static void a_message_over_its_limit_is_not_sent(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    char *line = calloc(HONE_FRAME_SMALL + 1, 1);
    assert_non_null(line);
    memset(line, 'x', HONE_FRAME_SMALL);
    const struct hone_message message = {.type = HONE_MESSAGE_LOG, .log.line = line};
    assert_int_equal(hone_message_write(&out, &message, &err), HONE_ELIMIT);
    assert_int_equal(out.len, 0);
    free(line);
}

// --- fuzzing ---

static size_t frame_count(void)
{
    const char *wanted = getenv("HONE_FUZZ_FRAMES");
    return wanted ? (size_t)strtoul(wanted, NULL, 10) : FRAMES;
}

static void mutate(struct hone_rng *rng, unsigned char *data, size_t *size, size_t cap)
{
    for (uint64_t n = hone_rng_below(rng, 6); n-- > 0 && *size;) {
        const size_t at = (size_t)hone_rng_below(rng, *size);
        switch (hone_rng_below(rng, 5)) {
        case 0:
            data[at] ^= (unsigned char)(1u << hone_rng_below(rng, 8));
            break;
        case 1:
            data[at] = (unsigned char)hone_rng_next(rng);
            break;
        case 2: // lengths and counts like to be extreme
            memset(data + at, hone_rng_below(rng, 2) ? 0xff : 0,
                   *size - at < 4 ? *size - at : 4);
            break;
        case 3:
            *size = at;
            break;
        default:
            if (*size + 4 > cap) break;
            memmove(data + at + 4, data + at, *size - at);
            *size += 4;
        }
    }
}

// The mutated contents get a right checksum, so that decoding is what is tested.
static void contents_of_any_kind_are_taken_or_refused(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 1);
    struct hone_strbuf seeds[HONE_MESSAGE_TYPES];
    size_t taken = 0, refused = 0;
    static unsigned char data[1 << 14];
    for (int type = 1; type < HONE_MESSAGE_TYPES; type++)
        seeds[type] = write_one((enum hone_message_type)type);
    for (size_t i = 0; i < frame_count(); i++) {
        const struct hone_strbuf *seed = &seeds[1 + i % (HONE_MESSAGE_TYPES - 1)];
        size_t size = seed->len - HONE_FRAME_HEAD - HONE_FRAME_TAIL;
        memcpy(data, seed->data + HONE_FRAME_HEAD, size);
        mutate(&rng, data, &size, sizeof data);
        const bool mixed = hone_rng_below(&rng, 16) == 0; // another type's contents
        const struct hone_frame frame = {mixed ? (uint8_t)hone_rng_below(&rng, 16)
                                               : (uint8_t)seed->data[5],
                                         data, size};
        struct hone_error err = {0};
        struct hone_message message;
        if (hone_message_read(&message, &frame, &err) == HONE_OK) {
            taken++;
            hone_message_fini(&message);
        } else {
            refused++;
            assert_true(err.text[0]);
        }
    }
    assert_true(taken > frame_count() / 20 && refused > frame_count() / 20);
    for (int type = 1; type < HONE_MESSAGE_TYPES; type++)
        hone_strbuf_fini(&seeds[type]);
}

static void streams_of_any_bytes_are_taken_or_refused(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 2);
    struct hone_strbuf sent = write_one(HONE_MESSAGE_READY);
    unsigned char data[128];
    assert_true(sent.len + 8 < sizeof data);
    for (size_t i = 0; i < frame_count(); i++) {
        struct hone_error err = {0};
        struct hone_frame frame;
        size_t used = 0, size = sent.len;
        memcpy(data, sent.data, size);
        mutate(&rng, data, &size, sizeof data);
        enum hone_status status = hone_frame_parse(&frame, &used, data, size, &err);
        assert_true(used <= size);
        if (status != HONE_OK) assert_true(err.text[0] && used == 0);
    }
    hone_strbuf_fini(&sent);
}

// Seeds of the target fuzz_message: the type and the contents of each message.
// HONE_UPDATE_GOLDEN=1 writes them anew.
static void the_seeds_of_the_fuzzer_are_messages(void **state)
{
    (void)state;
    for (int type = 1; type < HONE_MESSAGE_TYPES; type++) {
        char path[256], *seed = NULL;
        size_t size = 0;
        struct hone_error err = {0};
        struct hone_message message;
        struct hone_strbuf sent = write_one((enum hone_message_type)type);
        char *contents = sent.data + HONE_FRAME_HEAD - 1;
        *contents = (char)type;
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/message/%02d", HONE_SOURCE_DIR,
                 type);
        if (getenv("HONE_UPDATE_GOLDEN"))
            assert_ok(hone_file_write(path, contents,
                                      sent.len - HONE_FRAME_HEAD - HONE_FRAME_TAIL + 1,
                                      &err),
                      err);
        assert_ok(hone_file_read(&seed, &size, path, &err), err);
        const struct hone_frame frame = {(uint8_t)seed[0], (unsigned char *)seed + 1,
                                         size - 1};
        assert_ok(hone_message_read(&message, &frame, &err), err);
        hone_message_fini(&message);
        hone_strbuf_fini(&sent);
        free(seed);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_message_survives_the_way_there_and_back),
    cmocka_unit_test(a_plan_arrives_with_all_it_needs),
    cmocka_unit_test(a_job_arrives_with_all_it_needs),
    cmocka_unit_test(a_skipped_size_arrives_as_one),
    cmocka_unit_test(waivers_findings_and_kinds_arrive),
    cmocka_unit_test(half_a_frame_is_waited_for),
    cmocka_unit_test(every_flipped_bit_is_found),
    cmocka_unit_test(a_greeting_of_a_shell_is_shown),
    cmocka_unit_test(a_message_over_its_limit_is_not_sent),
    cmocka_unit_test(the_seeds_of_the_fuzzer_are_messages),
    cmocka_unit_test(contents_of_any_kind_are_taken_or_refused),
    cmocka_unit_test(streams_of_any_bytes_are_taken_or_refused),
};
HONE_TEST_MAIN(tests)
