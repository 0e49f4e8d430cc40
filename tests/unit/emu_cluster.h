/* For tests of clusters: a frame of a kernel, the ways in which one must come out alike,
 * and what is said of one that is wrong. */
#ifndef HONE_TEST_EMU_CLUSTER_H
#define HONE_TEST_EMU_CLUSTER_H

#include <stdlib.h>

#include "device/emu.h"
#include "emu_kernel.h"

// A kernel of (.u64 p) with clusters of 2; %r0 = thread, %r1 = %cluster_ctarank, %r2 = the
// other rank, %r3 = s (4096 bytes) of the other block, %x0 = p, %x1 = place of the block's
// and thread's word of p, with 64 words a block. The body's first line is line 12.
static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p) %s {\n"
    ".reg .b32 %%r<32>; .reg .b64 %%x<16>; .reg .pred %%p<8>; .reg .b16 %%h<4>;\n"
    ".reg .f32 %%f<2>; .reg .f64 %%d<2>;"
    ".shared .align 16 .b8 s[4096];\n"
    "ld.param.u64 %%x0, [p]; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%cluster_ctarank;\n"
    "xor.b32 %%r2, %%r1, 1; mapa.shared::cluster.u32 %%r3, s, %%r2;\n"
    "mov.u32 %%r4, %%ctaid.x; mad.lo.u32 %%r4, %%r4, 64, %%r0;\n"
    "mul.wide.u32 %%x1, %%r4, 4; add.u64 %%x1, %%x0, %%x1; shl.b32 %%r5, %%r0, 2;\n"
    "mov.u32 %%r6, s; setp.eq.u32 %%p0, %%r0, 0; setp.eq.u32 %%p1, %%r1, 0;\n"
    "%s\nret;\n}\n";
#define PAIR ".reqnctapercluster 2"
#define SYNC "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"

struct way {
    const char *name;
    bool reversed, scattered, check;
    enum hone_order order;
};
static const struct way ways[] = {
    {"as usual", .order = HONE_ORDER_USUAL},
    {"warps reversed", .reversed = true},
    {"lanes apart", .scattered = true},
    {"blocks turned", .order = HONE_ORDER_BLOCKS},
    {"all reversed", .order = HONE_ORDER_REVERSED},
    {"late copies", .order = HONE_ORDER_LATE_COPIES},
    {"checked", .check = true},
    {"checked and reversed", .check = true, .reversed = true},
    {"checked and apart", .check = true, .scattered = true},
};
enum { WORDS = 512, THREADS = 64 };

// What launches of run_grid ask for.
static struct hone_geometry asked;

static inline void run_grid(const char *body, const char *directives,
                            const uint32_t grid[3], const struct way *way,
                            uint32_t *words, struct hone_fault *fault)
{
    char text[8192];
    struct emu emu;
    for (uint32_t k = 0; k < WORDS; k++)
        words[k] = 1000 + k;
    emu_open(&emu);
    hone_emu_set_reversed(emu.dev, way->reversed);
    hone_emu_set_scattered(emu.dev, way->scattered);
    snprintf(text, sizeof text, frame, directives, body);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, words, WORDS * sizeof *words);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, THREADS);
    memcpy(launch.grid, grid, sizeof launch.grid);
    memcpy(launch.cluster, asked.cluster, sizeof launch.cluster);
    launch.flags = asked.flags;
    launch.check = way->check;
    launch.order = way->order;
    emu_run(&emu, &launch);
    *fault = emu.fault;
    emu_fetch(&emu, words, p, WORDS * sizeof *words);
    emu.dev->fns->free(emu.dev, p);
    emu_close(&emu);
}

static inline void run_way(const char *body, const struct way *way, uint32_t *words,
                           struct hone_fault *fault)
{
    const uint32_t grid[3] = {4, 1, 1};
    run_grid(body, PAIR, grid, way, words, fault);
}

// Every way ends well, and thread t of block b leaves expected(b, t).
static inline void check_all_ways(const char *body,
                                  uint32_t (*expected)(uint32_t, uint32_t))
{
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        uint32_t words[WORDS];
        struct hone_fault fault;
        run_way(body, &ways[k], words, &fault);
        if (fault.outcome != HONE_VALID)
            fail_msg("%s: %s: %s\n%s", ways[k].name, hone_finding_name(fault.finding),
                     fault.reason, body);
        for (uint32_t n = 0; n < 4 * THREADS; n++)
            if (words[n] != expected(n / THREADS, n % THREADS))
                fail_msg("%s: block %u thread %u has %u\n%s", ways[k].name, n / THREADS,
                         n % THREADS, words[n], body);
    }
}

static inline uint32_t from_the_other(uint32_t block, uint32_t thread)
{
    return (block ^ 1) * 100 + thread;
}
#define OWN_VALUE "mov.u32 %r8, %ctaid.x; mad.lo.u32 %r8, %r8, 100, %r0;\n"

#define INIT(count)                                                                      \
    "@%p0 mbarrier.init.shared::cta.b64 [s+512], " count ";\n"                           \
    "@%p0 fence.mbarrier_init.release.cluster;\n"                                        \
    "barrier.cluster.arrive.relaxed; barrier.cluster.wait;\n"
#define WAIT(parity)                                                                     \
    "W" parity ": mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, "        \
    "[s+512], " parity "; @!%p2 bra W" parity ";\n"

#define LANDS "shared::cluster.mbarrier::complete_tx::bytes"
#define EXPECT(bytes)                                                                    \
    "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [s+512], " bytes ";\n"
#define TAKE_LANDED                                                                      \
    WAIT("0")                                                                            \
    "add.u32 %r9, %r6, %r5; ld.shared.u32 %r10, [%r9]; st.global.u32 [%x1], %r10;\n"

// E(6): block 0 of a cluster copies its 16 bytes of p to both, each of which expects them.
#define CAST(mask, bytes)                                                                \
    INIT("1")                                                                            \
    "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [s+512], " bytes ";\n"            \
    "and.pred %p3, %p0, %p1; mov.b16 %h0, " mask ";\n"                                   \
    "@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"             \
    ".multicast::cluster [s], [%x1], 16, [s+512], %h0;\n" WAIT(                          \
        "0") "add.u32 %r9, %r6, %r5; setp.lt.u32 %p2, %r0, 4;\n"                         \
             "@%p2 ld.shared.u32 %r10, [%r9];\n" SYNC                                    \
             "@%p2 st.global.u32 [%x1], %r10;\n"

#define TAKE                                                                             \
    "add.u32 %r9, %r6, %r5; ld.shared.u32 %r10, [%r9]; st.global.u32 [%x1], %r10;\n"

static inline void expect(const char *body, const struct way *way, enum hone_finding kind,
                          const char *words)
{
    uint32_t out[WORDS];
    struct hone_fault fault;
    run_way(body, way, out, &fault);
    if (fault.finding != kind || !strstr(fault.reason, words))
        fail_msg("%s: %s: %s\n%s", way->name, hone_finding_name(fault.finding),
                 fault.reason, body);
}

#endif
