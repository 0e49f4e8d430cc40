// Verification of kernels that are wrong in every way we know, and what is timed of those
// that are right.
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "evaluate/runner.h"
#include "fake/scale_bench.h"
#include "hone/evaluate.h"
#include "hone_test.h"
#include "timed.h"

// --- verification ---

static void check_outcomes(unsigned flags)
{
    const char *large = flags & SCALE_NO_VERIFY_SIZES ? "N=100" : "N=16";
    const struct {
        enum scale_mode mode;
        enum hone_outcome outcome;
        const char *reason; // a part of it
        enum hone_finding finding;
        const char *buffer;
    } cases[] = {
        {SCALE_RIGHT, HONE_VALID, "", HONE_FINDING_NONE, ""},
        {SCALE_NEARLY_RIGHT, HONE_VALID, "", HONE_FINDING_NONE, ""},
        {SCALE_WRONG, HONE_WRONG_RESULT, "y[3] is ", HONE_FINDING_MISMATCH, "y"},
        {SCALE_WRONG, HONE_WRONG_RESULT, ", off by 0.25, allowed ", HONE_FINDING_MISMATCH,
         "y"},
        {SCALE_WRONG, HONE_WRONG_RESULT, "; 1 of ", HONE_FINDING_MISMATCH, "y"},
        {SCALE_WRONG_COUNT, HONE_WRONG_RESULT,
         "count[2] is 3, reference 2, off by 1, allowed 2e-", HONE_FINDING_MISMATCH,
         "count"},
        {SCALE_PAST_END, HONE_WRONG_RESULT, "writes past the end of y, at byte ",
         HONE_FINDING_WRITES_OUTSIDE, "y"},
        {SCALE_BEFORE_START, HONE_WRONG_RESULT,
         "writes before the start of y, at byte -1", HONE_FINDING_WRITES_OUTSIDE, "y"},
        {SCALE_UNWRITTEN, HONE_WRONG_RESULT, "never writes y[5]; 1 of ",
         HONE_FINDING_NEVER_WRITES, "y"},
        {SCALE_CHANGES_INPUT, HONE_WRONG_RESULT, "changes its input: x[2] was ",
         HONE_FINDING_CHANGES_INPUT, "x"},
        {SCALE_NOT_A_NUMBER, HONE_WRONG_RESULT, "y[7] is nan, reference ",
         HONE_FINDING_MISMATCH, "y"},
        {SCALE_ENDLESS, HONE_TIMED_OUT, "ran for more than 1 s", HONE_FINDING_NONE, ""},
        {SCALE_BROKEN, HONE_BUILD_FAILED, "expected a ';'", HONE_FINDING_NONE, ""},
        {SCALE_HEAVY, HONE_REJECTED, "needs 400000 bytes of shared memory",
         HONE_FINDING_NONE, ""},
        {SCALE_UNKNOWN, HONE_UNSUPPORTED, "instruction 'frobnicate' at line 7",
         HONE_FINDING_NONE, ""},
        {SCALE_RIGHT, HONE_VALID, "", HONE_FINDING_NONE,
         ""}, // and no failure harmed what follows
    };
    struct scale_kernel k;
    bench_open(&k, flags, 0);
    for (uint16_t twin = 0; twin < 2; twin++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct hone_trial trial = bench_evaluate(&k, cases[i].mode, twin);
            assert_int_equal(trial.outcome, cases[i].outcome);
            if (!strstr(trial.reason, cases[i].reason)) fail_msg("%s", trial.reason);
            assert_int_equal(trial.found->finding, cases[i].finding);
            assert_string_equal(trial.found->buffer, cases[i].buffer);
            if (trial.outcome == HONE_WRONG_RESULT && !strstr(trial.reason, large))
                fail_msg("no size in: %s", trial.reason);
            assert_int_equal(trial.reason[0] == '\0', trial.outcome == HONE_VALID);
            assert_int_equal(!isnan(trial.time_us), trial.outcome == HONE_VALID);
        }
    bench_close(&k);
}

// Also where parameters decide it.
static void an_outputs_own_tolerance_counts_for_it(void **state)
{
    (void)state;
    static const unsigned flags[] = {0, SCALE_NO_VERIFY_SIZES, SCALE_WIDE};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        struct scale_kernel k;
        bench_open(&k, flags[i] | SCALE_OWN_TOLERANCE, 0);
        const struct hone_trial right = bench_evaluate(&k, SCALE_RIGHT, 0);
        const struct hone_trial nearly = bench_evaluate(&k, SCALE_NEARLY_RIGHT, 0);
        const struct hone_trial within = bench_evaluate(&k, SCALE_NEARLY_RIGHT, 1);
        assert_int_equal(right.outcome, HONE_VALID);
        assert_int_equal(nearly.outcome, HONE_WRONG_RESULT);
        assert_string_equal(nearly.found->buffer, "y");
        assert_int_equal(within.outcome, HONE_VALID);
        bench_close(&k);
    }
}

static void every_kind_of_wrong_kernel_is_found_and_named(void **state)
{
    (void)state;
    check_outcomes(0);
    check_outcomes(SCALE_NO_VERIFY_SIZES);
    check_outcomes(SCALE_SIZES_DEFINED);
    check_outcomes(SCALE_WIDE);
    check_outcomes(SCALE_WIDE | SCALE_NO_VERIFY_SIZES);
}

static void ragged_size_finds_what_the_round_one_hides(void **state)
{
    (void)state;
    struct scale_kernel k;
    bench_open(&k, 0, 0);
    struct hone_trial trial = bench_evaluate(&k, SCALE_RAGGED_WRONG, 0);
    assert_int_equal(trial.outcome, HONE_WRONG_RESULT);
    assert_non_null(strstr(trial.reason, "N=37"));
    bench_close(&k);
}

// A device that can choose the order of lanes, where one of them shows an ended block.
static enum hone_status launch_in_order(struct hone_device *device,
                                        struct hone_module *module,
                                        const struct hone_launch *launch,
                                        struct hone_fault *fault, struct hone_error *err)
{
    enum hone_status status = fake_device_fns.launch(device, module, launch, fault, err);
    if (launch->report) launch->report->varies = true;
    if (status == HONE_OK && launch->order == HONE_ORDER_LANES)
        *fault = (struct hone_fault){.outcome = HONE_CRASHED,
                                     .finding = HONE_FINDING_PEER,
                                     .reason = "block (1,0,0) has ended"};
    return status;
}

static void a_block_that_ended_lacks_a_barrier_of_its_cluster(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_device_fns ordered = fake_device_fns;
    ordered.launch = launch_in_order;
    bench_open(&k, 0, 0);
    bench_device.fns = &ordered;
    struct hone_trial trial = bench_evaluate(&k, SCALE_RIGHT, 0);
    bench_device.fns = &fake_device_fns;
    assert_int_equal(trial.outcome, HONE_CRASHED);
    assert_int_equal(trial.found->finding, HONE_FINDING_PEER);
    assert_non_null(strstr(trial.reason, "has ended (missing barrier.cluster?)"));
    bench_close(&k);
}

static void unverified_kernels_are_timed_as_they_are(void **state)
{
    (void)state;
    struct scale_kernel k;
    const unsigned flags[][2] = {{0, HONE_EVALUATE_NO_VERIFY}, {SCALE_NO_REFERENCE, 0}};
    for (int i = 0; i < 2; i++) {
        bench_open(&k, flags[i][0], flags[i][1]);
        struct hone_trial trial = bench_evaluate(&k, SCALE_WRONG, 0);
        assert_int_equal(trial.outcome, HONE_VALID);
        assert_true(trial.time_us == 100 + SCALE_WRONG);
        // Without a reference it is run at both sizes, twice and six times more: nobody
        // knows what is right. Then three times round its timing.
        assert_int_equal(fake_counts.launches, i ? 2 * (2 + 6) + 3 : 0);
        bench_close(&k);
    }
}

static void what_needs_no_reference_is_found_without_one(void **state)
{
    (void)state;
    const struct {
        enum scale_mode mode;
        enum hone_outcome outcome;
        const char *reason;
    } cases[] = {{SCALE_RIGHT, HONE_VALID, ""},
                 {SCALE_WRONG, HONE_VALID, ""},
                 {SCALE_UNWRITTEN, HONE_VALID, ""},
                 {SCALE_PAST_END, HONE_WRONG_RESULT, "writes past the end of y"},
                 {SCALE_BEFORE_START, HONE_WRONG_RESULT, "writes before the start of y"},
                 {SCALE_CHANGES_INPUT, HONE_WRONG_RESULT, "changes its input: x[2]"},
                 {SCALE_ENDLESS, HONE_TIMED_OUT, "ran for more than 1 s, at N=16"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scale_kernel k;
        bench_open(&k, SCALE_NO_REFERENCE, HONE_EVALUATE_NO_TIME | HONE_EVALUATE_QUIET);
        const struct hone_trial trial = bench_evaluate(&k, cases[i].mode, 0);
        if (trial.outcome != cases[i].outcome || !strstr(trial.reason, cases[i].reason))
            fail_msg("mode %d: %s: %s", (int)cases[i].mode,
                     hone_outcome_name(trial.outcome), trial.reason);
        // What was left unwritten is a note: y[5] and count[5].
        const bool left = cases[i].mode == SCALE_UNWRITTEN;
        assert_int_equal(trial.metric_count, left);
        if (left) assert_string_equal(trial.metrics[0].name, HONE_METRIC_UNWRITTEN);
        if (left) assert_true(trial.metrics[0].value == 2);
        bench_close(&k);
    }
}

static void untimed_kernels_are_valid_without_a_time(void **state)
{
    (void)state;
    struct scale_kernel k;
    bench_open(&k, 0, HONE_EVALUATE_NO_TIME);
    struct hone_trial trial = bench_evaluate(&k, SCALE_RIGHT, 0);
    assert_int_equal(trial.outcome, HONE_VALID);
    assert_true(isnan(trial.time_us) && isnan(trial.predicted_us));
    assert_int_equal(fake_counts.timings, 0);
    assert_int_equal(bench_evaluate(&k, SCALE_WRONG, 0).outcome, HONE_WRONG_RESULT);
    bench_close(&k);
}

// At the tuned size, with an inout that each launch adds to.
static void what_is_timed_computes_what_one_launch_does(void **state)
{
    (void)state;
    static const unsigned flags[] = {0, SCALE_NO_REFERENCE, SCALE_NO_VERIFY_SIZES,
                                     SCALE_NO_VERIFY_SIZES | SCALE_WIDE};
    static const enum scale_mode modes[] = {SCALE_TIMED_WRONG, SCALE_TIMED_IDLE};
    for (size_t i = 0; i < 8; i++) {
        // Where it is verified at the tuned size it has had its launches by then.
        const bool verified = flags[i / 2] & SCALE_NO_VERIFY_SIZES && i % 2 == 0;
        const char *reason = verified ? "right 3 times, wrong when launched again: y["
                             : i % 2 == 0
                                 ? "differs after it was timed: y[3] is "
                                 : "differs after it was timed: never writes y[0]";
        struct scale_kernel k;
        bench_open(&k, flags[i / 2], HONE_EVALUATE_QUIET);
        const struct hone_trial trial = bench_evaluate(&k, modes[i % 2], 0);
        if (trial.outcome != HONE_WRONG_RESULT || !strstr(trial.reason, reason))
            fail_msg("%zu: %s: %s", i, hone_outcome_name(trial.outcome), trial.reason);
        assert_int_equal(trial.found->finding, HONE_FINDING_STATE);
        assert_string_equal(trial.found->buffer, "y");
        assert_true(isnan(trial.time_us));
        assert_int_equal(bench_evaluate(&k, SCALE_RIGHT, 0).outcome, HONE_VALID);
        bench_close(&k);
    }
}

static size_t planned_launches(const struct scale_kernel *k, unsigned flags)
{
    struct hone_plan plan;
    struct hone_error err = {0};
    const struct hone_evaluate_options options = {.flags = flags | HONE_EVALUATE_QUIET,
                                                  .policy = {.min_samples = 6}};
    assert_ok(hone_plan_init(&plan, k->kernel, &options, &err), err);
    const size_t launches = hone_plan_launches(&plan);
    hone_plan_fini(&plan);
    return launches;
}

// A worker that makes all of them within their deadlines is not given up.
static void no_configuration_is_launched_more_often_than_is_planned(void **state)
{
    (void)state;
    static const unsigned kernels[] = {0, SCALE_NO_REFERENCE, SCALE_NO_VERIFY_SIZES,
                                       SCALE_SIZES_DRAWN, SCALE_SIZES_DRAWN | SCALE_WIDE};
    static const unsigned ways[] = {0, HONE_EVALUATE_NO_TIME, HONE_EVALUATE_NO_VERIFY};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            struct scale_kernel k;
            bench_open(&k, kernels[i], ways[w] | HONE_EVALUATE_QUIET);
            const size_t before = fake_counts.launches;
            assert_int_equal(bench_evaluate(&k, SCALE_RIGHT, 0).outcome, HONE_VALID);
            const size_t samples = ways[w] & HONE_EVALUATE_NO_TIME ? 0 : 7;
            const size_t launches = fake_counts.launches - before + samples;
            assert_true(launches <= planned_launches(&k, ways[w]));
            bench_close(&k);
        }
}

// --- large outputs ---

enum { LARGE = 2 << 20 }; // elements: 8 MiB of each, of which 64 parts are looked at

static struct hone_fault time_large(enum scale_mode mode, enum hone_arg_kind kind)
{
    const struct hone_job_arg args[] = {
        {.name = "x", .kind = HONE_ARG_INPUT, .dtype = HONE_F32, .count = LARGE},
        {.name = "y", .kind = kind, .dtype = HONE_F32, .count = LARGE},
        {.name = "sum", .kind = HONE_ARG_INOUT, .dtype = HONE_F32, .count = LARGE},
        {.name = "count", .kind = kind, .dtype = HONE_I32, .count = LARGE},
        {.name = "a", .kind = HONE_ARG_SCALAR, .dtype = HONE_F32, .value = {.i = 2}},
        {.name = "n", .kind = HONE_ARG_SCALAR, .dtype = HONE_I32, .value = {.i = LARGE}}};
    const struct hone_job job = {.args = args, .arg_count = 6};
    const struct hone_build build = {.max_threads = (int32_t)mode};
    const struct hone_plan plan = {.options = {.data_seed = 1}};
    struct hone_runner runner = {.device = &bench_device, .plan = &plan};
    struct hone_buffers buffers;
    struct hone_timed timed;
    struct hone_timing timing;
    struct hone_fault fault;
    struct hone_error err = {0};
    fake_device_init(&bench_device, HONE_CLOCK_EVENT);
    const struct hone_device_fns *fns = bench_device.fns;
    struct hone_timed_job at = {
        .runner = &runner, .kernel = {.job = &job}, .buffers = &buffers};
    assert_ok(fns->load(&bench_device, &build, "scale", &at.kernel.module, &fault, &err),
              err);
    assert_ok(hone_buffers_init(&buffers, &bench_device, &job, &err), err);
    assert_ok(hone_buffers_randomise(&buffers, &job, at.kernel.module, 1, &err), err);
    assert_ok(hone_timed_begin(&timed, &at, &fault, &err), err);
    assert_int_equal(timed.count, 3 * 64);
    assert_ok(hone_timed_arm(&timed, &at, &err), err);
    const struct hone_launch launch = hone_buffers_launch(&buffers, &job, 0);
    assert_ok(fns->time(&bench_device, at.kernel.module, &launch,
                        &(struct hone_time_policy){0}, &timing, &fault, &err),
              err);
    assert_ok(hone_timed_check(&timed, &at, &fault, &err), err);
    if (fault.outcome == HONE_VALID)
        assert_ok(hone_timed_finish(&timed, &at, &fault, &err), err);
    hone_timed_fini(&timed);
    hone_buffers_fini(&buffers);
    fns->unload(&bench_device, at.kernel.module);
    return fault;
}

static void large_outputs_are_looked_at_in_parts(void **state)
{
    (void)state;
    fake_counts = (struct fake_counts){0};
    assert_int_equal(time_large(SCALE_RIGHT, HONE_ARG_OUTPUT).outcome, HONE_VALID);
    const struct hone_fault idle = time_large(SCALE_TIMED_IDLE, HONE_ARG_OUTPUT);
    assert_int_equal(idle.outcome, HONE_WRONG_RESULT);
    assert_string_equal(idle.buffer, "y");
    if (!strstr(idle.reason, "never writes (y + ")) fail_msg("%s", idle.reason);
    assert_int_equal(fake_counts.modules, 0);
    assert_int_equal(fake_counts.blocks, 0);
}

// A kernel may have no outputs but inouts, which hold its result already.
static void inouts_that_a_launch_overwrites_are_computed_while_timed(void **state)
{
    (void)state;
    assert_int_equal(time_large(SCALE_RIGHT, HONE_ARG_INOUT).outcome, HONE_VALID);
    const struct hone_fault idle = time_large(SCALE_TIMED_IDLE, HONE_ARG_INOUT);
    assert_int_equal(idle.outcome, HONE_WRONG_RESULT);
    assert_string_equal(idle.buffer, "y");
    assert_int_equal(idle.finding, HONE_FINDING_STATE);
}

static void failing_reference_is_refused_by_name(void **state)
{
    (void)state;
    const struct {
        enum scale_mode mode;
        const char *text;
    } cases[] = {
        {SCALE_BROKEN,
         "the reference 'reference.cu' fails (build_failed): expected a ';', at N=16"},
        {SCALE_ENDLESS, "(timed_out): ran for more than 1 s"},
        {SCALE_UNWRITTEN, "(wrong_result): never writes y[5]; 1 of 16 wrong, at N=16"},
        {SCALE_PAST_END, "(wrong_result): writes past the end of y, at byte 64 of 64"},
        {SCALE_CHANGES_INPUT, "changes its input: x[2]"},
        {SCALE_UNKNOWN, "(unsupported): instruction 'frobnicate'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scale_kernel k;
        struct hone_error err = {0};
        fake_reference_mode = cases[i].mode;
        assert_int_equal(bench_try(&k, 0, 0, &err), HONE_EINPUT);
        fake_reference_mode = SCALE_RIGHT;
        if (!strstr(err.text, cases[i].text)) fail_msg("%s", err.text);
        assert_null(k.evaluator);
        bench_close(&k);
    }
}

struct heard {
    int warnings;
    char first[512];
};

static void hear(void *context, enum hone_log_level level, const char *line)
{
    struct heard *heard = context;
    if (level != HONE_LOG_WARNING || !strstr(line, "no numbers")) return;
    if (heard->warnings++) return;
    snprintf(heard->first, sizeof heard->first, "%s", line);
}

// What agrees with NaN is often wrong: the author has to know.
static void a_reference_of_nans_is_warned_of(void **state)
{
    (void)state;
    struct heard heard = {0};
    struct scale_kernel k;
    hone_log_set(hear, &heard);
    fake_reference_mode = SCALE_NOT_A_NUMBER;
    bench_open(&k, 0, 0);
    assert_int_equal(bench_evaluate(&k, SCALE_NOT_A_NUMBER, 0).outcome, HONE_VALID);
    assert_int_equal(bench_evaluate(&k, SCALE_RIGHT, 0).outcome, HONE_WRONG_RESULT);
    bench_close(&k);
    assert_int_equal(heard.warnings, 2); // one a size
    assert_string_equal(heard.first,
                        "the reference 'reference.cu' computes no numbers: y[7] is "
                        "nan; 1 of 16 are no finite numbers, at N=16");
    bench_open(&k, 0, HONE_EVALUATE_QUIET);
    bench_close(&k);
    assert_int_equal(heard.warnings, 2);
    fake_reference_mode = SCALE_RIGHT;
    hone_log_set(NULL, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_reference_of_nans_is_warned_of),
    cmocka_unit_test(every_kind_of_wrong_kernel_is_found_and_named),
    cmocka_unit_test(an_outputs_own_tolerance_counts_for_it),
    cmocka_unit_test(a_block_that_ended_lacks_a_barrier_of_its_cluster),
    cmocka_unit_test(ragged_size_finds_what_the_round_one_hides),
    cmocka_unit_test(unverified_kernels_are_timed_as_they_are),
    cmocka_unit_test(what_needs_no_reference_is_found_without_one),
    cmocka_unit_test(untimed_kernels_are_valid_without_a_time),
    cmocka_unit_test(what_is_timed_computes_what_one_launch_does),
    cmocka_unit_test(inouts_that_a_launch_overwrites_are_computed_while_timed),
    cmocka_unit_test(no_configuration_is_launched_more_often_than_is_planned),
    cmocka_unit_test(large_outputs_are_looked_at_in_parts),
    cmocka_unit_test(failing_reference_is_refused_by_name),
};
HONE_TEST_MAIN_WITH(tests, scale_set_up, scale_tear_down)
