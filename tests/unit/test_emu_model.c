// What the prediction counts, on accesses whose cost is known by hand, and which way it
// moves.
#include "emu_kernel.h"

#include <math.h>

#include "emu_model.h"

static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p) {\n.reg .b32 %%t, %%a<8>; .reg .b64 %%x, %%y<4>;\n"
    ".reg .f32 %%f<4>; .shared .align 16 .b8 s[16384];\n"
    "ld.param.u64 %%x, [p]; mov.u32 %%t, %%tid.x; mov.u32 %%a0, s;\n%s\nret;\n}\n";

static struct hone_timing predict(const char *body, uint32_t grid, uint32_t threads)
{
    char text[4096];
    struct emu emu;
    struct hone_timing timing;
    struct emu_args args = {0};
    snprintf(text, sizeof text, frame, body);
    emu_open(&emu);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, 1 << 24);
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, grid, threads);
    assert_ok(emu.dev->fns->time(emu.dev, emu.module, &launch, &hone_time_policy_default,
                                 &timing, &emu.fault, &emu.err),
              emu.err);
    if (emu.fault.outcome != HONE_VALID) fail_msg("%s: %s", body, emu.fault.reason);
    emu_close(&emu);
    return timing;
}

static double metric_of(const char *body, const char *name)
{
    struct hone_timing timing = predict(body, 1, 32);
    for (uint32_t i = 0; i < timing.metric_count; i++)
        if (strcmp(timing.metrics[i].name, name) == 0) return timing.metrics[i].value;
    fail_msg("no metric %s", name);
    return 0.0;
}

static void check_wavefronts(const char *body, unsigned expected)
{
    assert_int_equal((int)metric_of(body, "shared_wavefronts"), (int)expected);
}

static void bank_conflicts_are_those_of_32_banks(void **state)
{
    (void)state;
    check_wavefronts("mad.lo.u32 %a1, %t, 4, %a0; ld.shared.u32 %a2, [%a1];", 1);
    check_wavefronts("ld.shared.u32 %a2, [%a0];", 1); // one word for all
    check_wavefronts("mad.lo.u32 %a1, %t, 8, %a0; ld.shared.u32 %a2, [%a1];", 2);
    check_wavefronts("mad.lo.u32 %a1, %t, 128, %a0; ld.shared.u32 %a2, [%a1];", 32);
    check_wavefronts("mad.lo.u32 %a1, %t, 132, %a0; ld.shared.u32 %a2, [%a1];",
                     1); // padded
    check_wavefronts("mad.lo.u32 %a1, %t, 8, %a0; st.shared.v2.u32 [%a1], {%t, %t};", 2);
    check_wavefronts("mad.lo.u32 %a1, %t, 16, %a0;\n"
                     "ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%a1];",
                     4);
}

static void check_sectors(const char *body, unsigned expected)
{
    assert_int_equal((int)metric_of(body, "global_sectors"), (int)expected);
}

static void sectors_are_of_32_bytes(void **state)
{
    (void)state;
    check_sectors("mad.wide.u32 %y0, %t, 4, %x; ld.global.u32 %a1, [%y0];", 4);
    check_sectors("ld.global.u32 %a1, [%x];", 1);
    check_sectors("mad.wide.u32 %y0, %t, 32, %x; ld.global.u32 %a1, [%y0];", 32);
    check_sectors("mad.wide.u32 %y0, %t, 4, %x; ld.global.u32 %a1, [%y0+16];", 5);
    check_sectors("mad.wide.u32 %y0, %t, 16, %x;\n"
                  "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%y0];",
                  16);
}

static void a_chain_takes_longer_than_independent_work(void **state)
{
    double chain = metric_of("ld.global.u64 %y0, [%x]; add.u64 %y0, %y0, %x;\n"
                             "ld.global.u64 %y1, [%y0]; add.u64 %y1, %y1, %x;",
                             "path_cycles");
    double apart = metric_of("ld.global.u64 %y0, [%x]; ld.global.u64 %y1, [%x+8];\n"
                             "add.u64 %y0, %y0, %y1;",
                             "path_cycles");
    (void)state;
    assert_true(apart > 400 && chain > apart + 400);
}

// Copies in flight cost their latency once, at the wait, not at each copy.
static void copies_overlap_until_their_wait(void **state)
{
    double cycles =
        metric_of("mad.lo.u32 %a1, %t, 16, %a0; mad.wide.u32 %y0, %t, 16, %x;\n"
                  "cp.async.cg.shared.global [%a1], [%y0], 16; cp.async.commit_group;\n"
                  "cp.async.cg.shared.global [%a1+512], [%y0+512], 16;\n"
                  "cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;",
                  "path_cycles");
    (void)state;
    assert_true(cycles > 479 && cycles < 2 * 479);
}

static struct hone_emu_counts some_counts(void)
{
    struct hone_emu_counts counts = {
        .issued = 10000, .load_sectors = 1000, .path_cycles = 5000};
    counts.by_class[HONE_EMU_FP32] = 8000;
    return counts;
}

static double time_of(const struct hone_emu_counts *counts, uint32_t grid, int occupancy,
                      const char *name)
{
    struct hone_gpu gpu;
    struct hone_emu_prediction prediction;
    const struct hone_emu_shape shape = {.grid = {grid, 1, 1},
                                         .blocks_per_sm = occupancy};
    assert_true(hone_gpu_find(&gpu, name));
    hone_emu_predict(&prediction, counts, &shape, &gpu);
    assert_true(isfinite(prediction.time_us) && prediction.time_us > 0);
    return prediction.time_us;
}

static void the_model_moves_the_right_way(void **state)
{
    struct hone_emu_counts counts = some_counts(), more = counts;
    (void)state;
    more.shared_wavefronts = 50000;
    assert_true(time_of(&more, 1000, 2, "h200") > time_of(&counts, 1000, 2, "h200"));
    assert_true(time_of(&counts, 2000, 2, "h200") > time_of(&counts, 1000, 2, "h200"));
    assert_true(time_of(&counts, 5000, 1, "h200") > time_of(&counts, 5000, 4, "h200"));
    assert_true(time_of(&counts, 5000, 2, "a4000") > time_of(&counts, 5000, 2, "h200"));
    // one block more than fits at once costs a wave
    double full = time_of(&counts, 132, 1, "h200"),
           tail = time_of(&counts, 133, 1, "h200");
    assert_true(tail > 1.5 * full);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bank_conflicts_are_those_of_32_banks),
    cmocka_unit_test(sectors_are_of_32_bytes),
    cmocka_unit_test(a_chain_takes_longer_than_independent_work),
    cmocka_unit_test(copies_overlap_until_their_wait),
    cmocka_unit_test(the_model_moves_the_right_way),
};

HONE_TEST_MAIN(tests)
