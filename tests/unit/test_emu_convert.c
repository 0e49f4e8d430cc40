// Conversions between all types of one value, in every rounding mode, flushed and
// saturated, against an oracle that looks for the nearest value.
#include <fenv.h>
#include <float.h>

#include "emu_forms.h"

static const enum ptx_type types[] = {PTX_U8,  PTX_S8,   PTX_U16, PTX_S16,
                                      PTX_U32, PTX_S32,  PTX_U64, PTX_S64,
                                      PTX_F16, PTX_BF16, PTX_F32, PTX_F64};
enum { TYPES = sizeof types / sizeof *types };

static const struct rounding {
    const char *name;
    int mode;
} roundings[] = {{"", FE_TONEAREST},      {".rn", FE_TONEAREST}, {".rz", FE_TOWARDZERO},
                 {".rm", FE_DOWNWARD},    {".rp", FE_UPWARD},    {".rni", FE_TONEAREST},
                 {".rzi", FE_TOWARDZERO}, {".rmi", FE_DOWNWARD}, {".rpi", FE_UPWARD}};

struct conversion {
    enum ptx_type to, from;
    size_t rounding;
    bool ftz, sat;
};

static bool is_real(enum ptx_type type)
{
    return type_is_float(type) || type == PTX_F16 || type == PTX_BF16;
}

// Bits of a real type's fraction.
static int precision(enum ptx_type type)
{
    return type == PTX_BF16 ? 7 : type == PTX_F16 ? 10 : type == PTX_F32 ? 23 : 52;
}

static int exponent_bits(enum ptx_type type)
{
    return type == PTX_F16 ? 5 : type == PTX_F64 ? 11 : 8;
}

// As PTX ISA 9.0 (cvt) has it: to a type that holds every value nothing is rounded, else
// something must be said.
static bool exists(const struct conversion *f)
{
    const bool integral = f->rounding >= 5, said = f->rounding > 0;
    const bool narrow = f->to == PTX_BF16 || f->from == PTX_BF16;
    if (f->ftz && f->to != PTX_F32 && f->from != PTX_F32) return false;
    if (f->ftz && !(is_real(f->to) && is_real(f->from)) && f->from != PTX_F32)
        return false;
    if (!is_real(f->from)) return is_real(f->to) ? said && !integral && !f->sat : !said;
    if (!is_real(f->to)) return integral && !f->sat;
    if (f->to == f->from) return (integral || !said) && !narrow;
    const bool wider = precision(f->to) > precision(f->from) &&
                       exponent_bits(f->to) >= exponent_bits(f->from);
    if (narrow && f->sat) return false;
    return wider ? !said : said && !integral;
}

// ---- from bits ----

static long double real_of(enum ptx_type type, uint64_t bits, bool flush)
{
    const float single = f32_of(bits);
    switch (hone_ptx_type_bits(type)) {
    case 16:
        return (long double)half_value((unsigned)bits & 0xffff, exponent_bits(type),
                                       precision(type));
    case 32:
        return (long double)(flush ? ftz(single) : single);
    default:
        return (long double)f64_of(bits);
    }
}

static long double integer_of(enum ptx_type type, uint64_t bits)
{
    const unsigned spare = 64 - hone_ptx_type_bits(type);
    bits <<= spare;
    return type_is_signed(type) ? (long double)((int64_t)bits >> spare)
                                : (long double)(bits >> spare);
}

// ---- to bits ----

static long double to_integral(long double x, int mode)
{
    if (mode == FE_TOWARDZERO) return truncl(x);
    if (mode == FE_DOWNWARD) return floorl(x);
    return mode == FE_UPWARD ? ceill(x) : rintl(x);
}

// To a float of p bits of fraction and e of exponent, as its bits: x is scaled so that
// its last place is 1, and rounded there.
static uint64_t to_bits(long double x, int e, int p, int mode)
{
    const uint64_t sign = signbit(x) ? UINT64_C(1) << (e + p) : 0;
    const uint64_t infinity = ((UINT64_C(1) << e) - 1) << p;
    const int least = 2 - (1 << (e - 1)); // exponent of the smallest normal number
    int exponent;
    if (isinf(x)) return sign | infinity;
    if (x == 0) return sign;
    frexpl(x, &exponent);
    exponent = exponent - 1 < least ? least : exponent - 1;
    const long double places = fabsl(to_integral(scalbnl(x, p - exponent), mode));
    // as many steps above 0, or above the smallest number of this exponent
    uint64_t bits = (uint64_t)places + ((uint64_t)(exponent - least) << p);
    if (bits < infinity) return sign | bits;
    const bool up = mode == FE_TONEAREST || mode == (sign ? FE_DOWNWARD : FE_UPWARD);
    return sign | (up ? infinity : infinity - 1);
}

static uint64_t real_bits(const struct conversion *f, long double x)
{
    const int mode = roundings[f->rounding].mode;
    if (isnan(x) && f->sat) x = 0;
    if (isnan(x))
        return f->to == PTX_F64   ? UINT64_C(0x7ff8000000000000)
               : f->to == PTX_F32 ? 0x7fffffff
                                  : 0x7fff;
    if (f->rounding >= 5) x = to_integral(x, mode);
    if (f->sat) x = x > 0 ? fminl(x, 1) : 0;
    uint64_t bits = to_bits(x, exponent_bits(f->to), precision(f->to), mode);
    if (f->ftz && f->to == PTX_F32 && (bits & 0x7f800000) == 0) bits &= 0x80000000;
    return bits;
}

static uint64_t integer_bits(const struct conversion *f, long double x)
{
    const unsigned width = hone_ptx_type_bits(f->to);
    const bool is_signed = type_is_signed(f->to);
    const long double end = scalbnl(1, (int)width - is_signed);
    const uint64_t all = UINT64_MAX >> (64 - width);
    const uint64_t most = is_signed ? all >> 1 : all;
    if (isnan(x))
        return f->from == PTX_F64 || width == 64 ? UINT64_C(1) << (width - 1) : 0;
    x = to_integral(x, roundings[f->rounding].mode);
    if (x >= end) return most;
    if (x <= (is_signed ? -end : 0)) return is_signed ? most + 1 : 0;
    return (x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x) & all;
}

static uint64_t saturated(const struct conversion *f, uint64_t bits)
{
    const long double x = integer_of(f->from, bits);
    struct conversion whole = *f;
    whole.rounding = 0;
    whole.from = PTX_F32;
    return integer_bits(&whole, x);
}

// Of eight bits a register holds them extended.
static uint64_t in_register(enum ptx_type to, uint64_t bits)
{
    if (hone_ptx_type_bits(to) != 8) return bits;
    return to == PTX_S8 ? (uint64_t)(int8_t)bits & UINT32_MAX : bits & 0xff;
}

static uint64_t converted(const struct form *form, uint64_t A, uint64_t B, uint64_t C)
{
    const struct conversion *f = form->what;
    (void)B, (void)C;
    const uint64_t mask = UINT64_MAX >> (64 - hone_ptx_type_bits(f->to));
    if (is_real(f->from)) {
        const long double x = real_of(f->from, A, f->ftz);
        return is_real(f->to) ? real_bits(f, x) : in_register(f->to, integer_bits(f, x));
    }
    if (is_real(f->to)) return real_bits(f, integer_of(f->from, A));
    if (f->sat) return in_register(f->to, saturated(f, A));
    const unsigned spare = 64 - hone_ptx_type_bits(f->from);
    const uint64_t bits = type_is_signed(f->from)
                              ? (uint64_t)((int64_t)(A << spare) >> spare)
                              : A << spare >> spare;
    return in_register(f->to, bits & mask);
}

static void check_conversion(struct forms *forms, const struct conversion *f)
{
    const unsigned width = hone_ptx_type_bits(f->to);
    struct form form = {.type = f->to, .value = converted, .what = f};
    form.bits = width == 8 ? 32 : width + (type_is_float(f->to) ? 1 : 0);
    const enum ptx_type held =
        f->from == PTX_F16 || f->from == PTX_BF16 ? PTX_B16 : f->from;
    snprintf(form.text, sizeof form.text, "cvt%s%s%s.%s.%s %s, %s;",
             roundings[f->rounding].name, f->ftz ? ".ftz" : "", f->sat ? ".sat" : "",
             hone_ptx_type_name(f->to), hone_ptx_type_name(f->from),
             register_of('d', f->to), register_of('a', held));
    assert_true(note_forms(forms, form.text));
    check_form(forms, &form);
}

static void conversions_equal_the_oracle_between_all_types(void **state)
{
    static struct forms forms;
    size_t count = 0;
    (void)state;
    forms_open(&forms);
    for (size_t k = 0; k < TYPES * TYPES * 9 * 4; k++) {
        const struct conversion f = {.to = types[k % TYPES],
                                     .from = types[k / TYPES % TYPES],
                                     .rounding = k / TYPES / TYPES % 9,
                                     .ftz = k / TYPES / TYPES / 9 % 2,
                                     .sat = k / TYPES / TYPES / 9 / 2};
        if (!exists(&f)) continue;
        check_conversion(&forms, &f);
        count++;
    }
    printf("%zu conversions\n", count);
    emu_close(&forms.emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(conversions_equal_the_oracle_between_all_types),
};

HONE_TEST_MAIN(tests)
