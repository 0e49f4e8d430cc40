// Races on device memory, between blocks and within one; what orders blocks: fences that
// reach beyond a block, and accesses that acquire and release.
#include "emu_check.h"

// %t1: block; %x1: the thread's word of its block's 256 bytes of p; %x2: of block 0.
#define PLACES                                                                           \
    "mov.u32 %t1, %ctaid.x; mad.wide.u32 %x2, %t0, 4, %x0;\n"                            \
    "mad.wide.u32 %x1, %t1, 256, %x2;\n"

static void blocks_that_share_a_word_race(void **state)
{
    (void)state;
    check_silence_of(PLACES "st.global.u32 [%x1], %t1;", 4);
    check_finding_of(PLACES "st.global.u32 [%x2], %t1;", 4,
                     "data race on global memory: store of block (0,0,0) warp 0 (PTX "
                     "line 12) and store at block (1,0,0) thread (0,0,0) of k, PTX line "
                     "12");
    check_finding_of(PLACES "st.global.u32 [%x1], %t1;\nld.global.u32 %t2, [%x2];", 4,
                     "data race on global memory: store of block (0,0,0) warp 0 (PTX "
                     "line 12) and load at block (1,0,0) thread (0,0,0) of k, PTX line "
                     "13");
    check_finding_of(PLACES "ld.global.u32 %t2, [%x2+256];\nst.global.u32 [%x1], %t1;", 2,
                     "data race on global memory: load of block (0,0,0) warp 0 (PTX "
                     "line 12) and store at block (1,0,0) thread (0,0,0) of k, PTX line "
                     "13");
}

// Block 2 stores what block 0 has read, though block 1 read it last.
static void every_reading_block_counts(void **state)
{
    (void)state;
    check_finding_of(PLACES "setp.eq.u32 %p1, %t1, 2; setp.ne.u32 %p2, %t1, 2;\n"
                            "@%p2 ld.global.u32 %t2, [%x0];\n"
                            "setp.eq.and.u32 %p1, %t0, 0, %p1; @%p1 membar.gl;\n"
                            "@%p1 st.global.u32 [%x0], 1;",
                     3,
                     "data race on global memory: load of block (1,0,0) warp 1 (PTX "
                     "line 13) and store at block (2,0,0) thread (0,0,0) of k, PTX line "
                     "15");
}

static void equal_values_are_no_race(void **state)
{
    (void)state;
    check_silence_of(PLACES "st.global.u32 [%x2], 7;", 4);
}

static void threads_of_a_block_race_without_a_barrier(void **state)
{
    static const char body[] = PLACES "st.global.u32 [%x1], %t0;\n";
    static const char load[] = "xor.b32 %t3, %t0, 32; mad.wide.u32 %x3, %t1, 256, %x0;\n"
                               "mad.wide.u32 %x3, %t3, 4, %x3;\n"
                               "ld.global.u32 %t2, [%x3];";
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, "%sbar.sync 0;%s", body, load);
    check_silence_of(text, 2);
    snprintf(text, sizeof text, "%s%s", body, load);
    check_finding_of(text, 2,
                     "data race on global memory: load of warp 0 (PTX line 15) and, "
                     "without a barrier between them, store at block (0,0,0) thread "
                     "(32,0,0) of k, PTX line 12");
}

// All threads load a word; one loads it again and stores: it races with the others' load,
// not with its own.
static void a_load_ahead_of_the_storing_threads_own_is_named(void **state)
{
    static const char *const words[] = {"global", "[%x0]", "shared", "[%s1]"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        const char *space = words[k & 2], *word = words[(k & 2) + 1];
        const bool met = k & 1, barrier = k > 0; // in shared memory warps are named first
        char text[1024], reason[256];
        snprintf(text, sizeof text,
                 "\n\nst.%s.u32 %s, 5;\nbar.sync 0;\nld.%s.u32 %%t2, %s;\n%s\n"
                 "setp.eq.u32 %%p1, %%t0, 0;\n"
                 "@%%p1 ld.%s.u32 %%t3, %s;\n@%%p1 st.%s.u32 %s, %%t3;",
                 space, word, space, word, met ? "bar.warp.sync 0xffffffff;" : "", space,
                 word, space, word);
        snprintf(
            reason, sizeof reason,
            "data race on %s memory: load of warp %d (PTX line 14) and, without a %s "
            "between them, store at block (0,0,0) thread (0,0,0) of k, PTX line 18",
            space, barrier, barrier ? "barrier" : "__syncwarp");
        check_finding_of(text, 1, reason);
    }
}

static void atomics_do_not_race_with_each_other(void **state)
{
    (void)state;
    check_silence_of(PLACES "red.global.add.u32 [%x0], 1;", 4);
    check_silence_of(PLACES "st.volatile.global.u32 [%x0], %t1;\n"
                            "ld.volatile.global.u32 %t2, [%x0];",
                     4);
    check_finding_of(PLACES "red.global.add.u32 [%x0], 1;\nld.global.u32 %t2, [%x0];\n"
                            "st.global.u32 [%x2+256], %t2;",
                     1,
                     "data race on global memory: store of warp 0 (PTX line 12) and, "
                     "without a __syncwarp between them, load at block (0,0,0) thread "
                     "(0,0,0) of k, PTX line 13");
}

// All blocks leave partial results; the one that comes last reads them all. before: what
// the thread that counts does ahead of its atomic operation, after: behind it.
static void last_block_reads(char *text, size_t size, const char *before,
                             const char *atomic, const char *after)
{
    snprintf(text, size,
             "%s"
             "st.global.u32 [%%x1+256], %%t1;\nbar.sync 0;\n"
             "setp.ne.u32 %%p1, %%t0, 0; @%%p1 bra JOIN;\n%s\n"
             "%s.u32 %%t2, [%%x0], 1;\n%s\nst.shared.u32 [s], %%t2;\n"
             "JOIN: bar.sync 0; ld.shared.u32 %%t3, [s]; setp.ne.u32 %%p2, %%t3, 3;\n"
             "@%%p2 ret;\nld.global.u32 %%t4, [%%x2+256]; ld.global.u32 %%t4, "
             "[%%x2+512];",
             PLACES, before, atomic, after);
}

static void fences_order_blocks(void **state)
{
    static const char reason[] =
        "data race on global memory: store of block (0,0,0) warp 0 (PTX "
        "line 12) and load at block (3,0,0) thread (0,0,0) of k, PTX line "
        "21";
    char text[2048];
    (void)state;
    last_block_reads(text, sizeof text, "membar.gl;", "atom.global.add", "membar.gl;");
    check_silence_of(text, 4);
    last_block_reads(text, sizeof text, "fence.acq_rel.gpu;", "atom.relaxed.gpu.add",
                     "fence.acq_rel.gpu;");
    check_silence_of(text, 4);
    last_block_reads(text, sizeof text, "", "atom.acq_rel.gpu.global.add", "");
    check_silence_of(text, 4);
    last_block_reads(text, sizeof text, "", "atom.global.add", "membar.gl;");
    check_finding_of(text, 4, reason);
    last_block_reads(text, sizeof text, "membar.gl;", "atom.global.add", "");
    check_finding_of(text, 4, reason);
    last_block_reads(text, sizeof text, "membar.cta;", "atom.global.add", "membar.cta;");
    check_finding_of(text, 4, reason);
}

// The thread that fences knows of the others' stores by the barrier only.
static void a_fence_covers_what_its_thread_knows(void **state)
{
    (void)state;
    check_finding_of(PLACES "setp.ne.u32 %p3, %t1, 0; @%p3 bra LAST;\n"
                            "st.global.u32 [%x1], %t0; @!%p0 ret;\nmembar.gl;\n"
                            "red.global.add.u32 [%x0+2048], 1; ret;\nLAST: "
                            "atom.global.add.u32 %t5, [%x0+2048], 1; membar.gl;\n"
                            "ld.global.u32 %t4, [%x2];",
                     2,
                     "data race on global memory: store of block (0,0,0) warp 1 (PTX "
                     "line 13) and load at block (1,0,0) thread (32,0,0) of k, PTX line "
                     "17");
}

// What is strong among the threads of a block meets another block.
static void atomics_of_block_scope_do_not_reach_other_blocks(void **state)
{
    static const char *const fine[] = {
        "atom.gpu.global.add.u32 %t2, [%x0], 1;",
        "red.relaxed.sys.global.add.u32 [%x0], 1;",
        "atom.cta.global.add.u32 %t2, [%x1], 1;\nld.relaxed.cta.global.u32 %t2, [%x1];",
        "st.relaxed.gpu.global.u32 [%x0], %t1;\nld.acquire.gpu.global.u32 %t2, [%x0];"};
    char text[1024];
    (void)state;
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        snprintf(text, sizeof text, "%s%s", PLACES, fine[i]);
        check_silence_of(text, 4);
    }
    check_finding_of(PLACES "atom.cta.global.add.u32 %t2, [%x0], 1;", 4,
                     "atomic of block scope (.cta) meets atomic of block scope (.cta) of "
                     "block (0,0,0) warp 1 (PTX line 12) at block (1,0,0) thread (0,0,0) "
                     "of k, PTX line 12");
    check_finding_of(PLACES "setp.eq.u32 %p1, %t1, 0; setp.ne.u32 %p2, %t1, 0;\n"
                            "@%p1 red.global.add.u32 [%x0], 1;\n"
                            "@%p2 red.cta.global.add.u32 [%x0], 1;",
                     2,
                     "atomic of block scope (.cta) meets atomic of block (0,0,0) warp 1 "
                     "(PTX line 13) at block (1,0,0) thread (0,0,0) of k, PTX line 14");
    check_finding_of(PLACES "setp.eq.u32 %p1, %t1, 0; setp.ne.u32 %p2, %t1, 0;\n"
                            "@%p1 st.relaxed.cta.global.u32 [%x0], 1;\n"
                            "@%p2 ld.volatile.global.u32 %t2, [%x0];",
                     2,
                     "load meets store of block scope (.cta) of block (0,0,0) warp 1 "
                     "(PTX line 13) at block (1,0,0) thread (0,0,0) of k, PTX line 14");
}

// Blocks that are ordered otherwise may touch a cell by atomics of their own scope.
static void a_signal_of_block_scope_tells_other_blocks_nothing(void **state)
{
    static const char body[] =
        "mov.u32 %%t1, %%ctaid.x; setp.eq.u32 %%p1, %%t1, 0; @!%%p1 bra SECOND;\n"
        "atom.cta.global.add.u32 %%t2, [%%x0+1024], 1;\nmembar.gl;\n"
        "atom%s.global.add.u32 %%t2, [%%x0+2048], 1; ret;\nSECOND:\n"
        "atom.global.add.u32 %%t2, [%%x0+2048], 1; membar.gl;\n"
        "atom.cta.global.add.u32 %%t2, [%%x0+1024], 1;";
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, body, "");
    check_silence_of(text, 2);
    snprintf(text, sizeof text, body, ".cta");
    check_finding_of(text, 2,
                     "atomic meets atomic of block scope (.cta) of block (0,0,0) warp 1 "
                     "(PTX line 13) at block (1,0,0) thread (0,0,0) of k, PTX line 15");
}

// Whatever the order, and by the same thread too.
static void read_only_loads_are_of_what_nobody_stores(void **state)
{
    (void)state;
    check_silence_of(PLACES "ld.global.nc.u32 %t2, [%x0+2048];\n"
                            "st.global.u32 [%x1], %t2;",
                     4);
    check_finding_of(
        PLACES "ld.global.nc.u32 %t2, [%x1];\nst.global.u32 [%x1], %t2;", 2,
        "store of what the launch loads as read-only data: load (.nc) of "
        "warp 0 (PTX line 12) at block (0,0,0) thread (0,0,0) of k, PTX line "
        "13");
    check_finding_of(PLACES "st.global.u32 [%x1], %t1;\nbar.sync 0; membar.gl;\n"
                            "ld.global.nc.v2.u32 {%t2, %t3}, [%x0+8];",
                     2,
                     "read-only load (.nc) of what the launch stores: store of warp 0 "
                     "(PTX line 12) at block (0,0,0) thread (32,0,0) of k, PTX line 14");
    // a plain load after it, and an atomic operation of another block
    check_finding_of(
        PLACES "ld.global.nc.u32 %t2, [%x0];\nld.global.u32 %t3, [%x0];\n"
               "setp.eq.u32 %p1, %t1, 1; @%p1 atom.global.add.u32 %t4, "
               "[%x0], 1;",
        2,
        "store of what the launch loads as read-only data: load (.nc) of warp 0 (PTX "
        "line 12) at block (1,0,0) thread (0,0,0) of k, PTX line 14");
    check_finding_of(PLACES "st.global.u32 [%x1], %t1;\nldu.global.u32 %t2, [%x0];", 1,
                     "read-only load (.nc) of what the launch stores: store of warp 0 "
                     "(PTX line 12) at block (0,0,0) thread (0,0,0) of k, PTX line 13");
}

static void large_grids_are_watched_at_places(void **state)
{
    struct hone_fault fault;
    (void)state;
    // only blocks of the first half store, then of the last: the ends and the middle see
    for (int last = 0; last < 2; last++) {
        run_checked(last ? PLACES "setp.lt.u32 %p1, %t1, 500; @%p1 ret;\n"
                                  "st.global.u32 [%x0], %t1;"
                         : PLACES "setp.gt.u32 %p1, %t1, 500; @%p1 ret;\n"
                                  "st.global.u32 [%x0], %t1;",
                    1000, true, &fault);
        assert_int_equal(fault.outcome, HONE_WRONG_RESULT);
    }
}

// Thread 0 of one block stores a word that another one loads or stores; grids of a line
// and of a plane.
static void check_pair(const uint32_t grid[3], unsigned one, unsigned other, bool both)
{
    struct hone_fault fault;
    char text[1024], whom[64];
    const unsigned late = one > other ? one : other, early = one > other ? other : one;
    snprintf(
        text, sizeof text,
        "mov.u32 %%t1, %%ctaid.x; mov.u32 %%t2, %%ctaid.y; mad.lo.u32 %%t1, %%t2, %u, "
        "%%t1;\nadd.u32 %%t3, %%t1, 7; or.b32 %%t4, %%t0, %%t1;\n"
        "setp.eq.u32 %%p1, %%t1, %u; setp.eq.and.u32 %%p1, %%t0, 0, %%p1;\n"
        "setp.eq.u32 %%p2, %%t1, %u; setp.eq.and.u32 %%p2, %%t0, 0, %%p2;\n"
        "@%%p1 st.global.u32 [%%x0+64], %%t3;\n"
        "@%%p2 %s.global.u32 %s;\n@%%p2 st.global.u32 [%%x0+128], %%t3;",
        grid[0], one, other, both ? "st" : "ld",
        both ? "[%x0+64], %t3" : "%t3, [%x0+64]");
    run_checked_grid(text, grid, true, &fault);
    snprintf(whom, sizeof whom, "of block (%u,%u,0) warp 0", early % grid[0],
             early / grid[0]);
    if (fault.outcome != HONE_WRONG_RESULT || fault.finding != HONE_FINDING_RACE ||
        !strstr(fault.reason, whom))
        fail_msg("%u and %u of %u x %u: %s", one, other, grid[0], grid[1], fault.reason);
    snprintf(whom, sizeof whom, "block (%u,%u,0) thread (0,0,0)", late % grid[0],
             late / grid[0]);
    assert_non_null(strstr(fault.reason, whom));
}

static void two_far_blocks_of_a_large_grid_race(void **state)
{
    static const unsigned pairs[][2] = {{0, 511},   {511, 0},   {100, 101}, {37, 401},
                                        {401, 37},  {3, 11},    {77, 79},   {254, 383},
                                        {510, 509}, {130, 194}, {1, 500},   {17, 273}};
    static const uint32_t line[3] = {512, 1, 1}, plane[3] = {32, 16, 1};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        check_pair(line, pairs[i][0], pairs[i][1], true);
        check_pair(plane, pairs[i][0], pairs[i][1], true);
        check_pair(line, pairs[i][0], pairs[i][1], false);
        check_pair(plane, pairs[i][0], pairs[i][1], false);
    }
}

// Blocks that meet in order: counters, the last one to come sums up, a chain of blocks that
// wait for the one before, equal values.
static void far_blocks_in_order_do_not_race(void **state)
{
    char text[2048];
    (void)state;
    check_silence_of(PLACES "red.global.add.u32 [%x0], 1;", 512);
    check_silence_of(PLACES "st.global.u32 [%x0], 7;", 512);
    check_silence_of(PLACES "st.volatile.global.u32 [%x0], %t1;\n"
                            "ld.volatile.global.u32 %t2, [%x0];",
                     512);
    // each adds to a sum when its turn comes, as split-K does by a semaphore
    check_silence_of("mov.u32 %t1, %ctaid.x; setp.ne.u32 %p1, %t0, 0; @%p1 ret;\n"
                     "WAIT: ld.acquire.gpu.global.u32 %t2, [%x0];\n"
                     "setp.ne.u32 %p2, %t2, %t1; @%p2 bra WAIT;\n"
                     "ld.global.u32 %t3, [%x0+8]; add.u32 %t3, %t3, %t1;\n"
                     "st.global.u32 [%x0+8], %t3; add.u32 %t2, %t2, 1;\n"
                     "st.release.gpu.global.u32 [%x0], %t2;",
                     40);
    // a barrier of the grid, then the word of another block
    check_silence_of("mov.u32 %t1, %ctaid.x; mad.wide.u32 %x1, %t1, 4, %x0;\n"
                     "setp.ne.u32 %p1, %t0, 0; @%p1 ret;\nst.global.u32 [%x1+64], %t1;\n"
                     "membar.gl; red.global.add.u32 [%x0], 1;\n"
                     "WAIT: ld.volatile.global.u32 %t2, [%x0];\n"
                     "setp.lt.u32 %p2, %t2, 40; @%p2 bra WAIT; membar.gl;\n"
                     "sub.u32 %t3, 39, %t1; mad.wide.u32 %x2, %t3, 4, %x0;\n"
                     "ld.global.u32 %t4, [%x2+64]; st.global.u32 [%x1+512], %t4;",
                     40);
    // every block leaves a word, the last one reads them all
    snprintf(text, sizeof text, "%s",
             "mov.u32 %t1, %ctaid.x; mad.wide.u32 %x1, %t1, 4, %x0; mov.u32 %t9, 0;\n"
             "setp.ne.u32 %p1, %t0, 0; @%p1 ret;\nst.global.u32 [%x1+1024], %t1;\n"
             "membar.gl; atom.global.add.u32 %t2, [%x0], 1; membar.gl;\n"
             "setp.ne.u32 %p2, %t2, 511; @%p2 ret;\nmov.u64 %x2, %x0; mov.u32 %t3, 0;\n"
             "SUM: ld.global.u32 %t4, [%x2+1024]; add.u32 %t9, %t9, %t4;\n"
             "add.u64 %x2, %x2, 4; add.u32 %t3, %t3, 1; setp.lt.u32 %p3, %t3, 512;\n"
             "@%p3 bra SUM;\nst.global.u32 [%x0+4], %t9;");
    check_silence_of(text, 512);
    // without its fences it races
    for (char *fence; (fence = strstr(text, "membar.gl;"));)
        memset(fence, ' ', 10);
    check_finding_kind(text, 512, HONE_FINDING_RACE);
}

static void scopes_and_read_only_data_count_in_far_blocks(void **state)
{
    static const char of[] = "mov.u32 %%t1, %%ctaid.x; setp.eq.u32 %%p1, %%t1, 37;\n"
                             "setp.eq.u32 %%p2, %%t1, 401;\n@%%p1 %s;\n@%%p2 %s;\n"
                             "@%%p2 st.global.u32 [%%x0+128], %%t2;";
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, of, "red.cta.global.add.u32 [%x0], 1",
             "atom.cta.global.add.u32 %t2, [%x0], 1");
    check_finding_kind(text, 512, HONE_FINDING_SCOPE);
    snprintf(text, sizeof text, of, "st.global.u32 [%x0], 9",
             "ld.global.nc.u32 %t2, [%x0]");
    check_finding_kind(text, 512, HONE_FINDING_READ_ONLY_DATA);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_that_share_a_word_race),
    cmocka_unit_test(every_reading_block_counts),
    cmocka_unit_test(equal_values_are_no_race),
    cmocka_unit_test(threads_of_a_block_race_without_a_barrier),
    cmocka_unit_test(a_load_ahead_of_the_storing_threads_own_is_named),
    cmocka_unit_test(atomics_do_not_race_with_each_other),
    cmocka_unit_test(fences_order_blocks),
    cmocka_unit_test(a_fence_covers_what_its_thread_knows),
    cmocka_unit_test(atomics_of_block_scope_do_not_reach_other_blocks),
    cmocka_unit_test(a_signal_of_block_scope_tells_other_blocks_nothing),
    cmocka_unit_test(read_only_loads_are_of_what_nobody_stores),
    cmocka_unit_test(large_grids_are_watched_at_places),
    cmocka_unit_test(two_far_blocks_of_a_large_grid_race),
    cmocka_unit_test(far_blocks_in_order_do_not_race),
    cmocka_unit_test(scopes_and_read_only_data_count_in_far_blocks),
};

HONE_TEST_MAIN(tests)
