/* For tests of checked launches: a frame of a kernel, what is found in a body, and that
 * nothing is. */
#ifndef HONE_TEST_EMU_CHECK_H
#define HONE_TEST_EMU_CHECK_H

#include "emu_kernel.h"

/* A kernel of (.u64 p) with %x0 = p, %t0 = thread, %s0 = address of the thread's word of
 * the shared array s, whose address is %s1; the body's first line is line 10. */
static const char check_frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p) {\n"
    ".reg .b32 %%t<32>, %%s<8>; .reg .b64 %%x<8>; .reg .pred %%p<4>; .reg .b16 %%h<4>;\n"
    ".shared .align 16 .b8 s[4096]; .local .align 4 .b8 l[16];\n"
    "ld.param.u64 %%x0, [p]; mov.u32 %%t0, %%tid.x; mov.u32 %%s1, s;\n"
    "shl.b32 %%s0, %%t0, 2; add.u32 %%s0, %%s0, %%s1;\n"
    "setp.lt.u32 %%p0, %%t0, 32;\n"
    "%s\nret;\n}\n";

static inline void run_checked(const char *body, uint32_t grid, bool check,
                               struct hone_fault *out)
{
    struct emu emu;
    char text[4096];
    emu_open(&emu);
    snprintf(text, sizeof text, check_frame, body);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, 4096);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, grid, 64);
    launch.check = check;
    emu_run(&emu, &launch);
    *out = emu.fault;
    emu.dev->fns->free(emu.dev, p);
    emu_close(&emu);
}

static inline void check_finding_of(const char *body, uint32_t grid, const char *reason)
{
    struct hone_fault fault;
    run_checked(body, grid, true, &fault);
    assert_string_equal(fault.reason, reason);
    assert_int_equal(fault.outcome, HONE_WRONG_RESULT);
    run_checked(body, grid, false, &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
}

static inline void check_finding(const char *body, const char *reason)
{
    check_finding_of(body, 1, reason);
}

static inline void check_silence_of(const char *body, uint32_t grid)
{
    struct hone_fault fault;
    run_checked(body, grid, true, &fault);
    assert_string_equal(fault.reason, "");
    assert_int_equal(fault.outcome, HONE_VALID);
}

static inline void check_silence(const char *body)
{
    check_silence_of(body, 1);
}

#endif
