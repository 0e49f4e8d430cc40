// wgmma against mma.sync: what a warp group multiplies as one gives the bits that its warps
// get from products of 8 columns each, for every N and type, where all sums are exact. The
// two have handlers of their own, and PTX gives their registers one layout. Sums of 8-bit
// floats are cut as Hopper is reported to do, against an account of them in integers.
#include <stdlib.h>

#include "emu_wgmma.h"

enum { DEPTH_MOST = 256, A_REGS = 4, B_REGS = 2 };

static const struct wgmma_type f16 = {"f16", 16, 5, 10}, bf16 = {"bf16", 16, 8, 7},
                               tf32 = {"tf32", 32, 8, 10}, e4m3 = {"e4m3", 8, 4, 3},
                               e5m2 = {"e5m2", 8, 5, 2}, s8 = {"s8", 8, 0, 0},
                               u8 = {"u8", 8, 0, 0}, b1 = {"b1", 1, 0, 0};

// What both get: registers of A and D as each thread has them, of B as lanes of mma have
// them, 8 columns a time.
struct factors {
    struct wgmma_run run; // with B's image
    uint32_t b_regs[32][B_REGS][32];
    uint32_t d[MOST_REGS][GROUP]; // before; run.d: after
};

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

// A small number times 2^power, in bits of the type; tf32 has its own in the upper ones.
static uint32_t scaled_bits(const struct wgmma_type *type, int value, int power)
{
    const uint32_t bits = wgmma_bits(type, value);
    const int low = type->bits == 32 && type->mantissa == 10 ? 13 : 0;
    return type->exponent && value ? bits + ((uint32_t)power << (type->mantissa + low))
                                   : bits;
}

static uint32_t draw_element(const struct wgmma_type *type, uint32_t *state)
{
    const uint32_t random = next_random(state);
    // fp8 of wgmma keeps 13 bits of a sum
    const int power = type->bits > 8 ? (int)(random / 64 % 5) - 2 : 0;
    if (type->bits == 1) return random & 1;
    if (type == &u8) return random & 255;
    if (type == &s8) return (uint32_t)(int8_t)random & 255;
    return scaled_bits(type, (int)(random % 7) - 3, power);
}

// A sum that has been begun: D has f32, two f16, or an integer in a register.
static uint32_t draw_sum(const char *d, uint32_t *state)
{
    static const struct wgmma_type single = {"f32", 23, 8, 23};
    const int value = (int)(next_random(state) % 31) - 15;
    const int other = (int)(next_random(state) % 31) - 15;
    if (strcmp(d, "f32") == 0) return scaled_bits(&single, value, -2);
    if (strcmp(d, "f16") == 0)
        return wgmma_bits(&f16, value) | wgmma_bits(&f16, other) << 16;
    return (uint32_t)(value * 1000);
}

// 128 bits of a row of A (or a column of B) are four lanes' registers.
static void put_a(struct factors *f, int row, int k, uint32_t bits)
{
    const int at = k * f->run.shape->a->bits, lane = row % 8 * 4 + at % 128 / 32;
    f->run.a_regs[at / 128 * 2 + row % 16 / 8][row / 16 * 32 + lane] |= bits << at % 32;
}

static void put_b(struct factors *f, int column, int k, uint32_t bits,
                  const struct wgmma_layout *layout)
{
    const struct wgmma_type *type = f->run.shape->b;
    const int at = k * type->bits, lane = column % 8 * 4 + at % 128 / 32;
    f->b_regs[column / 8][at / 128][lane] |= bits << at % 32;
    if (type->bits == 1)
        f->run.image[wgmma_place(layout, column, k / 8, 1)] |= (uint8_t)(bits << k % 8);
    else
        memcpy(f->run.image + wgmma_place(layout, column, k, type->bits / 8), &bits,
               (size_t)type->bits / 8);
}

static struct factors *draw(const struct wgmma_shape *shape, uint32_t seed)
{
    struct factors *f = calloc(1, sizeof *f);
    const struct wgmma_layout layout = {
        .start = B_AT, .leading = 128, .stride = 256}; // core matrices of 8 x 16 bytes
    assert_non_null(f);
    f->run.shape = shape;
    f->run.sign_a = f->run.sign_b = 1;
    f->run.fragments = f->run.adds = true;
    f->run.b = wgmma_descriptor(&layout);
    for (int k = 0; k < shape->k; k++) {
        for (int row = 0; row < 64; row++)
            put_a(f, row, k, draw_element(shape->a, &seed));
        for (int column = 0; column < shape->n; column++)
            put_b(f, column, k, draw_element(shape->b, &seed), &layout);
    }
    for (int r = 0; r < wgmma_d_regs(shape); r++)
        for (int t = 0; t < GROUP; t++)
            f->run.d[r][t] = f->d[r][t] = draw_sum(shape->d, &seed);
    return f;
}

// ---- by mma.sync ----

static void put_mma(struct text *text, const struct wgmma_shape *s, int first)
{
    const bool half = strcmp(s->d, "f16") == 0, ends = strchr(s->d, '.') != NULL;
    const char *d = ends ? strchr(s->d, '.') + 1 : s->d;
    put(text, "mma.sync.aligned.m16n8k%d.row.col%s.%s.%s.%s.%s%s {", s->k,
        ends ? ".satfinite" : "", d, s->a->name, s->b->name, d,
        s->a->bits == 1 ? ".and.popc" : "");
    for (int r = 0; r < (half ? 2 : 4); r++)
        put(text, "%s%%d%d", r ? "," : "", first + r);
    put(text, "}, {%%a0,%%a1,%%a2,%%a3}, {%%b0,%%b1}, {");
    for (int r = 0; r < (half ? 2 : 4); r++)
        put(text, "%s%%d%d", r ? "," : "", first + r);
    put(text, "};\n");
}

static void put_mma_kernel(struct text *text, const struct wgmma_shape *s)
{
    const int each = strcmp(s->d, "f16") == 0 ? 2 : 4;
    put(text,
        ".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 d) {\n"
        ".reg .b32 %%d<128>, %%a<4>, %%b<2>, %%t<4>; .reg .b64 %%x<8>;\n"
        "ld.param.u64 %%x0, [a]; ld.param.u64 %%x1, [b]; ld.param.u64 %%x2, [d];\n"
        "mov.u32 %%t0, %%tid.x; and.b32 %%t1, %%t0, 31; mul.wide.u32 %%x3, %%t0, 4;\n"
        "add.u64 %%x0, %%x0, %%x3; add.u64 %%x2, %%x2, %%x3;\n"
        "mul.wide.u32 %%x4, %%t1, 4; add.u64 %%x1, %%x1, %%x4;\n");
    for (int r = 0; r < A_REGS; r++)
        put(text, "ld.global.b32 %%a%d, [%%x0+%d];\n", r, r * GROUP * 4);
    for (int r = 0; r < wgmma_d_regs(s); r++)
        put(text, "ld.global.b32 %%d%d, [%%x2+%d];\n", r, r * GROUP * 4);
    for (int n = 0; n < s->n / 8; n++) {
        for (int r = 0; r < B_REGS; r++)
            put(text, "ld.global.b32 %%b%d, [%%x1+%d];\n", r, (n * B_REGS + r) * 128);
        put_mma(text, s, n * each);
    }
    for (int r = 0; r < wgmma_d_regs(s); r++)
        put(text, "st.global.b32 [%%x2+%d], %%d%d;\n", r * GROUP * 4, r);
    put(text, "ret;\n}\n");
}

static void multiply_by_mma(struct factors *f)
{
    struct emu emu;
    struct text *text = calloc(1, sizeof *text);
    emu_open(&emu);
    put_mma_kernel(text, f->run.shape);
    if (!emu_load(&emu, text->of, "k")) fail_msg("%s", emu.fault.reason);
    const hone_devptr a = emu_buffer(&emu, f->run.a_regs, sizeof f->run.a_regs);
    const hone_devptr b = emu_buffer(&emu, f->b_regs, sizeof f->b_regs);
    const hone_devptr d = emu_buffer(&emu, f->d, sizeof f->d);
    struct emu_args args = {0};
    EMU_ARG(args, a), EMU_ARG(args, b), EMU_ARG(args, d);
    const struct hone_launch launch = emu_geometry(&args, 1, GROUP);
    if (!emu_run(&emu, &launch)) fail_msg("%s", emu.fault.reason);
    emu_fetch(&emu, f->d, d, sizeof f->d);
    emu_close(&emu);
    free(text);
}

// ---- all shapes ----

static void compare(const struct wgmma_shape *shape, uint32_t seed)
{
    static const struct way eager = {.copies = HONE_EMU_COPY_EAGER};
    struct factors *f = draw(shape, seed);
    struct hone_fault fault;
    multiply_by_mma(f);
    if (!wgmma_try(&f->run, &eager, &fault)) fail_msg("%s", fault.reason);
    for (int r = 0; r < wgmma_d_regs(shape); r++)
        for (int t = 0; t < GROUP; t++)
            if (f->run.d[r][t] != f->d[r][t])
                fail_msg("%s.%s.%s n%d: register %d of thread %d is 0x%x, by mma 0x%x",
                         shape->d, shape->a->name, shape->b->name, shape->n, r, t,
                         f->run.d[r][t], f->d[r][t]);
    free(f);
}

// N goes up by 8; for integers by 16 from 32 on.
static void compare_all_n(struct wgmma_shape shape)
{
    const bool floats = shape.d[0] == 'f';
    for (shape.n = 8; shape.n <= 256; shape.n += floats || shape.n < 32 ? 8 : 16)
        compare(&shape, 77u * (uint32_t)shape.n + (uint32_t)shape.k);
}

static void floats_give_equal_bits_at_every_n(void **state)
{
    (void)state;
    const struct wgmma_shape shapes[] = {
        {"f32", &f16, &f16, 0, 16},   {"f16", &f16, &f16, 0, 16},
        {"f32", &bf16, &bf16, 0, 16}, {"f32", &tf32, &tf32, 0, 8},
        {"f32", &e4m3, &e4m3, 0, 32}, {"f32", &e4m3, &e5m2, 0, 32},
        {"f32", &e5m2, &e4m3, 0, 32}, {"f32", &e5m2, &e5m2, 0, 32},
        {"f16", &e4m3, &e5m2, 0, 32}, {"f16", &e5m2, &e4m3, 0, 32},
    };
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        compare_all_n(shapes[k]);
}

static void integers_give_equal_bits_at_every_n(void **state)
{
    (void)state;
    const struct wgmma_shape shapes[] = {
        {"s32", &s8, &s8, 0, 32}, {"s32", &s8, &u8, 0, 32},  {"s32", &u8, &s8, 0, 32},
        {"s32", &u8, &u8, 0, 32}, {"s32", &b1, &b1, 0, 256},
    };
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        compare_all_n(shapes[k]);
    const struct wgmma_shape ends = {"satfinite.s32", &s8, &u8, 64, 32};
    compare(&ends, 5);
}

// ---- sums of 8-bit floats ----

enum { NARROW_N = 16, NARROW_K = 32, UNIT = 18 }; // terms are multiples of 2^-18

// A code of e4m3 as a multiple of 2^-9.
static int64_t e4m3_units(uint32_t code)
{
    const int64_t power = code >> 3 & 15, fraction = code & 7;
    const int64_t size = power ? (8 + fraction) << (power - 1) : fraction;
    return code & 128 ? -size : size;
}

static int64_t size_of(int64_t x)
{
    return x < 0 ? -x : x;
}

// The terms, cut at 2^-13 of the largest one's power of two, and their sum.
static double narrow_sum(const int64_t *terms, int count)
{
    int64_t most = 0, sum = 0, unit = 1;
    for (int k = 0; k < count; k++)
        most = size_of(terms[k]) > most ? size_of(terms[k]) : most;
    while (most >> 13 > 1)
        most >>= 1, unit <<= 1;
    for (int k = 0; k < count; k++)
        sum += terms[k] / unit; // toward zero
    return (double)(sum * unit) / (1 << UNIT);
}

struct narrow_problem {
    uint32_t a[64][NARROW_K], b[NARROW_N][NARROW_K]; // codes
    int64_t c[64][NARROW_N];                         // multiples of 2^-18
};

static uint32_t *d_register(struct factors *f, int row, int column)
{
    return &f->run.d[column / 8 * 4 + row % 16 / 8 * 2 + column % 2]
                    [row / 16 * 32 + row % 8 * 4 + column % 8 / 2];
}

static void check_narrow(const struct narrow_problem *p)
{
    static const struct wgmma_shape shape = {"f32", &e4m3, &e4m3, NARROW_N, NARROW_K};
    static const struct way checked = {.check = true, .copies = HONE_EMU_COPY_EAGER};
    const struct wgmma_layout layout = {.start = B_AT, .leading = 128, .stride = 256};
    struct factors *f = draw(&shape, 1);
    struct hone_fault fault;
    memset(f->run.a_regs, 0, sizeof f->run.a_regs);
    for (int k = 0; k < NARROW_K; k++) {
        for (int row = 0; row < 64; row++)
            put_a(f, row, k, p->a[row][k]);
        for (int column = 0; column < NARROW_N; column++)
            put_b(f, column, k, p->b[column][k], &layout);
    }
    for (int row = 0; row < 64; row++)
        for (int column = 0; column < NARROW_N; column++) {
            const float sum = (float)p->c[row][column] / (1 << UNIT);
            memcpy(d_register(f, row, column), &sum, sizeof sum);
        }
    if (!wgmma_try(&f->run, &checked, &fault)) fail_msg("%s", fault.reason);
    if (!strstr(f->run.report.fidelity, "wgmma of fp8 (sums of 13 bits)"))
        fail_msg("%s", f->run.report.fidelity);
    for (int row = 0; row < 64; row++)
        for (int column = 0; column < NARROW_N; column++) {
            int64_t terms[NARROW_K + 1] = {p->c[row][column]};
            float got;
            memcpy(&got, d_register(f, row, column), sizeof got);
            for (int k = 0; k < NARROW_K; k++)
                terms[k + 1] = e4m3_units(p->a[row][k]) * e4m3_units(p->b[column][k]);
            if ((double)got != narrow_sum(terms, NARROW_K + 1))
                fail_msg("(%d, %d) is %.9g, not %.9g", row, column, (double)got,
                         narrow_sum(terms, NARROW_K + 1));
        }
    free(f);
}

static void sums_of_8_bit_floats_keep_13_bits(void **state)
{
    (void)state;
    struct narrow_problem *p = calloc(1, sizeof *p);
    uint32_t random = 3;
    for (int round = 0; round < 20; round++) {
        const uint32_t mask = round % 2 ? 255 : 0xbf; // all sizes, or near ones
        for (int k = 0; k < NARROW_K; k++) {
            for (int row = 0; row < 64; row++)
                p->a[row][k] = next_random(&random) & mask;
            for (int column = 0; column < NARROW_N; column++)
                p->b[column][k] = next_random(&random) & mask;
            for (int row = 0; row < 64; row++)
                if ((p->a[row][k] & 127) == 127) p->a[row][k]--; // NaN
            for (int column = 0; column < NARROW_N; column++)
                if ((p->b[column][k] & 127) == 127) p->b[column][k]--;
        }
        for (int row = 0; row < 64; row++)
            for (int column = 0; column < NARROW_N; column++)
                p->c[row][column] = ((int64_t)next_random(&random) - 32768)
                                    << next_random(&random) % 16;
        check_narrow(p);
    }
    free(p);
}

// 31 terms of 2^-14 are lost beside 1, those of 2^-13 are not.
static void terms_below_13_bits_of_the_largest_are_lost(void **state)
{
    (void)state;
    struct narrow_problem *p = calloc(1, sizeof *p);
    for (int k = 0; k < NARROW_K; k++)
        for (int row = 0; row < 64; row++) {
            p->a[row][k] = k ? 0x04 : 0x38; // 2^-7, 1
            if (row < NARROW_N) p->b[row][k] = k ? row % 2 ? 0x08 : 0x04 : 0x38;
        }
    int64_t lost[NARROW_K + 1] = {0, 1 << UNIT}, kept[NARROW_K + 1] = {0, 1 << UNIT};
    for (int k = 2; k <= NARROW_K; k++)
        lost[k] = 1 << (UNIT - 14), kept[k] = 1 << (UNIT - 13);
    assert_true(narrow_sum(lost, NARROW_K + 1) == 1.0);
    assert_true(narrow_sum(kept, NARROW_K + 1) == 1.0 + 31.0 / 8192);
    check_narrow(p);
    free(p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sums_of_8_bit_floats_keep_13_bits),
    cmocka_unit_test(terms_below_13_bits_of_the_largest_are_lost),
    cmocka_unit_test(floats_give_equal_bits_at_every_n),
    cmocka_unit_test(integers_give_equal_bits_at_every_n),
};

HONE_TEST_MAIN(tests)
