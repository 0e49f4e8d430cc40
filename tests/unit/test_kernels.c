// The project's own kernels on the emulator: a random sample of their configurations,
// each verified against the reference kernel at every size the script names.
#include "kernels_frame.h"

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

static void products_with_weights_of_4_bits_are_right(void **state)
{
    (void)state;
    CHECK(
        {"kernels/gemm_w4a16.lua", "", "emu:a100", 3, NO_TIME},
        {"kernels/gemm_w4a16.lua", "ZEROS=true BK=64", "emu:rtx4090", 2, NO_TIME},
        {"kernels/gemm_w4a16.lua", "TYPE=bf16 ZEROS=true WM=32", "emu:h100", 1, NO_TIME},
        {"kernels/gemm_w4a16.lua", "TYPE=bf16 OUT=f16 ACT=swiglu RESIDUAL=true",
         "emu:a100", 1, NO_TIME},
        {"kernels/gemm_w4a16.lua", "ADD_C=true BIAS=column SCALE=both ACT=gelu_erf",
         "emu:a100", 1, NO_TIME},
        {"kernels/w4_shuffle.lua", "", "emu:a100", 4, NO_TIME});
}

static void products_with_weights_of_4_bits_by_warp_groups_are_right(void **state)
{
    (void)state;
    CHECK({"kernels/gemm_w4a16_sm90.lua", "", "emu:h100", 3, NO_TIME},
          {"kernels/gemm_w4a16_sm90.lua", "TYPE=bf16 ZEROS=true BM=8", "emu:h100", 1,
           NO_TIME},
          {"kernels/gemm_w4a16_sm90.lua",
           "TYPE=bf16 OUT=f16 STREAM=1 ACT=swiglu BIAS=column RESIDUAL=true", "emu:h200",
           1, NO_TIME},
          {"kernels/gemm_w4a16_sm90.lua",
           "ZEROS=true BN=256 SPLIT_K=4 ADD_C=true SCALE=both ACT=gelu_erf", "emu:h100",
           1, NO_TIME});
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
         NO_TIME},
        // another lane gives a stage back to the other block than to the own one
        {"kernels/gemm_grouped_sm90.lua",
         "BM=256 BN=96 MATH=2 PINGPONG=1 INFLIGHT=1 CLUSTER_N=2", "emu:h100", 1,
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

static void reductions_that_bulk_copies_feed_are_within_their_tolerance(void **state)
{
    (void)state;
    CHECK({"kernels/reduction.lua", "BULK=2", "emu:h200", 3, NO_TIME},
          {"kernels/reduction.lua", "BULK=4 TYPE=bf16 MODE=write PARTS=3", "emu:h100", 2,
           NO_TIME},
          {"kernels/reduction.lua", "BULK=3 OP=argmax TYPE=f16 INDEXED=true", "emu:h200",
           2, NO_TIME});
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

static void rows_that_bulk_copies_bring_are_within_their_tolerance(void **state)
{
    (void)state;
    CHECK(
        {"kernels/softmax.lua", "BULK=2", "emu:h200", 2, NO_TIME},
        {"kernels/softmax.lua", "BULK=4 TYPE=f32 LOG=true", "emu:h200", 1, NO_TIME},
        {"kernels/rmsnorm.lua", "BULK=3 RESIDUAL=true QUANT=row", "emu:h200", 2, NO_TIME},
        {"kernels/layernorm.lua", "BULK=2", "emu:h200", 2, NO_TIME});
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sampled_sgemm_configurations_are_exact),
    cmocka_unit_test(sgemm_splits_and_ends_are_right),
    cmocka_unit_test(products_in_double_are_right),
    cmocka_unit_test(sampled_products_on_tensor_cores_are_right),
    cmocka_unit_test(products_of_every_type_are_right),
    cmocka_unit_test(products_with_weights_of_4_bits_are_right),
    cmocka_unit_test(products_with_weights_of_4_bits_by_warp_groups_are_right),
    cmocka_unit_test(every_end_of_a_product_is_right),
    cmocka_unit_test(products_of_warp_groups_are_right),
    cmocka_unit_test(groups_by_warp_groups_are_right),
    cmocka_unit_test(batches_and_groups_are_right),
    cmocka_unit_test(attention_is_right_under_every_mask),
    cmocka_unit_test(attention_by_warp_groups_is_right),
    cmocka_unit_test(attention_to_a_cache_is_right),
    cmocka_unit_test(latent_attention_is_right),
    cmocka_unit_test(sampled_reductions_are_within_their_tolerance),
    cmocka_unit_test(reductions_that_bulk_copies_feed_are_within_their_tolerance),
    cmocka_unit_test(sampled_softmaxes_are_within_their_tolerance),
    cmocka_unit_test(rows_that_blocks_share_are_within_their_tolerance),
    cmocka_unit_test(blocks_that_wait_for_each_other_get_a_prediction),
    cmocka_unit_test(rows_that_bulk_copies_bring_are_within_their_tolerance),
    cmocka_unit_test(sampled_norms_are_within_their_tolerance),
    cmocka_unit_test(sampled_convolutions_are_exact),
    cmocka_unit_test(sampled_transpositions_are_exact),
    cmocka_unit_test(sampled_stencils_are_exact),
    cmocka_unit_test(verified_kernels_get_a_prediction),
};
HONE_TEST_MAIN(tests)
