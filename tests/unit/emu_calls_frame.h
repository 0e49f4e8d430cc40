/* What the suites of functions share. */
#ifndef EMU_CALLS_FRAME_H
#define EMU_CALLS_FRAME_H

#include "emu_kernel.h"

enum { THREADS = 32 };

// A text with functions before the kernel k(.u64 out); the body leaves %r0 to be stored at
// out[thread]. %t is the thread.
static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n%s\n"
    ".visible .entry k(.param .u64 out) {\n"
    ".reg .b32 %%r<9>, %%t; .reg .b64 %%x<9>; .reg .pred %%p<4>; .reg .f32 %%f<4>;\n"
    "mov.u32 %%t, %%tid.x; mov.u32 %%r0, 7; setp.lt.u32 %%p1, %%t, 5;\n"
    "%s\n"
    "ld.param.u64 %%x0, [out]; mad.wide.u32 %%x0, %%t, 4, %%x0;\n"
    "st.global.u32 [%%x0], %%r0; ret;\n}\n";

static char printed[4096];

static inline void keep_printed(void *context, const char *text, size_t len)
{
    (void)context;
    assert_true(strlen(printed) + len < sizeof printed);
    strncat(printed, text, len);
}

static inline bool load(struct emu *emu, const char *functions, const char *body)
{
    static char text[1 << 16];
    assert_true((size_t)snprintf(text, sizeof text, frame, functions, body) <
                sizeof text);
    return emu_load(emu, text, "k");
}

static inline void run(struct emu *emu, uint32_t out[THREADS])
{
    hone_devptr p = emu_buffer(emu, NULL, THREADS * 4);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, THREADS);
    launch.print = keep_printed;
    launch.check = true;
    launch.deadline_s = 1.0;
    printed[0] = '\0';
    emu_run(emu, &launch);
    emu_fetch(emu, out, p, THREADS * 4);
    emu->dev->fns->free(emu->dev, p);
}

// out[t] must be expected(t) for each thread.
static inline void check(const char *functions, const char *body,
                         uint32_t (*expected)(uint32_t))
{
    struct emu emu;
    uint32_t out[THREADS];
    emu_open(&emu);
    if (!load(&emu, functions, body)) fail_msg("%s: %s", body, emu.fault.reason);
    run(&emu, out);
    if (emu.fault.outcome != HONE_VALID) fail_msg("%s: %s", body, emu.fault.reason);
    for (uint32_t t = 0; t < THREADS; t++)
        assert_int_equal(out[t], expected(t));
    emu_close(&emu);
}

// ---- printf and assert ----

static const char declarations[] =
    ".extern .func (.param .b32 result) vprintf(.param .b64 f, .param .b64 v);\n"
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l,\n"
    ".param .b64 n, .param .b64 s);\n"
    ".global .align 1 .b8 text[3] = {104, 105, 0};\n";

// Print by format, whose values are t, -t, 2.5 t as a double, the text "hi".
static inline void print(struct emu *emu, const char *format, const char *guard,
                         uint32_t *out)
{
    char functions[8192], body[1024];
    int used =
        snprintf(functions, sizeof functions, "%s.global .align 1 .b8 format[%zu] = {",
                 declarations, strlen(format) + 1);
    for (const char *c = format; *c; c++)
        used += snprintf(functions + used, sizeof functions - (size_t)used, "%d, ", *c);
    snprintf(functions + used, sizeof functions - (size_t)used, "0};\n");
    snprintf(
        body, sizeof body,
        ".local .align 8 .b8 values[32];\n"
        "st.local.u32 [values], %%t; neg.s32 %%r1, %%t; st.local.u32 [values+4], "
        "%%r1;\ncvt.rn.f64.u32 %%x1, %%t; .reg .f64 %%d; mul.f64 %%d, %%x1, 2.5;\n"
        "st.local.f64 [values+8], %%d; mov.u64 %%x2, text; cvta.global.u64 %%x2, "
        "%%x2;\nst.local.u64 [values+16], %%x2; mov.u64 %%x3, format;\n"
        "cvta.global.u64 %%x3, %%x3; mov.u64 %%x4, values; cvta.local.u64 %%x4, %%x4;\n"
        "{ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %%x3;\n"
        "st.param.b64 [b], %%x4; st.param.b32 [c], 7; %s call.uni (c), vprintf, (a, b);\n"
        "ld.param.b32 %%r0, [c]; }",
        guard);
    if (!load(emu, functions, body)) fail_msg("%s", emu->fault.reason);
    run(emu, out);
    if (emu->fault.outcome != HONE_VALID) fail_msg("%s", emu->fault.reason);
}

#endif
