// What lanes have exchanged orders the loads that it came from, and nothing else: lane 5
// loads a word, lanes exchange something, lane 0 stores over the word.
#include "emu_check.h"

#define LOAD                                                                             \
    "st.shared.u32 [%s0], %t0; bar.sync 0; setp.eq.u32 %p1, %t0, 0;\n"                   \
    "ld.shared.u32 %t1, [%s0]; mov.u32 %t2, %t0;\n"
// what was loaded is of use
#define STORE                                                                            \
    "mul.wide.u32 %x1, %t0, 4; add.u64 %x1, %x1, %x0; st.global.u32 [%x1], %t1;\n"       \
    "@%p1 st.shared.u32 [%s1+20], 77;\n"

static void check_race(const char *body)
{
    check_finding_kind(body, 1, HONE_FINDING_RACE);
}

static void exchanges_of_what_was_loaded_order_it(void **state)
{
    (void)state;
    check_race(LOAD STORE);
    check_silence(LOAD "shfl.sync.bfly.b32 %t3, %t1, 1, 31, -1;\n" STORE);
    check_silence(LOAD
                  "setp.gt.u32 %p2, %t1, 3; vote.sync.any.pred %p3, %p2, -1;\n" STORE);
    check_silence(LOAD "match.any.sync.b32 %t3, %t1, -1;\n" STORE);
    check_silence(LOAD "redux.sync.add.u32 %t3, %t1, -1;\n" STORE);
    check_silence(LOAD "mad.lo.u32 %t3, %t1, 3, %t2; shfl.sync.idx.b32 %t4, 1, %t3, 31, "
                       "-1;\n" STORE);
    // the other value's address is made of it
    check_silence(LOAD "and.b32 %t3, %t1, 8; add.u32 %t3, %t3, %s1; ld.shared.u32 %t4, "
                       "[%t3]; shfl.sync.up.b32 %t4, %t4, 1, 0, -1;\n" STORE);
}

static void exchanges_of_other_values_order_nothing(void **state)
{
    (void)state;
    check_race(LOAD "shfl.sync.bfly.b32 %t3, %t2, 1, 31, -1;\n" STORE);
    check_race(LOAD "activemask.b32 %t3; elect.sync %t4|%p2, -1;\n" STORE);
    check_race(LOAD "mov.u32 %t3, %t1; mov.u32 %t3, 5; shfl.sync.bfly.b32 %t3, %t3, 1, "
                    "31, -1;\n" STORE);
    // whether something goes into it depends on the value, what goes does not
    check_race(LOAD "setp.gt.u32 %p2, %t1, 70; @%p2 mov.u32 %t2, 1; shfl.sync.bfly.b32 "
                    "%t3, %t2, 1, 31, -1;\n" STORE);
    // memory is not followed
    check_race(LOAD "st.local.u32 [l], %t1; ld.local.u32 %t3, [l]; shfl.sync.bfly.b32 "
                    "%t3, %t3, 1, 31, -1;\n" STORE);
    // the next turn would exchange it
    check_race(LOAD "mov.u32 %t3, 0; AGAIN: shfl.sync.bfly.b32 %t4, %t3, 1, 31, -1; "
                    "ld.shared.u32 %t3, [%s0]; mov.u32 %t1, %t3; add.u32 %t2, %t2, 40; "
                    "setp.lt.u32 %p2, %t2, 80; @%p2 bra AGAIN;\n" STORE);
    // lanes wait for those of their masks
    check_race(LOAD "setp.lt.u32 %p2, %t0, 4; @%p2 shfl.sync.bfly.b32 %t3, %t1, 1, 31, "
                    "15;\n" STORE);
}

static void the_last_64_exchanges_of_a_warp_are_kept(void **state)
{
    static const char other[] = "vote.sync.any.pred %p3, %p2, -1;";
    char text[4096] = LOAD "setp.eq.u32 %p2, %t1, 3; shfl.sync.bfly.b32 %t3, %t1, 1, 31, "
                           "-1; setp.eq.u32 %p2, %t2, 3;\n";
    (void)state;
    for (int k = 0; k < 63; k++)
        strcat(text, other);
    char more[4096];
    snprintf(more, sizeof more, "%s%s%s", text, other, STORE);
    strcat(text, STORE);
    check_silence(text);
    check_race(more);
}

// A path around what the value goes into is not looked at: it may have been that one.
static void one_path_to_an_exchange_is_enough(void **state)
{
    (void)state;
    check_silence(LOAD "mov.u32 %t3, 0; setp.lt.u32 %p2, %t0, 60; @!%p2 bra OVER; "
                       "add.u32 %t3, %t3, %t1; OVER: shfl.sync.bfly.b32 %t3, %t3, 1, 31, "
                       "-1;\n" STORE);
    check_race(LOAD "mov.u32 %t3, 0; bra OVER; add.u32 %t3, %t3, %t1; OVER: "
                    "shfl.sync.bfly.b32 %t3, %t3, 1, 31, -1;\n" STORE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(exchanges_of_what_was_loaded_order_it),
    cmocka_unit_test(exchanges_of_other_values_order_nothing),
    cmocka_unit_test(the_last_64_exchanges_of_a_warp_are_kept),
    cmocka_unit_test(one_path_to_an_exchange_is_enough),
};

HONE_TEST_MAIN(tests)
