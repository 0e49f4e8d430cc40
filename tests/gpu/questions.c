// hone_questions FILE [QUESTION...]: what only hardware can tell. Each question has a small
// kernel (questions.cu), an answer of bits or cycles, and what is expected beside it; the
// answers, one JSON object a line, are what an emulator of these instructions has to
// match. Sources of what is expected: PTX ISA 9.0 (sections on wgmma, tensors and
// mbarrier), cuda.h on tensor maps, and the SASS that ptxas 13.0 makes of the kernels.
// Tensor memory (tcgen05) is not asked about: that takes sm_100a, no Hopper can answer.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "questions.h"

// ---- Carry and barriers -------------------------------------------------------------

static void carry_after(struct ask *ask, const char *name, uint32_t a, uint32_t b,
                        const uint32_t expected[4])
{
    static const char *const what[] = {"sub_addc", "add_addc", "sub_subc", "add_subc"};
    hone_devptr out = ask_buffer(ask, 32);
    struct ask_call call = ask_kernel(ask, "carry", 1, 1, 0);
    uint32_t got[4];
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, a);
    ASK_ARGUMENT(&call, b);
    ask_launch(ask, &call);
    ask_read(ask, got, out, sizeof got);
    for (size_t i = 0; i < 4; i++) {
        char field[32];
        snprintf(field, sizeof field, "%s_%s", name, what[i]);
        ask_expect(ask, field, got[i], expected[i], expected[i]);
    }
}

static void answer_carry(struct ask *ask)
{
    carry_after(ask, "5_3", 5, 3, (const uint32_t[]){1, 0, 0, UINT32_MAX});
    carry_after(ask, "3_5", 3, 5, (const uint32_t[]){0, 0, UINT32_MAX, UINT32_MAX});
    carry_after(ask, "max_1", UINT32_MAX, 1, (const uint32_t[]){1, 1, 0, 0});
}

static void answer_fresh_barrier(struct ask *ask)
{
    hone_devptr out = ask_buffer(ask, 8);
    struct ask_call call = ask_kernel(ask, "fresh_barrier", 1, 1, 0);
    uint32_t got[2];
    ASK_ARGUMENT(&call, out);
    ask_launch(ask, &call);
    ask_read(ask, got, out, sizeof got);
    ask_expect(ask, "parity_0", got[0], 0, 0);
    ask_expect(ask, "parity_1", got[1], 1, 1);
}

// ---- The accumulator of fp8 ---------------------------------------------------------

// 2^-n as e4m3, n < 10.
static uint8_t as_e4m3(uint32_t n)
{
    return (uint8_t)(n <= 6 ? (7 - n) << 3 : 4u >> (n - 7));
}

struct fp8_sums {
    hone_devptr a, b, out;
    struct ask_call call;
    float c;
    uint32_t times;
};

// What c and `times` times the sum of first (1 or 0) and of 2^-j in all other places come
// to: by wgmma and by mma.sync.
static void sum_fp8(struct ask *ask, struct fp8_sums *s, bool first, uint32_t j,
                    float got[2])
{
    uint8_t a[32], b[32];
    memset(a, as_e4m3(j / 2), sizeof a);
    memset(b, as_e4m3(j - j / 2), sizeof b);
    if (first) a[0] = b[0] = as_e4m3(0);
    ask_write(ask, s->a, a, sizeof a);
    ask_write(ask, s->b, b, sizeof b);
    ask_launch(ask, &s->call);
    ask_read(ask, got, s->out, 2 * sizeof *got);
}

static void answer_fp8(struct ask *ask)
{
    struct fp8_sums s = {ask_buffer(ask, 32),
                         ask_buffer(ask, 32),
                         ask_buffer(ask, 8),
                         ask_kernel(ask, "fp8_sum", 1, 128, 4096),
                         0,
                         1};
    float got[2];
    ASK_ARGUMENT(&s.call, s.out);
    ASK_ARGUMENT(&s.call, s.a);
    ASK_ARGUMENT(&s.call, s.b);
    ASK_ARGUMENT(&s.call, s.c);
    ASK_ARGUMENT(&s.call, s.times);
    for (uint32_t j = 6; j <= 18; j++) {
        char name[32];
        const double kept = j <= 13 ? 31 : 0;
        sum_fp8(ask, &s, true, j, got);
        snprintf(name, sizeof name, "kept_of_31_at_%u", j);
        ask_expect(ask, name, ldexp((double)got[0] - 1, (int)j), kept, kept);
        snprintf(name, sizeof name, "by_mma_sync_at_%u", j);
        ask_expect(ask, name, ldexp((double)got[1] - 1, (int)j), 31, 31);
    }
    s.c = 1;
    s.times = 128;
    sum_fp8(ask, &s, false, 14, got);
    ask_expect(ask, "1_and_4096_at_14", (double)got[0], 1, 1);
    ask_expect(ask, "1_and_4096_at_14_by_mma_sync", (double)got[1], 1.25, 1.25);
}

static const struct question questions[] = {
    {"carry", "What does addc add after sub.cc, and subc take away after add.cc?",
     "sub.cc sets the flag where there is no borrow: ptxas makes IADD3 with -b of it and "
     "adds that carry; 5_3_sub_addc is 1",
     "ASK_GENERAL", 20, true, answer_carry},
    {"fresh_barrier", "Which parity does a fresh mbarrier say to be over?",
     "parity 1, not parity 0: the phase before the first counts as complete", "ASK_ASYNC",
     20, true, answer_fresh_barrier},
    {"tma_boxes",
     "Where does a copy by a tensor map put the elements of a box (a dump of shared "
     "memory, "
     "words of 16 bits, ffff where nothing came)?",
     "packed, then address bits 7-9 of absolute addresses xor bits 4-6 (1, 3, 7 of them "
     "for 32, 64, 128 bytes); outside 0; a box narrower than the swizzle: not known",
     "ASK_ASYNC", 30, true, answer_tma_boxes},
    {"wgmma_b", "Where does wgmma find B[k][n] (element of shared memory, [n][k])?",
     "the canonical layouts of PTX with the swizzle on absolute addresses; LBO and SBO "
     "change places between MN-major with and without swizzle",
     "ASK_LAYOUT", 30, true, answer_wgmma_b},
    {"wgmma_a", "Where does wgmma find A[m][k] (element of shared memory, [m][k])?",
     "as of B, with rows for columns", "ASK_LAYOUT", 30, true, answer_wgmma_a},
    {"fp8_accumulator",
     "How many of 31 products of 2^-j are left beside 1 in a sum of e4m3?",
     "wgmma keeps 13 bits behind the largest, so 31 up to j = 13 and none beyond; "
     "mma.sync "
     "goes by f16 products and keeps all",
     "ASK_LAYOUT", 30, true, answer_fp8},
    {"wgmma_cycles",
     "Cycles of one m64nNk16 of a chain, A in registers (rs) or shared (ss), by 1 and by "
     "2 "
     "warpgroups of one multiprocessor",
     "N / 2, or 16 + N / 4 where A and B come from shared memory and that is more",
     "ASK_CYCLES", 60, false, answer_wgmma_cycles},
    {"shared_port",
     "Whom does shared memory serve first: cycles of a product from there, alone and "
     "while "
     "tiles come from L2, and bytes a cycle that come, alone and beside products",
     "products first, at their own pace: of 128 bytes a cycle they leave none at N = 64 "
     "and "
     "32 at N = 128 (assumed)",
     "ASK_PORT", 40, false, answer_shared_port},
    {"tma_latency", "Cycles from the issue of a bulk copy to its barrier",
     "400 to 1200 from L2 (600 to 1000 in published measurements), more from DRAM",
     "ASK_ASYNC", 30, false, answer_tma_latency},
    {"tma_rate", "Bytes a second by bulk copies of 16 KB, 8 in flight a multiprocessor",
     "75 to 100 % of nominal from DRAM, more from L2", "ASK_ASYNC", 40, false,
     answer_tma_rate},
    {"far_shared",
     "Cycles of a load from another block's shared memory, beside one's own, and its "
     "rate",
     "20 to 60 own, 150 to 280 other (180 to 213 in published measurements)", "ASK_ASYNC",
     30, false, answer_far_shared},
    {"write_back",
     "What reading 64 MB pays more when L2 is full of lines that were written",
     "what L2 holds, at the bandwidth of DRAM, and half as much again at most",
     "ASK_GENERAL", 40, false, answer_write_back},
    {"clock_bias", "How much longer than itself does each clock say a spin takes?",
     "events up to 3 us, graphs up to 1, CUPTI up to 0.5", "ASK_GENERAL", 60, false,
     answer_clocks},
};

int main(int argc, char **argv)
{
    return ask_main(argc, argv, questions, sizeof questions / sizeof *questions);
}
