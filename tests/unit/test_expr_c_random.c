// Printed C against the evaluator: random typed expressions go into one C program, which
// must print the values that evaluation gives.
#include "expr_c_frame.h"

#include "expr/c_form.h"

static int64_t random_int(struct generator *g)
{
    static const int64_t special[] = {0, -1, 1, INT64_MIN, INT64_MAX, 1LL << 53, -64, 63};
    return below(g, 3) ? (int64_t)below(g, 400) - 60 : special[below(g, 8)];
}

static double random_float(struct generator *g)
{
    static const double special[] = {0.0,   -0.0,   INFINITY,  -INFINITY,
                                     NAN,   0x1p53, 0x1p63,    -0x1p63,
                                     1e300, 5e-324, -2.5e-310, 3};
    switch (below(g, 3)) {
    case 0:
        return special[below(g, 12)];
    case 1:
        return (double)below(g, 100) - 20;
    default:
        return (hone_rng_double(&g->rng) - 0.4) * 1e3;
    }
}

static void random_row(struct generator *g, struct hone_value row[VARS])
{
    static const char *const strings[] = {"", "a", "t", "\n\"?", "\310"};
    for (int v = 0; v < VARS; v++) {
        if (vars[v].value) {
            row[v] = *vars[v].value;
            continue;
        }
        row[v].type = vars[v].type;
        switch (row[v].type) {
        case HONE_INT:
            row[v].i = random_int(g);
            if (vars[v].range)
                row[v].i =
                    vars[v].range->low +
                    (int64_t)below(g, below(g, 2) ? 5 : (uint64_t)vars[v].range->high);
            break;
        case HONE_FLOAT:
            row[v].f = random_float(g);
            break;
        case HONE_BOOL:
            row[v].b = below(g, 2) == 0;
            break;
        case HONE_STRING:
            row[v].s = strings[below(g, 5)];
            break;
        }
    }
}

static void add_double(struct hone_strbuf *c, double f)
{
    if (isnan(f))
        hone_strbuf_add(c, "hone2_inf() - hone2_inf()");
    else if (isinf(f))
        hone_strbuf_add(c, f > 0 ? "hone2_inf()" : "-hone2_inf()");
    else
        hone_strbuf_printf(c, "%#.17g", f); // -0 is an integer
}

static void add_row(struct hone_strbuf *c, int n, const struct hone_value row[VARS])
{
    for (int v = 0; v < VARS && !vars[v].value; v++) {
        hone_strbuf_printf(c, "    rows[%d].%s = ", n, names[v]);
        switch (row[v].type) {
        case HONE_INT:
            hone_strbuf_printf(c, "(long long)%lluULL", (unsigned long long)row[v].i);
            break;
        case HONE_FLOAT:
            add_double(c, row[v].f);
            break;
        case HONE_BOOL:
            hone_strbuf_printf(c, "%d", row[v].b);
            break;
        case HONE_STRING:
            hone_strbuf_add(c, "\"");
            for (const char *s = row[v].s; *s; s++)
                hone_strbuf_printf(c, "\\%03o", (unsigned char)*s);
            hone_strbuf_add(c, "\"");
            break;
        }
        hone_strbuf_add(c, ";\n");
    }
}

static void add_expected(struct hone_strbuf *out, struct hone_value value)
{
    switch (value.type) {
    case HONE_INT:
        hone_strbuf_printf(out, "%lld\n", (long long)value.i);
        break;
    case HONE_FLOAT:
        hone_strbuf_printf(out, isnan(value.f) ? "nan\n" : "%a\n", value.f);
        break;
    case HONE_BOOL:
        hone_strbuf_printf(out, "%d\n", value.b);
        break;
    case HONE_STRING:
        hone_strbuf_printf(out, "%s\n", value.s);
        break;
    }
}

// The C program: for each expression a function that shows its value for a row, or "-"
// where evaluation fails; C must go on there, with any value.
static const char program_head[] =
    "#include <stdio.h>\n"
    "struct row { long long i, j, k, m; double f, g; int p, q, b; const char *s; };\n"
    "static void show_int(long long v, int ok) { if (ok) printf(\"%lld\\n\", v); }\n"
    "static void show_bool(int v, int ok) { if (ok) printf(\"%d\\n\", v); }\n"
    "static void show_string(const char *v, int ok) { if (ok) printf(\"%s\\n\", v); }\n"
    "static void show_float(double v, int ok)\n"
    "{\n"
    "    if (ok && v != v) puts(\"nan\");\n"
    "    else if (ok) printf(\"%a\\n\", v);\n"
    "}\n";

static const char program_main[] =
    "    for (n = 0; n < (int)(sizeof rows / sizeof rows[0]); n++)\n"
    "        for (e = 0; e < (int)(sizeof all / sizeof all[0]); e++)\n"
    "            if (ok[n][e] == '1') {\n"
    "                printf(\"%d %d \", n, e);\n"
    "                all[e](&rows[n], 1);\n"
    "            } else {\n"
    "                all[e](&rows[n], 0);\n"
    "            }\n"
    "    return 0;\n"
    "}\n";

struct program {
    struct generator generator;
    struct hone_expr *exprs[EXPRESSIONS];
    struct hone_strbuf c, expected, ok;
    int values;
};

// Of a condition its denial, denied once more.
static void print_denied_twice(struct hone_strbuf *out, const struct hone_expr *expr,
                               enum hone_type *type)
{
    struct hone_c_form *form = NULL;
    struct hone_expr_c_range range;
    struct hone_error err = {0};
    assert_ok(hone_c_form_new(&form, expr, vars, &err), err);
    hone_c_form_deny(form);
    hone_strbuf_add(out, "!(");
    assert_ok(hone_c_form_print(form, out, type, &range, &err), err);
    hone_strbuf_add(out, ")");
    hone_c_form_free(form);
}

static void add_expression(struct program *program, int n)
{
    static const char *const shows[] = {"int", "float", "bool", "string"};
    struct generator *g = &program->generator;
    struct hone_error err = {0};
    enum hone_type wanted = (enum hone_type)(n % 4), type;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_clear(&g->text);
    put(g, wanted, 1 + n % DEPTH);
    assert_ok(hone_expr_new(&program->exprs[n], g->text.data, &err), err);
    assert_ok(hone_expr_bind(program->exprs[n], names, VARS, &err), err);
    if (wanted == HONE_BOOL && n % 8 > 3)
        print_denied_twice(&text, program->exprs[n], &type);
    else
        assert_ok(hone_expr_print_c(program->exprs[n], vars, &text, &type, &err), err);
    assert_int_equal(type, wanted);
    hone_strbuf_printf(&program->c,
                       "static void expr_%d(const struct row *row, int ok)\n"
                       "{\n    (void)row;\n    show_%s(%s, ok);\n}\n",
                       n, shows[type], text.data);
    hone_strbuf_fini(&text);
}

static void add_row_values(struct program *program, int n,
                           const struct hone_value row[VARS])
{
    add_row(&program->c, n, row);
    hone_strbuf_add(&program->ok, n ? "\",\n    \"" : "    \"");
    for (int e = 0; e < EXPRESSIONS; e++) {
        struct hone_value value;
        bool ok = hone_expr_eval(program->exprs[e], row, &value, NULL, NULL) == HONE_OK;
        hone_strbuf_add(&program->ok, ok ? "1" : "0");
        if (ok) hone_strbuf_printf(&program->expected, "%d %d ", n, e);
        if (ok) add_expected(&program->expected, value);
        program->values += ok;
    }
}

static void add_table(struct program *program)
{
    hone_strbuf_printf(&program->c,
                       "static void (*const all[])(const struct row *, int) = {\n");
    for (int e = 0; e < EXPRESSIONS; e++)
        hone_strbuf_printf(&program->c, "    expr_%d,\n", e);
    hone_strbuf_printf(&program->c, "};\nstatic struct row rows[%d];\n", ROWS);
}

// Fills program->c and program->expected.
static void write_program(struct program *program)
{
    struct hone_error err = {0};
    hone_strbuf_add(&program->c, program_head);
    assert_ok(hone_expr_print_c_helpers(&program->c, &err), err);
    assert_ok(hone_expr_print_c_helpers(&program->c, &err), err); // it guards itself
    for (int e = 0; e < EXPRESSIONS; e++)
        add_expression(program, e);
    add_table(program);
    hone_strbuf_add(&program->c, "static void fill(void)\n{\n");
    for (int n = 0; n < ROWS; n++) {
        struct hone_value row[VARS];
        random_row(&program->generator, row);
        add_row_values(program, n, row);
    }
    hone_strbuf_printf(&program->c, "}\nstatic const char *const ok[] = {\n%s\"};\n",
                       program->ok.data);
    hone_strbuf_add(&program->c, "int main(void)\n{\n    int n, e;\n    fill();\n");
    hone_strbuf_add(&program->c, program_main);
}

static void read_output(struct hone_strbuf *out, const char *command)
{
    char block[4096];
    size_t n;
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    while ((n = fread(block, 1, sizeof block, pipe)) > 0)
        hone_strbuf_add_bytes(out, block, n);
    assert_int_equal(pclose(pipe), 0);
}

// As C99 into a program, and by each compiler for the warnings.
static void compile(const char *source, const char *program)
{
    static const char *const others[] = {"c++ -x c++ -std=c++11", "clang -std=c99",
                                         "clang++ -x c++ -std=c++20"};
    char command[400];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(command, sizeof command,
                 "command -v %.*s >/dev/null || exit 0; "
                 "%s -fsyntax-only -Wall -Wextra -Wpedantic -Werror "
                 "-Wno-unused-function %s",
                 (int)strcspn(others[i], " "), others[i], others[i], source);
        if (system(command) != 0) fail_msg("%s", command);
    }
    snprintf(command, sizeof command,
             "cc -std=c99 -O1 -Wall -Wextra -Wpedantic -Werror"
             " -fsanitize=undefined -fno-sanitize-recover=all -o %s %s",
             program, source);
    if (system(command) != 0) fail_msg("%s", command);
}

// A line is the number of a row, that of an expression, and a value.
static void assert_same_lines(const struct program *program, const char *got)
{
    const char *expected = program->expected.data;
    while (*got || *expected) {
        size_t n = strcspn(got, "\n"), m = strcspn(expected, "\n");
        if (n != m || memcmp(got, expected, n) != 0) {
            int e = 0;
            sscanf(expected, "%*d %d", &e);
            fail_msg("%s\nC gives %.*s, evaluation %.*s",
                     hone_expr_text(program->exprs[e]), (int)n, got, (int)m, expected);
        }
        got += n + (got[n] == '\n');
        expected += m + (expected[m] == '\n');
    }
}

static void assert_program_agrees(const struct program *program)
{
    char folder[] = "/tmp/hone-expr-XXXXXX";
    struct hone_strbuf output = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    assert_non_null(mkdtemp(folder));
    char *source = hone_path_join(folder, "all.c"),
         *binary = hone_path_join(folder, "all");
    assert_ok(hone_file_write(source, program->c.data, program->c.len, &err), err);
    compile(source, binary);
    read_output(&output, binary);
    assert_same_lines(program, output.data);
    unlink(source);
    unlink(binary);
    rmdir(folder);
    hone_strbuf_fini(&output);
    free(source);
    free(binary);
}

static void random_expressions_give_the_same_values_in_c(void **state)
{
    (void)state;
    if (system("cc --version >/dev/null 2>&1 && c++ --version >/dev/null 2>&1") != 0)
        SKIP("no C and C++ compilers here");
    struct program *program = calloc(1, sizeof *program);
    assert_non_null(program);
    program->c = program->expected = program->ok = (struct hone_strbuf)HONE_STRBUF_INIT;
    program->generator.text = (struct hone_strbuf)HONE_STRBUF_INIT;
    hone_rng_seed(&program->generator.rng, 99);
    write_program(program);
    assert_in_range(program->values, EXPRESSIONS * ROWS / 2, EXPRESSIONS * ROWS);
    assert_program_agrees(program);
    for (int e = 0; e < EXPRESSIONS; e++)
        hone_expr_free(program->exprs[e]);
    hone_strbuf_fini(&program->generator.text);
    hone_strbuf_fini(&program->c);
    hone_strbuf_fini(&program->expected);
    hone_strbuf_fini(&program->ok);
    free(program);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_expressions_give_the_same_values_in_c),
};
HONE_TEST_MAIN(tests)
