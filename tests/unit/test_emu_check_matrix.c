// What a checked launch makes of matrix loads, stores and products, and of asynchronous
// copies: which lanes touch which bytes, and what they know of them.
#include "emu_check.h"

// %s2: the thread's 16 bytes of s; %s3: those of the thread 32 further, round and round.
#define ROWS                                                                             \
    "shl.b32 %s2, %t0, 4; add.u32 %s2, %s2, %s1; xor.b32 %t1, %t0, 32;\n"                \
    "shl.b32 %s3, %t1, 4; add.u32 %s3, %s3, %s1;\n"
#define FILL "st.shared.v4.u32 [%s2], {%t0, %t0, %t0, %t0};\n"
#define LOAD "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%t4, %t5, %t6, %t7}, "

static void matrices_of_other_threads_need_an_order(void **state)
{
    (void)state;
    check_silence(ROWS FILL "bar.sync 0;" LOAD "[%s3];");
    check_silence(ROWS FILL "bar.warp.sync -1;" LOAD "[%s2];");
    check_finding(ROWS FILL LOAD "[%s2];",
                  "data race on shared memory: store of warp 0 (PTX line 12) and, "
                  "without a __syncwarp between them, load at block (0,0,0) thread "
                  "(1,0,0) of k, PTX line 13");
    check_finding(ROWS FILL "bar.warp.sync -1;\n" LOAD "[%s3];",
                  "data race on shared memory: load of warp 0 (PTX line 14) and, "
                  "without a barrier between them, store at block (0,0,0) thread "
                  "(32,0,0) of k, PTX line 12");
    check_finding(ROWS FILL "bar.sync 0;\n" LOAD "[%s3];\n" FILL,
                  "data race on shared memory: store of warp 1 (PTX line 15) and, "
                  "without a barrier between them, load at block (0,0,0) thread "
                  "(0,0,0) of k, PTX line 14");
}

// Only lanes 0 to 7 of .x1, 0 to 15 of .x2 have addresses that count.
static void addresses_of_other_lanes_do_not_count(void **state)
{
    static const char before[] = ROWS FILL
        "bar.sync 0; and.b32 %t2, %t0, 31; mov.u32 %s4, 3; setp.lt.u32 %p1, %t2, ";
    static const char load[] = ";\n@%p1 mov.u32 %s4, %s2;\nldmatrix.sync.aligned.m8n8.";
    static const struct {
        const char *lanes, *matrices;
        bool fine;
    } cases[] = {{"8", "x1.shared.b16 {%t4}, [%s4];", true},
                 {"7", "x1.shared.b16 {%t4}, [%s4];", false},
                 {"16", "x2.shared.b16 {%t4, %t5}, [%s4];", true},
                 {"15", "x2.shared.b16 {%t4, %t5}, [%s4];", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct hone_fault fault;
        snprintf(text, sizeof text, "%s%s%s%s", before, cases[i].lanes, load,
                 cases[i].matrices);
        run_checked(text, 1, true, &fault);
        assert_int_equal(fault.outcome, cases[i].fine ? HONE_VALID : HONE_CRASHED);
    }
}

// Lanes whose l mod 4 is below two are all that store what they loaded.
#define LEFT_LANES                                                                       \
    "and.b32 %t2, %t0, 2; setp.eq.u32 %p1, %t2, 0; mad.wide.u32 %x1, %t0, 4, %x0;\n"
#define KEEP     "@%p1 st.global.u32 [%x1], %t4;"
#define KEEP_ALL "st.global.u32 [%x1], %t4;"

static void a_lane_knows_the_elements_that_it_got(void **state)
{
    // of each row the first 8 bytes; of each matrix the first 4 rows, transposed
    static const char left[] = ROWS LEFT_LANES
        "st.shared.v2.u32 [%s2], {%t0, %t0}; bar.sync 0;\n" LOAD "[%s2];\n";
    static const char upper[] = ROWS LEFT_LANES
        "and.b32 %t2, %t0, 4; setp.eq.u32 %p2, %t2, 0;\n@%p2 " FILL "bar.sync 0;\n"
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%t4, %t5, %t6, %t7}, [%s2];\n";
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, "%s%s", left, KEEP);
    check_silence(text);
    snprintf(text, sizeof text, "%s%s", left, KEEP_ALL);
    check_finding(text,
                  "a value that was never written is stored to global memory (first "
                  "read at PTX line 14) at block (0,0,0) thread (34,0,0) of k, PTX "
                  "line 15");
    snprintf(text, sizeof text, "%s%s", upper, KEEP);
    check_silence(text);
    snprintf(text, sizeof text, "%s%s", upper, KEEP_ALL);
    check_finding(text,
                  "a value that was never written is stored to global memory (first "
                  "read at PTX line 16) at block (0,0,0) thread (34,0,0) of k, PTX "
                  "line 17");
}

#define STORE "stmatrix.sync.aligned.m8n8.x4.shared.b16 "

static void stored_matrices_take_part_in_races(void **state)
{
    (void)state;
    check_silence(ROWS STORE "[%s2], {%t0, %t0, %t0, %t0}; bar.warp.sync -1;\n"
                             "ld.shared.v4.u32 {%t4, %t5, %t6, %t7}, [%s2];");
    check_silence(ROWS "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                       "[%s2], {%t0, %t0, %t0, %t0};");
    check_finding(ROWS "and.b32 %t2, %t0, 31; shl.b32 %s2, %t2, 4;\n"
                       "add.u32 %s2, %s2, %s1;\n" STORE "[%s2], {%t0, %t0, %t0, %t0};",
                  "data race on shared memory: store of warp 0 (PTX line 14) and, "
                  "without a barrier between them, store at block (0,0,0) thread "
                  "(32,0,0) of k, PTX line 14");
    check_finding(ROWS STORE "[%s2], {%t0, %t0, %t0, %t0};\n"
                             "ld.shared.v4.u32 {%t4, %t5, %t6, %t7}, [%s2];",
                  "data race on shared memory: store of warp 0 (PTX line 12) and, "
                  "without a __syncwarp between them, load at block (0,0,0) thread "
                  "(0,0,0) of k, PTX line 13");
}

// %t9 is known in the lanes whose l mod 4 is below two: elements 0 to 3 of each row.
static void a_stored_matrix_is_known_where_its_elements_are(void **state)
{
    static const char body[] = ROWS LEFT_LANES
        "@%p1 mov.u32 %t9, 1;\n" STORE "[%s2], {%t9, %t9, %t9, %t9}; bar.sync 0;\n";
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, "%s%s", body, "ld.shared.u32 %t4, [%s2+4]; " KEEP_ALL);
    check_silence(text);
    snprintf(text, sizeof text, "%s%s", body, "ld.shared.u32 %t4, [%s2+8]; " KEEP_ALL);
    check_finding(text,
                  "a value that was never written is stored to global memory (first "
                  "read at PTX line 14) at block (0,0,0) thread (32,0,0) of k, PTX "
                  "line 15");
}

#define PRODUCT "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
#define ZEROS                                                                            \
    "mov.u32 %t4, 0; mov.u32 %t5, 0; mov.u32 %t6, 0; mov.u32 %t7, 0; mov.u32 %t8, 0;\n"  \
    "mov.u32 %t9, 0; mad.wide.u32 %x1, %t0, 4, %x0; and.b32 %t1, %t0, 31;\n"

// Rows of A reach their rows of the product, columns of B their columns.
static void an_unwritten_element_reaches_its_row_or_column(void **state)
{
    static const char product[] =
        PRODUCT "{%t20, %t21, %t22, %t23}, {%t4, %t5, %t6, %t7}, {%t8, %t9}, "
                "{%t9, %t9, %t9, %t9};\n";
    char text[2048];
    (void)state;
    // row 8: register 1 of lanes 0 to 3 is not known, so register 2 of those is not
    snprintf(text, sizeof text, "%s%s%s%s", ZEROS,
             "setp.gt.u32 %p1, %t1, 3; mov.u32 %t5, %t19; @%p1 mov.u32 %t5, 0;\n",
             product, "st.global.u32 [%x1], %t20; @%p1 st.global.u32 [%x1+2048], %t22;");
    check_silence(text);
    snprintf(text, sizeof text, "%s%s%s%s", ZEROS,
             "setp.ne.u32 %p1, %t1, 3; mov.u32 %t5, %t19; @%p1 mov.u32 %t5, 0;\n",
             product, "st.global.u32 [%x1+2048], %t22;");
    check_finding(text,
                  "a value that was never written is stored to global memory (first "
                  "read at PTX line 12) at block (0,0,0) thread (0,0,0) of k, PTX "
                  "line 14");
    // column 2: lanes 8 to 11 of B; the lanes whose l mod 4 is 1 have it in the product
    snprintf(text, sizeof text, "%s%s%s%s", ZEROS,
             "setp.ne.u32 %p1, %t1, 9; mov.u32 %t8, %t19; @%p1 mov.u32 %t8, 0;\n",
             product, "st.global.u32 [%x1], %t20;");
    check_finding(text,
                  "a value that was never written is stored to global memory (first "
                  "read at PTX line 12) at block (0,0,0) thread (1,0,0) of k, PTX "
                  "line 14");
}

#define COPY "cp.async.cg.shared.global [%s2], [%x0], 16;\n"
#define TAKE "ld.shared.v4.u32 {%t4, %t5, %t6, %t7}, "

static void a_copy_is_there_after_its_wait_and_a_barrier(void **state)
{
    (void)state;
    check_silence(ROWS COPY "cp.async.wait_all;\n" TAKE "[%s2];");
    check_silence(ROWS COPY "cp.async.wait_all; bar.sync 0;\n" TAKE "[%s3];");
    check_silence(ROWS COPY "cp.async.wait_all; bar.sync 0;\n" LOAD "[%s3];");
    check_finding(ROWS COPY "cp.async.wait_all;\n" TAKE "[%s3];",
                  "data race on shared memory: load of warp 0 (PTX line 14) and, "
                  "without a barrier between them, copy at block (0,0,0) thread "
                  "(32,0,0) of k, PTX line 12");
}

static void a_missing_wait_is_found(void **state)
{
    (void)state;
    check_finding(ROWS COPY "bar.sync 0;\n" TAKE "[%s2];",
                  "missing wait of an asynchronous copy (PTX line 12): load of its place "
                  "at block (0,0,0) thread (32,0,0) of k, PTX line 14");
    check_finding(ROWS COPY "bar.sync 0;\n" LOAD "[%s2];",
                  "missing wait of an asynchronous copy (PTX line 12): load of its place "
                  "at block (0,0,0) thread (32,0,0) of k, PTX line 14");
    check_finding(ROWS COPY FILL,
                  "missing wait of an asynchronous copy (PTX line 12): store of its "
                  "place at block (0,0,0) thread (0,0,0) of k, PTX line 13");
}

// Who has waited for its own copies needs a barrier before it takes another thread's.
static void a_missing_barrier_after_a_wait_is_told_from_a_missing_wait(void **state)
{
    (void)state;
    check_finding(ROWS COPY "bar.sync 0;\ncp.async.wait_all;\n" TAKE "[%s3];",
                  "missing barrier after the wait of an asynchronous copy (PTX line 12): "
                  "load of its place at block (0,0,0) thread (32,0,0) of k, PTX line 15");
    // the other one has waited too
    check_finding(ROWS COPY "bar.sync 0;\ncp.async.wait_all; @!%p0 ret;\n" TAKE "[%s3];",
                  "missing barrier after the wait of an asynchronous copy (PTX line 12): "
                  "load of its place at block (0,0,0) thread (0,0,0) of k, PTX line 15");
    check_finding(ROWS COPY "cp.async.wait_all;\nxor.b32 %s3, %s2, 16;\n" TAKE "[%s3];",
                  "missing __syncwarp after the wait of an asynchronous copy (PTX line "
                  "12): load of its place at block (0,0,0) thread (0,0,0) of k, PTX line "
                  "15");
    check_silence(ROWS COPY "bar.sync 0; cp.async.wait_all; bar.sync 0;\n" TAKE "[%s3];");
    check_silence(ROWS COPY "cp.async.wait_all; bar.warp.sync -1;\n"
                            "xor.b32 %s3, %s2, 16;\n" TAKE "[%s3];");
    // its own is there, but nobody waited for the other one's
    check_finding(ROWS COPY "@!%p0 cp.async.wait_all;\nbar.sync 0;\n" TAKE "[%s3];",
                  "missing wait of an asynchronous copy (PTX line 12): load of its place "
                  "at block (0,0,0) thread (32,0,0) of k, PTX line 15");
}

static void only_the_groups_waited_for_are_there(void **state)
{
    static const char body[] = ROWS COPY
        "cp.async.commit_group;\ncp.async.ca.shared.global [%s2+2048], [%x0], 16;\n"
        "cp.async.commit_group; cp.async.wait_group 1;\n" TAKE;
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, "%s[%%s2];", body);
    check_silence(text);
    snprintf(text, sizeof text, "%s[%%s2+2048];", body);
    check_finding(text, "missing wait of an asynchronous copy (PTX line 14): load of its "
                        "place at block (0,0,0) thread (0,0,0) of k, PTX line 16");
}

static void a_copy_over_what_others_read_is_a_race(void **state)
{
    (void)state;
    check_silence(ROWS FILL "bar.sync 0;\n" TAKE "[%s3]; bar.sync 0;\n" COPY);
    check_finding(ROWS FILL "bar.sync 0;\n" TAKE "[%s3];\n" COPY,
                  "data race on shared memory: copy of warp 1 (PTX line 15) and, "
                  "without a barrier between them, load at block (0,0,0) thread "
                  "(0,0,0) of k, PTX line 14");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(matrices_of_other_threads_need_an_order),
    cmocka_unit_test(addresses_of_other_lanes_do_not_count),
    cmocka_unit_test(a_lane_knows_the_elements_that_it_got),
    cmocka_unit_test(stored_matrices_take_part_in_races),
    cmocka_unit_test(a_stored_matrix_is_known_where_its_elements_are),
    cmocka_unit_test(an_unwritten_element_reaches_its_row_or_column),
    cmocka_unit_test(a_copy_is_there_after_its_wait_and_a_barrier),
    cmocka_unit_test(a_missing_wait_is_found),
    cmocka_unit_test(a_missing_barrier_after_a_wait_is_told_from_a_missing_wait),
    cmocka_unit_test(only_the_groups_waited_for_are_there),
    cmocka_unit_test(a_copy_over_what_others_read_is_a_race),
};

HONE_TEST_MAIN(tests)
