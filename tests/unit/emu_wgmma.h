/* For tests of wgmma: a kernel of one product by a warp group, whose matrices lie in shared
 * memory as an image says that the test lays out by itself. */
#ifndef HONE_TEST_EMU_WGMMA_H
#define HONE_TEST_EMU_WGMMA_H

#include "emu_kernel.h"

enum { GROUP = 128, IMAGE = 96 * 1024, B_AT = 32 * 1024, MOST_REGS = 128 };

/* How a launch is emulated. */
struct way {
    bool check, reversed, lanes, base, own_places;
    enum hone_emu_copy_time copies;
};

struct wgmma_type {
    const char *name;
    int bits, exponent, mantissa; /* of a float; 0, 0: an integer */
};

struct wgmma_shape {
    const char *d; /* f32, f16, s32, or s32 with .satfinite before it */
    const struct wgmma_type *a, *b;
    int n, k;
};

/* A matrix in shared memory: PTX ISA 9.0, 9.7.15.5.1. */
struct wgmma_layout {
    int swizzle; /* bytes; 0: none */
    bool mn;     /* MN-major */
    int start, leading, stride;
};

/* The bits of a small whole number. */
static inline uint32_t wgmma_bits(const struct wgmma_type *type, int value)
{
    int power = 0;
    const int size = abs(value);
    if (type->exponent == 0)
        return (uint32_t)value & (uint32_t)((UINT64_C(1) << type->bits) - 1);
    if (value == 0) return 0;
    while (size >> (power + 1))
        power++;
    const int m = type->mantissa, bias = (1 << (type->exponent - 1)) - 1;
    const uint32_t fraction = (uint32_t)((size << m) >> power) & ((1U << m) - 1);
    const uint32_t sign = value < 0 ? 1U << (type->exponent + m) : 0;
    return (sign | (uint32_t)(power + bias) << m | fraction)
           << (type->bits == 32 ? 13 : 0); /* tf32 stands in the upper bits */
}

/* Where element k of row r is, as the tables of canonical layouts say; e: its bytes. */
static inline int wgmma_place(const struct wgmma_layout *layout, int r, int k, int e)
{
    const int per = 16 / e; /* elements of 16 bytes */
    const int w = layout->swizzle;
    int at = layout->start;
    if (!layout->mn && w == 0)
        at +=
            r % 8 * 16 + r / 8 * layout->stride + k / per * layout->leading + k % per * e;
    else if (!layout->mn)
        at += r % 8 * w + r / 8 * layout->stride + k * e;
    else if (w == 0)
        at +=
            r % per * e + r / per * layout->stride + k % 8 * 16 + k / 8 * layout->leading;
    else
        at += r % (w / e) * e + r / (w / e) * layout->leading + k % 8 * w +
              k / 8 * layout->stride;
    for (int bit = 0; w >> bit > 16; bit++) /* 32: one bit, 64: two, 128: three */
        if (at >> (7 + bit) & 1) at ^= 16 << bit;
    return at;
}

static inline uint64_t wgmma_descriptor(const struct wgmma_layout *layout)
{
    const int mode = layout->swizzle == 128  ? 1
                     : layout->swizzle == 64 ? 2
                     : layout->swizzle == 32 ? 3
                                             : 0;
    return (uint64_t)(layout->start >> 4) | (uint64_t)(layout->leading >> 4) << 16 |
           (uint64_t)(layout->stride >> 4) << 32 | (uint64_t)mode << 62;
}

/* What a test gives a launch and gets back. Registers: of each in turn, all threads. */
struct wgmma_run {
    const struct wgmma_shape *shape;
    uint64_t a, b;  /* descriptors */
    bool fragments; /* A is in registers */
    bool adds;
    int sign_a, sign_b; /* 1, -1 */
    bool mn_a, mn_b;
    bool unfenced;              /* without wgmma.fence */
    int copied;                 /* bytes of the image; 0: all */
    const char *before, *after; /* of the product, after it in place of commit and wait */
    bool sparse;                /* half of A is there: k is 64 bytes of B, not 32 */
    int selector;               /* of the lanes that have metadata */
    uint8_t image[IMAGE];
    uint32_t a_regs[5][GROUP], d[MOST_REGS][GROUP]; /* the last of A: metadata */
    struct hone_launch_report report;               /* afterwards */
};

static inline int wgmma_d_regs(const struct wgmma_shape *shape)
{
    return shape->n / (strcmp(shape->d, "f16") == 0 ? 4 : 2);
}

/* Text that grows. */
struct text {
    char of[32768];
    size_t used;
};
static inline void put(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void put(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text->used += (size_t)vsnprintf(text->of + text->used, sizeof text->of - text->used,
                                    format, args);
    va_end(args);
    assert_true(text->used < sizeof text->of);
}

/* "wgmma.mma_async... ;" */
static inline void put_product(struct text *text, const struct wgmma_run *run)
{
    const struct wgmma_shape *s = run->shape;
    const bool floats = strncmp(s->d, "f", 1) == 0;
    put(text, "wgmma.mma_async%s.sync.aligned.m64n%dk%d.%s.%s.%s",
        run->sparse ? ".sp" : "", s->n, s->k, s->d, s->a->name, s->b->name);
    put(text, "%s {", s->a->bits == 1 ? ".and.popc" : "");
    for (int r = 0; r < wgmma_d_regs(s); r++)
        put(text, "%s%%d%d", r ? "," : "", r);
    put(text, "}, %s, %%x4", run->fragments ? "{%a0,%a1,%a2,%a3}" : "%x3");
    if (run->sparse) put(text, ", %%a4, %d", run->selector);
    put(text, ", %%p1");
    if (floats) put(text, ", %d, %d", run->sign_a, run->sign_b);
    if (floats && s->a->bits == 16 && !run->fragments) put(text, ", %d", run->mn_a);
    if (floats && s->a->bits == 16) put(text, ", %d", run->mn_b);
    put(text, ";\n");
}

static inline void put_kernel(struct text *text, const struct wgmma_run *run)
{
    put(text,
        ".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 image, .param .u64 a, .param .u64 d,\n"
        ".param .u64 da, .param .u64 db, .param .u32 adds) {\n"
        ".reg .b32 %%d<128>, %%a<5>, %%t<8>; .reg .b64 %%x<12>; .reg .pred %%p<4>;\n"
        ".shared .align 1024 .b8 s[%d];\n",
        IMAGE);
    put(text,
        "ld.param.u64 %%x0, [image]; ld.param.u64 %%x1, [a]; ld.param.u64 %%x2, [d];\n"
        "ld.param.u64 %%x3, [da]; ld.param.u64 %%x4, [db]; ld.param.u32 %%t1, [adds];\n"
        "setp.ne.u32 %%p1, %%t1, 0; mov.u32 %%t0, %%tid.x;\n"
        "mul.wide.u32 %%x5, %%t0, 16; add.u64 %%x5, %%x5, %%x0;\n"
        "shl.b32 %%t2, %%t0, 4; mov.u32 %%t3, s; add.u32 %%t2, %%t2, %%t3;\n"
        "mov.u32 %%t4, 0;\n"
        "L: ld.global.v4.b32 {%%d0,%%d1,%%d2,%%d3}, [%%x5];\n"
        "st.shared.v4.b32 [%%t2], {%%d0,%%d1,%%d2,%%d3};\n"
        "add.u64 %%x5, %%x5, 2048; add.u32 %%t2, %%t2, 2048; add.u32 %%t4, %%t4, 2048;\n"
        "setp.lt.u32 %%p2, %%t4, %d; @%%p2 bra L;\n"
        "mul.wide.u32 %%x6, %%t0, 4; add.u64 %%x7, %%x1, %%x6; add.u64 %%x8, %%x2, "
        "%%x6;\n",
        run->copied ? run->copied : IMAGE);
    for (int r = 0; r < 5; r++)
        put(text, "ld.global.b32 %%a%d, [%%x7+%d];\n", r, r * GROUP * 4);
    for (int r = 0; r < wgmma_d_regs(run->shape); r++)
        put(text, "ld.global.b32 %%d%d, [%%x8+%d];\n", r, r * GROUP * 4);
    put(text, "fence.proxy.async; bar.sync 0;\n%s\n",
        run->unfenced ? "" : "wgmma.fence.sync.aligned;");
    if (run->before) put(text, "%s\n", run->before);
    put_product(text, run);
    put(text, "%s\n",
        run->after ? run->after
                   : "wgmma.commit_group.sync.aligned;\n"
                     "wgmma.wait_group.sync.aligned 0;");
    for (int r = 0; r < wgmma_d_regs(run->shape); r++)
        put(text, "st.global.b32 [%%x8+%d], %%d%d;\n", r * GROUP * 4, r);
    put(text, "ret;\n}\n");
}

static inline void set_way(struct emu *emu, const struct way *way)
{
    if (way->base) assert_true(hone_emu_set_executor(emu->dev, "base"));
    hone_emu_set_own_places(emu->dev, way->own_places);
    hone_emu_set_reversed(emu->dev, way->reversed);
    hone_emu_set_scattered(emu->dev, way->lanes);
    hone_emu_set_copy_time(emu->dev, way->copies);
}

/* True when it ran to the end: then run->d has the results. */
static inline bool wgmma_try(struct wgmma_run *run, const struct way *way,
                             struct hone_fault *fault)
{
    struct emu emu;
    struct text *text = calloc(1, sizeof *text);
    const uint32_t adds = run->adds;
    emu_open(&emu);
    set_way(&emu, way);
    put_kernel(text, run);
    if (!emu_load(&emu, text->of, "k")) fail_msg("%s", emu.fault.reason);
    hone_devptr image = emu_buffer(&emu, run->image, sizeof run->image);
    hone_devptr a = emu_buffer(&emu, run->a_regs, sizeof run->a_regs);
    hone_devptr d = emu_buffer(&emu, run->d, sizeof run->d);
    struct emu_args args = {0};
    EMU_ARG(args, image), EMU_ARG(args, a), EMU_ARG(args, d), EMU_ARG(args, run->a);
    EMU_ARG(args, run->b), EMU_ARG(args, adds);
    struct hone_launch launch = emu_geometry(&args, 1, GROUP);
    launch.check = way->check;
    launch.report = &run->report;
    const bool ran = emu_run(&emu, &launch);
    if (ran) emu_fetch(&emu, run->d, d, sizeof run->d);
    *fault = emu.fault;
    emu_close(&emu);
    free(text);
    return ran;
}

#endif
