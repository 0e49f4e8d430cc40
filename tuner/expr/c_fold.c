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
    struct hone_c_fact *facts;
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

// The side that "a and b", or "a or b", is; HONE_NO_NODE: either may be. A number is
// true, whichever it is.
static uint32_t side_of(const struct folding *f, const struct expr_node *node)
{
    const bool is_or = node->op == OP_OR;
    const struct hone_c_fact *of_a = &f->facts[node->a];
    const struct hone_value *a = fold_known(f, node->a), *b = fold_known(f, node->b);
    if (a) return hone_value_true(*a) == is_or ? node->a : node->b;
    if (is_or && of_a->is_number) return node->a;
    if (of_a->never_fails && of_a->is_number) return node->b;
    if (!b || b->type != HONE_BOOL) return HONE_NO_NODE;
    if (of_a->is_boolean && b->b != is_or) return node->a;
    const bool is_b = b->b == is_or && of_a->never_fails && (!is_or || of_a->is_boolean);
    return is_b ? node->b : HONE_NO_NODE; // a or true, a and false
}

static void fold_logic(struct folding *f, uint32_t i)
{
    struct expr_node *node = &f->expr->nodes[i];
    skip_false(f, node);
    const uint32_t side = side_of(f, node);
    if (side != HONE_NO_NODE) *node = f->expr->nodes[side];
}

static void fold_operator(struct folding *f, uint32_t i)
{
    const struct expr_node *node = &f->expr->nodes[i];
    const bool alone = node->b == HONE_NO_NODE;
    unsigned op = node->op, notes = 0;
    const bool exchange = hone_op_exchange(&op);
    const struct hone_value *a = fold_known(f, node->a);
    const struct hone_value *b = alone ? a : fold_known(f, node->b);
    struct hone_value result;
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
                             const struct hone_expr_c_var *vars,
                             struct hone_c_fact *facts, struct hone_error *err)
{
    const size_t consts = expr->const_count, room = consts + expr->node_count;
    *out = *expr;
    out->nodes = malloc(expr->node_count * sizeof *out->nodes);
    out->consts = malloc(room * sizeof *out->consts);
    if (!out->nodes || !out->consts) return hone_no_memory(err, "for an expression");
    memcpy(out->nodes, expr->nodes, expr->node_count * sizeof *out->nodes);
    if (consts) memcpy(out->consts, expr->consts, consts * sizeof *out->consts);
    struct folding f = {out, vars, facts};
    // An operator is behind its operands.
    for (uint32_t i = 0; i < expr->node_count; i++) {
        fold_node(&f, i);
        facts[i] = hone_c_fact_of(out, vars, facts, i);
    }
    return HONE_OK;
}
