// Predictions on emu:h100 that hold whatever the model becomes: the order of variants of
// gemm_sm90, where the rates of the hardware decide it (docs/maintain/emulator.md, Roles),
// and what blocks of attention_sm90 have to do.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

#define SIZES " --set M=4096 --set N=4096 --set K=4096"
#define OTHERS                                                                           \
    " --set GROUP=8 --set PANELS=2 --set RASTER=0 --set SPLIT_K=1 --set STREAM=0"
#define TILE(bm, bn, math) " --set BM=" #bm " --set BN=" #bn " --set MATH=" #math
#define CLUSTER(m, n)      " --set CLUSTER_M=" #m " --set CLUSTER_N=" #n
#define PLAIN              " --set PINGPONG=0 --set INFLIGHT=1" OTHERS SIZES
#define PINGPONG           " --set PINGPONG=1 --set INFLIGHT=1" OTHERS SIZES

static const char wide[] = "gemm_sm90.lua" TILE(128, 256, 2) CLUSTER(1, 1) PLAIN;
static const char square[] = "gemm_sm90.lua" TILE(128, 128, 2) CLUSTER(1, 1) PLAIN;
static const char shared[] = "gemm_sm90.lua" TILE(128, 128, 2) CLUSTER(2, 1) PLAIN;
static const char in_turns[] = "gemm_sm90.lua" TILE(128, 128, 2) CLUSTER(1, 1) PINGPONG;
static const char turns_shared[] =
    "gemm_sm90.lua" TILE(128, 128, 2) CLUSTER(2, 1) PINGPONG;
static const char flat[] = "gemm_sm90.lua" TILE(64, 256, 1) CLUSTER(1, 1) PLAIN;
static const char small[] = "gemm_sm90.lua" TILE(64, 64, 1) CLUSTER(1, 1) PLAIN;
static const char bytes[] =
    "gemm_sm90.lua --set TYPE=e4m3" TILE(128, 128, 2) CLUSTER(1, 1) PLAIN;
static const char of_warps[] = "gemm_mma.lua" SIZES;

static const struct {
    const char *faster, *slower, *reason;
} rows[] = {
    {wide, of_warps, "mma.sync has 0.63 of the rate that wgmma has"},
    {wide, square, "L2 has to bring 48 bytes a cycle, not 64, of the 47 that it has"},
    {shared, square, "a multicast halves what L2 brings of one operand"},
    {turns_shared, in_turns, "likewise"},
    {square, small, "64 columns keep shared memory as busy as the tensor cores"},
    {wide, flat, "two warp groups use what is brought of B twice"},
    {square, flat, "L2 has to bring 64 bytes a cycle, not 80"},
    {bytes, square, "half the bytes, twice the products a cycle"},
};
enum { ROWS = sizeof rows / sizeof *rows };

// A figure of the one prediction of a script with these settings.
static double predict(const char *variant, const char *figure)
{
    char line[1024], key[64];
    snprintf(line, sizeof line,
             "tune $SOURCE/kernels/%s --device emu:h100 --budget 1 --no-verify "
             "--no-finals --quiet --journal order.jsonl",
             variant);
    snprintf(key, sizeof key, "\"%s\":", figure);
    program_run_with("rm -f order.jsonl;", line);
    if (program.code != 0) fail_msg("%s: %s%s", variant, program.out, program.err);
    char *journal = program_file("order.jsonl");
    const char *at = strstr(journal, key);
    if (!at) fail_msg("%s: no %s", variant, figure);
    const double value = strtod(at + strlen(key), NULL);
    free(journal);
    return value;
}

// Each is built and predicted once.
static double time_of(const char *variant)
{
    static const char *known[2 * ROWS];
    static double times[2 * ROWS];
    size_t k = 0;
    while (known[k] && known[k] != variant)
        k++;
    if (!known[k]) times[k] = predict(variant, "predicted_us");
    known[k] = variant;
    return times[k];
}

static void variants_come_in_the_order_of_their_bounds(void **state)
{
    (void)state;
    need_nvrtc();
    for (size_t i = 0; i < ROWS; i++) {
        const double faster = time_of(rows[i].faster), slower = time_of(rows[i].slower);
        if (faster >= slower)
            fail_msg("%s: %g us\n%s: %g us\nbut %s", rows[i].faster, faster,
                     rows[i].slower, slower, rows[i].reason);
    }
}

// Of 8 tiles a head the shortest has one tile of keys, the longest 8: two each of 4 heads
// on 8 blocks are 18 tiles of keys for everyone, 2048 cycles of the tensor cores each. What
// is predicted of the middle block and of the last one is told as their mean.
static void blocks_of_causal_attention_have_equal_work(void **state)
{
    static const char two_each[] = "attention_sm90.lua --set BATCH=1 --set SEQ_Q=1024 "
                                   "--set SEQ_K=1024 --set HEADS=4 --set KEY_HEADS=2 "
                                   "--set SMS=8";
    (void)state;
    need_nvrtc();
    const double cycles = predict(two_each, "tensor_group_cycles");
    if (cycles != 18 * 2048) fail_msg("%g tiles of keys", cycles / 2048);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(variants_come_in_the_order_of_their_bounds),
    cmocka_unit_test(blocks_of_causal_attention_have_equal_work),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
