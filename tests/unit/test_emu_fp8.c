// 8-bit floats against a table of their values (Micikevicius et al., FP8 Formats for Deep
// Learning, 2022, table 1; PTX ISA 9.0, cvt): every f16 and the singles beside each tie to
// e4m3 and e5m2, and each of these back, in every form that PTX has.
#include "emu_kernel.h"

#include <math.h>

enum { THREADS = 256, BLOCKS = 256, COUNT = THREADS * BLOCKS };
enum { SIGN = 0x80, NOT_A_NUMBER = 0x7f };

struct format {
    const char *name;
    int fraction, bias;
    uint32_t largest; // finite
};
static const struct format formats[] = {{"e4m3", 3, 7, 0x7e}, {"e5m2", 2, 15, 0x7b}};

static double value_of(const struct format *f, uint32_t bits)
{
    uint32_t magnitude = bits & 127, exponent = magnitude >> f->fraction;
    double fraction = (double)(magnitude & ((1U << f->fraction) - 1)), x;
    if (magnitude > f->largest) {
        bool infinite = f->bias == 15 && magnitude == 0x7c;
        x = infinite ? (double)INFINITY : (double)NAN;
    } else if (exponent == 0) {
        x = fraction * pow(2.0, 1 - f->bias - f->fraction);
    } else {
        x = (1.0 + fraction * pow(2.0, -f->fraction)) * pow(2.0, (int)exponent - f->bias);
    }
    return bits & SIGN ? -x : x;
}

static double half_value(uint32_t bits)
{
    double fraction = (double)(bits & 1023) / 1024;
    int exponent = (int)(bits >> 10 & 31);
    double x = exponent == 31 ? bits & 1023 ? (double)NAN : (double)INFINITY
               : exponent     ? (1.0 + fraction) * pow(2.0, exponent - 15)
                              : fraction * pow(2.0, -14);
    return bits & 0x8000 ? -x : x;
}

// The value of the table that is nearest, of two the even one; none beyond the largest.
static uint32_t nearest(const struct format *f, double x, bool relu)
{
    const double largest = value_of(f, f->largest);
    uint32_t best = 0;
    if (isnan(x)) return NOT_A_NUMBER;
    if (relu && signbit(x)) return 0;
    for (uint32_t bits = 0; bits <= f->largest; bits++) {
        double off = fabs(fmin(fabs(x), largest) - value_of(f, bits));
        double least = fabs(fmin(fabs(x), largest) - value_of(f, best));
        if (off < least || (off <= least && bits % 2 == 0)) best = bits;
    }
    return signbit(x) ? best | SIGN : best;
}

// ---- runs ----

// Each thread has a word %r0 and leaves a word %r1; A is the form.
static void run_form(const char *body, const uint32_t *in, uint32_t *out)
{
    static const char frame[] =
        ".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 p) {\n"
        ".reg .b32 %%r<8>; .reg .b64 %%x<4>; .reg .b16 %%h<4>; .reg .f32 %%f<4>;\n"
        "mov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%tid.x; mov.u32 %%r4, %%ntid.x;\n"
        "mad.lo.u32 %%r3, %%r2, %%r4, %%r3; ld.param.u64 %%x0, [p];\n"
        "mad.wide.u32 %%x0, %%r3, 4, %%x0; ld.global.u32 %%r0, [%%x0];\n"
        "mov.b32 %%f0, %%r0; neg.f32 %%f1, %%f0; mov.b32 {%%h0, %%h1}, %%r0;\n"
        "%s\nst.global.u32 [%%x0], %%r1;\nret;\n}\n";
    struct emu emu;
    char text[2048];
    emu_open(&emu);
    snprintf(text, sizeof text, frame, body);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, in, COUNT * sizeof *in);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, BLOCKS, THREADS);
    if (!emu_run(&emu, &launch)) fail_msg("%s: %s", body, emu.fault.reason);
    emu_fetch(&emu, out, p, COUNT * sizeof *out);
    emu_close(&emu);
}

static void check_form(const char *body, const uint32_t *in, const uint32_t *expected)
{
    static uint32_t out[COUNT];
    run_form(body, in, out);
    for (size_t i = 0; i < COUNT; i++)
        if (out[i] != expected[i])
            fail_msg("%s of 0x%08x is 0x%08x, expected 0x%08x", body, in[i], out[i],
                     expected[i]);
}

static uint32_t in[COUNT], expected[COUNT];

static void every_half_becomes_the_nearest(void **state)
{
    (void)state;
    for (size_t n = 0; n < 4; n++) {
        const struct format *f = &formats[n / 2];
        bool relu = n % 2;
        char body[128];
        for (uint32_t i = 0; i < COUNT; i++) { // halves that differ, each in both places
            uint32_t high = (i * 40503U + 17) & 0xffff;
            in[i] = high << 16 | i;
            expected[i] =
                nearest(f, half_value(high), relu) << 8 | nearest(f, half_value(i), relu);
        }
        snprintf(body, sizeof body,
                 "cvt.rn.satfinite.%s%sx2.f16x2 %%h2, %%r0; cvt.u32.u16 %%r1, %%h2;",
                 relu ? "relu." : "", f->name);
        check_form(body, in, expected);
    }
}

// Singles: each tie and each value of the format with the ones beside it, then the halves.
static float single_at(const struct format *f, uint32_t i)
{
    static const float edges[] = {INFINITY, NAN, 0x1p-149F, 0x1p127F, 0x1p-126F, 0.0F};
    uint32_t bits = i / 8 % 128, where = i % 8;
    double low = value_of(f, bits), high = value_of(f, bits + 1);
    if (i >= 1024) return (float)half_value(i);
    if (bits >= f->largest || where == 6) return edges[(i + bits) % 6];
    float at = (float)(where < 3 ? low : (low + high) / 2);
    if (where == 7) return (float)(low * 0.25 + high * 0.75);
    return where % 3 == 0 ? at : nextafterf(at, where % 3 == 1 ? INFINITY : -INFINITY);
}

static void every_single_becomes_the_nearest(void **state)
{
    (void)state;
    for (size_t n = 0; n < 4; n++) {
        const struct format *f = &formats[n / 2];
        bool relu = n % 2;
        char body[128];
        for (uint32_t i = 0; i < COUNT; i++) {
            float x = single_at(f, i);
            memcpy(&in[i], &x, sizeof x);
            expected[i] = nearest(f, (double)x, relu) << 8 | nearest(f, -(double)x, relu);
        }
        snprintf(body, sizeof body,
                 "cvt.rn.satfinite.%s%sx2.f32 %%h2, %%f0, %%f1; cvt.u32.u16 %%r1, %%h2;",
                 relu ? "relu." : "", f->name);
        check_form(body, in, expected);
    }
}

static uint32_t half_of(double x, bool relu)
{
    int exponent;
    if (isnan(x)) return 0x7fff;
    if (relu && signbit(x)) return 0;
    uint32_t sign = signbit(x) ? 0x8000 : 0;
    if (isinf(x)) return sign | 0x7c00;
    double fraction = frexp(fabs(x), &exponent); // every value of 8 bits is a half
    if (fraction <= 0) return sign;
    if (exponent < -13) return sign | (uint32_t)ldexp(fabs(x), 24);
    return sign | (uint32_t)(exponent + 14) << 10 | (uint32_t)ldexp(fraction - 0.5, 11);
}

static void every_byte_becomes_its_half(void **state)
{
    (void)state;
    for (size_t n = 0; n < 4; n++) {
        const struct format *f = &formats[n / 2];
        bool relu = n % 2;
        char body[128];
        for (uint32_t i = 0; i < COUNT; i++) { // all pairs
            in[i] = i;
            expected[i] = half_of(value_of(f, i >> 8), relu) << 16 |
                          half_of(value_of(f, i & 255), relu);
        }
        snprintf(body, sizeof body, "cvt.rn.%sf16x2.%sx2 %%r1, %%h0;",
                 relu ? "relu." : "", f->name);
        check_form(body, in, expected);
    }
}

static void forms_that_ptx_lacks_are_refused(void **state)
{
    static const char *const forms[] = {
        "cvt.rz.satfinite.e4m3x2.f32 %h2, %f0, %f1;",
        "cvt.rn.e4m3x2.f32 %h2, %f0, %f1;",
        "cvt.rn.e5m2x2.f16x2 %h2, %r0;",
        "cvt.satfinite.e5m2x2.f16x2 %h2, %r0;",
        "cvt.rz.f16x2.e4m3x2 %r1, %h0;",
        "cvt.rn.satfinite.e4m3x2.e5m2x2 %h2, %h0;",
        "cvt.rn.satfinite.f32.e4m3x2 %f2, %h0;",
        "cvt.rn.satfinite.e4m3.f32 %h2, %f0;",
    };
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct emu emu;
        char text[512];
        emu_open(&emu);
        snprintf(text, sizeof text,
                 ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k() {\n"
                 ".reg .b32 %%r<4>; .reg .b16 %%h<4>; .reg .f32 %%f<4>;\n%s\nret;\n}\n",
                 forms[i]);
        if (emu_load(&emu, text, "k")) fail_msg("%s is taken", forms[i]);
        emu_close(&emu);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_half_becomes_the_nearest),
    cmocka_unit_test(every_single_becomes_the_nearest),
    cmocka_unit_test(every_byte_becomes_its_half),
    cmocka_unit_test(forms_that_ptx_lacks_are_refused),
};

HONE_TEST_MAIN(tests)
