// The shipped templates as the compiler sees them: defaults stay in registers on every
// architecture, and a mix of parameters that cannot work is refused by a static_assert.
#include <string.h>

#include "hone/build.h"
#include "hone_test.h"
#include "template_source.h"

static struct hone_builder *open_builder(void)
{
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = ""};
    enum hone_status status = hone_builder_new(&builder, &options, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    if (status != HONE_OK) fail_msg("%s", err.text);
    return builder;
}

static const struct hone_build *build_template(struct hone_builder *builder,
                                               const char *name, const char *parameters,
                                               const char *entry, const char *arch)
{
    char *source = read_template(name, parameters);
    const struct hone_build_request request = {
        .source = source, .source_name = name, .entry = entry, .arch = arch};
    struct hone_error err = {0};
    uint64_t ticket;
    const struct hone_build *build = NULL;
    assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
    assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
    free(source);
    return build;
}

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

static const struct {
    const char *name, *parameters, *reason;
} mixes[] = {
    {"sgemm.cu", "BM 128, WM 96", "warp tiles must fill the block tile"},
    {"sgemm.cu", "TM 24", "thread tiles must fill the warp tile"},
    {"sgemm.cu", "TM 4", "a warp tile must hold 32 thread tiles"},
    {"sgemm.cu", "WM 16, WN 32, TM 2", "thread tiles are made of pieces of 16 bytes"},
    {"sgemm.cu", "TYPE bf16, OUT f32", "TYPE must be f32 or f64"},
    {"sgemm.cu", "TYPE f64, OUT f32", "OUT is f64 where TYPE is"},
    {"sgemm.cu", "TYPE f64, VEC 4", "an access has at most 16 bytes"},
    {"sgemm.cu", "ASYNC 1, LOAD 2", "LOAD must be 1, without ASYNC 1 or 2"},
    {"sgemm.cu", "GROUP_M 0", "GROUP_M must be at least 1"},
    {"sgemm.cu", "VEC 3", "VEC must be 1, 2 or 4"},
    {"sgemm.cu", "STAGES 4", "STAGES must be 1, 2 or 3, with ASYNC 2, 3 or 4"},
    {"sgemm.cu", "ASYNC 1, STAGES 1", "STAGES must be 1, 2 or 3, with ASYNC 2, 3 or 4"},
    {"sgemm.cu", "ASYNC 2", "ASYNC must be 0 or 1"},
    {"sgemm.cu", "BM 192", "tiles must be powers of two"},
    {"sgemm.cu", "BK 2", "a tile is too small"},
    {"sgemm.cu", "BM 256, BN 256, WM 32, WN 16, TM 4, TN 4",
     "at most 1024 threads a block"},
    {"sgemm.cu", "BM 32, BN 256, WM 32, WN 32, TM 4, TN 8",
     "loads of A must spread evenly"},
    {"sgemm.cu", "BM 256, BN 32, WM 32, WN 32, TM 4, TN 8",
     "loads of B must spread evenly"},
    {"gemm_mma.cu", "WM 48", "warp tiles must fill the block tile"},
    {"gemm_mma.cu", "WN 8", "warp tiles are made of 16 x 16 pieces"},
    {"gemm_mma.cu", "BK 96", "BK: a power of two from 32 bytes on"},
    {"gemm_mma.cu", "BK 16", "BK: a power of two from 32 bytes on"},
    {"gemm_mma.cu", "STAGES 1", "copies run ahead: at least 2 stages"},
    {"gemm_mma.cu", "REGPIPE 3", "REGPIPE must be 1 or 2"},
    {"gemm_mma.cu", "BK 32", "REGPIPE 2 needs two steps a tile"},
    {"gemm_mma.cu", "STAGE_D 2", "STAGE_D must be 0 or 1"},
    {"gemm_mma.cu", "PREFETCH 32", "L2 is filled by 0, 64, 128 or 256 bytes"},
    {"gemm_mma.cu", "BM 256, BN 256, WM 16, WN 32", "at most 1024 threads a block"},
    {"gemm_mma.cu", "TYPE i8, TRANS_A 1", "8-bit operands must be contiguous along k"},
    {"gemm_mma.cu", "TYPE i8, OUT i32, ACT relu",
     "i32 takes no scale, bias, activation or residual"},
    {"gemm_mma.cu", "OUT i32", "only sums of i8 leave as i32"},
    {"gemm_mma.cu", "SPLIT_K 0", "SPLIT_K must be at least 1"},
    {"gemm_batched.cu", "POINTERS 2", "POINTERS must be 0 or 1"},
    {"gemm_w4a16.cu", "TYPE e4m3", "TYPE must be f16 or bf16"},
    {"gemm_w4a16.cu", "OUT f32", "OUT must be f16 or bf16"},
    {"gemm_w4a16.cu", "ZEROS 2", "ZEROS must be 0 or 1"},
    {"gemm_w4a16.cu", "BK 32", "BK must be 64 or 128"},
    {"gemm_w4a16.cu", "BN 16, WN 16", "BN must be a multiple of 32"},
    {"gemm_w4a16.cu", "WM 48", "warp tiles must fill the block tile"},
    {"gemm_w4a16.cu", "BN 96, WN 48, BM 32", "warps must divide the units of a tile"},
    {"gemm_w4a16.cu", "STAGES 1", "copies run ahead: at least 2 stages"},
    {"gemm_w4a16.cu", "EVICT 2", "EVICT must be 0 or 1"},
    {"gemm_w4a16.cu", "SPLIT_K 0", "SPLIT_K must be at least 1"},
    {"gemm_w4a16.cu", "MIN_BLOCKS 0", "MIN_BLOCKS must be at least 1"},
    {"gemm_w4a16_sm90.cu", "TYPE e4m3", "TYPE must be f16 or bf16"},
    {"gemm_w4a16_sm90.cu", "OUT f32", "OUT must be f16 or bf16"},
    {"gemm_w4a16_sm90.cu", "ZEROS 2", "ZEROS must be 0 or 1"},
    {"gemm_w4a16_sm90.cu", "BM 24", "BM: 8, or 16 to 144 in steps of 16"},
    {"gemm_w4a16_sm90.cu", "BN 192", "BN: 64 or 128 for each warp group"},
    {"gemm_w4a16_sm90.cu", "BN 384, MATH 3", "a box has up to 256 scales"},
    {"gemm_w4a16_sm90.cu", "BN 256, MATH 4", "MATH must be 1, 2 or 3"},
    {"gemm_w4a16_sm90.cu", "SPLIT_K 0", "SPLIT_K must be at least 1"},
    {"gemm_w4a16_sm90.cu", "STREAM 1", "STREAM: 0, or 1 without SPLIT_K"},
    {"gemm_w4a16_sm90.cu", "GROUP 0", "GROUP must be at least 1"},
    {"gemm_w4a16_sm90.cu", "RASTER 2", "RASTER must be 0 or 1"},
    {"w4_shuffle.cu", "BLOCK 48", "a block is 1 to 32 warps"},
    {"w4_shuffle.cu", "UNITS 0", "UNITS must be at least 1"},
    {"gemm_grouped.cu", "TRANS_A 1", "rows of A must be contiguous: no TRANS_A"},
    {"transpose.cu", "VEC_IN 3", "VEC_IN must be 1, 2, 4 or 8"},
    {"transpose.cu", "VEC_OUT 16", "VEC_OUT must be 1, 2, 4 or 8"},
    {"transpose.cu", "VEC_IN 8", "a load has at most 16 bytes"},
    {"transpose.cu", "VEC_OUT 8", "a store has at most 16 bytes"},
    {"transpose.cu", "TILE_M 96", "TILE_M: a power of two"},
    {"transpose.cu", "TILE_N 4", "TILE_N: a power of two"},
    {"transpose.cu", "ITEMS 3", "ITEMS: a power of two"},
    {"transpose.cu", "ITEMS 16", "a block is 1 to 32 warps"},
    {"transpose.cu", "SPREAD 3", "SPREAD must be 0, 1 or 2"},
    {"gemm_sm90.cu", "MATH 4", "MATH must be 1, 2 or 3"},
    {"gemm_sm90.cu", "PINGPONG 1, MATH 1", "warp groups take turns where there are two"},
    {"gemm_sm90.cu", "BM 64", "BM: a multiple of 64 for each warp group"},
    {"gemm_sm90.cu", "BN 56", "BN 64 to 256, with SWAP from 16, in steps of 16"},
    {"gemm_sm90.cu", "BN 80, TRANS_B 0",
     "what has k not contiguous comes in panels of 64"},
    {"gemm_sm90.cu", "SWAP 1", "SWAP: 0, or 1 with STORE direct"},
    {"gemm_sm90.cu", "TYPE e4m3, SCALE block, INFLIGHT 0, BN 64, STORE direct, SWAP 1",
     "SWAP knows no scales of blocks"},
    {"gemm_sm90.cu", "STREAM 1, SPLIT_K 2", "STREAM: 0, or 1 without SPLIT_K"},
    {"gemm_grouped_sm90.cu", "SWAP 1, STORE direct", "groups have no SWAP and no STREAM"},
    {"gemm_sm90.cu", "INFLIGHT 2", "INFLIGHT must be 0 or 1"},
    {"gemm_sm90.cu", "PROMOTE 1, INFLIGHT 0", "only sums of 8-bit floats are promoted"},
    {"gemm_sm90.cu", "TYPE e4m3, PROMOTE 1", "promoted sums leave no stage in flight"},
    {"gemm_sm90.cu", "TYPE e4m3, SCALE block, INFLIGHT 0, BN 176",
     "a tile's columns have two scales: BN to 160, or 192"},
    {"gemm_sm90.cu", "PANELS 0", "PANELS must be 1 to 4"},
    {"gemm_sm90.cu", "TYPE e4m3, TRANS_B 0",
     "only types of 16 bits may have k not contiguous"},
    {"gemm_sm90.cu", "CLUSTER_M 2, CLUSTER_N 2",
     "a cluster has one block, or two that share one operand"},
    {"gemm_sm90.cu", "SPLIT_K 0", "SPLIT_K must be at least 1"},
    {"gemm_sm90.cu", "GROUP 0", "GROUP must be at least 1"},
    {"gemm_sm90.cu", "RASTER 2", "RASTER must be 0 or 1"},
    {"gemm_sm90.cu", "BN 64, OUT e4m3", "a tile of D has at least 128 bytes a row"},
    {"gemm_grouped_sm90.cu", "TRANS_A 1", "rows of A must be contiguous: no TRANS_A"},
    {"gemm_grouped_sm90.cu", "SPLIT_K 2", "groups have no split-K"},
    {"transpose.cu", "ORDER 3", "ORDER must be 0, 1 or 2"},
    {"transpose.cu", "MIN_BLOCKS 0", "MIN_BLOCKS must be at least 1"},
    {"attention.cu", "TYPE f32", "TYPE must be bf16 or f16"},
    {"attention.cu", "HEAD 80", "HEAD: a multiple of 32 up to 256"},
    {"attention.cu", "HEAD 288", "HEAD: a multiple of 32 up to 256"},
    {"attention.cu", "BLOCK_M 96", "each warp has a multiple of 16 queries"},
    {"attention.cu", "BLOCK_N 24", "BLOCK_N must be a multiple of 16"},
    {"attention.cu", "STAGES 0", "STAGES must be at least 1"},
    {"attention.cu", "EVICT 3", "EVICT must be 0, 1 or 2"},
    {"attention.cu", "KEEP_Q 2", "KEEP_Q must be 0 or 1"},
    {"attention.cu", "PEEL 2", "PEEL must be 0 or 1"},
    {"attention.cu", "CAUSAL 0", "LONGEST_FIRST must be 0 or 1, and 0 without CAUSAL"},
    {"attention.cu", "HEAD_GROUP 0", "HEAD_GROUP must be at least 1"},
    {"attention.cu", "WARPS 64, BLOCK_M 1024", "at most 1024 threads a block"},
    {"nbody.cu", "BLOCK 48", "a block is 1 to 32 warps"},
    {"nbody.cu", "BODIES 0", "a thread needs a body"},
    {"nbody.cu", "TILE 4096", "a tile has at most 48 KiB"},
    {"nbody.cu", "PLANES 1, VEC 3", "VEC must be 1, 2 or 4"},
    {"nbody.cu", "PLANES 1, VEC 4, UNROLL 2", "a round takes whole loads"},
    {"nbody.cu", "UNROLL 48", "a tile takes whole rounds"},
    {"nbody.cu", "SHARED 2", "SHARED must be 0 or 1"},
    {"nbody.cu", "SHARED 0, PLANES 1", "PLANES are in shared memory"},
    {"nbody.cu", "VEC 2", "records are read one by one"},
    {"nbody.cu", "SHARED 0, VEC 2", "records are read one by one"},
    {"nbody.cu", "MIN_BLOCKS 0", "MIN_BLOCKS must be at least 1"},
    {"stencil.cu", "block_size_x 0", "a block needs threads"},
    {"stencil.cu", "block_size_y 64", "at most 1024 threads a block"},
    {"stencil.cu", "tile_size_y 0", "a thread needs cells"},
    {"stencil.cu", "temporal_tiling_factor 0", "a phase needs a step"},
    {"stencil.cu", "loop_unroll_factor_t 3",
     "loop_unroll_factor_t must divide temporal_tiling_factor"},
    {"stencil.cu", "sh_power 2", "sh_power must be 0 or 1"},
    {"stencil.cu", "blocks_per_sm -1", "blocks_per_sm must be 0 or more"},
    {"attention_sm90.cu", "HEAD_V 160", "HEAD_V: a multiple of 32 up to HEAD"},
    {"attention_sm90.cu", "TYPE tf32", "TYPE must be bf16, f16 or e4m3"},
    {"attention_sm90.cu", "TYPE e4m3", "OUT must be bf16 or f16"},
    {"attention_sm90.cu", "TYPE e4m3, OUT bf16, VARLEN 1", "8 bits know no VARLEN"},
    {"attention_sm90.cu", "TYPE e4m3, OUT bf16, BLOCK_N 48",
     "of 8 bits BLOCK_N is a multiple of 32"},
    {"attention_sm90.cu", "BLOCK_N 24", "BLOCK_N: 16 to 256 in steps of 16"},
    {"attention_sm90.cu", "MATH 4", "MATH must be 1, 2 or 3"},
    {"attention_sm90.cu", "STAGES 1", "STAGES must be at least 2"},
    {"attention_sm90.cu", "OVERLAP 2", "OVERLAP must be 0 or 1"},
    {"attention_sm90.cu", "MATH 1", "warp groups take turns where there are several"},
    {"attention_sm90.cu", "PERSISTENT 2", "PERSISTENT must be 0 or 1"},
    {"attention_sm90.cu", "CAUSAL 0",
     "LONGEST_FIRST must be 0 or 1, and 0 without CAUSAL"},
    {"attention_sm90.cu", "HEAD_GROUP 0", "HEAD_GROUP must be at least 1"},
    {"attention_decode.cu", "CACHE i8", "CACHE: TYPE or e4m3"},
    {"attention_decode.cu", "KEYS 48", "KEYS: a power of two from 16 on"},
    {"attention_decode.cu", "PAGE 24", "PAGE: 0 or a power of two from 8 on"},
    {"attention_decode.cu", "WARPS 32", "WARPS must be 1 to 16"},
    {"attention_decode.cu", "STAGES 0", "STAGES must be at least 1"},
    {"attention_decode.cu", "KEEP_Q 2", "KEEP_Q must be 0 or 1"},
    {"attention_decode.cu", "PEEL 2", "PEEL must be 0 or 1"},
    {"attention_decode.cu", "EVICT 2", "EVICT must be 0 or 1"},
    {"mla_decode.cu", "ROWS 48", "ROWS must be 16, 32 or 64"},
    {"mla_decode.cu", "WARPS 2",
     "WARPS: a power of two up to 16, one at least for 16 rows"},
    {"mla_decode.cu", "KEYS 16",
     "KEYS: a power of two, 16 at least for each warp of 16 rows"},
    {"mla_decode.cu", "STAGES 0", "STAGES must be at least 1"},
    {"mla_decode.cu", "PAGE 24", "PAGE: 0 or a power of two from 8 on"},
    {"mla_decode.cu", "HEAD_V 384", "HEAD_V: a multiple of 256 up to HEAD"},
    {"mla_decode.cu", "EVICT 2", "EVICT must be 0 or 1"},
    {"mla_decode.cu", "MIN_BLOCKS 0", "MIN_BLOCKS must be at least 1"},
    {"reduction.cu", "BLOCK 48", "a block is 1 to 32 warps"},
    {"reduction.cu", "BLOCK 96", "BLOCK must be a power of two"},
    {"reduction.cu", "ITEMS 3", "ITEMS must be a power of two"},
    {"reduction.cu", "VEC 1", "VEC must be 4, 8 or 16 bytes"},
    {"reduction.cu", "FINISH 2", "FINISH must be 0 or 1"},
    {"reduction.cu", "ACCUMULATE 0", "atomic operations add to what is there"},
    {"reduction.cu", "OP argmax, FINISH 1", "argmax takes no part of out"},
    {"reduction.cu", "INDEXED 1", "only argmax has indices"},
    {"reduction.cu", "SHUFFLE 2", "SHUFFLE must be 0 or 1"},
    {"reduction.cu", "BULK 1", "BULK must be 0 or 2 to 8"},
    {"reduction.cu", "BULK 2, VEC 8", "bulk copies move 16 bytes"},
    {"softmax.cu", "ROW_THREADS 96", "ROW_THREADS must be a power of two"},
    {"softmax.cu", "ROW_THREADS 8, ROWS 3", "a block is 1 to 32 warps"},
    {"softmax.cu", "ROW_THREADS 512, ROWS 4", "a block is 1 to 32 warps"},
    {"softmax.cu", "CHUNKS 0", "CHUNKS must be at least 1"},
    {"softmax.cu", "VEC 32", "VEC must be 4, 8 or 16 bytes"},
    {"softmax.cu", "TYPE e4m3", "TYPE must be f32, f16 or bf16"},
    {"softmax.cu", "LOG 2", "LOG must be 0 or 1"},
    {"softmax.cu", "SPLIT 0", "SPLIT must be at least 1"},
    {"softmax.cu", "SPLIT 2, ROWS 2, ROW_THREADS 32", "blocks share a single row"},
    {"softmax.cu", "LOAD 3", "LOAD must be 0, 1 or 2"},
    {"softmax.cu", "PREFETCH 32", "L2 is filled by 0, 64, 128 or 256 bytes"},
    {"softmax.cu", "EVICT 3", "EVICT must be 0, 1 or 2"},
    {"softmax.cu", "STORE -1", "STORE must be 0, 1 or 2"},
    {"rmsnorm.cu", "RESIDUAL 2", "RESIDUAL must be 0 or 1"},
    {"rmsnorm.cu", "QUANT row", "QUANT and e4m3 go together"},
    {"layernorm.cu", "OUT e4m3", "QUANT and e4m3 go together"},
};

static void illegal_mix_is_refused_with_its_reason(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder();
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++) {
        const struct hone_build *build = build_template(
            builder, mixes[i].name, mixes[i].parameters, "sgemm", "sm_90a");
        assert_int_equal(build->outcome, HONE_BUILD_FAILED);
        if (!strstr(build->log, mixes[i].reason))
            fail_msg("%s: '%s', not '%s'", mixes[i].parameters, build->reason,
                     mixes[i].reason);
        hone_build_release(build);
    }
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
    cmocka_unit_test(illegal_mix_is_refused_with_its_reason),
};

HONE_TEST_MAIN(tests)
