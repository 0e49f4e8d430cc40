/* Rows of instructions, each held to a scalar oracle over edge values and random ones, with
 * all lanes running, and with some: lanes that do not run must keep what they had. */
#ifndef HONE_EMU_ROWS_H
#define HONE_EMU_ROWS_H

#include "emu_kernel.h"
#include "emu_oracle.h"

enum { THREADS = 256, BLOCKS = 16, COUNT = THREADS * BLOCKS };

struct row {
    const char *text; /* on %a32 .. %c64, %a16 ..; result in %d32, %d64, %d16 or %p */
    unsigned bits; /* of the result; 1: %p; 33, 65: a float, of which every NaN is one */
    uint64_t (*oracle)(uint64_t A, uint64_t B, uint64_t C);
};

#define a32 ((uint32_t)A)
#define b32 ((uint32_t)B)
#define c32 ((uint32_t)C)
#define sa  ((int32_t)a32)
#define sb  ((int32_t)b32)
#define a16 ((uint16_t)A)
#define b16 ((uint16_t)B)
#define fa  f32_of(A)
#define fb  f32_of(B)
#define fc  f32_of(C)
#define da  f64_of(A)
#define db  f64_of(B)
#define dc  f64_of(C)
#define SA  ((int64_t)A)
#define SB  ((int64_t)B)

// %a32 and %af hold the same bits, and so on; results start as 0x5a...; lanes that do not
// run keep that.
static const char kernel_text[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 lanes) {\n"
    ".reg .b16 %%a16, %%b16, %%c16, %%d16; .reg .b32 %%a32, %%b32, %%c32, %%d32, "
    "%%t<8>;\n"
    ".reg .b64 %%a64, %%b64, %%c64, %%d64, %%x<8>; .reg .f32 %%af, %%bf, %%cf, %%df;\n"
    ".reg .f64 %%ad, %%bd, %%cd, %%dd; .reg .pred %%p, %%q, %%r;\n"
    "mov.u32 %%t0, %%ctaid.x; mov.u32 %%t1, %%ntid.x; mov.u32 %%t2, %%tid.x;\n"
    "mad.lo.u32 %%t3, %%t0, %%t1, %%t2;\n"
    "ld.param.u64 %%x0, [in]; ld.param.u64 %%x1, [out]; ld.param.u32 %%t4, [lanes];\n"
    "mad.wide.u32 %%x2, %%t3, 24, %%x0; mad.wide.u32 %%x3, %%t3, 8, %%x1;\n"
    "ld.global.u64 %%a64, [%%x2]; ld.global.u64 %%b64, [%%x2+8];\n"
    "ld.global.u64 %%c64, [%%x2+16]; mov.b64 {%%a32, _}, %%a64; mov.b64 {%%b32, _}, "
    "%%b64;\n"
    "mov.b64 {%%c32, _}, %%c64; mov.b32 {%%a16, _}, %%a32; mov.b32 {%%b16, _}, %%b32;\n"
    "mov.b32 {%%c16, _}, %%c32;\n"
    "mov.b32 %%af, %%a32; mov.b32 %%bf, %%b32; mov.b32 %%cf, %%c32;\n"
    "mov.b64 %%ad, %%a64; mov.b64 %%bd, %%b64; mov.b64 %%cd, %%c64;\n"
    "mov.b64 %%d64, 0x5a5a5a5a5a5a5a5a; mov.b64 {%%d32, _}, %%d64;\n"
    "mov.b32 {%%d16, _}, %%d32; mov.b32 %%df, %%d32; mov.b64 %%dd, %%d64;\n"
    "setp.ne.s32 %%p, 0, 0; mov.u32 %%t5, %%laneid; shr.u32 %%t5, %%t4, %%t5;\n"
    "and.b32 %%t5, %%t5, 1; setp.eq.s32 %%r, %%t5, 0; @%%r bra SKIP;\n"
    "%s\nSKIP:\n%s\nst.global.b64 [%%x3], %%x4;\nret;\n}\n";

// bits as those of struct row.
static const char *result_text(const char *text, unsigned bits)
{
    bool is_float = strstr(text, "%df") || strstr(text, "%dd");
    switch (bits) {
    case 1:
        return "selp.b64 %x4, 1, 0, %p;";
    case 16:
        return "cvt.u64.u16 %x4, %d16;";
    case 64:
    case 65:
        return is_float ? "mov.b64 %x4, %dd;" : "mov.b64 %x4, %d64;";
    default:
        return is_float ? "mov.b32 %t6, %df; cvt.u64.u32 %x4, %t6;"
                        : "cvt.u64.u32 %x4, %d32;";
    }
}

/* clang-format off */
static const uint64_t edges[] = {
    0, 1, 2, 3, 5, 7, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7fff,
    0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
    0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x3f800000,
    0xbf800000, 0x3f000000, 0x3fc00000, 0x40490fdb, 0x00000001, 0x807fffff,
    0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
    0xffc12345, 0x7f800001, 0x33800000, 0x477fe000, 0x477ff000, 0x4f000000,
    0xcf000000, 0x3ff0000000000000, 0xbff8000000000000, 0x0000000000000001,
    0x000fffffffffffff, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000001,
    0x41dfffffffc00000, 0x36a0000000000000, 0x47efffffe0000000, 0x43e0000000000000,
    0x3e60000000000000, 0x0000c000};
/* clang-format on */

static void fill_inputs(uint64_t (*in)[3])
{
    uint64_t seed = 88172645463325252;
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17; // xorshift64
            uint64_t edge = edges[seed / 8 % (sizeof edges / sizeof *edges)];
            in[i][k] = seed % 8 < 5 ? edge : seed % 8 == 5 ? seed % 97 : seed;
        }
}

static uint64_t untouched(unsigned bits)
{
    uint64_t all = 0x5a5a5a5a5a5a5a5a;
    return bits == 1 ? 0 : bits == 16 ? all & 0xffff : bits < 64 ? all & UINT32_MAX : all;
}

static uint64_t normalised(unsigned bits, uint64_t value)
{
    if (bits == 65 && isnan(f64_of(value))) return 0x7ff8000000000000;
    return value;
}

static void run_text(struct emu *emu, const char *body, unsigned bits, uint32_t lanes,
                     uint64_t (*in)[3], uint64_t *out)
{
    char text[4096];
    snprintf(text, sizeof text, kernel_text, body, result_text(body, bits));
    if (!emu_load(emu, text, "k")) fail_msg("%s: %s", body, emu->fault.reason);
    hone_devptr from = emu_buffer(emu, in, sizeof *in * COUNT);
    hone_devptr to = emu_buffer(emu, NULL, sizeof *out * COUNT);
    struct emu_args args = {0};
    EMU_ARG(args, from), EMU_ARG(args, to), EMU_ARG(args, lanes);
    struct hone_launch launch = emu_geometry(&args, BLOCKS, THREADS);
    if (!emu_run(emu, &launch)) fail_msg("%s: %s", body, emu->fault.reason);
    emu_fetch(emu, out, to, sizeof *out * COUNT);
    emu->dev->fns->free(emu->dev, from);
    emu->dev->fns->free(emu->dev, to);
}

static void check_value(const char *text, const uint64_t *in, uint64_t value,
                        uint64_t expected)
{
    if (value != expected)
        fail_msg("%s of 0x%llx 0x%llx 0x%llx is 0x%llx, should be 0x%llx", text,
                 (unsigned long long)in[0], (unsigned long long)in[1],
                 (unsigned long long)in[2], (unsigned long long)value,
                 (unsigned long long)expected);
}

static void check_row(struct emu *emu, const struct row *row, uint64_t (*in)[3],
                      uint32_t lanes)
{
    static uint64_t out[COUNT];
    run_text(emu, row->text, row->bits, lanes, in, out);
    for (int i = 0; i < COUNT; i++) {
        uint64_t expected = lanes >> i % 32 & 1
                                ? row->oracle(in[i][0], in[i][1], in[i][2])
                                : untouched(row->bits);
        check_value(row->text, in[i], normalised(row->bits, out[i]),
                    normalised(row->bits, expected));
    }
}

static inline void check_rows(const struct row *rows, size_t count)
{
    static uint64_t in[COUNT][3];
    struct emu emu;
    emu_open(&emu);
    fill_inputs(in);
    for (size_t i = 0; i < count; i++) {
        check_row(&emu, &rows[i], in, UINT32_MAX);
        check_row(&emu, &rows[i], in, 0x50f3cc81);
    }
    emu_close(&emu);
}

// A list X(name, text, bits, expression) makes an oracle a row, and a table of rows.
#define ORACLE(name, text, bits, expression)                                             \
    static uint64_t oracle_##name(uint64_t A, uint64_t B, uint64_t C)                    \
    {                                                                                    \
        (void)A, (void)B, (void)C;                                                       \
        return (uint64_t)(expression);                                                   \
    }

#define ROW(name, text, bits, expression) {text, bits, oracle_##name},
#define CHECK(list)                                                                      \
    static const struct row rows[] = {list(ROW)};                                        \
    (void)state;                                                                         \
    check_rows(rows, sizeof rows / sizeof *rows)

#endif
