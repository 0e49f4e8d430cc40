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
    ".reg .b32 %%t<32>, %%s<8>; .reg .b64 %%x<8>; .reg .pred %%p<5>; .reg .b16 %%h<4>;\n"
    ".shared .align 16 .b8 s[4096]; .local .align 4 .b8 l[16];\n"
    "ld.param.u64 %%x0, [p]; mov.u32 %%t0, %%tid.x; mov.u32 %%s1, s;\n"
    "shl.b32 %%s0, %%t0, 2; add.u32 %%s0, %%s0, %%s1;\n"
    "setp.lt.u32 %%p0, %%t0, 32;\n"
    "%s\nret;\n}\n";

static inline void run_checked_grid(const char *body, const uint32_t grid[3], bool check,
                                    struct hone_fault *out)
{
    struct emu emu;
    char text[8192];
    emu_open(&emu);
    snprintf(text, sizeof text, check_frame, body);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, 4096);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, 64);
    memcpy(launch.grid, grid, sizeof launch.grid);
    launch.check = check;
    emu_run(&emu, &launch);
    *out = emu.fault;
    emu.dev->fns->free(emu.dev, p);
    emu_close(&emu);
}

static inline void run_checked(const char *body, uint32_t grid, bool check,
                               struct hone_fault *out)
{
    const uint32_t line[3] = {grid, 1, 1};
    run_checked_grid(body, line, check, out);
}

static inline void check_finding_kind(const char *body, uint32_t grid,
                                      enum hone_finding finding)
{
    struct hone_fault fault;
    run_checked(body, grid, true, &fault);
    if (fault.finding != finding)
        fail_msg("%s: %s", hone_finding_name(fault.finding), fault.reason);
    assert_int_equal(fault.outcome, HONE_WRONG_RESULT);
}

// A load whose value nobody uses races with nobody: let what is loaded decide whether the
// last word of p is written. Each load is used in its own line.
static inline void use_loads(char *out, size_t size, const char *body)
{
    size_t used = 0;
    while (*body) {
        const char *end = strchr(body, ';');
        const size_t length = end ? (size_t)(end - body) + 1 : strlen(body);
        char statement[256], guard[16] = "", first[16];
        snprintf(statement, sizeof statement, "%.*s", (int)length, body);
        used += (size_t)snprintf(out + used, size - used, "%s", statement);
        const char *at = strchr(statement, '@'), *load = strstr(statement, "ld");
        const char *target = load ? strpbrk(load, " ") : NULL;
        if (at && load)
            snprintf(guard, sizeof guard, "%.*s", (int)(strcspn(at, " ")), at);
        if (target && (load == statement || strchr(" \n", load[-1]))) {
            target += strspn(target, " {");
            snprintf(first, sizeof first, "%.*s", (int)strcspn(target, ",}"), target);
            used +=
                (size_t)snprintf(out + used, size - used,
                                 " setp.ne.u32 %%p4, %%t0, %%t0; %s setp.eq.u32 %%p4, "
                                 "%s, 0x5eed; @%%p4 st.global.u32 [%%x0+4092], 1;",
                                 guard, first);
        }
        body += length;
    }
}

static inline void check_finding_of(const char *body, uint32_t grid, const char *reason)
{
    struct hone_fault fault;
    char text[4096];
    const bool unwritten = strncmp(reason, "a value", 7) == 0;
    if (!unwritten) use_loads(text, sizeof text, body);
    run_checked(unwritten ? body : text, grid, true, &fault);
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
