// A checked launch reports races and unwritten values that decide something, with their
// place, and nothing about kernels that are in order.
#include "emu_check.h"

#define NEIGHBOUR "xor.b32 %t1, %t0, 32; shl.b32 %s2, %t1, 2; add.u32 %s2, %s2, %s1;\n"

static void a_missing_barrier_is_a_race(void **state)
{
    (void)state;
    check_finding(NEIGHBOUR "st.shared.u32 [%s0], %t0;\nld.shared.u32 %t2, [%s2];",
                  "data race on shared memory: load of warp 0 (PTX line 12) and, "
                  "without a barrier between them, store at block (0,0,0) thread "
                  "(32,0,0) of k, PTX line 11");
    check_silence(NEIGHBOUR "st.shared.u32 [%s0], %t0; bar.sync 0;\n"
                            "ld.shared.u32 %t2, [%s2];");
}

static void a_store_after_loads_needs_a_barrier_too(void **state)
{
    (void)state;
    check_finding(NEIGHBOUR "st.shared.u32 [%s0], %t0; bar.sync 0;\n"
                            "ld.shared.u32 %t2, [%s2];\n st.shared.u32 [%s0], %t2;",
                  "data race on shared memory: store of warp 1 (PTX line 13) and, "
                  "without a barrier between them, load at block (0,0,0) thread "
                  "(0,0,0) of k, PTX line 12");
}

// All warps load one word, then warp 0 stores to it: warp 1 had loaded it before warp 0.
static void every_reader_counts(void **state)
{
    (void)state;
    check_finding("@%p0 st.shared.u32 [%s1], 1; bar.sync 0; ld.shared.u32 %t2, [%s1];\n"
                  "bar.warp.sync -1; @%p0 st.shared.u32 [%s1], 2;",
                  "data race on shared memory: load of warp 1 (PTX line 10) and, "
                  "without a barrier between them, store at block (0,0,0) thread "
                  "(0,0,0) of k, PTX line 11");
}

static void lanes_of_a_warp_need_a_warp_barrier(void **state)
{
    static const char body[] =
        "xor.b32 %%t1, %%t0, 1; shl.b32 %%s2, %%t1, 2; add.u32 %%s2, %%s2, %%s1;\n"
        "st.shared.u32 [%%s0], %%t0; %s\nld.shared.u32 %%t2, [%%s2];";
    char text[512];
    (void)state;
    snprintf(text, sizeof text, body, "");
    check_finding(text, "data race on shared memory: store of warp 0 (PTX line 11) and, "
                        "without a __syncwarp between them, load at block (0,0,0) thread "
                        "(0,0,0) of k, PTX line 12");
    snprintf(text, sizeof text, body, "bar.warp.sync -1;");
    check_silence(text);
}

static void equal_values_to_one_address_are_no_race(void **state)
{
    (void)state;
    check_silence("st.shared.u32 [%s1], 7;");
    check_finding("st.shared.u32 [%s1], %t0;",
                  "data race on shared memory: store of warp 0 (PTX line 10) and "
                  "store at block (0,0,0) thread (1,0,0) of k, PTX line 10");
}

static void atomics_and_fences_order(void **state)
{
    (void)state;
    check_silence("st.shared.u32 [s+512], 0; bar.sync 0;\n"
                  "red.shared.add.u32 [s+512], %t0;");
    check_finding("red.shared.add.u32 [s], %t0;\n@!%p0 st.shared.u32 [s], 1;",
                  "data race on shared memory: store of warp 1 (PTX line 10) and, "
                  "without a __syncwarp between them, store at block (0,0,0) thread "
                  "(32,0,0) of k, PTX line 11");
    check_silence(
        "@!%p0 bra WAIT;\n"
        "st.shared.u32 [%s0], %t0; membar.cta; st.volatile.shared.u32 [s+512], 1;"
        "\nret;\nWAIT: ld.volatile.shared.u32 %t1, [s+512]; membar.cta;\n"
        "setp.eq.u32 %p1, %t1, 0; @%p1 bra WAIT;\n"
        "ld.shared.u32 %t2, [%s0+-128];");
}

#define TO_NEIGHBOUR "xor.b32 %t1, %t0, 1; shl.b32 %s2, %t1, 2; add.u32 %s2, %s2, %s1;\n"

// A fence orders what its own lane does; it makes no lane wait for another.
static void a_fence_is_no_warp_barrier(void **state)
{
    static const char *const fences[] = {"membar.cta;", "membar.gl;", "membar.sys;",
                                         "fence.acq_rel.cta;", "fence.sc.gpu;"};
    char text[512];
    (void)state;
    for (size_t i = 0; i < sizeof fences / sizeof *fences; i++) {
        snprintf(text, sizeof text,
                 "%sst.shared.u32 [%%s0], %%t0; %s\nld.shared.u32 %%t2, [%%s2];",
                 TO_NEIGHBOUR, fences[i]);
        check_finding(text,
                      "data race on shared memory: store of warp 0 (PTX line 11) and, "
                      "without a __syncwarp between them, load at block (0,0,0) thread "
                      "(0,0,0) of k, PTX line 12");
        snprintf(text, sizeof text,
                 "%sst.shared.u32 [%%s0], %%t0; %s bar.warp.sync -1;\n"
                 "ld.shared.u32 %%t2, [%%s2];",
                 TO_NEIGHBOUR, fences[i]);
        check_silence(text);
    }
    // what a lane does alone needs none
    check_silence("ld.shared.u32 %t1, [%s0]; st.shared.u32 [%s0], %t0;\n"
                  "membar.cta; ld.shared.u32 %t1, [%s0]; st.shared.u32 [%s0], %t0;");
    // loads that a fence parts from a store
    check_finding(TO_NEIGHBOUR
                  "st.shared.u32 [%s0], %t0; bar.warp.sync -1;\nld.shared.u32 %t2, "
                  "[%s2];\nmembar.cta; st.shared.u32 [%s0], %t1;",
                  "data race on shared memory: load of warp 0 (PTX line 12) and, "
                  "without a __syncwarp between them, store at block (0,0,0) thread "
                  "(0,0,0) of k, PTX line 13");
    // on device memory, and a lane that leaves
    check_finding("mad.wide.u32 %x1, %t0, 4, %x0; st.global.u32 [%x1], %t0;\nmembar.gl; "
                  "xor.b32 %t1, %t0, 1; mad.wide.u32 %x2, %t1, 4, %x0;\n"
                  "ld.global.u32 %t2, [%x2];",
                  "data race on global memory: store of warp 0 (PTX line 10) and, "
                  "without a __syncwarp between them, load at block (0,0,0) thread "
                  "(0,0,0) of k, PTX line 12");
    check_finding("setp.eq.u32 %p1, %t0, 0;\n@%p1 st.shared.u32 [s+512], 1;\n@%p1 ret;\n"
                  "@%p0 ld.shared.u32 %t1, [s+512];",
                  "data race on shared memory: store of warp 0 (PTX line 11) and, "
                  "without a __syncwarp between them, load at block (0,0,0) thread "
                  "(1,0,0) of k, PTX line 13");
}

// Lane 0 tells the others of its warp by a flag; store and load: how, between: with what
// order.
#define TELL(store, ahead, load, behind)                                                 \
    "and.b32 %t3, %t0, 31; setp.ne.u32 %p1, %t3, 0; setp.ge.u32 %p2, %t0, 32; @%p2 "     \
    "ret;\n"                                                                             \
    "st.volatile.shared.u32 [s+512], 0; bar.warp.sync -1;\n"                             \
    "@%p1 bra WAIT;\nst.shared.u32 [s+516], %t0; " ahead " " store                       \
    ".shared.u32 [s+512], 1;\nret;\n"                                                    \
    "WAIT: " load ".shared.u32 %t4, [s+512]; " behind "\nsetp.eq.u32 %p3, %t4, 0;\n"     \
    "@%p3 bra WAIT;\nld.shared.u32 %t5, [s+516];"

static void lanes_may_hand_over_by_a_flag(void **state)
{
    static const char *const handed[] = {
        TELL("st.volatile", "membar.cta;", "ld.volatile", "membar.cta;"),
        TELL("st.relaxed.cta", "fence.acq_rel.cta;", "ld.relaxed.cta",
             "fence.acq_rel.cta;"),
        TELL("st.release.cta", "", "ld.acquire.cta", "")};
    (void)state;
    for (size_t i = 0; i < sizeof handed / sizeof *handed; i++)
        check_silence(handed[i]);
    check_finding(TELL("st.volatile", "", "ld.volatile", ""),
                  "data race on shared memory: store of warp 0 (PTX line 13) and, "
                  "without a __syncwarp between them, load at block (0,0,0) thread "
                  "(1,0,0) of k, PTX line 18");
    check_finding(TELL("st.volatile", "membar.cta;", "ld.volatile", ""),
                  "data race on shared memory: store of warp 0 (PTX line 13) and, "
                  "without a __syncwarp between them, load at block (0,0,0) thread "
                  "(1,0,0) of k, PTX line 18");
    check_finding(TELL("st.volatile", "", "ld.volatile", "membar.cta;"),
                  "data race on shared memory: store of warp 0 (PTX line 13) and, "
                  "without a __syncwarp between them, load at block (0,0,0) thread "
                  "(1,0,0) of k, PTX line 18");
}

static void barriers_of_some_warps_order_those(void **state)
{
    (void)state;
    check_silence("@!%p0 bra TAKE;\nst.shared.u32 [%s0], %t0; bar.arrive 1, 64; ret;\n"
                  "TAKE: bar.sync 1, 64; ld.shared.u32 %t2, [%s0+-128];");
    check_finding("@!%p0 bra TAKE;\nbar.arrive 1, 64; st.shared.u32 [%s0], %t0; ret;\n"
                  "TAKE: bar.sync 1, 64; ld.shared.u32 %t2, [%s0+-128];",
                  "data race on shared memory: store of warp 0 (PTX line 11) and, "
                  "without a barrier between them, load at block (0,0,0) thread "
                  "(32,0,0) of k, PTX line 12");
}

static void halves_of_a_word_are_apart(void **state)
{
    (void)state;
    check_silence("shl.b32 %s2, %t0, 1; add.u32 %s2, %s2, %s1; mov.u16 %h0, 3;\n"
                  "st.shared.u16 [%s2], %h0;");
}

static void unwritten_values_are_found_where_they_decide(void **state)
{
    (void)state;
    check_finding("st.global.u32 [%x0], %t5;",
                  "a value that was never written is stored to global memory at block "
                  "(0,0,0) thread (0,0,0) of k, PTX line 10");
    check_finding("ld.shared.u32 %t2, [%s0];\nadd.u32 %t3, %t2, 1;\n"
                  "st.global.u32 [%x0], %t3;",
                  "a value that was never written is stored to global memory (first "
                  "read at PTX line 10) at block (0,0,0) thread (0,0,0) of k, PTX "
                  "line 12");
    check_finding("ld.local.u32 %t2, [l];\nsetp.eq.u32 %p1, %t2, 0;\n@%p1 bra OUT;"
                  "st.global.u32 [%x0], 1;\nOUT:",
                  "a value that was never written decides a branch (first read at "
                  "PTX line 10) at block (0,0,0) thread (0,0,0) of k, PTX line 12");
    check_finding("@%p0 mov.u64 %x1, %x0;\nadd.u64 %x1, %x1, 4; @!%p0 bra NO;\nret;\n"
                  "NO: and.b64 %x1, %x1, 4; add.u64 %x1, %x1, %x0;\n"
                  "st.global.u32 [%x1], 1;",
                  "a value that was never written is an address (first read at PTX "
                  "line 11) at block (0,0,0) thread (32,0,0) of k, PTX line 14");
}

// Of eight lanes each takes the value of the next but three: the last three get nothing.
static void a_shuffle_from_a_lane_that_is_not_there_is_told_so(void **state)
{
    (void)state;
    check_finding("setp.lt.u32 %p1, %t0, 8; mul.wide.u32 %x1, %t0, 4;\n"
                  "add.u64 %x1, %x1, %x0; @!%p1 bra OUT;\n"
                  "shfl.sync.down.b32 %t2, %t0, 3, 31, 255;\n"
                  "add.u32 %t2, %t2, 1; st.global.u32 [%x1], %t2;\nOUT:",
                  "a value that was never written is stored to global memory (the "
                  "shuffle at PTX line 12 took it from a lane that was not there) at "
                  "block (0,0,0) thread (5,0,0) of k, PTX line 13");
}

#define STORED_AT(line)                                                                  \
    "a value that was never written is stored to global memory (first read at PTX "      \
    "line " line

// However far it travels: through sums, memory, other lanes and predicates.
static void an_unwritten_value_is_traced_to_its_first_read(void **state)
{
    static const struct {
        const char *body, *first;
    } cases[] = {
        {"mov.u32 %t3, 0; add.u32 %t2, %t9, 1;\nadd.u32 %t2, %t2, %t0;\n"
         "add.u32 %t2, %t2, 3;\nst.global.u32 [%x0], %t2;",
         "10"},
        {"add.u32 %t2, %t9, 1;\nst.shared.u32 [%s0], %t2;\nld.shared.u32 %t3, [%s0];\n"
         "st.global.u32 [%x0], %t3;",
         "10"},
        {"\nst.shared.u32 [%s0], %t9;\nld.shared.u32 %t3, [%s0];\n"
         "st.global.u32 [%x0], %t3;",
         "11"},
        {"ld.local.u32 %t2, [l];\nst.local.u32 [l], %t2;\nld.local.u32 %t3, [l];\n"
         "st.global.u32 [%x0], %t3;",
         "10"},
        {"\nld.shared.u32 %t2, [%s0];\nshfl.sync.bfly.b32 %t3, %t2, 1, 31, -1;\n"
         "st.global.u32 [%x0], %t3;",
         "11"},
        {"\nshfl.sync.bfly.b32 %t3, %t9, 1, 31, -1;\nadd.u32 %t3, %t3, 1;\n"
         "st.global.u32 [%x0], %t3;",
         "11"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[256];
        struct hone_fault fault;
        run_checked(cases[i].body, 1, true, &fault);
        snprintf(expected, sizeof expected, STORED_AT("%s)"), cases[i].first);
        if (!strstr(fault.reason, expected))
            fail_msg("%s: %s, expected %s", cases[i].body, fault.reason, expected);
    }
}

static void unwritten_values_that_decide_nothing_are_fine(void **state)
{
    (void)state;
    check_silence("ld.shared.v4.u32 {%t1, %t2, %t3, %t4}, [s]; add.u32 %t1, %t2, %t3;");
    check_silence("selp.u32 %t1, %t0, %t9, %p0; mov.u32 %t2, 5;\n"
                  "selp.u32 %t1, %t1, %t2, %p0;\n"
                  "mad.wide.u32 %x1, %t0, 4, %x0; st.global.u32 [%x1], %t1;");
    check_silence("st.shared.u32 [%s0], %t7; mov.u32 %t7, 1; st.shared.u32 [%s0], %t7;\n"
                  "ld.shared.u32 %t1, [%s0]; mad.wide.u32 %x1, %t0, 4, %x0;\n"
                  "st.global.u32 [%x1], %t1;");
}

// Eight lanes each that name themselves: values and order go no further.
static void tiles_are_looked_at_one_by_one(void **state)
{
    static const char tile[] =
        "and.b32 %%t1, %%t0, 24; shl.b32 %%t2, 255, %%t1; setp.ge.u32 %%p1, %%t1, 8;\n"
        "@!%%p1 mov.u32 %%t3, 1;\nredux.sync.add.u32 %%t4, %%t3, %%t2;\n"
        "shfl.sync.bfly.b32 %%t5, %%t4, 1, 0x181f, %%t2;\n%s st.global.u32 [%%x0], %%t5;";
    char text[512];
    (void)state;
    snprintf(text, sizeof text, tile, "@!%p1");
    check_silence(text);
    snprintf(text, sizeof text, tile, "@%p1");
    check_finding(text,
                  "a value that was never written is stored to global memory (first "
                  "read at PTX line 12) at block (0,0,0) thread (8,0,0) of k, PTX "
                  "line 14");
    check_silence("and.b32 %t1, %t0, 24; shl.b32 %t2, 255, %t1; xor.b32 %t3, %t0, 5;\n"
                  "shl.b32 %s2, %t3, 2; add.u32 %s2, %s2, %s1;\n"
                  "st.shared.u32 [%s0], %t0; bar.warp.sync %t2;\n"
                  "ld.shared.u32 %t4, [%s2];");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_missing_barrier_is_a_race),
    cmocka_unit_test(a_store_after_loads_needs_a_barrier_too),
    cmocka_unit_test(every_reader_counts),
    cmocka_unit_test(lanes_of_a_warp_need_a_warp_barrier),
    cmocka_unit_test(equal_values_to_one_address_are_no_race),
    cmocka_unit_test(atomics_and_fences_order),
    cmocka_unit_test(a_fence_is_no_warp_barrier),
    cmocka_unit_test(lanes_may_hand_over_by_a_flag),
    cmocka_unit_test(barriers_of_some_warps_order_those),
    cmocka_unit_test(halves_of_a_word_are_apart),
    cmocka_unit_test(unwritten_values_are_found_where_they_decide),
    cmocka_unit_test(a_shuffle_from_a_lane_that_is_not_there_is_told_so),
    cmocka_unit_test(an_unwritten_value_is_traced_to_its_first_read),
    cmocka_unit_test(unwritten_values_that_decide_nothing_are_fine),
    cmocka_unit_test(tiles_are_looked_at_one_by_one),
};

HONE_TEST_MAIN(tests)
