// Operations on f16, bf16, their pairs, tf32 and 8-bit floats against an oracle that searches all
// values of the type for the nearest one, over edge values and random ones.
#include "emu_kernel.h"

#include <math.h>

enum { THREADS = 256, BLOCKS = 16, COUNT = THREADS * BLOCKS };

struct format {
    int e, m;
    bool infinite; /* has infinities */
};
static const struct format f16 = {5, 10, true}, bf16 = {8, 7, true};
static const struct format e4m3 = {4, 3, false}, e5m2 = {5, 2, true};

static double value_of(uint32_t bits, struct format f)
{
    int exponent = (int)(bits >> f.m) & ((1 << f.e) - 1), bias = (1 << (f.e - 1)) - 1;
    uint32_t fraction = bits & ((1U << f.m) - 1), all = (1U << f.m) - 1;
    double x = exponent ? ldexp(1.0 + ldexp(fraction, -f.m), exponent - bias)
                        : ldexp(fraction, 1 - bias - f.m);
    bool top = exponent == (1 << f.e) - 1;
    if (top && f.infinite) x = fraction ? (double)NAN : (double)INFINITY;
    if (top && !f.infinite && fraction == all) x = (double)NAN;
    return bits >> (f.e + f.m) & 1 ? -x : x;
}

// The sign of x + y - z, exactly: the two that are farthest from zero are taken together first.
static int side(double x, double y, double z)
{
    double v[3] = {x, y, -z};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (fabs(v[k]) < fabs(v[k + 1])) {
                double t = v[k];
                v[k] = v[k + 1], v[k + 1] = t;
            }
    long double sum = (long double)v[0] + (long double)v[1];
    return sum > -(long double)v[2] ? 1 : sum < -(long double)v[2] ? -1 : 0;
}

// |x + y| to nearest, ties to even; finite: too much becomes the largest value.
static uint32_t nearest(double x, double y, struct format f, bool finite)
{
    uint32_t nan = (1U << (f.e + f.m)) - 1, end = ((1U << f.e) - 1) << f.m;
    uint32_t low = 0, high = f.infinite ? end : nan, sign_bit = 1U << (f.e + f.m);
    if (!(x + y == x + y)) return f.e + f.m == 15 ? 0x7fff : 0x7f;
    bool minus = signbit(x + y);
    uint32_t sign = minus ? sign_bit : 0;
    if (minus) x = -x, y = -y;
    if (isinf(x + y) && (isinf(x) || isinf(y))) return sign | (finite ? high - 1 : high);
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (side(x, y, value_of(middle, f)) >= 0)
            low = middle;
        else
            high = middle;
    }
    double step =
        ldexp(1.0, (int)(low >> f.m ? low >> f.m : 1) - (1 << (f.e - 1)) + 1 - f.m);
    int above = side(x, y, value_of(low, f) + step / 2);
    uint32_t bits = above > 0 || (above == 0 && (low & 1)) ? low + 1 : low;
    if (finite && bits >= (f.infinite ? end : nan)) bits = (f.infinite ? end : nan) - 1;
    return sign | bits;
}

static uint32_t pair(uint32_t low, uint32_t high)
{
    return (high & 0xffff) << 16 | (low & 0xffff);
}

static float single(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t single_bits(double x)
{
    float y = (float)x;
    uint32_t bits;
    memcpy(&bits, &y, sizeof bits);
    return isnan(x) ? 0x7fffffff : bits;
}

static double smaller(double x, double y)
{
    if (isnan(x)) return y;
    if (isnan(y)) return x;
    if (x == y) return signbit(x) ? x : y;
    return x < y ? x : y;
}

static double clamp01(double x)
{
    return isnan(x) || x <= 0 ? 0.0 : x > 1 ? 1.0 : x;
}

static double flushed(double x)
{
    return fabs(x) < 0x1p-14 ? copysign(0.0, x) : x;
}

static uint32_t flushed_bits(uint32_t bits)
{
    return bits & 0x7c00 ? bits : bits & 0x8000;
}

static uint32_t relu(uint32_t bits)
{
    return bits & 0x8000 ? 0 : bits;
}

static uint32_t tf32_away(uint32_t bits)
{
    if (isnan(single(bits))) return 0x7fffffff;
    return (bits + 0x1000) & 0xffffe000;
}

static uint32_t tf32_even(uint32_t bits)
{
    if (isnan(single(bits))) return 0x7fffffff;
    return (bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000;
}

#define HA       value_of(A & 0xffff, f16)
#define HB       value_of(B & 0xffff, f16)
#define HC       value_of(C & 0xffff, f16)
#define TA       value_of(A >> 16, f16)
#define TB       value_of(B >> 16, f16)
#define TC       value_of(C >> 16, f16)
#define BA       value_of(A & 0xffff, bf16)
#define BB       value_of(B & 0xffff, bf16)
#define BC       value_of(C & 0xffff, bf16)
#define UA       value_of(A >> 16, bf16)
#define UB       value_of(B >> 16, bf16)
#define UC       value_of(C >> 16, bf16)
#define H(...)   nearest(__VA_ARGS__, f16, false)
#define G(...)   nearest(__VA_ARGS__, bf16, false)
#define FA       ((double)single(A))
#define FB       ((double)single(B))
#define ALONE(x) x, copysign(0.0, x) /* a sum that is x, signed as it is */

/* clang-format off */
#define ROWS(X)                                                                           \
    X(add_h, "add.f16 %h3, %h0, %h1;", H(HA, HB))                                         \
    X(add_rn, "add.rn.f16 %h3, %h0, %h1;", H(HA, HB))                                     \
    X(add_h2, "add.f16x2 %d, %a, %b;", pair(H(HA, HB), H(TA, TB)))                        \
    X(add_ftz, "add.ftz.f16 %h3, %h0, %h1;", flushed_bits(H(flushed(HA), flushed(HB))))   \
    X(add_sat, "add.sat.f16 %h3, %h0, %h1;",                                              \
      isnan(HA + HB) || HA + HB <= 0 ? 0 : HA + HB > 1 ? 0x3c00 : H(HA, HB))              \
    X(sub_h, "sub.f16 %h3, %h0, %h1;", H(HA, -HB))                                        \
    X(sub_h2, "sub.f16x2 %d, %a, %b;", pair(H(HA, -HB), H(TA, -TB)))                      \
    X(mul_h, "mul.f16 %h3, %h0, %h1;", H(ALONE(HA * HB)))                                 \
    X(mul_h2, "mul.rn.f16x2 %d, %a, %b;", pair(H(ALONE(HA * HB)), H(ALONE(TA * TB))))     \
    X(mul_sat, "mul.sat.f16 %h3, %h0, %h1;", H(ALONE(clamp01(HA * HB))))                  \
    X(fma_h, "fma.rn.f16 %h3, %h0, %h1, %h2;", H(HA * HB, HC))                            \
    X(fma_h2, "fma.rn.f16x2 %d, %a, %b, %c;", pair(H(HA * HB, HC), H(TA * TB, TC)))       \
    X(fma_relu, "fma.rn.relu.f16 %h3, %h0, %h1, %h2;", relu(H(HA * HB, HC)))              \
    X(fma_sat, "fma.rn.sat.f16 %h3, %h0, %h1, %h2;",                                      \
      isnan(HA * HB + HC) || HA * HB + HC <= 0 ? 0                                        \
      : HA * HB + HC > 1 ? 0x3c00 : H(HA * HB, HC))                                       \
    X(neg_h, "neg.f16 %h3, %h0;", (A ^ 0x8000) & 0xffff)                                  \
    X(neg_h2, "neg.f16x2 %d, %a;", A ^ 0x80008000)                                        \
    X(abs_h, "abs.f16 %h3, %h0;", A & 0x7fff)                                             \
    X(abs_ftz, "abs.ftz.f16 %h3, %h0;", flushed_bits(A & 0x7fff))                         \
    X(min_h, "min.f16 %h3, %h0, %h1;", H(ALONE(smaller(HA, HB))))                         \
    X(max_h, "max.f16 %h3, %h0, %h1;", H(ALONE(-smaller(-HA, -HB))))                      \
    X(min_nan, "min.NaN.f16 %h3, %h0, %h1;",                                              \
      isnan(HA + 0 * HB) && (isnan(HA) || isnan(HB)) ? 0x7fff : H(ALONE(smaller(HA, HB))))\
    X(max_nan2, "max.NaN.f16x2 %d, %a, %b;",                                              \
      pair(isnan(HA) || isnan(HB) ? 0x7fff : H(ALONE(-smaller(-HA, -HB))),                \
           isnan(TA) || isnan(TB) ? 0x7fff : H(ALONE(-smaller(-TA, -TB)))))               \
    X(add_b, "add.rn.bf16 %h3, %h0, %h1;", G(BA, BB))                                     \
    X(sub_b2, "sub.rn.bf16x2 %d, %a, %b;", pair(G(BA, -BB), G(UA, -UB)))                  \
    X(mul_b2, "mul.rn.bf16x2 %d, %a, %b;", pair(G(ALONE(BA * BB)), G(ALONE(UA * UB))))    \
    X(fma_b, "fma.rn.bf16 %h3, %h0, %h1, %h2;", G(BA * BB, BC))                           \
    X(fma_b2, "fma.rn.bf16x2 %d, %a, %b, %c;", pair(G(BA * BB, BC), G(UA * UB, UC)))      \
    X(fma_brelu, "fma.rn.relu.bf16 %h3, %h0, %h1, %h2;", relu(G(BA * BB, BC)))            \
    X(neg_b2, "neg.bf16x2 %d, %a;", A ^ 0x80008000)                                       \
    X(abs_b2, "abs.bf16x2 %d, %a;", A & 0x7fff7fff)                                       \
    X(min_b, "min.bf16 %h3, %h0, %h1;", G(ALONE(smaller(BA, BB))))                        \
    X(max_b2, "max.bf16x2 %d, %a, %b;",                                                   \
      pair(G(ALONE(-smaller(-BA, -BB))), G(ALONE(-smaller(-UA, -UB)))))                   \
    X(setp_lt, "setp.lt.f16 %p, %h0, %h1; selp.b32 %d, 1, 0, %p;", HA < HB)               \
    X(setp_geu, "setp.geu.bf16 %p, %h0, %h1; selp.b32 %d, 1, 0, %p;", !(BA < BB))         \
    X(setp_nan, "setp.nan.f16 %p, %h0, %h1; selp.b32 %d, 1, 0, %p;",                      \
      isnan(HA) || isnan(HB))                                                             \
    X(setp_pair, "setp.ne.f16x2 %p|%q, %a, %b; selp.b32 %d, 1, 0, %p;"                    \
      "selp.b32 %a, 2, 0, %q; or.b32 %d, %d, %a;",                                        \
      (HA < HB || HA > HB) + 2 * (TA < TB || TA > TB))                                    \
    X(set_h, "set.le.f16.f16 %h3, %h0, %h1;", HA <= HB ? 0x3c00 : 0)                      \
    X(set_b2, "set.gt.bf16x2.bf16x2 %d, %a, %b;",                                         \
      pair(BA > BB ? 0x3f80 : 0, UA > UB ? 0x3f80 : 0))                                   \
    X(set_mask, "set.eq.u32.f16x2 %d, %a, %b;",                                           \
      pair(HA == HB ? 0xffff : 0, TA == TB ? 0xffff : 0))                                 \
    X(cvt_h2, "cvt.rn.f16x2.f32 %d, %fa, %fb;", pair(H(ALONE(FB)), H(ALONE(FA))))         \
    X(cvt_b2, "cvt.rn.bf16x2.f32 %d, %fa, %fb;", pair(G(ALONE(FB)), G(ALONE(FA))))        \
    X(cvt_relu, "cvt.rn.relu.f16x2.f32 %d, %fa, %fb;",                                    \
      pair(relu(H(ALONE(FB))), relu(H(ALONE(FA)))))                                       \
    X(cvt_brelu, "cvt.rn.relu.bf16.f32 %h3, %fa;", relu(G(ALONE(FA))))                    \
    X(cvt_hfinite, "cvt.rn.satfinite.f16.f32 %h3, %fa;", nearest(ALONE(FA), f16, true))   \
    X(cvt_hb, "cvt.f32.bf16 %fd, %h0; mov.b32 %d, %fd;", single_bits(BA))                 \
    X(tf32_rna, "cvt.rna.tf32.f32 %d, %fa;", tf32_away(A))                                \
    X(tf32_rn, "cvt.rn.tf32.f32 %d, %fa;", tf32_even(A))                                  \
    X(e4m3, "cvt.rn.satfinite.e4m3x2.f32 %h3, %fa, %fb;",                                 \
      nearest(ALONE(FA), e4m3, true) << 8 | nearest(ALONE(FB), e4m3, true))               \
    X(e5m2, "cvt.rn.satfinite.e5m2x2.f32 %h3, %fa, %fb;",                                 \
      nearest(ALONE(FA), e5m2, true) << 8 | nearest(ALONE(FB), e5m2, true))               \
    X(e4m3_h2, "cvt.rn.satfinite.e4m3x2.f16x2 %h3, %a;",                                  \
      nearest(ALONE(TA), e4m3, true) << 8 | nearest(ALONE(HA), e4m3, true))               \
    X(h2_e4m3, "cvt.rn.f16x2.e4m3x2 %d, %h0;",                                            \
      pair(H(ALONE(value_of(A & 255, e4m3))), H(ALONE(value_of(A >> 8 & 255, e4m3)))))    \
    X(h2_e5m2, "cvt.rn.relu.f16x2.e5m2x2 %d, %h0;",                                       \
      pair(relu(H(ALONE(value_of(A & 255, e5m2)))),                                       \
           relu(H(ALONE(value_of(A >> 8 & 255, e5m2))))))                                 \
    X(ex2, "ex2.approx.f16 %h3, %h0;", H(ALONE(exp2(HA))))                                \
    X(tanh_h, "tanh.approx.bf16 %h3, %h0;", G(ALONE(tanh(BA))))
/* clang-format on */

#define ORACLE(name, text, expression)                                                   \
    static uint32_t oracle_##name(uint32_t A, uint32_t B, uint32_t C)                    \
    {                                                                                    \
        (void)A, (void)B, (void)C;                                                       \
        return (uint32_t)(expression);                                                   \
    }
ROWS(ORACLE)
#undef ORACLE

static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 lanes) {\n"
    ".reg .b32 %%t, %%n, %%a, %%b, %%c, %%d, %%one; .reg .b16 %%h<4>;\n"
    ".reg .b64 %%x, %%y; .reg .f32 %%fa, %%fb, %%fd; .reg .pred %%p, %%q, %%on;\n"
    "ld.param.u64 %%x, [in]; ld.param.u64 %%y, [out]; mov.u32 %%t, %%tid.x;\n"
    "mov.u32 %%n, %%ctaid.x; mad.lo.u32 %%t, %%n, 256, %%t;\n"
    "mad.wide.u32 %%x, %%t, 12, %%x; mad.wide.u32 %%y, %%t, 4, %%y;\n"
    "ld.global.b32 %%a, [%%x]; ld.global.b32 %%b, [%%x+4]; ld.global.b32 %%c, [%%x+8];\n"
    "mov.b32 {%%h0, _}, %%a; mov.b32 {%%h1, _}, %%b; mov.b32 {%%h2, _}, %%c;\n"
    "mov.b32 %%fa, %%a; mov.b32 %%fb, %%b; mov.b32 %%d, 0x5a5a5a5a; mov.b16 %%h3, "
    "0x5a5a;\n"
    "ld.param.u32 %%n, [lanes]; mov.u32 %%one, %%laneid; shr.u32 %%n, %%n, %%one;\n"
    "and.b32 %%n, %%n, 1; setp.eq.u32 %%on, %%n, 0; @%%on bra SKIP;\n%s\nSKIP:\n"
    "%s st.global.b32 [%%y], %%d;\nret;\n}\n";

static const uint32_t edges[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x3c01, 0x7bff,
    0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x3f80, 0xbf80, 0x3f81, 0x7f7f, 0xff7f,
    0x7f80, 0xff80, 0x7fc0, 0x0080, 0x007f, 0x3800, 0x4400, 0x5c00, 0x4b00, 0x3300};
static const uint32_t wide_edges[] = {
    0x00000000, 0x80000000, 0x00000001, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x7f800000,
    0xff800000, 0x7fc00000, 0x477fe000, 0x477ff000, 0x477fefff, 0x33000000, 0x33000001,
    0x3f801000, 0x3f803000, 0x3f800fff, 0x3f808000, 0x3f818000, 0x43e00000, 0x43e80000,
    0x43e80001, 0x47600000, 0x47680000, 0x3a800000, 0x3b000000, 0x7f7fe000, 0x7f7ff000};

static uint32_t input_word(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    uint32_t x = (uint32_t)(*seed >> 32), y = (uint32_t)*seed;
    uint32_t halves = edges[x % 30] | edges[x / 64 % 30] << 16;
    if (y % 4 == 0) return halves;
    if (y % 4 == 1) return wide_edges[x % 28];
    if (y % 4 == 2) return (x & 0x8fff8fff) | 0x30003000;
    return x;
}

static void check_row(struct emu *emu, const char *text, uint32_t lanes,
                      uint32_t (*oracle)(uint32_t, uint32_t, uint32_t))
{
    static uint32_t in[COUNT][3], out[COUNT];
    char ptx[4096];
    uint64_t seed = 88172645463325252;
    bool narrow = strstr(text, "%h3") != NULL;
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++)
            in[i][k] = input_word(&seed);
    snprintf(ptx, sizeof ptx, frame, text, narrow ? "cvt.u32.u16 %d, %h3;" : "");
    if (!emu_load(emu, ptx, "k")) fail_msg("%s: %s", text, emu->fault.reason);
    hone_devptr from = emu_buffer(emu, in, sizeof in);
    hone_devptr to = emu_buffer(emu, NULL, sizeof out);
    struct emu_args args = {0};
    EMU_ARG(args, from), EMU_ARG(args, to), EMU_ARG(args, lanes);
    struct hone_launch launch = emu_geometry(&args, BLOCKS, THREADS);
    if (!emu_run(emu, &launch)) fail_msg("%s: %s", text, emu->fault.reason);
    emu_fetch(emu, out, to, sizeof out);
    for (int i = 0; i < COUNT; i++) {
        uint32_t expected = oracle(in[i][0], in[i][1], in[i][2]);
        if (!(lanes >> i % 32 & 1)) expected = narrow ? 0x5a5a : 0x5a5a5a5a;
        if (out[i] != expected)
            fail_msg("%s of 0x%x 0x%x 0x%x is 0x%x, should be 0x%x", text, in[i][0],
                     in[i][1], in[i][2], out[i], expected);
    }
    emu->dev->fns->free(emu->dev, from);
    emu->dev->fns->free(emu->dev, to);
}

static void narrow_floats_equal_the_oracle(void **state)
{
    struct emu emu;
    (void)state;
    emu_open(&emu);
#define CHECK(name, text, expression)                                                    \
    check_row(&emu, text, UINT32_MAX, oracle_##name);                                    \
    check_row(&emu, text, 0x50f3cc81, oracle_##name);
    ROWS(CHECK)
#undef CHECK
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(narrow_floats_equal_the_oracle),
};

HONE_TEST_MAIN(tests)
