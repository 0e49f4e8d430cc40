// Clusters: blocks that begin together, reach each other's shared memory and wait for each
// other, in every order; and what is wrong with those that do not.
#include "emu_cluster.h"

// ---- what a launch is ----

static void special_registers_say_where_a_block_is(void **state)
{
    (void)state;
    static const char body[] =
        "mov.u32 %r10, %clusterid.x; mov.u32 %r11, %clusterid.y; mov.u32 %r12, "
        "%clusterid.z;\n"
        "mov.u32 %r13, %cluster_ctaid.x; mov.u32 %r14, %cluster_ctaid.y;\n"
        "mov.u32 %r15, %cluster_ctaid.z; mov.u32 %r16, %nclusterid.x;\n"
        "mov.u32 %r17, %nclusterid.y; mov.u32 %r18, %cluster_nctaid.x;\n"
        "mov.u32 %r19, %cluster_nctaid.y; mov.u32 %r20, %cluster_nctarank;\n"
        "mov.pred %p2, %is_explicit_cluster; selp.u32 %r21, 1, 0, %p2;\n"
        "mov.u32 %r22, %ctaid.x; mov.u32 %r23, %ctaid.y; mad.lo.u32 %r22, %r23, 4, "
        "%r22;\n"
        "shl.b32 %r22, %r22, 6; cvt.u64.u32 %x2, %r22; add.u64 %x2, %x0, %x2;\n"
        "st.global.v4.u32 [%x2], {%r10,%r11,%r12,%r13};\n"
        "st.global.v4.u32 [%x2+16], {%r14,%r15,%r16,%r17};\n"
        "st.global.v4.u32 [%x2+32], {%r18,%r19,%r20,%r21};\n"
        "st.global.u32 [%x2+48], %r1;\n";
    const uint32_t grid[3] = {4, 6, 1};
    uint32_t words[WORDS];
    struct hone_fault fault;
    run_grid(body, ".reqnctapercluster 2, 3, 1", grid, &ways[0], words, &fault);
    assert_string_equal(fault.reason, "");
    for (uint32_t y = 0; y < 6; y++)
        for (uint32_t x = 0; x < 4; x++) {
            const uint32_t expected[13] = {
                x / 2, y / 3, 0, x % 2, y % 3, 0, 2, 2, 2, 3, 6, 1, x % 2 + 2 * (y % 3)};
            for (int k = 0; k < 13; k++)
                assert_int_equal(words[(4 * y + x) * 16 + (uint32_t)k], expected[k]);
        }
    run_grid(body, "", grid, &ways[0], words, &fault);
    const uint32_t alone[13] = {3, 5, 0, 0, 0, 0, 4, 6, 1, 1, 1, 0, 0};
    for (int k = 0; k < 13; k++)
        assert_int_equal(words[23 * 16 + k], alone[k]);
}

static void a_launch_that_clusters_do_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *directives;
        uint32_t grid[3];
        const char *words;
    } cases[] = {
        {PAIR, {3, 1, 1}, "3 blocks in grid x, which clusters of 2 do not divide"},
        {".reqnctapercluster 1, 2",
         {4, 3, 1},
         "grid y, which clusters of 2 do not divide"},
        {".reqnctapercluster 17", {17, 1, 1}, "17 x 1 x 1 blocks a cluster, limit 16"},
        {".reqnctapercluster 4, 4, 2", {4, 4, 2}, "4 x 4 x 2 blocks a cluster, limit 16"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t words[WORDS];
        struct hone_fault fault;
        run_grid("", cases[k].directives, cases[k].grid, &ways[0], words, &fault);
        assert_int_equal(fault.outcome, HONE_REJECTED);
        if (!strstr(fault.reason, cases[k].words)) fail_msg("%s", fault.reason);
    }
}

static void a_launch_may_say_the_cluster(void **state)
{
    (void)state;
    static const char body[] =
        "mov.u32 %r10, %cluster_nctaid.x; mov.u32 %r11, %cluster_nctaid.y;\n"
        "mov.u32 %r12, %clusterid.x; mov.pred %p2, %is_explicit_cluster; selp.u32 %r13, "
        "1, 0, %p2;\n"
        "mov.u32 %r22, %ctaid.x; shl.b32 %r22, %r22, 4; cvt.u64.u32 %x2, %r22; add.u64 "
        "%x2, %x0, %x2;\n"
        "st.global.v4.u32 [%x2], {%r10,%r11,%r12,%r13};\n";
    static const struct {
        const char *directives;
        uint32_t cluster[3], expected[4]; // of block 2
    } rows[] = {
        {"", {2, 1, 1}, {2, 1, 1, 1}},
        {".explicitcluster", {4, 1, 1}, {4, 1, 0, 1}},
        {".explicitcluster", {1, 1, 1}, {1, 1, 2, 1}},
        {".explicitcluster .reqnctapercluster 2, 1, 1", {2, 1, 1}, {2, 1, 1, 1}},
        {".maxclusterrank 2", {2, 1, 1}, {2, 1, 1, 1}},
        {"", {1, 1, 1}, {1, 1, 2, 0}},
    };
    const uint32_t grid[3] = {4, 1, 1};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint32_t words[WORDS];
        struct hone_fault fault;
        memcpy(asked.cluster, rows[k].cluster, sizeof asked.cluster);
        run_grid(body, rows[k].directives, grid, &ways[0], words, &fault);
        assert_string_equal(fault.reason, "");
        assert_memory_equal(words + 8, rows[k].expected, sizeof rows[k].expected);
    }
    asked = (struct hone_geometry){0};
}

static void a_launch_must_not_contradict_the_kernel(void **state)
{
    (void)state;
    static const struct {
        const char *directives;
        uint32_t cluster[3];
        const char *words;
    } cases[] = {
        {PAIR, {4, 1, 1}, "says 2 x 1 x 1: leave one of them out"},
        {".maxclusterrank 2", {4, 1, 1}, "the kernel's launch bounds say 2"},
        {".explicitcluster", {0, 0, 0}, "(.explicitcluster)"},
    };
    const uint32_t grid[3] = {4, 1, 1};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t words[WORDS];
        struct hone_fault fault;
        memcpy(asked.cluster, cases[k].cluster, sizeof asked.cluster);
        run_grid("", cases[k].directives, grid, &ways[0], words, &fault);
        assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
        if (!strstr(fault.reason, cases[k].words)) fail_msg("%s", fault.reason);
    }
    asked = (struct hone_geometry){0};
}

// ---- distributed shared memory ----

// Each thread gives its value to the same one of the other block.
static void blocks_load_and_store_each_others_memory(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        OWN_VALUE "add.u32 %r9, %r6, %r5; st.shared.u32 [%r9], %r8;\n" SYNC
                  "add.u32 %r9, %r3, %r5; ld.shared::cluster.u32 %r10, [%r9];\n"
                  "st.global.u32 [%x1], %r10;\n" SYNC,
        OWN_VALUE SYNC "add.u32 %r9, %r3, %r5; st.shared::cluster.u32 [%r9], %r8;\n" SYNC
                       "add.u32 %r9, %r6, %r5; ld.shared::cta.u32 %r10, [%r9];\n"
                       "st.global.u32 [%x1], %r10;\n",
        // generic addresses, of mapa and of cvta
        OWN_VALUE SYNC
        "cvt.u64.u32 %x3, %r6; cvta.shared.u64 %x3, %x3; mapa.u64 %x4, %x3, %r2;\n"
        "cvt.u64.u32 %x5, %r3; cvta.shared::cluster.u64 %x5, %x5;\n"
        "setp.ne.u64 %p2, %x4, %x5; @%p2 trap; isspacep.shared::cluster %p3, %x4;\n"
        "@!%p3 trap; isspacep.shared::cta %p3, %x4; @%p3 trap;\n"
        "isspacep.shared %p3, %x3; @!%p3 trap;\n"
        "getctarank.u64 %r11, %x4; setp.ne.u32 %p2, %r11, %r2; @%p2 trap;\n"
        "getctarank.shared::cluster.u32 %r11, %r3; setp.ne.u32 %p2, %r11, %r2; @%p2 "
        "trap;\n"
        "getctarank.shared::cluster.u32 %r11, %r6; setp.ne.u32 %p2, %r11, %r1; @%p2 "
        "trap;\n"
        "cvt.u64.u32 %x6, %r5; add.u64 %x4, %x4, %x6; st.u32 [%x4], %r8;\n" SYNC
        "add.u64 %x3, %x3, %x6; ld.u32 %r10, [%x3]; st.global.u32 [%x1], %r10;\n",
        // half of the lanes in the own memory, by the address that the cluster knows
        OWN_VALUE
        "mapa.shared::cluster.u32 %r7, s, %r1; and.b32 %r12, %r0, 1;\n"
        "setp.eq.u32 %p2, %r12, 1; add.u32 %r7, %r7, %r5;\n"
        "add.u32 %r9, %r3, %r5; add.u32 %r13, %r9, 1024;\n"
        "selp.u32 %r9, %r9, %r7, %p2;\n" SYNC "st.shared::cluster.u32 [%r9], %r8;\n"
        "@!%p2 st.shared::cluster.u32 [%r13], %r8;\n" SYNC
        "selp.u32 %r9, 0, 1024, %p2; add.u32 %r9, %r9, %r6; add.u32 %r9, %r9, %r5;\n"
        "ld.shared.u32 %r10, [%r9]; st.global.u32 [%x1], %r10;\n",
        // a split barrier, and accesses of 16 bytes by some lanes
        OWN_VALUE
        "add.u32 %r9, %r6, %r5; st.shared.u32 [%r9], %r8;\n"
        "barrier.cluster.arrive.release; mov.u32 %r20, 0;\n"
        "barrier.cluster.wait.acquire; setp.lt.u32 %p2, %r0, 16;\n"
        "shl.b32 %r9, %r0, 4; add.u32 %r9, %r9, %r3; mul.lo.u32 %r14, %r0, 12;\n"
        "cvt.u64.u32 %x7, %r14; add.u64 %x7, %x1, %x7;\n"
        "@%p2 ld.shared::cluster.v4.u32 {%r10,%r11,%r12,%r13}, [%r9];\n"
        "@%p2 st.global.v4.u32 [%x7], {%r10,%r11,%r12,%r13};\n"
        "barrier.cluster.arrive.relaxed; barrier.cluster.wait;\n",
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        check_all_ways(bodies[k], from_the_other);
}

static uint32_t a_count(uint32_t block, uint32_t thread)
{
    (void)thread;
    return block % 2 ? 7 : 128 * 64 + 7;
}

// All threads of the cluster add to a word of its first block.
static void atomics_of_all_blocks_add_up(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "@%p0 st.shared.u32 [s], 7; mapa.shared::cluster.u32 %r7, s, 0;\n" SYNC
        "atom.shared::cluster.add.u32 %r8, [%r7], 64;\n" SYNC
        "ld.shared.u32 %r10, [s]; st.global.u32 [%x1], %r10;\n",
        "@%p0 st.shared.u32 [s], 7; mapa.shared::cluster.u32 %r7, s, 0;\n" SYNC
        "red.relaxed.cluster.shared::cluster.add.u32 [%r7], 64;\n" SYNC
        "ld.shared.u32 %r10, [s]; st.global.u32 [%x1], %r10;\n",
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        check_all_ways(bodies[k], a_count);
}

static uint32_t number_of_turns(uint32_t block, uint32_t thread)
{
    return block * 1000 + thread + 20;
}

// Threads that have exited do not count, nor do lanes come together.
static void the_barrier_opens_for_those_that_are_left(void **state)
{
    (void)state;
    check_all_ways("mov.u32 %r8, %ctaid.x; mad.lo.u32 %r8, %r8, 1000, %r0;\n"
                   "add.u32 %r8, %r8, 20; st.global.u32 [%x1], %r8;\n"
                   "setp.ge.u32 %p2, %r0, 40; @%p2 exit; mov.u32 %r9, 0;\n"
                   "L: barrier.cluster.arrive; barrier.cluster.wait;\n"
                   "add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 20; @%p2 bra L;\n"
                   "st.global.u32 [%x1], %r8;\n",
                   number_of_turns);
}

// ---- mbarriers of other blocks ----

// Every thread stores to the other block and arrives at its object.
static void remote_arrivals_hand_data_over(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        INIT("64") OWN_VALUE
        "add.u32 %r9, %r3, %r5; st.shared::cluster.u32 [%r9], %r8;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3+512];\n" WAIT(
            "0") "add.u32 %r9, %r6, %r5; ld.shared.u32 %r10, [%r9]; st.global.u32 [%x1], "
                 "%r10;\n",
        // both blocks arrive at both objects: E(4) of two blocks
        INIT("128") OWN_VALUE
        "add.u32 %r9, %r3, %r5; st.shared::cluster.u32 [%r9], %r8;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3+512];\n"
        "mbarrier.arrive.shared.b64 _, [s+512];\n" WAIT(
            "0") "add.u32 %r9, %r6, %r5; ld.shared.u32 %r10, [%r9]; st.global.u32 [%x1], "
                 "%r10;\n",
        // by drops, then by what is left
        INIT("65") OWN_VALUE
        "add.u32 %r9, %r3, %r5; cvt.u64.u32 %x3, %r3; cvta.shared::cluster.u64 %x3, "
        "%x3;\n"
        "st.shared::cluster.u32 [%r9], %r8;\n"
        "mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, [%r3+512];\n"
        "@%p0 mbarrier.arrive.release.cluster.b64 _, [%x3+512];\n" WAIT(
            "0") "add.u32 %r9, %r6, %r5; ld.shared.u32 %r10, [%r9]; st.global.u32 [%x1], "
                 "%r10;\n" SYNC
                 "@%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
                 "[%r3+512];\n" WAIT("1"),
        // bytes that one expects and the other has landed
        INIT("64") OWN_VALUE
        "add.u32 %r9, %r3, %r5; st.shared::cluster.u32 [%r9], %r8;\n"
        "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r3+512], 4;\n"
        "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r3+512], 4;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3+512];\n" WAIT(
            "0") "add.u32 %r9, %r6, %r5; ld.shared.u32 %r10, [%r9]; st.global.u32 [%x1], "
                 "%r10;\n",
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        check_all_ways(bodies[k], from_the_other);
}

// ---- what is wrong ----

static void misuse_is_a_finding_in_every_launch(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        enum hone_finding kind;
        const char *words;
    } cases[] = {
        {"barrier.cluster.wait;", HONE_FINDING_BARRIER, "waits without having arrived"},
        {"barrier.cluster.arrive; barrier.cluster.arrive;", HONE_FINDING_BARRIER,
         "arrives again before it has waited"},
        {SYNC "ld.shared::cta.u32 %r10, [%r3];" SYNC, HONE_FINDING_PEER, "(shared::cta)"},
        {SYNC "st.shared.u32 [%r3], 1;" SYNC, HONE_FINDING_PEER, "(shared::cta)"},
        {INIT("1") "mbarrier.arrive.shared.b64 _, [%r3+512];\n" SYNC, HONE_FINDING_PEER,
         "(shared::cta); shared::cluster is meant"},
        {INIT("1") "mbarrier.try_wait.parity.shared.b64 %p2, [%r3+512], 0;\n" SYNC,
         HONE_FINDING_PEER, "(shared::cta)"},
        {"mapa.shared::cluster.u32 %r3, s, 2;" SYNC
         "ld.shared::cluster.u32 %r9, [%r3];" SYNC,
         HONE_FINDING_PEER, "block 2 of a cluster of 2"},
        {SYNC "ld.shared::cluster.u32 %r9, [%r3+4096];" SYNC, HONE_FINDING_OUT_OF_BOUNDS,
         "out-of-bounds shared load of 4 bytes"},
        {SYNC "ld.shared::cluster.u32 %r9, [%r3+-4];" SYNC, HONE_FINDING_OUT_OF_BOUNDS,
         "out-of-bounds shared load of 4 bytes, 4 bytes before an area of 4096"},
        {SYNC "ld.shared.u32 %r9, [%r6+-4];" SYNC, HONE_FINDING_OUT_OF_BOUNDS,
         "out-of-bounds shared load of 4 bytes, 4 bytes before an area of 4096"},
        {SYNC "ld.shared::cluster.u32 %r9, [%r6+-20000000];" SYNC,
         HONE_FINDING_OUT_OF_BOUNDS, "20000000 bytes before an area of 4096"},
        // 2^24 bytes off is no other block's memory
        {SYNC "ld.shared::cluster.u32 %r9, [%r3+16777216];" SYNC,
         HONE_FINDING_OUT_OF_BOUNDS, "4 bytes, at 0x10000000, where no memory is"},
        {SYNC "ld.shared::cluster.u32 %r9, [%r6+16777216];" SYNC,
         HONE_FINDING_OUT_OF_BOUNDS, "load of 4 bytes, at 0x1000000, where no memory is"},
        {SYNC "@%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
              "bytes [%r3], [%r6+16777216], 16, [%r3+512];" SYNC,
         HONE_FINDING_OUT_OF_BOUNDS, "copy of 16 bytes, at 0x1000000, where no memory"},
        {SYNC "ld.shared::cluster.u32 %r9, [%r3+2];" SYNC, HONE_FINDING_MISALIGNED,
         "misaligned shared load of 4 bytes"},
        {INIT("1") "mbarrier.arrive.shared::cluster.b64 _, [%r3+520];\n" SYNC,
         HONE_FINDING_BARRIER, "is not initialised"},
        {"@%p1 exit; @!%p1 bra L; L: " SYNC "ld.shared::cluster.u32 %r9, [%r3];",
         HONE_FINDING_PEER, "which has exited"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect(cases[k].body, &ways[0], cases[k].kind, cases[k].words);
}

static void a_prediction_counts_a_block_among_its_cluster(void **state)
{
    (void)state;
    static const char body[] =
        "add.u32 %r9, %r6, %r5; st.shared.u32 [%r9], %r5;\n" SYNC
        "add.u32 %r9, %r3, %r5; ld.shared::cluster.u32 %r10, [%r9];\n"
        "st.global.u32 [%x1], %r10;\n" SYNC;
    char text[8192];
    struct emu emu;
    uint32_t words[WORDS];
    struct hone_timing timing;
    const struct hone_time_policy policy = {0};
    for (uint32_t k = 0; k < WORDS; k++)
        words[k] = 1000 + k;
    emu_open(&emu);
    snprintf(text, sizeof text, frame, PAIR, body);
    assert_true(emu_load(&emu, text, "k"));
    hone_devptr p = emu_buffer(&emu, words, sizeof words);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 4, THREADS);
    assert_ok(emu.dev->fns->time(emu.dev, emu.module, &launch, &policy, &timing,
                                 &emu.fault, &emu.err),
              emu.err);
    assert_string_equal(emu.fault.reason, "");
    emu_fetch(&emu, words, p, sizeof words);
    for (uint32_t k = 0; k < WORDS; k++) // what it ran had no effect
        assert_int_equal(words[k], 1000 + k);
    emu.dev->fns->free(emu.dev, p);
    emu_close(&emu);
}

static void a_part_that_skips_a_barrier_is_a_deadlock(void **state)
{
    (void)state;
    // a block that waits for an arrival of the other, which waits at the barrier
    static const char crossed[] = INIT("1") "@!%p1 bra B;\n" WAIT("0") "B: " SYNC;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        expect(crossed, &ways[k], HONE_FINDING_DEADLOCK, "block (0,0,0)");
        if (ways[k].scattered) continue; // the state of each lane leaves no room
        expect(crossed, &ways[k], HONE_FINDING_DEADLOCK,
               "waiting for the mbarrier at shared+512");
        expect(crossed, &ways[k], HONE_FINDING_DEADLOCK,
               "at barrier.cluster with 64 of 128 threads");
    }
    // lanes of a warp come to two places
    expect("setp.lt.u32 %p2, %r0, 7; @%p2 bra B; barrier.cluster.arrive.aligned;\n"
           "barrier.cluster.wait.aligned; bra E; B: barrier.cluster.arrive.aligned;\n"
           "barrier.cluster.wait.aligned; E:",
           &ways[0], HONE_FINDING_DIVERGENCE, "barrier divergence");
}

#define GIVE OWN_VALUE "add.u32 %r9, %r3, %r5; st.shared::cluster.u32 [%r9], %r8;\n"
#define GIVE_MORE                                                                        \
    "add.u32 %r9, %r3, %r5; add.u32 %r8, %r8, 1; st.shared::cluster.u32 [%r9], %r8;\n"
static const struct {
    const char *right, *wrong;
    enum hone_finding kind;
    const char *words;
} between_blocks[] = {
    {SYNC GIVE SYNC TAKE, SYNC GIVE "bar.sync 0;\n" TAKE SYNC, HONE_FINDING_RACE,
     "without a barrier.cluster between them"},
    {SYNC GIVE SYNC TAKE,
     SYNC GIVE "barrier.cluster.arrive.relaxed; barrier.cluster.wait;\n" TAKE SYNC,
     HONE_FINDING_RACE, "data race on shared memory"},
    {SYNC GIVE "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed;\n"
               "barrier.cluster.wait;\n" TAKE,
     SYNC GIVE "fence.acq_rel.cta; barrier.cluster.arrive.relaxed;\n"
               "barrier.cluster.wait;\n" TAKE SYNC,
     HONE_FINDING_RACE, "data race on shared memory"},
    // the owner still reads when the other stores again
    {SYNC GIVE SYNC TAKE SYNC GIVE_MORE SYNC, SYNC GIVE SYNC TAKE GIVE_MORE SYNC,
     HONE_FINDING_RACE, "of block"},
    {SYNC GIVE SYNC TAKE, GIVE SYNC TAKE, HONE_FINDING_PEER,
     "may not have begun: no barrier.cluster before"},
    {"add.u32 %r9, %r6, %r5; st.shared.u32 [%r9], %r5;\n" SYNC
     "add.u32 %r9, %r3, %r5; ld.shared::cluster.u32 %r10, [%r9];\n"
     "st.global.u32 [%x1], %r10;\n" SYNC,
     "add.u32 %r9, %r6, %r5; st.shared.u32 [%r9], %r5;\n" SYNC
     "add.u32 %r9, %r3, %r5; @!%p1 ld.shared::cluster.u32 %r10, [%r9];\n"
     "@!%p1 st.global.u32 [%x1], %r10; @!%p1 exit; mov.u32 %r20, 0;\n"
     "L: add.u32 %r20, %r20, 1; setp.lt.u32 %p2, %r20, 20000; @%p2 bra L;\n",
     HONE_FINDING_PEER, "exits while block (1,0,0) may still use its shared memory"},
    {INIT("64") GIVE
     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3+512];\n" WAIT("0") TAKE,
     INIT("64") GIVE
     "mbarrier.arrive.release.cta.shared::cluster.b64 _, [%r3+512];\n" WAIT("0")
         TAKE SYNC,
     HONE_FINDING_RACE, "data race on shared memory"},
    {INIT("64") GIVE
     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3+512];\n" WAIT("0") TAKE,
     INIT("64") GIVE
     "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r3+512];\n" WAIT("0")
         TAKE SYNC,
     HONE_FINDING_RACE, "data race on shared memory"},
    // initialised, and the others not told
    {INIT("64") "mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
                "[%r3+512];\n" WAIT("0"),
     "@%p0 mbarrier.init.shared::cta.b64 [s+512], 64;\n"
     "barrier.cluster.arrive.relaxed; barrier.cluster.wait;\n"
     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3+512];\n" WAIT("0") SYNC,
     HONE_FINDING_RACE, "mbarrier operation"},
    // arrives at an object whose block may be gone
    {INIT("64") "mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
                "[%r3+512];\n" WAIT("0"),
     INIT("64") "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3+512];\n",
     HONE_FINDING_PEER, "exit"},
    // undefined values go from block to block
    {"add.u32 %r9, %r6, %r5; st.shared.u32 [%r9], %r5;\n" SYNC
     "add.u32 %r9, %r3, %r5; ld.shared::cluster.u32 %r10, [%r9];\n"
     "st.global.u32 [%x1], %r10;\n" SYNC,
     SYNC "add.u32 %r9, %r3, %r5; ld.shared::cluster.u32 %r10, [%r9];\n"
          "st.global.u32 [%x1], %r10;\n" SYNC,
     HONE_FINDING_UNWRITTEN, "is stored to global memory"},
    {SYNC GIVE SYNC TAKE,
     SYNC OWN_VALUE "add.u32 %r9, %r3, %r5; setp.lt.u32 %p2, %r0, 5;\n"
                    "@!%p2 st.shared::cluster.u32 [%r9], %r8;\n" SYNC TAKE,
     HONE_FINDING_UNWRITTEN, "is stored to global memory"},
};

// What only a checked launch sees, with the twin that is right.
static void races_between_blocks_are_found(void **state)
{
    (void)state;
    const struct way checked = {"checked", .check = true};
    for (size_t k = 0; k < sizeof between_blocks / sizeof *between_blocks; k++) {
        expect(between_blocks[k].right, &checked, HONE_FINDING_NONE, "");
        expect(between_blocks[k].wrong, &checked, between_blocks[k].kind,
               between_blocks[k].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_registers_say_where_a_block_is),
        cmocka_unit_test(a_launch_that_clusters_do_not_fit_is_refused),
        cmocka_unit_test(a_launch_may_say_the_cluster),
        cmocka_unit_test(a_launch_must_not_contradict_the_kernel),
        cmocka_unit_test(blocks_load_and_store_each_others_memory),
        cmocka_unit_test(atomics_of_all_blocks_add_up),
        cmocka_unit_test(the_barrier_opens_for_those_that_are_left),
        cmocka_unit_test(remote_arrivals_hand_data_over),
        cmocka_unit_test(a_prediction_counts_a_block_among_its_cluster),
        cmocka_unit_test(misuse_is_a_finding_in_every_launch),
        cmocka_unit_test(a_part_that_skips_a_barrier_is_a_deadlock),
        cmocka_unit_test(races_between_blocks_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
