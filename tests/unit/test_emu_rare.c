// What kernels seldom use, against a scalar oracle: carries, fields of bits and bytes, min
// and max with .NaN and .xorsign.abs; atomics on 16-bit floats and vectors; hints that do
// nothing.
#include "emu_rows.h"

#define CF(x, y) ((uint64_t)(uint32_t)(x) + (uint32_t)(y) > UINT32_MAX)

// Of a and b, the 16 bits that end at a bit.
#define SHORTS(end) (int16_t)(a32 >> (end - 16)), (int16_t)(b32 >> (end - 16))

/* clang-format off */
#define CARRY_ROWS(X)                                                                    \
    X(add_cc, "add.cc.u32 %d32, %a32, %b32; addc.u32 %d32, %c32, 0;", 32,                \
      c32 + CF(a32, b32))                                                                \
    X(add_cc_s, "add.cc.s32 %d32, %a32, %b32; addc.s32 %d32, %c32, -1;", 32,             \
      c32 - 1 + CF(a32, b32))                                                            \
    X(add_chain, "add.cc.u32 %t0, %a32, %b32; addc.cc.u32 %t0, %c32, -1;"                \
      "addc.u32 %d32, 0, 0;", 32, (uint64_t)c32 + UINT32_MAX + CF(a32, b32) > UINT32_MAX)\
    X(add_cc_64, "add.cc.u64 %d64, %a64, %b64; addc.u64 %d64, %c64, 5;", 64,             \
      C + 5 + (A + B < A))                                                               \
    X(sub_cc, "sub.cc.u32 %d32, %a32, %b32; subc.u32 %d32, %c32, 3;", 32,                \
      c32 - 3 - (a32 < b32))                                                             \
    X(sub_chain, "sub.cc.u32 %t0, %a32, %b32; subc.cc.u32 %t0, %c32, %c32;"              \
      "subc.u32 %d32, 0, 0;", 32, 0 - (uint32_t)(a32 < b32))                             \
    X(sub_cc_64, "sub.cc.s64 %x5, %a64, %b64; subc.s64 %d64, %c64, 0;", 64, C - (A < B)) \
    X(mad_lo_cc, "mad.lo.cc.u32 %t0, %a32, %b32, %c32; addc.u32 %d32, 0, 0;", 32,        \
      CF(a32 * b32, c32))                                                                \
    X(madc_hi, "mad.lo.cc.u32 %t0, %a32, %b32, %c32; madc.hi.u32 %d32, %a32, %b32, 0;",  \
      32, ((uint64_t)a32 * b32 + c32) >> 32)                                             \
    X(madc_hi_s, "add.cc.u32 %t0, -1, 1; madc.hi.s32 %d32, %a32, %b32, %c32;", 32,       \
      (uint32_t)((uint64_t)((int64_t)sa * sb) >> 32) + c32 + 1)                          \
    X(madc_lo, "sub.cc.u32 %t0, 0, 1; madc.lo.u32 %d32, %a32, %b32, %c32;", 32,          \
      a32 * b32 + c32 + 1)                                                               \
    X(wide_product, "mul.lo.u32 %t0, %a32, %b32; mul.hi.u32 %t1, %a32, %b32;"            \
      "mad.lo.cc.u32 %t1, %a32, %c32, %t1; madc.hi.u32 %t2, %a32, %c32, 0;"              \
      "mov.b64 %d64, {%t1, %t2};", 64,                                                   \
      (((uint64_t)a32 * b32) >> 32) + (uint64_t)a32 * c32)                               \
    X(madc_hi_64, "mad.lo.cc.u64 %x5, %a64, %b64, %c64;"                                 \
      "madc.hi.cc.u64 %d64, %a64, %b64, 0;", 64, wide_high(A, B, C))

#define FIELD_ROWS(X)                                                                    \
    X(dp2a_lo, "dp2a.lo.s32.u32 %d32, %a32, %b32, %c32;", 32,                            \
      c32 + (uint32_t)((int16_t)a32 * (int32_t)(b32 & 255)) +                            \
      (uint32_t)((int16_t)(a32 >> 16) * (int32_t)(b32 >> 8 & 255)))                      \
    X(dp2a_hi, "dp2a.hi.u32.s32 %d32, %a32, %b32, %c32;", 32,                            \
      c32 + (a32 & 65535) * (uint32_t)(int8_t)(b32 >> 16) +                              \
      (a32 >> 16) * (uint32_t)(int8_t)(b32 >> 24))                                       \
    X(bmsk_clamp, "bmsk.clamp.b32 %d32, %a32, %b32;", 32, bits_from(a32, b32))           \
    X(bmsk_wrap, "bmsk.wrap.b32 %d32, %a32, %b32;", 32, bits_from(a32 % 32, b32 % 32))   \
    X(szext_s, "szext.clamp.s32 %d32, %a32, %b32;", 32, extended(a32, b32, true))        \
    X(szext_u, "szext.wrap.u32 %d32, %a32, %b32;", 32, extended(a32, b32 % 32, false))   \
    X(szext_ws, "szext.wrap.s32 %d32, %a32, %b32;", 32, extended(a32, b32 % 32, true))   \
    X(fns, "rem.s32 %t0, %c32, 9; and.b32 %t1, %b32, 31; fns.b32 %d32, %a32, %t1, %t0;", \
      32, nth_set(a32, (int)(b32 & 31), (int32_t)c32 % 9))                               \
    X(pack_s16, "cvt.pack.sat.s16.s32 %d32, %a32, %b32;", 32,                            \
      into(sa, -32768, 32767) % 65536 << 16 | into(sb, -32768, 32767) % 65536)           \
    X(pack_u8, "cvt.pack.sat.u8.s32.b32 %d32, %a32, %b32, %c32;", 32,                    \
      (uint32_t)(c32 << 16) | into(sa, 0, 255) << 8 | into(sb, 0, 255))                  \
    X(pack_s8, "cvt.pack.sat.s8.s32.b32 %d32, %a32, %b32, %c32;", 32,                    \
      (uint32_t)(c32 << 16) | into(sa, -128, 127) % 256 << 8 |                           \
      into(sb, -128, 127) % 256)                                                         \
    X(absdiff4, "vabsdiff4.u32.u32.u32 %d32, %a32, %b32, %c32;", 32,                     \
      distance(a32, b32, 0) | distance(a32, b32, 8) << 8 | distance(a32, b32, 16) << 16 |\
      distance(a32, b32, 24) << 24)                                                      \
    X(absdiff4_add, "vabsdiff4.u32.u32.u32.add %d32, %a32, %b32, %c32;", 32,             \
      c32 + distance(a32, b32, 0) + distance(a32, b32, 8) + distance(a32, b32, 16) +     \
      distance(a32, b32, 24))                                                            \
    X(prmt_f4e, "prmt.b32.f4e %d32, %a32, %b32, %c32;", 32,                              \
      picked(a32, b32, (uint32_t[]){0x3210, 0x4321, 0x5432, 0x6543}[C % 4]))             \
    X(prmt_b4e, "prmt.b32.b4e %d32, %a32, %b32, %c32;", 32,                              \
      picked(a32, b32, (uint32_t[]){0x5670, 0x6701, 0x7012, 0x0123}[C % 4]))             \
    X(prmt_rc8, "prmt.b32.rc8 %d32, %a32, %b32, %c32;", 32,                              \
      picked(a32, b32, (uint32_t[]){0x0000, 0x1111, 0x2222, 0x3333}[C % 4]))             \
    X(prmt_ecl, "prmt.b32.ecl %d32, %a32, %b32, %c32;", 32,                              \
      picked(a32, b32, (uint32_t[]){0x3210, 0x3211, 0x3222, 0x3333}[C % 4]))             \
    X(prmt_ecr, "prmt.b32.ecr %d32, %a32, %b32, %c32;", 32,                              \
      picked(a32, b32, (uint32_t[]){0x0000, 0x1110, 0x2210, 0x3210}[C % 4]))             \
    X(prmt_rc16, "prmt.b32.rc16 %d32, %a32, %b32, %c32;", 32,                            \
      picked(a32, b32, (uint32_t[]){0x1010, 0x3232, 0x1010, 0x3232}[C % 4]))             \
    X(mul24_hi, "mul24.hi.s32 %d32, %a32, %b32;", 32,                                    \
      (uint32_t)(((int64_t)((int32_t)(a32 << 8) >> 8) * ((int32_t)(b32 << 8) >> 8))      \
                 >> 16))                                                                 \
    X(mad24_hi, "mad24.hi.u32 %d32, %a32, %b32, %c32;", 32,                              \
      (uint32_t)((uint64_t)(a32 & 0xffffff) * (b32 & 0xffffff) >> 16) + c32)             \
    X(add_pair, "add.s16x2 %d32, %a32, %b32;", 32,                                       \
      (uint32_t)((a32 >> 16) + (b32 >> 16)) << 16 | (uint16_t)(a32 + b32))               \
    X(min_pair, "min.s16x2 %d32, %a32, %b32;", 32,                                       \
      (uint32_t)lesser((int16_t)(a32 >> 16), (int16_t)(b32 >> 16)) << 16 |               \
      (uint16_t)lesser((int16_t)a32, (int16_t)b32))                                      \
    X(max_pair, "max.u16x2 %d32, %a32, %b32;", 32,                                       \
      (uint32_t)-lesser(-(int)(a32 >> 16), -(int)(b32 >> 16)) << 16 |                    \
      (uint32_t)-lesser(-(int)(a32 & 65535), -(int)(b32 & 65535)))                       \
    X(add_upair, "add.u16x2 %d32, %a32, %b32;", 32,                                      \
      (uint32_t)((a32 >> 16) + (b32 >> 16)) << 16 | (uint16_t)(a32 + b32))               \
    X(min_upair, "min.u16x2 %d32, %a32, %b32;", 32,                                      \
      (uint32_t)lesser((int)(a32 >> 16), (int)(b32 >> 16)) << 16 |                       \
      (uint32_t)lesser((int)(a32 & 65535), (int)(b32 & 65535)))                          \
    X(max_spair, "max.s16x2 %d32, %a32, %b32;", 32, pair_of(greater(SHORTS(32)),         \
      greater(SHORTS(16))))                                                              \
    X(min_relu, "min.relu.s16x2 %d32, %a32, %b32;", 32,                                  \
      pair_of(greater(lesser(SHORTS(32)), 0), greater(lesser(SHORTS(16)), 0)))           \
    X(max_relu, "max.relu.s16x2 %d32, %a32, %b32;", 32,                                  \
      pair_of(greater(greater(SHORTS(32)), 0), greater(greater(SHORTS(16)), 0)))         \
    X(warp_size, "mov.u32 %d32, WARP_SZ;", 32, 32)

#define MINMAX_ROWS(X)                                                                   \
    X(min_nan, "min.NaN.f32 %df, %af, %bf;", 33,                                         \
      bits_of(isnan(fa) || isnan(fb) ? (float)NAN : minimum(fa, fb)))                    \
    X(max_nan, "max.ftz.NaN.f32 %df, %af, %bf;", 33,                                     \
      bits_of(isnan(fa) || isnan(fb) ? (float)NAN : -minimum(-ftz(fa), -ftz(fb))))       \
    X(min_xor, "min.xorsign.abs.f32 %df, %af, %bf;", 33,                                 \
      bits_of(copysignf(minimum(fabsf(fa), fabsf(fb)), signs(fa, fb))))                  \
    X(max_xor, "max.NaN.xorsign.abs.f32 %df, %af, %bf;", 33,                             \
      bits_of(isnan(fa) || isnan(fb) ? (float)NAN                                        \
              : copysignf(-minimum(-fabsf(fa), -fabsf(fb)), signs(fa, fb))))             \
    X(min_half, "min.xorsign.abs.f16 %d16, %a16, %b16;", 16,                             \
      half_nearest(copysign(fmin(fabs(half_value(a16, 5, 10)),                           \
                                 fabs(half_value(b16, 5, 10))), (double)half_signs(A, B)),\
                   5, 10))                                                               \
    X(max_brain, "max.NaN.bf16 %d16, %a16, %b16;", 16,                                   \
      half_nearest(isnan(half_value(a16, 8, 7)) || isnan(half_value(b16, 8, 7))          \
                       ? (double)NAN                                                     \
                       : (double)-minimum(-(float)half_value(a16, 8, 7),                 \
                                          -(float)half_value(b16, 8, 7)), 8, 7))
/* clang-format on */

static uint64_t wide_high(uint64_t a, uint64_t b, uint64_t c)
{
    __extension__ unsigned __int128 product = a;
    product *= b;
    return (uint64_t)((product + c) >> 64);
}

// n bits from the one at position at, one by one.
static uint32_t bits_from(uint32_t at, uint32_t n)
{
    uint32_t r = 0;
    for (uint32_t k = 0; k < 32; k++)
        if (k >= at && k - at < n) r |= UINT32_C(1) << k;
    return r;
}

static uint32_t extended(uint32_t x, uint32_t n, bool is_signed)
{
    if (n == 0) return 0;
    if (n > 31) return x;
    uint32_t low = x % (UINT32_C(1) << n);
    return is_signed && low >= UINT32_C(1) << (n - 1) ? low - (UINT32_C(1) << n) : low;
}

static uint32_t nth_set(uint32_t mask, int base, int offset)
{
    int step = offset < 0 ? -1 : 1, left = offset < 0 ? -offset : offset;
    if (offset == 0) return mask >> base & 1 ? (uint32_t)base : UINT32_MAX;
    for (int at = base; at >= 0 && at <= 31; at += step)
        if ((mask >> at & 1) && --left == 0) return (uint32_t)at;
    return UINT32_MAX;
}

static uint64_t into(int32_t x, int32_t least, int32_t most)
{
    return (uint32_t)(x < least ? least : x > most ? most : x);
}

static uint32_t distance(uint32_t a, uint32_t b, int at)
{
    return (uint32_t)abs((int)(a >> at & 255) - (int)(b >> at & 255));
}

static uint32_t picked(uint32_t a, uint32_t b, uint32_t nibbles)
{
    uint32_t r = 0;
    for (uint32_t k = 0; k < 4; k++)
        r |= byte_of(a, b, nibbles >> 4 * k & 15) << 8 * k;
    return r;
}

static int lesser(int x, int y)
{
    return x < y ? x : y;
}

static int greater(int x, int y)
{
    return x < y ? y : x;
}

static uint32_t pair_of(int high, int low)
{
    return (uint32_t)high << 16 | (uint16_t)low;
}

static float signs(float x, float y)
{
    return signbit(x) == signbit(y) ? 1.0f : -1.0f;
}

static int half_signs(uint64_t a, uint64_t b)
{
    return (a ^ b) & 0x8000 ? -1 : 1;
}

CARRY_ROWS(ORACLE)
FIELD_ROWS(ORACLE)
MINMAX_ROWS(ORACLE)

static void carries_equal_the_oracle(void **state)
{
    CHECK(CARRY_ROWS);
}

static void fields_equal_the_oracle(void **state)
{
    CHECK(FIELD_ROWS);
}

static void options_of_min_and_max_equal_the_oracle(void **state)
{
    CHECK(MINMAX_ROWS);
}

// ---- memory ----

// Run body in one block of 32 threads with %x = p, %t = thread; words of p before and
// after.
static void run_on(const char *body, uint32_t *words, size_t count)
{
    char text[4096];
    struct emu emu;
    emu_open(&emu);
    snprintf(
        text, sizeof text,
        ".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 p) {\n.reg .b16 %%h<9>; .reg .b32 %%r<9>, %%t;\n"
        ".reg .b64 %%x, %%y<9>; .reg .f32 %%f<9>; .reg .f64 %%d<9>; .reg .pred %%p;\n"
        "ld.param.u64 %%x, [p]; mov.u32 %%t, %%tid.x; setp.eq.u32 %%p, %%t, 3;\n%s\n"
        "ret;\n}\n",
        body);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, words, count * 4);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, 32);
    launch.check = true;
    if (!emu_run(&emu, &launch)) fail_msg("%s: %s", body, emu.fault.reason);
    emu_fetch(&emu, words, p, count * 4);
    emu_close(&emu);
}

static uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void atomics_on_narrow_floats_round_once(void **state)
{
    (void)state;
    // 1 + 32 * 2^-11 in steps that each round to even: nothing is ever added; 2^-10 is
    uint32_t words[4] = {0x3c003c00, 0x3f803f80, 0, 0};
    run_on("mov.b32 %r1, 0x10001400; atom.global.add.noftz.f16x2 %r2, [%x], %r1;\n"
           "mov.b16 %h1, 0x3c00; red.relaxed.gpu.global.add.noftz.bf16 [%x+4], %h1;\n"
           "mov.b16 %h2, 0x0001; atom.add.noftz.f16 %h3, [%x+8], %h2;\n"
           "@%p mov.b32 %r3, 0x4000; @%p st.global.u16 [%x+12], %h3;",
           words, 4);
    assert_int_equal(words[0], 0x3c003c20);
    assert_int_equal(words[1], 0x3f803fa0); // 1 + 32 * 2^-7
    assert_int_equal(words[2], 32);         // subnormals are kept
    assert_int_equal(words[3], 3);          // of lane 3, after lanes 0 to 2
}

static void atomics_on_vectors_take_each_element(void **state)
{
    (void)state;
    uint32_t words[8] = {0};
    run_on("cvt.rn.f32.u32 %f1, %t; mov.f32 %f2, 0f3f800000; neg.f32 %f3, %f1;\n"
           "red.global.add.v2.f32 [%x], {%f1, %f2};\n"
           "@%p atom.global.v4.f32.add {%f4, %f5, %f6, %f7}, [%x+16], {%f1, %f2, %f3, "
           "%f1};\n"
           "mov.b32 %r1, 0x3c004000; mov.b32 %r2, 0xbc00c000;\n"
           "red.global.max.noftz.v2.f16x2 [%x+8], {%r1, %r2};",
           words, 8);
    assert_int_equal(words[0], float_bits(496.0f));
    assert_int_equal(words[1], float_bits(32.0f));
    assert_int_equal(words[2], 0x3c004000);
    assert_int_equal(words[3], 0);
    const float expected[4] = {3.0f, 1.0f, -3.0f, 3.0f};
    for (int k = 0; k < 4; k++)
        assert_int_equal(words[4 + k], float_bits(expected[k]));
}

static void halves_of_a_word_are_compared_and_swapped(void **state)
{
    (void)state;
    uint32_t words[4] = {0x00070005, 0, 0x40080000, 0x3ff00000};
    run_on("mov.b16 %h1, 7; cvt.u16.u32 %h2, %t;\n"
           "@%p atom.global.cas.b16 %h3, [%x+2], %h1, %h2;\n"
           "@%p atom.global.cas.b16 %h4, [%x], %h1, %h2;\n"
           "@%p st.global.u16 [%x+4], %h3; @%p st.global.u16 [%x+6], %h4;\n"
           "mov.f64 %d1, 0d3fe0000000000000; atom.global.add.f64 %d2, [%x+8], %d1;",
           words, 4);
    assert_int_equal(words[0], 0x00030005);
    assert_int_equal(words[1], 0x00050007);
    double sum, start;
    uint64_t bits = UINT64_C(0x3ff0000040080000);
    memcpy(&sum, &words[2], sizeof sum);
    memcpy(&start, &bits, sizeof start);
    for (int k = 0; k < 32; k++)
        start += 0.5;
    assert_true(sum == start);
}

static void floats_are_reduced_across_lanes(void **state)
{
    (void)state;
    uint32_t words[4] = {0};
    run_on("cvt.rn.f32.u32 %f1, %t; sub.f32 %f1, %f1, 0f40a00000;\n" // t - 5
           "redux.sync.min.f32 %f2, %f1, -1; redux.sync.min.abs.f32 %f3, %f1, -1;\n"
           "@%p mov.b32 %f1, 0x7fc00000; redux.sync.max.f32 %f4, %f1, -1;\n"
           "redux.sync.max.NaN.f32 %f5, %f1, -1;\n"
           "@%p st.global.v4.f32 [%x], {%f2, %f3, %f4, %f5};",
           words, 4);
    assert_int_equal(words[0], float_bits(-5.0f));
    assert_int_equal(words[1], 0);
    assert_int_equal(words[2], float_bits(26.0f));
    assert_int_equal(words[3], 0x7fffffff);
}

static void hints_and_policies_change_nothing(void **state)
{
    (void)state;
    uint32_t words[40] = {5, 6, 7, 8};
    run_on(
        "createpolicy.fractional.L2::evict_last.b64 %y1, 0.5;\n"
        "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %y2;\n"
        "ld.global.nc.L1::no_allocate.L2::cache_hint.L2::128B.v4.u32 {%r1, %r2, %r3, "
        "%r4}, [%x], %y1;\n.shared .align 16 .b8 s[32]; mov.u64 %y3, s;\n"
        "cvta.to.global.u64 %y4, %x; prefetch.global.L2::evict_last [%x];\n"
        "applypriority.global.L2::evict_normal [%x], 128; fence.proxy.async;\n"
        "fence.proxy.async.shared::cta; fence.mbarrier_init.release.cluster;\n"
        "griddepcontrol.wait; griddepcontrol.launch_dependents; pmevent 7;\n"
        "setmaxnreg.dec.sync.aligned.u32 40; setmaxnreg.inc.sync.aligned.u32 232;\n"
        "@%p cp.async.cg.shared.global.L2::cache_hint.L2::128B [%y3], [%x], 16, %y1;\n"
        "@%p cp.async.ca.shared::cta.global.L2::cache_hint [%y3+16], [%x], 4, 4, %y1;\n"
        "cp.async.wait_all; @%p ld.shared.u32 %r5, [s+16]; add.u32 %r4, %r4, %r5;\n"
        "@%p st.global.L2::cache_hint.u32 [%x+16], %r4, %y2;",
        words, 40);
    assert_int_equal(words[4], 13);
}

static void what_does_not_exist_is_refused(void **state)
{
    static const char *const bodies[] = {"atom.global.min.f32 %f1, [%x], %f2;",
                                         "atom.global.min.noftz.f16 %h1, [%x], %h2;",
                                         "red.global.add.v2.u32 [%x], {%r1, %r2};",
                                         "bmsk.b32 %r1, %r2, %r3;",
                                         "prmt.b32.wrap %r1, %r2, %r3, %r4;",
                                         "bfind.clamp.u32 %r1, %r2;",
                                         "cvt.pack.sat.u8.s32 %r1, %r2, %r3;",
                                         "redux.sync.add.f32 %f1, %f2, -1;",
                                         "multimem.red.global.add.f32 [%x], %f1;",
                                         "shfl.sync.clamp.b32 %r1, %r1, 1, 31, -1;",
                                         "ld.global.L2::cache_hint.u32 %r1, [%x];",
                                         "mad.lo.cc.u16 %h1, %h1, %h1, %h1;"};
    struct emu emu;
    char text[1024];
    (void)state;
    emu_open(&emu);
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        snprintf(text, sizeof text,
                 ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k() {\n"
                 ".reg .b16 %%h<9>; .reg .b32 %%r<9>; .reg .f32 %%f<9>; .reg .b64 %%x;\n"
                 "%s\nret;\n}\n",
                 bodies[i]);
        if (emu_load(&emu, text, "k")) fail_msg("%s is taken", bodies[i]);
        assert_true(emu.fault.reason[0]);
    }
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(carries_equal_the_oracle),
    cmocka_unit_test(fields_equal_the_oracle),
    cmocka_unit_test(options_of_min_and_max_equal_the_oracle),
    cmocka_unit_test(atomics_on_narrow_floats_round_once),
    cmocka_unit_test(atomics_on_vectors_take_each_element),
    cmocka_unit_test(halves_of_a_word_are_compared_and_swapped),
    cmocka_unit_test(floats_are_reduced_across_lanes),
    cmocka_unit_test(hints_and_policies_change_nothing),
    cmocka_unit_test(what_does_not_exist_is_refused),
};

HONE_TEST_MAIN(tests)
