// An expression as C99 and C++11 text. Integers are long long, floats double, booleans
// int. Integer arithmetic goes through the helper functions of c_helpers.h, since C's own
// overflow is undefined and its division rounds otherwise.
#include <math.h>
#include <stdlib.h>

#include "ast.h"
#include "base/sink.h"
#include "base/strbuf.h"
#include "c_types.h"

extern const unsigned char hone_c_helpers[];
extern const size_t hone_c_helpers_size;

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

static void print_infix(struct printer *printer, const struct expr_node *node,
                        const char *symbol, unsigned type, bool bare)
{
    print_c_put(printer, bare ? "" : "(");
    print_as(printer, node->a, type, false);
    print_c_put(printer, symbol);
    print_as(printer, node->b, type, false);
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
        print_c_put(printer, printer->vars[expr->slots[node->a]].text);
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

enum hone_status hone_expr_print_c_helpers(struct hone_strbuf *out,
                                           struct hone_error *err)
{
    hone_strbuf_add_bytes(out, hone_c_helpers, hone_c_helpers_size);
    return out->failed ? hone_no_memory(err, "for C helpers") : HONE_OK;
}
