// Asynchronous copies at their two extremes, at once and at the wait: a correct kernel cannot tell,
// one that forgets its wait can.
#include "emu_kernel.h"

#include "device/emu.h"

enum { THREADS = 64 };

// Lane t copies 16 bytes of in + 16 t twice, to its place in tile and in next, as two groups.
static const char frame[] =
    ".version 9.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
    ".reg .b32 %%t, %%a<4>, %%s, %%n; .reg .b64 %%x, %%y; .reg .pred %%p;\n"
    ".shared .align 16 .b8 tile[1024]; .shared .align 16 .b8 next[1024];\n"
    "ld.param.u64 %%x, [in]; ld.param.u64 %%y, [out]; mov.u32 %%t, %%tid.x;\n"
    "mad.wide.u32 %%x, %%t, 16, %%x; mad.wide.u32 %%y, %%t, 8, %%y;\n"
    "mov.u32 %%s, tile; mov.u32 %%n, next; mad.lo.u32 %%s, %%t, 16, %%s;\n"
    "mad.lo.u32 %%n, %%t, 16, %%n;\n%s\n"
    "ld.shared.u32 %%a0, [%%s+4]; ld.shared.u32 %%a1, [%%n+4];\n"
    "st.global.v2.u32 [%%y], {%%a0, %%a1};\nret;\n}\n";

static void run(const char *body, enum hone_emu_copy_time when, uint32_t (*out)[2])
{
    static uint32_t in[THREADS][4];
    char text[4096];
    struct emu emu;
    for (uint32_t t = 0; t < THREADS; t++)
        for (uint32_t k = 0; k < 4; k++)
            in[t][k] = 100 * t + k;
    emu_open(&emu);
    hone_emu_set_copy_time(emu.dev, when);
    snprintf(text, sizeof text, frame, body);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr from = emu_buffer(&emu, in, sizeof in);
    hone_devptr to = emu_buffer(&emu, NULL, sizeof *out * THREADS);
    struct emu_args args = {0};
    EMU_ARG(args, from), EMU_ARG(args, to);
    struct hone_launch launch = emu_geometry(&args, 1, THREADS);
    if (!emu_run(&emu, &launch)) fail_msg("%s: %s", body, emu.fault.reason);
    emu_fetch(&emu, out, to, sizeof *out * THREADS);
    emu_close(&emu);
}

// What each thread finds in tile and in next: right, or 0 for nothing of the kind.
static void check(const char *body, enum hone_emu_copy_time when, bool first, bool second)
{
    static uint32_t out[THREADS][2];
    run(body, when, out);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t right = 100 * t + 1, wrong = UINT32_MAX;
        if (out[t][0] != (first ? right : wrong) || out[t][1] != (second ? right : wrong))
            fail_msg("%s: thread %u has 0x%x, 0x%x", body, t, out[t][0], out[t][1]);
    }
}

static const char waits[] =
    "cp.async.cg.shared.global [%s], [%x], 16; cp.async.commit_group;\n"
    "cp.async.ca.shared.global.L2::128B [%n], [%x], 16; cp.async.commit_group;\n"
    "cp.async.wait_group 0; bar.sync 0;";
static const char waits_for_one[] =
    "cp.async.cg.shared.global [%s], [%x], 16; cp.async.commit_group;\n"
    "cp.async.cg.shared.global [%n], [%x], 16; cp.async.commit_group;\n"
    "cp.async.wait_group 1; bar.sync 0;";
static const char never_commits[] =
    "cp.async.cg.shared.global [%s], [%x], 16; cp.async.commit_group;\n"
    "cp.async.cg.shared.global [%n], [%x], 16; cp.async.wait_group 0; bar.sync 0;";
static const char waits_for_all[] =
    "cp.async.cg.shared.global [%s], [%x], 16;\n"
    "cp.async.cg.shared.global [%n], [%x], 16; cp.async.wait_all; bar.sync 0;";

static void a_correct_kernel_cannot_tell_when_copies_are_made(void **state)
{
    (void)state;
    check(waits, HONE_EMU_COPY_EAGER, true, true);
    check(waits, HONE_EMU_COPY_LAZY, true, true);
    check(waits_for_all, HONE_EMU_COPY_EAGER, true, true);
    check(waits_for_all, HONE_EMU_COPY_LAZY, true, true);
}

static void a_missing_wait_is_seen_when_copies_are_late(void **state)
{
    (void)state;
    check(waits_for_one, HONE_EMU_COPY_EAGER, true, true);
    check(waits_for_one, HONE_EMU_COPY_LAZY, true, false);
    check(never_commits, HONE_EMU_COPY_LAZY, true, false);
}

static void bytes_past_the_source_size_become_zero(void **state)
{
    static const char body[] =
        "mov.u32 %a0, 4; cp.async.ca.shared.global [%s], [%x], 8, %a0;\n"
        "cp.async.ca.shared.global [%n], [%x+4], 4; cp.async.wait_all; bar.sync 0;\n"
        "ld.shared.u32 %a2, [%n]; st.shared.u32 [%n+4], %a2;";
    static uint32_t out[THREADS][2];
    (void)state;
    for (int when = HONE_EMU_COPY_EAGER; when <= HONE_EMU_COPY_LAZY; when++) {
        run(body, (enum hone_emu_copy_time)when, out);
        for (uint32_t t = 0; t < THREADS; t++) {
            assert_int_equal(out[t][0], 0);
            assert_int_equal(out[t][1], 100 * t + 1);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_correct_kernel_cannot_tell_when_copies_are_made),
    cmocka_unit_test(a_missing_wait_is_seen_when_copies_are_late),
    cmocka_unit_test(bytes_past_the_source_size_become_zero),
};

HONE_TEST_MAIN(tests)
