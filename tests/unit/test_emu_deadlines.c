// A launch ends at its deadline whatever its kernel does, watched or not, and when it is
// cancelled; so does what predicts its time. Whether that was late is for the watchdog
// alone, which ends a test that hangs.
#include "emu_kernel.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { WATCHDOG_S = 60 };

// %t0 is the thread, %t1 the block, %x0 a buffer of zeros; the body's first line is 8.
static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".shared .align 16 .b8 tile[1024]; .global .align 1 .b8 words[4] = {37, 100, 10, "
    "0};\n"
    ".visible .entry k(.param .u64 p) {\n.reg .b32 %t<16>; .reg .b64 %x<8>; .reg .pred "
    "%p<4>; ld.param.u64 %x0, [p]; mov.u32 %t0, %tid.x; mov.u32 %t1, %ctaid.x; "
    "setp.lt.u32 %p0, %t0, 16; mov.u32 %t3, 0; mov.u32 %t4, 0;\n";

#define CLEAR                                                                            \
    "st.volatile.shared.u32 [tile], 0; st.volatile.shared.u32 [tile+4], 0; bar.sync 0; "

static const struct endless {
    const char *what, *body;
    uint32_t grid, block;
    bool long_body;
    bool wrong; // and a watched launch says so
} kernels[] = {
    {.what = "a loop", .body = "L: add.u32 %t3, %t3, 1; bra L;"},
    {.what = "a loop at a divergent place",
     .body = "@%p0 bra SKIP; L: add.u32 %t3, %t3, 1; bra L;\nSKIP: ret;"},
    {.what = "phases of which some lanes stay in one",
     .body = "L: @!%p0 bra B; add.u32 %t3, %t3, 1; B: bar.warp.sync -1; setp.lt.u32 "
             "%p1, %t4, 3; @%p1 bra L; bra L;"},
    {.what = "a branch inside that lanes take by turns",
     .body = "L: and.b32 %t5, %t3, 1; setp.eq.u32 %p1, %t5, 0; @%p1 bra B; xor.b32 %t4, "
             "%t4, 7;\nB: add.u32 %t3, %t3, %t0; bra L;"},
    {.what = "lanes that wait for one another",
     .body = CLEAR
     "@%p0 bra B; A: ld.volatile.shared.u32 %t3, [tile]; "
     "setp.eq.u32 %p1, %t3, 0; @%p1 bra A; st.volatile.shared.u32 [tile+4], 1; "
     "ret;\nB: ld.volatile.shared.u32 %t3, [tile+4]; setp.eq.u32 %p1, %t3, 0; @%p1 "
     "bra B; st.volatile.shared.u32 [tile], 1;"},
    {.what = "warps that wait for one another",
     .body = CLEAR
     "shr.u32 %t5, %t0, 5; shl.b32 %t6, %t5, 2; mov.u32 %t7, tile; add.u32 %t6, "
     "%t6, %t7; A: ld.volatile.shared.u32 %t3, [%t6]; setp.eq.u32 %p1, %t3, 0; "
     "@%p1 bra A; st.volatile.shared.u32 [tile], 1; st.volatile.shared.u32 "
     "[tile+4], 1;",
     .block = 64},
    {.what = "barriers only", .body = "L: bar.sync 0; bra L;", .block = 256},
    {.what = "barriers of a warp only", .body = "L: bar.warp.sync -1; bra L;"},
    {.what = "a barrier in a loop that waits for another block",
     .body = "L: ld.volatile.global.u32 %t3, [%x0]; bar.sync 0; setp.eq.u32 %p1, %t3, 0; "
             "@%p1 bra L;",
     .grid = 4,
     .block = 64},
    {.what = "blocks that wait for one that never comes",
     .body = "L: ld.volatile.global.u32 %t3, [%x0]; setp.eq.u32 %p1, %t3, 0; @%p1 bra L;",
     .grid = 300},
    {.what = "sleep", .body = "L: nanosleep.u32 100; bra L;"},
    {.what = "a table of branches",
     .body = "T: .branchtargets A, B;\nA: mov.u32 %t3, 1; brx.idx %t3, T;\nB: mov.u32 "
             "%t3, 0; brx.idx %t3, T;"},
    {.what = "atomics", .body = "L: atom.global.add.u32 %t3, [%x0], 1; bra L;"},
    {.what = "asynchronous copies that nobody waits for",
     .body = "cvta.to.global.u64 %x1, %x0; shl.b32 %t5, %t0, 2; mov.u32 %t6, tile; "
             "add.u32 %t5, %t5, %t6; L: cp.async.ca.shared.global [%t5], [%x1], 4; "
             "cp.async.commit_group; cp.async.wait_group 7; bra L;",
     .wrong = true},
    {.what = "prints",
     .body =
         "cvta.global.u64 %x1, words; L: {\n.param .b64 f; .param .b64 a; .param .b32 "
         "r; st.param.b64 [f], %x1; st.param.b64 [a], 0; call.uni (r), vprintf, (f, "
         "a);\n}\nbra L;"},
    {.what = "a body of a hundred thousand instructions", .body = "", .long_body = true},
    {.what = "many small blocks",
     .body = "st.global.u32 [%x0], 0;",
     .grid = 1U << 31 >> 1,
     .block = 32},
    {.what = "many blocks with a barrier",
     .body = "bar.sync 0;",
     .grid = 1U << 31 >> 1,
     .block = 1024},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static char *text_of(const struct endless *kernel)
{
    static char text[1 << 22];
    size_t used = (size_t)snprintf(text, sizeof text, "%s%s", frame, kernel->body);
    if (kernel->long_body) {
        used += (size_t)snprintf(text + used, sizeof text - used, "L:\n");
        for (int i = 0; i < 100000; i++)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "add.u32 %%t3, %%t3, %d;\n", i % 100);
        used += (size_t)snprintf(text + used, sizeof text - used, "bra L;");
    }
    snprintf(text + used, sizeof text - used, "\nret;\n}\n");
    return text;
}

struct ways {
    bool check, late, reversed, time, early;
    bool naps; // whoever takes what is printed
    double deadline_s;
};

static void nap(void *unused, const char *text, size_t bytes)
{
    const struct timespec longer = {.tv_nsec = 300000000};
    (void)unused, (void)text, (void)bytes;
    nanosleep(&longer, NULL);
}

// Launch or time the kernel, on a device that may be cancelled.
static enum hone_status run_kernel(const struct endless *kernel, const struct ways *ways,
                                   const volatile sig_atomic_t *cancel,
                                   struct hone_fault *fault)
{
    struct emu emu;
    struct emu_args args = {0};
    struct hone_timing timing;
    emu_open(&emu);
    if (!emu_load(&emu, text_of(kernel), "k"))
        fail_msg("%s: %s", kernel->what, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, 4096);
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, kernel->grid ? kernel->grid : 1,
                                             kernel->block ? kernel->block : 32);
    launch.check = ways->check;
    launch.order = ways->late       ? HONE_ORDER_LATE_COPIES
                   : ways->reversed ? HONE_ORDER_REVERSED
                                    : HONE_ORDER_USUAL;
    launch.deadline_s = ways->deadline_s;
    launch.ends_early = ways->early;
    launch.print = ways->naps ? nap : NULL;
    emu.dev->cancel = cancel;
    alarm(WATCHDOG_S);
    const enum hone_status status =
        ways->time
            ? emu.dev->fns->time(emu.dev, emu.module, &launch, &hone_time_policy_default,
                                 &timing, &emu.fault, &emu.err)
            : emu.dev->fns->launch(emu.dev, emu.module, &launch, &emu.fault, &emu.err);
    alarm(0);
    *fault = emu.fault;
    emu_close(&emu);
    return status;
}

// Of those a block ends by itself: a launch that may end early sees that it will not come
// to all, a prediction looks at two.
static bool ends_alone(const struct endless *kernel)
{
    return strncmp(kernel->what, "many ", 5) == 0;
}

static void expect_timed_out(const struct ways *ways)
{
    for (size_t i = 0; i < KERNELS; i++) {
        struct hone_fault fault;
        if (ways->check && kernels[i].wrong) continue;
        assert_int_equal(run_kernel(&kernels[i], ways, NULL, &fault), HONE_OK);
        const char *words = ways->early && ends_alone(&kernels[i])
                                ? " blocks ended in "
                                : "still running after ";
        if (fault.outcome != HONE_TIMED_OUT || !strstr(fault.reason, words))
            fail_msg("%s: %s: %s", kernels[i].what, hone_outcome_name(fault.outcome),
                     fault.reason);
    }
}

static void every_endless_kernel_times_out(void **state)
{
    (void)state;
    expect_timed_out(&(struct ways){.deadline_s = 0.1});
}

static void one_that_may_end_early_goes_by_its_first_blocks(void **state)
{
    (void)state;
    expect_timed_out(&(struct ways){.early = true, .deadline_s = 0.1});
}

static void so_it_does_when_it_is_watched(void **state)
{
    (void)state;
    expect_timed_out(&(struct ways){.check = true, .deadline_s = 0.1});
}

static void so_it_does_in_other_orders(void **state)
{
    (void)state;
    expect_timed_out(&(struct ways){.late = true, .deadline_s = 0.1});
    expect_timed_out(&(struct ways){.reversed = true, .deadline_s = 0.1});
}

static void a_prediction_of_an_endless_kernel_times_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < KERNELS; i++) {
        struct hone_fault fault;
        const struct ways ways = {.time = true, .deadline_s = 0.1};
        assert_int_equal(run_kernel(&kernels[i], &ways, NULL, &fault), HONE_OK);
        const enum hone_outcome wanted =
            ends_alone(&kernels[i]) ? HONE_VALID : HONE_TIMED_OUT;
        if (fault.outcome != wanted)
            fail_msg("%s: %s: %s", kernels[i].what, hone_outcome_name(fault.outcome),
                     fault.reason);
    }
}

// ---- cancel ----

static volatile sig_atomic_t cancel;

static void *cancel_soon(void *unused)
{
    const struct timespec nap = {.tv_nsec = 50000000};
    nanosleep(&nap, NULL);
    cancel = 1;
    return unused;
}

static void a_cancel_ends_a_launch_and_a_prediction(void **state)
{
    (void)state;
    for (size_t i = 0; i < KERNELS; i++)
        for (int way = 0; way < 3; way++) {
            const struct ways ways = {
                .check = way == 1, .time = way == 2, .deadline_s = 1000};
            struct hone_fault fault;
            pthread_t thread;
            if (ways.time && ends_alone(&kernels[i])) continue;
            if (ways.check && kernels[i].wrong) continue;
            cancel = 0;
            assert_int_equal(pthread_create(&thread, NULL, cancel_soon, NULL), 0);
            const enum hone_status status =
                run_kernel(&kernels[i], &ways, &cancel, &fault);
            pthread_join(thread, NULL);
            if (status != HONE_ECANCELLED) fail_msg("%s: %d", kernels[i].what, status);
        }
}

static void a_cancelled_device_copies_and_fills_nothing(void **state)
{
    struct emu emu;
    uint32_t word = 5;
    (void)state;
    emu_open(&emu);
    hone_devptr p = emu_buffer(&emu, &word, sizeof word);
    const struct hone_device_fns *fns = emu.dev->fns;
    cancel = 1;
    emu.dev->cancel = &cancel;
    assert_int_equal(fns->copy(emu.dev, HONE_TO_DEVICE, p, &word, 4, NULL),
                     HONE_ECANCELLED);
    assert_int_equal(fns->copy(emu.dev, HONE_TO_HOST, p, &word, 4, NULL),
                     HONE_ECANCELLED);
    assert_int_equal(fns->fill(emu.dev, p, 0, 4, NULL), HONE_ECANCELLED);
    cancel = 0;
    emu_fetch(&emu, &word, p, sizeof word);
    assert_int_equal(word, 5);
    emu_close(&emu);
}

// ---- kernels that do end ----

// A block that waits in a loop with a barrier lets the others begin, as one that spins.
static void blocks_that_wait_at_barriers_let_others_begin(void **state)
{
    static const struct endless kernel = {
        .what = "a barrier of the grid",
        .body = "setp.eq.u32 %p0, %t0, 0; @%p0 red.global.add.u32 [%x0], 1;\nL: "
                "ld.volatile.global.u32 %t3, [%x0]; bar.sync 0; setp.lt.u32 %p1, %t3, 6; "
                "@%p1 "
                "bra L;",
        .grid = 6,
        .block = 64};
    const struct ways ways = {.deadline_s = WATCHDOG_S};
    struct hone_fault fault;
    (void)state;
    assert_int_equal(run_kernel(&kernel, &ways, NULL, &fault), HONE_OK);
    assert_string_equal(fault.reason, "");
}

// A warp whose lanes part and meet in each round of a loop gives way to the others.
static void a_warp_that_parts_and_meets_gives_way_to_others(void **state)
{
    static const struct endless kernel = {
        .what = "a flag of the second warp",
        .body = CLEAR
        "setp.gt.u32 %p1, %t0, 31; @%p1 bra SET;\nL: @%p0 bra B; add.u32 %t4, %t4, "
        "1;\nB: bar.warp.sync -1; ld.volatile.shared.u32 %t3, [tile]; setp.eq.u32 "
        "%p1, %t3, 0; @%p1 bra L; ret;\nSET: st.volatile.shared.u32 [tile], 1;",
        .block = 64};
    const struct ways ways = {.deadline_s = WATCHDOG_S};
    struct hone_fault fault;
    (void)state;
    assert_int_equal(run_kernel(&kernel, &ways, NULL, &fault), HONE_OK);
    assert_string_equal(fault.reason, "");
}

// As on a machine that has much else to do: the thread stands still longer than its deadline.
static void time_in_which_a_launch_does_not_run_is_not_its_own(void **state)
{
    static const struct endless kernel = {
        .what = "a text, and a short loop",
        .body =
            "cvta.global.u64 %x1, words; {\n.param .b64 f; .param .b64 a; .param .b32 "
            "r; st.param.b64 [f], %x1; st.param.b64 [a], 0; call.uni (r), vprintf, (f, "
            "a);\n}\nL: add.u32 %t3, %t3, 1; setp.lt.u32 %p1, %t3, 20000; @%p1 bra L;"};
    const struct ways ways = {.naps = true, .deadline_s = 0.1};
    struct hone_fault fault;
    (void)state;
    assert_int_equal(run_kernel(&kernel, &ways, NULL, &fault), HONE_OK);
    assert_string_equal(fault.reason, "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_endless_kernel_times_out),
    cmocka_unit_test(one_that_may_end_early_goes_by_its_first_blocks),
    cmocka_unit_test(so_it_does_when_it_is_watched),
    cmocka_unit_test(so_it_does_in_other_orders),
    cmocka_unit_test(a_prediction_of_an_endless_kernel_times_out),
    cmocka_unit_test(a_cancel_ends_a_launch_and_a_prediction),
    cmocka_unit_test(a_cancelled_device_copies_and_fills_nothing),
    cmocka_unit_test(blocks_that_wait_at_barriers_let_others_begin),
    cmocka_unit_test(a_warp_that_parts_and_meets_gives_way_to_others),
    cmocka_unit_test(time_in_which_a_launch_does_not_run_is_not_its_own),
};

HONE_TEST_MAIN(tests)
