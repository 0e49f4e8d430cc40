/* For tests of bulk copies: a frame of a kernel, the ways in which one must come out
 * alike, and what becomes of memory. */
#ifndef HONE_TEST_EMU_BULK_H
#define HONE_TEST_EMU_BULK_H

#include "emu_kernel.h"

enum { BULK_WORDS = 1024 };

/* A kernel of (.u64 p), of 64 threads, with %x0 = p, %t0 = thread, %t1 = its lane, %s0 =
 * address of the shared array s (4096 bytes, at a multiple of 128), %p0 where the thread
 * is the first, %p1 where its warp is; b is an array of eight mbarrier objects behind it.
 * The body's first line is line 12. */
static const char bulk_frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p) {\n"
    ".reg .b32 %%t<32>; .reg .b32 %%s<8>; .reg .b64 %%x<16>; .reg .pred %%p<8>;\n"
    ".reg .b16 %%h<4>; .reg .f32 %%f<4>;\n"
    ".shared .align 128 .b8 s[4096]; .shared .align 8 .b64 b[8];\n"
    "ld.param.u64 %%x0, [p]; mov.u32 %%t0, %%tid.x; and.b32 %%t1, %%t0, 31;\n"
    "mov.u32 %%s0, s; setp.eq.u32 %%p0, %%t0, 0; setp.lt.u32 %%p1, %%t0, 32;\n"
    "shl.b32 %%t2, %%t1, 2; add.u32 %%s1, %%s0, %%t2;\n"
    "mul.wide.u32 %%x1, %%t0, 4; add.u64 %%x1, %%x1, %%x0;\n"
    "%s\nret;\n}\n";

struct bulk_way {
    const char *name;
    bool reversed, scattered, check;
    enum hone_emu_copy_time copies;
};
static const struct bulk_way bulk_ways[] = {
    {"as usual", .copies = HONE_EMU_COPY_EAGER},
    {"reversed", .reversed = true, .copies = HONE_EMU_COPY_EAGER},
    {"lanes apart", .scattered = true, .copies = HONE_EMU_COPY_EAGER},
    {"late", .copies = HONE_EMU_COPY_LAZY},
    {"late and reversed", .reversed = true, .copies = HONE_EMU_COPY_LAZY},
    {"checked", .check = true, .copies = HONE_EMU_COPY_EAGER},
    {"checked late", .check = true, .copies = HONE_EMU_COPY_LAZY},
    {"checked and drawn", .check = true, .copies = HONE_EMU_COPY_RANDOM},
    {"drawn", .copies = HONE_EMU_COPY_RANDOM},
    {"drawn and reversed", .reversed = true, .copies = HONE_EMU_COPY_RANDOM},
};
enum { BULK_WAYS = sizeof bulk_ways / sizeof *bulk_ways };

/* Runs a body; words: what becomes of BULK_WORDS words. */
static inline void bulk_run(const char *body, const struct bulk_way *way, uint32_t *words,
                            struct hone_fault *fault)
{
    char text[16384];
    struct emu emu;
    emu_open(&emu);
    hone_emu_set_copy_time(emu.dev, way->copies);
    hone_emu_set_reversed(emu.dev, way->reversed);
    hone_emu_set_scattered(emu.dev, way->scattered);
    const int n = snprintf(text, sizeof text, bulk_frame, body);
    assert_true(n > 0 && (size_t)n < sizeof text);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, words, BULK_WORDS * sizeof *words);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, 64);
    const struct hone_extent words_of = {
        .base = p, .bytes = BULK_WORDS * sizeof *words, .name = "words"};
    launch.check = way->check;
    launch.extents = &words_of;
    launch.extent_count = 1;
    emu_run(&emu, &launch);
    *fault = emu.fault;
    emu_fetch(&emu, words, p, BULK_WORDS * sizeof *words);
    emu.dev->fns->free(emu.dev, p);
    emu_close(&emu);
}

static inline void bulk_count_up(uint32_t *words)
{
    for (uint32_t k = 0; k < BULK_WORDS; k++)
        words[k] = 1000 + k;
}

/* Every way ends well and leaves the words wanted. */
static inline void bulk_check_ways(const char *body, const uint32_t *wanted)
{
    for (size_t k = 0; k < BULK_WAYS; k++) {
        uint32_t words[BULK_WORDS];
        struct hone_fault fault;
        bulk_count_up(words);
        bulk_run(body, &bulk_ways[k], words, &fault);
        if (fault.outcome != HONE_VALID)
            fail_msg("%s: %s", bulk_ways[k].name, fault.reason);
        for (uint32_t w = 0; w < BULK_WORDS; w++)
            if (words[w] != wanted[w])
                fail_msg("%s: word %u is %u, not %u", bulk_ways[k].name, w, words[w],
                         wanted[w]);
    }
}

#endif
