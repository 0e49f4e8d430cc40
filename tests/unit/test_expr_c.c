// Printed C against the evaluator: random typed expressions go into one C program, which
// must print the values that evaluation gives; the text itself is checked by example.
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "expr/c_helpers.h"
#include "hone_test.h"

enum { VARS = 11, EXPRESSIONS = 800, ROWS = 24, DEPTH = 5 };

static const char *const names[VARS] = {"i", "j", "k", "f", "g",       "p",
                                        "q", "b", "m", "s", "device.t"};
static const struct hone_expr_c_range tile = {1, 256, true}, size = {0, INT32_MAX, false};
static const struct hone_expr_c_var vars[VARS] = {
    {HONE_INT, "row->i", NULL, NULL, NULL},   {HONE_INT, "row->j", NULL, NULL, NULL},
    {HONE_INT, "row->k", NULL, NULL, NULL},   {HONE_FLOAT, "row->f", NULL, NULL, NULL},
    {HONE_FLOAT, "row->g", NULL, NULL, NULL}, {HONE_BOOL, "row->p", NULL, NULL, NULL},
    {HONE_BOOL, "row->q", NULL, NULL, NULL},  {HONE_INT, "row->b", NULL, NULL, &tile},
    {HONE_INT, "row->m", NULL, NULL, &size},  {HONE_STRING, "row->s", NULL, NULL, NULL},
    {HONE_STRING, "\"t\"", NULL, NULL, NULL},
};

static void print_ok(struct hone_strbuf *out, enum hone_type *type, const char *text)
{
    struct hone_error err = {0};
    struct hone_expr *expr = NULL;
    assert_ok(hone_expr_new(&expr, text, &err), err);
    assert_ok(hone_expr_bind(expr, names, VARS, &err), err);
    assert_ok(hone_expr_print_c(expr, vars, out, type, &err), err);
    hone_expr_free(expr);
}

static void c_text_is_as_expected(void **state)
{
    (void)state;
    static const struct {
        const char *text, *c;
        enum hone_type type;
    } cases[] = {
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
        {"i % 2 == 0 and j >= 64", "(hone2_floor_mod(row->i, 2) == 0) && (row->j >= 64)",
         HONE_BOOL},
        {"32 <= i * j <= 1024",
         "(32 <= hone2_mul(row->i, row->j)) && (hone2_mul(row->i, row->j) <= 1024)",
         HONE_BOOL},
        {"not p", "!row->p", HONE_BOOL},
        {"not i", "0", HONE_BOOL},
        {"p and 4 or i", "row->p ? 4 : row->i", HONE_INT},
        {"i > j and i or j", "(row->i > row->j) ? row->i : row->j", HONE_INT},
        {"p and 1 or q and 2 or i", "row->p ? 1 : (row->q ? 2 : row->i)", HONE_INT},
        {"p and 1 or q and 2 or p and 3 or 4",
         "row->p ? 1 : (row->q ? 2 : (row->p ? 3 : 4))", HONE_INT},
        {"p or q or p", "(row->p || row->q) || row->p", HONE_BOOL},
        {"min(i, j, 3)", "hone2_min(hone2_min(row->i, row->j), 3)", HONE_INT},
        {"i < f", "hone2_cmp_if(row->i, row->f) < 0", HONE_BOOL},
        {"i >= f", "hone2_cmp_fi(row->f, row->i) <= 0", HONE_BOOL},
        {"s == 'row \"major\"?'",
         "hone2_cmp_str(row->s, \"row \\042major\\042\\077\") == 0", HONE_BOOL},
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
        {"ceil_div(i, 512) * b",
         "(long long)(row->i / 512 + (row->i % 512 > 0)) * row->b", HONE_INT},
        {"i // 4 - 1", "(long long)(row->i / 4 - (row->i % 4 < 0)) - 1", HONE_INT},
        {"1 - i // 4 > j", "(long long)1 - (row->i / 4 - (row->i % 4 < 0)) > row->j",
         HONE_BOOL},
        {"ceil_div(i + j, b)", "hone2_ceil_div(hone2_add(row->i, row->j), row->b)",
         HONE_INT},
        {"i // 1", "hone2_floor_div(row->i, 1)", HONE_INT},
        {"round_up(m, b)", "(row->m + row->b - 1) / row->b * row->b", HONE_INT},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct hone_strbuf out = HONE_STRBUF_INIT;
        enum hone_type type = HONE_STRING;
        print_ok(&out, &type, cases[n].text);
        assert_string_equal(out.data, cases[n].c);
        assert_int_equal(type, cases[n].type);
        hone_strbuf_fini(&out);
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

struct generator {
    struct hone_rng rng;
    struct hone_strbuf text;
};

static void put(struct generator *g, enum hone_type type, int depth);

static uint64_t below(struct generator *g, uint64_t n)
{
    return hone_rng_below(&g->rng, n);
}

static enum hone_type number(struct generator *g)
{
    return below(g, 2) ? HONE_INT : HONE_FLOAT;
}

static void put_leaf(struct generator *g, enum hone_type type)
{
    static const char *const leaves[][14] = {
        [HONE_INT] = {"i", "j", "k", "b", "m", "b", "m", "1", "2", "-3", "64", "7",
                      "0x7fffffffffffffff", "0x8000000000000000"},
        [HONE_FLOAT] = {"f", "g", "f", "g", "0.0", "-0.0", "1.5", "2.0", "1e300", "1e999",
                        "5e-324", "0x1p53", "9223372036854775808", "3.25"},
        [HONE_BOOL] = {"p", "q", "p", "q", "true", "false", "p", "q", "p", "q", "p", "q",
                       "p", "q"},
        [HONE_STRING] = {"s", "s", "s", "'a'", "'\\n\"?'", "''", "s", "device.t", "'t'",
                         "'\\200'", "s", "s", "s", "s"},
    };
    hone_strbuf_add(&g->text, leaves[type][below(g, 14)]);
}

static void put_infix(struct generator *g, enum hone_type a, const char *symbol,
                      enum hone_type b, int depth)
{
    hone_strbuf_add(&g->text, "(");
    put(g, a, depth);
    hone_strbuf_printf(&g->text, " %s ", symbol);
    put(g, b, depth);
    hone_strbuf_add(&g->text, ")");
}

static void put_call(struct generator *g, const char *name, enum hone_type a,
                     enum hone_type b, int depth)
{
    hone_strbuf_printf(&g->text, "%s(", name);
    put(g, a, depth);
    if (name[strlen(name) - 1] != ' ') { // a space marks the functions of one argument
        hone_strbuf_add(&g->text, ", ");
        put(g, b, depth);
    }
    hone_strbuf_add(&g->text, ")");
}

// Two operand types that make a float.
static void float_operands(struct generator *g, enum hone_type *a, enum hone_type *b)
{
    *a = number(g);
    *b = *a == HONE_FLOAT ? number(g) : HONE_FLOAT;
}

// (p and (x or y) or z), or a longer one: (p and (x or y) or q and (v or w) or z)
static void put_choice(struct generator *g, enum hone_type type, int depth)
{
    hone_strbuf_add(&g->text, "(");
    do {
        put(g, HONE_BOOL, depth);
        hone_strbuf_add(&g->text, " and ");
        put_infix(g, type, "or", type, depth);
        hone_strbuf_add(&g->text, " or ");
    } while (below(g, 3) == 0);
    put(g, type, depth);
    hone_strbuf_add(&g->text, ")");
}

static void put_int(struct generator *g, int depth)
{
    static const char *const infix[] = {"+", "-", "*", "//", "%",
                                        "&", "|", "~", "<<", ">>"};
    static const char *const calls[] = {"min",      "max", "abs ", "ceil_div",
                                        "round_up", "- ",  "~ "};
    uint64_t form = below(g, 20);
    if (form < 10) {
        bool bits =
            form >= 5 && below(g, 4) == 0; // bitwise operators take whole floats, too
        put_infix(g, bits ? HONE_FLOAT : HONE_INT, infix[form], HONE_INT, depth);
    } else if (form < 17) {
        put_call(g, calls[form - 10], HONE_INT, HONE_INT, depth);
    } else {
        put_choice(g, HONE_INT, depth);
    }
}

static void put_float(struct generator *g, int depth)
{
    static const char *const infix[] = {"+", "-", "*", "//", "%"};
    static const char *const same[] = {"min", "max", "abs ", "- "};
    enum hone_type a, b;
    float_operands(g, &a, &b);
    uint64_t form = below(g, 14);
    if (form < 5) {
        put_infix(g, a, infix[form], b, depth);
    } else if (form < 9) {
        put_call(g, same[form - 5], HONE_FLOAT, HONE_FLOAT, depth);
    } else if (form < 11) {
        put_call(g, form == 9 ? "ceil_div" : "round_up", a, b, depth);
    } else if (form == 11) {
        put_call(g, "sqrt ", number(g), HONE_INT, depth);
    } else if (form == 12) {
        put_infix(g, number(g), "/", number(g), depth);
    } else {
        hone_strbuf_add(&g->text, "(("); // binds more than "- " and "~ " of an operand
        put(g, number(g), depth);
        hone_strbuf_add(&g->text, ") ^ 2)");
    }
}

static void put_bool(struct generator *g, int depth)
{
    static const char *const order[] = {"<", "<=", ">", ">=", "==", "~="};
    static const char *const logic[] = {"and", "or", "==", "~="};
    uint64_t form = below(g, 8);
    if (form < 3) {
        put_infix(g, number(g), order[below(g, 6)], number(g), depth);
    } else if (form < 5) {
        put_infix(g, HONE_BOOL, logic[below(g, 4)], HONE_BOOL, depth);
    } else if (form == 5) {
        put_infix(g, HONE_STRING, order[below(g, 6)], HONE_STRING, depth);
    } else if (form == 6) {
        bool powers = below(g, 2);
        put_call(g, powers ? "is_pow2 " : "not ", powers ? HONE_INT : HONE_BOOL, HONE_INT,
                 depth);
    } else {
        hone_strbuf_add(&g->text, "(");
        put(g, number(g), depth);
        hone_strbuf_printf(&g->text, " %s ", order[below(g, 4)]);
        put(g, number(g), depth);
        hone_strbuf_printf(&g->text, " %s ", order[below(g, 4)]);
        put(g, number(g), depth);
        hone_strbuf_add(&g->text, ")");
    }
}

static void put(struct generator *g, enum hone_type type, int depth)
{
    bool leaf = depth == 0 || below(g, 6) == 0;
    if (leaf || type == HONE_STRING)
        put_leaf(g, type);
    else if (type == HONE_INT)
        put_int(g, depth - 1);
    else if (type == HONE_FLOAT)
        put_float(g, depth - 1);
    else
        put_bool(g, depth - 1);
}

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
            row[v].s = v == VARS - 1 ? "t" : strings[below(g, 5)];
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
        hone_strbuf_printf(c, "%.17g", f);
}

static void add_row(struct hone_strbuf *c, int n, const struct hone_value row[VARS])
{
    for (int v = 0; v < VARS - 1; v++) {
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
    "            all[e](&rows[n], ok[n][e] - '0');\n"
    "    return 0;\n"
    "}\n";

struct program {
    struct generator generator;
    struct hone_expr *exprs[EXPRESSIONS];
    struct hone_strbuf c, expected, ok;
    int values;
};

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

// The first line that differs, with its number: row * EXPRESSIONS + expression, failures
// left out.
static void assert_same_lines(const char *got, const char *expected)
{
    for (int line = 1; *got || *expected; line++) {
        size_t n = strcspn(got, "\n"), m = strcspn(expected, "\n");
        if (n != m || memcmp(got, expected, n) != 0)
            fail_msg("value %d: C gives %.*s, evaluation %.*s", line, (int)n, got, (int)m,
                     expected);
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
    assert_same_lines(output.data, program->expected.data);
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(c_text_is_as_expected),
    cmocka_unit_test(what_has_no_static_type_is_refused),
    cmocka_unit_test(runaway_c_text_is_refused),
    cmocka_unit_test(the_text_of_the_functions_is_that_of_their_number),
    cmocka_unit_test(only_the_functions_that_a_text_calls_come_along),
    cmocka_unit_test(random_expressions_give_the_same_values_in_c),
};
HONE_TEST_MAIN(tests)
