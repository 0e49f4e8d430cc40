// Constant folding ahead of the C printer: 2 ^ 27 has a C form as the number that it is,
// and a header of one layout has no trace of the others.
#include "c_fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "operate.h"

struct folding {
    struct hone_expr *expr; // whose nodes and constants change
    const struct hone_expr_c_var *vars;
};

static const struct hone_value *fold_known(const struct folding *f, uint32_t i)
{
    const struct expr_node *node = &f->expr->nodes[i];
    return node->op == OP_CONST ? &f->expr->consts[node->a] : NULL;
}

bool hone_c_is_simple(struct hone_value value)
{
    return value.type != HONE_FLOAT || (isfinite(value.f) && value.f > 0);
}

static void fold_to(struct folding *f, uint32_t i, struct hone_value value)
{
    struct hone_expr *expr = f->expr;
    if (!hone_c_is_simple(value)) return;
    expr->consts[expr->const_count] = value;
    expr->nodes[i].op = OP_CONST;
    expr->nodes[i].a = expr->const_count++;
    expr->nodes[i].b = HONE_NO_NODE;
}

// Whether a node is a boolean, whatever its variables are.
static bool is_boolean(const struct folding *f, uint32_t i)
{
    const struct expr_node *node = &f->expr->nodes[i];
    switch (node->op) {
    case OP_CONST:
        return f->expr->consts[node->a].type == HONE_BOOL;
    case OP_VAR:
        return f->vars[f->expr->slots[node->a]].type == HONE_BOOL;
    case OP_AND:
    case OP_OR:
        return is_boolean(f, node->a) && is_boolean(f, node->b);
    default:
        return node->op == OP_NOT || node->op == OP_CHAIN || node->op == OP_IS_POW2 ||
               (node->op >= OP_EQ && node->op <= OP_GE);
    }
}

static bool is_number_type(enum hone_type type)
{
    return type == HONE_INT || type == HONE_FLOAT;
}

// Whether a node that does not fail is a number, whatever its variables are.
static bool is_number(const struct folding *f, uint32_t i)
{
    const struct expr_node *node = &f->expr->nodes[i];
    switch (node->op) {
    case OP_CONST:
        return is_number_type(f->expr->consts[node->a].type);
    case OP_VAR:
        return is_number_type(f->vars[f->expr->slots[node->a]].type);
    case OP_AND:
    case OP_OR:
        return is_number(f, node->a) && is_number(f, node->b);
    default:
        return node->op != OP_NOT && node->op != OP_CHAIN && node->op != OP_IS_POW2 &&
               !(node->op >= OP_EQ && node->op <= OP_GE);
    }
}

// "(a or false) or b" is "a or b", whose left side may then be "c and x".
static void skip_false(struct folding *f, struct expr_node *node)
{
    struct expr_node *nodes = f->expr->nodes;
    while (node->op == OP_OR && nodes[node->a].op == OP_OR) {
        const struct hone_value *last = fold_known(f, nodes[node->a].b);
        if (!last || hone_value_true(*last)) return;
        node->a = nodes[node->a].a;
    }
}

// "a and b", and "a or b", are one of their sides where the other one is known; a number
// is true, whichever it is.
static void fold_logic(struct folding *f, uint32_t i)
{
    struct expr_node *node = &f->expr->nodes[i];
    const bool is_or = node->op == OP_OR;
    skip_false(f, node);
    const struct hone_value *a = fold_known(f, node->a), *b = fold_known(f, node->b);
    if (a)
        *node = f->expr->nodes[hone_value_true(*a) == is_or ? node->a : node->b];
    else if (b && b->type == HONE_BOOL && b->b != is_or && is_boolean(f, node->a))
        *node = f->expr->nodes[node->a];
    else if (is_or && is_number(f, node->a))
        *node = f->expr->nodes[node->a];
}

static void fold_operator(struct folding *f, uint32_t i)
{
    const struct expr_node *node = &f->expr->nodes[i];
    const bool exchange = node->op == OP_GT || node->op == OP_GE;
    const unsigned op = node->op == OP_GT ? OP_LT : node->op == OP_GE ? OP_LE : node->op;
    const bool alone = node->b == HONE_NO_NODE;
    const struct hone_value *a = fold_known(f, node->a);
    const struct hone_value *b = alone ? a : fold_known(f, node->b);
    struct hone_value result;
    unsigned notes = 0;
    if (!a || !b) return;
    if (hone_operate(op, &result, exchange ? b : a, exchange ? a : b, &notes) ==
        FAULT_NONE)
        fold_to(f, i, result);
}

static void fold_node(struct folding *f, uint32_t i)
{
    const struct expr_node *node = &f->expr->nodes[i];
    const struct hone_value *value;
    switch (node->op) {
    case OP_CONST:
        break;
    case OP_VAR:
        value = f->vars[f->expr->slots[node->a]].value;
        if (value) fold_to(f, i, *value);
        break;
    case OP_AND:
    case OP_OR:
    case OP_CHAIN:
        fold_logic(f, i);
        break;
    default:
        fold_operator(f, i);
        break;
    }
}

enum hone_status hone_c_fold(struct hone_expr *out, const struct hone_expr *expr,
                             const struct hone_expr_c_var *vars, struct hone_error *err)
{
    const size_t consts = expr->const_count, room = consts + expr->node_count;
    *out = *expr;
    out->nodes = malloc(expr->node_count * sizeof *out->nodes);
    out->consts = malloc(room * sizeof *out->consts);
    if (!out->nodes || !out->consts) return hone_no_memory(err, "for an expression");
    memcpy(out->nodes, expr->nodes, expr->node_count * sizeof *out->nodes);
    if (consts) memcpy(out->consts, expr->consts, consts * sizeof *out->consts);
    struct folding f = {out, vars};
    for (uint32_t i = 0; i < expr->node_count; i++) // operands come before their operator
        fold_node(&f, i);
    return HONE_OK;
}
