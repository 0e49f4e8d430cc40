// The shipped templates as the compiler sees them: defaults stay in registers on every
// architecture.
#include <string.h>

#include "hone/build.h"
#include "hone_test.h"
#include "template_build.h"

struct kept {
    const char *name, *entry;
    int32_t max_registers, max_threads;
};

// Compiles within its registers, nothing spilled: for every architecture, the test run
// takes two of the six in turn.
static void check_registers(struct hone_builder *builder, const struct kept *template,
                            const char *parameters, size_t turn)
{
    static const char *const arches[] = {"sm_80",  "sm_86",  "sm_89",
                                         "sm_90a", "sm_100", "sm_120"};
    for (size_t i = 0; i < sizeof arches / sizeof *arches; i++) {
        if ((i + turn) % hone_test_one_of(3) != 0) continue;
        const struct hone_build *build = build_template(
            builder, template->name, parameters, template->entry, arches[i]);
        if (strstr(build->reason, "gpu-architecture")) { // newer than this NVRTC
            hone_build_release(build);
            continue;
        }
        if (build->outcome != HONE_VALID) fail_msg("%s", build->reason);
        assert_in_range(build->resources.registers, 1, template->max_registers);
        if (build->resources.spill_store_bytes || build->resources.spill_load_bytes)
            fail_msg("%s spills on %s", template->name, arches[i]);
        assert_int_equal(build->max_threads, template->max_threads);
        hone_build_release(build);
    }
}

static void check_all_registers(const struct kept *templates, size_t count)
{
    struct hone_builder *builder = open_builder();
    for (size_t i = 0; i < count; i++)
        check_registers(builder, &templates[i], "", i);
    hone_builder_free(builder);
}

static void defaults_of_products_stay_in_registers(void **state)
{
    (void)state;
    static const struct kept templates[] = {
        {"sgemm.cu", "sgemm", 128, 256}, // 2 blocks of 256 threads on 65536 registers
        {"gemm_mma.cu", "gemm_mma", 255, 128},
        {"gemm_batched.cu", "gemm_batched", 255, 128},
        {"gemm_grouped.cu", "gemm_grouped", 255, 256},
        {"gemm_w4a16.cu", "gemm_w4a16", 255, 128},
        {"w4_shuffle.cu", "w4_shuffle", 64, 256},
    };
    check_all_registers(templates, sizeof templates / sizeof *templates);
}

static void defaults_stay_in_registers(void **state)
{
    (void)state;
    static const struct kept templates[] = {
        {"attention.cu", "attention", 255, 128},
        {"attention_decode.cu", "attention_decode", 255, 128},
        {"mla_decode.cu", "mla_decode", 255, 256},
        {"reduction.cu", "reduction", 64, 256},
        {"transpose.cu", "transpose", 64, 256},
        {"softmax.cu", "softmax", 64, 512},
        {"stencil.cu", "stencil", 64, 256},
        {"rmsnorm.cu", "rmsnorm", 64, 256},
        {"layernorm.cu", "layernorm", 80, 256},
        {"nbody.cu", "nbody", 128, 128},
        {"convolution.cu", "convolution", 128, 128},
    };
    check_all_registers(templates, sizeof templates / sizeof *templates);
}

static void references_stay_in_registers(void **state)
{
    (void)state;
    static const struct kept templates[] = {
        {"reference/gemm.cu", "gemm_reference", 64, -1},
        {"reference/gemm_mma.cu", "gemm_mma_reference", 64, -1},
        {"reference/gemm_batched.cu", "gemm_batched_reference", 64, -1},
        {"reference/gemm_grouped.cu", "gemm_grouped_reference", 64, -1},
        {"reference/gemm_sm90.cu", "gemm_sm90_reference", 64, -1},
        {"reference/gemm_w4a16.cu", "gemm_w4a16_reference", 64, -1},
        {"reference/w4_shuffle.cu", "w4_shuffle_reference", 64, -1},
        {"reference/gemm_grouped_sm90.cu", "gemm_grouped_sm90_reference", 64, -1},
        {"reference/attention.cu", "attention_reference", 96, -1},
        {"reference/attention_sm90.cu", "attention_sm90_reference", 96, -1},
        {"reference/attention_decode.cu", "attention_decode_reference", 96, -1},
        {"reference/mla_decode.cu", "mla_decode_reference", 128, -1},
        {"reference/reduction.cu", "reduction_reference", 64, 256},
        {"reference/transpose.cu", "transpose_reference", 64, -1},
        {"reference/softmax.cu", "softmax_reference", 64, 256},
        {"reference/nbody.cu", "nbody_reference", 64, -1},
        {"reference/stencil.cu", "stencil_reference", 64, 256},
        {"reference/convolution.cu", "convolution_reference", 64, -1},
        {"reference/rmsnorm.cu", "rmsnorm_reference", 64, 256},
        {"reference/layernorm.cu", "layernorm_reference", 64, 256},
    };
    check_all_registers(templates, sizeof templates / sizeof *templates);
}

// Products of warp groups: also nothing that ptxas says it has given up. The test run takes
// each second row.
struct warp_groups {
    const char *parameters;
    int32_t registers, threads; // at the launch
};

static void check_without_loss(const char *name, const struct warp_groups *rows,
                               size_t count)
{
    char file[64];
    snprintf(file, sizeof file, "%s.cu", name);
    struct hone_builder *builder = open_builder();
    for (size_t i = 0; i < count; i += hone_test_one_of(2)) {
        const struct hone_build *build =
            build_template(builder, file, rows[i].parameters, name, "sm_90a");
        if (build->outcome != HONE_VALID) fail_msg("%s", build->reason);
        assert_int_equal(build->resources.registers, rows[i].registers);
        if (build->resources.stack_bytes > 0)
            fail_msg("%s: %lld bytes of stack", rows[i].parameters,
                     (long long)build->resources.stack_bytes);
        assert_int_equal(build->resources.spill_store_bytes, 0);
        assert_int_equal(build->resources.spill_load_bytes, 0);
        assert_int_equal(build->max_threads, rows[i].threads);
        const char *loss = strstr(build->log, "warning");
        if (!loss) loss = strstr(build->log, "Performance Loss");
        if (loss) fail_msg("%s: %s", rows[i].parameters, loss);
        hone_build_release(build);
    }
    hone_builder_free(builder);
}

static void products_of_warp_groups_are_built_without_loss(void **state)
{
    (void)state;
    static const struct warp_groups rows[] = {
        {"", 168, 384},
        {"TYPE f16, TRANS_A 1, TRANS_B 0, INFLIGHT 0", 168, 384},
        {"BM 128, BN 192, PINGPONG 1, BIAS column, ACT gelu_erf", 168, 384},
        {"BM 192, BN 192, MATH 3, RESIDUAL 1", 128, 512},
        {"BM 128, BN 192, MATH 1, OUT f32, ACT swiglu", 232, 256},
        {"BN 160, STORE direct, SCALE both", 168, 384},
        {"CLUSTER_M 2, TYPE e4m3", 168, 384},
        {"CLUSTER_N 2, TYPE i8, OUT i32", 168, 384},
        {"TYPE tf32, OUT f32", 168, 384},
        {"SPLIT_K 8, BM 256, BN 160, CLUSTER_N 2", 168, 384},
        {"SWAP 1, STORE direct, BN 32, SPLIT_K 4, BIAS column", 168, 384},
        {"STREAM 1, BM 128, BN 192, PINGPONG 0", 168, 384},
        {"STREAM 1, BM 128, BN 144, PINGPONG 1, CLUSTER_N 2", 168, 384},
        {"BM 64, BN 208, MATH 1, OUT e4m3, SCALE both, BIAS row", 232, 256},
        {"TYPE e4m3, SCALE block, INFLIGHT 0, BN 160", 168, 384},
        {"TYPE e4m3, SCALE block, INFLIGHT 0, BM 256, BN 128, CLUSTER_M 2", 168, 384},
        {"TYPE e4m3, SCALE block, INFLIGHT 0, BM 192, BN 128, MATH 3", 128, 512},
        {"TYPE e4m3, PROMOTE 1, INFLIGHT 0, BN 176, SPLIT_K 4, SCALE both", 168, 384},
    };
    check_without_loss("gemm_sm90", rows, sizeof rows / sizeof *rows);
}

static void groups_by_warp_groups_are_built_without_loss(void **state)
{
    (void)state;
    static const struct warp_groups rows[] = {
        {"", 168, 384},
        {"STORE map, BM 128, BN 128, PINGPONG 1, CLUSTER_N 2, TYPE f16", 168, 384},
        {"TYPE e4m3, SCALE block, INFLIGHT 0, BN 160", 168, 384},
        {"BM 192, BN 192, MATH 3, TRANS_B 0, CLUSTER_M 2, SCALE both", 128, 512},
        {"TYPE e4m3, SCALE block, INFLIGHT 0, BM 128, BN 128, PINGPONG 1, CLUSTER_N 2",
         168, 384},
    };
    check_without_loss("gemm_grouped_sm90", rows, sizeof rows / sizeof *rows);
}

static void weights_of_4_bits_by_warp_groups_are_built_without_loss(void **state)
{
    (void)state;
    static const struct warp_groups rows[] = {
        {"", 168, 384},
        {"ZEROS 1, BM 8, BIAS column, ACT swiglu", 168, 384},
        {"TYPE bf16, OUT bf16, ZEROS 1, BM 144, RESIDUAL 1", 168, 384},
        {"TYPE bf16, OUT f16, ZEROS 1, BN 256, BM 80, SPLIT_K 1, STREAM 1", 168, 384},
        {"BM 80, BN 192, MATH 3, SCALE both, ACT gelu_erf", 128, 512},
        {"ZEROS 1, BM 80, BN 192, MATH 3, SPLIT_K 1, STREAM 1", 128, 512},
        {"BM 144, BN 64, MATH 1, ACT silu, SCALE row, BIAS row", 232, 256},
    };
    check_without_loss("gemm_w4a16_sm90", rows, sizeof rows / sizeof *rows);
}

// The defaults of kernels/attention_sm90.lua, with all that takes registers.
static void attention_of_warp_groups_is_built_without_loss(void **state)
{
    (void)state;
    static const struct warp_groups rows[] = {
        {"", 168, 384},
        {"LOCAL 1, SOFTCAP 1, VARLEN 1", 168, 384},
        {"TYPE f16, BLOCK_N 176, CAUSAL 0, LONGEST_FIRST 0, LOCAL 1, VARLEN 1", 168, 384},
        {"BLOCK_N 160, CAUSAL 0, LONGEST_FIRST 0, LOCAL 1, SOFTCAP 1, VARLEN 1", 168,
         384},
        {"HEAD 64, BLOCK_N 128, MATH 3, LOCAL 1, VARLEN 1", 128, 512},
        {"HEAD 64, BLOCK_N 112, MATH 3, LOCAL 1, SOFTCAP 1, VARLEN 1", 128, 512},
        {"HEAD 96, BLOCK_N 144, LOCAL 1, SOFTCAP 1, VARLEN 1", 168, 384},
        {"HEAD 192, HEAD_V 128, LOCAL 1, SOFTCAP 1, VARLEN 1", 168, 384},
        {"HEAD 192, BLOCK_N 112, LOCAL 1, SOFTCAP 1, VARLEN 1", 168, 384},
        {"HEAD 256, BLOCK_N 80, LOCAL 1, SOFTCAP 1, VARLEN 1", 168, 384},
        {"MATH 1, PINGPONG 0, OVERLAP 0, PERSISTENT 0", 232, 256},
        {"TYPE e4m3, OUT bf16, BLOCK_N 192, LOCAL 1, SOFTCAP 1", 168, 384},
        {"TYPE e4m3, OUT bf16, BLOCK_N 224, LOCAL 1", 168, 384},
        {"TYPE e4m3, OUT f16, BLOCK_N 160, MATH 3, HEAD 64, LOCAL 1", 128, 512},
        {"TYPE e4m3, OUT bf16, BLOCK_N 96, HEAD 256, LOCAL 1, SOFTCAP 1", 168, 384},
    };
    check_without_loss("attention_sm90", rows, sizeof rows / sizeof *rows);
}

// Where a script's defaults depend on the type.
static void defaults_of_other_types_stay_in_registers(void **state)
{
    (void)state;
    static const struct {
        struct kept template;
        const char *parameters;
    } rows[] = {
        {{"softmax.cu", "softmax", 64, 1024},
         "TYPE f32, ROW_THREADS 1024, CHUNKS 8, MIN_BLOCKS 1"},
        {{"reduction.cu", "reduction", 64, 256}, "TYPE bf16, OP max"},
        {{"reduction.cu", "reduction", 64, 256}, "OP argmax, ACCUMULATE 0, FINISH 1"},
        {{"sgemm.cu", "sgemm", 168, 256},
         "TYPE f64, BN 64, WM 32, TN 4, VEC 2, MIN_BLOCKS 1"},
        {{"transpose.cu", "transpose", 128, 256},
         "TYPE bf16, OUT bf16, TILE_M 128, TILE_N 128, VEC_IN 8, VEC_OUT 8, "
         "MIN_BLOCKS 2"},
        {{"gemm_batched.cu", "gemm_batched", 255, 128}, "POINTERS 1"},
        {{"gemm_w4a16.cu", "gemm_w4a16", 255, 128}, "ZEROS 1, BIAS column"},
        {{"gemm_w4a16.cu", "gemm_w4a16", 255, 128}, "TYPE bf16, OUT bf16, ZEROS 1"},
        {{"gemm_w4a16.cu", "gemm_w4a16", 255, 128}, "BM 32, WM 32, ACT swiglu"},
        {{"rmsnorm.cu", "rmsnorm", 64, 256}, "TYPE f32, CHUNKS 4, RESIDUAL 1"},
        {{"layernorm.cu", "layernorm", 128, 256}, "TYPE f32, CHUNKS 4, MIN_BLOCKS 2"},
    };
    struct hone_builder *builder = open_builder();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_registers(builder, &rows[i].template, rows[i].parameters, i);
    hone_builder_free(builder);
}

// What takes most registers of each head size: windows, in either direction of time, bent
// scores. The script's defaults depend on the head size.
static void attention_of_every_mode_stays_in_registers(void **state)
{
    (void)state;
    static const struct {
        struct kept template;
        const char *parameters;
    } rows[] = {
        {{"attention.cu", "attention", 255, 128}, "HEAD 64, BLOCK_N 64, LOCAL 1"},
        {{"attention.cu", "attention", 255, 128},
         "TYPE f16, HEAD 96, LOCAL 1, CAUSAL 0, LONGEST_FIRST 0"},
        {{"attention.cu", "attention", 255, 128}, "LOCAL 1"},
        {{"attention.cu", "attention", 255, 128},
         "TYPE f16, LOCAL 1, SOFTCAP 1, VARLEN 1"},
        {{"attention.cu", "attention", 255, 256},
         "HEAD 256, WARPS 8, STAGES 1, LOCAL 1, CAUSAL 0, LONGEST_FIRST 0"},
        {{"attention_decode.cu", "attention_decode", 255, 128}, "CACHE e4m3"},
        {{"attention_decode.cu", "attention_decode", 255, 64},
         "HEAD 256, WARPS 2, LOCAL 1, SOFTCAP 1"},
    };
    struct hone_builder *builder = open_builder();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_registers(builder, &rows[i].template, rows[i].parameters, i);
    hone_builder_free(builder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(defaults_of_products_stay_in_registers),
    cmocka_unit_test(defaults_stay_in_registers),
    cmocka_unit_test(references_stay_in_registers),
    cmocka_unit_test(products_of_warp_groups_are_built_without_loss),
    cmocka_unit_test(groups_by_warp_groups_are_built_without_loss),
    cmocka_unit_test(weights_of_4_bits_by_warp_groups_are_built_without_loss),
    cmocka_unit_test(defaults_of_other_types_stay_in_registers),
    cmocka_unit_test(attention_of_every_mode_stays_in_registers),
    cmocka_unit_test(attention_of_warp_groups_is_built_without_loss),
};

HONE_TEST_MAIN(tests)
