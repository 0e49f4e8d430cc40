// Conditions and lists of Python: by example, and random ones against Python itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hone/rng.h"
#include "hone_test.h"
#include "python.h"

static const struct hone_python_name items[] = {
    {.name = "x", .kind = HONE_PYTHON_NUMBER},
    {.name = "y", .kind = HONE_PYTHON_NUMBER},
    {.name = "f", .kind = HONE_PYTHON_NUMBER},
    {.name = "b", .kind = HONE_PYTHON_BOOL},
    {.name = "s", .kind = HONE_PYTHON_STRING},
    {.name = "MAX", .kind = HONE_PYTHON_NUMBER, .text = "1024"}};
static const struct hone_python_names names = {.items = items, .count = 6};

static enum hone_status translate(char *out, size_t size, const char *text,
                                  struct hone_error *err)
{
    struct hone_arena arena = {0};
    const char *translated = NULL;
    enum hone_status status =
        hone_python_condition(&translated, text, names, &arena, err);
    snprintf(out, size, "%s", status ? "" : translated);
    hone_arena_fini(&arena);
    return status;
}

static void conditions_read_as_python_means_them(void **state)
{
    (void)state;
    static const struct {
        const char *python, *here;
    } cases[] = {
        {"x % 2 == 0 and y < MAX", "((x % 2) == 0) and (y < 1024)"},
        {"not x > 1", "not (x > 1)"},
        {"x", "x ~= 0"},
        {"not x or b", "(not (x ~= 0)) or b"},
        {"s", "s ~= ''"},
        {"1 < x <= y == 4", "((1 < x) and (x <= y)) and (y == 4)"},
        {"x in [1, 2]", "(x == 1) or (x == 2)"},
        {"x not in (1,)", "not (x == 1)"},
        {"s in ['a', \"b'\"]", "(s == 'a') or (s == 'b\\'')"},
        {"x in []", "false"},
        {"b == 1", "(b and 1 or 0) == 1"},
        {"b == True", "b == true"},
        {"b + 1 > x", "((b and 1 or 0) + 1) > x"},
        {"x ** 2 < 2 ** y", "(x * x) < (2 ^ y)"},
        {"-x ** 2 < 0", "(-(x * x)) < 0"},
        {"x // 2 / y > 0x1F", "((x // 2) / y) > 31"},
        {"x != 1_000", "x ~= 1000"},
        {"x >> 1 & 1",
         "(((x // (1 << min(1, 31))) // (1 << min(max(1 - 31, 0), 32))) & 1) ~= 0"},
        {"(x or y) == 4", "((x ~= 0) and x or y) == 4"},
        {"(x and y) == 4", "((x ~= 0) and y or x) == 4"},
        {"max(x, y, 3) == min([x, y])", "max(x, y, 3) == min(x, y)"},
        {"math.ceil(x / y) == 2", "(-(-(x / y) // 1)) == 2"},
        {"s == 1 or True", "(s == 1) or true"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        struct hone_error err = {0};
        assert_ok(translate(text, sizeof text, cases[i].python, &err), err);
        if (strcmp(text, cases[i].here) != 0)
            fail_msg("'%s' became '%s'", cases[i].python, text);
    }
}

static void what_is_not_understood_is_refused_with_its_column(void **state)
{
    (void)state;
    static const struct {
        const char *python, *message;
        enum hone_status status;
    } cases[] = {
        {"", "column 1: it ends too early", HONE_EINPUT},
        {"x +", "column 4: it ends too early", HONE_EINPUT},
        {"x y", "column 3: 'y' not understood", HONE_EINPUT},
        {"z > 1", "column 1: unknown name 'z'", HONE_EINPUT},
        {"(x > 1", "column 7: ')' expected", HONE_EINPUT},
        {"x = 1", "column 3: '= 1' not understood", HONE_EINPUT},
        {"__import__('os')", "column 1: unknown function '__import__'",
         HONE_EUNSUPPORTED},
        {"[x for x in y]", "column 1: '[' not understood", HONE_EINPUT},
        {"s + 1 > 2", "column 7: arithmetic on a text", HONE_EUNSUPPORTED},
        {"s < x", "column 6: a text in order with what is none", HONE_EUNSUPPORTED},
        {"'abc", "column 5: a text that does not end, or an escape in it", HONE_EINPUT},
        {"'a\\\0'", "column 4: a text that does not end, or an escape in it",
         HONE_EINPUT},
        {"12abc > x", "column 6: no number that is understood", HONE_EINPUT},
        {"abs(x, y) > 1", "column 10: abs does not take 2 arguments", HONE_EINPUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        struct hone_error err = {0};
        assert_int_equal(translate(text, sizeof text, cases[i].python, &err),
                         cases[i].status);
        assert_string_equal(err.text, cases[i].message);
    }
    char deep[2001], text[16];
    memset(deep, '(', 2000);
    deep[2000] = '\0';
    assert_int_equal(translate(text, sizeof text, deep, NULL), HONE_ELIMIT);
}

// --- lists ---

static void expect_values(const char *python, const char *expected)
{
    struct hone_arena arena = {0};
    struct hone_value *values;
    size_t count, used = 0;
    char text[512] = "";
    struct hone_error err = {0};
    assert_ok(hone_python_values(&values, &count, python, &arena, &err), err);
    for (size_t i = 0; i < count; i++) {
        char value[64];
        hone_value_print(value, sizeof value, values[i]);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "",
                                 value);
    }
    assert_string_equal(text, expected);
    hone_arena_fini(&arena);
}

static void lists_are_read_without_python(void **state)
{
    (void)state;
    expect_values("[1, 2, 4]", "1 2 4");
    expect_values("(1.5, 'row', True,)", "1.5 row true");
    expect_values("range(4)", "0 1 2 3");
    expect_values("list(range(8, 0, -3))", "8 5 2");
    expect_values("[1, 2] + [32*i for i in range(1, 4)]", "1 2 32 64 96");
    expect_values("[2**i for i in range(0, 4)]", "1 2 4 8");
    expect_values("[i for i in range(1, 10) if 12 % i == 0]", "1 2 3 4 6");
    expect_values("[i / 2 for i in [1, 2]]", "0.5 1.0");
    expect_values("[s for s in ('a for b', 'c') if s]", "a for b c");
    expect_values("[]", "");
}

static void other_lists_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "[1, 2",
                                        "1, 2",
                                        "[x]",
                                        "range(0, 9, 0)",
                                        "range('a')",
                                        "[1 for]",
                                        "os.getcwd()",
                                        "range(100000)",
                                        "[i for i in range(3) 5]",
                                        "[i + for i in range(3)]",
                                        "[1] * 3",
                                        "range(1, 2, 3, 4)",
                                        "[1 // 0]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct hone_arena arena = {0};
        struct hone_value *values;
        size_t count;
        struct hone_error err = {0};
        assert_int_not_equal(hone_python_values(&values, &count, texts[i], &arena, &err),
                             HONE_OK);
        assert_true(err.text[0] != '\0');
        hone_arena_fini(&arena);
    }
}

// --- against Python ---

enum { CASES = 4000, TEXT = 1024 };

struct random_text {
    struct hone_rng rng;
    char text[TEXT];
    size_t used;
};

static size_t below(struct random_text *r, size_t n)
{
    return (size_t)hone_rng_below(&r->rng, n);
}

static void put(struct random_text *r, const char *text)
{
    r->used += (size_t)snprintf(r->text + r->used, TEXT - r->used, "%s", text);
}

static void put_number(struct random_text *r, int depth);

// Precedence is Python's to find out: brackets are left out as often as not.
static void put_truth(struct random_text *r, int depth)
{
    static const char *const orders[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    static const char *const plain[] = {
        "b",         "s", "s == 'row'", "s != 'col'",
        "b == True", "x", "not b",      "s in ['row', 'x']"};
    if (depth == 0) {
        put(r, plain[below(r, sizeof plain / sizeof *plain)]);
        return;
    }
    switch (below(r, 7)) {
    case 0:
        put(r, "not ");
        put_truth(r, depth - 1);
        return;
    case 1:
    case 2:
        put_truth(r, depth - 1);
        put(r, below(r, 2) ? " and " : " or ");
        put_truth(r, depth - 1);
        return;
    case 3:
        put(r, "(");
        put_truth(r, depth - 1);
        put(r, ")");
        return;
    case 4:
        put_number(r, depth - 1);
        put(r, below(r, 2) ? " in [1, y, 3.5]" : " not in (2, x)");
        return;
    default:
        put_number(r, depth - 1);
        for (size_t n = 1 + below(r, 2); n > 0; n--) {
            put(r, orders[below(r, 6)]);
            put_number(r, depth - 1);
        }
    }
}

static void put_number(struct random_text *r, int depth)
{
    static const char *const plain[] = {"x", "y", "f", "3", "-2", "0", "1.5", "7", "b"};
    static const char *const binary[] = {" + ", "-", " * ", " // ", "%", " / "};
    static const char *const bits[] = {" & ", " | ", " ^ ", " >> "};
    if (depth == 0) {
        put(r, plain[below(r, sizeof plain / sizeof *plain)]);
        return;
    }
    switch (below(r, 8)) {
    case 0:
        put(r, "(");
        put_number(r, depth - 1);
        put(r, ")");
        return;
    case 1:
        put(r, below(r, 2) ? "min(" : "max(");
        put_number(r, depth - 1);
        put(r, ", ");
        put_number(r, depth - 1);
        put(r, ")");
        return;
    case 2:
        put(r, below(r, 2) ? "abs(" : "int(");
        put_number(r, depth - 1);
        put(r, ")");
        return;
    case 3:
        put(r, "(x");
        put(r, bits[below(r, 4)]);
        put(r, below(r, 2) ? "3)" : "(y * 9 & 127))");
        return;
    case 4:
        put(r, "-");
        put_number(r, depth - 1);
        put(r, below(r, 2) ? "**2" : "");
        return;
    default:
        put_number(r, depth - 1);
        put(r, binary[below(r, 6)]);
        put_number(r, depth - 1);
    }
}

struct sample {
    char text[TEXT], here[8 * TEXT];
    int64_t x, y;
    double f;
    bool b;
    const char *s;
};

static bool draw(struct random_text *r, struct sample *sample)
{
    static const char *const words[] = {"row", "col", "", "x"};
    r->used = 0;
    put_truth(r, 3);
    snprintf(sample->text, sizeof sample->text, "%s", r->text);
    sample->x = (int64_t)below(r, 9) - 2;
    sample->y = (int64_t)below(r, 9) - 2;
    sample->f = 0.5 * (double)below(r, 9);
    sample->b = below(r, 2);
    sample->s = words[below(r, 4)];
    return !translate(sample->here, sizeof sample->here, sample->text, NULL) &&
           strlen(sample->here) < sizeof sample->here - 1;
}

static char truth_here(const struct sample *sample)
{
    static const char *const slot_names[] = {"x", "y", "f", "b", "s"};
    const struct hone_value slots[] = {{.type = HONE_INT, .i = sample->x},
                                       {.type = HONE_INT, .i = sample->y},
                                       {.type = HONE_FLOAT, .f = sample->f},
                                       {.type = HONE_BOOL, .b = sample->b},
                                       {.type = HONE_STRING, .s = sample->s}};
    struct hone_expr *expr = NULL;
    struct hone_value value;
    struct hone_error err = {0};
    assert_ok(hone_expr_new(&expr, sample->here, &err), err);
    assert_ok(hone_expr_bind(expr, slot_names, 5, &err), err);
    bool failed = hone_expr_eval(expr, slots, &value, NULL, NULL);
    hone_expr_free(expr);
    return failed ? 'E' : hone_value_true(value) ? '1' : '0';
}

static const char program[] =
    "import sys\n"
    "for line in sys.stdin:\n"
    "    text, x, y, f, b, s = line.rstrip('\\n').split('\\t')\n"
    "    names = dict(x=int(x), y=int(y), f=float(f), b=b == '1', s=s)\n"
    "    try:\n"
    "        value = '1' if eval(text, {}, names) else '0'\n"
    "    except (ZeroDivisionError, TypeError, OverflowError, ValueError):\n"
    "        value = 'E'\n"
    "    print(value)\n";

static FILE *ask_python(const struct sample *samples, size_t count, const char *folder)
{
    char path[512], command[1200];
    snprintf(path, sizeof path, "%s/p.py", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(program, file);
    fclose(file);
    snprintf(path, sizeof path, "%s/in", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++) {
        const struct sample *t = &samples[i];
        fprintf(file, "%s\t%lld\t%lld\t%.17g\t%d\t%s\n", t->text, (long long)t->x,
                (long long)t->y, t->f, t->b, t->s);
    }
    fclose(file);
    snprintf(command, sizeof command, "python3 -W ignore %s/p.py < %s/in; rm -r %s",
             folder, folder, folder);
    return popen(command, "r");
}

static void random_conditions_hold_where_python_says(void **state)
{
    (void)state;
    if (system("python3 -c '' 2>/dev/null") != 0) SKIP("python3 not found");
    char folder[] = "/tmp/hone-python-XXXXXX";
    struct sample *samples = calloc(CASES, sizeof *samples);
    struct random_text r = {0};
    size_t count = 0, compared = 0, refused = 0;
    hone_rng_seed(&r.rng, 7);
    assert_non_null(samples);
    assert_non_null(mkdtemp(folder));
    while (count < CASES)
        if (draw(&r, &samples[count]))
            count++;
        else
            refused++;
    FILE *answers = ask_python(samples, count, folder);
    assert_non_null(answers);
    for (size_t i = 0; i < count; i++) {
        char line[16] = "";
        assert_non_null(fgets(line, sizeof line, answers));
        if (line[0] == 'E') continue; // where Python raises, anything goes
        compared++;
        if (truth_here(&samples[i]) != line[0])
            fail_msg(
                "python says %c, '%s' says %c for '%s' x %lld y %lld f %g b %d s '%s'",
                line[0], samples[i].here, truth_here(&samples[i]), samples[i].text,
                (long long)samples[i].x, (long long)samples[i].y, samples[i].f,
                samples[i].b, samples[i].s);
    }
    pclose(answers);
    free(samples);
    assert_true(compared > CASES / 2);
    assert_true(refused < CASES / 4);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(conditions_read_as_python_means_them),
    cmocka_unit_test(what_is_not_understood_is_refused_with_its_column),
    cmocka_unit_test(lists_are_read_without_python),
    cmocka_unit_test(other_lists_are_refused),
    cmocka_unit_test(random_conditions_hold_where_python_says),
};
HONE_TEST_MAIN(tests)
