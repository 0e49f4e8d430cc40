// An expression as C99 and C++11 text. Integers are long long, floats double, booleans
// int. C's own operators stand where the ranges of the variables prove that they cannot
// overflow and round the same; elsewhere integer arithmetic goes through the functions of
// c_helpers.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ast.h"
#include "base/sink.h"
#include "c_deny.h"
#include "c_quiet.h"
#include "c_types.h"
#include "hone/strbuf.h"
#include "print_c.h"

// A leading space marks an infix operator, else the name is a function's.
static const struct {
    const char *on_ints, *on_floats;
} forms[] = {
    [OP_NEG] = {"hone2_neg", "-"},
    [OP_BNOT] = {"~", NULL},
    [OP_ADD] = {"hone2_add", " + "},
    [OP_SUB] = {"hone2_sub", " - "},
    [OP_MUL] = {"hone2_mul", " * "},
    [OP_DIV] = {NULL, " / "},
    [OP_IDIV] = {"hone2_floor_div", "hone2_floor_div_f"},
    [OP_MOD] = {"hone2_floor_mod", "hone2_floor_mod_f"},
    [OP_POW] = {NULL, "hone2_square_f"},
    [OP_BAND] = {" & ", NULL},
    [OP_BOR] = {" | ", NULL},
    [OP_BXOR] = {" ^ ", NULL},
    [OP_SHL] = {"hone2_shl", NULL},
    [OP_SHR] = {"hone2_shr", NULL},
    [OP_EQ] = {" == ", " == "},
    [OP_NE] = {" != ", " != "},
    [OP_LT] = {" < ", " < "},
    [OP_LE] = {" <= ", " <= "},
    [OP_GT] = {" > ", " > "},
    [OP_GE] = {" >= ", " >= "},
    [OP_MIN] = {"hone2_min", "hone2_min_f"},
    [OP_MAX] = {"hone2_max", "hone2_max_f"},
    [OP_ABS] = {"hone2_abs", "hone2_abs_f"},
    [OP_CEIL_DIV] = {"hone2_ceil_div", "hone2_ceil_div_f"},
    [OP_ROUND_UP] = {"hone2_round_up", "hone2_round_up_f"},
    [OP_IS_POW2] = {"hone2_is_pow2", NULL},
    [OP_SQRT] = {NULL, "hone2_sqrt_f"},
    [OP_AND] = {" && ", NULL},
    [OP_OR] = {" || ", NULL},
    [OP_CHAIN] = {" && ", NULL},
};

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
        print_c_put(printer, isinf(value->f) ? "hone2_inf()" : text);
        break;
    case HONE_BOOL:
        print_c_put(printer, value->b ? "1" : "0");
        break;
    case HONE_STRING:
        hone_sink_c_string(printer->out, value->s);
        break;
    }
}

// A node with the brackets that its parent wants, or without.
static void print_node(struct printer *printer, uint32_t i);

static void print_in(struct printer *printer, uint32_t node, bool bare)
{
    const bool around = printer->bare;
    printer->bare = bare;
    print_node(printer, node);
    printer->bare = around;
}

void hone_c_print(struct printer *printer, uint32_t node)
{
    print_in(printer, node, true);
}

void hone_c_print_operand(struct printer *printer, uint32_t node)
{
    print_in(printer, node, false);
}

static void open_infix(struct printer *printer)
{
    print_c_put(printer, printer->bare ? "" : "(");
}

static void close_infix(struct printer *printer)
{
    print_c_put(printer, printer->bare ? "" : ")");
}

static void print_as(struct printer *printer, uint32_t node, unsigned type, bool bare)
{
    unsigned own = printer->types[node];
    if (own == HONE_INT && type == HONE_FLOAT) {
        print_c_put(printer, "(double)");
        hone_c_print_operand(printer, node);
    } else if (own == HONE_FLOAT && type == HONE_INT) {
        print_c_put(printer, "hone2_to_int(");
        hone_c_print(printer, node);
        print_c_put(printer, ")");
    } else {
        print_in(printer, node, bare);
    }
}

// -a as a double; an integer is negated as such.
static void print_negated(struct printer *printer, uint32_t node)
{
    print_c_put(printer, printer->types[node] == HONE_INT ? "(double)hone2_neg(" : "-(");
    hone_c_print(printer, node);
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

enum { NO_INFIX, ADDITIVE, MULTIPLICATIVE, UNARY };

static int strength_of(const struct printer *printer, uint32_t i)
{
    const struct expr_node *node = &printer->expr->nodes[i];
    if (!printer->ranges[i].plain || printer->types[i] != HONE_INT) return NO_INFIX;
    switch (node->op) {
    case OP_ADD:
    case OP_SUB:
        return ADDITIVE;
    case OP_IDIV:
    case OP_CEIL_DIV:
        return printer->ranges[i].is_twice ? ADDITIVE : MULTIPLICATIVE;
    case OP_MUL:
    case OP_MOD:
    case OP_ROUND_UP:
        return MULTIPLICATIVE;
    default:
        return NO_INFIX;
    }
}

// Write what is in out from a byte up to another as the sum with 0, whose value no
// compiler looks for.
static void hide(struct hone_strbuf *out, size_t from, size_t to)
{
    static const char before[] = "hone2_add(", after[] = ", 0)";
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

static bool is_relation(unsigned op)
{
    return op >= OP_EQ && op <= OP_GE;
}

// Sums and products need no brackets in a comparison, comparisons and denials none in
// logic, nor does a row of "and" or of "or". Compilers want them round an "and" in an
// "or".
static bool is_bare_operand(const struct printer *printer, const struct expr_node *node,
                            uint32_t operand)
{
    const unsigned op = printer->expr->nodes[operand].op;
    if (is_relation(node->op)) return strength_of(printer, operand) != NO_INFIX;
    if (node->op != OP_AND && node->op != OP_OR && node->op != OP_CHAIN) return false;
    return is_relation(op) || op == OP_NOT ||
           (op == node->op &&
            printer->types[printer->expr->nodes[operand].a] == HONE_BOOL);
}

static void print_infix(struct printer *printer, const struct expr_node *node,
                        const char *symbol, unsigned type)
{
    struct hone_strbuf *out = printer->out;
    open_infix(printer);
    const size_t left = out->len;
    print_as(printer, node->a, type, is_bare_operand(printer, node, node->a));
    const size_t middle = out->len;
    print_c_put(printer, symbol);
    const size_t right = out->len;
    print_as(printer, node->b, type, is_bare_operand(printer, node, node->b));
    if (type != HONE_FLOAT && !out->failed) {
        const struct hone_c_part a = {out->data + left, middle - left};
        const struct hone_c_part b = {out->data + right, out->len - right};
        const enum hone_c_warning warning = hone_c_warns(a, symbol, b);
        if (warning == HONE_C_OF_LEFT) hide(out, left, middle);
        if (warning == HONE_C_OF_RIGHT) hide(out, right, out->len);
    }
    close_infix(printer);
}

// order(a, b) OP 0 where C cannot compare the operands itself; > and >= exchange them,
// since a NaN gives 2.
static void print_comparison(struct printer *printer, const struct expr_node *node)
{
    unsigned op = node->op;
    const bool exchange = hone_op_exchange(&op);
    const uint32_t a = exchange ? node->b : node->a, b = exchange ? node->a : node->b;
    const char *order = printer->types[a] == HONE_STRING ? "hone2_cmp_str"
                        : printer->types[a] == HONE_INT  ? "hone2_cmp_if"
                                                         : "hone2_cmp_fi";
    open_infix(printer);
    hone_strbuf_printf(printer->out, "%s(", order);
    hone_c_print(printer, a);
    print_c_put(printer, ", ");
    hone_c_print(printer, b);
    hone_strbuf_printf(printer->out, ")%s0", forms[op].on_ints);
    close_infix(printer);
}

static bool print_c_is_number(unsigned type)
{
    return type == HONE_INT || type == HONE_FLOAT;
}

static void print_relation(struct printer *printer, const struct expr_node *node)
{
    unsigned a = printer->types[node->a], b = printer->types[node->b];
    if (a == b && a != HONE_STRING)
        print_infix(printer, node, forms[node->op].on_ints, a);
    else if (a == b || (print_c_is_number(a) && print_c_is_number(b)))
        print_comparison(printer, node);
    else
        print_c_put(printer, node->op == OP_NE ? "1" : "0");
}

// In brackets where it binds less than that.
static void print_operand(struct printer *printer, uint32_t i, int least)
{
    print_in(printer, i, strength_of(printer, i) >= least);
}

// "c and x or y"
static void print_choice(struct printer *printer, const struct expr_node *node)
{
    const struct expr_node *left = &printer->expr->nodes[node->a];
    open_infix(printer);
    print_in(printer, left->a, is_relation(printer->expr->nodes[left->a].op));
    print_c_put(printer, " ? ");
    print_operand(printer, left->b, ADDITIVE);
    print_c_put(printer, " : ");
    print_operand(printer, node->b, ADDITIVE);
    close_infix(printer);
}

// What is no boolean is true.
static void print_logic(struct printer *printer, const struct expr_node *node)
{
    unsigned a = printer->types[node->a];
    if (a == HONE_BOOL)
        print_infix(printer, node, forms[node->op].on_ints, HONE_BOOL);
    else if (a == MAYBE_FALSE)
        print_choice(printer, node);
    else
        print_node(printer, node->op == OP_AND ? node->b : node->a);
}

static void print_not(struct printer *printer, uint32_t operand)
{
    bool known = printer->types[operand] != HONE_BOOL; // what is no boolean is true
    if (known) {
        print_c_put(printer, "0");
        return;
    }
    open_infix(printer);
    print_c_put(printer, "!");
    hone_c_print_operand(printer, operand);
    close_infix(printer);
}

static bool print_plain(struct printer *printer, uint32_t i);

static void print_arithmetic(struct printer *printer, uint32_t i)
{
    const struct expr_node *node = &printer->expr->nodes[i];
    unsigned a = printer->types[node->a];
    unsigned b = node->b == HONE_NO_NODE ? a : printer->types[node->b];
    bool ints = (a == HONE_INT && b == HONE_INT) || !forms[node->op].on_floats;
    bool as_ints = ints && forms[node->op].on_ints;
    const char *form = as_ints ? forms[node->op].on_ints : forms[node->op].on_floats;
    unsigned type = as_ints ? HONE_INT : HONE_FLOAT;
    bool alone = node->b == HONE_NO_NODE && (node->op == OP_MIN || node->op == OP_MAX);
    if (alone)
        print_node(printer, node->a);
    else if (print_plain(printer, i))
        return;
    else if (form[0] == ' ')
        print_infix(printer, node, form, type);
    else
        print_call(printer, node, form, type);
}

/* --- C's own operators --- */

// Two operands that may both be ints in C, whose result is none, are widened first.
static void print_widened(struct printer *printer, const struct expr_node *node,
                          const struct hone_range *own, int strength)
{
    const bool widen = !own->narrow && !printer->ranges[node->a].is_long &&
                       !printer->ranges[node->b].is_long;
    if (widen) print_c_put(printer, "(long long)");
    print_operand(printer, node->a, widen ? UNARY : strength);
}

// a / b + (a % b > 0), which rounds up, or a / b - (a % b < 0), which rounds down.
static void print_corrected(struct printer *printer, const struct expr_node *node)
{
    print_operand(printer, node->a, MULTIPLICATIVE);
    print_c_put(printer, " / ");
    print_operand(printer, node->b, UNARY);
    print_c_put(printer, node->op == OP_IDIV ? " - (" : " + (");
    print_operand(printer, node->a, MULTIPLICATIVE);
    print_c_put(printer, " % ");
    print_operand(printer, node->b, UNARY);
    print_c_put(printer, node->op == OP_IDIV ? " < 0)" : " > 0)");
}

// (a + b - 1) / b, whose b is a name or a number.
static void print_rounded_up(struct printer *printer, const struct expr_node *node,
                             const struct hone_range *own)
{
    const struct hone_range *by = &printer->ranges[node->b];
    const bool number = printer->expr->nodes[node->b].op == OP_CONST;
    if (number && by->low == 1) {
        print_operand(printer, node->a, MULTIPLICATIVE);
        print_c_put(printer, " / 1");
        return;
    }
    print_c_put(printer, "(");
    print_widened(printer, node, own, ADDITIVE);
    if (number) {
        hone_strbuf_printf(printer->out, " + %lld) / ", (long long)by->low - 1);
    } else {
        print_c_put(printer, " + ");
        hone_c_print_operand(printer, node->b);
        print_c_put(printer, " - 1) / ");
    }
    hone_c_print_operand(printer, node->b);
    if (node->op != OP_ROUND_UP) return;
    print_c_put(printer, " * ");
    hone_c_print_operand(printer, node->b);
}

// False: the node has no plain form.
static bool print_plain(struct printer *printer, uint32_t i)
{
    static const char *const symbols[] = {[OP_ADD] = " + ",
                                          [OP_SUB] = " - ",
                                          [OP_MUL] = " * ",
                                          [OP_IDIV] = " / ",
                                          [OP_MOD] = " % "};
    const struct expr_node *node = &printer->expr->nodes[i];
    const int strength = strength_of(printer, i);
    const struct hone_range *own = &printer->ranges[i];
    if (strength == NO_INFIX) return false;
    open_infix(printer);
    if (own->is_twice) {
        print_corrected(printer, node);
    } else if (node->op == OP_CEIL_DIV || node->op == OP_ROUND_UP) {
        print_rounded_up(printer, node, own);
    } else {
        print_widened(printer, node, own, strength);
        print_c_put(printer, symbols[node->op]);
        print_operand(printer, node->b, strength + 1);
    }
    close_infix(printer);
    return true;
}

static void print_variable(struct printer *printer, const struct hone_expr_c_var *var)
{
    print_c_put(printer, var->text);
    if (var->printed) *var->printed = true;
}

static void print_node(struct printer *printer, uint32_t i)
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
        print_not(printer, node->a);
        break;
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        print_relation(printer, node);
        break;
    case OP_AND:
    case OP_OR:
    case OP_CHAIN:
        print_logic(printer, node);
        break;
    default:
        print_arithmetic(printer, i);
        break;
    }
}

static enum hone_status print_root(struct printer *printer, struct hone_error *err)
{
    hone_c_print(printer, printer->expr->root);
    if (printer->out->failed) return hone_no_memory(err, "for an expression");
    if (printer->out->len > printer->most)
        return hone_fail_at(err, HONE_ELIMIT, printer->expr->text, 0,
                            "its C form is longer than %d bytes", MOST_BYTES);
    return HONE_OK;
}

enum hone_status hone_c_form_print(struct hone_c_form *form, struct hone_strbuf *out,
                                   enum hone_type *type, struct hone_expr_c_range *range,
                                   struct hone_error *err)
{
    const struct hone_expr *expr = &form->expr;
    struct printer printer = {.expr = expr,
                              .vars = form->vars,
                              .types = form->types,
                              .ranges = form->ranges,
                              .out = out,
                              .most = out->len + MOST_BYTES};
    enum hone_status status = hone_c_types(expr, form->vars, form->types, err);
    if (status != HONE_OK) return status;
    if (form->denies && form->types[expr->root] == HONE_BOOL) hone_c_deny(form);
    hone_c_ranges(expr, form->vars, form->types, form->ranges);
    const struct hone_range *root = &form->ranges[expr->root];
    *type = (enum hone_type)form->types[expr->root];
    *range = (struct hone_expr_c_range){root->low, root->high, root->narrow};
    status = print_root(&printer, err);
    form->is_printed = status == HONE_OK;
    return status;
}

enum hone_status hone_expr_print_c(const struct hone_expr *expr,
                                   const struct hone_expr_c_var *vars,
                                   struct hone_strbuf *out, enum hone_type *type,
                                   struct hone_error *err)
{
    struct hone_c_form *form = NULL;
    struct hone_expr_c_range range;
    enum hone_status status = hone_c_form_new(&form, expr, vars, err);
    if (status == HONE_OK) status = hone_c_form_print(form, out, type, &range, err);
    hone_c_form_free(form);
    return status;
}
