// What the prediction counts of blocks that run at once, and of those at the edge.
#include "emu_model_frame.h"

// ---- blocks that run at once ----

static double wave_bytes(const char *body, uint32_t grid)
{
    const struct hone_timing timing = predict(body, grid, 32);
    return find_metric(&timing, "wave_bytes");
}

static void a_wave_reads_what_is_shared_once(void **state)
{
    (void)state;
    const char *same = "mad.wide.u32 %y0, %t, 4, %x; ld.global.u32 %a1, [%y0];";
    const char *own = "mov.u32 %a1, %ctaid.x; mad.lo.u32 %a1, %a1, 32, %t;\n"
                      "mad.wide.u32 %y0, %a1, 4, %x; ld.global.u32 %a1, [%y0];";
    const char *half = "mov.u32 %a1, %ctaid.x; mad.lo.u32 %a1, %a1, 16, %t;\n"
                       "mad.wide.u32 %y0, %a1, 4, %x; ld.global.u32 %a1, [%y0];";
    assert_int_equal((int)wave_bytes(same, 500), 128);
    assert_int_equal((int)wave_bytes(own, 500), 500 * 128);
    assert_int_equal((int)(wave_bytes(half, 500) + 0.5), 501 * 64);
}

// A ring's objects are made ready at such a barrier; copies that fill it come behind.
static void a_barrier_before_any_load_hides_nothing_that_blocks_share(void **state)
{
    (void)state;
    const char *half = "bar.sync 0; mov.u32 %a1, %ctaid.x; mad.lo.u32 %a1, %a1, 16, %t;\n"
                       "mad.wide.u32 %y0, %a1, 4, %x; ld.global.u32 %a1, [%y0];";
    assert_int_equal((int)(wave_bytes(half, 500) + 0.5), 501 * 64);
}

// Blocks of a one-dimensional grid as tiles of 16 columns: each reads a line of its row
// and one of its column, 512 bytes apart. 160 blocks are 10 rows.
static void a_raster_of_tiles_reads_rows_and_columns_once(void **state)
{
    (void)state;
    const char *body =
        "mov.u32 %a1, %ctaid.x; shr.u32 %a2, %a1, 4; and.b32 %a3, %a1, 15;\n"
        "mad.lo.u32 %a2, %a2, 128, %t; mad.wide.u32 %y0, %a2, 4, %x;\n"
        "ld.global.u32 %a4, [%y0];\n"
        "mad.lo.u32 %a3, %a3, 128, %t; mad.wide.u32 %y1, %a3, 4, %x;\n"
        "ld.global.u32 %a5, [%y1+1048576];";
    assert_int_equal((int)(wave_bytes(body, 160) + 0.5), (10 + 16) * 128);
}

static void check_that_memory_stays(const char *body, uint32_t grid)
{
    char text[2048];
    struct emu emu;
    struct hone_timing timing;
    struct emu_args args = {0};
    uint32_t data[1024] = {7, 8, 9}, after[1024];
    snprintf(text, sizeof text, frame, body);
    emu_open(&emu);
    assert_true(emu_load(&emu, text, "k"));
    hone_devptr p = emu_buffer(&emu, data, sizeof data);
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, grid, 64);
    assert_ok(emu.dev->fns->time(emu.dev, emu.module, &launch, &hone_time_policy_default,
                                 &timing, &emu.fault, &emu.err),
              emu.err);
    assert_int_equal(emu.fault.outcome, HONE_VALID);
    emu_fetch(&emu, after, p, sizeof after);
    assert_memory_equal(data, after, sizeof data);
    emu_close(&emu);
}

static void a_prediction_leaves_memory_as_it_was(void **state)
{
    const char *threads =
        "mad.wide.u32 %y0, %t, 4, %x; st.global.u32 [%y0], %t; bar.sync 0;\n"
        "atom.global.add.u32 %a1, [%y0], 5;";
    const char *store =
        "st.shared.u32 [%a0], 5; .reg .pred %p; setp.ne.u32 %p, %t, 0; @%p bra L;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%x], [%a0], 16;\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; L:";
    const char *reduction =
        "st.shared.u32 [%a0], 5; .reg .pred %p; setp.ne.u32 %p, %t, 0; @%p bra L;\n"
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%x], [%a0], 16;\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; L:";
    (void)state;
    for (uint32_t grid = 1; grid <= 600; grid += 599) {
        check_that_memory_stays(threads, grid);
        check_that_memory_stays(store, grid);
        check_that_memory_stays(reduction, grid);
    }
}

// The middle block and the last one begin with the same copy.
static void bulk_copies_count_in_each_block(void **state)
{
    const char *body =
        ".shared .align 8 .b64 b; .reg .pred %p; mov.u32 %a1, b;\n"
        "setp.ne.u32 %p, %t, 0; @%p bra L; mbarrier.init.shared.b64 [%a1], 1;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%a1], 4096;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%a0], [%x],\n"
        "4096, [%a1];\n"
        "W: mbarrier.try_wait.parity.shared.b64 %p, [%a1], 0; @!%p bra W; L:";
    (void)state;
    for (uint32_t grid = 1; grid <= 4; grid++) {
        const struct hone_timing timing = predict(body, grid, 32);
        assert_int_equal((int)find_metric(&timing, "load_bytes"), 4096);
    }
}

// Lanes that name one copy issue it once; copies to places of their own are as many.
static void bulk_stores_of_a_whole_warp_count_once(void **state)
{
#define STORE(to)                                                                        \
    "st.shared.u32 [%a0], 5; fence.proxy.async.shared::cta;\n"                           \
    "mad.wide.u32 %y0, %t, 16, %x;\n"                                                    \
    "cp.async.bulk.global.shared::cta.bulk_group [" to "], [%a0], 16;\n"                 \
    "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
    (void)state;
    const struct hone_timing same = predict(STORE("%x"), 3, 32),
                             apart = predict(STORE("%y0"), 3, 32);
    assert_int_equal((int)find_metric(&same, "store_bytes"), 16);
    assert_int_equal((int)find_metric(&apart, "store_bytes"), 32 * 16);
#undef STORE
}

// Only the last block of four does the long work: it counts for a quarter.
static void blocks_at_the_edge_count_by_their_share(void **state)
{
    (void)state;
    const char *body =
        ".reg .pred %p; mov.u32 %a1, %ctaid.x; setp.ne.u32 %p, %a1, 3;\n"
        "@%p bra L; add.f32 %f1, %f0, %f0; add.f32 %f1, %f1, %f0;\n"
        "add.f32 %f1, %f1, %f0; add.f32 %f1, %f1, %f0; L: add.f32 %f1, %f0, "
        "%f0;";
    const struct hone_timing timing = predict(body, 4, 32);
    assert_true(fabs(find_metric(&timing, "fp32_per_block") - (1 + 4 * 0.25)) < 1e-9);
}

// Tiles of causal attention: 100 steps for the first one, 6400 for the last one, in three
// orders. The middle block of a grid of a power of two is the shortest one.
static void blocks_that_differ_count_by_their_mean(void **state)
{
#define STEPS(index)                                                                     \
    ".reg .pred %p; mov.u32 %a1, %ctaid.x; " index                                       \
    "add.u32 %a1, %a1, 1; mul.lo.u32 %a1, %a1, 100; mov.u32 %a2, 0;\n"                   \
    "M: fma.rn.f32 %f1, %f0, %f0, %f0; add.u32 %a2, %a2, 1;\n"                           \
    "setp.lt.u32 %p, %a2, %a1; @%p bra M;"
    static const char *const orders[] = {
        STEPS("and.b32 %a1, %a1, 63; "), STEPS("shr.u32 %a1, %a1, 6; "),
        STEPS("shr.u32 %a1, %a1, 3; and.b32 %a1, %a1, 63; ")};
    (void)state;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        const struct hone_timing timing = predict(orders[k], 4096, 32);
        const double mean = find_metric(&timing, "fp32_per_block");
        if (fabs(mean / 3250 - 1) > 0.08) fail_msg("%zu: mean of %g", k, mean);
        assert_true(find_metric(&timing, "stretch") > 0.99);
    }
#undef STEPS
}

// One long block among short ones: first, last, or anywhere between. Where there are two
// of them both the block in the middle and the last one may be short.
static void few_blocks_are_all_counted(void **state)
{
    (void)state;
    double alone = 0;
    for (uint32_t grid = 1; grid <= 48; grid += grid < 16 ? 1 : 3)
        for (uint32_t where = 0; where < grid; where += grid < 6 ? 1 : grid / 2) {
            char body[512];
            snprintf(
                body, sizeof body,
                ".reg .pred %%p; mov.u32 %%a1, %%ctaid.x; setp.eq.u32 %%p, %%a1, %u;\n"
                "selp.u32 %%a1, 2000, 100, %%p; mov.u32 %%a2, 0;\n"
                "M: fma.rn.f32 %%f1, %%f1, %%f0, %%f0; add.u32 %%a2, %%a2, 1;\n"
                "setp.lt.u32 %%p, %%a2, %%a1; @%%p bra M;",
                where);
            const struct hone_timing timing = predict(body, grid, 32);
            const double mean = find_metric(&timing, "fp32_per_block"),
                         us = find_metric(&timing, "sm_us");
            const bool seen = grid <= 16 || where == grid - 1;
            if (seen && fabs(mean - (1900.0 / grid + 100)) > 1e-6)
                fail_msg("block %u of %u: mean %g", where, grid, mean);
            if (grid == 1) alone = us;
            if (seen && fabs(us / alone - 1) > 0.05)
                fail_msg("block %u of %u: %g us", where, grid, us);
        }
}

// The last third of a large grid has half to do, and the middle block all: four blocks
// that tell it stand far from one another.
static void a_part_of_the_grid_that_differs_is_seen(void **state)
{
    const char *body =
        ".reg .pred %p; mov.u32 %a1, %ctaid.x; setp.lt.u32 %p, %a1, 4000;\n"
        "selp.u32 %a1, 1000, 500, %p; mov.u32 %a2, 0;\n"
        "M: fma.rn.f32 %f1, %f0, %f0, %f0; add.u32 %a2, %a2, 1;\n"
        "setp.lt.u32 %p, %a2, %a1; @%p bra M;";
    (void)state;
    const struct hone_timing timing = predict(body, 6000, 32);
    const double mean = find_metric(&timing, "fp32_per_block");
    if (fabs(mean / 833.3 - 1) > 0.03) fail_msg("a mean of %g", mean);
}

// A block that waits for another without atomic operations cannot be counted alone: the
// others can.
static void a_block_that_waits_is_left_out(void **state)
{
    const char *body =
        ".reg .pred %p, %q; mov.u32 %a1, %ctaid.x; setp.ne.u32 %p, %a1, 0; @%p bra W;\n"
        "S: ld.acquire.gpu.u32 %a2, [%x]; setp.eq.u32 %q, %a2, 0; @%q bra S; bra.uni L;\n"
        "W: mov.u32 %a2, 0; mad.lo.u32 %a3, %a1, 100, 100;\n"
        "M: fma.rn.f32 %f1, %f0, %f0, %f0; add.u32 %a2, %a2, 1;\n"
        "setp.lt.u32 %p, %a2, %a3; @%p bra M; st.release.gpu.u32 [%x], 1; L:";
    (void)state;
    const struct hone_timing timing = predict(body, 8, 32);
    assert_true(fabs(find_metric(&timing, "fp32_per_block") - 500) < 1e-6);
}

// A wave of them ends with the longest, wherever it is.
static void a_wave_of_blocks_that_differ_ends_with_the_longest(void **state)
{
#define STEPS(index)                                                                     \
    ".reg .pred %p; mov.u32 %a1, %ctaid.x; " index                                       \
    "mul.lo.u32 %a1, %a1, 100; mov.u32 %a2, 0;\n"                                        \
    "M: fma.rn.f32 %f1, %f1, %f0, %f0; add.u32 %a2, %a2, 1;\n"                           \
    "setp.lt.u32 %p, %a2, %a1; @%p bra M;"
    (void)state;
    const struct hone_timing all = predict(STEPS("mov.u32 %a1, 104; "), 104, 32),
                             first = predict(STEPS("sub.u32 %a1, 104, %a1; "), 104, 32),
                             last = predict(STEPS("add.u32 %a1, %a1, 1; "), 104, 32);
    const double longest = find_metric(&all, "sm_us");
    assert_true(find_metric(&all, "stretch") <= 0);
    assert_true(fabs(find_metric(&first, "sm_us") / longest - 1) < 0.03);
    assert_true(fabs(find_metric(&last, "sm_us") / longest - 1) < 0.03);
    assert_true(fabs(find_metric(&last, "stretch") - 2) < 0.15);
#undef STEPS
}

// A quarter of 64 blocks has something to do: neither the middle one nor the last.
static void blocks_that_end_at_once_stand_for_no_others(void **state)
{
#define BUSY(blocks)                                                                     \
    ".reg .pred %p; mov.u32 %a1, %ctaid.x; setp.ge.u32 %p, %a1, " blocks ";\n"           \
    "@%p bra L; mov.u32 %a2, 0;\n"                                                       \
    "M: fma.rn.f32 %f1, %f0, %f0, %f0; add.u32 %a2, %a2, 1;\n"                           \
    "setp.lt.u32 %p, %a2, 400; @%p bra M; L:"
    (void)state;
    const struct hone_timing few = predict(BUSY("16"), 64, 32),
                             whole = predict(BUSY("64"), 64, 32);
    assert_true(fabs(find_metric(&few, "idle_share") - 0.75) < 1.0 / 16);
    assert_true(fabs(find_metric(&few, "fp32_per_block") - 400) < 1e-6);
    assert_true(fabs(find_metric(&few, "grid_blocks") - 16) < 4);
    assert_true(few.predicted_us > 0.95 * whole.predicted_us);
    assert_true(find_metric(&whole, "idle_share") <= 0);
#undef BUSY
}

// The same where blocks look for their work first, through a table of groups.
static void blocks_that_look_for_work_in_vain_stand_for_no_others(void **state)
{
#define BUSY(blocks)                                                                     \
    ".reg .pred %p; mov.u32 %a1, %ctaid.x; mov.u32 %a2, 0;\n"                            \
    "G: add.u32 %a2, %a2, 1; setp.lt.u32 %p, %a2, 30; @%p bra G;\n"                      \
    "setp.ge.u32 %p, %a1, " blocks "; @%p bra L; mov.u32 %a2, 0;\n"                      \
    "M: fma.rn.f32 %f1, %f0, %f0, %f0; add.u32 %a2, %a2, 1;\n"                           \
    "setp.lt.u32 %p, %a2, 4000; @%p bra M; L:"
    (void)state;
    const struct hone_timing few = predict(BUSY("2000"), 8000, 32),
                             whole = predict(BUSY("2000"), 2000, 32);
    assert_true(fabs(find_metric(&few, "idle_share") - 0.75) < 1.0 / 48);
    assert_true(fabs(find_metric(&few, "fp32_per_block") - 4000) < 1e-6);
    assert_true(fabs(few.predicted_us / whole.predicted_us - 1) < 0.1);
#undef BUSY
}

// Blocks that take tickets find enough of them, whatever others that were looked at before
// have taken.
static void blocks_that_take_tickets_have_something_to_do(void **state)
{
#define TICKETS(count)                                                                   \
    ".reg .pred %p; atom.global.add.u32 %a1, [%x], 1; setp.ge.u32 %p, %a1, " count ";\n" \
    "@%p bra L; mov.u32 %a2, 0;\n"                                                       \
    "M: fma.rn.f32 %f1, %f0, %f0, %f0; add.u32 %a2, %a2, 1;\n"                           \
    "setp.lt.u32 %p, %a2, 400; @%p bra M; L:"
    static const char *const bodies[] = {TICKETS("2048"), TICKETS("2080"),
                                         TICKETS("2300"), TICKETS("9999")};
    (void)state;
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        const struct hone_timing timing = predict(bodies[k], 64, 32);
        assert_true(find_metric(&timing, "idle_share") <= 0);
        assert_int_equal((int)find_metric(&timing, "fp32_per_block"), 400);
    }
#undef TICKETS
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_wave_reads_what_is_shared_once),
    cmocka_unit_test(a_barrier_before_any_load_hides_nothing_that_blocks_share),
    cmocka_unit_test(a_raster_of_tiles_reads_rows_and_columns_once),
    cmocka_unit_test(a_prediction_leaves_memory_as_it_was),
    cmocka_unit_test(bulk_copies_count_in_each_block),
    cmocka_unit_test(bulk_stores_of_a_whole_warp_count_once),
    cmocka_unit_test(blocks_at_the_edge_count_by_their_share),
    cmocka_unit_test(blocks_that_differ_count_by_their_mean),
    cmocka_unit_test(few_blocks_are_all_counted),
    cmocka_unit_test(a_part_of_the_grid_that_differs_is_seen),
    cmocka_unit_test(a_block_that_waits_is_left_out),
    cmocka_unit_test(a_wave_of_blocks_that_differ_ends_with_the_longest),
    cmocka_unit_test(blocks_that_end_at_once_stand_for_no_others),
    cmocka_unit_test(blocks_that_look_for_work_in_vain_stand_for_no_others),
    cmocka_unit_test(blocks_that_take_tickets_have_something_to_do),
};

HONE_TEST_MAIN(tests)
