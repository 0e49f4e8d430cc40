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
#define RING(produce)                                                                    \
    RING_INIT "@!%p1 bra CONSUME; @!%p0 bra END;\n" RING_STAGE WAIT("W1", "16", "%t8")   \
        produce RING_NEXT("LOOP") "bra END;\nCONSUME:\n" RING_CONSUME "END:"
#define RING_CONSUME                                                                     \
    "NEXT: and.b32 %t4, %t3, 1; shr.u32 %t5, %t3, 1; and.b32 %t5, %t5, 1;\n"             \
    "shl.b32 %t6, %t4, 3; add.u32 %s2, %s4, %t6; shl.b32 %t7, %t4, 7;\n"                 \
    "add.u32 %s3, %s1, %t7;\n" WAIT(                                                     \
        "W2", "0", "%t5") "ld.shared.u32 %t10, [%s3];\n"                                 \
                          "add.u32 %t9, %t9, %t10; mbarrier.arrive.shared::cta.b64 _, "  \
                          "[%s2+16];\n" RING_NEXT("NEXT") "st.global.u32 [%x1], %t9;\n"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_two_stages_works_in_every_order),
        cmocka_unit_test(bytes_may_land_before_they_are_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
