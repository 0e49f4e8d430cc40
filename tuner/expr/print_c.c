// An expression as C99 and C++11 text. Integers are long long, floats double, booleans
// int. Integer arithmetic goes through the helper functions of c_helpers.h, since C's own
// overflow is undefined and its division rounds otherwise.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ast.h"
#include "base/sink.h"
#include "base/strbuf.h"
#include "c_quiet.h"
#include "c_types.h"

// A chain prints its inner operands twice, so nested chains could grow without bound.
enum { MOST_BYTES = 1 << 20 };

struct printer {
    const struct hone_expr *expr;
    const struct hone_expr_c_var *vars;
    const uint8_t *types;
    struct hone_strbuf *out;
    size_t most; // bytes in out
};

// A leading space marks an infix operator, else the name is a function's.
static const struct {
    const char *on_ints, *on_floats;
} forms[] = {
    [OP_NEG] = {"hone1_neg", "-"},
    [OP_BNOT] = {"~", NULL},
    [OP_ADD] = {"hone1_add", " + "},
    [OP_SUB] = {"hone1_sub", " - "},
    [OP_MUL] = {"hone1_mul", " * "},
    [OP_DIV] = {NULL, " / "},
    [OP_IDIV] = {"hone1_floor_div", "hone1_floor_div_f"},
    [OP_MOD] = {"hone1_floor_mod", "hone1_floor_mod_f"},
    [OP_POW] = {NULL, "hone1_square_f"},
    [OP_BAND] = {" & ", NULL},
    [OP_BOR] = {" | ", NULL},
    [OP_BXOR] = {" ^ ", NULL},
    [OP_SHL] = {"hone1_shl", NULL},
    [OP_SHR] = {"hone1_shr", NULL},
    [OP_EQ] = {" == ", " == "},
    [OP_NE] = {" != ", " != "},
    [OP_LT] = {" < ", " < "},
    [OP_LE] = {" <= ", " <= "},
    [OP_GT] = {" > ", " > "},
    [OP_GE] = {" >= ", " >= "},
    [OP_MIN] = {"hone1_min", "hone1_min_f"},
    [OP_MAX] = {"hone1_max", "hone1_max_f"},
    [OP_ABS] = {"hone1_abs", "hone1_abs_f"},
    [OP_CEIL_DIV] = {"hone1_ceil_div", "hone1_ceil_div_f"},
    [OP_ROUND_UP] = {"hone1_round_up", "hone1_round_up_f"},
    [OP_IS_POW2] = {"hone1_is_pow2", NULL},
    [OP_SQRT] = {NULL, "hone1_sqrt_f"},
    [OP_AND] = {" && ", NULL},
    [OP_OR] = {" || ", NULL},
    [OP_CHAIN] = {" && ", NULL},
};

// bare: no brackets needed around an infix form.
static void print(struct printer *printer, uint32_t node, bool bare);

static void print_c_put(struct printer *printer, const char *text)
{
    hone_strbuf_add(printer->out, text);
}

static void print_constant(struct printer *printer, const struct hone_value *value)
{
    char text[48];
    hone_value_print(text, sizeof text, *value);
    switch (value->type) {
    case HONE_INT:
        print_c_put(printer, value->i == INT64_MIN ? "(-9223372036854775807 - 1)" : text);
        break;
    case HONE_FLOAT:
        print_c_put(printer, isinf(value->f) ? "hone1_inf()" : text);
        break;
    case HONE_BOOL:
        print_c_put(printer, value->b ? "1" : "0");
        break;
    case HONE_STRING:
        hone_sink_c_string(printer->out, value->s);
        break;
    }
}

static void print_as(struct printer *printer, uint32_t node, unsigned type, bool bare)
{
    unsigned own = printer->types[node];
    if (own == HONE_INT && type == HONE_FLOAT) {
        print_c_put(printer, "(double)");
        print(printer, node, false);
    } else if (own == HONE_FLOAT && type == HONE_INT) {
        print_c_put(printer, "hone1_to_int(");
        print(printer, node, true);
        print_c_put(printer, ")");
    } else {
        print(printer, node, bare);
    }
}

// -a as a double; an integer is negated as such.
static void print_negated(struct printer *printer, uint32_t node)
{
    print_c_put(printer, printer->types[node] == HONE_INT ? "(double)hone1_neg(" : "-(");
    print(printer, node, true);
    print_c_put(printer, ")");
}

static void print_call(struct printer *printer, const struct expr_node *node,
                       const char *name, unsigned type)
{
    bool rounds = node->op == OP_CEIL_DIV || node->op == OP_ROUND_UP;
    hone_strbuf_printf(printer->out, "%s(", name);
    if (rounds && type == HONE_FLOAT)
        print_negated(printer, node->a);
    else
        print_as(printer, node->a, type, true);
    if (node->b != HONE_NO_NODE && node->op != OP_POW) {
        print_c_put(printer, ", ");
        print_as(printer, node->b, type, true);
    }
    print_c_put(printer, ")");
}

// Write what is in out from a byte up to another as the sum with 0, whose value no
// compiler looks for.
static void hide(struct hone_strbuf *out, size_t from, size_t to)
{
    static const char before[] = "hone1_add(", after[] = ", 0)";
    enum { BEFORE = sizeof before - 1, AFTER = sizeof after - 1 };
    const size_t end = out->len;
    hone_strbuf_add(out, before);
    hone_strbuf_add(out, after);
    if (out->failed) return;
    memmove(out->data + to + BEFORE + AFTER, out->data + to, end - to);
    memmove(out->data + from + BEFORE, out->data + from, to - from);
    memcpy(out->data + from, before, BEFORE);
    memcpy(out->data + to + BEFORE, after, AFTER);
}

static void print_infix(struct printer *printer, const struct expr_node *node,
                        const char *symbol, unsigned type, bool bare)
{
    struct hone_strbuf *out = printer->out;
    print_c_put(printer, bare ? "" : "(");
    const size_t left = out->len;
    print_as(printer, node->a, type, false);
    const size_t middle = out->len;
    print_c_put(printer, symbol);
    const size_t right = out->len;
    print_as(printer, node->b, type, false);
    if (type != HONE_FLOAT && !out->failed) {
        const struct hone_c_part a = {out->data + left, middle - left};
        const struct hone_c_part b = {out->data + right, out->len - right};
        const enum hone_c_warning warning = hone_c_warns(a, symbol, b);
        if (warning == HONE_C_OF_LEFT) hide(out, left, middle);
        if (warning == HONE_C_OF_RIGHT) hide(out, right, out->len);
    }
    print_c_put(printer, bare ? "" : ")");
}

// order(a, b) OP 0 where C cannot compare the operands itself; > and >= exchange them,
// since a NaN gives 2.
static void print_comparison(struct printer *printer, const struct expr_node *node,
                             bool bare)
{
    bool exchange = node->op == OP_GT || node->op == OP_GE;
    uint32_t a = exchange ? node->b : node->a, b = exchange ? node->a : node->b;
    unsigned op = node->op == OP_GT ? OP_LT : node->op == OP_GE ? OP_LE : node->op;
    const char *order = printer->types[a] == HONE_STRING ? "hone1_cmp_str"
                        : printer->types[a] == HONE_INT  ? "hone1_cmp_if"
                                                         : "hone1_cmp_fi";
    hone_strbuf_printf(printer->out, "%s%s(", bare ? "" : "(", order);
    print(printer, a, true);
    print_c_put(printer, ", ");
    print(printer, b, true);
    hone_strbuf_printf(printer->out, ")%s0%s", forms[op].on_ints, bare ? "" : ")");
}

static bool print_c_is_number(unsigned type)
{
    return type == HONE_INT || type == HONE_FLOAT;
}

static void print_relation(struct printer *printer, const struct expr_node *node,
                           bool bare)
{
    unsigned a = printer->types[node->a], b = printer->types[node->b];
    if (a == b && a != HONE_STRING)
        print_infix(printer, node, forms[node->op].on_ints, a, bare);
    else if (a == b || (print_c_is_number(a) && print_c_is_number(b)))
        print_comparison(printer, node, bare);
    else
        print_c_put(printer, node->op == OP_NE ? "1" : "0");
}

// "c and x or y"
static void print_choice(struct printer *printer, const struct expr_node *node, bool bare)
{
    const struct expr_node *left = &printer->expr->nodes[node->a];
    print_c_put(printer, bare ? "" : "(");
    print(printer, left->a, false);
    print_c_put(printer, " ? ");
    print(printer, left->b, false);
    print_c_put(printer, " : ");
    print(printer, node->b, false);
    print_c_put(printer, bare ? "" : ")");
}

// What is no boolean is true.
static void print_logic(struct printer *printer, const struct expr_node *node, bool bare)
{
    unsigned a = printer->types[node->a];
    if (a == HONE_BOOL)
        print_infix(printer, node, forms[node->op].on_ints, HONE_BOOL, bare);
    else if (a == MAYBE_FALSE)
        print_choice(printer, node, bare);
    else
        print(printer, node->op == OP_AND ? node->b : node->a, bare);
}

static void print_not(struct printer *printer, uint32_t operand, bool bare)
{
    bool known = printer->types[operand] != HONE_BOOL; // what is no boolean is true
    print_c_put(printer, known ? "0" : bare ? "!" : "(!");
    if (known) return;
    print(printer, operand, false);
    print_c_put(printer, bare ? "" : ")");
}

static void print_arithmetic(struct printer *printer, const struct expr_node *node,
                             bool bare)
{
    unsigned a = printer->types[node->a];
    unsigned b = node->b == HONE_NO_NODE ? a : printer->types[node->b];
    bool ints = (a == HONE_INT && b == HONE_INT) || !forms[node->op].on_floats;
    bool as_ints = ints && forms[node->op].on_ints;
    const char *form = as_ints ? forms[node->op].on_ints : forms[node->op].on_floats;
    unsigned type = as_ints ? HONE_INT : HONE_FLOAT;
    bool alone = node->b == HONE_NO_NODE && (node->op == OP_MIN || node->op == OP_MAX);
    if (alone)
        print(printer, node->a, bare);
    else if (form[0] == ' ')
        print_infix(printer, node, form, type, bare);
    else
        print_call(printer, node, form, type);
}

static void print_variable(struct printer *printer, const struct hone_expr_c_var *var)
{
    print_c_put(printer, var->text);
    if (var->printed) *var->printed = true;
}

static void print(struct printer *printer, uint32_t i, bool bare)
{
    const struct hone_expr *expr = printer->expr;
    const struct expr_node *node = &expr->nodes[i];
    if (printer->out->len > printer->most) return; // the caller sees it
    switch (node->op) {
    case OP_CONST:
        print_constant(printer, &expr->consts[node->a]);
        break;
    case OP_VAR:
        print_variable(printer, &printer->vars[expr->slots[node->a]]);
        break;
    case OP_NOT:
        print_not(printer, node->a, bare);
        break;
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        print_relation(printer, node, bare);
        break;
    case OP_AND:
    case OP_OR:
    case OP_CHAIN:
        print_logic(printer, node, bare);
        break;
    default:
        print_arithmetic(printer, node, bare);
        break;
    }
}

static enum hone_status print_root(struct printer *printer, struct hone_error *err)
{
    print(printer, printer->expr->root, true);
    if (printer->out->failed) return hone_no_memory(err, "for an expression");
    if (printer->out->len > printer->most)
        return hone_fail_at(err, HONE_ELIMIT, printer->expr->text, 0,
                            "its C form is longer than %d bytes", MOST_BYTES);
    return HONE_OK;
}

enum hone_status hone_expr_print_c(const struct hone_expr *expr,
                                   const struct hone_expr_c_var *vars,
                                   struct hone_strbuf *out, enum hone_type *type,
                                   struct hone_error *err)
{
    uint8_t *types = malloc(expr->node_count);
    if (!types) return hone_no_memory(err, "for an expression");
    struct printer printer = {.expr = expr,
                              .vars = vars,
                              .types = types,
                              .out = out,
                              .most = out->len + MOST_BYTES};
    enum hone_status status = hone_c_types(expr, vars, types, err);
    if (status == HONE_OK) status = print_root(&printer, err);
    if (status == HONE_OK) *type = (enum hone_type)types[expr->root];
    free(types);
    return status;
}

// --- where it has a value ---

struct guard {
    struct printer printer;
    const struct hone_expr_c_known *known;
};

// Append the terms of a node and those below it, each after " && " but the first.
static void add_terms(struct guard *g, uint32_t node, struct hone_strbuf *out);

static void begin_term(struct guard *g, struct hone_strbuf *out)
{
    if (out->len) hone_strbuf_add(out, " && ");
    g->printer.out = out;
    g->printer.most = out->len + MOST_BYTES;
}

static bool is_never_zero(const struct guard *g, uint32_t i)
{
    const struct hone_expr *expr = g->printer.expr;
    const struct expr_node *node = &expr->nodes[i];
    char text[256];
    if (node->op == OP_CONST) return expr->consts[node->a].i != 0;
    const size_t length = node->end - node->begin;
    if (!g->known || length >= sizeof text) return false;
    memcpy(text, expr->text + node->begin, length);
    text[length] = '\0';
    return g->known->is_never_zero(g->known->context, text);
}

static void add_divisor(struct guard *g, uint32_t node, struct hone_strbuf *out)
{
    if (is_never_zero(g, node)) return;
    begin_term(g, out);
    hone_strbuf_add(out, "(hone1_add(");
    print(&g->printer, node, true);
    hone_strbuf_add(out, ", 0) != 0)");
}

static void add_integer(struct guard *g, uint32_t node, struct hone_strbuf *out)
{
    if (node == HONE_NO_NODE || g->printer.types[node] != HONE_FLOAT) return;
    begin_term(g, out);
    hone_strbuf_add(out, "(hone1_cmp_fi(");
    print(&g->printer, node, true);
    hone_strbuf_add(out, ", hone1_to_int(");
    print(&g->printer, node, true);
    hone_strbuf_add(out, ")) == 0)");
}

// The terms of the right operand, where that is looked at.
static void add_right_terms(struct guard *g, const struct expr_node *node,
                            struct hone_strbuf *out)
{
    const bool is_or = node->op == OP_OR;
    const unsigned left = g->printer.types[node->a];
    const bool always = left != HONE_BOOL && left != MAYBE_FALSE;
    struct hone_strbuf terms = HONE_STRBUF_INIT;
    if (always && is_or) return;
    add_terms(g, node->b, &terms);
    if (terms.len) {
        begin_term(g, out);
        if (!always) {
            const uint32_t decides =
                left == MAYBE_FALSE ? g->printer.expr->nodes[node->a].a : node->a;
            hone_strbuf_add(out, is_or ? "(" : "(!");
            print(&g->printer, decides, false);
            hone_strbuf_add(out, " || ");
        }
        hone_strbuf_printf(out, always ? "%s" : "(%s))", terms.data);
    }
    out->failed |= terms.failed;
    hone_strbuf_fini(&terms);
}

static bool wants_integers(unsigned op)
{
    return op == OP_BNOT || (op >= OP_BAND && op <= OP_SHR) || op == OP_IS_POW2;
}

static bool divides(unsigned op)
{
    return op == OP_IDIV || op == OP_MOD || op == OP_CEIL_DIV || op == OP_ROUND_UP;
}

static void add_terms(struct guard *g, uint32_t i, struct hone_strbuf *out)
{
    const struct expr_node *node = &g->printer.expr->nodes[i];
    const uint8_t *types = g->printer.types;
    if (node->op == OP_CONST || node->op == OP_VAR || out->len > MOST_BYTES) return;
    add_terms(g, node->a, out);
    if (node->op == OP_AND || node->op == OP_OR || node->op == OP_CHAIN) {
        add_right_terms(g, node, out);
        return;
    }
    if (node->b != HONE_NO_NODE) add_terms(g, node->b, out);
    if (divides(node->op) && types[node->a] == HONE_INT && types[node->b] == HONE_INT)
        add_divisor(g, node->b, out);
    if (wants_integers(node->op)) {
        add_integer(g, node->a, out);
        add_integer(g, node->b, out);
    }
}

// A derived value that has none is one in branches not taken, too.
static void add_variables(const struct hone_expr *expr,
                          const struct hone_expr_c_var *vars, struct hone_strbuf *out)
{
    for (uint32_t i = 0; i < expr->var_count; i++) {
        const struct hone_expr_c_var *var = &vars[expr->slots[i]];
        if (!var->guard) continue;
        hone_strbuf_printf(out, "%s%s", out->len ? " && " : "", var->guard);
        if (var->printed) *var->printed = true;
    }
}

enum hone_status hone_expr_print_c_guard(const struct hone_expr *expr,
                                         const struct hone_expr_c_var *vars,
                                         const struct hone_expr_c_known *known,
                                         struct hone_strbuf *out, struct hone_error *err)
{
    uint8_t *types = malloc(expr->node_count);
    if (!types) return hone_no_memory(err, "for an expression");
    struct guard g = {.printer = {.expr = expr, .vars = vars, .types = types},
                      .known = known};
    struct hone_strbuf terms = HONE_STRBUF_INIT;
    enum hone_status status = hone_c_types(expr, vars, types, err);
    if (status == HONE_OK) {
        add_variables(expr, vars, &terms);
        add_terms(&g, expr->root, &terms);
        hone_strbuf_add_bytes(out, terms.data, terms.len);
        if (terms.len > MOST_BYTES)
            status = hone_fail_at(err, HONE_ELIMIT, expr->text, 0,
                                  "its C form is longer than %d bytes", MOST_BYTES);
        if (terms.failed || out->failed)
            status = hone_no_memory(err, "for an expression");
    }
    hone_strbuf_fini(&terms);
    free(types);
    return status;
}
