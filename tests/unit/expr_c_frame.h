/* What the suites of printed C share. */
#ifndef EXPR_C_FRAME_H
#define EXPR_C_FRAME_H

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "expr/c_helpers.h"
#include "hone/rng.h"
#include "hone/strbuf.h"
#include "hone_test.h"

enum { VARS = 15, EXPRESSIONS = 800, ROWS = 24, DEPTH = 5 };

// The last ones have the same value in every row, which the printer knows.
static const char *const names[VARS] = {"i", "j", "k", "f",        "g", "p", "q", "b",
                                        "m", "s", "y", "device.t", "n", "x", "z"};
static const struct hone_value settled[] = {{.type = HONE_BOOL, .b = true},
                                            {.type = HONE_STRING, .s = "t"},
                                            {.type = HONE_INT, .i = 48},
                                            {.type = HONE_FLOAT, .f = 2.5},
                                            {.type = HONE_FLOAT, .f = -0.0}};
static const struct hone_expr_c_range tile = {1, 256, true}, size = {0, INT32_MAX, false};
static const struct hone_expr_c_var vars[VARS] = {
    {HONE_INT, "row->i", NULL, NULL, NULL, NULL},
    {HONE_INT, "row->j", NULL, NULL, NULL, NULL},
    {HONE_INT, "row->k", NULL, NULL, NULL, NULL},
    {HONE_FLOAT, "row->f", NULL, NULL, NULL, NULL},
    {HONE_FLOAT, "row->g", NULL, NULL, NULL, NULL},
    {HONE_BOOL, "row->p", NULL, NULL, NULL, NULL},
    {HONE_BOOL, "row->q", NULL, NULL, NULL, NULL},
    {HONE_INT, "row->b", NULL, NULL, &tile, NULL},
    {HONE_INT, "row->m", NULL, NULL, &size, NULL},
    {HONE_STRING, "row->s", NULL, NULL, NULL, NULL},
    {HONE_BOOL, "1", NULL, NULL, NULL, &settled[0]},
    {HONE_STRING, "\"t\"", NULL, NULL, NULL, &settled[1]},
    {HONE_INT, "48", NULL, NULL, NULL, &settled[2]},
    {HONE_FLOAT, "2.5", NULL, NULL, NULL, &settled[3]},
    {HONE_FLOAT, "(-0.0)", NULL, NULL, NULL, &settled[4]},
};

struct generator {
    struct hone_rng rng;
    struct hone_strbuf text;
};

static void put(struct generator *g, enum hone_type type, int depth);

static inline uint64_t below(struct generator *g, uint64_t n)
{
    return hone_rng_below(&g->rng, n);
}

static inline enum hone_type number(struct generator *g)
{
    return below(g, 2) ? HONE_INT : HONE_FLOAT;
}

static inline void put_leaf(struct generator *g, enum hone_type type)
{
    static const char *const leaves[][14] = {
        [HONE_INT] = {"i", "j", "k", "b", "m", "b", "m", "1", "2", "-3", "n", "7",
                      "0x7fffffffffffffff", "0x8000000000000000"},
        [HONE_FLOAT] = {"f", "g", "f", "g", "0.0", "z", "x", "2.0", "1e300", "1e999",
                        "5e-324", "0x1p53", "9223372036854775808", "3.25"},
        [HONE_BOOL] = {"p", "q", "p", "q", "true", "false", "p", "q", "y", "q", "p", "q",
                       "p", "y"},
        [HONE_STRING] = {"s", "s", "s", "'a'", "'\\n\"?'", "''", "s", "device.t", "'t'",
                         "'\\200'", "s", "s", "s", "s"},
    };
    hone_strbuf_add(&g->text, leaves[type][below(g, 14)]);
}

static inline void put_infix(struct generator *g, enum hone_type a, const char *symbol,
                             enum hone_type b, int depth)
{
    hone_strbuf_add(&g->text, "(");
    put(g, a, depth);
    hone_strbuf_printf(&g->text, " %s ", symbol);
    put(g, b, depth);
    hone_strbuf_add(&g->text, ")");
}

static inline void put_call(struct generator *g, const char *name, enum hone_type a,
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
static inline void float_operands(struct generator *g, enum hone_type *a,
                                  enum hone_type *b)
{
    *a = number(g);
    *b = *a == HONE_FLOAT ? number(g) : HONE_FLOAT;
}

// (p and (x or y) or z), or a longer one: (p and (x or y) or q and (v or w) or z)
static inline void put_choice(struct generator *g, enum hone_type type, int depth)
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

static inline void put_int(struct generator *g, int depth)
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

static inline void put_float(struct generator *g, int depth)
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

static inline void put_bool(struct generator *g, int depth)
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

static inline void put(struct generator *g, enum hone_type type, int depth)
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

#endif
