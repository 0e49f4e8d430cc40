/* Kernels of one block in which each thread writes one word, compared with what the host
 * computes. */
#ifndef HONE_EMU_WORDS_H
#define HONE_EMU_WORDS_H

#include "emu_kernel.h"

enum { MOST_THREADS = 1024 };

typedef uint32_t expected_word(uint32_t thread);

/* A kernel that leaves its result in %r (32 bits); %t is the thread, %x the output's
 * address. */
static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n%s\n"
    ".visible .entry k(.param .u64 out) {\n"
    ".reg .b32 %%t, %%r, %%a<16>; .reg .b64 %%x, %%y<8>; .reg .pred %%p<8>;\n"
    ".reg .b16 %%h<4>; .reg .f32 %%f<8>; .reg .f64 %%d<4>;\n"
    "ld.param.u64 %%x, [out]; mov.u32 %%t, %%tid.x; mad.wide.u32 %%x, %%t, 4, %%x;\n"
    "mov.u32 %%r, 0;\n%s\nst.global.u32 [%%x], %%r;\nret;\n}\n";

static void run_words(struct emu *emu, const char *globals, const char *body,
                      uint32_t threads, uint32_t *out)
{
    char text[8192];
    snprintf(text, sizeof text, frame, globals, body);
    if (!emu_load(emu, text, "k")) fail_msg("%s: %s", body, emu->fault.reason);
    hone_devptr p = emu_buffer(emu, NULL, threads * sizeof *out);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, threads);
    launch.shared_bytes = 4096;
    if (!emu_run(emu, &launch)) fail_msg("%s: %s", body, emu->fault.reason);
    emu_fetch(emu, out, p, threads * sizeof *out);
}

static inline void check(const char *globals, const char *body, uint32_t threads,
                         expected_word *expected)
{
    static uint32_t out[MOST_THREADS];
    struct emu emu;
    emu_open(&emu);
    run_words(&emu, globals, body, threads, out);
    for (uint32_t t = 0; t < threads; t++)
        if (out[t] != expected(t))
            fail_msg("%s: thread %u has 0x%x, should have 0x%x", body, t, out[t],
                     expected(t));
    emu_close(&emu);
}

#endif
