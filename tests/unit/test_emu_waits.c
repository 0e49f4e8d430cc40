// Waits that cannot end are reported with what every warp waits for, kernels that do not
// end with their hottest loop; blocks may wait for one another while there is room.
#include "emu_kernel.h"

// %t0 is the thread, %t1 the block, %x0 the buffer; the body's first line is line 8.
static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p) %s {\n"
    ".reg .b32 %%t<16>; .reg .b64 %%x<8>; .reg .pred %%p<4>;\n"
    "ld.param.u64 %%x0, [p]; mov.u32 %%t0, %%tid.x;\n"
    "mov.u32 %%t1, %%ctaid.x; mov.u32 %%t2, %%nctaid.x; setp.eq.u32 %%p0, %%t0, 0;\n"
    "%s\nret;\n}\n";

enum { WORDS = 1 << 14 };

struct run {
    const char *device;
    uint32_t grid, block;
    double deadline_s;
    bool check;
    const char *bounds; // of the kernel; then ptxas tells no registers
};

static struct hone_fault run_body(const char *body, const struct run *run,
                                  uint32_t *words)
{
    struct emu emu = {0};
    char text[4096];
    assert_ok(
        hone_device_open(&emu.dev, run->device ? run->device : "emu:h200", &emu.err),
        emu.err);
    snprintf(text, sizeof text, frame, run->bounds ? run->bounds : "", body);
    if (!emu_load_as(&emu, text, "k", run->bounds ? -1 : 64))
        fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, WORDS * sizeof *words);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, run->grid, run->block);
    launch.deadline_s = run->deadline_s;
    launch.check = run->check;
    emu_run(&emu, &launch);
    if (words) emu_fetch(&emu, words, p, WORDS * sizeof *words);
    emu_close(&emu);
    return emu.fault;
}

static void check_crash(const char *body, uint32_t threads, const char *reason)
{
    const struct run run = {.grid = 1, .block = threads};
    struct hone_fault fault = run_body(body, &run, NULL);
    assert_string_equal(fault.reason, reason);
    assert_int_equal(fault.outcome, HONE_CRASHED);
}

static void a_deadlock_tells_what_every_warp_waits_for(void **state)
{
    (void)state;
    check_crash("bar.sync 1, 64;", 32,
                "deadlock: warp 0: at barrier 1 with 32 of 64 threads (PTX line 8) at "
                "block (0,0,0) thread (0,0,0) of k, PTX line 8");
    check_crash("setp.lt.u32 %p1, %t0, 96; setp.gt.u32 %p2, %t0, 127;\n"
                "@%p2 bra OTHER; @!%p1 ret;\nbar.sync 1, 128; ret;\n"
                "OTHER: bar.sync 2, 64;",
                160,
                "deadlock: warps 0-2: at barrier 1 with 96 of 128 threads (PTX line 10); "
                "warp 3: exited; warp 4: at barrier 2 with 32 of 64 threads (PTX line "
                "11) at block (0,0,0) thread (0,0,0) of k, PTX line 10");
    check_crash("setp.lt.u32 %p1, %t0, 16; @%p1 bra A;\nbar.warp.sync -1; ret;\n"
                "A: bar.warp.sync -1;",
                32,
                "deadlock: warp 0: lanes 0xffff0000 for others of the warp (PTX line 9) "
                "and lanes 0x0000ffff for others of the warp (PTX line 10) at block "
                "(0,0,0) thread (16,0,0) of k, PTX line 9");
}

// Lanes that wait at 32 places, and warps at as many: what does not fit is counted, and
// the place of the first is there.
static void a_deadlock_of_many_lanes_says_how_many_more_there_are(void **state)
{
    char body[8192] = "";
    const struct run run = {.grid = 1, .block = 32};
    (void)state;
    for (int lane = 0; lane < 31; lane++)
        snprintf(body + strlen(body), sizeof body - strlen(body),
                 "setp.eq.u32 %%p1, %%t0, %d; @%%p1 bra L%d;\n", lane, lane);
    strcat(body, "bar.warp.sync -1; ret;\n");
    for (int lane = 0; lane < 31; lane++)
        snprintf(body + strlen(body), sizeof body - strlen(body),
                 "L%d: bar.warp.sync -1; ret;\n", lane);
    struct hone_fault fault = run_body(body, &run, NULL);
    if (!strstr(fault.reason, " lanes more at block (0,0,0) thread ("))
        fail_msg("%s", fault.reason);
    body[0] = '\0';
    for (int warp = 0; warp < 8; warp++)
        snprintf(body + strlen(body), sizeof body - strlen(body),
                 "setp.eq.u32 %%p1, %%t0, %d; @%%p1 bra L%d;\n", 32 * warp, warp);
    strcat(body, "ret;\n");
    for (int warp = 0; warp < 8; warp++)
        snprintf(body + strlen(body), sizeof body - strlen(body),
                 "L%d: barrier.sync %d, 128; ret;\n", warp, warp + 1);
    const struct run many = {.grid = 1, .block = 256};
    fault = run_body(body, &many, NULL);
    if (!strstr(fault.reason, " warps more at block (0,0,0) thread (0,0,0) of k, PTX"))
        fail_msg("%s", fault.reason);
}

// As those of barriers that a library's function waits at, in a kernel of many letters.
static void long_places_leave_room_for_what_is_waited_for(void **state)
{
    static const char name[] = "a_kernel_with_a_name_of_more_than_forty_letters";
    char text[4096], place[512];
    struct emu emu;
    struct emu_args args = {0};
    (void)state;
    emu_open(&emu);
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry %s() {\n"
             ".reg .b32 %%t<2>; .reg .pred %%p<2>;\n.loc 1 1000000007 1\n"
             ".loc 1 1000000009 1, function_name $L, inlined_at 1 1000000007 1\n"
             "mov.u32 %%t0, %%tid.x; setp.lt.u32 %%p1, %%t0, 32; @%%p1 bra A;\n"
             "bar.sync 2, 128; ret;\nA: bar.sync 1, 128; ret;\n}\n"
             ".file 1 \"a_file_of_a_name_that_has_very_many_letters_too.cuh\"\n"
             ".section .debug_str {\n$L:\n.b8 102\n.b8 0\n}\n",
             name);
    if (!emu_load(&emu, text, name)) fail_msg("%s", emu.fault.reason);
    const struct hone_launch launch = emu_geometry(&args, 1, 96);
    emu_run(&emu, &launch);
    snprintf(place, sizeof place, " of %.40s..., ", name);
    if (!strstr(emu.fault.reason, place)) fail_msg("%s", emu.fault.reason);
    if (!strstr(emu.fault.reason, "deadlock: warp 0: at barrier 1 with 32 of 128 threads "
                                  "(..._name_that_has_very_many_letters_too.cuh:"))
        fail_msg("%s", emu.fault.reason);
    if (!strstr(emu.fault.reason, "); and 2 warps more at block (0,0,0) thread (0,0,0)"))
        fail_msg("%s", emu.fault.reason);
    emu_close(&emu);
}

static void lanes_at_different_barriers_are_divergence(void **state)
{
    (void)state;
    check_crash("setp.lt.u32 %p1, %t0, 8; @%p1 bra A;\nbar.sync 0; ret;\n"
                "A: bar.sync 0;",
                64,
                "barrier divergence: warp 0: lanes 0xffffff00 for others of the warp "
                "(PTX line 9) and lanes 0x000000ff for others of the warp (PTX line 10); "
                "warp 1: at barrier 0 with 32 of 64 threads (PTX line 9) at block "
                "(0,0,0) thread (8,0,0) of k, PTX line 9");
}

static void lanes_that_meet_at_a_barrier_or_have_exited_are_fine(void **state)
{
    // the second half of the warp comes from behind the barrier
    static const char *const bodies[] = {
        "setp.gt.u32 %p1, %t0, 15; @%p1 bra LATE;\nWAIT: bar.sync 0; ret;\n"
        "LATE: add.u32 %t3, %t0, 1; bra WAIT;",
        "setp.gt.u32 %p1, %t0, 15; @%p1 ret;\nbar.sync 0;",
        "setp.gt.u32 %p1, %t0, 15; @%p1 bra B;\nbarrier.sync 0; ret;\nB: barrier.sync 0;",
    };
    const struct run run = {.grid = 1, .block = 64};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct hone_fault fault = run_body(bodies[i], &run, NULL);
        assert_string_equal(fault.reason, "");
    }
}

static void an_endless_kernel_names_its_hottest_loop(void **state)
{
    const struct run run = {.grid = 1, .block = 32, .deadline_s = 0.05};
    (void)state;
    struct hone_fault fault =
        run_body("mov.u32 %t3, 0; mov.u32 %t4, 0;\nOUTER: mov.u32 %t3, 0;\n"
                 "INNER: add.u32 %t3, %t3, 1; setp.lt.u32 %p1, %t3, 1000000;\n"
                 "@%p1 bra INNER;\nadd.u32 %t4, %t4, 1; bra OUTER;",
                 &run, NULL);
    assert_int_equal(fault.outcome, HONE_TIMED_OUT);
    assert_memory_equal(fault.reason, "still running after ", 20);
    if (!strstr(fault.reason, " of k, PTX line 10")) fail_msg("%s", fault.reason);
}

// A launch that does not end says what is known of its loop.
static void a_loop_that_waits_for_nobody_is_not_said_to_wait(void **state)
{
#define ALONE ", in a loop that reads no memory at "
    static const struct {
        const char *body, *words;
    } cases[] = {
        {"mov.u32 %t3, 1;\nL: mul.lo.u32 %t3, %t3, 3; bra L;", ALONE},
        {"mov.u32 %t3, 1;\nL: add.u32 %t3, %t3, 2; setp.ne.u32 %p1, %t3, 0; @%p1 bra L;",
         ALONE},
        {"mov.u32 %t3, 0;\nL: add.u32 %t4, %t3, 1; st.global.u32 [%x0], %t4; bra L;",
         ALONE},
        {"L: bar.sync 0; bra L;", ALONE},
        {"L: ld.global.u32 %t3, [%x0]; bra L;", " warp instructions at "},
        {".shared .b32 s; st.shared.u32 [s], 0; bar.sync 0;\n"
         "L: ld.volatile.shared.u32 %t3, [s]; setp.eq.u32 %p1, %t3, 0; @%p1 bra L;",
         " warp instructions at "},
        {"L: ld.volatile.global.u32 %t3, [%x0+8]; setp.ne.u32 %p1, %t3, 99; @%p1 bra L;",
         " blocks wait for others at "},
        {"L: atom.global.add.u32 %t3, [%x0+8], 0; mov.u32 %t4, 0;\n"
         "DELAY: add.u32 %t4, %t4, 1; setp.lt.u32 %p1, %t4, 3000; @%p1 bra DELAY;\n"
         "setp.ne.u32 %p1, %t3, 99; @%p1 bra L;",
         " blocks wait for others at "},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct run run = {.grid = 8, .block = 64, .deadline_s = 0.3};
        struct hone_fault fault = run_body(cases[k].body, &run, NULL);
        assert_int_equal(fault.outcome, HONE_TIMED_OUT);
        if (!strstr(fault.reason, cases[k].words))
            fail_msg("%s\n%s", fault.reason, cases[k].body);
    }
}

// Every block adds its number to word 0 in the order of the blocks, from the last to the
// first: a split-K semaphore against the order in which blocks begin.
static const char semaphore[] =
    "@!%p0 bra DONE; sub.u32 %t3, %t2, %t1; sub.u32 %t3, %t3, 1;\n"
    "WAIT: ld.acquire.gpu.global.u32 %t4, [%x0+4]; setp.ne.u32 %p1, %t4, %t3;\n"
    "@%p1 bra WAIT;\n"
    "ld.global.u32 %t5, [%x0]; mul.lo.u32 %t5, %t5, 3; add.u32 %t5, %t5, %t1;\n"
    "st.global.u32 [%x0], %t5; red.release.gpu.global.add.u32 [%x0+4], 1;\nDONE:";

// All blocks leave a word, meet, and read that of the next one.
static const char grid_barrier[] =
    "mad.wide.u32 %x1, %t1, 4, %x0; @%p0 st.global.u32 [%x1+64], %t1; bar.sync 0;\n"
    "@!%p0 bra JOIN; membar.gl; red.global.add.u32 [%x0], 1;\n"
    "WAIT: ld.volatile.global.u32 %t3, [%x0]; setp.lt.u32 %p1, %t3, %t2;\n"
    "@%p1 bra WAIT; membar.gl;\nJOIN: bar.sync 0; add.u32 %t4, %t1, 1;\n"
    "rem.u32 %t4, %t4, %t2; mad.wide.u32 %x2, %t4, 4, %x0;\n"
    "ld.global.u32 %t5, [%x2+64]; @%p0 st.global.u32 [%x1+32832], %t5;";

static void blocks_may_wait_for_later_ones(void **state)
{
    static uint32_t words[WORDS];
    (void)state;
    for (int check = 0; check < 2; check++) {
        struct run run = {.grid = 12, .block = 64, .check = check};
        struct hone_fault fault = run_body(semaphore, &run, words);
        assert_string_equal(fault.reason, "");
        uint32_t expected = 0;
        for (uint32_t b = run.grid; b-- > 0;)
            expected = expected * 3 + b;
        assert_int_equal(words[0], expected);
        fault = run_body(grid_barrier, &run, words);
        assert_string_equal(fault.reason, "");
        for (uint32_t b = 0; b < run.grid; b++)
            assert_int_equal(words[8208 + b], (b + 1) % run.grid);
    }
}

// A kernel that never ends, until all of the GPU's 58 blocks at a time have begun: how
// long that takes is the machine's affair.
static struct hone_fault check_58_blocks_wait(struct run run)
{
    struct hone_fault fault = {0};
    for (run.deadline_s = 1; run.deadline_s < 100; run.deadline_s *= 3) {
        fault = run_body(grid_barrier, &run, NULL);
        assert_int_equal(fault.outcome, HONE_TIMED_OUT);
        if (strstr(fault.reason, ", 58 blocks wait for others at block")) return fault;
    }
    fail_msg("%u blocks %s: %s", run.grid, run.bounds ? run.bounds : "", fault.reason);
    return fault;
}

// 58 multiprocessors of 1 block each, by its threads: one block more cannot begin.
static void no_more_blocks_wait_than_the_gpu_has_room_for(void **state)
{
    struct run run = {.device = "emu:l4", .grid = 58, .block = 1024, .deadline_s = 60};
    (void)state;
    struct hone_fault fault = run_body(grid_barrier, &run, NULL);
    assert_string_equal(fault.reason, "");
    run.grid = 59;
    fault = check_58_blocks_wait(run);
    if (!strstr(fault.reason, "PTX line 10")) fail_msg("%s", fault.reason);
}

// 58 multiprocessors of 65,536 registers and 1536 threads: what a kernel says of its
// registers decides how many blocks of 512 threads have room.
static void bounds_of_a_kernel_limit_blocks_that_wait(void **state)
{
    static const struct {
        const char *bounds;
        uint32_t grid;
        bool fits;
    } rows[] = {{".maxnreg 128", 58, true},
                {".maxnreg 128", 59, false},
                {".maxntid 512 .maxnreg 64", 116, true},
                {".maxntid 512, 1, 1\n.minnctapersm 1", 59, false},
                {".reqntid 512 .minnctapersm 2", 116, true},
                {".minnctapersm 1", 174, true}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct run run = {.device = "emu:l4",
                                .grid = rows[i].grid,
                                .block = 512,
                                .deadline_s = 60,
                                .bounds = rows[i].bounds};
        if (!rows[i].fits) {
            check_58_blocks_wait(run);
            continue;
        }
        const struct hone_fault fault = run_body(grid_barrier, &run, NULL);
        if (fault.reason[0]) fail_msg("%s: %s", run.bounds, fault.reason);
    }
}

static void more_registers_than_a_block_has_are_refused(void **state)
{
    const struct run run = {.grid = 1, .block = 1024, .bounds = ".maxnreg 65"};
    const struct run small = {.grid = 1, .block = 896, .bounds = ".maxnreg 65"};
    (void)state;
    struct hone_fault fault = run_body("", &run, NULL);
    assert_string_equal(fault.reason, "1024 threads of 65 registers, a block has 65536");
    assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
    fault = run_body("", &small, NULL);
    assert_string_equal(fault.reason, "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_deadlock_tells_what_every_warp_waits_for),
    cmocka_unit_test(a_deadlock_of_many_lanes_says_how_many_more_there_are),
    cmocka_unit_test(long_places_leave_room_for_what_is_waited_for),
    cmocka_unit_test(lanes_at_different_barriers_are_divergence),
    cmocka_unit_test(lanes_that_meet_at_a_barrier_or_have_exited_are_fine),
    cmocka_unit_test(an_endless_kernel_names_its_hottest_loop),
    cmocka_unit_test(a_loop_that_waits_for_nobody_is_not_said_to_wait),
    cmocka_unit_test(blocks_may_wait_for_later_ones),
    cmocka_unit_test(no_more_blocks_wait_than_the_gpu_has_room_for),
    cmocka_unit_test(bounds_of_a_kernel_limit_blocks_that_wait),
    cmocka_unit_test(more_registers_than_a_block_has_are_refused),
};

HONE_TEST_MAIN(tests)
