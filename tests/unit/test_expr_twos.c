/* Powers of two that divide an expression divide each value that it has, and what is
 * learnt from a condition holds wherever that is true: by evaluation of random
 * expressions over all values of their variables. What kernels ask is a table. */
#include "hone_test.h"

#include <string.h>

#include "expr/c_form.h"
#include "hone/rng.h"
#include "hone/strbuf.h"

enum { VARS = 4, ROUNDS = 10000, LEAST = -24, MOST = 24 };

/* a is any integer, e a multiple of 8; of f nothing is known, in truth it is 1.5; p is a
 * boolean. */
static const char *const names[VARS] = {"a", "e", "f", "p"};
static const struct hone_expr_c_var vars[VARS] = {
    {.type = HONE_INT, .text = "a"},
    {.type = HONE_INT, .text = "e"},
    {.type = HONE_STRING, .text = "f", .guard = ""},
    {.type = HONE_BOOL, .text = "p"}};
static const unsigned char exponents[VARS] = {0, 3, 0, 0};

// Of the variables, kept in room.
static struct hone_c_twos known(unsigned char room[VARS])
{
    memcpy(room, exponents, VARS);
    return (struct hone_c_twos){.vars = room};
}

static struct hone_expr *parse(const char *text)
{
    struct hone_expr *expr = NULL;
    struct hone_error err = {0};
    assert_ok(hone_expr_new(&expr, text, &err), err);
    assert_ok(hone_expr_bind(expr, names, VARS, &err), err);
    return expr;
}

static struct hone_c_form *form_of(const struct hone_expr *expr)
{
    struct hone_c_form *form = NULL;
    assert_int_equal(hone_c_form_new(&form, expr, vars, NULL), HONE_OK);
    return form;
}

static bool divides(int twos, int64_t number)
{
    return twos > 62 ? number == 0 || number == INT64_MIN
                     : ((uint64_t)number & ((UINT64_C(1) << twos) - 1)) == 0;
}

// Values of all variables, of a number; false: there are no more.
static bool set_values(struct hone_value values[VARS], size_t n)
{
    enum { SPAN = MOST - LEAST + 1, MULTIPLES = 7 };
    values[0] = (struct hone_value){.type = HONE_INT, .i = LEAST + (int64_t)(n % SPAN)};
    n /= SPAN;
    values[1] =
        (struct hone_value){.type = HONE_INT, .i = 8 * ((int64_t)(n % MULTIPLES) - 3)};
    n /= MULTIPLES;
    values[2] = (struct hone_value){.type = HONE_FLOAT, .f = 1.5};
    values[3] = (struct hone_value){.type = HONE_BOOL, .b = n % 2};
    return n / 2 == 0;
}

/* --- random expressions --- */

static void put(struct hone_strbuf *out, struct hone_rng *rng, int depth)
{
    static const char *const leaves[] = {"a", "e",  "a", "e", "f", "8",
                                         "6", "-4", "0", "1", "2", "16"};
    static const char *const forms[] = {
        "(? + ?)",        "(? - ?)",       "(? * ?)",        "(? // ?)",
        "(? % ?)",        "(- ?)",         "(? & ?)",        "(? | ?)",
        "(? ~ ?)",        "(? << 2)",      "(? >> 1)",       "min(?, ?)",
        "max(?, ?)",      "abs(?)",        "ceil_div(?, ?)", "round_up(?, ?)",
        "(p and ? or ?)", "(? < ? and ?)", "(? == ? or ?)",  "(? / ?)"};
    const char *form = depth
                           ? forms[hone_rng_below(rng, sizeof forms / sizeof *forms)]
                           : leaves[hone_rng_below(rng, sizeof leaves / sizeof *leaves)];
    for (; *form; form++)
        if (*form == '?')
            put(out, rng, depth ? (int)hone_rng_below(rng, (uint64_t)depth) : 0);
        else
            hone_strbuf_printf(out, "%c", *form);
}

static struct hone_expr *random_expr(struct hone_rng *rng, int depth)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    put(&text, rng, depth);
    struct hone_expr *expr = parse(text.data);
    hone_strbuf_fini(&text);
    return expr;
}

static struct hone_expr *parse_between(const char *before, const struct hone_expr *expr,
                                       const char *after)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_printf(&text, "%s%s%s", before, hone_expr_text(expr), after);
    struct hone_expr *whole = parse(text.data);
    hone_strbuf_fini(&text);
    return whole;
}

static bool is_true(const struct hone_expr *expr, const struct hone_value values[VARS])
{
    struct hone_value value;
    return hone_expr_eval(expr, values, &value, NULL, NULL) == HONE_OK &&
           hone_value_true(value);
}

// Where the condition (NULL: none) is true. Returns how many values there were.
static size_t check_values(const struct hone_expr *expr, int twos,
                           const struct hone_expr *condition)
{
    struct hone_value values[VARS], value;
    size_t seen = 0;
    bool more = true;
    for (size_t i = 0; more && twos > 0; i++) {
        more = set_values(values, i);
        if (condition && !is_true(condition, values)) continue;
        if (hone_expr_eval(expr, values, &value, NULL, NULL) != HONE_OK ||
            value.type > HONE_FLOAT)
            continue;
        seen++;
        if (value.type == HONE_FLOAT || !divides(twos, value.i))
            fail_msg("%s: 2^%d, a = %d, e = %d, where %s", hone_expr_text(expr), twos,
                     (int)values[0].i, (int)values[1].i,
                     condition ? hone_expr_text(condition) : "");
    }
    return seen;
}

static void what_divides_an_expression_divides_its_values(void **state)
{
    (void)state;
    unsigned char room[VARS];
    const struct hone_c_twos all = known(room);
    struct hone_rng rng;
    hone_rng_seed(&rng, 11);
    size_t found = 0, seen = 0;
    for (size_t n = 0; n < ROUNDS; n++) {
        struct hone_expr *expr = random_expr(&rng, 3);
        struct hone_c_form *form = form_of(expr);
        const int twos = hone_c_form_twos(form, &all);
        seen += check_values(expr, twos, NULL);
        found += twos > 0 && twos < 63;
        hone_c_form_free(form);
        hone_expr_free(expr);
    }
    print_message("%zu expressions with a divisor, %zu values\n", found, seen);
    assert_true(found > ROUNDS / 20);
}

// Of variables, and of an expression around what the condition is about.
static void what_is_learnt_holds_where_it_is_true(void **state)
{
    (void)state;
    static const char *const words[][2] = {{"", " % 8 == 0"},
                                           {"", " == 0"},
                                           {"", " % 4 == 0 and a > 3"},
                                           {"", " & 7 == 0"},
                                           {"", " == e"},
                                           {"not (", " % 8 ~= 0)"},
                                           {"not (", " ~= e or p)"},
                                           {"true == not (", " & 7 ~= 0)"},
                                           {"not (", " == 0) == false"},
                                           {"false ~= (", " % 8 == 0)"},
                                           {"true ~= (", " % 8 ~= 0)"},
                                           {"true ~= (", " or a % 8 ~= 0)"}};
    enum { WORDS = sizeof words / sizeof *words };
    struct hone_rng rng;
    hone_rng_seed(&rng, 12);
    size_t learnt = 0, parts = 0;
    for (size_t n = 0; n < ROUNDS; n++) {
        unsigned char room[VARS];
        struct hone_c_twos twos = known(room);
        struct hone_expr *inner = random_expr(&rng, 1 + (int)(n % 2)),
                         *condition = parse_between(words[n % WORDS][0], inner,
                                                    words[n % WORDS][1]),
                         *around = parse_between("3 * ", inner, " + 2 * e"),
                         *a = parse("a");
        struct hone_c_form *form = form_of(condition), *of_around = form_of(around);
        const int before = hone_c_form_twos(of_around, &twos);
        hone_c_form_learn(form, -1, &twos);
        const int after = hone_c_form_twos(of_around, &twos);
        check_values(a, twos.vars[0], condition);
        check_values(around, after, condition);
        learnt += twos.vars[0] > 0;
        parts += after > before && twos.parts;
        hone_arena_fini(&twos.arena);
        hone_c_form_free(of_around);
        hone_c_form_free(form);
        hone_expr_free(a);
        hone_expr_free(around);
        hone_expr_free(condition);
        hone_expr_free(inner);
    }
    print_message("%zu conditions of %d said something, %zu of parts\n", learnt,
                  (int)ROUNDS, parts);
    assert_true(learnt > ROUNDS / 50 && parts > ROUNDS / 50);
}

static const struct {
    const char *text;
    int twos;
    const char *where; // what is true, or NULL
} strides[] = {
    {"round_up(a, 16)", 4, NULL},
    {"ceil_div(a, 8) * 8 + 8", 3, NULL},
    {"p and ceil_div(a, 8) * 8 + 8 or e", 3, NULL},
    {"max(1, a) * (e + (p and 16 or 0))", 3, NULL},
    {"e // 2", 2, NULL},
    {"e // 3", 0, NULL},
    {"a * 24", 3, NULL},
    {"e / 2", -1, NULL},
    {"f * 8", -1, NULL},
    {"f and 8", 3, NULL},
    {"a & ~15", 4, NULL},
    {"0", 63, NULL},
    {"a", 4, "a % 16 == 0 or 'a: use another kernel' == ''"},
    {"a", 3, "(a + (p and 8 or 0)) * 2 % 16 == 0"},
    {"a", 0, "a % 16 == 0 or a > 100"},
    {"a + e", 4, "a % 16 == 0 and e % 64 == 0 and p"},
    {"e", 5, "e * 6 % 64 == 0"},
    {"a", 3, "(e - a) % 32 == 0"},
    {"a", 3, "a == 3 * e"},
    {"a", 5, "a & 31 == 0"},
    {"a", 12, "a == 4096"},
    {"a", 3, "a % e == 0"},
    {"f", -1, "f % 8 == 0"},
    {"a", 0, "not (a % 16 == 0)"},
    {"a", 0, "a % 16 ~= 0"},
    {"a", 4, "not (a % 16 ~= 0)"},
    {"a", 4, "not not (a % 16 == 0)"},
    {"a + e", 4, "not (a % 16 ~= 0 or e % 16 ~= 0)"},
    {"a", 0, "not (a % 16 ~= 0 and p)"},
    {"a", 4, "(a % 16 == 0) ~= false"},
    {"a", 4, "(a % 16 ~= 0) == false"},
    {"a", 4, "true ~= (a % 16 ~= 0)"},
    {"a", 0, "(p or a % 16 ~= 0) ~= true"},
    // a part
    {"(p and a // 2 or 16) * 4", 5, "a // 2 * 2 % 16 == 0"},
    {"(p and a or e) + 8", 3, "(p and a or e) * 2 % 32 == 0"},
    {"a // 3", 0, "a // 2 % 8 == 0"},
    {"max(a, e)", 6, "max(a, e) % 64 == 0"},
    {"max(e, a)", 0, "max(a, e) % 64 == 0"},
};

static void strides_of_kernels_are_seen_through(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        unsigned char room[VARS];
        struct hone_c_twos all = known(room);
        struct hone_expr *where = parse(strides[i].where ? strides[i].where : "p"),
                         *expr = parse(strides[i].text);
        struct hone_c_form *of_where = form_of(where), *form = form_of(expr);
        hone_c_form_learn(of_where, -1, &all);
        const int twos = hone_c_form_twos(form, &all);
        if (twos != strides[i].twos) fail_msg("%s: %d", strides[i].text, twos);
        hone_arena_fini(&all.arena);
        hone_c_form_free(form);
        hone_c_form_free(of_where);
        hone_expr_free(expr);
        hone_expr_free(where);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_divides_an_expression_divides_its_values),
    cmocka_unit_test(what_is_learnt_holds_where_it_is_true),
    cmocka_unit_test(strides_of_kernels_are_seen_through),
};
HONE_TEST_MAIN(tests)
