// What goes to other blocks of a cluster asynchronously: st.async, red.async, and copies to
// several blocks; each in every order, and what is wrong with it.
#include "emu_cluster.h"

// ---- asynchronous stores ----

// Each thread gives its value to the same one of the other block, which waits for all.
static void asynchronous_stores_land_before_the_wait_ends(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        INIT("1") EXPECT("256") OWN_VALUE "add.u32 %r9, %r3, %r5;\n"
                                          "st.async.weak." LANDS
                                          ".b32 [%r9], %r8, [%r3+512];\n" TAKE_LANDED,
        INIT("1") EXPECT("256") OWN_VALUE
        "add.u32 %r9, %r3, %r5; mov.b32 %f0, %r8;\n"
        "st.async.mbarrier::complete_tx::bytes.shared::cluster.f32 [%r9], %f0, "
        "[%r3+512];\n" TAKE_LANDED,
        // generic addresses
        INIT("1") EXPECT("256") OWN_VALUE
        "cvt.u64.u32 %x3, %r3; cvta.shared::cluster.u64 %x3, %x3; cvt.u64.u32 %x4, %r5;\n"
        "add.u64 %x4, %x3, %x4;\n"
        "st.async.mbarrier::complete_tx::bytes.s32 [%x4], %r8, [%x3+512];\n" TAKE_LANDED,
        // of two and of four registers, of 32 and of 64 bits; the registers change after
        INIT("1") EXPECT("256") OWN_VALUE
        "and.b32 %r12, %r0, 1; setp.eq.u32 %p3, %r12, 0; add.u32 %r9, %r3, %r5;\n"
        "add.u32 %r13, %r8, 1;\n"
        "@%p3 st.async." LANDS ".v2.u32 [%r9], {%r8,%r13}, [%r3+512];\n"
        "mov.u32 %r8, 0; mov.u32 %r13, 0;\n" TAKE_LANDED,
        INIT("1") EXPECT("256") OWN_VALUE
        "and.b32 %r12, %r0, 3; setp.eq.u32 %p3, %r12, 0; add.u32 %r9, %r3, %r5;\n"
        "add.u32 %r13, %r8, 1; add.u32 %r14, %r8, 2; add.u32 %r15, %r8, 3;\n"
        "@%p3 st.async." LANDS ".v4.b32 [%r9], {%r8,%r13,%r14,%r15}, [%r3+512];\n"
        "mov.u32 %r8, 0; mov.u32 %r15, 0;\n" TAKE_LANDED,
        INIT("1") EXPECT("256") OWN_VALUE
        "and.b32 %r12, %r0, 3; setp.eq.u32 %p3, %r12, 0; add.u32 %r9, %r3, %r5;\n"
        "add.u32 %r13, %r8, 1; add.u32 %r14, %r8, 2; add.u32 %r15, %r8, 3;\n"
        "mov.b64 %x3, {%r8,%r13}; mov.b64 %x4, {%r14,%r15};\n"
        "@%p3 st.async." LANDS ".v2.u64 [%r9], {%x3,%x4}, [%r3+512];\n" TAKE_LANDED,
        INIT("1") EXPECT("256") OWN_VALUE
        "and.b32 %r12, %r0, 1; setp.eq.u32 %p3, %r12, 0; add.u32 %r9, %r3, %r5;\n"
        "add.u32 %r13, %r8, 1; mov.b64 %d0, {%r8,%r13};\n"
        "@%p3 st.async." LANDS ".f64 [%r9], %d0, [%r3+512];\n" TAKE_LANDED,
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        check_all_ways(bodies[k], from_the_other);
}

static uint32_t reduced; // what each word is to be
static uint32_t as_reduced(uint32_t block, uint32_t thread)
{
    (void)block, (void)thread;
    return reduced;
}

// A word and the one behind it are 6 and 0; 64 threads of the other block reduce it by
// their number.
static void asynchronous_reductions_of_every_kind(void **state)
{
    (void)state;
    static const struct {
        const char *operation, *value;
        uint32_t result;
    } cases[] = {
        {"add.u32", "%r0", 6 + 64 * 63 / 2},
        {"add.s32", "%r20", (uint32_t)(6 - 64 * 63 / 2)},
        {"add.u64", "%x5", 6 + 64 * 63 / 2},
        {"add.s64", "%x6", (uint32_t)(6 - 64 * 63 / 2)},
        {"min.u32", "%r20", 0},
        {"max.u32", "%r20", (uint32_t)-1},
        {"min.s32", "%r20", (uint32_t)-63},
        {"max.s32", "%r20", 6},
        {"max.u32", "%r0", 63},
        {"inc.u32", "9", 0},
        {"dec.u32", "9", 2},
        {"and.b32", "0xfd", 4},
        {"or.b32", "%r0", 63},
        {"xor.b32", "%r21", 6 ^ 64},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[4096];
        const bool wide = strstr(cases[k].operation, "64") != NULL;
        snprintf(
            body, sizeof body, "%s%s%s.%s [%%r3], %s, [%%r3+512];\n%s",
            "@%p0 st.shared.v2.u32 [s], {6,0};\n@%p0 fence.acq_rel.cluster;\n" INIT("1"),
            wide ? EXPECT("512") : EXPECT("256"),
            "neg.s32 %r20, %r0; cvt.u64.u32 %x5, %r0; cvt.s64.s32 %x6, %r20;\n"
            "add.u32 %r21, %r0, 1;\nred.async.relaxed.cluster." LANDS,
            cases[k].operation, cases[k].value,
            WAIT("0") "ld.shared.u32 %r10, [s]; st.global.u32 [%x1], %r10;\n" SYNC);
        reduced = cases[k].result;
        check_all_ways(body, as_reduced);
    }
}

static void forms_that_ptxas_refuses_are_refused(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "st.async." LANDS ".b8 [%r3], %r0, [%r3+512]",
        "st.async." LANDS ".v4.b64 [%r3], {%x0,%x0,%x0,%x0}, [%r3+512]",
        "st.async.mmio.release.sys.global.b32 [%x0], %r0",
        "st.async.shared::cluster.b32 [%r3], %r0",
        "red.async.relaxed.cluster." LANDS ".add.b32 [%r3], %r0, [%r3+512]",
        "red.async.relaxed.cluster." LANDS ".min.u64 [%r3], %x0, [%r3+512]",
        "red.async.relaxed.cluster." LANDS ".and.u32 [%r3], %r0, [%r3+512]",
        "red.async.relaxed.cluster." LANDS ".inc.s32 [%r3], %r0, [%r3+512]",
        "red.async.relaxed.cluster." LANDS ".exch.b32 [%r3], %r0, [%r3+512]",
        "red.async." LANDS ".add.u32 [%r3], %r0, [%r3+512]",
    };
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        char body[256], text[4096];
        struct emu emu;
        emu_open(&emu);
        snprintf(body, sizeof body, "%s;", forms[k]);
        snprintf(text, sizeof text, frame, PAIR, body);
        if (emu_load(&emu, text, "k")) fail_msg("%s is taken", forms[k]);
        emu_close(&emu);
    }
}

// ---- copies to several blocks ----

static uint32_t from_the_first(uint32_t block, uint32_t thread)
{
    return thread < 4 ? 1000 + thread + (block & 2) * 64 : 1000 + block * 64 + thread;
}

static void a_copy_to_several_blocks_lands_in_each(void **state)
{
    (void)state;
    const enum hone_order orders[] = {HONE_ORDER_USUAL, HONE_ORDER_REVERSED,
                                      HONE_ORDER_LATE_COPIES};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        const struct way way = {"cast", .order = orders[k]};
        uint32_t words[WORDS];
        struct hone_fault fault;
        run_way(CAST("3", "16"), &way, words, &fault);
        assert_string_equal(fault.reason, "");
        for (uint32_t n = 0; n < 4 * THREADS; n++)
            assert_int_equal(words[n], from_the_first(n / THREADS, n % THREADS));
    }
}

// ---- what is wrong ----

static void a_copy_to_blocks_that_are_not_there_is_a_finding(void **state)
{
    (void)state;
    expect(CAST("5", "16"), &ways[0], HONE_FINDING_PEER,
           "multicast to the blocks 0x0005 of a cluster of 2");
    // one of the two blocks is left out, or expects what never comes
    expect(CAST("1", "16"), &ways[0], HONE_FINDING_DEADLOCK, "16 bytes pending");
    expect(CAST("3", "32"), &ways[0], HONE_FINDING_TX_BYTES, "16 bytes pending");
}

static void misuse_of_asynchronous_stores_is_a_finding(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        enum hone_finding kind;
        const char *words;
    } cases[] = {
        {INIT("1") "st.async." LANDS ".b32 [%r3], %r0, [s+512];\n" SYNC,
         HONE_FINDING_PEER, "of the cluster, its mbarrier is in block"},
        {INIT("1") "red.async.relaxed.cluster." LANDS
                   ".add.u32 [s], %r0, [s+512];\n" SYNC,
         HONE_FINDING_PEER, "red.async to shared memory of the own block"},
        {INIT("1") "st.async." LANDS ".v2.b32 [%r3+4], {%r0,%r0}, [%r3+512];\n" SYNC,
         HONE_FINDING_MISALIGNED, "misaligned"},
        {INIT("1") "st.async." LANDS ".b32 [%r3+4096], %r0, [%r3+512];\n" SYNC,
         HONE_FINDING_OUT_OF_BOUNDS, "out-of-bounds"},
        {INIT("1") "st.async." LANDS ".b32 [%r3], %r0, [%r3+520];\n" SYNC,
         HONE_FINDING_BARRIER, "is not initialised"},
        {INIT(
             "1") "st.async.mbarrier::complete_tx::bytes.b32 [%x0], %r0, [%x0+8];\n" SYNC,
         HONE_FINDING_OUT_OF_BOUNDS,
         "an asynchronous store that is not in shared memory"},
        // more or less is expected than is stored
        {INIT("1") EXPECT("260") "add.u32 %r9, %r3, %r5;\n"
                                 "st.async." LANDS
                                 ".b32 [%r9], %r0, [%r3+512];\n" WAIT("0") SYNC,
         HONE_FINDING_TX_BYTES, "4 bytes pending"},
    };
    const uint32_t grid[3] = {4, 1, 1};
    uint32_t words[WORDS];
    struct hone_fault fault;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect(cases[k].body, &ways[0], cases[k].kind, cases[k].words);
    run_grid("st.async." LANDS ".b32 [s], %r0, [s+512];\n", "", grid, &ways[0], words,
             &fault);
    assert_int_equal(fault.finding, HONE_FINDING_PEER);
    assert_non_null(strstr(fault.reason, "in no cluster of several"));
}

#define SEND                                                                             \
    OWN_VALUE "add.u32 %r9, %r3, %r5;\n"                                                 \
              "st.async." LANDS ".b32 [%r9], %r8, [%r3+512];\n"
#define SEND_FIVE                                                                        \
    OWN_VALUE "add.u32 %r9, %r3, %r5; setp.lt.u32 %p4, %r0, 5; mov.u32 %r10, 7;\n"       \
              "@%p4 ld.shared.u32 %r10, [s+1024];\n"                                     \
              "st.async." LANDS ".b32 [%r9], %r10, [%r3+512];\n"
static const struct {
    const char *right, *wrong;
    enum hone_finding kind;
    const char *words;
} waited_for[] = {
    // a barrier is no wait
    {INIT("1") EXPECT("256") SEND TAKE_LANDED,
     INIT("1") EXPECT("256") SEND SYNC TAKE WAIT("0"), HONE_FINDING_MISSING_WAIT,
     "missing wait of what another block of the cluster sends"},
    // one warp waits, and tells the other or not
    {INIT("1") EXPECT("256") SEND SYNC
     "setp.lt.u32 %p5, %r0, 32; @%p5 bra B;\n" WAIT("0") "B: bar.sync 0;\n" TAKE,
     INIT("1") EXPECT("256") SEND SYNC
     "setp.lt.u32 %p5, %r0, 32; @%p5 bra B;\n" WAIT("0") "B:\n" TAKE SYNC,
     HONE_FINDING_MISSING_WAIT, "missing wait of"},
    // its place is stored to while it may be on its way
    {INIT("1") EXPECT("256") SEND TAKE_LANDED
     "bar.sync 0; add.u32 %r9, %r6, %r5; st.shared.u32 [%r9], %r5;\n",
     INIT("1") EXPECT("256") SEND SYNC
     "add.u32 %r9, %r6, %r5; st.shared.u32 [%r9], %r5;\n" WAIT("0"),
     HONE_FINDING_IN_FLIGHT, "has not been known to be done with"},
    // a word beside it may be
    {INIT("1") EXPECT("256") SEND
     "add.u32 %r9, %r6, %r5; st.shared.u32 [%r9+256], %r5;\n" TAKE_LANDED,
     "st.async." LANDS ".b32 [%r3], %r0, [%r3+512];\n", HONE_FINDING_PEER,
     "may not have begun"},
    {INIT("1") EXPECT("256") SEND TAKE_LANDED, INIT("1") EXPECT("256") SEND,
     HONE_FINDING_PEER, "exit"},
    {INIT("1") EXPECT("256") SEND TAKE_LANDED,
     INIT("1") EXPECT("256") SEND_FIVE TAKE_LANDED, HONE_FINDING_UNWRITTEN,
     "is stored to global memory"},
    // the sender stores again while the other block reads
    {INIT("1") EXPECT("256") SEND WAIT("0") TAKE SYNC EXPECT("256") SEND WAIT("1"),
     INIT("1") EXPECT("256") SEND WAIT("0") EXPECT("256") TAKE SEND WAIT("1"),
     HONE_FINDING_MISSING_WAIT, "missing wait of what another block"},
    // copies to both blocks
    {CAST("3", "16"),
     INIT("1")
         EXPECT("16") "and.pred %p3, %p0, %p1; mov.b16 %h0, 3;\n"
                      "@%p3 "
                      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                      ".multicast::cluster [s], [%x1], 16, [s+512], %h0;\n"
                      "add.u32 %r9, %r6, %r5; setp.lt.u32 %p2, %r0, 4;\n"
                      "@%p2 ld.shared.u32 %r10, [%r9];\n" WAIT("0") SYNC
     "@%p2 st.global.u32 [%x1], %r10;\n",
     HONE_FINDING_MISSING_WAIT, "missing wait of"},
    {CAST("3", "16"),
     INIT("1")
         EXPECT("16") "and.pred %p3, %p0, %p1; mov.b16 %h0, 3;\n"
                      "@%p3 "
                      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                      ".multicast::cluster [s], [%x1], 16, [s+512], %h0;\n@!%p1 "
                      "exit;\n" WAIT("0"),
     HONE_FINDING_PEER, "exit"},
};

// What is sent by asynchronous operations, with the twin that is right.
static void what_is_sent_has_to_be_waited_for(void **state)
{
    (void)state;
    const struct way checked[] = {
        {"checked", .check = true},
        {"checked and reversed", .check = true, .reversed = true}};
    for (size_t k = 0; k < sizeof waited_for / sizeof *waited_for; k++)
        for (size_t w = 0; w < sizeof checked / sizeof *checked; w++)
            expect(waited_for[k].right, &checked[w], HONE_FINDING_NONE, "");
    for (size_t k = 0; k < sizeof waited_for / sizeof *waited_for; k++)
        expect(waited_for[k].wrong, &checked[0], waited_for[k].kind, waited_for[k].words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asynchronous_stores_land_before_the_wait_ends),
        cmocka_unit_test(asynchronous_reductions_of_every_kind),
        cmocka_unit_test(forms_that_ptxas_refuses_are_refused),
        cmocka_unit_test(a_copy_to_several_blocks_lands_in_each),
        cmocka_unit_test(a_copy_to_blocks_that_are_not_there_is_a_finding),
        cmocka_unit_test(misuse_of_asynchronous_stores_is_a_finding),
        cmocka_unit_test(what_is_sent_has_to_be_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
