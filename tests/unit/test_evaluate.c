// The evaluators: verification of kernels that are wrong in every way we know, the pipeline
// of the direct evaluator on a fake machine, and replay.
#include <math.h>
#include <string.h>

#include "base/file.h"
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
    struct hone_error err = {0};
    assert_ok(bench_open(&k, flags, 0, &err), err);
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
    struct hone_error err = {0};
    assert_ok(bench_open(&k, 0, 0, &err), err);
    struct hone_trial trial = bench_evaluate(&k, SCALE_RAGGED_WRONG, 0);
    assert_int_equal(trial.outcome, HONE_WRONG_RESULT);
    assert_non_null(strstr(trial.reason, "N=37"));
    bench_close(&k);
}

static void unverified_kernels_are_timed_as_they_are(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    const unsigned flags[][2] = {{0, HONE_EVALUATE_NO_VERIFY}, {SCALE_NO_REFERENCE, 0}};
    for (int i = 0; i < 2; i++) {
        assert_ok(bench_open(&k, flags[i][0], flags[i][1], &err), err);
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
        struct hone_error err = {0};
        assert_ok(bench_open(&k, SCALE_NO_REFERENCE,
                             HONE_EVALUATE_NO_TIME | HONE_EVALUATE_QUIET, &err),
                  err);
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
    struct hone_error err = {0};
    assert_ok(bench_open(&k, 0, HONE_EVALUATE_NO_TIME, &err), err);
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
        struct hone_error err = {0};
        assert_ok(bench_open(&k, flags[i / 2], HONE_EVALUATE_QUIET, &err), err);
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
            struct hone_error err = {0};
            assert_ok(bench_open(&k, kernels[i], ways[w] | HONE_EVALUATE_QUIET, &err),
                      err);
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
    struct hone_timed_job at = {.runner = &runner, .job = &job, .buffers = &buffers};
    assert_ok(fns->load(&bench_device, &build, "scale", &at.module, &fault, &err), err);
    assert_ok(hone_buffers_init(&buffers, &bench_device, &job, &err), err);
    assert_ok(hone_buffers_randomise(&buffers, &job, at.module, 1, &err), err);
    assert_ok(hone_timed_begin(&timed, &at, &fault, &err), err);
    assert_int_equal(timed.count, 3 * 64);
    assert_ok(hone_timed_arm(&timed, &at, &err), err);
    const struct hone_launch launch = hone_buffers_launch(&buffers, &job, 0);
    assert_ok(fns->time(&bench_device, at.module, &launch, &(struct hone_time_policy){0},
                        &timing, &fault, &err),
              err);
    assert_ok(hone_timed_check(&timed, &at, &fault, &err), err);
    if (fault.outcome == HONE_VALID)
        assert_ok(hone_timed_finish(&timed, &at, &fault, &err), err);
    hone_timed_fini(&timed);
    hone_buffers_fini(&buffers);
    fns->unload(&bench_device, at.module);
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
        assert_int_equal(bench_open(&k, 0, 0, &err), HONE_EINPUT);
        fake_reference_mode = SCALE_RIGHT;
        if (!strstr(err.text, cases[i].text)) fail_msg("%s", err.text);
        assert_null(k.evaluator);
        bench_close(&k);
    }
}

// --- the pipeline ---

static void trials_come_back_in_order_with_their_figures(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(bench_open(&k, 0, 0, &err), err);
    struct hone_evaluator *e = k.evaluator;
    assert_int_equal(e->fns->capacity(e), 9); // four of each builder thread, and one
    const enum scale_mode modes[] = {SCALE_NEARLY_RIGHT, SCALE_BROKEN, SCALE_RIGHT};
    for (int i = 0; i < 3; i++)
        assert_ok(e->fns->submit(e, scale_index(&k, modes[i], 0), &err), err);
    struct hone_trial trials[3];
    for (int i = 0; i < 3; i++) {
        size_t count = 0;
        assert_ok(e->fns->wait(e, &trials[i], 3, &count, &err), err);
        assert_int_equal(count, 1);
        assert_int_equal(trials[i].index, scale_index(&k, modes[i], 0));
    }
    assert_int_equal(trials[1].outcome, HONE_BUILD_FAILED);
    assert_true(trials[2].time_us == 100 && trials[2].rel_std == 0.01);
    assert_int_equal(trials[2].samples, 7);
    assert_int_equal(trials[2].metric_count, 1);
    assert_int_equal(trials[2].resources.registers, 10);
    assert_int_equal(trials[2].resources.blocks_per_sm, 4);
    assert_true(trials[2].build_ms == 5 && trials[2].evaluate_ms >= 0);
    size_t count = 9;
    assert_ok(e->fns->wait(e, trials, 3, &count, &err), err);
    assert_int_equal(count, 0); // nothing in flight
    bench_close(&k);
}

static void problem_sizes_in_the_source_are_built_one_by_one(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(bench_open(&k, 0, 0, &err), err);
    size_t before = fake_counts.builds;
    bench_evaluate(&k, SCALE_RIGHT, 0);
    assert_int_equal(fake_counts.builds - before, 1);
    bench_close(&k);
    assert_ok(bench_open(&k, SCALE_SIZES_DEFINED, 0, &err), err);
    before = fake_counts.builds;
    assert_true(bench_evaluate(&k, SCALE_RIGHT, 0).build_ms == 15);
    assert_int_equal(fake_counts.builds - before, 3);
    bench_close(&k);
}

static void equal_images_are_measured_once(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(bench_open(&k, 0, 0, &err), err);
    struct hone_trial first = bench_evaluate(&k, SCALE_RIGHT, 0);
    struct hone_trial wrong = bench_evaluate(&k, SCALE_WRONG, 0);
    const struct fake_counts before = fake_counts;
    struct hone_trial second = bench_evaluate(&k, SCALE_RIGHT, 1);
    struct hone_trial also_wrong = bench_evaluate(&k, SCALE_WRONG, 1);
    assert_int_equal(fake_counts.launches, before.launches);
    assert_int_equal(fake_counts.timings, before.timings);
    assert_true(second.time_us == first.time_us && second.samples == first.samples);
    assert_true(second.evaluate_ms == 0 && second.index != first.index);
    assert_string_equal(also_wrong.reason, wrong.reason);
    bench_close(&k);
}

static void timed_inputs_are_random_on_a_device_that_measures(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(bench_open(&k, 0, 0, &err), err);
    double first_x = bench_evaluate(&k, SCALE_RIGHT, 0).metrics[0].value;
    assert_true(first_x != 0 && fabs(first_x) <= 1);
    bench_device.clock = HONE_CLOCK_EMULATED;
    bench_close(&k);
    assert_ok(bench_open(&k, 0, HONE_EVALUATE_NO_VERIFY, &err), err);
    bench_device.clock = HONE_CLOCK_EMULATED; // it predicts from counts
    assert_true(bench_evaluate(&k, SCALE_RIGHT, 0).metrics[0].value == 0);
    bench_close(&k);
}

static void a_prediction_has_the_data_that_its_kernel_steers_by(void **state)
{
    (void)state;
    static const enum scale_mode modes[] = {SCALE_RIGHT, SCALE_NEARLY_RIGHT, SCALE_WRONG};
    double first_x[3];
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(bench_open(&k, 0, HONE_EVALUATE_NO_VERIFY, &err), err);
    bench_device.clock = HONE_CLOCK_EMULATED;
    fake_steered_modes = 1u << SCALE_NEARLY_RIGHT;
    for (size_t i = 0; i < 3; i++)
        first_x[i] = bench_evaluate(&k, modes[i], 0).metrics[0].value;
    fake_steered_modes = 0;
    bench_close(&k);
    assert_true(first_x[0] == 0);
    assert_true(first_x[1] != 0 && fabs(first_x[1]) <= 1);
    assert_true(first_x[2] == first_x[1]); // they stay: nothing is lost by them
}

static void the_first_configuration_is_built_while_references_run(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(bench_open(&k, 0, 0, &err), err);
    const size_t references = fake_counts.builds;
    for (int unused = 0; unused < 2; unused++) {
        hone_evaluator_close(k.evaluator);
        k.evaluator = NULL;
        fake_counts.builds = 0;
        const uint64_t first = scale_index(&k, SCALE_RIGHT, unused ? 1 : 0);
        const struct hone_evaluate_options options = {.data_seed = 1, .first = &first};
        assert_ok(hone_evaluator_direct(&k.evaluator, k.kernel, &bench_device,
                                        &fake_builder_object, &options, &err),
                  err);
        assert_true(fake_counts.builds > references);
        const size_t builds = fake_counts.builds;
        assert_int_equal(bench_evaluate(&k, SCALE_RIGHT, 0).outcome, HONE_VALID);
        assert_int_equal(fake_counts.builds > builds, unused); // it was another one
    }
    bench_close(&k);
}

static void too_much_memory_rejects_one_configuration(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(bench_open(&k, SCALE_SIZE_BY_MODE | SCALE_NO_REFERENCE, 0, &err), err);
    struct hone_trial trial = bench_evaluate(&k, SCALE_NEARLY_RIGHT, 0);
    assert_int_equal(trial.outcome, HONE_REJECTED);
    assert_non_null(strstr(trial.reason, "no room for 400010240 bytes"));
    assert_int_equal(bench_evaluate(&k, SCALE_RIGHT, 0).outcome, HONE_VALID);
    bench_close(&k);
}

static void lost_device_is_reported_after_its_last_trial(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(bench_open(&k, 0, 0, &err), err);
    struct hone_evaluator *e = k.evaluator;
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(e->fns->submit(e, scale_index(&k, SCALE_STICKY, 0), &err), err);
    assert_ok(e->fns->submit(e, scale_index(&k, SCALE_RIGHT, 0), &err), err);
    assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
    assert_int_equal(trial.outcome, HONE_CRASHED);
    assert_int_equal(e->fns->wait(e, &trial, 1, &count, &err), HONE_EDEVICE);
    assert_int_equal(count, 0);
    assert_string_equal(err.text, "device fake:0 is lost: illegal address, at N=16");
    err = (struct hone_error){0};
    assert_int_equal(e->fns->submit(e, 0, &err), HONE_EDEVICE);
    bench_close(&k);
}

static void device_that_breaks_ends_the_run(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(bench_open(&k, 0, 0, &err), err);
    struct hone_evaluator *e = k.evaluator;
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(e->fns->submit(e, scale_index(&k, SCALE_UNPLUGGED, 0), &err), err);
    assert_int_equal(e->fns->wait(e, &trial, 1, &count, &err), HONE_EDEVICE);
    assert_string_equal(err.text, "fell off the bus");
    bench_close(&k);
}

static void work_in_flight_is_dropped_on_close(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(bench_open(&k, 0, 0, &err), err);
    struct hone_evaluator *e = k.evaluator;
    for (uint64_t i = 0; i < 3; i++)
        assert_ok(e->fns->submit(e, i, &err), err);
    assert_int_equal(fake_counts.tickets, 3);
    bench_close(&k);
}

static void count_warnings(void *context, enum hone_log_level level, const char *line)
{
    *(int *)context += level == HONE_LOG_WARNING && strstr(line, "has no reference");
}

static void missing_reference_is_a_warning(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    int warnings = 0;
    hone_log_set(count_warnings, &warnings);
    assert_ok(bench_open(&k, SCALE_NO_REFERENCE, 0, &err), err);
    hone_log_set(NULL, NULL);
    assert_int_equal(warnings, 1);
    bench_close(&k);
}

// --- replay ---

static struct hone_recording *record_three(void)
{
    char path[96];
    snprintf(path, sizeof path, "%s/replay.jsonl", scale_folder);
    const struct hone_value values[] = {{.type = HONE_INT, .i = 1},
                                        {.type = HONE_INT, .i = 2},
                                        {.type = HONE_INT, .i = 4}};
    const struct hone_param params[] = {{.name = "BM", .values = values, .count = 3}};
    const struct hone_record_info info = {.kernel = "toy",
                                          .params = params,
                                          .param_count = 1,
                                          .clock = "cupti",
                                          .objective = "time_us",
                                          .device_name = "toy",
                                          .device_id = "cuda:0"};
    struct hone_journal *journal = NULL;
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    for (uint16_t i = 0; i < 3; i++) {
        struct hone_trial trial = hone_trial_make(i, i == 1 ? HONE_CRASHED : HONE_VALID);
        if (i != 1) trial.time_us = 10.0 + i;
        if (i == 1) trial.reason = "illegal address";
        assert_ok(hone_journal_append(journal, &trial, &i, &err), err);
    }
    assert_ok(hone_journal_close(journal, &err), err);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    return recording;
}

static void replay_answers_what_was_recorded(void **state)
{
    (void)state;
    struct hone_recording *recording = record_three();
    struct hone_evaluator *e = NULL;
    struct hone_error err = {0};
    assert_ok(hone_evaluator_replay(&e, recording, &err), err);
    const double times[] = {10, (double)NAN, 12};
    for (uint64_t index = 0; index < 4; index++) {
        struct hone_trial trial;
        size_t count = 0;
        assert_ok(e->fns->submit(e, index, &err), err);
        assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
        assert_int_equal(count, 1);
        assert_int_equal(trial.index, index);
        if (index == 3) {
            assert_int_equal(trial.outcome, HONE_REJECTED);
            assert_string_equal(trial.reason, "not in the recording");
        } else if (index == 1) {
            assert_int_equal(trial.outcome, HONE_CRASHED);
            assert_string_equal(trial.reason, "illegal address");
        } else {
            assert_true(trial.time_us == times[index]);
        }
        assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
        assert_int_equal(count, 0);
    }
    hone_evaluator_close(e);
    hone_recording_free(recording);
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
    struct hone_error err = {0};
    hone_log_set(hear, &heard);
    fake_reference_mode = SCALE_NOT_A_NUMBER;
    assert_ok(bench_open(&k, 0, 0, &err), err);
    assert_int_equal(bench_evaluate(&k, SCALE_NOT_A_NUMBER, 0).outcome, HONE_VALID);
    assert_int_equal(bench_evaluate(&k, SCALE_RIGHT, 0).outcome, HONE_WRONG_RESULT);
    bench_close(&k);
    assert_int_equal(heard.warnings, 2); // one a size
    assert_string_equal(heard.first,
                        "the reference 'reference.cu' computes no numbers: y[7] is "
                        "nan; 1 of 16 are no finite numbers, at N=16");
    assert_ok(bench_open(&k, 0, HONE_EVALUATE_QUIET, &err), err);
    bench_close(&k);
    assert_int_equal(heard.warnings, 2);
    fake_reference_mode = SCALE_RIGHT;
    hone_log_set(NULL, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_reference_of_nans_is_warned_of),
    cmocka_unit_test(every_kind_of_wrong_kernel_is_found_and_named),
    cmocka_unit_test(ragged_size_finds_what_the_round_one_hides),
    cmocka_unit_test(unverified_kernels_are_timed_as_they_are),
    cmocka_unit_test(what_needs_no_reference_is_found_without_one),
    cmocka_unit_test(untimed_kernels_are_valid_without_a_time),
    cmocka_unit_test(what_is_timed_computes_what_one_launch_does),
    cmocka_unit_test(inouts_that_a_launch_overwrites_are_computed_while_timed),
    cmocka_unit_test(no_configuration_is_launched_more_often_than_is_planned),
    cmocka_unit_test(large_outputs_are_looked_at_in_parts),
    cmocka_unit_test(failing_reference_is_refused_by_name),
    cmocka_unit_test(trials_come_back_in_order_with_their_figures),
    cmocka_unit_test(problem_sizes_in_the_source_are_built_one_by_one),
    cmocka_unit_test(equal_images_are_measured_once),
    cmocka_unit_test(timed_inputs_are_random_on_a_device_that_measures),
    cmocka_unit_test(a_prediction_has_the_data_that_its_kernel_steers_by),
    cmocka_unit_test(the_first_configuration_is_built_while_references_run),
    cmocka_unit_test(too_much_memory_rejects_one_configuration),
    cmocka_unit_test(lost_device_is_reported_after_its_last_trial),
    cmocka_unit_test(device_that_breaks_ends_the_run),
    cmocka_unit_test(work_in_flight_is_dropped_on_close),
    cmocka_unit_test(missing_reference_is_a_warning),
    cmocka_unit_test(replay_answers_what_was_recorded),
};
HONE_TEST_MAIN_WITH(tests, scale_set_up, scale_tear_down)
