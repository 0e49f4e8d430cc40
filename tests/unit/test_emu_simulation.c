// The simulation of a block's roles, on kernels whose time is known by hand: rings of
// stages, warp groups that share tensor cores, copies to several blocks.
#include <math.h>

#include "emu_kernel.h"
#include "predict/agenda.h"

enum { TEXT = 1 << 16, STEPS = 32, STAGE = 4096 };

// Latencies of emu:h200, cycles: a copy from DRAM by TMA, its bytes at 64 a cycle, a look
// at an object and an update of it, one from another block, a fma.
enum { COPY = 479 + 340, BYTES = STAGE / 64, OBJECT = 29, PEER = 180, FMA = 4 };

// most: moments that are simulated, 0: as many as ever.
static struct hone_timing predict_within(const char *text, uint32_t grid,
                                         uint32_t threads, uint64_t most)
{
    struct emu emu;
    struct hone_timing timing;
    struct emu_args args = {0};
    emu_open(&emu);
    hone_emu_set_most_moments(emu.dev, most);
    if (!emu_load(&emu, text, "k")) fail_msg("%s", emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, 1 << 20);
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, grid, threads);
    assert_ok(emu.dev->fns->time(emu.dev, emu.module, &launch, &hone_time_policy_default,
                                 &timing, &emu.fault, &emu.err),
              emu.err);
    if (emu.fault.outcome != HONE_VALID) fail_msg("%s", emu.fault.reason);
    emu_close(&emu);
    return timing;
}

static struct hone_timing predict(const char *text, uint32_t grid, uint32_t threads)
{
    return predict_within(text, grid, threads, 0);
}

// -1 where there is none.
static double metric(const struct hone_timing *timing, const char *name)
{
    for (uint32_t i = 0; i < timing->metric_count; i++)
        if (strcmp(timing->metrics[i].name, name) == 0) return timing->metrics[i].value;
    return -1.0;
}

static double cycles_of(const struct hone_timing *timing)
{
    assert_true(metric(timing, "tensor_share") >= 0); // it was simulated
    return metric(timing, "sm_us") * 1980;
}

// ---- rings ----

// A warp fills a ring of stages, four others take 4 work cycles a fma for each. steps: a
// number, or %t9, which head gives a value.
static void write_ring_of(char *text, int stages, int fmas, const char *head,
                          const char *steps)
{
    char chain[16384] = "";
    for (int i = 0; i < fmas; i++)
        strcat(chain, "fma.rn.f32 %f0, %f0, %f0, %f0;\n");
    snprintf(
        text, TEXT,
        ".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 p) {\n.reg .b32 %%t<16>; .reg .b64 %%x<4>;\n"
        ".reg .pred %%p<8>; .reg .f32 %%f<4>;\n"
        ".shared .align 128 .b8 s[%d]; .shared .align 8 .b64 b[%d];\n"
        "ld.param.u64 %%x0, [p]; mov.u32 %%t0, %%tid.x; mov.u32 %%t1, b; %s\n"
        "setp.ne.u32 %%p0, %%t0, 0; mov.u32 %%t2, 0;\n@%%p0 bra READY;\n"
        "INIT: mbarrier.init.shared::cta.b64 [%%t1], 1;\n"
        "mbarrier.init.shared::cta.b64 [%%t1+%d], 4; add.u32 %%t1, %%t1, 8;\n"
        "add.u32 %%t2, %%t2, 1; setp.lt.u32 %%p1, %%t2, %d; @%%p1 bra INIT;\n"
        "READY: bar.sync 0;\n"
        "mov.u32 %%t1, b; mov.u32 %%t2, 0; mov.u32 %%t3, 0; mov.u32 %%t4, 0;\n"
        "and.b32 %%t5, %%t0, 31; setp.ne.u32 %%p2, %%t5, 0; mov.u32 %%t8, s;\n"
        "setp.ge.u32 %%p3, %%t0, 128; @%%p3 bra FILL;\n"
        "TAKE: mad.lo.u32 %%t6, %%t3, 8, %%t1;\n"
        "FULL: mbarrier.try_wait.parity.shared::cta.b64 %%p4, [%%t6], %%t4;\n"
        "@!%%p4 bra FULL;\n%s"
        "@%%p2 bra NEXT;\nmbarrier.arrive.shared::cta.b64 _, [%%t6+%d];\n"
        "NEXT: add.u32 %%t3, %%t3, 1; setp.eq.u32 %%p5, %%t3, %d;\n"
        "@%%p5 xor.b32 %%t4, %%t4, 1; @%%p5 mov.u32 %%t3, 0;\n"
        "add.u32 %%t2, %%t2, 1; setp.lt.u32 %%p6, %%t2, %s; @%%p6 bra TAKE; ret;\n"
        "FILL: @%%p2 ret; xor.b32 %%t4, %%t4, 1;\n"
        "MORE: mad.lo.u32 %%t6, %%t3, 8, %%t1; mad.lo.u32 %%t7, %%t3, %d, %%t8;\n"
        "EMPTY: mbarrier.try_wait.parity.shared::cta.b64 %%p4, [%%t6+%d], %%t4;\n"
        "@!%%p4 bra EMPTY;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%t6], %d;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes\n"
        "[%%t7], [%%x0], %d, [%%t6]; add.u64 %%x0, %%x0, %d;\n"
        "add.u32 %%t3, %%t3, 1; setp.eq.u32 %%p5, %%t3, %d;\n"
        "@%%p5 xor.b32 %%t4, %%t4, 1; @%%p5 mov.u32 %%t3, 0;\n"
        "add.u32 %%t2, %%t2, 1; setp.lt.u32 %%p6, %%t2, %s; @%%p6 bra MORE; ret;\n}\n",
        stages * STAGE, 2 * stages, head, 8 * stages, stages, chain, 8 * stages, stages,
        steps, STAGE, 8 * stages, STAGE, STAGE, STAGE, stages, steps);
}

static void write_ring(char *text, int stages, int fmas)
{
    char steps[16];
    snprintf(steps, sizeof steps, "%d", STEPS);
    write_ring_of(text, stages, fmas, "", steps);
}

static double ring_step(int stages, int fmas)
{
    static char text[TEXT];
    write_ring(text, stages, fmas);
    const struct hone_timing timing = predict(text, 1, 160);
    return cycles_of(&timing) / STEPS;
}

static void check_within(double is, double least, double most)
{
    if (is < least || is > most) fail_msg("%g is not within %g and %g", is, least, most);
}

// With one stage a copy begins when the one before has been used. What objects cost is a
// look on each side and the consumer's arrival at least.
static void a_ring_of_one_stage_takes_copy_and_work_in_turn(void **state)
{
    const double least = COPY + BYTES + 50 * FMA;
    (void)state;
    check_within(ring_step(1, 50), least + 3 * OBJECT, least + 6 * OBJECT);
}

static void a_deep_ring_takes_the_longer_of_copy_and_work(void **state)
{
    (void)state;
    const double first = (double)(COPY + BYTES) / STEPS;
    check_within(ring_step(8, 200), 200 * FMA, 200 * FMA + first + 4 * OBJECT);
}

static void more_stages_help_until_they_hide_the_copy(void **state)
{
    (void)state;
    const double one = ring_step(1, 50), two = ring_step(2, 50), four = ring_step(4, 50),
                 eight = ring_step(8, 50), more = ring_step(12, 50);
    assert_true(two < 0.6 * one && four < 0.6 * two && eight < four);
    check_within(more / eight, 0.98, 1.01); // they are made ready, too
}

// 132 rings of 1 to 132 steps end with the longest of them, whichever is simulated.
static void a_wave_of_rings_ends_with_the_longest(void **state)
{
    static char text[TEXT];
    (void)state;
    write_ring_of(text, 4, 200, "", "132");
    const struct hone_timing all = predict(text, 132, 160);
    write_ring_of(text, 4, 200, "mov.u32 %t9, %ctaid.x; add.u32 %t9, %t9, 1;", "%t9");
    const struct hone_timing apart = predict(text, 132, 160);
    check_within(cycles_of(&apart) / cycles_of(&all), 0.95, 1.05);
    check_within(metric(&apart, "stretch"), 1.85, 2.05);
    assert_true(metric(&all, "stretch") < 0);
}

// Rings of one step and of 31 in turns: the latency of a short one is no measure of the
// long one's, whichever comes first.
static void a_short_ring_stands_for_no_long_one(void **state)
{
    static char text[TEXT];
    (void)state;
    write_ring_of(text, 4, 20, "", "31");
    const struct hone_timing all = predict(text, 132, 160);
    for (int odd = 0; odd < 2; odd++) {
        char head[160];
        snprintf(head, sizeof head,
                 "mov.u32 %%t9, %%ctaid.x; and.b32 %%t9, %%t9, 1; xor.b32 %%t9, %%t9, %d;"
                 "mad.lo.u32 %%t9, %%t9, 30, 1;",
                 odd);
        write_ring_of(text, 4, 20, head, "%t9");
        const struct hone_timing apart = predict(text, 132, 160);
        check_within(cycles_of(&apart) / cycles_of(&all), 0.9, 1.1);
    }
}

static void a_prediction_is_the_same_each_time(void **state)
{
    (void)state;
    const double one = ring_step(3, 80), two = ring_step(3, 80);
    assert_memory_equal(&one, &two, sizeof one);
}

// ---- products ----

static struct hone_timing predict_products(uint32_t grid, uint32_t groups)
{
    enum { PRODUCTS = 64, SUMS = 32 };
    static char text[TEXT];
    char sums[512] = "", products[32768] = "", one[1024];
    for (int i = 0; i < SUMS; i++)
        snprintf(sums + strlen(sums), sizeof sums - strlen(sums), "%s%%f%d", i ? "," : "",
                 i);
    snprintf(
        one, sizeof one,
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%s}, %%x1, %%x1, 1, 1,"
        "1, 0, 0;\n",
        sums);
    for (int i = 0; i < PRODUCTS; i++)
        strcat(products, one);
    snprintf(
        text, sizeof text,
        ".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 p) {\n.reg .b64 %%x<4>; .reg .f32 %%f<32>;\n"
        ".shared .align 1024 .b8 s[16384];\nmov.b64 %%x1, 0;\n"
        "wgmma.fence.sync.aligned;\n%s"
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\nret;\n}\n",
        products);
    return predict(text, grid, 128 * groups);
}

// 64 products of 64 columns take the tensor cores 32 cycles each, whoever asks for them.
static void warp_groups_share_the_tensor_cores(void **state)
{
    (void)state;
    const struct hone_timing one = predict_products(1, 1), two = predict_products(1, 2);
    check_within(cycles_of(&one), 64 * 32, 64 * 32 + 100);
    check_within(cycles_of(&two), 2 * 64 * 32, 2 * 64 * 32 + 100);
    assert_true(metric(&two, "tensor_share") > 0.95);
}

// Of so many blocks a multiprocessor some are resident at once, the others follow: all of
// them use the same tensor cores.
static void blocks_of_a_multiprocessor_share_its_tensor_cores(void **state)
{
    enum { SMS = 132, WORK = 64 * 32 };
    (void)state;
    const struct hone_timing first = predict_products(SMS, 1);
    const uint32_t resident = (uint32_t)metric(&first, "blocks_per_sm");
    assert_in_range(resident, 2, 32);
    const uint32_t blocks[] = {1, 2, resident, 2 * resident, 8 * resident};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        const struct hone_timing all = predict_products(SMS * blocks[k], 1);
        const double least = (double)blocks[k] * WORK;
        check_within(cycles_of(&all), least, least + 100 * (1 + blocks[k] / resident));
    }
}

// ---- bulk stores ----

// Two stores of 4096 bytes, each in a group, 64 cycles of the way to L2 each.
static double store_cycles(const char *storing, const char *wait)
{
    static char text[TEXT];
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_90a\n.address_size 64\n"
             ".visible .entry k(.param .u64 p) {\n.reg .b32 %%t<4>; .reg .b64 %%x<2>;\n"
             ".shared .align 128 .b8 s[4096]; .shared .align 8 .b64 b[1];\n"
             ".reg .pred %%p; ld.param.u64 %%x0, [p]; mov.u32 %%t0, s; mov.u32 %%t1, b;\n"
             "mov.u32 %%t2, %%tid.x; setp.%s.u32 %%p, %%t2, 0; @%%p ret;\n"
             "mbarrier.init.shared::cta.b64 [%%t1], 1;\n"
             "cp.async.bulk.global.shared::cta.bulk_group [%%x0], [%%t0], 4096;\n"
             "cp.async.bulk.commit_group;\n"
             "cp.async.bulk.global.shared::cta.bulk_group [%%x0+4096], [%%t0], 4096;\n"
             "cp.async.bulk.commit_group;\n%s\nret;\n}\n",
             storing, wait);
    const struct hone_timing timing = predict(text, 1, 32);
    return cycles_of(&timing);
}

static double cycles_of_one(const char *wait)
{
    return store_cycles("ne", wait);
}

static void waits_for_bulk_stores_take_as_long_as_their_groups(void **state)
{
    (void)state;
    const double none = cycles_of_one(""),
                 first = cycles_of_one("cp.async.bulk.wait_group.read 1;"),
                 both = cycles_of_one("cp.async.bulk.wait_group.read 0;"),
                 over = cycles_of_one("cp.async.bulk.wait_group 1;"),
                 all = cycles_of_one("cp.async.bulk.wait_group 0;");
    check_within(none, 0, BYTES - 1);
    check_within(first, BYTES, BYTES + 32);
    check_within(both - first, BYTES - 8, BYTES);
    check_within(over - first, COPY - 1e-6, COPY + 1e-6);
    check_within(all - both, COPY - 1e-6, COPY + 1e-6);
}

// As the compiler makes one store of it where the warp's operands are the same.
static void a_store_of_a_whole_warp_takes_as_long_as_one_of_a_thread(void **state)
{
    (void)state;
    const char *wait = "cp.async.bulk.wait_group 0;";
    check_within(store_cycles("lt", wait) - store_cycles("ne", wait), -8, 8);
}

// ---- clusters ----

// Two blocks of a cluster read 8192 bytes that both need: each all, or each a half for
// both.
static struct hone_timing predict_pair(bool multicast)
{
    static char text[TEXT];
    const char *copy =
        multicast ? "shl.b32 %t3, %t2, 12; add.u32 %t4, %t4, %t3; cvt.u64.u32 %x1, %t3;\n"
                    "add.u64 %x0, %x0, %x1;\ncp.async.bulk.shared::cluster.global."
                    "mbarrier::complete_tx::bytes.multicast::cluster\n"
                    "[%t4], [%x0], 4096, [%t1], %h0;\n"
                  : "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes\n"
                    "[%t4], [%x0], 8192, [%t1];\n";
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_90a\n.address_size 64\n"
             ".visible .entry k(.param .u64 p) .explicitcluster .reqnctapercluster 2 {\n"
             ".reg .b32 %%t<8>; .reg .b64 %%x<4>; .reg .pred %%p<4>; .reg .b16 %%h<2>;\n"
             ".shared .align 128 .b8 s[8192]; .shared .align 8 .b64 b[1];\n"
             "ld.param.u64 %%x0, [p]; mov.u32 %%t0, %%tid.x; mov.u32 %%t1, b;\n"
             "mov.u32 %%t2, %%cluster_ctarank; mov.u32 %%t4, s; mov.u16 %%h0, 3;\n"
             "setp.ne.u32 %%p0, %%t0, 0; @%%p0 bra READY;\n"
             "mbarrier.init.shared::cta.b64 [%%t1], 1;\n"
             "fence.mbarrier_init.release.cluster;\n"
             "READY: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
             "@%%p0 bra WAIT;\n"
             "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%t1], 8192;\n%s"
             "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %%p1, [%%t1], 0;\n"
             "@!%%p1 bra WAIT;\n"
             "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\nret;\n}\n",
             copy);
    return predict(text, 2, 32);
}

static void a_copy_to_both_blocks_is_read_once(void **state)
{
    (void)state;
    const struct hone_timing own = predict_pair(false), both = predict_pair(true);
    check_within(metric(&own, "l2_bytes"), 2 * 8192, 2 * 8192);
    check_within(metric(&both, "l2_bytes"), 8192, 8192);
    // at 64 bytes a cycle
    check_within(metric(&own, "supply_share") * cycles_of(&own), 128 - 1e-6, 128 + 1e-6);
    check_within(metric(&both, "supply_share") * cycles_of(&both), 64 - 1e-6, 64 + 1e-6);
}

// Each of two blocks arrives at an object, its own or the other's, and waits at its own.
static struct hone_timing predict_arrivals(bool remote)
{
    static char text[TEXT];
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_90a\n.address_size 64\n"
             ".visible .entry k(.param .u64 p) .explicitcluster .reqnctapercluster 2 {\n"
             ".reg .b32 %%t<8>; .reg .pred %%p<4>; .shared .align 8 .b64 b[1];\n"
             "mov.u32 %%t0, %%tid.x; mov.u32 %%t1, b; mov.u32 %%t2, %%cluster_ctarank;\n"
             "xor.b32 %%t3, %%t2, %d; mapa.shared::cluster.u32 %%t4, %%t1, %%t3;\n"
             "setp.ne.u32 %%p0, %%t0, 0; @%%p0 bra READY;\n"
             "mbarrier.init.shared::cta.b64 [%%t1], 1;\n"
             "fence.mbarrier_init.release.cluster;\n"
             "READY: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
             "@%%p0 bra WAIT;\n"
             "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%%t4];\n"
             "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %%p1, [%%t1], 0;\n"
             "@!%%p1 bra WAIT;\n"
             "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\nret;\n}\n",
             remote);
    return predict(text, 2, 32);
}

static void an_arrival_at_another_block_takes_longer(void **state)
{
    (void)state;
    const struct hone_timing own = predict_arrivals(false),
                             remote = predict_arrivals(true);
    const double longer = cycles_of(&remote) - cycles_of(&own);
    check_within(longer, PEER - OBJECT - 1e-6, PEER - OBJECT + 1e-6);
}

// ---- when there are no roles, and what comes when ----

static void kernels_without_objects_are_not_simulated(void **state)
{
    (void)state;
    const struct hone_timing timing =
        predict(".version 9.0\n.target sm_90a\n.address_size 64\n"
                ".visible .entry k(.param .u64 p) {\n.reg .f32 %f<2>;\n"
                "fma.rn.f32 %f0, %f0, %f0, %f0; bar.sync 0; ret;\n}\n",
                4, 64);
    assert_true(metric(&timing, "tensor_share") < 0 && metric(&timing, "sm_us") > 0);
}

static void too_many_moments_are_not_simulated_and_that_is_said(void **state)
{
    static char text[TEXT];
    (void)state;
    write_ring(text, 4, 50);
    const struct hone_timing whole = predict_within(text, 1, 160, 100000),
                             cut = predict_within(text, 1, 160, 100);
    assert_true(metric(&whole, "tensor_share") >= 0);
    assert_true(metric(&whole, "not_simulated") < 0);
    assert_true(metric(&cut, "tensor_share") < 0);
    assert_true(metric(&cut, "not_simulated") > 0 && metric(&cut, "sm_us") > 0);
}

static void an_agenda_gives_the_earliest_and_of_equals_the_first(void **state)
{
    struct hone_emu_agenda agenda = {0};
    uint32_t random = 7, who = 0, before_who = 0;
    double time = 0, before = -1;
    (void)state;
    for (uint32_t k = 0; k < 2000; k++) {
        random = random * 1664525 + 1013904223;
        assert_true(hone_emu_agenda_add(&agenda, random >> 27, k));
    }
    for (uint32_t k = 0; k < 2000; k++) {
        assert_true(hone_emu_agenda_has_before(&agenda, 1e9));
        assert_true(hone_emu_agenda_next(&agenda, &time, &who));
        assert_true(time > before || (time >= before && who > before_who));
        before = time;
        before_who = who;
    }
    assert_false(hone_emu_agenda_next(&agenda, &time, &who));
    hone_emu_agenda_fini(&agenda);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_ring_of_one_stage_takes_copy_and_work_in_turn),
    cmocka_unit_test(a_deep_ring_takes_the_longer_of_copy_and_work),
    cmocka_unit_test(more_stages_help_until_they_hide_the_copy),
    cmocka_unit_test(a_wave_of_rings_ends_with_the_longest),
    cmocka_unit_test(a_short_ring_stands_for_no_long_one),
    cmocka_unit_test(a_prediction_is_the_same_each_time),
    cmocka_unit_test(warp_groups_share_the_tensor_cores),
    cmocka_unit_test(blocks_of_a_multiprocessor_share_its_tensor_cores),
    cmocka_unit_test(waits_for_bulk_stores_take_as_long_as_their_groups),
    cmocka_unit_test(a_store_of_a_whole_warp_takes_as_long_as_one_of_a_thread),
    cmocka_unit_test(a_copy_to_both_blocks_is_read_once),
    cmocka_unit_test(an_arrival_at_another_block_takes_longer),
    cmocka_unit_test(kernels_without_objects_are_not_simulated),
    cmocka_unit_test(too_many_moments_are_not_simulated_and_that_is_said),
    cmocka_unit_test(an_agenda_gives_the_earliest_and_of_equals_the_first),
};

HONE_TEST_MAIN(tests)
