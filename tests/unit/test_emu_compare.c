// Comparisons of every type by setp and set, against the host's.
#include "emu_forms.h"

enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

// What a comparison is true of, and for which types it is spelled.
static const struct comparison {
    const char *name;
    unsigned holds;
    bool bits, is_signed, is_unsigned, is_float;
} comparisons[] = {
    {"eq", EQUAL, true, true, true, true},
    {"ne", LESS | GREATER, true, true, true, true},
    {"lt", LESS, false, true, true, true},
    {"le", LESS | EQUAL, false, true, true, true},
    {"gt", GREATER, false, true, true, true},
    {"ge", GREATER | EQUAL, false, true, true, true},
    {"lo", LESS, .is_unsigned = true},
    {"ls", LESS | EQUAL, .is_unsigned = true},
    {"hi", GREATER, .is_unsigned = true},
    {"hs", GREATER | EQUAL, .is_unsigned = true},
    {"equ", EQUAL | UNORDERED, .is_float = true},
    {"neu", LESS | GREATER | UNORDERED, .is_float = true},
    {"ltu", LESS | UNORDERED, .is_float = true},
    {"leu", LESS | EQUAL | UNORDERED, .is_float = true},
    {"gtu", GREATER | UNORDERED, .is_float = true},
    {"geu", GREATER | EQUAL | UNORDERED, .is_float = true},
    {"num", LESS | EQUAL | GREATER, .is_float = true},
    {"nan", UNORDERED, .is_float = true},
};

static const enum ptx_type compared[] = {PTX_B16, PTX_B32, PTX_B64, PTX_U16,
                                         PTX_U32, PTX_U64, PTX_S16, PTX_S32,
                                         PTX_S64, PTX_F32, PTX_F64};

struct comparison_form {
    const struct comparison *comparison;
    uint64_t yes; // what a result is where it holds
    bool ftz;
};

static bool is_spelled(const struct comparison *comparison, enum ptx_type type)
{
    if (type_is_float(type)) return comparison->is_float;
    if (type_is_signed(type)) return comparison->is_signed;
    return type_is_integer(type) ? comparison->is_unsigned : comparison->bits;
}

static unsigned order_of_floats(double x, double y)
{
    return isunordered(x, y) ? UNORDERED : x < y ? LESS : x > y ? GREATER : EQUAL;
}

static unsigned order_of(enum ptx_type type, bool flush, uint64_t A, uint64_t B)
{
    if (type == PTX_F64) return order_of_floats(da, db);
    if (type == PTX_F32)
        return order_of_floats((double)(flush ? ftz(fa) : fa),
                               (double)(flush ? ftz(fb) : fb));
    const unsigned spare = 64 - hone_ptx_type_bits(type);
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t x = A << spare, y = B << spare;
    if (type_is_signed(type)) x ^= sign, y ^= sign; // now ordered as unsigned ones
    return x < y ? LESS : x > y ? GREATER : EQUAL;
}

static uint64_t comparison_value(const struct form *form, uint64_t A, uint64_t B,
                                 uint64_t C)
{
    const struct comparison_form *f = form->what;
    (void)C;
    return f->comparison->holds & order_of(form->type, f->ftz, A, B) ? f->yes : 0;
}

static void check_pattern(struct forms *forms, const struct comparison_form *f,
                          const char *before, const char *after, struct form form)
{
    char pattern[128];
    form.value = comparison_value;
    form.what = f;
    snprintf(pattern, sizeof pattern, "%s.%s%s%s", before, f->comparison->name,
             f->ftz ? ".ftz" : "", after);
    spell(form.text, sizeof form.text, pattern, form.type);
    assert_true(note_forms(forms, form.text));
    check_form(forms, &form);
}

static void check_comparison(struct forms *forms, const struct comparison *comparison,
                             enum ptx_type type, bool flush)
{
    struct comparison_form f = {.comparison = comparison, .yes = 1, .ftz = flush};
    const struct form predicate = {.bits = 1, .type = type};
    const struct form word = {.bits = 32, .type = type};
    check_pattern(forms, &f, "setp", "$T %p, $a, $b;", predicate);
    check_pattern(forms, &f, "setp", "$T %p|%q, $a, $b;", predicate);
    f.yes = UINT32_MAX;
    check_pattern(forms, &f, "set", ".u32$T %d32, $a, $b;", word);
    check_pattern(forms, &f, "set", ".s32$T %d32, $a, $b;", word);
    f.yes = 0x3f800000;
    check_pattern(forms, &f, "set", ".f32$T %df, $a, $b;", word);
}

static void comparisons_equal_the_oracle_at_every_type(void **state)
{
    static struct forms forms;
    (void)state;
    forms_open(&forms);
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        for (size_t t = 0; t < sizeof compared / sizeof *compared; t++)
            for (int flush = 0; flush <= (compared[t] == PTX_F32); flush++)
                if (is_spelled(&comparisons[i], compared[t]))
                    check_comparison(&forms, &comparisons[i], compared[t], flush);
    emu_close(&forms.emu);
}

// How setp joins a comparison with a predicate, and what its second result is.
static const char *const joins[] = {"and", "or", "xor"};

static bool join(unsigned how, bool x, bool y)
{
    return how == 0 ? x && y : how == 1 ? x || y : x != y;
}

struct join_form {
    unsigned how;
    bool second, negated;
};

static uint64_t joined_value(const struct form *form, uint64_t A, uint64_t B, uint64_t C)
{
    const struct join_form *f = form->what;
    const bool less = order_of(form->type, false, A, B) == LESS;
    return join(f->how, less != f->second, (c32 != 0) != f->negated);
}

static void setp_joins_a_predicate_as_it_says(void **state)
{
    static struct forms forms;
    const enum ptx_type types[] = {PTX_S16, PTX_U32, PTX_S64, PTX_F32, PTX_F64};
    (void)state;
    forms_open(&forms);
    for (unsigned k = 0; k < 12 * sizeof types / sizeof *types; k++) {
        const struct join_form f = {k % 3, k / 3 % 2, k / 6 % 2};
        struct form form = {
            .bits = 1, .type = types[k / 12], .value = joined_value, .what = &f};
        char pattern[128];
        // "lt" of floats is false for NaN, its opposite true: the second result is that
        snprintf(pattern, sizeof pattern,
                 "setp.ne.s32 %%q, %%c32, 0; setp.lt.%s$T %s, $a, $b, %s;", joins[f.how],
                 f.second ? "_|%p" : "%p", f.negated ? "!%q" : "%q");
        spell(form.text, sizeof form.text, pattern, form.type);
        check_form(&forms, &form);
    }
    emu_close(&forms.emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(comparisons_equal_the_oracle_at_every_type),
    cmocka_unit_test(setp_joins_a_predicate_as_it_says),
};

HONE_TEST_MAIN(tests)
