// The evaluators: elements and their rounding, verification of kernels that are wrong in
// every way we know, the pipeline of the direct evaluator on a fake machine, and replay.
#include <math.h>
#include <string.h>

#include "element.h"
#include "fake/fake_machine.h"
#include "file.h"
#include "hone/evaluate.h"
#include "hone_test.h"
#include "log.h"

// --- elements ---

static const enum hone_dtype all_dtypes[] = {
#define DTYPE(name, text, bytes) HONE_##name,
    HONE_DTYPE_LIST(DTYPE)
#undef DTYPE
};
enum { DTYPES = sizeof all_dtypes / sizeof *all_dtypes };

static void every_code_of_a_small_float_survives_load_and_store(void **state)
{
    (void)state;
    const enum hone_dtype dtypes[] = {HONE_F16, HONE_BF16, HONE_E4M3, HONE_E5M2};
    for (size_t d = 0; d < 4; d++) {
        const size_t size = hone_dtype_size(dtypes[d]);
        for (uint32_t code = 0; code < 1u << (8 * size); code++) {
            uint32_t back = 0;
            double value = hone_element_load(dtypes[d], &code, 0);
            hone_element_store(dtypes[d], &back, 0, value);
            if (isnan(value))
                assert_true(isnan(hone_element_load(dtypes[d], &back, 0)));
            else
                assert_int_equal(back, code);
        }
    }
}

static unsigned encoded(enum hone_dtype dtype, double value)
{
    unsigned bits = 0;
    hone_element_store(dtype, &bits, 0, value);
    return bits;
}

static void small_floats_have_their_published_codes(void **state)
{
    (void)state;
    assert_int_equal(encoded(HONE_F16, 1), 0x3c00);
    assert_int_equal(encoded(HONE_F16, -65504), 0xfbff);
    assert_int_equal(encoded(HONE_F16, 65520), 0x7c00); // rounds to infinity
    assert_int_equal(encoded(HONE_F16, 65519), 0x7bff);
    assert_int_equal(encoded(HONE_F16, 0x1p-24), 0x0001);
    assert_int_equal(encoded(HONE_F16, 0x1p-25), 0x0000); // a tie, to even
    assert_int_equal(encoded(HONE_F16, 0x1.8p-24), 0x0002);
    assert_int_equal(encoded(HONE_BF16, 1), 0x3f80);
    assert_int_equal(encoded(HONE_BF16, (double)NAN) & 0x7f80, 0x7f80);
    assert_int_equal(encoded(HONE_E4M3, 448), 0x7e); // largest
    assert_int_equal(encoded(HONE_E4M3, 480), 0x7f); // no infinity: NaN
    assert_int_equal(encoded(HONE_E4M3, -0.0), 0x80);
    assert_int_equal(encoded(HONE_E5M2, 57344), 0x7b);
    assert_int_equal(encoded(HONE_E5M2, (double)INFINITY), 0x7c);
}

static void rounding_goes_to_the_nearest_code_and_ties_to_even(void **state)
{
    (void)state;
    const enum hone_dtype dtypes[] = {HONE_F16, HONE_BF16, HONE_E4M3, HONE_E5M2};
    for (size_t d = 0; d < 4; d++) {
        const unsigned last = encoded(dtypes[d], 256);
        for (unsigned code = 0; code < last; code++) {
            unsigned next = code + 1;
            double low = hone_element_load(dtypes[d], &code, 0);
            double high = hone_element_load(dtypes[d], &next, 0);
            double middle = low + (high - low) / 2;
            assert_int_equal(encoded(dtypes[d], nextafter(middle, 0)), code);
            assert_int_equal(encoded(dtypes[d], nextafter(middle, 1e9)), next);
            assert_int_equal(encoded(dtypes[d], middle), code % 2 ? next : code);
        }
    }
}

static void random_data_is_in_range_exact_and_independent_of_chunks(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    for (size_t d = 0; d < DTYPES; d++) {
        const enum hone_dtype dtype = all_dtypes[d];
        const size_t size = hone_dtype_size(dtype);
        unsigned char whole[COUNT * 8], parts[COUNT * 8];
        const struct hone_job_arg arg = {.dtype = dtype, .fill = HONE_FILL_UNIFORM};
        hone_element_fill(&arg, 9, 0, COUNT, whole);
        hone_element_fill(&arg, 9, 0, 300, parts);
        hone_element_fill(&arg, 9, 300, COUNT - 300, parts + 300 * size);
        assert_memory_equal(whole, parts, COUNT * size);
        double sum = 0, least = 99, most = -99;
        for (size_t i = 0; i < COUNT; i++) {
            double x = hone_element_load(dtype, whole, i);
            sum += x;
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        const char kind = hone_dtype_name(dtype)[0];
        const double limit = kind == 'i' || kind == 'u' ? 8 : 1;
        assert_true(least >= (kind == 'u' ? 0 : -limit) && most <= limit);
        assert_true(least < -0.9 * limit || kind == 'u');
        assert_true(most > 0.85 * limit);
        assert_true(fabs(sum / COUNT - (kind == 'u' ? 4 : 0)) < limit / 8);
    }
}

// Means and spreads of 4000 numbers, within four of their standard errors.
static void normal_data_is_normal(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    const enum hone_dtype dtypes[] = {HONE_F64, HONE_F32, HONE_F16, HONE_BF16};
    for (size_t d = 0; d < 4; d++) {
        const struct hone_job_arg arg = {.dtype = dtypes[d], .fill = HONE_FILL_NORMAL};
        unsigned char out[COUNT * 8];
        double sum = 0, squares = 0, within = 0;
        hone_element_fill(&arg, 5, 0, COUNT, out);
        for (size_t i = 0; i < COUNT; i++) {
            const double x = hone_element_load(dtypes[d], out, i);
            sum += x;
            squares += x * x;
            within += fabs(x) < 1;
        }
        assert_true(fabs(sum / COUNT) < 4 / sqrt(COUNT));
        assert_true(fabs(squares / COUNT - 1) < 4 * sqrt(2.0 / COUNT));
        assert_true(fabs(within / COUNT - 0.6827) < 4 * sqrt(0.6827 * 0.3173 / COUNT));
    }
}

static void integers_fill_their_range_evenly(void **state)
{
    (void)state;
    enum { COUNT = 7000 };
    for (size_t d = 0; d < DTYPES; d++) {
        const enum hone_dtype dtype = all_dtypes[d];
        const bool is_unsigned = hone_dtype_name(dtype)[0] == 'u';
        const double low = is_unsigned ? 1 : -3;
        const struct hone_job_arg arg = {.dtype = dtype,
                                         .fill = HONE_FILL_INTEGERS,
                                         .data = {.low = low, .high = low + 6}};
        unsigned char out[COUNT * 8];
        size_t counts[7] = {0};
        hone_element_fill(&arg, 3, 0, COUNT, out);
        for (size_t i = 0; i < COUNT; i++) {
            const double x = hone_element_load(dtype, out, i) - low;
            assert_true(x >= 0 && x <= 6 && x == floor(x));
            counts[(size_t)x]++;
        }
        for (size_t k = 0; k < 7; k++)
            assert_true(counts[k] > 850 && counts[k] < 1150);
    }
}

static void offsets_begin_at_0_and_never_fall(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    const struct hone_job_arg arg = {.dtype = HONE_I32, .fill = HONE_FILL_OFFSETS};
    int32_t out[COUNT], part[10];
    size_t counts[9] = {0};
    hone_element_fill(&arg, 3, 0, COUNT, out);
    hone_element_fill(&arg, 3, 1000, 10, part);
    assert_int_equal(out[0], 0);
    for (size_t i = 1; i < COUNT; i++) {
        assert_in_range(out[i] - out[i - 1], 0, 8);
        counts[out[i] - out[i - 1]]++;
    }
    for (size_t k = 0; k <= 8; k++)
        assert_true(counts[k] > COUNT / 50); // 0 and 8 are to come once in 25
    assert_memory_equal(part, out + 1000, sizeof part);
}

static void constants_and_files_are_copied(void **state)
{
    (void)state;
    const struct hone_job_arg half = {
        .dtype = HONE_BF16, .fill = HONE_FILL_CONSTANT, .data = {0.5, 0.5, NULL, 0}};
    const int32_t three[] = {7, -1, 1 << 30};
    const struct hone_job_arg file = {.dtype = HONE_I32,
                                      .fill = HONE_FILL_FILE,
                                      .data = {.bytes = three, .size = sizeof three}};
    int32_t out[8];
    hone_element_fill(&half, 1, 0, 8, out);
    for (size_t i = 0; i < 8; i++)
        assert_true(hone_element_load(HONE_BF16, out, i) == 0.5);
    hone_element_fill(&file, 1, 1000, 8, out); // 1000 = 3 x 333 + 1
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(out[i], three[(i + 1) % 3]);
}

static void index_data_counts_as_far_as_the_dtype_can(void **state)
{
    (void)state;
    const struct {
        enum hone_dtype dtype;
        uint64_t first;
        double value;
    } cases[] = {{HONE_F32, 16777217, 1}, {HONE_F32, 70000, 70000},
                 {HONE_E4M3, 17, 1},      {HONE_I8, 130, 2},
                 {HONE_U8, 255, 255},     {HONE_I64, 1u << 31, 0x1p31}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char out[8];
        const struct hone_job_arg arg = {.dtype = cases[i].dtype,
                                         .fill = HONE_FILL_INDEX};
        hone_element_fill(&arg, 1, cases[i].first, 1, out);
        assert_true(hone_element_load(cases[i].dtype, out, 0) == cases[i].value);
    }
}

static void scalars_arrive_as_the_kernel_declares_them(void **state)
{
    (void)state;
    uint64_t bits = 0;
    hone_element_from_value(HONE_I32, &bits,
                            (struct hone_value){.type = HONE_INT, .i = -2});
    assert_int_equal(bits, 0xfffffffe);
    bits = 0;
    hone_element_from_value(HONE_U8, &bits,
                            (struct hone_value){.type = HONE_FLOAT, .f = 200});
    assert_int_equal(bits, 200);
    hone_element_from_value(HONE_I64, &bits,
                            (struct hone_value){.type = HONE_INT, .i = INT64_MAX - 1});
    assert_true(bits == (uint64_t)INT64_MAX - 1);
    bits = 0;
    hone_element_from_value(HONE_F32, &bits,
                            (struct hone_value){.type = HONE_INT, .i = 1});
    assert_int_equal(bits, 0x3f800000);
}

static struct hone_device fake_device;

static enum hone_status open_kernel(struct scale_kernel *k, unsigned flags,
                                    unsigned evaluate_flags, struct hone_error *err)
{
    fake_counts = (struct fake_counts){0};
    fake_device_init(&fake_device, HONE_CLOCK_EVENT);
    return scale_open(k, &fake_device, &fake_builder_object, flags, evaluate_flags, err);
}

// Whatever happened, nothing is left behind.
static void close_kernel(struct scale_kernel *k)
{
    scale_close(k);
    assert_int_equal(fake_counts.tickets, 0);
    assert_int_equal(fake_counts.builds_held, 0);
    assert_int_equal(fake_counts.modules, 0);
    assert_int_equal(fake_counts.blocks, 0);
}

static struct hone_trial evaluate(struct scale_kernel *k, enum scale_mode mode,
                                  uint16_t twin)
{
    const uint64_t index = scale_index(k, mode, twin);
    struct hone_evaluator *e = k->evaluator;
    struct hone_trial trial;
    struct hone_error err = {0};
    size_t count = 0;
    assert_ok(e->fns->submit(e, index, &err), err);
    assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
    assert_int_equal(count, 1);
    assert_int_equal(trial.index, index);
    return trial;
}

// --- verification ---

static void check_outcomes(unsigned flags)
{
    const char *large = flags & SCALE_NO_VERIFY_SIZES ? "N=100" : "N=16";
    const struct {
        enum scale_mode mode;
        enum hone_outcome outcome;
        const char *reason; // a part of it
    } cases[] = {
        {SCALE_RIGHT, HONE_VALID, ""},
        {SCALE_NEARLY_RIGHT, HONE_VALID, ""},
        {SCALE_WRONG, HONE_WRONG_RESULT, "y[3] is "},
        {SCALE_WRONG, HONE_WRONG_RESULT, ", off by 0.25, allowed "},
        {SCALE_WRONG, HONE_WRONG_RESULT, "; 1 of "},
        {SCALE_WRONG_COUNT, HONE_WRONG_RESULT,
         "count[2] is 3, reference 2, off by 1, allowed 2e-"},
        {SCALE_PAST_END, HONE_WRONG_RESULT, "writes past the end of y, at byte "},
        {SCALE_BEFORE_START, HONE_WRONG_RESULT,
         "writes before the start of y, at byte -1"},
        {SCALE_UNWRITTEN, HONE_WRONG_RESULT, "never writes y[5]; 1 of "},
        {SCALE_CHANGES_INPUT, HONE_WRONG_RESULT, "changes its input: x[2] was "},
        {SCALE_NOT_A_NUMBER, HONE_WRONG_RESULT, "y[7] is nan, reference "},
        {SCALE_ENDLESS, HONE_TIMED_OUT, "ran for more than 1 s"},
        {SCALE_BROKEN, HONE_BUILD_FAILED, "expected a ';'"},
        {SCALE_HEAVY, HONE_REJECTED, "needs 400000 bytes of shared memory"},
        {SCALE_UNKNOWN, HONE_UNSUPPORTED, "instruction 'frobnicate' at line 7"},
        {SCALE_RIGHT, HONE_VALID, ""}, // and no failure harmed what follows
    };
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(open_kernel(&k, flags, 0, &err), err);
    for (uint16_t twin = 0; twin < 2; twin++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct hone_trial trial = evaluate(&k, cases[i].mode, twin);
            assert_int_equal(trial.outcome, cases[i].outcome);
            if (!strstr(trial.reason, cases[i].reason)) fail_msg("%s", trial.reason);
            if (trial.outcome == HONE_WRONG_RESULT && !strstr(trial.reason, large))
                fail_msg("no size in: %s", trial.reason);
            assert_int_equal(trial.reason[0] == '\0', trial.outcome == HONE_VALID);
            assert_int_equal(!isnan(trial.time_us), trial.outcome == HONE_VALID);
        }
    close_kernel(&k);
}

static void every_kind_of_wrong_kernel_is_found_and_named(void **state)
{
    (void)state;
    check_outcomes(0);
    check_outcomes(SCALE_NO_VERIFY_SIZES);
    check_outcomes(SCALE_SIZES_DEFINED);
}

static void ragged_size_finds_what_the_round_one_hides(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(open_kernel(&k, 0, 0, &err), err);
    struct hone_trial trial = evaluate(&k, SCALE_RAGGED_WRONG, 0);
    assert_int_equal(trial.outcome, HONE_WRONG_RESULT);
    assert_non_null(strstr(trial.reason, "N=37"));
    close_kernel(&k);
}

static void unverified_kernels_are_timed_as_they_are(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    const unsigned flags[][2] = {{0, HONE_EVALUATE_NO_VERIFY}, {SCALE_NO_REFERENCE, 0}};
    for (int i = 0; i < 2; i++) {
        assert_ok(open_kernel(&k, flags[i][0], flags[i][1], &err), err);
        struct hone_trial trial = evaluate(&k, SCALE_WRONG, 0);
        assert_int_equal(trial.outcome, HONE_VALID);
        assert_true(trial.time_us == 100 + SCALE_WRONG);
        assert_int_equal(fake_counts.launches, 0);
        close_kernel(&k);
    }
}

static void untimed_kernels_are_valid_without_a_time(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(open_kernel(&k, 0, HONE_EVALUATE_NO_TIME, &err), err);
    struct hone_trial trial = evaluate(&k, SCALE_RIGHT, 0);
    assert_int_equal(trial.outcome, HONE_VALID);
    assert_true(isnan(trial.time_us) && isnan(trial.predicted_us));
    assert_int_equal(fake_counts.timings, 0);
    assert_int_equal(evaluate(&k, SCALE_WRONG, 0).outcome, HONE_WRONG_RESULT);
    close_kernel(&k);
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
        {SCALE_UNWRITTEN, "(wrong_result): never writes y[5], at N=16"},
        {SCALE_PAST_END, "(wrong_result): writes past the end of y, at byte 64 of 64"},
        {SCALE_CHANGES_INPUT, "changes its input: x[2]"},
        {SCALE_UNKNOWN, "(unsupported): instruction 'frobnicate'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scale_kernel k;
        struct hone_error err = {0};
        fake_reference_mode = cases[i].mode;
        assert_int_equal(open_kernel(&k, 0, 0, &err), HONE_EINPUT);
        fake_reference_mode = SCALE_RIGHT;
        if (!strstr(err.text, cases[i].text)) fail_msg("%s", err.text);
        assert_null(k.evaluator);
        close_kernel(&k);
    }
}

// --- the pipeline ---

static void trials_come_back_in_order_with_their_figures(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(open_kernel(&k, 0, 0, &err), err);
    struct hone_evaluator *e = k.evaluator;
    assert_int_equal(e->fns->capacity(e), 3); // two builder threads and one
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
    close_kernel(&k);
}

static void problem_sizes_in_the_source_are_built_one_by_one(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(open_kernel(&k, 0, 0, &err), err);
    size_t before = fake_counts.builds;
    evaluate(&k, SCALE_RIGHT, 0);
    assert_int_equal(fake_counts.builds - before, 1);
    close_kernel(&k);
    assert_ok(open_kernel(&k, SCALE_SIZES_DEFINED, 0, &err), err);
    before = fake_counts.builds;
    assert_true(evaluate(&k, SCALE_RIGHT, 0).build_ms == 15);
    assert_int_equal(fake_counts.builds - before, 3);
    close_kernel(&k);
}

static void equal_images_are_measured_once(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(open_kernel(&k, 0, 0, &err), err);
    struct hone_trial first = evaluate(&k, SCALE_RIGHT, 0);
    struct hone_trial wrong = evaluate(&k, SCALE_WRONG, 0);
    const struct fake_counts before = fake_counts;
    struct hone_trial second = evaluate(&k, SCALE_RIGHT, 1);
    struct hone_trial also_wrong = evaluate(&k, SCALE_WRONG, 1);
    assert_int_equal(fake_counts.launches, before.launches);
    assert_int_equal(fake_counts.timings, before.timings);
    assert_true(second.time_us == first.time_us && second.samples == first.samples);
    assert_true(second.evaluate_ms == 0 && second.index != first.index);
    assert_string_equal(also_wrong.reason, wrong.reason);
    close_kernel(&k);
}

static void timed_inputs_are_random_on_a_device_that_measures(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(open_kernel(&k, 0, 0, &err), err);
    double first_x = evaluate(&k, SCALE_RIGHT, 0).metrics[0].value;
    assert_true(first_x != 0 && fabs(first_x) <= 1);
    fake_device.clock = HONE_CLOCK_EMULATED;
    close_kernel(&k);
    assert_ok(open_kernel(&k, 0, HONE_EVALUATE_NO_VERIFY, &err), err);
    fake_device.clock = HONE_CLOCK_EMULATED; // it predicts from counts
    assert_true(evaluate(&k, SCALE_RIGHT, 0).metrics[0].value == 0);
    close_kernel(&k);
}

static void too_much_memory_rejects_one_configuration(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(open_kernel(&k, SCALE_SIZE_BY_MODE | SCALE_NO_REFERENCE, 0, &err), err);
    struct hone_trial trial = evaluate(&k, SCALE_NEARLY_RIGHT, 0);
    assert_int_equal(trial.outcome, HONE_REJECTED);
    assert_non_null(strstr(trial.reason, "no room for 400008192 bytes"));
    assert_int_equal(evaluate(&k, SCALE_RIGHT, 0).outcome, HONE_VALID);
    close_kernel(&k);
}

static void lost_device_is_reported_after_its_last_trial(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(open_kernel(&k, 0, 0, &err), err);
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
    close_kernel(&k);
}

static void device_that_breaks_ends_the_run(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(open_kernel(&k, 0, 0, &err), err);
    struct hone_evaluator *e = k.evaluator;
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(e->fns->submit(e, scale_index(&k, SCALE_UNPLUGGED, 0), &err), err);
    assert_int_equal(e->fns->wait(e, &trial, 1, &count, &err), HONE_EDEVICE);
    assert_string_equal(err.text, "fell off the bus");
    close_kernel(&k);
}

static void work_in_flight_is_dropped_on_close(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(open_kernel(&k, 0, 0, &err), err);
    struct hone_evaluator *e = k.evaluator;
    for (uint64_t i = 0; i < 3; i++)
        assert_ok(e->fns->submit(e, i, &err), err);
    assert_int_equal(fake_counts.tickets, 3);
    close_kernel(&k);
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
    assert_ok(open_kernel(&k, SCALE_NO_REFERENCE, 0, &err), err);
    hone_log_set(NULL, NULL);
    assert_int_equal(warnings, 1);
    close_kernel(&k);
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
        strcpy(trial.reason, i == 1 ? "illegal address" : "");
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_code_of_a_small_float_survives_load_and_store),
    cmocka_unit_test(small_floats_have_their_published_codes),
    cmocka_unit_test(rounding_goes_to_the_nearest_code_and_ties_to_even),
    cmocka_unit_test(random_data_is_in_range_exact_and_independent_of_chunks),
    cmocka_unit_test(normal_data_is_normal),
    cmocka_unit_test(integers_fill_their_range_evenly),
    cmocka_unit_test(offsets_begin_at_0_and_never_fall),
    cmocka_unit_test(constants_and_files_are_copied),
    cmocka_unit_test(index_data_counts_as_far_as_the_dtype_can),
    cmocka_unit_test(scalars_arrive_as_the_kernel_declares_them),
    cmocka_unit_test(every_kind_of_wrong_kernel_is_found_and_named),
    cmocka_unit_test(ragged_size_finds_what_the_round_one_hides),
    cmocka_unit_test(unverified_kernels_are_timed_as_they_are),
    cmocka_unit_test(untimed_kernels_are_valid_without_a_time),
    cmocka_unit_test(failing_reference_is_refused_by_name),
    cmocka_unit_test(trials_come_back_in_order_with_their_figures),
    cmocka_unit_test(problem_sizes_in_the_source_are_built_one_by_one),
    cmocka_unit_test(equal_images_are_measured_once),
    cmocka_unit_test(timed_inputs_are_random_on_a_device_that_measures),
    cmocka_unit_test(too_much_memory_rejects_one_configuration),
    cmocka_unit_test(lost_device_is_reported_after_its_last_trial),
    cmocka_unit_test(device_that_breaks_ends_the_run),
    cmocka_unit_test(work_in_flight_is_dropped_on_close),
    cmocka_unit_test(missing_reference_is_a_warning),
    cmocka_unit_test(replay_answers_what_was_recorded),
};
HONE_TEST_MAIN_WITH(tests, scale_set_up, scale_tear_down)
