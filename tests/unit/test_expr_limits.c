// Expressions at their limits: nesting, length, text of any kind, which must never do
// harm, and many threads at once.
#include <pthread.h>
#include <string.h>

#include "expr_fixture.h"
#include "hone/rng.h"
#include "hone/strbuf.h"
#include "hone_test.h"

// count times open, then middle, then count times close.
static struct hone_expr *nested(const char *open, const char *middle, const char *close,
                                int count, struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_expr *expr = NULL;
    for (int i = 0; i < count; i++)
        hone_strbuf_add(&text, open);
    hone_strbuf_add(&text, middle);
    for (int i = 0; i < count; i++)
        hone_strbuf_add(&text, close);
    hone_expr_new(&expr, text.data, err);
    hone_strbuf_fini(&text);
    return expr;
}

static void assert_nests(const char *open, const char *close, int most,
                         const char *message)
{
    struct hone_error err = {0};
    struct hone_value value;
    struct hone_expr *expr = nested(open, "1", close, most, &err);
    assert_ok(err.code, err);
    (void)hone_expr_eval(expr, NULL, &value, NULL, NULL); // any value, no harm
    hone_expr_conjunct_count(expr);
    hone_expr_free(expr);
    assert_null(nested(open, "1", close, most + 1, &err));
    assert_int_equal(err.code, HONE_ELIMIT);
    assert_string_equal(err.text, message);
}

static void depth_and_length_have_limits(void **state)
{
    (void)state;
    static const char deep[] = "expression nests deeper than 200 levels";
    static const char high[] = "expression has more than 1000 operators in a row";
    assert_nests("(", ")", 199, deep);
    assert_nests("- ", "", 199, deep);
    assert_nests("2 ^ ", "", 199, deep);
    assert_nests("min(1, 2, ", ")", 199, deep);
    assert_nests("1 + (2 * ", ")", 99, deep);
    assert_nests("1 < (2 < 3 * ", ") < 4", 98, deep);
    assert_nests("", " + 1", 999, high);
    assert_nests("", " and 1", 999, high);
    assert_nests("", " < 2", 999, high);
    assert_nests("", "                                                                ",
                 1023, "expression is longer than 65535 bytes");
}

// Three levels a round, and two temporaries: the shared operand of the chain and the
// product.
static void deepest_expressions_evaluate(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_value value;
    const struct hone_value x = {.type = HONE_INT, .i = 3};
    struct hone_expr *expr =
        nested("(1 < 2 * ", "5", " < 100 * x and x + 1 or 8)", 66, &err);
    assert_ok(err.code, err);
    assert_ok(hone_expr_eval(expr, &x, &value, NULL, &err), err);
    assert_int_equal(value.i, 4);
    hone_expr_free(expr);
    expr = nested("x * 2 - (", "5", ")", 99, &err);
    assert_ok(err.code, err);
    assert_ok(hone_expr_eval(expr, &x, &value, NULL, &err), err);
    assert_int_equal(value.i, 6 - 5); // 6 - (6 - (... 5)), an odd number of times
    hone_expr_free(expr);
}

// Truth of the parts, each evaluated alone, against the whole.
static void assert_parts_agree(const struct hone_expr *expr)
{
    struct hone_value whole, value;
    bool all = true;
    if (hone_expr_eval(expr, slots, &whole, NULL, NULL) != HONE_OK) return;
    for (size_t i = 0; i < hone_expr_conjunct_count(expr); i++) {
        struct hone_expr *part = NULL;
        struct hone_error err = {0};
        assert_ok(hone_expr_conjunct(&part, expr, i, &err), err);
        bool ok = hone_expr_eval(part, slots, &value, NULL, &err) == HONE_OK;
        assert_true(ok || !all); // a part may fail after one that is false
        all = all && ok && hone_value_true(value);
        hone_expr_free(part);
    }
    assert_int_equal(all, hone_value_true(whole));
}

// Whatever evaluates may be printed or refused.
static void print_without_harm(const struct hone_expr *expr)
{
    struct hone_expr_c_var vars[NAMES];
    struct hone_strbuf out = HONE_STRBUF_INIT;
    enum hone_type type;
    for (size_t i = 0; i < NAMES; i++)
        vars[i] = (struct hone_expr_c_var){.type = slots[i].type, .text = "v"};
    enum hone_status status = hone_expr_print_c(expr, vars, &out, &type, NULL);
    assert_true(status == HONE_EUNSUPPORTED || (status == HONE_OK && out.len > 0));
    hone_strbuf_fini(&out);
}

static void try_text(const char *text, int *parsed)
{
    struct hone_expr *expr = NULL;
    struct hone_error err = {0};
    enum hone_status status = hone_expr_new(&expr, text, &err);
    assert_int_equal(status, err.code);
    assert_true(status == HONE_OK || status == HONE_EINPUT || status == HONE_ELIMIT);
    assert_true((status == HONE_OK) == (expr != NULL));
    assert_null(strchr(err.text, '\n'));
    if (expr && hone_expr_bind(expr, names, NAMES, NULL) == HONE_OK) {
        assert_parts_agree(expr);
        print_without_harm(expr);
        ++*parsed;
    }
    hone_expr_free(expr);
}

static void any_bytes_are_harmless(void **state)
{
    (void)state;
    struct hone_rng rng;
    int parsed = 0;
    hone_rng_seed(&rng, 1);
    for (int n = 0; n < 50000; n++) {
        char text[24];
        size_t len = hone_rng_below(&rng, sizeof text);
        for (size_t i = 0; i < len; i++)
            text[i] = (char)hone_rng_below(&rng, 256);
        text[len] = '\0';
        try_text(text, &parsed);
    }
}

static void any_tokens_are_harmless(void **state)
{
    (void)state;
    static const char *const tokens[] = {
        "BM",  "TM",   "zero", "on",        "x",  "name", "1",    "2.5", "'s'",  "true",
        "(",   ")",    "(",    ")",         "+",  "-",    "*",    "//",  "%",    "/",
        "^",   "<",    "<=",   ">",         ">=", "==",   "~=",   "and", "and",  "or",
        "not", "~",    "&",    "|",         "<<", ">>",   "min(", ",",   "abs(", ",",
        "BN",  "0x7f", "1e3",  "ceil_div(", "<",  "and",  "<=",   "3"};
    struct hone_rng rng;
    int parsed = 0;
    hone_rng_seed(&rng, 2);
    for (int n = 0; n < 100000; n++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        for (uint64_t left = 1 + hone_rng_below(&rng, 9); left > 0; left--)
            hone_strbuf_printf(&text, "%s ", tokens[hone_rng_below(&rng, 48)]);
        try_text(text.data, &parsed);
        hone_strbuf_fini(&text);
    }
    assert_in_range(parsed, 3000, 100000);
}

static void mutated_expressions_are_harmless(void **state)
{
    (void)state;
    static const char *const seeds[] = {"BM % (TM * 2) == 0 and 32 <= BM * BN <= 1024",
                                        "min(BM, BN, 3) + ceil_div(BM, zero)",
                                        "on and name == 'r\\x6fw' or 0x1.8p3 // -2 ~= x",
                                        "'\\u{48}\\z  a\\65' < name <= \"z\""};
    struct hone_rng rng;
    int parsed = 0;
    hone_rng_seed(&rng, 3);
    for (int n = 0; n < 50000; n++) {
        char text[80];
        strcpy(text, seeds[n % 4]);
        size_t len = strlen(text);
        for (uint64_t left = 1 + hone_rng_below(&rng, 3); left > 0; left--)
            text[hone_rng_below(&rng, len)] = (char)(' ' + (int)hone_rng_below(&rng, 95));
        text[hone_rng_below(&rng, 8) ? len : hone_rng_below(&rng, len)] = '\0';
        try_text(text, &parsed);
    }
    assert_in_range(parsed, 2500, 50000);
}

static void *evaluate_often(void *arg)
{
    const struct hone_expr *expr = arg;
    int64_t sum = 0;
    for (int64_t i = 0; i < 20000; i++) {
        struct hone_value value, x[] = {{.type = HONE_INT, .i = i}};
        if (hone_expr_eval(expr, x, &value, NULL, NULL) == HONE_OK) sum += value.i;
    }
    return (void *)(intptr_t)sum;
}

static void threads_share_an_expression(void **state)
{
    (void)state;
    struct hone_expr *expr = NULL;
    struct hone_error err = {0};
    pthread_t threads[4];
    assert_ok(hone_expr_new(&expr, "(i % 2 == 0 and i or -i) // 1", &err), err);
    for (int t = 0; t < 4; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, evaluate_often, expr), 0);
    for (int t = 0; t < 4; t++) {
        void *sum = NULL;
        pthread_join(threads[t], &sum);
        assert_int_equal((intptr_t)sum, -10000);
    }
    hone_expr_free(expr);
}
static const struct CMUnitTest tests[] = {
    cmocka_unit_test(depth_and_length_have_limits),
    cmocka_unit_test(deepest_expressions_evaluate),
    cmocka_unit_test(any_bytes_are_harmless),
    cmocka_unit_test(any_tokens_are_harmless),
    cmocka_unit_test(mutated_expressions_are_harmless),
    cmocka_unit_test(threads_share_an_expression),
};
HONE_TEST_MAIN(tests)
