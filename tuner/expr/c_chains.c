// What the C printer walks: "p and x or q and y or z" is (p and x or q and y) or z, whose
// left side is x, y or false and has no type in C. An "or" associates, so that the copy
// has p and x or (q and y or z), two choices.
#include "c_chains.h"

#include <stdlib.h>

struct copying {
    const struct expr_node *from;
    struct expr_node *to;
    uint32_t *now; // where a node of from stands in to, once it does
    uint32_t count;
};

static uint32_t append(struct copying *c, struct expr_node node)
{
    c->to[c->count] = node;
    return c->count++;
}

static uint32_t copy(struct copying *c, uint32_t i);

static bool ends_in_choice(const struct copying *c, uint32_t i)
{
    const struct expr_node *node = &c->from[i];
    return node->op == OP_OR && c->from[node->b].op == OP_AND;
}

// The node i, an "or", whose right side is there already.
static uint32_t join(struct copying *c, uint32_t i, uint32_t right)
{
    struct expr_node node = c->from[i];
    for (; ends_in_choice(c, node.a); node.a = c->from[node.a].a) {
        const uint32_t choice = c->from[node.a].b;
        struct expr_node inner = node;
        inner.begin = c->from[choice].begin;
        inner.a = copy(c, choice);
        inner.b = right;
        right = append(c, inner);
    }
    node.a = copy(c, node.a);
    node.b = right;
    return append(c, node);
}

static uint32_t copy(struct copying *c, uint32_t i)
{
    if (c->now[i] != HONE_NO_NODE) return c->now[i];
    struct expr_node node = c->from[i];
    if (node.op == OP_OR) return c->now[i] = join(c, i, copy(c, node.b));
    if (node.op != OP_CONST && node.op != OP_VAR) {
        node.a = copy(c, node.a);
        if (node.b != HONE_NO_NODE) node.b = copy(c, node.b);
    }
    return c->now[i] = append(c, node);
}

enum hone_status hone_c_chains(struct hone_expr *out, const struct hone_expr *expr,
                               struct hone_error *err)
{
    *out = *expr;
    struct copying c = {.from = expr->nodes};
    out->nodes = c.to = calloc(HONE_C_NODES(expr->node_count), sizeof *c.to);
    c.now = malloc(expr->node_count * sizeof *c.now);
    if (!c.to || !c.now) {
        free(c.now);
        return hone_no_memory(err, "for an expression");
    }
    for (uint32_t i = 0; i < expr->node_count; i++)
        c.now[i] = HONE_NO_NODE;
    out->root = copy(&c, expr->root);
    out->node_count = c.count;
    free(c.now);
    return HONE_OK;
}
