// Printed C whose variables are ints: expressions go into one C program, whose sanitizer
// finds each sum or product of two ints that none holds, and which must give the values
// that evaluation gives.
#include <string.h>

#include "base/file.h"
#include "hone/expr.h"
#include "hone/rng.h"
#include "hone/strbuf.h"
#include "hone_test.h"

enum { VARS = 5, RANDOM = 600, ROWS = 12, DEPTH = 3 };

static const char *const names[VARS] = {"A", "B", "S", "p", "L"};
static const struct hone_expr_c_range whole = {INT32_MIN, INT32_MAX, true},
                                      positive = {1, INT32_MAX, true},
                                      small = {1, 64, true},
                                      sizes = {0, INT64_MAX, false};
static const struct hone_expr_c_var vars[VARS] = {
    {HONE_INT, "row->A", NULL, NULL, &whole, NULL},
    {HONE_INT, "row->B", NULL, NULL, &positive, NULL},
    {HONE_INT, "row->S", NULL, NULL, &small, NULL},
    {HONE_BOOL, "row->p", NULL, NULL, NULL, NULL},
    {HONE_INT, "row->L", NULL, NULL, &sizes, NULL},
};

// What has the text of an int, though the range is no int's.
static const char *const texts[] = {"(A or 3000000000) * (B or 3000000000)",
                                    "(A or 3000000000) + (B or 3000000000)",
                                    "((A ~ B) & 2147483647) * ((A ~ B) & 2147483647)",
                                    "((A | B) & 2147483647) + ((A ~ S) & 2147483647)",
                                    "(~A & 2147483647) * B",
                                    "((p and A or B) & 2147483647) * (p and B or A)",
                                    "((p and A or B) & 2147483647) * "
                                    "((p and B or A) & 2147483647)",
                                    "ceil_div(B, 1) * B",
                                    "ceil_div(B, 1) + ceil_div(B, 1)",
                                    "round_up(B, 1) * ceil_div(B, 1)",
                                    "round_up(B, S) * B",
                                    "ceil_div(B, B)",
                                    "ceil_div(L, S)",
                                    "ceil_div(L, B)",
                                    "round_up(L, 3)",
                                    "round_up(L // 2, L // 3 + 1)",
                                    "A * B - B * B",
                                    "-A * B",
                                    "B % 3000000000 * B",
                                    "S * B // (B + B)"};
enum { TEXTS = sizeof texts / sizeof *texts, EXPRESSIONS = TEXTS + RANDOM };

/* --- random ones --- */

static void put(struct hone_strbuf *out, struct hone_rng *rng, int depth)
{
    static const char *const leaves[] = {"A", "B", "S", "L", "A",          "B",
                                         "S", "1", "3", "8", "2147483647", "3000000000"};
    static const char *const forms[] = {
        "(%+%)",         "(%-%)",           "(%*%)",          "(%*%)",
        "(%//%)",        "(%&%)",           "(%|%)",          "(%~%)",
        "(~%)",          "(% or %)",        "(p and % or %)", "min(%,%)",
        "(-%)",          "abs(%)",          "(%@%)",          "ceil_div(%,%)",
        "round_up(%,%)", "(% & 2147483647)"};
    if (depth == 0) {
        hone_strbuf_add(out, leaves[hone_rng_below(rng, 12)]);
        return;
    }
    for (const char *p = forms[hone_rng_below(rng, 18)]; *p; p++)
        if (*p == '%')
            put(out, rng, depth - 1 - (int)hone_rng_below(rng, (uint64_t)depth));
        else if (*p == '@')
            hone_strbuf_add(out, "%"); // the operator
        else
            hone_strbuf_add_bytes(out, p, 1);
}

/* --- the program --- */

struct program {
    struct hone_expr *exprs[EXPRESSIONS];
    struct hone_strbuf c, expected;
    struct hone_rng rng;
};

static void add_expression(struct program *program, int n)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    enum hone_type type = HONE_BOOL;
    if (n < TEXTS)
        hone_strbuf_add(&text, texts[n]);
    else
        put(&text, &program->rng, DEPTH);
    assert_ok(hone_expr_new(&program->exprs[n], text.data, &err), err);
    assert_ok(hone_expr_bind(program->exprs[n], names, VARS, &err), err);
    hone_strbuf_printf(&program->c,
                       "static long long expr_%d(const struct row *row)\n"
                       "{\n    (void)row;\n    return ",
                       n);
    assert_ok(hone_expr_print_c(program->exprs[n], vars, &program->c, &type, &err), err);
    hone_strbuf_printf(&program->c, ";\n} /* %s */\n", text.data);
    assert_int_equal(type, HONE_INT);
    hone_strbuf_fini(&text);
}

static int64_t random_value(struct program *program, const struct hone_expr_c_range *of)
{
    const uint64_t width = (uint64_t)of->high - (uint64_t)of->low;
    switch (hone_rng_below(&program->rng, 4)) {
    case 0:
        return of->low;
    case 1:
        return of->high;
    default:
        return (int64_t)((uint64_t)of->low + hone_rng_next(&program->rng) % (width + 1));
    }
}

// A division by 0 has no value: the program leaves it out, too.
static void add_row(struct program *program)
{
    struct hone_value row[VARS];
    for (int v = 0; v < VARS; v++)
        row[v] = vars[v].range
                     ? (struct hone_value){.type = HONE_INT,
                                           .i = random_value(program, vars[v].range)}
                     : (struct hone_value){.type = HONE_BOOL,
                                           .b = hone_rng_below(&program->rng, 2)};
    hone_strbuf_printf(&program->c, "    {%lld, %lld, %lld, %d, %lld, \"",
                       (long long)row[0].i, (long long)row[1].i, (long long)row[2].i,
                       row[3].b, (long long)row[4].i);
    for (int e = 0; e < EXPRESSIONS; e++) {
        struct hone_value value;
        const bool ok =
            hone_expr_eval(program->exprs[e], row, &value, NULL, NULL) == HONE_OK;
        hone_strbuf_add(&program->c, ok ? "1" : "0");
        if (ok)
            hone_strbuf_printf(&program->expected, "%d %lld\n", e, (long long)value.i);
    }
    hone_strbuf_add(&program->c, "\"},\n");
}

static void write_program(struct program *program)
{
    struct hone_error err = {0};
    hone_strbuf_add(&program->c, "#include <stdio.h>\n");
    assert_ok(hone_expr_print_c_helpers(&program->c, &err), err);
    hone_strbuf_add(&program->c, "struct row {\n    int A, B, S, p;\n    long long L;\n"
                                 "    const char *ok;\n};\n");
    for (int e = 0; e < EXPRESSIONS; e++)
        add_expression(program, e);
    hone_strbuf_add(&program->c, "static const struct row rows[] = {\n");
    for (int n = 0; n < ROWS; n++)
        add_row(program);
    hone_strbuf_add(&program->c,
                    "};\nstatic long long (*const all[])(const struct row *) = {\n");
    for (int e = 0; e < EXPRESSIONS; e++)
        hone_strbuf_printf(&program->c, "    expr_%d,\n", e);
    hone_strbuf_printf(&program->c,
                       "};\nint main(void)\n{\n"
                       "    for (int n = 0; n < %d; n++)\n"
                       "        for (int e = 0; e < %d; e++)\n"
                       "            if (rows[n].ok[e] == '1')\n"
                       "                printf(\"%%d %%lld\\n\", e, all[e](&rows[n]));\n"
                       "    return 0;\n}\n",
                       ROWS, EXPRESSIONS);
}

static char folder[] = "/tmp/hone-widths-XXXXXX";

static void assert_agrees(const struct program *program)
{
    char path[64], command[256];
    struct hone_error err = {0};
    const struct hone_strbuf *files[] = {&program->c, &program->expected};
    static const char *const file_names[] = {"all.c", "expected"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, file_names[i]);
        assert_ok(hone_file_write(path, files[i]->data, files[i]->len, &err), err);
    }
    snprintf(command, sizeof command,
             "cd %s && cc -std=c99 -O1 -w -fsanitize=undefined -fno-sanitize-recover=all "
             "-o all all.c && ./all >got && diff got expected | head -5 >&2 && "
             "cmp -s got expected",
             folder);
    if (system(command) != 0) fail_msg("%s", "the program and evaluation differ");
}

static void ints_are_widened_ahead_of_what_they_do_not_hold(void **state)
{
    (void)state;
    static struct program program;
    if (system("cc --version >/dev/null 2>&1") != 0) SKIP("no C compiler here");
    hone_rng_seed(&program.rng, 17);
    program.c = program.expected = (struct hone_strbuf)HONE_STRBUF_INIT;
    write_program(&program);
    assert_agrees(&program);
    for (int e = 0; e < EXPRESSIONS; e++)
        hone_expr_free(program.exprs[e]);
    hone_strbuf_fini(&program.c);
    hone_strbuf_fini(&program.expected);
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ints_are_widened_ahead_of_what_they_do_not_hold),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
