// The expression language by example: values, precedence, messages, binding, splitting.
#include <math.h>
#include <string.h>

#include "c_number.h"
#include "expr/value_text.h"
#include "expr_fixture.h"
#include "hone/rng.h"
#include "hone_test.h"

static struct hone_expr *parse(const char *text)
{
    struct hone_expr *expr = NULL;
    struct hone_error err = {0};
    assert_ok(hone_expr_new(&expr, text, &err), err);
    assert_ok(hone_expr_bind(expr, names, NAMES, &err), err);
    return expr;
}

// Parse, bind and evaluate; the value as text in buf, or the status of what failed.
static enum hone_status evaluate(char buf[100], const char *text, unsigned *notes,
                                 struct hone_error *err)
{
    struct hone_expr *expr = NULL;
    struct hone_value value;
    enum hone_status status = hone_expr_new(&expr, text, err);
    if (status == HONE_OK) status = hone_expr_bind(expr, names, NAMES, err);
    if (status == HONE_OK) status = hone_expr_eval(expr, slots, &value, notes, err);
    if (status == HONE_OK) hone_value_print(buf, 100, value);
    hone_expr_free(expr);
    return status;
}

struct example {
    const char *text, *result;
};

static void assert_values(const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char buf[100] = "";
        struct hone_error err = {0};
        assert_ok(evaluate(buf, examples[i].text, NULL, &err), err);
        if (strcmp(buf, examples[i].result) != 0)
            fail_msg("%s gives %s, not %s", examples[i].text, buf, examples[i].result);
    }
}

static void assert_messages(const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char buf[100] = "";
        struct hone_error err = {0};
        if (evaluate(buf, examples[i].text, NULL, &err) != HONE_EINPUT)
            fail_msg("%s gives %s", examples[i].text, buf);
        assert_string_equal(err.text, examples[i].result);
        assert_string_equal(err.source, examples[i].text);
    }
}

#define VALUES(...)                                                                      \
    do {                                                                                 \
        static const struct example examples[] = {__VA_ARGS__};                          \
        assert_values(examples, sizeof examples / sizeof examples[0]);                   \
    } while (0)

#define MESSAGES(...)                                                                    \
    do {                                                                                 \
        static const struct example examples[] = {__VA_ARGS__};                          \
        assert_messages(examples, sizeof examples / sizeof examples[0]);                 \
    } while (0)

static void literals_are_lua_s(void **state)
{
    (void)state;
    VALUES({"0", "0"}, {"007", "7"}, {"9223372036854775807", "9223372036854775807"},
           {"9223372036854775808", "9.223372036854776e+18"}, {"0xff", "255"},
           {"0XA", "10"}, {"0xffffffffffffffff", "-1"}, {"0x10000000000000001", "1"},
           {"3.", "3.0"}, {".5", "0.5"}, {"3e2", "300.0"}, {"3E-2", "0.03"},
           {"0x.8p1", "1.0"}, {"0xA.8", "10.5"}, {"1e999", "inf"}, {"0.1", "0.1"},
           {"1e15", "1e+15"}, {"2^53", "9007199254740992.0"}, {"true", "true"},
           {"false", "false"}, {"'a\"b'", "a\"b"}, {"\"a'b\"", "a'b"},
           {"'\\65\\x42\\u{43}'", "ABC"}, {"'a\\z \n  b'", "ab"}, {"'\\\\\\''", "\\'"},
           {"''", ""}, {"'\\u{e9}'", "\xc3\xa9"},
           {"'\\u{7FFFFFFF}'", "\xfd\xbf\xbf\xbf\xbf\xbf"});
}

static void precedence_is_lua_s(void **state)
{
    (void)state;
    VALUES({"2 + 3 * 4", "14"}, {"(2 + 3) * 4", "20"}, {"10 - 4 - 3", "3"},
           {"2 ^ 3 ^ 2", "512.0"}, {"-2 ^ 2", "-4.0"}, {"2 ^ -1", "0.5"}, {"-3 % 5", "2"},
           {"- - 3", "3"}, {"not 1 == 2", "false"}, {"not (1 == 2)", "true"},
           {"1 | 6 ~ 3 & 2", "5"}, {"1 << 2 + 1", "8"}, {"6 & 3 << 1", "6"},
           {"5 & 4 == 4", "true"}, {"1 < 2 == true", "true"}, {"1 or 2 and 3", "1"},
           {"false and 1 or 2", "2"}, {"7 // 2 * 2", "6"}, {"7 % 4 * 2", "6"},
           {"~0 >> 60", "15"}, {"-x ^ 2", "-2.25"});
}

static void arithmetic_is_lua_s(void **state)
{
    (void)state;
    VALUES({"7 // 2", "3"}, {"-7 // 2", "-4"}, {"7 // -2", "-4"}, {"-7 // -2", "3"},
           {"7 % -3", "-2"}, {"-7 % 3", "2"}, {"-7 % -3", "-1"}, {"6 % -3", "0"},
           {"7 // 2.0", "3.0"}, {"-7.5 % 2", "0.5"}, {"7.5 % -2", "-0.5"},
           {"5 % (1 / 0)", "5.0"}, {"-5 % (1 / 0)", "inf"}, {"5 % (-1 / 0)", "-inf"},
           {"7 / 2", "3.5"}, {"8 / 2", "4.0"}, {"1 / zero", "inf"}, {"-1 / zero", "-inf"},
           {"0 / 0", "nan"}, {"5 // 0.0", "inf"}, {"5 % 0.0", "nan"}, {"3 | 4.0", "7"},
           {"1 << 63", "-9223372036854775808"}, {"1 << 64", "0"}, {"1 << -1", "0"},
           {"2 << -1", "1"}, {"-1 >> 63", "1"}, {"-1 >> -1", "-2"}, {"~5", "-6"},
           {"0x8000000000000000 // -1", "-9223372036854775808"},
           {"0x8000000000000000 % -1", "0"}, {"2 ^ 2", "4.0"}, {"1 + 1.0", "2.0"});
}

static void comparison_is_exact(void **state)
{
    (void)state;
    VALUES({"1 == 1.0", "true"}, {"'1' == 1", "false"}, {"true == 1", "false"},
           {"9007199254740993 == 9007199254740992.0", "false"},
           {"9007199254740993 > 9007199254740992.0", "true"},
           {"9223372036854775807 < 9223372036854775808.0", "true"},
           {"9223372036854775807 == 9223372036854775808.0", "false"},
           {"0x8000000000000000 == -9223372036854775808.0", "true"},
           {"0x8000000000000000 <= -1e300", "false"}, {"1 < 0 / 0", "false"},
           {"1 >= 0 / 0", "false"}, {"0 / 0 == 0 / 0", "false"},
           {"0 / 0 ~= 0 / 0", "true"}, {"'a' < 'b'", "true"}, {"'Z' < 'a'", "true"},
           {"'' <= ''", "true"}, {"name == 'row'", "true"}, {"name ~= 'col'", "true"},
           {"'a' < '\xc3\xa9'", "true"});
}

static void logic_gives_operands_and_short_cuts(void **state)
{
    (void)state;
    VALUES({"1 and 2", "2"}, {"false and 1 // zero", "false"}, {"0 or 2", "0"},
           {"false or name", "row"}, {"on and 5 or 6", "5"}, {"not on and 5 or 6", "6"},
           {"true or 1 // zero", "true"}, {"not 0", "false"}, {"(on and TM) + 1", "9"},
           {"1 and (false or 3)", "3"});
}

static void functions_work_on_both_kinds_of_numbers(void **state)
{
    (void)state;
    VALUES({"min(3, 1, 2)", "1"}, {"max(3, 1.5, 7)", "7"}, {"min(1, 1.0)", "1"},
           {"min(1.0, 1)", "1.0"}, {"min(4)", "4"}, {"abs(-3)", "3"},
           {"abs(-0.5)", "0.5"}, {"ceil_div(7, 2)", "4"}, {"ceil_div(-7, 2)", "-3"},
           {"ceil_div(8, 2)", "4"}, {"ceil_div(7, -2)", "-3"},
           {"ceil_div(0x8000000000000000, 2)", "-4611686018427387904"},
           {"ceil_div(0x8000000000000001, 2)", "-4611686018427387903"},
           {"ceil_div(7.5, 2)", "4.0"}, {"round_up(100, 64)", "128"},
           {"round_up(128, 64)", "128"}, {"is_pow2(64)", "true"}, {"is_pow2(0)", "false"},
           {"is_pow2(-8)", "false"}, {"is_pow2(48)", "false"}, {"is_pow2(8.0)", "true"},
           {"log2(8)", "3.0"}, {"sqrt(2.25)", "1.5"}, {"sqrt(16)", "4.0"});
}

static void order_comparisons_chain(void **state)
{
    (void)state;
    VALUES({"32 <= BM * TM <= 1024", "true"}, {"32 <= BM * TM < 512", "false"},
           {"600 <= BM * TM <= 1024", "false"}, {"1 < 2 < 3 < 4 < 5", "true"},
           {"1 < 2 < 3 < 3 < 5", "false"}, {"9 > TM >= 8 > 1", "true"},
           {"3 < 2 < 1 // zero", "false"}, {"1 < 2 < 3 == true", "true"},
           {"(1 < 2 < 3) == true", "true"}, {"1 < 2 and 2 < 3 < 4", "true"},
           {"BM + 1 > BN + 2 > TM + 3 > zero + 4", "true"},
           {"1 < min(TM, 3 * (1 < 2 < 3 and TM or 1)) < (BM + 1) * (BN + 1)", "true"},
           {"'a' < 'b' < 'c'", "true"});
}

static void syntax_errors_say_what_and_where(void **state)
{
    (void)state;
    MESSAGES(
        {"", "expression is empty"}, {" \n", "expression is empty"},
        {"BM +", "column 5: expected a value, found the end"},
        {"BM BN", "column 4: expected an operator, found 'BN'"},
        {"(BM", "column 4: expected ')', found the end"},
        {"BM)", "column 3: expected an operator, found ')'"},
        {"min(BM", "column 7: expected ',' or ')', found the end"},
        {"min(BM,)", "column 8: expected a value, found ')'"},
        {"1 , 2", "column 3: expected an operator, found ','"},
        {"not", "column 4: expected a value, found the end"},
        {"BM != 3", "column 4: unknown operator '!=', did you mean '~='?"},
        {"BM && BN", "column 4: unknown operator '&&', did you mean 'and'?"},
        {"BM || BN", "column 4: unknown operator '||', did you mean 'or'?"},
        {"!on", "column 1: unknown operator '!', did you mean 'not'?"},
        {"BM ** 2", "column 4: unknown operator '**', did you mean '^'?"},
        {"BM ? 1 : 2", "column 4: unknown operator '?', did you mean 'c and a or b'?"},
        {"BM = 3", "column 4: '=' assigns; did you mean '=='?"},
        {"BM -- 2", "column 4: '--' begins a comment in Lua; write - (-x)"},
        {"name .. 'x'", "column 6: '..' is not part of the expression language"},
        {"#name", "column 1: '#' is not part of the expression language"},
        {"x == nil", "column 6: 'nil' is not part of the expression language"},
        {"[[x]]", "column 1: long strings are not part of the expression language"},
        {"end", "column 1: 'end' is a reserved word of Lua"},
        {"device.end", "column 8: 'end' is a reserved word of Lua"},
        {"device.", "column 7: unexpected '.'"}, {"BM[1]", "column 3: unexpected '['"},
        {"BM $ 1", "column 4: unexpected '$'"},
        {"BM \xc3\xa9", "column 4: unexpected byte 0xc3"},
        {"3x", "column 1: malformed number '3x'"},
        {"1..2", "column 1: malformed number '1..2'"},
        {"0x", "column 1: malformed number '0x'"},
        {"1e+", "column 1: malformed number '1e+'"},
        {"x + 'abc", "column 5: unfinished string"},
        {"'a\nb'", "column 1: unfinished string"},
        {"'a\\q'", "column 3: bad escape in a string, or one that gives a zero byte"},
        {"'\\0'", "column 2: bad escape in a string, or one that gives a zero byte"},
        {"'\\300'", "column 2: bad escape in a string, or one that gives a zero byte"});
}

static void function_errors_name_the_function(void **state)
{
    (void)state;
    MESSAGES(
        {"1 + min()", "column 5: min takes at least 1 argument, not 0"},
        {"abs(1, 2)", "column 1: abs takes 1 argument, not 2"},
        {"ceil_div(1)", "column 1: ceil_div takes 2 arguments, not 1"},
        {"ceil_dv(1, 2)",
         "column 1: unknown function 'ceil_dv', did you mean 'ceil_div'?"},
        {"math.max(1, 2)", "column 1: unknown function 'math.max', did you mean 'max'?"},
        {"print(1)", "column 1: unknown function 'print' (there are min max abs ceil_div "
                     "round_up is_pow2 log2 sqrt)"});
}

static void evaluation_errors_quote_the_part(void **state)
{
    (void)state;
    MESSAGES({"BM % (zero * 2) == 0", "division by zero in 'BM % (zero * 2)'"},
             {"1 + BM // zero", "division by zero in 'BM // zero'"},
             {"ceil_div(BM, zero)", "division by zero in 'ceil_div(BM, zero)'"},
             {"1 +\non", "arithmetic on a boolean in '1 + on'"},
             {"-name", "arithmetic on a string in '-name'"},
             {"'10' + 1", "arithmetic on a string in ''10' + 1'"},
             {"max(1, 2, name, 3)", "arithmetic on a string in 'max(1, 2, name, 3)'"},
             {"min(on)", "arithmetic on a boolean in 'min(on)'"},
             {"x | 1", "number without an integer value in 'x | 1'"},
             {"is_pow2(x)", "number without an integer value in 'is_pow2(x)'"},
             {"~name", "bitwise operation on a string in '~name'"},
             {"on < 1", "cannot order a boolean and a number in 'on < 1'"},
             {"x > name", "cannot order a number and a string in 'x > name'"},
             {"1 < BM >= name", "cannot order a number and a string in 'BM >= name'"},
             {"BM + 1 < name", "cannot order a number and a string in 'BM + 1 < name'"},
             {"(1 < 2) < 3", "cannot order a boolean and a number in '(1 < 2) < 3'"},
             {"true < true", "cannot order a boolean and a boolean in 'true < true'"});
}

static void binding_suggests_the_nearest_name(void **state)
{
    (void)state;
    MESSAGES({"BMM > 1", "unknown variable 'BMM', did you mean 'BM'?"},
             {"device.smcount", "unknown variable 'device.smcount', did you mean "
                                "'device.sm_count'?"},
             {"BM + quantity", "unknown variable 'quantity'"});
}

static void variables_are_numbered_by_first_appearance(void **state)
{
    (void)state;
    struct hone_expr *expr = NULL;
    struct hone_error err = {0};
    struct hone_value value;
    assert_ok(hone_expr_new(&expr, "TM + BM * TM - device.sm_count", &err), err);
    assert_string_equal(hone_expr_text(expr), "TM + BM * TM - device.sm_count");
    assert_int_equal(hone_expr_var_count(expr), 3);
    assert_string_equal(hone_expr_var(expr, 0), "TM");
    assert_string_equal(hone_expr_var(expr, 1), "BM");
    assert_string_equal(hone_expr_var(expr, 2), "device.sm_count");
    assert_ok(hone_expr_eval(expr, slots, &value, NULL, &err), err); // not bound yet
    assert_int_equal(value.i, 64 + 48 * 64 - 8);
    assert_ok(hone_expr_bind(expr, names, NAMES, &err), err);
    assert_int_equal(hone_expr_slot(expr, 0), 2);
    assert_int_equal(hone_expr_slot(expr, 1), 0);
    assert_int_equal(hone_expr_slot(expr, 2), 3);
    assert_ok(hone_expr_eval(expr, slots, &value, NULL, &err), err);
    assert_int_equal(value.i, 8 + 64 * 8 - 132);
    hone_expr_free(expr);
    hone_expr_free(NULL);
}

static void wrapping_is_noted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned notes;
    } cases[] = {
        {"9223372036854775807 + 1", HONE_EXPR_OVERFLOW},
        {"0x8000000000000000 - 1", HONE_EXPR_OVERFLOW},
        {"4294967296 * 4294967296", HONE_EXPR_OVERFLOW},
        {"-0x8000000000000000", HONE_EXPR_OVERFLOW},
        {"abs(0x8000000000000000)", HONE_EXPR_OVERFLOW},
        {"0x8000000000000000 // -1", HONE_EXPR_OVERFLOW},
        {"round_up(9223372036854775807, 64)", HONE_EXPR_OVERFLOW},
        {"9223372036854775806 + 1", 0},
        {"9223372036854775807 + 1.0", 0},
        {"1 << 63", 0},
        {"false and 9223372036854775807 + 1", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char buf[100];
        unsigned notes = 0;
        struct hone_error err = {0};
        assert_ok(evaluate(buf, cases[i].text, &notes, &err), err);
        if (notes != cases[i].notes) fail_msg("%s notes %u", cases[i].text, notes);
    }
}

static void conjunctions_split_into_their_parts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *parts[6];
    } cases[] = {
        {"BM > 1", {"BM > 1"}},
        {"BM > 1 or TM > 1", {"BM > 1 or TM > 1"}},
        {"BM > 1 and BN > 2 and TM > 3", {"BM > 1", "BN > 2", "TM > 3"}},
        {"BM > 1 and (BN > 2 and (TM > 3))", {"BM > 1", "BN > 2", "(TM > 3)"}},
        {"32 <= BM * (TM) <= 1024 < x",
         {"32 <= BM * (TM)", "BM * (TM) <= 1024", "1024 < x"}},
        {"(1 < (BM + 1) < 9) and on", {"1 < (BM + 1)", "(BM + 1) < 9", "on"}},
        {"not (BM > 1 and TM > 1)", {"not (BM > 1 and TM > 1)"}},
        {"on and BM > 1 or on and TM > 1", {"on and BM > 1 or on and TM > 1"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct hone_expr *expr = parse(cases[i].text);
        size_t count = 0;
        for (; cases[i].parts[count]; count++) {
            struct hone_expr *part = NULL;
            struct hone_error err = {0};
            assert_ok(hone_expr_conjunct(&part, expr, count, &err), err);
            assert_string_equal(hone_expr_text(part), cases[i].parts[count]);
            for (size_t v = 0; v < hone_expr_var_count(part); v++)
                assert_string_equal(hone_expr_var(part, v),
                                    names[hone_expr_slot(part, v)]);
            hone_expr_free(part);
        }
        assert_int_equal(hone_expr_conjunct_count(expr), count);
        hone_expr_free(expr);
    }
}

static void values_convert_and_compare_by_type(void **state)
{
    (void)state;
    const struct hone_value one = {.type = HONE_INT, .i = 1};
    const struct hone_value one_f = {.type = HONE_FLOAT, .f = 1.0};
    const struct hone_value half = {.type = HONE_FLOAT, .f = 0.5};
    const struct hone_value no = {.type = HONE_BOOL, .b = false};
    const struct hone_value text = {.type = HONE_STRING, .s = "1"};
    int64_t i = 0;
    double f = 0;
    assert_false(hone_value_same(one, one_f));
    assert_true(hone_value_same(one, one));
    assert_true(
        hone_value_same(text, (struct hone_value){.type = HONE_STRING, .s = "1"}));
    assert_true(hone_value_to_int(one_f, &i) && i == 1);
    assert_false(hone_value_to_int(half, &i));
    assert_false(
        hone_value_to_int((struct hone_value){.type = HONE_FLOAT, .f = 0x1p63}, &i));
    assert_false(hone_value_to_int(text, &i));
    assert_true(hone_value_to_double(one, &f) && f == 1);
    assert_false(hone_value_to_double(no, &f));
    assert_false(hone_value_true(no));
    assert_true(hone_value_true((struct hone_value){.type = HONE_INT, .i = 0}));
}

// One meaning, whether the text is of --set, of a list of problems or of a header.
static void text_is_a_value_of_the_type_that_is_wanted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct hone_value value;
    } rows[] = {
        {"4096", {.type = HONE_INT, .i = 4096}},
        {"4096.0", {.type = HONE_INT, .i = 4096}},
        {"-4e3", {.type = HONE_INT, .i = -4000}},
        {"9223372036854775807", {.type = HONE_INT, .i = INT64_MAX}},
        {"2", {.type = HONE_FLOAT, .f = 2}},
        {".5", {.type = HONE_FLOAT, .f = 0.5}},
        {"1e-3", {.type = HONE_FLOAT, .f = 1e-3}},
        {"true", {.type = HONE_BOOL, .b = true}},
        {"1", {.type = HONE_BOOL, .b = true}},
        {"false", {.type = HONE_BOOL, .b = false}},
        {"0", {.type = HONE_BOOL, .b = false}},
        {"f16", {.type = HONE_STRING, .s = "f16"}},
        {"", {.type = HONE_STRING, .s = ""}},
    };
    static const struct {
        const char *text;
        enum hone_type type;
    } bad[] = {
        {"", HONE_INT},
        {"4.5", HONE_INT},
        {"4k", HONE_INT},
        {" 4", HONE_INT},
        {"0x10", HONE_INT},
        {"1e19", HONE_INT},
        {"true", HONE_INT},
        {"1-2", HONE_INT},
        {"nan", HONE_FLOAT},
        {"inf", HONE_FLOAT},
        {"", HONE_FLOAT},
        {"0x1p3", HONE_FLOAT},
        {"2f", HONE_FLOAT},
        {"yes", HONE_BOOL},
        {"2", HONE_BOOL},
        {"", HONE_BOOL},
        {"99999999999999999999", HONE_INT},
        {"1e999", HONE_FLOAT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_value value = {0};
        assert_true(hone_value_parse(&value, rows[i].value.type, rows[i].text));
        assert_true(hone_value_same(value, rows[i].value));
        assert_true(hone_value_is(rows[i].value, rows[i].text));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct hone_value value = {.type = HONE_INT, .i = 7};
        if (hone_value_parse(&value, bad[i].type, bad[i].text) || value.i != 7)
            fail_msg("'%s' was taken", bad[i].text);
    }
}

static void printed_floats_read_back_the_same(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 8);
    for (int n = 0; n < 20000; n++) {
        uint64_t bits = hone_rng_next(&rng);
        struct hone_value value = {.type = HONE_FLOAT};
        memcpy(&value.f, &bits, sizeof bits);
        if (!isfinite(value.f)) continue;
        char buf[40], tiny[5] = "1234";
        size_t len = hone_value_print(buf, sizeof buf, value);
        assert_int_equal(len, strlen(buf));
        assert_true(c_number(buf) == value.f);
        assert_int_equal(hone_value_print(tiny, sizeof tiny, value), strlen(tiny));
        assert_memory_equal(tiny, buf, strlen(tiny));
    }
    char buf[8] = "x";
    assert_int_equal(hone_value_print(buf, 0, (struct hone_value){.type = HONE_INT}), 0);
    assert_string_equal(buf, "x");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(literals_are_lua_s),
    cmocka_unit_test(precedence_is_lua_s),
    cmocka_unit_test(arithmetic_is_lua_s),
    cmocka_unit_test(comparison_is_exact),
    cmocka_unit_test(logic_gives_operands_and_short_cuts),
    cmocka_unit_test(functions_work_on_both_kinds_of_numbers),
    cmocka_unit_test(order_comparisons_chain),
    cmocka_unit_test(syntax_errors_say_what_and_where),
    cmocka_unit_test(function_errors_name_the_function),
    cmocka_unit_test(evaluation_errors_quote_the_part),
    cmocka_unit_test(binding_suggests_the_nearest_name),
    cmocka_unit_test(variables_are_numbered_by_first_appearance),
    cmocka_unit_test(wrapping_is_noted),
    cmocka_unit_test(conjunctions_split_into_their_parts),
    cmocka_unit_test(values_convert_and_compare_by_type),
    cmocka_unit_test(text_is_a_value_of_the_type_that_is_wanted),
    cmocka_unit_test(printed_floats_read_back_the_same),
};
HONE_TEST_MAIN(tests)
