// Printed C by example: its text, what is refused, the functions that come along.
#include "expr_c_frame.h"

#include "expr/c_form.h"

static void print_ok(struct hone_strbuf *out, enum hone_type *type, const char *text)
{
    struct hone_error err = {0};
    struct hone_expr *expr = NULL;
    assert_ok(hone_expr_new(&expr, text, &err), err);
    assert_ok(hone_expr_bind(expr, names, VARS, &err), err);
    assert_ok(hone_expr_print_c(expr, vars, out, type, &err), err);
    hone_expr_free(expr);
}

struct printing {
    const char *text, *c;
    enum hone_type type;
};

static void assert_prints(const struct printing *cases, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        struct hone_strbuf out = HONE_STRBUF_INIT;
        enum hone_type type = HONE_STRING;
        print_ok(&out, &type, cases[n].text);
        assert_string_equal(out.data, cases[n].c);
        assert_int_equal(type, cases[n].type);
        hone_strbuf_fini(&out);
    }
}

static const struct printing c_texts[] = {
    {"64", "64", HONE_INT},
    {"i", "row->i", HONE_INT},
    {"ceil_div(i, j)", "hone2_ceil_div(row->i, row->j)", HONE_INT},
    {"(i + j) * k * 4", "hone2_mul(hone2_mul(hone2_add(row->i, row->j), row->k), 4)",
     HONE_INT},
    {"-i // 2", "hone2_floor_div(hone2_neg(row->i), 2)", HONE_INT},
    {"i / 2", "(double)row->i / (double)2", HONE_FLOAT},
    {"f + i * 2.0", "row->f + ((double)row->i * 2.0)", HONE_FLOAT},
    {"1e999", "hone2_inf()", HONE_FLOAT},
    {"0x8000000000000000", "(-9223372036854775807 - 1)", HONE_INT},
    {"i % 2 == 0 and j >= 64", "hone2_floor_mod(row->i, 2) == 0 && row->j >= 64",
     HONE_BOOL},
    {"32 <= i * j <= 1024",
     "32 <= hone2_mul(row->i, row->j) && hone2_mul(row->i, row->j) <= 1024", HONE_BOOL},
    {"not p", "!row->p", HONE_BOOL},
    {"not i", "0", HONE_BOOL},
    {"p and 4 or i", "row->p ? 4 : row->i", HONE_INT},
    {"i > j and i or j", "row->i > row->j ? row->i : row->j", HONE_INT},
    {"p and 1 or q and 2 or i", "row->p ? 1 : (row->q ? 2 : row->i)", HONE_INT},
    {"p and 1 or q and 2 or p and 3 or 4", "row->p ? 1 : (row->q ? 2 : (row->p ? 3 : 4))",
     HONE_INT},
    {"p or q or p", "row->p || row->q || row->p", HONE_BOOL},
    {"min(i, j, 3)", "hone2_min(hone2_min(row->i, row->j), 3)", HONE_INT},
    {"i < f", "hone2_cmp_if(row->i, row->f) < 0", HONE_BOOL},
    {"i >= f", "hone2_cmp_fi(row->f, row->i) <= 0", HONE_BOOL},
    {"s == 'row \"major\"?'", "hone2_cmp_str(row->s, \"row \\042major\\042\\077\") == 0",
     HONE_BOOL},
    {"s == 1", "0", HONE_BOOL},
    {"s", "row->s", HONE_STRING},
    {"~i & 0xff", "~(row->i) & 255", HONE_INT},
    {"f | 1", "hone2_to_int(row->f) | 1", HONE_INT},
    {"f ^ 2", "hone2_square_f(row->f)", HONE_FLOAT},
    {"ceil_div(m, b)", "(row->m + row->b - 1) / row->b", HONE_INT},
    {"ceil_div(m, 32) * b", "(row->m + 31) / 32 * row->b", HONE_INT},
    {"32 * (b // 4) // (b + 1)", "32 * (row->b / 4) / (row->b + 1)", HONE_INT},
    {"b * b * b * b", "(long long)(row->b * row->b * row->b) * row->b", HONE_INT},
    {"b - (m - b)", "row->b - (row->m - row->b)", HONE_INT},
    {"m % b == 0", "row->m % row->b == 0", HONE_BOOL},
    {"m * m * m", "hone2_mul(row->m * row->m, row->m)", HONE_INT},
    {"(b - 2) // b", "hone2_floor_div(row->b - 2, row->b)", HONE_INT},
    {"ceil_div(i, b)", "row->i / row->b + (row->i % row->b > 0)", HONE_INT},
    {"ceil_div(i, 512) * b", "(long long)(row->i / 512 + (row->i % 512 > 0)) * row->b",
     HONE_INT},
    {"i // 4 - 1", "(long long)(row->i / 4 - (row->i % 4 < 0)) - 1", HONE_INT},
    {"1 - i // 4 > j", "(long long)1 - (row->i / 4 - (row->i % 4 < 0)) > row->j",
     HONE_BOOL},
    {"ceil_div(i + j, b)", "hone2_ceil_div(hone2_add(row->i, row->j), row->b)", HONE_INT},
    {"i // 1", "hone2_floor_div(row->i, 1)", HONE_INT},
    {"round_up(m, b)", "(row->m + row->b - 1) / row->b * row->b", HONE_INT},
    {"p or i <= 2 ^ 27", "row->p || hone2_cmp_if(row->i, 134217728.0) <= 0", HONE_BOOL},
    {"(3 > 2 and i or j) + ceil_div(7, 2)", "hone2_add(row->i, 4)", HONE_INT},
    {"p or 'a text' == ''", "row->p", HONE_BOOL},
    {"false and s < 1 or not (1 < 2 <= 2) or i", "row->i", HONE_INT},
    {"1 // 0 == i", "hone2_floor_div(1, 0) == row->i", HONE_BOOL},
};

static void c_text_is_as_expected(void **state)
{
    (void)state;
    assert_prints(c_texts, sizeof c_texts / sizeof *c_texts);
}

// "a or true" is true, and "a and false" is false, where a cannot fail.
static void what_decides_is_all_that_is_left(void **state)
{
    (void)state;
    static const struct printing cases[] = {
        {"i > j or true", "1", HONE_BOOL},
        {"i > j and false", "0", HONE_BOOL},
        {"i > j and p and false and q", "0", HONE_BOOL},
        {"(p and 1 or 2) and false or i", "row->i", HONE_INT},
        {"i + 1 and j", "row->j", HONE_INT},
        {"y and n * x or f", "120.0", HONE_FLOAT},
        {"z * f", "(-0.0) * row->f", HONE_FLOAT},
        // what may fail stays
        {"i // j > 1 or true", "hone2_floor_div(row->i, row->j) > 1 || hone2_add(1, 0)",
         HONE_BOOL},
        {"(i & 1) == 0 and false", "hone2_add((row->i & 1), 0) == 0 && hone2_add(0, 0)",
         HONE_BOOL},
    };
    assert_prints(cases, sizeof cases / sizeof *cases);
}

// Of a known choice no other one is left, and what has no form there needs none.
static void a_known_variable_is_no_variable(void **state)
{
    (void)state;
    static const struct hone_value known[] = {{.type = HONE_STRING, .s = "bf16"},
                                              {.type = HONE_BOOL, .b = true}};
    static const char *const of_two[] = {"T", "b", "M"};
    bool printed[3] = {false};
    const struct hone_expr_c_var two[] = {
        {HONE_STRING, "\"bf16\"", NULL, &printed[0], NULL, &known[0]},
        {HONE_BOOL, "1", NULL, &printed[1], NULL, &known[1]},
        {HONE_INT, "M", NULL, &printed[2], NULL, NULL}};
    static const struct {
        const char *text, *c;
    } cases[] = {{"T == 'f32' and log2(M) or M", "M"},
                 {"(b and 2 or 4) * M", "hone2_mul(2, M)"},
                 {"M > 8 and not b", "0"},
                 {"M > 8 and b", "M > 8"},
                 {"M > 8 and 1 or not b and 2 or 3", "M > 8 ? 1 : 3"},
                 {"T", "\"bf16\""}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct hone_error err = {0};
        struct hone_expr *expr = NULL;
        struct hone_strbuf out = HONE_STRBUF_INIT;
        enum hone_type type;
        assert_ok(hone_expr_new(&expr, cases[n].text, &err), err);
        assert_ok(hone_expr_bind(expr, of_two, 3, &err), err);
        assert_ok(hone_expr_print_c(expr, two, &out, &type, &err), err);
        assert_string_equal(out.data, cases[n].c);
        hone_strbuf_fini(&out);
        hone_expr_free(expr);
    }
    assert_true(!printed[0] && !printed[1] && printed[2]);
}

/* A float that is no number is neither less nor not less. */
static void a_denial_has_no_not_where_it_can(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"i >= 8", "row->i < 8"},
        {"s == 'a'", "hone2_cmp_str(row->s, \"a\") != 0"},
        {"f < 2", "!(hone2_cmp_fi(row->f, 2) < 0)"},
        {"f == g", "row->f != row->g"},
        {"p", "!row->p"},
        {"not p", "row->p"},
        {"i < 3 or p and j % 4 == 0",
         "row->i >= 3 && (!row->p || hone2_floor_mod(row->j, 4) != 0)"},
        {"1 < i < 3", "!(1 < row->i && row->i < 3)"},
        {"i", "row->i"}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct hone_expr *expr = NULL;
        struct hone_c_form *form = NULL;
        struct hone_strbuf out = HONE_STRBUF_INIT;
        struct hone_expr_c_range range;
        struct hone_error err = {0};
        enum hone_type type;
        assert_ok(hone_expr_new(&expr, cases[n][0], &err), err);
        assert_ok(hone_expr_bind(expr, names, VARS, &err), err);
        assert_ok(hone_c_form_new(&form, expr, vars, &err), err);
        hone_c_form_deny(form);
        assert_ok(hone_c_form_print(form, &out, &type, &range, &err), err);
        assert_string_equal(out.data, cases[n][1]);
        hone_strbuf_fini(&out);
        hone_c_form_free(form);
        hone_expr_free(expr);
    }
}

static void what_has_no_static_type_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"p and 1", "no C form: 'p and 1' has values of several types"},
        {"p and 1 or f", "no C form: 'p and 1 or f' has values of several types"},
        {"1 + (p and 1)", "no C form: '1 + (p and 1)' has a part of several types"},
        {"min(i, f)", "no C form: 'min(i, f)' mixes integers and floats"},
        {"2 * i ^ 3", "no C form: 'i ^ 3' is a power other than x ^ 2"},
        {"log2(i)", "no C form: 'log2(i)' is a logarithm"},
        {"s + 1", "no C form: 's + 1' is arithmetic on no number"},
        {"s < 1", "no C form: 's < 1' orders what has no order"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct hone_error err = {0};
        struct hone_expr *expr = NULL;
        struct hone_strbuf out = HONE_STRBUF_INIT;
        enum hone_type type;
        assert_ok(hone_expr_new(&expr, cases[n].text, &err), err);
        assert_ok(hone_expr_bind(expr, names, VARS, &err), err);
        assert_int_equal(hone_expr_print_c(expr, vars, &out, &type, &err),
                         HONE_EUNSUPPORTED);
        assert_string_equal(err.text, cases[n].message);
        assert_string_equal(err.source, cases[n].text);
        hone_strbuf_fini(&out);
        hone_expr_free(expr);
    }
}

// Nested chains would print their inner operands 2^40 times.
static void runaway_c_text_is_refused(void **state)
{
    (void)state;
    struct hone_strbuf text = HONE_STRBUF_INIT, out = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, "i");
    for (int n = 0; n < 40; n++) {
        struct hone_strbuf next = HONE_STRBUF_INIT;
        hone_strbuf_printf(&next, "(1 < %s < 9 and 1 or 2)", text.data);
        hone_strbuf_fini(&text);
        text = next;
    }
    struct hone_error err = {0};
    struct hone_expr *expr = NULL;
    enum hone_type type;
    assert_ok(hone_expr_new(&expr, text.data, &err), err);
    assert_int_equal(hone_expr_print_c(expr, vars, &out, &type, &err), HONE_ELIMIT);
    assert_string_equal(err.text, "its C form is longer than 1048576 bytes");
    hone_expr_free(expr);
    hone_strbuf_fini(&text);
    hone_strbuf_fini(&out);
}

/* Headers of several versions meet in one file, so the functions of another text need
 * another number in their names (and guard): raise it wherever this fails. */
static void the_text_of_the_functions_is_that_of_their_number(void **state)
{
    (void)state;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    assert_ok(hone_expr_print_c_helpers(&text, &err), err);
    assert_non_null(strstr(text.data, "#ifndef HONE_EXPR_HELPERS_2\n"));
    assert_null(strstr(text.data, " hone_"));
    assert_int_equal(hone_hash64(text.data, text.len), 0xe9c584fcf054219c);
    hone_strbuf_fini(&text);
}

static void only_the_functions_that_a_text_calls_come_along(void **state)
{
    (void)state;
    struct hone_strbuf text = HONE_STRBUF_INIT, own = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    static const char code[] = "x = hone2_ceil_div(a, b); /* hone2_add(1, 2) */\n"
                               "y = \"hone2_mul(\"; z = my_hone2_abs(a) + hone2_max;\n";
    assert_ok(hone_expr_print_c_needed(&text, code, NULL, "k", &err), err);
    assert_null(strstr(text.data, "hone2_"));
    assert_non_null(strstr(text.data, "long long k_ceil_div(long long a, long long b)"));
    assert_non_null(strstr(text.data, "return b == 0 ? 0 : k_neg(a);"));
    assert_non_null(strstr(text.data, "return k_sub(0, a);"));
    static const char *const others[] = {"k_add", "k_mul", "k_abs", "k_max", "k_shl"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_null(strstr(text.data, others[i]));
    assert_ok(hone_expr_rename_c_helpers(&own, code, "k", &err), err);
    assert_string_equal(own.data,
                        "x = k_ceil_div(a, b); /* hone2_add(1, 2) */\n"
                        "y = \"hone2_mul(\"; z = my_hone2_abs(a) + hone2_max;\n");
    hone_strbuf_fini(&own);
    hone_strbuf_clear(&text);
    assert_ok(hone_expr_print_c_needed(&text, code, code, "k", &err), err);
    assert_string_equal(text.data, "");
    hone_strbuf_fini(&text);
}

/* What is told means in C what the expression means, with C's own strengths. */
static void what_is_told_is_read_as_c(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"(i | 7) & j", "(row->i | 7) & row->j"},
        {"i | 7 & j", "row->i | 7 & row->j"},
        {"(i ~ j) & k | b", "(row->i ^ row->j) & row->k | row->b"},
        {"(i << 2) + 1", "(row->i << 2) + 1"},
        {"i << j + 1", "row->i << row->j + 1"},
        {"(i & 3) == 0 and j or k", "(row->i & 3) == 0 ? row->j : row->k"},
        {"i & 3 << j", "row->i & 3 << row->j"},
        {"(i < j) == (j < k)", "row->i < row->j == row->j < row->k"},
        {"(i == j) == (f < g)", "row->i == row->j == row->f < row->g"},
        {"i == j == (p == q)", "row->i == row->j == (row->p == row->q)"},
        {"(i == 1 and j == 2 or k == 1) and i or j",
         "row->i == 1 && row->j == 2 || row->k == 1 ? row->i : row->j"},
        {"p and (q and i or j) or k", "row->p ? (row->q ? row->i : row->j) : row->k"},
        {"p and q or i == j", "row->p && row->q || row->i == row->j"},
        {"-(-i)", "-(-row->i)"},
        {"~(~i)", "~~row->i"},
        {"i - -j", "row->i - -row->j"},
        {"not p and i or j", "!row->p ? row->i : row->j"},
        {"not (i == j)", "!(row->i == row->j)"},
        {"not (p and i > 3)", "!(row->p && row->i > 3)"},
        {"i and j", "row->j"},
        // a number is true, 0 too; a boolean is no number; a text has no operators
        {"not i", NULL},
        {"not (i - j) and k or b", NULL},
        {"not f or p", NULL},
        {"i // j and p", NULL},
        {"i // j and k or b", NULL},
        {"i // j or p", "row->i / row->j"},
        {"p and i", NULL},
        {"p == i", NULL},
        {"i + (p == (q and 1 or 0) and 1 or 2)", NULL},
        {"s == 'a' and i or j", NULL},
        {"s < s", NULL},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct hone_strbuf out = HONE_STRBUF_INIT;
        struct hone_error err = {0};
        struct hone_expr *expr = NULL;
        struct hone_c_form *form = NULL;
        assert_ok(hone_expr_new(&expr, cases[n][0], &err), err);
        assert_ok(hone_expr_bind(expr, names, VARS, &err), err);
        assert_ok(hone_c_form_new(&form, expr, vars, &err), err);
        const bool has = hone_c_form_tell(form, &out);
        if (has != (cases[n][1] != NULL) || strcmp(has ? cases[n][1] : "", out.data) != 0)
            fail_msg("%s: '%s'", cases[n][0], out.data);
        hone_c_form_free(form);
        hone_expr_free(expr);
        hone_strbuf_fini(&out);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_told_is_read_as_c),
    cmocka_unit_test(c_text_is_as_expected),
    cmocka_unit_test(what_decides_is_all_that_is_left),
    cmocka_unit_test(a_known_variable_is_no_variable),
    cmocka_unit_test(a_denial_has_no_not_where_it_can),
    cmocka_unit_test(what_has_no_static_type_is_refused),
    cmocka_unit_test(runaway_c_text_is_refused),
    cmocka_unit_test(the_text_of_the_functions_is_that_of_their_number),
    cmocka_unit_test(only_the_functions_that_a_text_calls_come_along),
};
HONE_TEST_MAIN(tests)
