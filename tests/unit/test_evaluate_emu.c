// The direct evaluator with NVRTC on the emulator: kernels that are wrong in every way we
// know, as a real compiler and a real instruction set see them.
#include <math.h>
#include <string.h>

#include "evaluate/buffers.h"
#include "fake/scale_kernel.h"
#include "hone_test.h"

static struct hone_builder *builder;
static struct hone_device *device;

static void open_machine(void)
{
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = ""};
    enum hone_status status = hone_builder_new(&builder, &options, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_ok(status, err);
    assert_ok(hone_device_open(&device, "emu:h200", &err), err);
}

static void close_machine(void)
{
    hone_device_close(device);
    hone_builder_free(builder);
}

static struct hone_trial evaluate(const struct scale_kernel *k, enum scale_mode mode,
                                  uint16_t twin)
{
    struct hone_evaluator *e = k->evaluator;
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(e->fns->submit(e, scale_index(k, mode, twin), &err), err);
    assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
    assert_int_equal(count, 1);
    return trial;
}

static void check_outcomes(unsigned flags)
{
    const struct {
        enum scale_mode mode;
        enum hone_outcome outcome;
        const char *reason; // a part of it
    } cases[] = {
        {SCALE_RIGHT, HONE_VALID, ""},
        {SCALE_NEARLY_RIGHT, HONE_VALID, ""},
        {SCALE_WRONG, HONE_WRONG_RESULT, ", off by 0.25, allowed "},
        {SCALE_WRONG_COUNT, HONE_WRONG_RESULT, "count[2] is 3, reference 2, off by 1"},
        {SCALE_PAST_END, HONE_CRASHED,
         "global store of 4 bytes, 0 bytes past a buffer of "},
        {SCALE_BEFORE_START, HONE_CRASHED, "global store of 4 bytes, 4 bytes before a "},
        {SCALE_UNWRITTEN, HONE_WRONG_RESULT, "never writes y[5]"},
        {SCALE_CHANGES_INPUT, HONE_WRONG_RESULT, "changes its input: x[2] was "},
        {SCALE_NOT_A_NUMBER, HONE_WRONG_RESULT, "y[7] is nan, reference "},
        {SCALE_ENDLESS, HONE_TIMED_OUT, " of scale, scale.cu:"},
        {SCALE_BROKEN, HONE_BUILD_FAILED, "scale.cu:"},
        {SCALE_HEAVY, HONE_REJECTED, "400000 bytes of shared memory"},
        {SCALE_RIGHT, HONE_VALID, ""}, // and no failure harmed what follows
    };
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(scale_open(&k, device, builder, flags, 0, &err), err);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_trial trial = evaluate(&k, cases[i].mode, 0);
        if (trial.outcome != cases[i].outcome || !strstr(trial.reason, cases[i].reason))
            fail_msg("mode %d: %s: %s", (int)cases[i].mode,
                     hone_outcome_name(trial.outcome), trial.reason);
        assert_int_equal(trial.reason[0] == '\0', trial.outcome == HONE_VALID);
        assert_true(isnan(trial.time_us)); // an emulator measures nothing
        assert_int_equal(trial.predicted_us > 0, trial.outcome == HONE_VALID);
    }
    scale_close(&k);
}

static void every_kind_of_wrong_kernel_is_found_on_the_emulator(void **state)
{
    (void)state;
    open_machine();
    check_outcomes(0);
    check_outcomes(SCALE_NO_VERIFY_SIZES | SCALE_SIZES_DEFINED);
    close_machine();
}

static void outputs_are_told_apart_by_their_bits(void **state)
{
    (void)state;
    uint64_t right[2];
    struct hone_error err = {0};
    open_machine();
    for (int again = 0; again < 2; again++) {
        struct scale_kernel k;
        assert_ok(scale_open(&k, device, builder, 0, 0, &err), err);
        right[again] = evaluate(&k, SCALE_RIGHT, 0).outputs;
        assert_true(evaluate(&k, SCALE_NEARLY_RIGHT, 0).outputs != right[again]);
        assert_true(evaluate(&k, SCALE_BROKEN, 0).outputs == 0);
        scale_close(&k);
    }
    assert_true(right[0] != 0 && right[0] == right[1]);
    close_machine();
}

static void ragged_size_is_verified_on_the_emulator(void **state)
{
    (void)state;
    open_machine();
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(scale_open(&k, device, builder, SCALE_SIZES_DEFINED, 0, &err), err);
    struct hone_trial trial = evaluate(&k, SCALE_RAGGED_WRONG, 0);
    assert_int_equal(trial.outcome, HONE_WRONG_RESULT);
    assert_non_null(strstr(trial.reason, "N=37"));
    scale_close(&k);
    close_machine();
}

static void equal_code_from_different_sources_is_predicted_once(void **state)
{
    (void)state;
    open_machine();
    struct scale_kernel k;
    struct hone_error err = {0};
    assert_ok(scale_open(&k, device, builder, 0, 0, &err), err);
    struct hone_trial first = evaluate(&k, SCALE_RIGHT, 0);
    struct hone_trial second = evaluate(&k, SCALE_RIGHT, 1);
    assert_true(first.evaluate_ms > 0 && second.evaluate_ms == 0);
    assert_true(first.predicted_us == second.predicted_us);
    assert_int_equal(first.resources.registers, second.resources.registers);
    assert_true(first.resources.registers > 0 && first.resources.blocks_per_sm > 0);
    scale_close(&k);
    close_machine();
}

static void constants_are_passed_by_value(void **state)
{
    (void)state;
    enum { COUNT = 9 };
    struct hone_error err = {0};
    struct hone_buffers buffers;
    struct hone_job_arg args[] = {
        {.name = "out", .kind = HONE_ARG_OUTPUT, .dtype = HONE_F32, .count = 4},
        {.name = "f", .kind = HONE_ARG_CONSTANT, .dtype = HONE_F32, .count = COUNT}};
    const struct hone_job job = {.args = args, .arg_count = 2};
    assert_ok(hone_device_open(&device, "emu:h200", &err), err);
    assert_ok(hone_buffers_init(&buffers, device, &job, &err), err);
    assert_ok(hone_buffers_make_images(&buffers, 5, &err), err);
    struct hone_launch launch = hone_buffers_launch(&buffers, &job, 0);
    assert_int_equal(launch.param_sizes[0], sizeof(hone_devptr));
    assert_int_equal(launch.param_sizes[1], COUNT * sizeof(float));
    const float *values = launch.params[1];
    for (int i = 1; i < COUNT; i++)
        assert_true(values[i] != values[i - 1] && fabsf(values[i]) <= 1.0F);
    assert_int_equal(buffers.items[1].block, 0); // no device memory
    assert_null(hone_buffers_mismatch(&buffers, &job));
    args[1].count++;
    assert_ptr_equal(hone_buffers_mismatch(&buffers, &job), &args[1]);
    hone_buffers_fini(&buffers);
    args[1].count = HONE_CONSTANT_MAX / sizeof(float) + 1;
    assert_int_equal(hone_buffers_init(&buffers, device, &job, &err), HONE_ELIMIT);
    assert_non_null(strstr(err.text, "constant 'f'"));
    hone_device_close(device);
}

static void workspaces_take_the_size_that_a_job_asks_for(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_buffers buffers;
    struct hone_job_arg args[] = {
        {.name = "out", .kind = HONE_ARG_OUTPUT, .dtype = HONE_F32, .count = 4},
        {.name = "room", .kind = HONE_ARG_WORKSPACE, .dtype = HONE_F32, .count = 0}};
    const struct hone_job job = {.args = args, .arg_count = 2};
    assert_ok(hone_device_open(&device, "emu:h200", &err), err);
    assert_ok(hone_buffers_init(&buffers, device, &job, &err), err);
    assert_ok(hone_buffers_make_images(&buffers, 5, &err), err);
    const hone_devptr out = buffers.items[0].block;
    static const uint64_t counts[] = {1000, 3, 0, 3};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        args[1].count = counts[i];
        assert_null(hone_buffers_mismatch(&buffers, &job));
        assert_ok(hone_buffers_fit(&buffers, &job, &err), err);
        assert_int_equal(buffers.items[1].bytes, counts[i] * sizeof(float));
        const unsigned char *image = buffers.items[1].image;
        const size_t after = HONE_RED_ZONE_BYTES + buffers.items[1].bytes;
        assert_int_equal(image[HONE_RED_ZONE_BYTES - 1], HONE_RED_BYTE);
        assert_int_equal(image[after - 1], counts[i] ? HONE_POISON_FLOAT : HONE_RED_BYTE);
        assert_int_equal(image[after], HONE_RED_BYTE);
        assert_ok(hone_buffers_arm(&buffers, &err), err);
    }
    assert_int_equal(buffers.items[0].block, out); // the others stay
    args[1].count = UINT64_C(1) << 50;
    assert_int_equal(hone_buffers_fit(&buffers, &job, &err), HONE_ELIMIT);
    args[1].count = 5;
    assert_ok(hone_buffers_fit(&buffers, &job, &err), err);
    hone_buffers_fini(&buffers);
    hone_device_close(device);
}

// A kernel that copies both, and decides by neither.
static const char copy_ptx[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 a, .param .u64 b) {\n.reg .b64 %a, %b; .reg .b32 %r;\n"
    "ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.global.b32 %r, [%a];\n"
    "st.global.b32 [%a+4], %r; ld.global.b32 %r, [%b]; st.global.b32 [%b+4], %r;\n"
    "ret;\n}\n";

static void integers_have_values_when_a_time_is_predicted(void **state)
{
    (void)state;
    enum { COUNT = 64 };
    struct hone_error err = {0};
    struct hone_buffers buffers;
    struct hone_job_arg args[] = {
        {.name = "x", .kind = HONE_ARG_INPUT, .dtype = HONE_F32, .count = COUNT},
        {.name = "sizes", .kind = HONE_ARG_INPUT, .dtype = HONE_U32, .count = COUNT}};
    const struct hone_job job = {.args = args, .arg_count = 2};
    uint32_t words[2][COUNT], sum[2] = {0};
    assert_ok(hone_device_open(&device, "emu:h200", &err), err);
    assert_ok(hone_buffers_init(&buffers, device, &job, &err), err);
    struct hone_module *module = NULL;
    struct hone_fault fault = {0};
    const struct hone_build build = {.ptx = copy_ptx, .ptx_size = strlen(copy_ptx)};
    assert_ok(device->fns->load(device, &build, "k", &module, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_ok(hone_buffers_randomise(&buffers, &job, module, 5, &err), err);
    device->fns->unload(device, module);
    for (int i = 0; i < 2; i++) {
        assert_ok(device->fns->copy(device, HONE_TO_HOST, buffers.items[i].data, words[i],
                                    sizeof words[i], &err),
                  err);
        for (int k = 0; k < COUNT; k++)
            sum[i] += words[i][k];
    }
    assert_int_equal(sum[0], 0);
    assert_in_range(sum[1], 2 * COUNT, 6 * COUNT); // 0 .. 8 each
    hone_buffers_fini(&buffers);
    hone_device_close(device);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(integers_have_values_when_a_time_is_predicted),
    cmocka_unit_test(constants_are_passed_by_value),
    cmocka_unit_test(workspaces_take_the_size_that_a_job_asks_for),
    cmocka_unit_test(every_kind_of_wrong_kernel_is_found_on_the_emulator),
    cmocka_unit_test(outputs_are_told_apart_by_their_bits),
    cmocka_unit_test(ragged_size_is_verified_on_the_emulator),
    cmocka_unit_test(equal_code_from_different_sources_is_predicted_once),
};
HONE_TEST_MAIN_WITH(tests, scale_set_up, scale_tear_down)
