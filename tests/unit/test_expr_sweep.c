// Rows of values at once against one value at a time.
#include "hone/expr.h"
#include "hone_test.h"
#include "rng.h"

static const char *const names[] = {"a", "b", "c"};

static struct hone_expr *parse(const char *text)
{
    struct hone_expr *expr = NULL;
    struct hone_error err = {0};
    assert_ok(hone_expr_new(&expr, text, &err), err);
    assert_ok(hone_expr_bind(expr, names, 3, &err), err);
    return expr;
}

static struct hone_value integer(int64_t i)
{
    return (struct hone_value){.type = HONE_INT, .i = i};
}

// Whether a sweep over slot succeeds; if so it must say what single evaluations say.
static bool agrees(const struct hone_expr *expr, struct hone_value *slots, size_t slot,
                   const struct hone_value *values, size_t count)
{
    bool truths[HONE_SWEEP_MAX];
    if (!hone_expr_sweep(expr, slots, slot, values, count, truths)) return false;
    for (size_t i = 0; i < count; i++) {
        struct hone_value single;
        struct hone_error err = {0};
        unsigned notes = 0;
        slots[slot] = values[i];
        assert_ok(hone_expr_eval(expr, slots, &single, &notes, &err), err);
        assert_int_equal(notes, 0);
        assert_int_equal(truths[i], hone_value_true(single));
    }
    return true;
}

static void sweeps_say_what_single_evaluations_say(void **state)
{
    (void)state;
    static const char *const texts[] = {"a % (b * c) == 0",
                                        "a + b - c >= 2",
                                        "not (a < b or b < c)",
                                        "a <= b < c",
                                        "1 <= a <= b <= c + 2",
                                        "a // b == c and a ~= b",
                                        "min(a, b) == c",
                                        "max(a, b, c) > 4",
                                        "(a == b) == (b == c)",
                                        "true",
                                        "a == 1 or (b > 2 and not (c == 3))",
                                        "a * a + b * b <= 30",
                                        "false or a > b",
                                        "a < b < c < 7"};
    struct hone_rng rng;
    hone_rng_seed(&rng, 3);
    size_t swept = 0, tried = 0;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct hone_expr *expr = parse(texts[t]);
        for (size_t round = 0; round < 200; round++, tried++) {
            struct hone_value slots[3], values[HONE_SWEEP_MAX];
            size_t count = 1 + (size_t)hone_rng_below(&rng, HONE_SWEEP_MAX);
            for (size_t i = 0; i < 3; i++)
                slots[i] = integer((int64_t)hone_rng_below(&rng, 12) - 1);
            for (size_t i = 0; i < count; i++)
                values[i] = integer((int64_t)hone_rng_below(&rng, 12) + 1);
            swept += agrees(expr, slots, round % 3, values, count);
        }
        hone_expr_free(expr);
    }
    assert_true(swept > tried * 3 / 4); // the others divide by 0 or less
}

static void what_is_not_plain_is_not_swept(void **state)
{
    (void)state;
    static const char *const texts[] = {"a % (b - b) == 0",
                                        "a // (0 - b) == 0",
                                        "a / b == 1",
                                        "a == 1.5",
                                        "a + b",
                                        "a and b > 0",
                                        "(a == b) == 1",
                                        "a == 'x'",
                                        "abs(a) == 1",
                                        "is_pow2(a)",
                                        "a * 4611686018427387904 * b > 0",
                                        "min(a) == 1",
                                        "a == 0 or b % (a - a) == 0"};
    const struct hone_value values[] = {integer(3), integer(5)};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct hone_value slots[] = {integer(3), integer(7), integer(1)};
        struct hone_expr *expr = parse(texts[t]);
        assert_false(agrees(expr, slots, 0, values, 2));
        hone_expr_free(expr);
    }
}

static void values_of_mixed_types_are_not_swept(void **state)
{
    (void)state;
    const struct hone_value mixed[] = {integer(1), {.type = HONE_BOOL, .b = true}};
    const struct hone_value truths[] = {{.type = HONE_BOOL, .b = true},
                                        {.type = HONE_BOOL, .b = false}};
    struct hone_value slots[] = {integer(1), integer(1), integer(1)};
    struct hone_expr *expr = parse("not a or b == 2");
    assert_false(agrees(expr, slots, 0, mixed, 2));
    assert_true(agrees(expr, slots, 0, truths, 2));
    assert_false(agrees(expr, slots, 0, truths, 0));
    hone_expr_free(expr);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sweeps_say_what_single_evaluations_say),
    cmocka_unit_test(what_is_not_plain_is_not_swept),
    cmocka_unit_test(values_of_mixed_types_are_not_swept),
};

HONE_TEST_MAIN(tests)
