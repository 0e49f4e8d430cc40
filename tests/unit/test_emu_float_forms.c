// Operations on f32 and f64 in every rounding mode, flushed and saturated, with every
// option, against the host's arithmetic.
#include <fenv.h>

#include "emu_forms.h"

static const struct rounding {
    const char *name;
    int mode;
} roundings[] = {{"", FE_TONEAREST},
                 {".rn", FE_TONEAREST},
                 {".rz", FE_TOWARDZERO},
                 {".rm", FE_DOWNWARD},
                 {".rp", FE_UPWARD}};
static const enum ptx_type float_types[] = {PTX_F32, PTX_F64};

// ---- arithmetic that rounds ----

static const struct operation {
    const char *name, *operands;
    enum arithmetic what;
    bool optional; // the rounding may be left out
    bool saturates;
} operations[] = {
    {"add", "$d, $a, $b;", PLUS, true, true},
    {"sub", "$d, $a, $b;", PLUS, true, true},
    {"mul", "$d, $a, $b;", TIMES, true, true},
    {"fma", "$d, $a, $b, $c;", FUSED, false, true},
    {"mad", "$d, $a, $b, $c;", FUSED, false, true},
    {"div", "$d, $a, $b;", OVER, false, false},
    {"rcp", "$d, $a;", OVER, false, false},
    {"sqrt", "$d, $a;", ROOT, false, false},
};

struct arithmetic_form {
    const struct operation *operation;
    int mode;
    bool ftz, sat;
};

static uint64_t double_value(const struct arithmetic_form *f, uint64_t A, uint64_t B,
                             uint64_t C)
{
    double x = da, y = db;
    if (strcmp(f->operation->name, "sub") == 0) y = -y;
    if (strcmp(f->operation->name, "rcp") == 0) x = 1, y = da;
    return bits_of_double(rounded_double(f->mode, f->operation->what, x, y, dc));
}

static uint64_t arithmetic_value(const struct form *form, uint64_t A, uint64_t B,
                                 uint64_t C)
{
    const struct arithmetic_form *f = form->what;
    if (form->type == PTX_F64) return double_value(f, A, B, C);
    float x = f->ftz ? ftz(fa) : fa, y = f->ftz ? ftz(fb) : fb;
    float z = f->ftz ? ftz(fc) : fc;
    if (strcmp(f->operation->name, "sub") == 0) y = -y;
    if (strcmp(f->operation->name, "rcp") == 0) y = x, x = 1;
    float r = rounded(f->mode, f->operation->what, x, y, z);
    if (f->ftz) r = ftz(r);
    return bits_of(f->sat ? sat(r) : r);
}

static void check_arithmetic(struct forms *forms, const struct arithmetic_form *f,
                             const char *rounding, enum ptx_type type)
{
    char pattern[64];
    struct form form = {.bits = hone_ptx_type_bits(type) + 1,
                        .type = type,
                        .value = arithmetic_value,
                        .what = f};
    snprintf(pattern, sizeof pattern, "%s%s%s%s$T %s", f->operation->name, rounding,
             f->ftz ? ".ftz" : "", f->sat ? ".sat" : "", f->operation->operands);
    spell(form.text, sizeof form.text, pattern, type);
    assert_true(note_forms(forms, form.text));
    check_form(forms, &form);
}

static void check_operation(struct forms *forms, const struct operation *operation,
                            enum ptx_type type)
{
    const bool single = type == PTX_F32;
    for (size_t r = operation->optional ? 0 : 1; r < 5; r++)
        for (unsigned options = 0; options < (single ? 4 : 1); options++) {
            const struct arithmetic_form f = {.operation = operation,
                                              .mode = roundings[r].mode,
                                              .ftz = options & 1,
                                              .sat = options >> 1};
            if (f.sat && !operation->saturates) continue;
            check_arithmetic(forms, &f, roundings[r].name, type);
        }
}

// ---- what does not round ----

struct choice {
    bool largest, nan, xorsign, ftz;
};

static uint64_t bound_value(const struct form *form, uint64_t A, uint64_t B, uint64_t C)
{
    const struct choice *f = form->what;
    (void)C;
    if (form->type == PTX_F64) {
        double r = isnan(da) ? db : isnan(db) || (da < db) != f->largest ? da : db;
        if (da == db) r = signbit(da) != f->largest ? da : db;
        return bits_of_double(r);
    }
    float x = f->ftz ? ftz(fa) : fa, y = f->ftz ? ftz(fb) : fb;
    if (f->nan && (isnan(x) || isnan(y))) return bits_of((float)NAN);
    const float sign = signbit(x) == signbit(y) ? 1.0f : -1.0f;
    if (f->xorsign) x = fabsf(x), y = fabsf(y);
    const float r = f->largest ? -minimum(-x, -y) : minimum(x, y);
    return bits_of(f->xorsign ? copysignf(r, sign) : r);
}

static void check_bounds(struct forms *forms, enum ptx_type type)
{
    for (unsigned options = 0; options < (type == PTX_F32 ? 16 : 2); options++) {
        const struct choice f = {options & 1, options & 2, options & 4, options & 8};
        struct form form = {.bits = hone_ptx_type_bits(type) + 1,
                            .type = type,
                            .value = bound_value,
                            .what = &f};
        char pattern[64];
        snprintf(pattern, sizeof pattern, "%s%s%s%s$T $d, $a, $b;",
                 f.largest ? "max" : "min", f.ftz ? ".ftz" : "", f.nan ? ".NaN" : "",
                 f.xorsign ? ".xorsign.abs" : "");
        spell(form.text, sizeof form.text, pattern, type);
        assert_true(note_forms(forms, form.text));
        check_form(forms, &form);
    }
}

enum sign { MAGNITUDE, OPPOSITE, COPIED };

struct sign_form {
    enum sign what;
    bool ftz;
};

static uint64_t sign_value(const struct form *form, uint64_t A, uint64_t B, uint64_t C)
{
    const struct sign_form *f = form->what;
    const unsigned w = hone_ptx_type_bits(form->type);
    const uint64_t sign = UINT64_C(1) << (w - 1), all = sign | (sign - 1);
    uint64_t x = A & all;
    (void)C;
    if (f->ftz && (x & 0x7f800000) == 0) x &= sign;
    if (f->what == OPPOSITE) return x ^ sign;
    return (x & ~sign) | (f->what == COPIED ? B & sign : 0);
}

static void check_signs(struct forms *forms, enum ptx_type type)
{
    static const char *const patterns[][2] = {{"abs$T $d, $a;", "abs.ftz$T $d, $a;"},
                                              {"neg$T $d, $a;", "neg.ftz$T $d, $a;"},
                                              {"copysign$T $d, $b, $a;", NULL}};
    for (unsigned k = 0; k < 6; k++) {
        const struct sign_form f = {k / 2, k % 2};
        struct form form = {.bits = hone_ptx_type_bits(type),
                            .type = type,
                            .value = sign_value,
                            .what = &f};
        if (f.ftz && (type == PTX_F64 || !patterns[f.what][1])) continue;
        spell(form.text, sizeof form.text, patterns[f.what][f.ftz], type);
        assert_true(note_forms(forms, form.text));
        check_form(forms, &form);
    }
}

static bool has_property(unsigned which, int class)
{
    const bool finite = class != FP_NAN && class != FP_INFINITE;
    const bool properties[] = {finite,
                               class == FP_INFINITE,
                               class != FP_NAN,
                               class == FP_NAN,
                               class == FP_NORMAL || class == FP_ZERO,
                               class == FP_SUBNORMAL};
    return properties[which];
}

static uint64_t property_value(const struct form *form, uint64_t A, uint64_t B,
                               uint64_t C)
{
    const int class = form->type == PTX_F32 ? fpclassify(fa) : fpclassify(da);
    (void)B, (void)C;
    return has_property(*(const unsigned *)form->what, class);
}

static void check_properties(struct forms *forms, enum ptx_type type)
{
    static const char *const names[] = {"finite",     "infinite", "number",
                                        "notanumber", "normal",   "subnormal"};
    for (unsigned k = 0; k < 6; k++) {
        struct form form = {.bits = 1, .type = type, .value = property_value, .what = &k};
        char pattern[64];
        snprintf(pattern, sizeof pattern, "testp.%s$T %%p, $a;", names[k]);
        spell(form.text, sizeof form.text, pattern, type);
        assert_true(note_forms(forms, form.text));
        check_form(forms, &form);
    }
}

// ---- approximations ----

#define APPROXIMATIONS(X)                                                                \
    X(div_approx, "div.approx", "$d, $a, $b;", x / y)                                    \
    X(div_full, "div.full", "$d, $a, $b;", x / y)                                        \
    X(rcp, "rcp.approx", "$d, $a;", 1 / x)                                               \
    X(sqrt, "sqrt.approx", "$d, $a;", sqrt(x))                                           \
    X(rsqrt, "rsqrt.approx", "$d, $a;", 1 / sqrt(x))                                     \
    X(ex2, "ex2.approx", "$d, $a;", exp2(x))                                             \
    X(lg2, "lg2.approx", "$d, $a;", log2(x))                                             \
    X(sin, "sin.approx", "$d, $a;", sin(x))                                              \
    X(cos, "cos.approx", "$d, $a;", cos(x))                                              \
    X(tanh, "tanh.approx", "$d, $a;", tanh(x))

#define FUNCTION(name, text, operands, expression)                                       \
    static double approximate_##name(double x, double y)                                 \
    {                                                                                    \
        (void)y;                                                                         \
        return expression;                                                               \
    }
APPROXIMATIONS(FUNCTION)

#define ENTRY(name, text, operands, expression) {text, operands, approximate_##name},
static const struct function {
    const char *name, *operands;
    double (*value)(double x, double y);
} functions[] = {APPROXIMATIONS(ENTRY)};

struct function_form {
    const struct function *function;
    bool ftz;
};

static uint64_t function_value(const struct form *form, uint64_t A, uint64_t B,
                               uint64_t C)
{
    const struct function_form *f = form->what;
    (void)C;
    if (form->type == PTX_F64) return bits_of_double(f->function->value(da, db));
    const float x = f->ftz ? ftz(fa) : fa, y = f->ftz ? ftz(fb) : fb;
    const float r = (float)f->function->value((double)x, (double)y);
    return bits_of(f->ftz ? ftz(r) : r);
}

// The emulator is nearer than GPUs need to be: the last bit may differ.
static void check_function(struct forms *forms, const struct function_form *f,
                           enum ptx_type type)
{
    struct form form = {.bits = hone_ptx_type_bits(type) + 1,
                        .type = type,
                        .value = function_value,
                        .what = f,
                        .allowed = 0x1p-22};
    char pattern[64];
    snprintf(pattern, sizeof pattern, "%s%s$T %s", f->function->name,
             f->ftz ? ".ftz" : "", f->function->operands);
    spell(form.text, sizeof form.text, pattern, type);
    if (note_forms(forms, form.text)) check_form(forms, &form);
}

static void floats_equal_the_oracle_in_every_mode(void **state)
{
    static struct forms forms;
    static const char *const others[] = {"setp", NULL};
    (void)state;
    forms_open(&forms);
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
            check_operation(&forms, &operations[i], float_types[t]);
        check_bounds(&forms, float_types[t]);
        check_signs(&forms, float_types[t]);
        check_properties(&forms, float_types[t]);
        for (size_t i = 0; i < 2 * sizeof functions / sizeof *functions; i++)
            check_function(&forms, &(struct function_form){&functions[i / 2], i % 2},
                           float_types[t]);
    }
    const uint32_t classes = 1 << HONE_EMU_FP32 | 1 << HONE_EMU_FP64 | 1 << HONE_EMU_SFU;
    check_rows_are_run(&forms, classes, 1u << PTX_F32 | 1u << PTX_F64, others);
    emu_close(&forms.emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(floats_equal_the_oracle_in_every_mode),
};

HONE_TEST_MAIN(tests)
