// Operations on integers and bits at every type of their rows in the instruction table,
// against arithmetic of 128 bits.
#include "emu_forms.h"

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

// Of an operation at a type: a, b and c extended as the type says; A, B, C as they are.
struct operands {
    wide a, b, c;
    uint64_t A, B, C;
    unsigned w; // bits of the type
    bool is_signed;
};

struct operation {
    const char *pattern;
    unsigned bits; // of the result; 0: as the type
    bool any;      // takes floats too, as bits
    wide (*value)(const struct operands *x);
};

static bool less(wide a, wide b)
{
    return (signed_wide)a < (signed_wide)b;
}

// a + b of w bits, and whether there is a carry.
static wide low(wide a, unsigned w)
{
    return w == 64 ? (uint64_t)a : a & ((UINT64_C(1) << w) - 1);
}

static wide carry(wide a, wide b, wide c, unsigned w)
{
    return (low(a, w) + low(b, w) + c) >> w;
}

static wide borrow(wide a, wide b, wide c, unsigned w)
{
    return low(a, w) < low(b, w) + c;
}

static wide extend24(wide a, bool is_signed)
{
    a &= 0xffffff;
    return is_signed && a >> 23 ? a - (1 << 24) : a;
}

#define HIGH(a, b) ((a) * (b) >> w)
#define N32        (uint32_t) x->B
#define M32        (uint32_t) x->C
#define LT         less(a, b)

static wide extended(uint64_t bits, unsigned w, bool is_signed)
{
    wide x = low(bits, w);
    return is_signed && x >> (w - 1) ? x - ((wide)1 << w) : x;
}

// Products of fields of a and b, of a_bits and b_bits, signed or not, added up.
static wide dot(uint64_t a, uint64_t b, unsigned a_bits, bool a_signed, bool b_signed)
{
    wide sum = 0;
    for (unsigned k = 0; k < 32 / a_bits; k++)
        sum += extended(a >> k * a_bits, a_bits, a_signed) *
               extended(b >> 8 * k, 8, b_signed);
    return sum;
}

// Distances of parts of a and b: side by side, or added to c.
static wide apart(const struct operands *x, unsigned bits, bool is_signed, bool add)
{
    wide sum = x->c, parts = 0;
    for (unsigned k = 0; k < 32; k += bits) {
        const wide a = extended(x->A >> k, bits, is_signed);
        const wide b = extended(x->B >> k, bits, is_signed);
        const wide distance = less(a, b) ? b - a : a - b;
        sum += distance;
        parts |= low(distance, bits) << k;
    }
    return add ? sum : parts;
}

/* clang-format off */
// name, pattern, bits, any, value
#define OPERATIONS(X)                                                                    \
    X(add, "add$T $d, $a, $b;", 0, 0, a + b)                                             \
    X(sub, "sub$T $d, $a, $b;", 0, 0, a - b)                                             \
    X(mul_lo, "mul.lo$T $d, $a, $b;", 0, 0, a * b)                                       \
    X(mul_hi, "mul.hi$T $d, $a, $b;", 0, 0, HIGH(a, b))                                  \
    X(mul_wide, "mul.wide$T $D, $a, $b;", 2, 0, a * b)                                   \
    X(mad_lo, "mad.lo$T $d, $a, $b, $c;", 0, 0, a * b + c)                               \
    X(mad_hi, "mad.hi$T $d, $a, $b, $c;", 0, 0, HIGH(a, b) + c)                          \
    X(mad_wide, "mad.wide$T $D, $a, $b, $W;", 2, 0, a * b + x->C)                        \
    X(mul24_lo, "mul24.lo$T $d, $a, $b;", 0, 0, extend24(a, s) * extend24(b, s))         \
    X(mul24_hi, "mul24.hi$T $d, $a, $b;", 0, 0, extend24(a, s) * extend24(b, s) >> 16)   \
    X(mad24_lo, "mad24.lo$T $d, $a, $b, $c;", 0, 0, extend24(a, s) * extend24(b, s) + c) \
    X(mad24_hi, "mad24.hi$T $d, $a, $b, $c;", 0, 0,                                      \
      (extend24(a, s) * extend24(b, s) >> 16) + c)                                       \
    X(div, "div$T $d, $a, $b;", 0, 0,                                                    \
      b ? (wide)((signed_wide)a / (signed_wide)b) : (wide)0 - 1)                         \
    X(rem, "rem$T $d, $a, $b;", 0, 0, b ? (wide)((signed_wide)a % (signed_wide)b) : a)   \
    X(sad, "sad$T $d, $a, $b, $c;", 0, 0, c + (LT ? b - a : a - b))                      \
    X(abs, "abs$T $d, $a;", 0, 0, less(a, 0) ? 0 - a : a)                                \
    X(neg, "neg$T $d, $a;", 0, 0, 0 - a)                                                 \
    X(min, "min$T $d, $a, $b;", 0, 0, LT ? a : b)                                        \
    X(max, "max$T $d, $a, $b;", 0, 0, LT ? b : a)                                        \
    X(min_relu, "min.relu$T $d, $a, $b;", 0, 0, less(LT ? a : b, 0) ? 0 : LT ? a : b)     \
    X(max_relu, "max$T.relu $d, $a, $b;", 0, 0, less(LT ? b : a, 0) ? 0 : LT ? b : a)     \
    X(and, "and$T $d, $a, $b;", 0, 0, a & b)                                             \
    X(or, "or$T $d, $a, $b;", 0, 0, a | b)                                               \
    X(xor, "xor$T $d, $a, $b;", 0, 0, a ^ b)                                             \
    X(not, "not$T $d, $a;", 0, 0, ~a)                                                    \
    X(cnot, "cnot$T $d, $a;", 0, 0, a == 0)                                              \
    X(shl, "shl$T $d, $a, %b32;", 0, 0, N32 < w ? a << N32 : 0)                          \
    X(shr, "shr$T $d, $a, %b32;", 0, 0, (wide)((signed_wide)a >> (N32 < w ? N32 : w)))   \
    X(bfe, "bfe$T $d, $a, %b32, %c32;", 0, 0, field(x->A, N32 & 255, M32 & 255, w, s))   \
    X(bfi, "bfi$T $d, $a, $c, %b32, %a32;", 0, 0,                                        \
      with_field((uint64_t)a, (uint64_t)c, N32 & 255, x->A & 255, w))                    \
    X(bfind, "bfind$T %d32, $a;", 32, 0,                                                 \
      length_of((uint64_t)low(less(a, 0) ? ~a : a, w)) - 1U)                             \
    X(bfind_shift, "bfind.shiftamt$T %d32, $a;", 32, 0,                                  \
      low(less(a, 0) ? ~a : a, w) == 0 ? UINT32_MAX                                      \
      : w - length_of((uint64_t)low(less(a, 0) ? ~a : a, w)))                            \
    X(brev, "brev$T $d, $a;", 0, 0, reversed(x->A, w))                                   \
    X(popc, "popc$T %d32, $a;", 32, 0, (unsigned)__builtin_popcountll((uint64_t)a))      \
    X(clz, "clz$T %d32, $a;", 32, 0, w - length_of((uint64_t)a))                         \
    X(selp, "setp.lt.u32 %p, %b32, %c32; selp$T $d, $a, $b, %p;", 0, 1,                  \
      N32 < M32 ? a : b)                                                                 \
    X(selp_not, "setp.lt.u32 %p, %b32, %c32; selp$T $d, $a, $b, !%p;", 0, 1,             \
      N32 < M32 ? b : a)                                                                 \
    X(slct, "slct$T.s32 $d, $a, $b, %c32;", 0, 1, (int32_t)M32 >= 0 ? a : b)             \
    X(slct_f, "slct$T.f32 $d, $a, $b, %cf;", 0, 1, f32_of(x->C) >= 0.0f ? a : b)         \
    X(slct_ftz, "slct.ftz$T.f32 $d, $a, $b, %cf;", 0, 1, ftz(f32_of(x->C)) >= 0.0f ? a : b)\
    X(dp4a_u, "dp4a$T.u32 $d, $a, $b, $c;", 0, 0, c + dot(x->A, x->B, 8, s, false))      \
    X(dp4a_s, "dp4a$T.s32 $d, $a, $b, $c;", 0, 0, c + dot(x->A, x->B, 8, s, true))       \
    X(dp2a_lo_u, "dp2a.lo$T.u32 $d, $a, $b, $c;", 0, 0, c + dot(x->A, x->B, 16, s, false))\
    X(dp2a_lo_s, "dp2a.lo$T.s32 $d, $a, $b, $c;", 0, 0, c + dot(x->A, x->B, 16, s, true))\
    X(dp2a_hi_u, "dp2a.hi$T.u32 $d, $a, $b, $c;", 0, 0,                                  \
      c + dot(x->A, (uint32_t)x->B >> 16, 16, s, false))                                 \
    X(dp2a_hi_s, "dp2a.hi$T.s32 $d, $a, $b, $c;", 0, 0,                                  \
      c + dot(x->A, (uint32_t)x->B >> 16, 16, s, true))                                  \
    X(abs4_u, "vabsdiff4$T.u32.u32 $d, $a, $b, $c;", 0, 0, apart(x, 8, false, false))     \
    X(abs4_s, "vabsdiff4$T.s32.s32 $d, $a, $b, $c;", 0, 0, apart(x, 8, true, false))      \
    X(abs4_add, "vabsdiff4$T.s32.s32.add $d, $a, $b, $c;", 0, 0, apart(x, 8, true, true)) \
    X(abs2_u, "vabsdiff2$T.u32.u32 $d, $a, $b, $c;", 0, 0, apart(x, 16, false, false))    \
    X(abs2_s, "vabsdiff2$T.s32.s32 $d, $a, $b, $c;", 0, 0, apart(x, 16, true, false))     \
    X(abs2_add, "vabsdiff2$T.u32.u32.add $d, $a, $b, $c;", 0, 0, apart(x, 16, false, true))\
    X(mov, "mov$T $d, $a;", 0, 1, a)                                                     \
    X(add_cc, "add.cc$T $t, $a, $b; addc.cc$T $u, $b, $c; addc$T $d, $c, $a;", 0, 0,     \
      c + a + carry(b, c, carry(a, b, 0, w), w))                                         \
    X(add_cc_sum, "add.cc$T $d, $a, $b;", 0, 0, a + b)                                   \
    X(sub_cc, "sub.cc$T $t, $a, $b; subc.cc$T $u, $b, $c; subc$T $d, $c, $a;", 0, 0,     \
      c - a - borrow(b, c, borrow(a, b, 0, w), w))                                       \
    X(sub_cc_sum, "sub.cc$T $d, $a, $b;", 0, 0, a - b)                                   \
    X(mad_cc, "mad.lo.cc$T $t, $a, $b, $c; madc.hi.cc$T $u, $a, $c, $b; addc$T $d, $b, $c;",\
      0, 0, b + c + carry(HIGH(a, c), b, carry(a * b, c, 0, w), w))                      \
    X(mad_hi_cc, "mad.hi.cc$T $t, $a, $b, $c; madc.lo.cc$T $u, $b, $c, $a; addc$T $d, $a, $a;",\
      0, 0, a + a + carry(b * c, a, carry(HIGH(a, b), c, 0, w), w))                      \
    X(madc_lo, "add.cc$T $t, $a, $b; madc.lo$T $d, $a, $b, $c;", 0, 0,                   \
      a * b + c + carry(a, b, 0, w))                                                     \
    X(madc_hi, "add.cc$T $t, $a, $b; madc.hi$T $d, $b, $c, $a;", 0, 0,                   \
      HIGH(b, c) + a + carry(a, b, 0, w))
/* clang-format on */

#define VALUE(name, pattern, bits, any, expression)                                      \
    static wide value_of_##name(const struct operands *x)                                \
    {                                                                                    \
        const wide a = x->a, b = x->b, c = x->c;                                         \
        const unsigned w = x->w;                                                         \
        const bool s = x->is_signed;                                                     \
        (void)a, (void)b, (void)c, (void)w, (void)s;                                     \
        return (wide)(expression);                                                       \
    }
OPERATIONS(VALUE)

#define OPERATION(name, pattern, bits, any, expression)                                  \
    {pattern, bits, any, value_of_##name},
static const struct operation operations[] = {OPERATIONS(OPERATION)};

static uint64_t integer_value(const struct form *form, uint64_t A, uint64_t B, uint64_t C)
{
    const struct operation *operation = form->what;
    const unsigned w = hone_ptx_type_bits(form->type);
    const bool s = type_is_signed(form->type);
    const struct operands x = {.a = extended(A, w, s),
                               .b = extended(B, w, s),
                               .c = extended(C, w, s),
                               .A = A,
                               .B = B,
                               .C = C,
                               .w = w,
                               .is_signed = s};
    return (uint64_t)low(operation->value(&x), form->bits);
}

static bool takes(const struct operation *operation, enum ptx_type type)
{
    const unsigned bits = hone_ptx_type_bits(type);
    if (type_is_float(type)) return operation->any;
    if (type >= PTX_F16 && type <= PTX_BF16X2) return false;
    return bits >= 16 && bits <= 64 && type != PTX_U16X2 && type != PTX_S16X2;
}

static void integers_equal_the_oracle_at_every_type(void **state)
{
    static struct forms forms;
    // in other suites: narrow floats, pairs, predicates, and what has but one type
    static const char *const others[] = {"add.sat",
                                         "mapa",
                                         "getctarank",
                                         "sub.sat",
                                         "bmsk",
                                         "szext",
                                         "fns",
                                         "cvt.pack.sat",
                                         "shf.l.wrap",
                                         "shf.r.wrap",
                                         "shf.l.clamp",
                                         "shf.r.clamp",
                                         "lop3",
                                         "prmt",
                                         "cvt",
                                         "cvta",
                                         "cvta.to",
                                         "isspacep",
                                         "set",
                                         "setp",
                                         "testp",
                                         "copysign",
                                         "createpolicy.fractional",
                                         "createpolicy.range",
                                         "createpolicy.cvt",
                                         NULL};
    (void)state;
    forms_open(&forms);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (unsigned t = PTX_NONE + 1; t < PTX_TYPE_COUNT; t++) {
            const unsigned bits = operations[i].bits, own = hone_ptx_type_bits(t);
            struct form form = {
                .type = t, .value = integer_value, .what = &operations[i]};
            form.bits = bits == 0 ? own : bits == 2 ? 2 * own : bits;
            if (!takes(&operations[i], t)) continue;
            spell(form.text, sizeof form.text, operations[i].pattern, t);
            if (note_forms(&forms, form.text)) check_form(&forms, &form);
        }
    const uint32_t classes = 1 << HONE_EMU_INT | 1 << HONE_EMU_FREE;
    check_rows_are_run(&forms, classes,
                       ~(1u << PTX_PRED | 1u << PTX_U16X2 | 1u << PTX_S16X2), others);
    emu_close(&forms.emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(integers_equal_the_oracle_at_every_type),
};

HONE_TEST_MAIN(tests)
