// The project's own kernels on the emulator: a random sample of their configurations,
// each verified against the reference kernel at every size the script names.
#include <string.h>

#include "hone/evaluate.h"
#include "hone_test.h"
#include "rng.h"
#include "script.h"

enum { SAMPLE_MAX = 64 };

struct machine {
    struct hone_builder *builder;
    struct hone_device *device;
    struct hone_script *script;
    struct hone_space *space;
    struct hone_kernel *kernel;
    struct hone_evaluator *evaluator;
};

static void open_machine(struct machine *m, const char *script, const char *device,
                         unsigned flags)
{
    *m = (struct machine){0};
    struct hone_error err = {0};
    const struct hone_builder_options builder = {0};
    enum hone_status status = hone_builder_new(&m->builder, &builder, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_ok(status, err);
    assert_ok(hone_device_open(&m->device, device, &err), err);
    const struct hone_script_options options = {.limits = &m->device->limits};
    assert_ok(hone_script_load(&m->script, script, &options, &err), err);
    const struct hone_kernel_def *def = hone_script_def(m->script);
    assert_ok(hone_space_new(&m->space, &def->space, &err), err);
    assert_ok(hone_kernel_new(&m->kernel, def, m->space, &err), err);
    const struct hone_evaluate_options evaluate = {
        .flags = flags, .data_seed = 7, .policy = hone_time_policy_default};
    assert_ok(hone_evaluator_direct(&m->evaluator, m->kernel, m->device, m->builder,
                                    &evaluate, &err),
              err);
}

static void close_machine(struct machine *m)
{
    hone_evaluator_close(m->evaluator);
    hone_kernel_free(m->kernel);
    hone_space_free(m->space);
    hone_script_free(m->script);
    hone_device_close(m->device);
    hone_builder_free(m->builder);
}

static void print_config(const struct machine *m, const struct hone_trial *trial)
{
    uint16_t choices[32];
    hone_space_choices(m->space, trial->index, choices);
    for (size_t i = 0; i < hone_space_param_count(m->space); i++) {
        const struct hone_param *param = hone_space_param(m->space, i);
        char value[32];
        hone_value_print(value, sizeof value, param->values[choices[i]]);
        print_message("%s=%s ", param->name, value);
    }
    print_message("%s: %s\n", hone_outcome_name(trial->outcome), trial->reason);
}

// A configuration may be rejected for its resources; none may fail in any other way.
static size_t check_trial(const struct machine *m, const struct hone_trial *trial,
                          unsigned flags)
{
    if (trial->outcome == HONE_REJECTED) return 0;
    if (trial->outcome != HONE_VALID) {
        print_config(m, trial);
        fail_msg("configuration %llu is %s", (unsigned long long)trial->index,
                 hone_outcome_name(trial->outcome));
    }
    assert_true(flags & HONE_EVALUATE_NO_TIME || trial->predicted_us > 0);
    return 1;
}

static void check_sample(const char *script, const char *device, size_t size,
                         unsigned flags)
{
    struct machine m;
    open_machine(&m, script, device, flags);
    struct hone_evaluator *e = m.evaluator;
    struct hone_error err = {0};
    struct hone_rng rng;
    hone_rng_seed(&rng, 3);
    uint64_t sample[SAMPLE_MAX];
    size = hone_space_sample(m.space, &rng, sample, size);
    size_t submitted = 0, valid = 0;
    for (size_t done = 0; done < size;) {
        while (submitted < size && submitted - done < e->fns->capacity(e))
            assert_ok(e->fns->submit(e, sample[submitted++], &err), err);
        struct hone_trial trial;
        size_t count = 0;
        assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
        done += count;
        valid += check_trial(&m, &trial, flags);
    }
    assert_true(valid * 2 > size);
    close_machine(&m);
}

static void sampled_sgemm_configurations_are_exact(void **state)
{
    (void)state;
    check_sample("kernels/sgemm.lua", "emu:h200", 24, HONE_EVALUATE_NO_TIME);
}

static void sampled_sgemm_configurations_are_exact_on_a_smaller_gpu(void **state)
{
    (void)state;
    check_sample("kernels/sgemm.lua", "emu:rtx3090", 8, HONE_EVALUATE_NO_TIME);
}

static void sampled_products_on_tensor_cores_are_within_their_tolerance(void **state)
{
    (void)state;
    check_sample("kernels/gemm_mma.lua", "emu:a100", 8, HONE_EVALUATE_NO_TIME);
}

static void sampled_reductions_are_within_their_tolerance(void **state)
{
    (void)state;
    check_sample("kernels/reduction.lua", "emu:h200", 24, HONE_EVALUATE_NO_TIME);
}

static void sampled_convolutions_are_exact(void **state)
{
    (void)state;
    check_sample("kernels/convolution.lua", "emu:a100", 8, HONE_EVALUATE_NO_TIME);
}

static void verified_kernels_get_a_prediction(void **state)
{
    (void)state;
    check_sample("kernels/sgemm.lua", "emu:h200", 3, 0);
    check_sample("kernels/gemm_mma.lua", "emu:h200", 1, 0);
    check_sample("kernels/reduction.lua", "emu:h200", 3, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sampled_sgemm_configurations_are_exact),
    cmocka_unit_test(sampled_sgemm_configurations_are_exact_on_a_smaller_gpu),
    cmocka_unit_test(sampled_products_on_tensor_cores_are_within_their_tolerance),
    cmocka_unit_test(sampled_reductions_are_within_their_tolerance),
    cmocka_unit_test(sampled_convolutions_are_exact),
    cmocka_unit_test(verified_kernels_get_a_prediction),
};
HONE_TEST_MAIN(tests)
