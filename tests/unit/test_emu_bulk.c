// Bulk copies: what they move, whenever they are made; their rules; and that a kernel which
// waits too little comes out otherwise in some order.
#include "emu_bulk.h"

// ---- loads that end at an mbarrier ----

// Lane 0 of the first warp fills two stages (s, s+128) with five tiles of p in turn; the
// second warp adds them up. full is b[0..1], empty b[2..3].
#define RING_INIT                                                                        \
    "@%p0 mbarrier.init.shared::cta.b64 [b], 1; @%p0 mbarrier.init.shared::cta.b64 "     \
    "[b+8], 1;\n@%p0 mbarrier.init.shared::cta.b64 [b+16], 32;\n"                        \
    "@%p0 mbarrier.init.shared::cta.b64 [b+24], 32;\nbar.sync 0;\n"                      \
    "mov.u32 %t3, 0; mov.u32 %t9, 0; mov.u32 %s4, b; mov.u64 %x2, %x0;\n"
#define RING_STAGE                                                                       \
    "LOOP: and.b32 %t4, %t3, 1; shr.u32 %t5, %t3, 1; and.b32 %t5, %t5, 1;\n"             \
    "shl.b32 %t6, %t4, 3; add.u32 %s2, %s4, %t6; shl.b32 %t7, %t4, 7;\n"                 \
    "add.u32 %s3, %s0, %t7; xor.b32 %t8, %t5, 1;\n"
#define WAIT(label, at, parity)                                                          \
    label ": mbarrier.try_wait.parity.shared::cta.b64 %p2, [%s2+" at "], " parity ";\n"  \
          "@!%p2 bra " label ";\n"
#define EXPECT "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%s2], 128;\n"
#define LOAD                                                                             \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s3], [%x2], "   \
    "128, [%s2];\n"
#define RING_NEXT(label)                                                                 \
    "add.u64 %x2, %x2, 128; add.u32 %t3, %t3, 1; setp.lt.u32 %p3, %t3, 5;\n"             \
    "@%p3 bra " label ";\n"
#define EARLY                                                                            \
    "NEXT: and.b32 %t4, %t3, 1; shr.u32 %t5, %t3, 1; and.b32 %t5, %t5, 1;\n"             \
    "shl.b32 %t6, %t4, 3; add.u32 %s2, %s4, %t6; shl.b32 %t7, %t4, 7;\n"                 \
    "add.u32 %s3, %s1, %t7;\n" WAIT("W2", "0",                                           \
                                    "%t5") "mbarrier.arrive.shared::cta.b64 _, "         \
                                           "[%s2+16]; ld.shared.u32 %t10, [%s3];\n"      \
                                           "fence.proxy.async.shared::cta;\n"            \
                                           "add.u32 %t9, %t9, %t10;\n" RING_NEXT(        \
                                               "NEXT") "st.global.u32 [%x1], %t9;\n"
#define RING_OF(produce, released)                                                       \
    RING_INIT "@!%p1 bra CONSUME; @!%p0 bra END;\n" RING_STAGE WAIT("W1", "16", "%t8")   \
        produce RING_NEXT("LOOP") "bra END;\nCONSUME:\n" RING_CONSUME(released) "END:"
#define RING_CONSUME(released)                                                           \
    "NEXT: and.b32 %t4, %t3, 1; shr.u32 %t5, %t3, 1; and.b32 %t5, %t5, 1;\n"             \
    "shl.b32 %t6, %t4, 3; add.u32 %s2, %s4, %t6; shl.b32 %t7, %t4, 7;\n"                 \
    "add.u32 %s3, %s1, %t7;\n" WAIT(                                                     \
        "W2", "0", "%t5") "ld.shared.u32 %t10, [%s3];\n"                                 \
                          "add.u32 %t9, %t9, %t10;\n" released                           \
                          "mbarrier.arrive.shared::cta.b64 _, "                          \
                          "[%s2+16];\n" RING_NEXT("NEXT") "st.global.u32 [%x1], %t9;\n"
#define RING(produce) RING_OF(produce, "fence.proxy.async.shared::cta;\n")

// Thread 32 + t has the sum of word t of five tiles of 32 words.
static void want_sums(uint32_t *wanted)
{
    bulk_count_up(wanted);
    for (uint32_t t = 0; t < 32; t++) {
        wanted[32 + t] = 0;
        for (uint32_t tile = 0; tile < 5; tile++)
            wanted[32 + t] += 1000 + tile * 32 + t;
    }
}

static void a_ring_of_two_stages_works_in_every_order(void **state)
{
    (void)state;
    uint32_t wanted[BULK_WORDS];
    want_sums(wanted);
    bulk_check_ways(RING(EXPECT LOAD), wanted);
}

static void bytes_may_land_before_they_are_expected(void **state)
{
    (void)state;
    uint32_t wanted[BULK_WORDS];
    want_sums(wanted);
    bulk_check_ways(RING(LOAD EXPECT), wanted);
}

// ---- stores in groups ----

// Threads of the first warp write the stage, fence and meet; lane 0 stores it to p, twice,
// the second time with the words doubled.
#define WRITE "st.shared.u32 [%s1], %t3;\n"
#define FENCE "fence.proxy.async.shared::cta;\n"
#define MEET  "bar.warp.sync -1;\n"
#define STORE(at)                                                                        \
    "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%x0+" at "], [s], 128;\n"         \
    "@%p0 cp.async.bulk.commit_group;\n"
#define READ  "@%p0 cp.async.bulk.wait_group.read 0;\n"
#define DONE  "@%p0 cp.async.bulk.wait_group 0;\n"
#define TWICE "shl.b32 %t3, %t3, 1;\n"
#define STORES(fence, wait)                                                              \
    "@!%p1 bra END; add.u32 %t3, %t1, 7;\n" WRITE fence MEET STORE("0")                  \
        wait MEET TWICE WRITE fence MEET STORE("128") DONE "END:"

static void a_stage_is_stored_to_again_once_it_was_read(void **state)
{
    (void)state;
    uint32_t wanted[BULK_WORDS];
    bulk_count_up(wanted);
    for (uint32_t t = 0; t < 32; t++) {
        wanted[t] = t + 7;
        wanted[32 + t] = 2 * (t + 7);
    }
    bulk_check_ways(STORES(FENCE, READ), wanted);
    bulk_check_ways(STORES(FENCE, DONE), wanted);
}

// ---- what is wrong is found, and named with both places ----

static const struct bulk_way checked = {.check = true, .copies = HONE_EMU_COPY_EAGER};

static void check_found(const char *body, bool check, enum hone_finding finding,
                        const char *words)
{
    static const enum hone_emu_copy_time times[] = {
        HONE_EMU_COPY_EAGER, HONE_EMU_COPY_LAZY, HONE_EMU_COPY_RANDOM};
    for (size_t k = 0; k < 3; k++) {
        uint32_t memory[BULK_WORDS];
        struct hone_fault fault;
        struct bulk_way way = checked;
        way.copies = times[k];
        way.check = check;
        way.reversed = true; // the first warp comes to a barrier last and goes on first
        bulk_count_up(memory);
        bulk_run(body, &way, memory, &fault);
        if (fault.finding != finding || !strstr(fault.reason, words))
            fail_msg("%s: %s, wanted %s with '%s'", hone_finding_name(fault.finding),
                     fault.reason, hone_finding_name(finding), words);
    }
}

static void check_wrong(const char *body, enum hone_finding finding, const char *words)
{
    check_found(body, true, finding, words);
}

// Seen in every launch, checked or not.
static void check_crash(const char *body, enum hone_finding finding, const char *words)
{
    check_found(body, true, finding, words);
    check_found(body, false, finding, words);
}

static void a_missing_proxy_fence_is_found(void **state)
{
    (void)state;
    check_wrong(STORES("", READ), HONE_FINDING_PROXY_FENCE,
                "written at PTX line 13 without fence.proxy.async");
    // one in the issuing thread, after the others were met, is as good
    uint32_t wanted[BULK_WORDS];
    bulk_count_up(wanted);
    for (uint32_t t = 0; t < 32; t++)
        wanted[t] = t + 7;
    bulk_check_ways("@!%p1 bra END; add.u32 %t3, %t1, 7;\n" WRITE MEET
                    "@%p0 " FENCE STORE("0") DONE "END:",
                    wanted);
    check_wrong("@!%p1 bra END; add.u32 %t3, %t1, 7;\n" FENCE WRITE MEET STORE("0") DONE
                "END:",
                HONE_FINDING_PROXY_FENCE, "written at PTX line 14");
    // loads are not before the copy that refills their stage either
    check_wrong(RING_OF(EXPECT LOAD, ""), HONE_FINDING_PROXY_FENCE,
                "loaded at PTX line 34 without fence.proxy.async");
    // all of a block fence behind its barrier, then one of them issues the copy
    check_wrong("add.u32 %t3, %t1, 7; @%p1 st.shared.u32 [%s1], %t3;\n"
                "@!%p1 st.shared.u32 [%s1+128], %t3; bar.sync 0;\n" FENCE
                "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%x0], [s], 256;\n"
                "@%p0 cp.async.bulk.commit_group;\n" DONE,
                HONE_FINDING_PROXY_FENCE, "behind the barrier");
}

static void a_stage_that_is_still_read_is_not_written(void **state)
{
    (void)state;
    check_wrong(STORES(FENCE, ""), HONE_FINDING_IN_FLIGHT,
                "has not been known to be done with");
    // lane 1 has no groups: its wait waits for nothing
    check_wrong(STORES(FENCE, "setp.eq.u32 %p5, %t0, 1;\n"
                              "@%p5 cp.async.bulk.wait_group.read 0;\n"),
                HONE_FINDING_IN_FLIGHT, "has not been known to be done with");
}

// More bytes than the object expects, or fewer: its phase does not end.
static void bytes_that_do_not_match_are_told(void **state)
{
    (void)state;
#define EXPECTS(bytes)                                                                   \
    "@!%p0 bra END; mbarrier.init.shared::cta.b64 [b], 1; mov.u32 %s2, b;\n"             \
    "mov.u32 %s3, s; mov.u64 %x2, %x0; mbarrier.arrive.expect_tx.shared::cta.b64 _, "    \
    "[%s2], " bytes ";\n" LOAD WAIT("W", "0", "0") "END:"
    uint32_t wanted[BULK_WORDS];
    bulk_count_up(wanted);
    bulk_check_ways(EXPECTS("128"), wanted);
    check_crash(EXPECTS("144"), HONE_FINDING_TX_BYTES,
                "16 bytes more are expected than copies bring");
    check_crash(EXPECTS("112"), HONE_FINDING_TX_BYTES,
                "16 bytes more have landed than were expected");
}

#define ONE_LOAD(wait)                                                                   \
    "@%p0 mbarrier.init.shared::cta.b64 [b], 1; mov.u32 %s2, b; mov.u32 %s3, s;\n"       \
    "mov.u64 %x2, %x0; bar.sync 0;\n@%p0 " EXPECT "@%p0 " LOAD wait                      \
    "ld.shared.u32 %t9, [%s1]; st.global.u32 [%x1+512], %t9;\n"

static void a_load_is_waited_for_by_who_reads(void **state)
{
    (void)state;
    uint32_t wanted[BULK_WORDS];
    bulk_count_up(wanted);
    for (uint32_t t = 0; t < 64; t++)
        wanted[128 + t] = 1000 + t % 32;
    bulk_check_ways(ONE_LOAD(WAIT("W", "0", "0")), wanted);
    check_wrong(ONE_LOAD(""), HONE_FINDING_MISSING_WAIT,
                "missing wait of an asynchronous copy (PTX line 15)");
    // of a fresh object the phase of parity 1 has ended
    const struct bulk_way late = {
        .check = true, .reversed = true, .copies = HONE_EMU_COPY_LAZY};
    struct hone_fault fault;
    bulk_count_up(wanted);
    bulk_run(ONE_LOAD(WAIT("W", "0", "1")), &late, wanted, &fault);
    assert_int_equal(fault.finding, HONE_FINDING_PHASE);
    // one warp waits, and no barrier tells the other
    check_wrong(ONE_LOAD("@!%p1 bra W2;\n" WAIT("W", "0", "0") "W2:"),
                HONE_FINDING_MISSING_WAIT, "missing wait of an asynchronous copy");
    bulk_count_up(wanted);
    for (uint32_t t = 0; t < 64; t++)
        wanted[128 + t] = 1000 + t % 32;
    bulk_check_ways(ONE_LOAD("@!%p1 bra W2;\n" WAIT("W", "0", "0") "W2: bar.sync 0;\n"),
                    wanted);
}

static void a_stage_is_not_refilled_under_its_readers(void **state)
{
    (void)state;
    // the consumer hands the stage back before it has read it
    check_wrong(RING_INIT
                "@!%p1 bra CONSUME; @!%p0 bra END;\n" RING_STAGE WAIT("W1", "16", "%t8")
                    EXPECT LOAD RING_NEXT("LOOP") "bra END;\nCONSUME:\n" EARLY "END:",
                HONE_FINDING_RACE, "without a barrier between them, bulk copy");
    check_wrong(
        "@!%p0 bra END; mbarrier.init.shared::cta.b64 [b], 1; mov.u32 %s2, b;\n"
        "mov.u32 %s3, s; mov.u64 %x2, %x0; st.shared.v4.u32 [%s1], {5,5,5,5};\n" FENCE
        "cp.async.bulk.global.shared::cta.bulk_group [%x0+128], [s], 16;\n"
        "cp.async.bulk.commit_group;\n" EXPECT LOAD WAIT("W", "0", "0") DONE "END:",
        HONE_FINDING_IN_FLIGHT, "asynchronous write to shared memory that another");
}

// ---- rules ----

static void addresses_and_sizes_are_multiples_of_16(void **state)
{
    (void)state;
#define BAD(to, from, bytes)                                                             \
    "@!%p0 bra END; cp.async.bulk.global.shared::cta.bulk_group [%x0+" to "], [s+" from  \
    "], " bytes ";\nEND:"
    check_crash(BAD("8", "0", "16"), HONE_FINDING_MISALIGNED,
                "its global address, byte 8 of words, is 8 bytes past a multiple of 16");
    check_crash(BAD("0", "8", "16"), HONE_FINDING_MISALIGNED, "multiple of 16");
    check_crash(BAD("0", "0", "24"), HONE_FINDING_MISALIGNED, "multiple of 16");
    check_crash(BAD("4080", "0", "32"), HONE_FINDING_OUT_OF_BOUNDS, "past the end");
    check_crash(BAD("0", "4160", "32"), HONE_FINDING_OUT_OF_BOUNDS,
                "copy of 32 bytes, 64 bytes past an area of 4224 bytes");
    check_crash(BAD("0", "33554432", "32"), HONE_FINDING_OUT_OF_BOUNDS,
                "copy of 32 bytes, 33550336 bytes past an area"); // no mapa made it
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_ring_of_two_stages_works_in_every_order),
    cmocka_unit_test(bytes_may_land_before_they_are_expected),
    cmocka_unit_test(a_stage_is_stored_to_again_once_it_was_read),
    cmocka_unit_test(a_missing_proxy_fence_is_found),
    cmocka_unit_test(a_stage_that_is_still_read_is_not_written),
    cmocka_unit_test(a_load_is_waited_for_by_who_reads),
    cmocka_unit_test(a_stage_is_not_refilled_under_its_readers),
    cmocka_unit_test(bytes_that_do_not_match_are_told),
    cmocka_unit_test(addresses_and_sizes_are_multiples_of_16),
};

HONE_TEST_MAIN(tests)
