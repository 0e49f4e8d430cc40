// "not (a < b and c)" is "a >= b or not c": comparisons of integers and texts turn round,
// and so do "and" and "or", which look at their right side as before. A float may be no
// number, so that orders of floats do not.
#include "c_deny.h"

#include <assert.h>

#include "c_types.h"

static uint32_t deny(struct hone_c_form *form, uint32_t i);

// There is room for one more of each node.
static uint32_t negate(struct hone_c_form *form, uint32_t i)
{
    struct expr_node node = form->expr.nodes[i];
    node.op = OP_NOT;
    node.a = i;
    node.b = HONE_NO_NODE;
    form->types[form->expr.node_count] = HONE_BOOL;
    form->expr.nodes[form->expr.node_count] = node;
    return form->expr.node_count++;
}

static uint32_t deny_relation(struct hone_c_form *form, uint32_t i)
{
    static const uint8_t others[] = {[OP_EQ] = OP_NE, [OP_NE] = OP_EQ, [OP_LT] = OP_GE,
                                     [OP_LE] = OP_GT, [OP_GT] = OP_LE, [OP_GE] = OP_LT};
    struct expr_node *node = &form->expr.nodes[i];
    const bool has_float =
        form->types[node->a] == HONE_FLOAT || form->types[node->b] == HONE_FLOAT;
    if (has_float && hone_op_is_order(node->op)) return negate(form, i);
    node->op = others[node->op];
    return i;
}

static uint32_t deny_logic(struct hone_c_form *form, uint32_t i)
{
    struct expr_node *node = &form->expr.nodes[i];
    if (form->types[node->a] != HONE_BOOL || form->types[node->b] != HONE_BOOL)
        return negate(form, i);
    node->op = node->op == OP_AND ? OP_OR : OP_AND;
    node->a = deny(form, node->a);
    node->b = deny(form, node->b);
    return i;
}

static uint32_t deny(struct hone_c_form *form, uint32_t i)
{
    const struct expr_node *node = &form->expr.nodes[i];
    switch (node->op) {
    case OP_NOT:
        return form->types[node->a] == HONE_BOOL ? node->a : negate(form, i);
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        return deny_relation(form, i);
    case OP_AND:
    case OP_OR:
        return deny_logic(form, i);
    default:
        return negate(form, i);
    }
}

void hone_c_deny(struct hone_c_form *form)
{
    assert(form->types[form->expr.root] == HONE_BOOL);
    form->expr.root = deny(form, form->expr.root);
}
