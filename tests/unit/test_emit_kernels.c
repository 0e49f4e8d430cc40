/* Headers of the kernels that come with Hone at the ends of their arguments: nothing is
 * undefined there, and what they choose and compute is what the tuner does. */
#include "emit_asker.h"

#include "base/rng.h"
#include "hone/device.h"
#include "tuning/provenance.h"
#include "tuning/workbench.h"

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    return rmdir(folder);
}

enum { SAMPLES = 6 };

// A journal of the kernel as the tuner begins it, with configurations drawn from its
// space; nothing is built.
static struct loaded draw(const char *script)
{
    static const struct hone_evaluate_options none = {.flags = HONE_EVALUATE_NO_VERIFY};
    struct hone_workbench bench = {0};
    struct hone_arena arena = {0};
    struct hone_limits limits;
    struct hone_error err = {0};
    struct hone_record_info info;
    struct hone_journal *journal = NULL;
    struct hone_recording *recording = NULL;
    struct hone_rng rng;
    uint64_t indices[SAMPLES];
    uint16_t choices[64];
    char path[80];
    const struct hone_script_options options = {.limits = &limits};
    hone_rng_seed(&rng, 5);
    assert_ok(hone_device_limits(&limits, "emu:h200", &err), err);
    assert_ok(hone_workbench_open(&bench, script, &options, &err), err);
    assert_ok(hone_workbench_make_kernel(&bench, &err), err);
    const struct hone_facts facts = {.limits = &bench.limits};
    assert_ok(hone_provenance(&info, &arena, &bench, &facts, &none, &err), err);
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    const size_t drawn = hone_space_sample(bench.space, &rng, indices, SAMPLES);
    assert_true(drawn > 0 && hone_space_param_count(bench.space) <= 64);
    for (size_t i = 0; i < drawn; i++) {
        struct hone_trial trial = hone_trial_make(indices[i], HONE_VALID);
        trial.predicted_us = (double)(1 + i);
        hone_space_choices(bench.space, indices[i], choices);
        assert_ok(hone_journal_append(journal, &trial, choices, &err), err);
    }
    assert_ok(hone_journal_close(journal, &err), err);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    hone_workbench_close(&bench);
    hone_arena_fini(&arena);
    return (struct loaded){.list = {recording}, .count = 1};
}

static void headers_of_the_kernels_are_as_the_tuner_says(void **state)
{
    (void)state;
    static const char *const kernels[] = {"attention",
                                          "attention_decode",
                                          "attention_sm90",
                                          "convolution",
                                          "gemm_batched",
                                          "gemm_grouped",
                                          "gemm_grouped_sm90",
                                          "gemm_mma",
                                          "gemm_sm90",
                                          "gemm_w4a16",
                                          "gemm_w4a16_sm90",
                                          "layernorm",
                                          "mla_decode",
                                          "nbody",
                                          "reduction",
                                          "rmsnorm",
                                          "sgemm",
                                          "softmax",
                                          "stencil",
                                          "transpose",
                                          "w4_shuffle"};
    size_t queries = 0, served = 0;
    if (system("g++ --version >/dev/null 2>&1") != 0) SKIP("no g++ here");
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char script[512];
        snprintf(script, sizeof script, HONE_SOURCE_DIR "/kernels/%s.lua", kernels[i]);
        const size_t before = served;
        ask(draw(script), &queries, &served);
        if (served == before) fail_msg("%s serves nothing", kernels[i]);
    }
    print_message("%zu selections, %zu of them served\n", queries, served);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(headers_of_the_kernels_are_as_the_tuner_says),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
