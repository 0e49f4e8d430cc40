// The project's own kernels on the emulator: a random sample of their configurations,
// each verified against the reference kernel at every size the script names.
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "emu_kernel.h"
#include "hone/evaluate.h"
#include "hone/script.h"

enum { SAMPLE_MAX = 64, SETTINGS_MAX = 8 };

struct machine {
    struct hone_builder *builder;
    struct hone_device *device;
    struct hone_script *script;
    struct hone_space *space;
    struct hone_kernel *kernel;
    struct hone_evaluator *evaluator;
};

// What is checked: a script with settings "TYPE=f16 ACT=silu", a device, how many.
struct sample {
    const char *script, *settings, *device;
    size_t size;
    unsigned flags;
};

// text, which is cut, as --set gives it.
static size_t split_settings(struct hone_script_set *out, char *text)
{
    size_t count = 0;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        assert_true(value && count < SETTINGS_MAX);
        *value++ = '\0';
        out[count++] = (struct hone_script_set){word, value};
    }
    return count;
}

static void open_machine(struct machine *m, const struct sample *sample)
{
    *m = (struct machine){0};
    struct hone_error err = {0};
    const struct hone_builder_options builder = {0};
    enum hone_status status = hone_builder_new(&m->builder, &builder, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_ok(status, err);
    assert_ok(hone_device_open(&m->device, sample->device, &err), err);
    emu_vary(m->device);
    char settings[200];
    struct hone_script_set set[SETTINGS_MAX];
    snprintf(settings, sizeof settings, "%s", sample->settings);
    const struct hone_script_options options = {.limits = &m->device->limits,
                                                .set = set,
                                                .set_count =
                                                    split_settings(set, settings)};
    assert_ok(hone_script_load(&m->script, sample->script, &options, &err), err);
    const struct hone_kernel_def *def = hone_script_def(m->script);
    assert_ok(hone_space_new(&m->space, &def->space, &err), err);
    assert_ok(hone_kernel_new(&m->kernel, def, m->space, &err), err);
    const struct hone_evaluate_options evaluate = {
        .flags = sample->flags, .data_seed = 7, .policy = hone_time_policy_default};
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

// What the compiler's log says of static shared memory is what the script says: its
// STATIC_SHARED, or none.
static void check_shared(const struct machine *m, const struct hone_trial *trial)
{
    enum { NAMES_MAX = 128 };
    struct hone_value slots[NAMES_MAX];
    struct hone_error err = {0};
    const char *const *names = hone_space_names(m->space);
    assert_in_range(hone_space_name_count(m->space), 1, NAMES_MAX);
    assert_ok(hone_space_slots(m->space, trial->index, slots, &err), err);
    int64_t bytes = 0;
    for (size_t i = 0; i < hone_space_name_count(m->space); i++)
        if (strcmp(names[i], "STATIC_SHARED") == 0) bytes = slots[i].i;
    assert_int_equal(trial->resources.static_shared_bytes, bytes);
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
    check_shared(m, trial);
    assert_true(flags & HONE_EVALUATE_NO_TIME || trial->predicted_us > 0);
    return 1;
}

// Another variant of the emulator runs what the usual one has passed: the first few of
// each sample, whose builds the cache has, show where they differ. HONE_TESTS=long takes
// all of them.
static size_t run_count(const struct sample *what)
{
    enum { FEW = 3 };
    const char *tests = getenv("HONE_TESTS");
    const bool all = !getenv("HONE_TEST_EMULATOR") || (tests && !strcmp(tests, "long"));
    return all || what->size < FEW ? what->size : FEW;
}

static void check(const struct sample *what)
{
    struct machine m;
    open_machine(&m, what);
    struct hone_evaluator *e = m.evaluator;
    struct hone_error err = {0};
    struct hone_rng rng;
    hone_rng_seed(&rng, 3);
    uint64_t sample[SAMPLE_MAX];
    size_t size = hone_space_sample(m.space, &rng, sample, what->size);
    if (size > run_count(what)) size = run_count(what);
    size_t submitted = 0, valid = 0;
    for (size_t done = 0; done < size;) {
        while (submitted < size && submitted - done < e->fns->capacity(e))
            assert_ok(e->fns->submit(e, sample[submitted++], &err), err);
        struct hone_trial trial;
        size_t count = 0;
        assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
        done += count;
        valid += check_trial(&m, &trial, what->flags);
    }
    assert_true(size < what->size ? valid > 0 : valid * 2 > size);
    close_machine(&m);
}

static void check_all(const struct sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(&samples[i]);
}

enum { NO_TIME = HONE_EVALUATE_NO_TIME };
#define CHECK(...)                                                                       \
    check_all((const struct sample[]){__VA_ARGS__},                                      \
              sizeof((const struct sample[]){__VA_ARGS__}) / sizeof(struct sample))

static void sampled_sgemm_configurations_are_exact(void **state)
{
    (void)state;
    CHECK({"kernels/sgemm.lua", "SPLIT_K=1", "emu:h200", 10, NO_TIME},
          {"kernels/sgemm.lua", "", "emu:rtx3090", 4, NO_TIME});
}

static void sgemm_splits_and_ends_are_right(void **state)
{
    (void)state;
    CHECK({"kernels/sgemm.lua", "SPLIT_K=4 ASYNC=1", "emu:a100", 2, NO_TIME},
          {"kernels/sgemm.lua", "LOAD=2 PREFETCH=256", "emu:a100", 1, NO_TIME},
          {"kernels/sgemm.lua", "ACT=gelu_erf ADD_C=true BIAS=column", "emu:a100", 2,
           NO_TIME},
          {"kernels/sgemm.lua", "OUT=bf16 ACT=swiglu RESIDUAL=true", "emu:a100", 2,
           NO_TIME});
}

static void products_in_double_are_right(void **state)
{
    (void)state;
    CHECK({"kernels/sgemm.lua", "TYPE=f64 SPLIT_K=1", "emu:a100", 4, NO_TIME},
          {"kernels/sgemm.lua", "TYPE=f64 SPLIT_K=2 ASYNC=1 ADD_C=true", "emu:a100", 1,
           NO_TIME},
          {"kernels/sgemm.lua", "TYPE=f64 ACT=gelu_erf BIAS=column RESIDUAL=true",
           "emu:a100", 1, NO_TIME});
}

static void sampled_products_on_tensor_cores_are_right(void **state)
{
    (void)state;
    CHECK({"kernels/gemm_mma.lua", "", "emu:a100", 6, NO_TIME},
          {"kernels/gemm_mma.lua", "TRANS_A=true TRANS_B=false", "emu:a100", 3, NO_TIME});
}

static void products_of_every_type_are_right(void **state)
{
    (void)state;
    CHECK({"kernels/gemm_mma.lua", "TYPE=f16", "emu:a100", 1, NO_TIME},
          {"kernels/gemm_mma.lua", "TYPE=tf32", "emu:a100", 1, NO_TIME},
          {"kernels/gemm_mma.lua", "TYPE=tf32 TRANS_A=true TRANS_B=false", "emu:a100", 1,
           NO_TIME},
          {"kernels/gemm_mma.lua", "TYPE=i8", "emu:a100", 1, NO_TIME},
          {"kernels/gemm_mma.lua", "TYPE=e4m3", "emu:h200", 1, NO_TIME},
          {"kernels/gemm_mma.lua", "TYPE=e5m2 OUT=e4m3", "emu:h200", 1, NO_TIME},
          {"kernels/gemm_mma.lua", "TYPE=e4m3 OUT=e5m2", "emu:h200", 1, NO_TIME},
          {"kernels/gemm_mma.lua", "TYPE=bf16 OUT=f16 SCALE=tensor", "emu:a100", 1,
           NO_TIME});
}

static void every_end_of_a_product_is_right(void **state)
{
    (void)state;
    CHECK(
        {"kernels/gemm_mma.lua", "ACT=gelu_erf BIAS=column ADD_C=true", "emu:a100", 1,
         NO_TIME},
        {"kernels/gemm_mma.lua", "ACT=gelu_tanh BIAS=row SCALE=both RESIDUAL=true",
         "emu:a100", 1, NO_TIME},
        {"kernels/gemm_mma.lua", "ACT=swiglu BIAS=column RESIDUAL=true OUT=f32",
         "emu:a100", 2, NO_TIME},
        {"kernels/gemm_mma.lua", "ACT=silu SCALE=row ADD_C=true", "emu:a100", 1, NO_TIME},
        {"kernels/gemm_mma.lua", "ACT=relu SCALE=column", "emu:a100", 1, NO_TIME},
        {"kernels/gemm_mma.lua", "TYPE=i8 OUT=i8 SCALE=tensor", "emu:a100", 1, NO_TIME},
        {"kernels/gemm_mma.lua", "EPILOGUE=x=fminf(x,0.1f*row-column)", "emu:a100", 1,
         NO_TIME});
}

static void products_of_warp_groups_are_right(void **state)
{
    (void)state;
    CHECK(
        {"kernels/gemm_sm90.lua", "", "emu:h100", 3, NO_TIME},
        {"kernels/gemm_sm90.lua", "TYPE=f16 TRANS_A=true TRANS_B=false", "emu:h200", 1,
         NO_TIME},
        {"kernels/gemm_sm90.lua", "PINGPONG=1 TRANS_A=true OUT=f32 ADD_C=true",
         "emu:h100", 1, NO_TIME},
        {"kernels/gemm_sm90.lua", "ACT=swiglu BIAS=column RESIDUAL=true", "emu:h100", 1,
         NO_TIME},
        {"kernels/gemm_sm90.lua", "OUT=e4m3 SCALE=both BIAS=row", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_sm90.lua", "STORE=direct ACT=gelu_tanh", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_sm90.lua", "CLUSTER_M=2 TRANS_B=false", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_sm90.lua", "CLUSTER_N=2 PINGPONG=1", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_sm90.lua", "SPLIT_K=4 CLUSTER_M=2", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_sm90.lua", "STREAM=1 BM=128 PINGPONG=1", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_sm90.lua", "STREAM=1 BM=128 BN=256 CLUSTER_N=2", "emu:h100", 1,
         NO_TIME},
        {"kernels/gemm_sm90.lua", "TYPE=tf32", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_sm90.lua", "STORE=direct SWAP=1 BN=16 ACT=swiglu ADD_C=true",
         "emu:h100", 1, NO_TIME},
        {"kernels/gemm_sm90.lua",
         "STORE=direct SWAP=1 TRANS_A=true TRANS_B=false OUT=f32 CLUSTER_M=2", "emu:h100",
         1, NO_TIME},
        {"kernels/gemm_sm90.lua", "TYPE=i8", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_sm90.lua", "TYPE=e5m2 OUT=e4m3 SCALE=tensor", "emu:h100", 1,
         NO_TIME},
        {"kernels/gemm_sm90.lua", "TYPE=e4m3 SCALE=block", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_sm90.lua", "TYPE=e5m2 PROMOTE=true SCALE=both", "emu:h100", 1,
         NO_TIME});
}

static void groups_by_warp_groups_are_right(void **state)
{
    (void)state;
    CHECK(
        {"kernels/gemm_grouped_sm90.lua", "", "emu:h100", 2, NO_TIME},
        {"kernels/gemm_grouped_sm90.lua", "STORE=map PINGPONG=1", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_grouped_sm90.lua",
         "LAYOUT=masked TYPE=e4m3 SCALE=block CLUSTER_M=2", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_grouped_sm90.lua",
         "TRANS_B=false SCALE=both BIAS=column ACT=swiglu CLUSTER_N=2", "emu:h100", 1,
         NO_TIME});
}

static void batches_and_groups_are_right(void **state)
{
    (void)state;
    CHECK({"kernels/gemm_batched.lua", "", "emu:a100", 2, NO_TIME},
          {"kernels/gemm_batched.lua", "ACT=silu ADD_C=true TYPE=tf32 RESIDUAL=true",
           "emu:a100", 1, NO_TIME},
          {"kernels/gemm_batched.lua", "POINTERS=true", "emu:a100", 2, NO_TIME},
          {"kernels/gemm_batched.lua",
           "POINTERS=true ADD_C=true RESIDUAL=true TRANS_A=true TRANS_B=false",
           "emu:h200", 1, NO_TIME},
          {"kernels/gemm_grouped.lua", "", "emu:a100", 3, NO_TIME},
          {"kernels/gemm_grouped.lua", "ACT=swiglu SCALE=both TYPE=i8 OUT=bf16",
           "emu:a100", 1, NO_TIME});
}

static void attention_is_right_under_every_mask(void **state)
{
    (void)state;
    CHECK(
        {"kernels/attention.lua", "", "emu:a100", 2, NO_TIME},
        {"kernels/attention.lua", "LOCAL=true HEAD=64 TYPE=f16", "emu:a100", 2, NO_TIME},
        {"kernels/attention.lua", "CAUSAL=false LOCAL=true HEAD=96", "emu:rtx4090", 1,
         NO_TIME},
        {"kernels/attention.lua", "CAUSAL=false HEAD=256", "emu:h200", 1, NO_TIME},
        {"kernels/attention.lua", "SOFTCAP=true VARLEN=true", "emu:a100", 1, NO_TIME});
}

static void attention_by_warp_groups_is_right(void **state)
{
    (void)state;
    CHECK({"kernels/attention_sm90.lua", "", "emu:h100", 2, NO_TIME},
          {"kernels/attention_sm90.lua",
           "MATH=3 PINGPONG=1 PERSISTENT=1 HEAD=64 TYPE=f16", "emu:h200", 1, NO_TIME},
          {"kernels/attention_sm90.lua", "CAUSAL=false LOCAL=true HEAD=96", "emu:h100", 1,
           NO_TIME},
          {"kernels/attention_sm90.lua", "VARLEN=true SOFTCAP=true LOCAL=true",
           "emu:h100", 1, NO_TIME},
          {"kernels/attention_sm90.lua", "HEAD=192 VARLEN=true CAUSAL=false", "emu:h100",
           1, NO_TIME},
          {"kernels/attention_sm90.lua", "HEAD=256 OVERLAP=1", "emu:h100", 1, NO_TIME},
          {"kernels/attention_sm90.lua", "TYPE=e4m3 HEAD=192 OVERLAP=1", "emu:h100", 1,
           NO_TIME});
}

static void attention_to_a_cache_is_right(void **state)
{
    (void)state;
    CHECK({"kernels/attention_decode.lua", "", "emu:a100", 4, NO_TIME},
          {"kernels/attention_decode.lua", "PAGE=0 HEAD=64 TYPE=f16", "emu:a100", 1,
           NO_TIME},
          {"kernels/attention_decode.lua", "PAGE=64 HEAD=96 LOCAL=true", "emu:rtx4090", 2,
           NO_TIME},
          {"kernels/attention_decode.lua", "PAGE=128 HEAD=256 SOFTCAP=true", "emu:h200",
           1, NO_TIME},
          {"kernels/attention_decode.lua", "CACHE=e4m3 KEYS=16", "emu:a100", 1, NO_TIME},
          {"kernels/attention_decode.lua", "CACHE=e4m3 KEYS=16 TYPE=f16 HEAD=96 PAGE=8",
           "emu:h200", 1, NO_TIME});
}

static void latent_attention_is_right(void **state)
{
    (void)state;
    CHECK({"kernels/mla_decode.lua", "", "emu:a100", 2, NO_TIME},
          {"kernels/mla_decode.lua", "TYPE=f16 PAGE=0 ROWS=16", "emu:h100", 1, NO_TIME},
          {"kernels/mla_decode.lua", "PAGE=8 ROWS=32", "emu:h100", 1, NO_TIME});
}

static void sampled_reductions_are_within_their_tolerance(void **state)
{
    (void)state;
    CHECK(
        {"kernels/reduction.lua", "", "emu:h200", 12, NO_TIME},
        {"kernels/reduction.lua", "MODE=deterministic TYPE=bf16", "emu:a100", 4, NO_TIME},
        {"kernels/reduction.lua", "OP=max PARTS=7", "emu:a100", 4, NO_TIME},
        {"kernels/reduction.lua", "OP=argmax TYPE=f16 PARTS=3", "emu:a100", 4, NO_TIME},
        {"kernels/reduction.lua", "OP=argmax INDEXED=true", "emu:a100", 2, NO_TIME});
}

static void sampled_softmaxes_are_within_their_tolerance(void **state)
{
    (void)state;
    CHECK({"kernels/softmax.lua", "", "emu:a100", 6, NO_TIME},
          {"kernels/softmax.lua", "TYPE=f32 LOG=true", "emu:h200", 3, NO_TIME},
          {"kernels/softmax.lua", "TYPE=f16 OUT=f32", "emu:a100", 2, NO_TIME});
}

static void rows_that_blocks_share_are_within_their_tolerance(void **state)
{
    (void)state;
    CHECK({"kernels/softmax.lua", "SPLIT=4", "emu:a100", 2, NO_TIME},
          {"kernels/softmax.lua", "SPLIT=64 TYPE=f32 LOG=true", "emu:h200", 2, NO_TIME});
}

static void sampled_norms_are_within_their_tolerance(void **state)
{
    (void)state;
    CHECK({"kernels/rmsnorm.lua", "", "emu:a100", 4, NO_TIME},
          {"kernels/rmsnorm.lua", "TYPE=f16 RESIDUAL=true QUANT=row", "emu:h200", 3,
           NO_TIME},
          {"kernels/rmsnorm.lua", "TYPE=f32 OUT=bf16", "emu:a100", 1, NO_TIME});
    CHECK({"kernels/layernorm.lua", "", "emu:a100", 3, NO_TIME},
          {"kernels/layernorm.lua", "TYPE=f32 QUANT=row", "emu:h200", 2, NO_TIME},
          {"kernels/layernorm.lua", "QUANT=given RESIDUAL=true", "emu:h200", 2, NO_TIME});
}

static void sampled_convolutions_are_exact(void **state)
{
    (void)state;
    CHECK({"kernels/convolution.lua", "", "emu:a100", 8, NO_TIME});
}

static void sampled_transpositions_are_exact(void **state)
{
    (void)state;
    CHECK({"kernels/transpose.lua", "", "emu:a100", 6, NO_TIME},
          {"kernels/transpose.lua", "TYPE=bf16", "emu:a100", 4, NO_TIME},
          {"kernels/transpose.lua", "OUT=f16", "emu:a100", 3, NO_TIME},
          {"kernels/transpose.lua", "TYPE=f16 OUT=bf16", "emu:a100", 2, NO_TIME},
          {"kernels/transpose.lua", "TYPE=bf16 OUT=f32", "emu:a100", 2, NO_TIME});
}

static void sampled_stencils_are_exact(void **state)
{
    (void)state;
    CHECK({"kernels/stencil.lua", "", "emu:a100", 3, NO_TIME},
          {"kernels/stencil.lua", "temporal_tiling_factor=2 loop_unroll_factor_t=2",
           "emu:a100", 2, NO_TIME});
}

static void sampled_gravity_is_within_its_tolerance(void **state)
{
    (void)state;
    CHECK({"kernels/nbody.lua", "", "emu:a100", 3, NO_TIME},
          {"kernels/nbody.lua", "SHARED=0", "emu:a100", 1, NO_TIME},
          {"kernels/nbody.lua", "LAYOUT=soa", "emu:a100", 2, NO_TIME},
          {"kernels/nbody.lua", "LAYOUT=soa SHARED=0 VEC=4", "emu:a100", 1, NO_TIME});
}

static void verified_kernels_get_a_prediction(void **state)
{
    (void)state;
    CHECK({"kernels/sgemm.lua", "", "emu:h200", 3, 0},
          {"kernels/gemm_mma.lua", "", "emu:h200", 1, 0},
          {"kernels/reduction.lua", "", "emu:h200", 3, 0});
}

// A block is counted with others that it waits for beside it.
static void blocks_that_wait_for_each_other_get_a_prediction(void **state)
{
    (void)state;
    CHECK({"kernels/softmax.lua", "SPLIT=8 rows=4 cols=262144", "emu:h200", 2,
           HONE_EVALUATE_NO_VERIFY});
}

// --- what the default configurations do to memory, by the emulator's counts ---

static uint64_t default_index(const struct machine *m)
{
    const struct hone_value *defaults = hone_script_def(m->script)->defaults;
    uint16_t choices[32] = {0};
    uint64_t index = 0;
    for (size_t i = 0; i < hone_space_param_count(m->space); i++)
        assert_int_equal(hone_space_choice_of(m->space, i, defaults[i], &choices[i]),
                         HONE_OK);
    assert_int_equal(hone_space_index(m->space, choices, &index), HONE_OK);
    return index;
}

static void default_configurations_are_valid(void **state)
{
    (void)state;
    static const struct sample rows[] = {
        {"kernels/reduction.lua", "", "emu:a100", 0, 0},
        {"kernels/reduction.lua", "OP=argmax PARTS=512", "emu:h200", 0, 0},
        {"kernels/reduction.lua", "MODE=write TYPE=bf16", "emu:rtx4090", 0, 0},
        {"kernels/softmax.lua", "", "emu:a100", 0, 0},
        {"kernels/softmax.lua", "TYPE=f32", "emu:h200", 0, 0},
        {"kernels/softmax.lua", "cols=1", "emu:rtx4090", 0, 0},
        {"kernels/rmsnorm.lua", "", "emu:a100", 0, 0},
        {"kernels/rmsnorm.lua", "TYPE=f32 QUANT=row", "emu:h200", 0, 0},
        {"kernels/layernorm.lua", "", "emu:a100", 0, 0},
        {"kernels/layernorm.lua", "TYPE=f32 QUANT=row", "emu:h200", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine m;
        open_machine(&m, &rows[i]);
        default_index(&m);
        close_machine(&m);
    }
}

struct counts {
    double wavefronts, sectors, loads;
};

static double metric_or_none(const struct hone_trial *trial, const char *name)
{
    for (size_t i = 0; i < trial->metric_count; i++)
        if (strcmp(trial->metrics[i].name, name) == 0) return trial->metrics[i].value;
    return 0;
}

static double metric(const struct hone_trial *trial, const char *name)
{
    const double value = metric_or_none(trial, name);
    if (!(value > 0)) fail_msg("no metric %s", name);
    return value;
}

static struct hone_trial predict_default(const struct sample *what)
{
    struct machine m;
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    open_machine(&m, what);
    const struct hone_evaluator_fns *fns = m.evaluator->fns;
    assert_ok(fns->submit(m.evaluator, default_index(&m), &err), err);
    assert_ok(fns->wait(m.evaluator, &trial, 1, &count, &err), err);
    assert_int_equal(trial.outcome, HONE_VALID);
    close_machine(&m);
    return trial;
}

// Of a block of the default configuration.
static struct counts count_default(const struct sample *what)
{
    const struct hone_trial trial = predict_default(what);
    return (struct counts){metric(&trial, "shared_wavefronts"),
                           metric(&trial, "global_sectors"),
                           metric(&trial, "global_per_block")};
}

// What a tile along k costs: the difference between two depths.
static void default_tiles_are_moved_by_16_bytes_without_bank_conflicts(void **state)
{
    (void)state;
    enum { FLAGS = HONE_EVALUATE_NO_VERIFY };
    static const struct {
        struct sample shallow, deep;
        struct counts tile;
    } rows[] = {
        // 4 tiles of 32: 16384 bytes each in 128 wavefronts and 512 sectors, by cp.async,
        // and 2 steps of 4 warps that each load 8 times 4 matrices of 128 bytes.
        {{"kernels/gemm_mma.lua", "M=512 N=512 K=128", "emu:a100", 1, FLAGS},
         {"kernels/gemm_mma.lua", "M=512 N=512 K=256", "emu:a100", 1, FLAGS},
         {4 * (128 + 2 * 4 * 8 * 4), 4 * 512, 0}},
        {{"kernels/gemm_mma.lua", "M=512 N=512 K=128 TRANS_A=true TRANS_B=false",
          "emu:a100", 1, FLAGS},
         {"kernels/gemm_mma.lua", "M=512 N=512 K=256 TRANS_A=true TRANS_B=false",
          "emu:a100", 1, FLAGS},
         {4 * (128 + 2 * 4 * 8 * 4), 4 * 512, 0}},
        // One tile of 8: 2 loads of 16 bytes by each of 8 warps; they store 4 times 128
        // bytes of A and 512 of B, and in 8 steps load 4 times 512.
        {{"kernels/sgemm.lua", "M=512 N=512 K=128", "emu:a100", 1, FLAGS},
         {"kernels/sgemm.lua", "M=512 N=512 K=136", "emu:a100", 1, FLAGS},
         {8 * (4 + 4 + 8 * 4 * 4), 256, 8 * 2}},
        // The same in double: 3 loads of 16 bytes by each of 8 warps; they store 4 times
        // 256 bytes of A and 512 of B, and in 8 steps load 4 times 512 of A and twice of B.
        {{"kernels/sgemm.lua", "TYPE=f64 M=512 N=512 K=128", "emu:a100", 1, FLAGS},
         {"kernels/sgemm.lua", "TYPE=f64 M=512 N=512 K=136", "emu:a100", 1, FLAGS},
         {8 * (4 * 2 + 4 + 8 * 6 * 4), 384, 8 * 3}},
        // A tile of 32 keys: 16384 bytes of K and V; 4 warps read 8 steps of 2 pieces of
        // 16 queries and 2 of 16 keys, and 2 steps of 8 pieces of values.
        {{"kernels/attention.lua", "CAUSAL=false BATCH=1 SEQ_Q=512 SEQ_K=256", "emu:a100",
          1, FLAGS},
         {"kernels/attention.lua", "CAUSAL=false BATCH=1 SEQ_Q=512 SEQ_K=288", "emu:a100",
          1, FLAGS},
         {128 + 4 * 4 * (8 * (2 + 2) + 2 * 8), 512, 0}},
        // 8 tiles of 16 keys; queries are in registers, and a group's heads one piece.
        {{"kernels/attention_decode.lua", "PAGE=0 BATCH=4 MORE=512 SPLITS=4", "emu:a100",
          1, FLAGS},
         {"kernels/attention_decode.lua", "PAGE=0 BATCH=4 MORE=1024 SPLITS=4", "emu:a100",
          1, FLAGS},
         {8 * (64 + 4 * (8 + 8)), 8 * 256, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct counts a = count_default(&rows[i].shallow);
        const struct counts b = count_default(&rows[i].deep);
        assert_int_equal(b.wavefronts - a.wavefronts, rows[i].tile.wavefronts);
        assert_int_equal(b.sectors - a.sectors, rows[i].tile.sectors);
        assert_int_equal(b.loads - a.loads, rows[i].tile.loads);
    }
}

// What a block of the default configuration asks for: bytes a lane of each request to
// global memory, the bytes of the sectors these touch beside those asked for, and
// wavefronts that bank conflicts add.
struct access {
    const char *script, *settings;
    double least_bytes, most_sectors, most_conflicts;
};

static void check_access(const struct access *row)
{
    const struct sample what = {row->script, row->settings, "emu:a100", 1,
                                HONE_EVALUATE_NO_VERIFY};
    const struct hone_trial trial = predict_default(&what);
    const double asked = metric(&trial, "load_bytes") + metric(&trial, "store_bytes");
    const double requests = metric_or_none(&trial, "global_per_block") +
                            metric_or_none(&trial, "async_per_block");
    const double bytes = asked / 32 / requests;
    const double sectors = 32 * metric(&trial, "global_sectors") / asked;
    const double conflicts = metric_or_none(&trial, "bank_conflicts");
    if (bytes < row->least_bytes || sectors > row->most_sectors ||
        conflicts > row->most_conflicts)
        fail_msg("%s %s: %.3f bytes a lane, %.4f sectors, %.0f conflicts", row->script,
                 row->settings, bytes, sectors, conflicts);
}

// docs/verification.md has the table, and why some are as they are.
static void default_products_access_memory_by_16_bytes(void **state)
{
    (void)state;
    static const struct access rows[] = {
        {"kernels/sgemm.lua", "M=512 N=512 K=64", 16, 1, 0},
        {"kernels/sgemm.lua", "TYPE=f64 M=512 N=512 K=64", 16, 1, 0},
        {"kernels/gemm_mma.lua", "M=512 N=512 K=512", 16, 1, 32},
        {"kernels/gemm_batched.lua", "BATCH=4", 16, 1, 32},
        {"kernels/gemm_batched.lua", "BATCH=4 POINTERS=true", 15.5, 1, 32},
        {"kernels/gemm_grouped.lua", "N=1024 K=1024 GROUPS=1 UNIT=1024", 15.8, 1.001, 64},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_access(&rows[i]);
}

static void default_configurations_meet_in_no_bank(void **state)
{
    (void)state;
    static const struct access rows[] = {
        {"kernels/attention.lua", "BATCH=1 SEQ_Q=512 SEQ_K=512", 15.6, 1.001, 0},
        {"kernels/attention_decode.lua", "BATCH=4 MORE=1024 SPLITS=4", 15.1, 1.05, 0},
        {"kernels/softmax.lua", "rows=512", 15.8, 1, 0},
        {"kernels/rmsnorm.lua", "rows=512", 16, 1, 0},
        {"kernels/layernorm.lua", "rows=512", 16, 1, 0},
        {"kernels/reduction.lua", "N=3538944", 15.7, 1.01, 0},
        {"kernels/transpose.lua", "M=1024 N=1024", 16, 1, 0},
        {"kernels/convolution.lua", "width=1024 height=1024", 3, 1.22, 0},
        {"kernels/stencil.lua", "width=1024 height=1024", 2.8, 1.34, 0},
        {"kernels/nbody.lua", "N=8192", 14, 1.12, 0},
        {"kernels/nbody.lua", "LAYOUT=soa N=8192", 4, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_access(&rows[i]);
}

// A block reads and writes its tile once: 16 bytes an access, 128 a wavefront of shared
// memory, 32 a sector.
static void default_transpositions_move_16_bytes_without_bank_conflicts(void **state)
{
    (void)state;
    enum { FLAGS = HONE_EVALUATE_NO_VERIFY };
    static const struct {
        struct sample sample;
        double in_bytes, out_bytes;
    } rows[] = {
        {{"kernels/transpose.lua", "", "emu:a100", 1, FLAGS}, 16384, 16384},
        {{"kernels/transpose.lua", "TYPE=bf16", "emu:a100", 1, FLAGS}, 32768, 32768},
        {{"kernels/transpose.lua", "OUT=bf16", "emu:a100", 1, FLAGS}, 32768, 16384},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct counts block = count_default(&rows[i].sample);
        const double bytes = rows[i].in_bytes + rows[i].out_bytes;
        assert_int_equal(block.wavefronts, 2 * rows[i].out_bytes / 128);
        assert_int_equal(block.sectors, bytes / 32);
        assert_int_equal(block.loads, bytes / (32 * 16));
    }
}

// Of a block: a row of bf16 in and one out, and weights, each in whole sectors, by one
// request a warp for 512 bytes; a store and a load of shared memory a warp, in passes of
// 128 bytes.
static void default_rows_are_moved_by_16_bytes_without_bank_conflicts(void **state)
{
    (void)state;
    enum { FLAGS = HONE_EVALUATE_NO_VERIFY };
    static const struct {
        struct sample what;
        struct counts block;
    } rows[] = {
        // 16 warps load 8 times each, thrice beyond the row.
        {{"kernels/softmax.lua", "rows=512", "emu:a100", 1, FLAGS},
         {16 + 2 * 16, 2 * 2000, 128 + 125}},
        {{"kernels/rmsnorm.lua", "rows=512", "emu:a100", 1, FLAGS},
         {8 + 8, 3 * 256, 3 * 16}},
        // Two tiles of 4096 floats for each of 432 blocks, and an atomic addition.
        {{"kernels/reduction.lua", "N=3538944", "emu:a100", 1, FLAGS},
         {8 + 8, 2 * 512 + 1, 2 * 32}},
        {{"kernels/layernorm.lua", "rows=512", "emu:a100", 1, FLAGS},
         {3 * (8 + 8), 4 * 256, 4 * 16}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct counts c = count_default(&rows[i].what);
        assert_int_equal(c.wavefronts, rows[i].block.wavefronts);
        assert_int_equal(c.sectors, rows[i].block.sectors);
        assert_int_equal(c.loads, rows[i].block.loads);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sampled_sgemm_configurations_are_exact),
    cmocka_unit_test(sgemm_splits_and_ends_are_right),
    cmocka_unit_test(products_in_double_are_right),
    cmocka_unit_test(sampled_products_on_tensor_cores_are_right),
    cmocka_unit_test(products_of_every_type_are_right),
    cmocka_unit_test(every_end_of_a_product_is_right),
    cmocka_unit_test(products_of_warp_groups_are_right),
    cmocka_unit_test(groups_by_warp_groups_are_right),
    cmocka_unit_test(batches_and_groups_are_right),
    cmocka_unit_test(attention_is_right_under_every_mask),
    cmocka_unit_test(attention_by_warp_groups_is_right),
    cmocka_unit_test(attention_to_a_cache_is_right),
    cmocka_unit_test(latent_attention_is_right),
    cmocka_unit_test(sampled_reductions_are_within_their_tolerance),
    cmocka_unit_test(sampled_softmaxes_are_within_their_tolerance),
    cmocka_unit_test(rows_that_blocks_share_are_within_their_tolerance),
    cmocka_unit_test(blocks_that_wait_for_each_other_get_a_prediction),
    cmocka_unit_test(sampled_norms_are_within_their_tolerance),
    cmocka_unit_test(sampled_convolutions_are_exact),
    cmocka_unit_test(sampled_transpositions_are_exact),
    cmocka_unit_test(sampled_stencils_are_exact),
    cmocka_unit_test(default_configurations_are_valid),
    cmocka_unit_test(sampled_gravity_is_within_its_tolerance),
    cmocka_unit_test(default_tiles_are_moved_by_16_bytes_without_bank_conflicts),
    cmocka_unit_test(default_products_access_memory_by_16_bytes),
    cmocka_unit_test(default_configurations_meet_in_no_bank),
    cmocka_unit_test(default_transpositions_move_16_bytes_without_bank_conflicts),
    cmocka_unit_test(default_rows_are_moved_by_16_bytes_without_bank_conflicts),
    cmocka_unit_test(verified_kernels_get_a_prediction),
};
HONE_TEST_MAIN(tests)
