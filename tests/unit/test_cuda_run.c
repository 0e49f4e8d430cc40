// From a kernel script to timed trials on cuda:0, with everything real but the driver:
// the fake one computes what the kernels should, and takes time and fails as it is told.
#include <math.h>

#include "hone_test.h"

#define FAKE_USE_REAL_NVRTC
#include "base/log.h"
#include "fake/fake_use.h"
#include "hone/evaluate.h"
#include "hone/rng.h"
#include "hone/script.h"

struct run {
    struct hone_device *dev;
    struct hone_script *script;
    struct hone_space *space;
    struct hone_kernel *kernel;
    struct hone_builder *builder;
    struct hone_evaluator *evaluator;
};

// The fake must be configured before: the reference runs here.
static struct run run_open(const char *path)
{
    struct run run = {0};
    struct hone_error err = {0};
    const struct hone_builder_options building = {.cache_folder = ""};
    if (hone_builder_new(&run.builder, &building, &err) == HONE_ENODEVICE)
        SKIP("%s", err.text);
    assert_ok(hone_device_open(&run.dev, "cuda:0", &err), err);
    const struct hone_script_options options = {.limits = &run.dev->limits};
    assert_ok(hone_script_load(&run.script, path, &options, &err), err);
    const struct hone_kernel_def *def = hone_script_def(run.script);
    assert_ok(hone_space_new(&run.space, &def->space, &err), err);
    assert_ok(hone_kernel_new(&run.kernel, def, run.space, &err), err);
    const struct hone_evaluate_options evaluating = {.policy = hone_time_policy_default,
                                                     .data_seed = 1};
    assert_ok(hone_evaluator_direct(&run.evaluator, run.kernel, run.dev, run.builder,
                                    &evaluating, &err),
              err);
    return run;
}

static void run_close(struct run *run)
{
    hone_evaluator_close(run->evaluator);
    hone_builder_free(run->builder);
    hone_kernel_free(run->kernel);
    hone_space_free(run->space);
    hone_script_free(run->script);
    hone_device_close(run->dev);
}

// One configuration through every stage; its status is that of the evaluator.
static enum hone_status run_one(struct run *run, uint64_t index, struct hone_trial *trial)
{
    struct hone_error err = {0};
    size_t count = 0;
    const struct hone_evaluator_fns *fns = run->evaluator->fns;
    assert_ok(fns->submit(run->evaluator, index, &err), err);
    enum hone_status status = fns->wait(run->evaluator, trial, 1, &count, &err);
    if (status == HONE_OK) assert_int_equal(count, 1);
    return status;
}

static void expect_valid_sample(const char *path, size_t n, const char *fake_options)
{
    fake.configure(fake_options);
    struct run run = run_open(path);
    struct hone_rng rng;
    uint64_t indices[8];
    hone_rng_seed(&rng, 3);
    assert_int_equal(hone_space_sample(run.space, &rng, indices, n), n);
    for (size_t i = 0; i < n; i++) {
        struct hone_trial trial;
        assert_int_equal(run_one(&run, indices[i], &trial), HONE_OK);
        if (trial.outcome == HONE_REJECTED)
            continue; // more registers than a block may have
        if (trial.outcome != HONE_VALID) fail_msg("%s: %s", path, trial.reason);
        assert_true(trial.time_us > 2 && isnan(trial.predicted_us));
        assert_true(trial.samples >= 2); // at least what loses a race
    }
    run_close(&run);
    assert_int_equal(fake.live(), 0);
}

static void sgemm_is_verified_and_timed(void **state)
{
    (void)state;
    expect_valid_sample("kernels/sgemm.lua", 3, "memory=4e9");
}

static void reduction_is_verified_and_timed(void **state)
{
    (void)state;
    // Blocks that stay: their threads do not tell the work.
    expect_valid_sample("kernels/reduction.lua", 4, "memory=4e9,kernel_us=80");
}

// Three matrices of 64 MiB at the tuned size.
static void what_is_timed_is_not_copied_from_the_host(void **state)
{
    (void)state;
    fake.configure("memory=4e9");
    struct run run = run_open("kernels/sgemm.lua");
    struct hone_trial trial;
    const size_t before = fake.copied();
    assert_int_equal(run_one(&run, 0, &trial), HONE_OK);
    assert_int_equal(trial.outcome, HONE_VALID);
    assert_true(fake.copied() - before < 16 << 20);
    run_close(&run);
    assert_int_equal(fake.live(), 0);
}

static void compute_nothing(const struct fake_cuda_launch *launch)
{
    (void)launch;
}

static void kernel_that_writes_nothing_is_wrong(void **state)
{
    (void)state;
    fake.configure("memory=4e9");
    struct run run = run_open("kernels/sgemm.lua");
    struct hone_trial trial;
    fake.body("sgemm", compute_nothing);
    assert_int_equal(run_one(&run, 0, &trial), HONE_OK);
    assert_int_equal(trial.outcome, HONE_WRONG_RESULT);
    assert_true(isnan(trial.time_us));
    run_close(&run);
}

static float *output_of(const struct fake_cuda_launch *launch, int i)
{
    float *out;
    memcpy(&out, launch->params[i], sizeof out);
    return out;
}

static int integer_of(const struct fake_cuda_launch *launch, int i)
{
    int out;
    memcpy(&out, launch->params[i], sizeof out);
    return out;
}

// Ones in all of D, and beyond it as many as told; a launch at the tuned size is left
// alone. Argument 3 is D, which ends with its last row, 10 and 11 are M and N, 16 is the
// leading dimension of D.
static void write_ones(const struct fake_cuda_launch *launch, int beyond)
{
    const int m = integer_of(launch, 10), n = integer_of(launch, 11);
    const int ldd = integer_of(launch, 16);
    if ((double)m * ldd > 1e5) return;
    float *d = output_of(launch, 3);
    for (int i = 0; i < (m - 1) * ldd + n + beyond; i++)
        d[i] = 1;
}

static void ones(const struct fake_cuda_launch *launch)
{
    write_ones(launch, 0);
}

static void one_too_many(const struct fake_cuda_launch *launch)
{
    write_ones(launch, 1);
}

static void write_past_the_end_is_found(void **state)
{
    (void)state;
    fake.configure("memory=4e9");
    fake.body("gemm_reference", ones);
    fake.body("sgemm", ones);
    struct run run = run_open("kernels/sgemm.lua");
    struct hone_trial trial;
    assert_int_equal(run_one(&run, 0, &trial), HONE_OK);
    assert_int_equal(trial.outcome, HONE_VALID);
    fake.body("sgemm", one_too_many);
    assert_int_equal(run_one(&run, 1, &trial), HONE_OK);
    assert_int_equal(trial.outcome, HONE_WRONG_RESULT);
    assert_non_null(strstr(trial.reason, "past"));
    run_close(&run);
}

static void sticky_fault_costs_a_trial_and_the_device(void **state)
{
    (void)state;
    fake.configure("memory=4e9");
    struct run run = run_open("kernels/sgemm.lua");
    struct hone_trial trial;
    char config[64];
    snprintf(config, sizeof config, "fault=700@%zu", fake.launches() + 1);
    assert_int_equal(fake.adjust(config), 0);
    assert_int_equal(run_one(&run, 0, &trial), HONE_OK);
    assert_int_equal(trial.outcome, HONE_CRASHED);
    assert_non_null(strstr(trial.reason, "CUDA_ERROR_ILLEGAL_ADDRESS"));
    assert_int_equal(trial.found->finding, HONE_FINDING_OUT_OF_BOUNDS);
    struct hone_error err = {0};
    size_t count = 0;
    enum hone_status status = run.evaluator->fns->submit(run.evaluator, 1, &err);
    if (status == HONE_OK)
        status = run.evaluator->fns->wait(run.evaluator, &trial, 1, &count, &err);
    assert_int_equal(status, HONE_EDEVICE);
    assert_non_null(strstr(err.text, "CUDA_ERROR_ILLEGAL_ADDRESS"));
    run_close(&run);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sgemm_is_verified_and_timed),
    cmocka_unit_test(reduction_is_verified_and_timed),
    cmocka_unit_test(what_is_timed_is_not_copied_from_the_host),
    cmocka_unit_test(kernel_that_writes_nothing_is_wrong),
    cmocka_unit_test(write_past_the_end_is_found),
    cmocka_unit_test(sticky_fault_costs_a_trial_and_the_device),
};
HONE_TEST_MAIN(tests)
