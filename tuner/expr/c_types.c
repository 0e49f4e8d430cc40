#include "c_types.h"

enum { NO_TYPE = MAYBE_FALSE + 1 };

struct typing {
    const struct hone_expr *expr;
    const struct hone_expr_c_var *vars;
    uint8_t *types;
    const char *refusal; // of the node at hand
};

static uint8_t c_types_refuse(struct typing *typing, const char *refusal)
{
    typing->refusal = refusal;
    return NO_TYPE;
}

static bool c_types_is_number(unsigned type)
{
    return type == HONE_INT || type == HONE_FLOAT;
}

static uint8_t type_arithmetic(struct typing *typing, unsigned op, unsigned a, unsigned b)
{
    if (!c_types_is_number(a) || !c_types_is_number(b))
        return c_types_refuse(typing, "is arithmetic on no number");
    switch (op) {
    case OP_MIN:
    case OP_MAX:
        return a == b ? (uint8_t)a : c_types_refuse(typing, "mixes integers and floats");
    case OP_IS_POW2:
        return HONE_BOOL;
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
    case OP_BNOT:
    case OP_SHL:
    case OP_SHR:
        return HONE_INT;
    case OP_DIV:
    case OP_POW:
    case OP_SQRT:
        return HONE_FLOAT;
    default:
        return a == HONE_INT && b == HONE_INT ? HONE_INT : HONE_FLOAT;
    }
}

static uint8_t type_order(struct typing *typing, unsigned a, unsigned b)
{
    bool ordered = (c_types_is_number(a) && c_types_is_number(b)) ||
                   (a == HONE_STRING && b == HONE_STRING);
    return ordered ? HONE_BOOL : c_types_refuse(typing, "orders what has no order");
}

// What is no boolean is true: "a and b" is b then, and "a or b" is a.
static uint8_t type_and(unsigned a, unsigned b)
{
    if (a != HONE_BOOL || b == HONE_BOOL) return (uint8_t)b;
    return MAYBE_FALSE;
}

static uint8_t type_or(struct typing *typing, const struct expr_node *node, unsigned a,
                       unsigned b)
{
    if (a == MAYBE_FALSE)
        a = typing->types[typing->expr->nodes[node->a].b];
    else if (a != HONE_BOOL)
        return (uint8_t)a;
    return a == b ? (uint8_t)a : c_types_refuse(typing, "has values of several types");
}

static uint8_t type_power(struct typing *typing, const struct expr_node *node, unsigned a,
                          unsigned b)
{
    const struct expr_node *exponent = &typing->expr->nodes[node->b];
    const struct hone_value *value = &typing->expr->consts[exponent->a];
    double by = 0;
    bool squares =
        exponent->op == OP_CONST && hone_value_to_double(*value, &by) && by == 2;
    return squares ? type_arithmetic(typing, node->op, a, b)
                   : c_types_refuse(typing, "is a power other than x ^ 2");
}

static uint8_t type_operator(struct typing *typing, const struct expr_node *node)
{
    unsigned a = typing->types[node->a];
    unsigned b = node->b == HONE_NO_NODE ? a : typing->types[node->b];
    bool partial = b == MAYBE_FALSE || (a == MAYBE_FALSE && node->op != OP_OR);
    if (partial) return c_types_refuse(typing, "has a part of several types");
    switch (node->op) {
    case OP_NOT:
    case OP_EQ:
    case OP_NE:
    case OP_CHAIN:
        return HONE_BOOL;
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        return type_order(typing, a, b);
    case OP_AND:
        return type_and(a, b);
    case OP_OR:
        return type_or(typing, node, a, b);
    case OP_POW:
        return type_power(typing, node, a, b);
    case OP_LOG2:
        return c_types_refuse(typing, "is a logarithm");
    default:
        return type_arithmetic(typing, node->op, a, b);
    }
}

static uint8_t type_node(struct typing *typing, const struct expr_node *node)
{
    const struct hone_expr *expr = typing->expr;
    if (node->op == OP_CONST) return (uint8_t)expr->consts[node->a].type;
    if (node->op == OP_VAR) return (uint8_t)typing->vars[expr->slots[node->a]].type;
    return type_operator(typing, node);
}

static enum hone_status refused(const struct hone_expr *expr,
                                const struct expr_node *node, const char *why,
                                struct hone_error *err)
{
    char part[160];
    hone_expr_quote(part, sizeof part, expr->text, node->begin, node->end);
    return hone_fail_at(err, HONE_EUNSUPPORTED, expr->text, 0, "no C form: '%s' %s", part,
                        why);
}

enum hone_status hone_c_types(const struct hone_expr *expr,
                              const struct hone_expr_c_var *vars, uint8_t *types,
                              struct hone_error *err)
{
    struct typing typing = {.expr = expr, .vars = vars, .types = types};
    for (uint32_t i = 0; i < expr->node_count;
         i++) { // operands come before their operator
        types[i] = type_node(&typing, &expr->nodes[i]);
        if (types[i] == NO_TYPE)
            return refused(expr, &expr->nodes[i], typing.refusal, err);
    }
    if (types[expr->root] == MAYBE_FALSE)
        return refused(expr, &expr->nodes[expr->root], "has values of several types",
                       err);
    return HONE_OK;
}
