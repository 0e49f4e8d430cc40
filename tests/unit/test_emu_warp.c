// Operations across lanes, warps and blocks, and how lanes part and meet again: each
// kernel writes one word a thread, compared with what the host computes.
#include "emu_words.h"

// ---- shuffles ----

static uint32_t up_3(uint32_t t)
{
    return t % 32 >= 3 ? t - 3 : t;
}

static uint32_t down_in_eights(uint32_t t)
{
    return t % 8 + 2 < 8 ? t + 2 : t;
}

static uint32_t butterfly(uint32_t t)
{
    return t ^ 5;
}

static uint32_t broadcast_in_sixteens(uint32_t t)
{
    return t / 16 * 16 + 9;
}

static uint32_t valid_down(uint32_t t)
{
    return t % 32 + 20 < 32;
}

static void shuffles_follow_the_manual(void **state)
{
    (void)state;
    check("", "shfl.sync.up.b32 %r, %t, 3, 0, -1;", 64, up_3);
    check("", "shfl.sync.down.b32 %r, %t, 2, 0x181f, -1;", 64, down_in_eights);
    check("", "shfl.sync.bfly.b32 %r, %t, 5, 31, -1;", 64, butterfly);
    check("", "shfl.sync.idx.b32 %r, %t, 9, 0x101f, -1;", 64, broadcast_in_sixteens);
    check("", "shfl.sync.down.b32 %a0|%p0, %t, 20, 31, -1; selp.u32 %r, 1, 0, %p0;", 64,
          valid_down);
}

// ---- votes ----

static uint32_t ballot_of_thirds(uint32_t t)
{
    uint32_t bits = 0;
    for (uint32_t l = 0; l < 32; l++)
        bits |= (uint32_t)((t / 32 * 32 + l) % 3 == 0) << l;
    return bits;
}

static uint32_t only_second_warp(uint32_t t)
{
    return t / 32 == 1;
}

static uint32_t same_mod_5(uint32_t t)
{
    uint32_t bits = 0;
    for (uint32_t l = 0; l < 32; l++)
        bits |= (uint32_t)(l % 5 == t % 32 % 5) << l;
    return bits;
}

static uint32_t sum_of_lanes(uint32_t t)
{
    return t / 32 * 1024 + 496;
}

static uint32_t least_of_signed(uint32_t t)
{
    return t / 32 * 32 - 40;
}

static void votes_and_reductions_of_a_warp(void **state)
{
    static const char thirds[] = "rem.u32 %a0, %t, 3; setp.eq.u32 %p0, %a0, 0;\n"
                                 "vote.sync.ballot.b32 %r, %p0, -1;";
    (void)state;
    check("", thirds, 64, ballot_of_thirds);
    check("",
          "setp.ge.u32 %p0, %t, 32; vote.sync.all.pred %p1, %p0, -1; selp.u32 %r, 1, 0, "
          "%p1;",
          64, only_second_warp);
    check("",
          "setp.eq.u32 %p0, %t, 50; vote.sync.any.pred %p1, %p0, -1; selp.u32 %r, 1, 0, "
          "%p1;",
          64, only_second_warp);
    check("", "and.b32 %a0, %t, 31; rem.u32 %a0, %a0, 5; match.any.sync.b32 %r, %a0, -1;",
          64, same_mod_5);
    check("", "redux.sync.add.u32 %r, %t, -1;", 64, sum_of_lanes);
    check("", "sub.u32 %a0, %t, 40; redux.sync.min.s32 %r, %a0, -1;", 64,
          least_of_signed);
}

// ---- tiles: groups of lanes that name themselves, at one instruction ----

// The mask of the thread's eight lanes in %a1.
#define OWN_EIGHT "and.b32 %a0, %t, 24; shl.b32 %a1, 255, %a0;\n"

static uint32_t neighbour_in_eights(uint32_t t)
{
    return t ^ 3;
}

static uint32_t sum_of_eights(uint32_t t)
{
    return t / 8 * 64 + 28;
}

static uint32_t odd_in_eights(uint32_t t)
{
    return UINT32_C(0xaa) << (t & 24);
}

static uint32_t fives_in_eights(uint32_t t)
{
    return UINT32_C(1) << t % 32;
}

static uint32_t first_of_eights(uint32_t t)
{
    return t % 32 / 8 * 8;
}

static void tiles_name_their_own_lanes(void **state)
{
    (void)state;
    check("", OWN_EIGHT "shfl.sync.bfly.b32 %r, %t, 3, 0x181f, %a1;", 64,
          neighbour_in_eights);
    check("", OWN_EIGHT "redux.sync.add.u32 %r, %t, %a1;", 64, sum_of_eights);
    check("",
          OWN_EIGHT "and.b32 %a2, %t, 1; setp.eq.u32 %p0, %a2, 1;\n"
                    "vote.sync.ballot.b32 %r, %p0, %a1;",
          64, odd_in_eights);
    check("", OWN_EIGHT "match.any.sync.b32 %r, %t, %a1;", 64, fives_in_eights);
    check("", OWN_EIGHT "elect.sync %r|%p0, %a1;", 64, first_of_eights);
    // two of them come later, by another way, the last two one by one
    check("",
          OWN_EIGHT "setp.lt.u32 %p0, %a0, 16; @%p0 bra SUM;\nadd.u32 %a3, %t, 1;\n"
                    "SUM: bar.warp.sync %a1; redux.sync.add.u32 %r, %t, %a1;",
          64, sum_of_eights);
    check("",
          OWN_EIGHT "setp.lt.u32 %p0, %t, 50; @%p0 bra SUM;\nadd.u32 %a3, %t, 1;\n"
                    "SUM: bar.warp.sync %a1; redux.sync.add.u32 %r, %t, %a1;",
          64, sum_of_eights);
}

// ---- divergence ----

static uint32_t collatz_steps(uint32_t t)
{
    uint32_t n = t + 1, steps = 0;
    while (n != 1)
        n = n % 2 ? 3 * n + 1 : n / 2, steps++;
    return steps;
}

static uint32_t meets_again(uint32_t t)
{
    (void)t;
    return UINT32_MAX;
}

static uint32_t active_after_exit(uint32_t t)
{
    return t % 32 < 10 ? 0 : 0xfffffc00;
}

static uint32_t kept_or_narrow(uint32_t t)
{
    return t % 2 ? 0x12345678 + t : (t + 10) & 0xffff;
}

// Odd lanes keep words while even ones compute with halves in the same places.
static void narrow_results_leave_other_lanes_alone(void **state)
{
    (void)state;
    check("",
          "cvt.u16.u32 %h0, %t; and.b32 %a0, %t, 1; setp.eq.u32 %p0, %a0, 1;\n"
          "@%p0 bra ODD;\nbarrier.sync 0; add.u16 %h1, %h0, 1; add.u16 %h2, %h1, 2;\n"
          "add.u16 %h3, %h2, 3; add.u16 %h1, %h3, 4; cvt.u32.u16 %r, %h1; bra END;\n"
          "ODD: add.u32 %a1, %t, 0x12345600; add.u32 %a2, %t, 0x12345670;\n"
          "add.u32 %a3, %t, 0x12345674; barrier.sync 0;\n"
          "sub.u32 %a1, %a2, %a1; add.u32 %a1, %a1, %a3; sub.u32 %r, %a1, 0x6c;\nEND:",
          64, kept_or_narrow);
}

static void lanes_part_and_meet(void **state)
{
    (void)state;
    check("",
          "add.u32 %a0, %t, 1;\nLOOP: setp.eq.u32 %p0, %a0, 1; @%p0 bra DONE;\n"
          "add.u32 %r, %r, 1; and.b32 %a1, %a0, 1; setp.eq.u32 %p1, %a1, 0; @%p1 bra "
          "EVEN;\n"
          "mad.lo.u32 %a0, %a0, 3, 1; bra LOOP;\nEVEN: shr.u32 %a0, %a0, 1; bra "
          "LOOP;\nDONE:",
          96, collatz_steps);
    check("",
          "and.b32 %a0, %t, 3; setp.lt.u32 %p0, %a0, 2; @%p0 bra A; add.u32 %a1, %a1, 1; "
          "bra B;\n"
          "A: add.u32 %a1, %a1, 2;\nB: activemask.b32 %r;",
          32, meets_again);
    check("",
          "and.b32 %a0, %t, 31; setp.lt.u32 %p0, %a0, 10; @%p0 exit; activemask.b32 %r;",
          32, active_after_exit);
}

static uint32_t handed_over(uint32_t t)
{
    return t == 0 ? 7 : 0;
}

// Lane 0 waits in a loop, at a lower place, for what lane 1 writes.
static void a_lane_that_waits_lets_others_run(void **state)
{
    (void)state;
    check(".global .align 4 .u32 flag = 0;",
          "setp.ne.u32 %p0, %t, 0; @%p0 bra WRITE;\n"
          "WAIT: ld.volatile.global.u32 %r, [flag]; setp.eq.u32 %p1, %r, 0; @%p1 bra "
          "WAIT;\n"
          "bra OUT;\nWRITE: st.volatile.global.u32 [flag], 7;\nOUT:",
          32, handed_over);
}

// Warp 0 waits for a word that warp 1 writes, without a barrier.
static uint32_t from_the_other_warp(uint32_t t)
{
    return t < 32 ? 9 : 0;
}

static void a_warp_that_waits_lets_others_run(void **state)
{
    (void)state;
    check(".global .align 4 .u32 flag = 0;",
          "setp.ge.u32 %p0, %t, 32; @%p0 bra WRITE;\n"
          "WAIT: ld.volatile.global.u32 %r, [flag]; setp.eq.u32 %p1, %r, 0; @%p1 bra "
          "WAIT;\n"
          "bra OUT;\nWRITE: st.volatile.global.u32 [flag], 9;\nOUT:",
          64, from_the_other_warp);
}

// ---- barriers ----

static uint32_t mirrored(uint32_t t)
{
    return 255 - t;
}

static uint32_t partner(uint32_t t)
{
    return t < 64 ? t + 64 : 0;
}

static uint32_t sixty(uint32_t t)
{
    (void)t;
    return 60;
}

static uint32_t any_but_not_all(uint32_t t)
{
    (void)t;
    return 2;
}

static void barriers_order_shared_memory(void **state)
{
    (void)state;
    check("",
          ".shared .align 4 .u32 s[256]; mov.u32 %a0, s; mad.lo.u32 %a1, %t, 4, %a0;\n"
          "st.shared.u32 [%a1], %t; bar.sync 0; sub.u32 %a2, 255, %t;\n"
          "mad.lo.u32 %a1, %a2, 4, %a0; ld.shared.u32 %r, [%a1];",
          256, mirrored);
    // producers arrive and go on, consumers wait: 128 threads in all
    check("",
          ".shared .align 4 .u32 s[256]; mov.u32 %a0, s; mad.lo.u32 %a1, %t, 4, %a0;\n"
          "setp.lt.u32 %p0, %t, 64; @%p0 bra CONSUME;\n"
          "st.shared.u32 [%a1], %t; bar.arrive 3, 128; bra OUT;\n"
          "CONSUME: bar.sync 3, 128; ld.shared.u32 %r, [%a1+256];\nOUT:",
          128, partner);
    check("", "setp.lt.u32 %p0, %t, 60; bar.red.popc.u32 %r, 0, %p0;", 128, sixty);
    check("",
          "setp.lt.u32 %p0, %t, 60; bar.red.or.pred %p1, 0, %p0; bar.red.and.pred %p2, "
          "0, %p0;\n"
          "selp.u32 %a0, 2, 0, %p1; selp.u32 %a1, 1, 0, %p2; or.b32 %r, %a0, %a1;",
          128, any_but_not_all);
}

// ---- memory ----

static uint32_t minus_3_16(uint32_t t)
{
    (void)t;
    return (uint32_t)-3;
}

static uint32_t table_word(uint32_t t)
{
    return t % 3 == 0 ? 10 : t % 3 == 1 ? 20 : 30;
}

static uint32_t own_frame(uint32_t t)
{
    return t * 3;
}

static uint32_t through_both_spaces(uint32_t t)
{
    return t % 2 ? 1000 + t : t;
}

static uint32_t copied_and_zeroed(uint32_t t)
{
    return t % 2 ? 0x01020304 : 0;
}

static void memory_of_every_space(void **state)
{
    (void)state;
    check("", "mov.u32 %a0, -3; st.global.u32 [%x], %a0; ld.global.s16 %r, [%x];", 32,
          minus_3_16);
    check(".const .align 4 .u32 table[3] = {10, 20, 30};",
          "rem.u32 %a0, %t, 3; mul.wide.u32 %y0, %a0, 4; mov.u64 %y1, table;\n"
          "add.u64 %y0, %y0, %y1; ld.const.u32 %r, [%y0];",
          32, table_word);
    check(".const .align 4 .u32 table[3] = {10, 20, 30};\n"
          ".global .align 8 .u64 link = generic(table);",
          "rem.u32 %a0, %t, 3; ld.global.u64 %y1, [link]; mul.wide.u32 %y0, %a0, 4;\n"
          "add.u64 %y0, %y0, %y1; ld.u32 %r, [%y0];",
          32, table_word);
    check("",
          ".local .align 4 .b8 l[16]; mov.u64 %y0, l; cvta.local.u64 %y1, %y0;\n"
          "mul.lo.u32 %a0, %t, 3; st.u32 [%y1+8], %a0; ld.local.u32 %r, [%y0+8];",
          64, own_frame);
    // odd lanes through shared memory, even ones through global, by one generic
    // instruction
    check("",
          ".shared .align 4 .u32 s[64]; mov.u64 %y0, s; cvta.shared.u64 %y0, %y0;\n"
          "mad.wide.u32 %y0, %t, 4, %y0; add.u32 %a1, %t, 1000; st.shared.u32 [s], 0;\n"
          "bar.sync 0; st.u32 [%y0], %a1; st.global.u32 [%x], %t; and.b32 %a0, %t, 1;\n"
          "setp.eq.u32 %p0, %a0, 1; selp.b64 %y1, %y0, %x, %p0; ld.u32 %r, [%y1];",
          64, through_both_spaces);
    check(".global .align 16 .u32 source[4] = {0x01020304, 1, 2, 3};",
          ".shared .align 16 .b8 s[1024]; mov.u32 %a0, s; mad.lo.u32 %a0, %t, 16, %a0;\n"
          "mov.u64 %y0, source; and.b32 %a1, %t, 1; shl.b32 %a1, %a1, 4;\n"
          "st.shared.u32 [%a0], 77; cp.async.cg.shared.global [%a0], [%y0], 16, %a1;\n"
          "cp.async.commit_group; cp.async.wait_group 0; ld.shared.u32 %r, [%a0];",
          32, copied_and_zeroed);
}

// ---- atomics ----

static uint32_t ticket_sum(uint32_t t)
{
    (void)t;
    return 128;
}

static uint32_t most_signed(uint32_t t)
{
    (void)t;
    return 27;
}

static uint32_t wrapped(uint32_t t)
{
    (void)t;
    return 128 % 11;
}

static uint32_t half_of_threads(uint32_t t)
{
    (void)t;
    return 0x42800000; // 64.0f
}

static uint32_t one_winner(uint32_t t)
{
    return t == 0;
}

static void atomics_of_all_threads_add_up(void **state)
{
    static const char counter[] = ".global .align 8 .u64 c = 0;";
    (void)state;
    check(counter, "red.global.add.u32 [c], 1; bar.sync 0; ld.global.u32 %r, [c];", 128,
          ticket_sum);
    check(counter,
          "sub.u32 %a0, %t, 100; atom.global.max.s32 %a1, [c], %a0; bar.sync 0;\n"
          "ld.global.u32 %r, [c];",
          128, most_signed);
    check(counter, "atom.global.inc.u32 %a0, [c], 10; bar.sync 0; ld.global.u32 %r, [c];",
          128, wrapped);
    check("",
          ".shared .align 4 .f32 s; mov.f32 %f0, 0f00000000; st.shared.f32 [s], %f0; "
          "bar.sync 0;\n"
          "atom.shared.add.f32 %f1, [s], 0f3F000000; bar.sync 0; ld.shared.b32 %r, [s];",
          128, half_of_threads);
    check(counter,
          "atom.global.cas.b64 %y0, [c], 0, 5; setp.eq.u64 %p0, %y0, 0; selp.u32 %r, 1, "
          "0, %p0;",
          64, one_winner);
}

// ---- executors ----

static void both_executors_agree(void **state)
{
    static const char body[] =
        "cvt.rn.f32.u32 %f0, %t; mul.f32 %f0, %f0, 0f3EAAAAAB; mov.f32 %f1, 0f3F800000;\n"
        "LOOP: fma.rn.f32 %f1, %f1, %f0, 0f3DCCCCCD; div.rn.f32 %f1, %f1, 0f40490FDB;\n"
        "fma.rm.ftz.f32 %f2, %f1, %f0, %f2; ex2.approx.f32 %f3, %f1; add.f32 %f1, %f1, "
        "%f3;\n"
        "sqrt.rn.f32 %f1, %f1; add.u32 %a0, %a0, 1; setp.lt.u32 %p0, %a0, %t; @%p0 bra "
        "LOOP;\n"
        "add.f32 %f1, %f1, %f2; cvt.f64.f32 %d0, %f1; fma.rn.f64 %d0, %d0, %d0, %d0;\n"
        "cvt.rz.f32.f64 %f1, %d0; mov.b32 %r, %f1;";
    static uint32_t base[256], best[256];
    struct emu emu;
    (void)state;
    emu_open(&emu);
    if (!hone_emu_set_executor(emu.dev, "x86-64-v3")) {
        emu_close(&emu);
        SKIP("this machine has one executor only");
    }
    run_words(&emu, "", body, 256, best);
    assert_true(hone_emu_set_executor(emu.dev, "base"));
    run_words(&emu, "", body, 256, base);
    assert_memory_equal(base, best, sizeof base);
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shuffles_follow_the_manual),
    cmocka_unit_test(votes_and_reductions_of_a_warp),
    cmocka_unit_test(tiles_name_their_own_lanes),
    cmocka_unit_test(lanes_part_and_meet),
    cmocka_unit_test(narrow_results_leave_other_lanes_alone),
    cmocka_unit_test(a_lane_that_waits_lets_others_run),
    cmocka_unit_test(a_warp_that_waits_lets_others_run),
    cmocka_unit_test(barriers_order_shared_memory),
    cmocka_unit_test(memory_of_every_space),
    cmocka_unit_test(atomics_of_all_threads_add_up),
    cmocka_unit_test(both_executors_agree),
};

HONE_TEST_MAIN(tests)
