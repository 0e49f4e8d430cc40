// What is known of an expression ahead of printing: the names that what is left of it
// reads, its value, and whether it always has one. It needs no C form for that.
#include "expr/c_summary.h"

#include <stdlib.h>

#include "c_fold.h"

/* What is known of a node. */
struct fact {
    bool is_left; // the root reaches it
    bool is_number, is_boolean, never_fails;
};

struct summing {
    const struct hone_expr *expr; // folded
    const struct hone_expr_c_var *vars;
    struct fact *facts; // of its nodes
};

static const struct hone_expr_c_var *variable(const struct summing *s,
                                              const struct expr_node *node)
{
    return &s->vars[s->expr->slots[node->a]];
}

static struct fact of_type(enum hone_type type, bool never_fails)
{
    return (struct fact){.is_number = type == HONE_INT || type == HONE_FLOAT,
                         .is_boolean = type == HONE_BOOL,
                         .never_fails = never_fails};
}

// An integer, as that a float is divided by 0 is no failure.
static bool is_never_zero(const struct summing *s, uint32_t i)
{
    const struct expr_node *node = &s->expr->nodes[i];
    if (node->op == OP_CONST) {
        const struct hone_value value = s->expr->consts[node->a];
        return value.type == HONE_FLOAT || (value.type == HONE_INT && value.i != 0);
    }
    if (node->op != OP_VAR) return false;
    const struct hone_expr_c_range *range = variable(s, node)->range;
    return range && (range->low > 0 || range->high < 0);
}

static struct fact of_operator(const struct summing *s, const struct expr_node *node)
{
    const struct fact *a = &s->facts[node->a];
    const struct fact *b = node->b == HONE_NO_NODE ? a : &s->facts[node->b];
    const bool have = a->never_fails && b->never_fails;
    const bool numbers = a->is_number && b->is_number;
    switch (node->op) {
    case OP_AND:
    case OP_OR:
        return (struct fact){.is_number = numbers,
                             .is_boolean = a->is_boolean && b->is_boolean,
                             .never_fails = have};
    case OP_NOT:
    case OP_EQ:
    case OP_NE:
    case OP_CHAIN:
        return of_type(HONE_BOOL, have);
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        return of_type(HONE_BOOL, have && numbers);
    case OP_IS_POW2:
        return of_type(HONE_BOOL, false);
    case OP_IDIV:
    case OP_MOD:
    case OP_CEIL_DIV:
    case OP_ROUND_UP:
        return of_type(HONE_INT, have && numbers && is_never_zero(s, node->b));
    case OP_BNOT:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
    case OP_SHL:
    case OP_SHR:
        return of_type(HONE_INT, false); // a float may be no integer
    default:
        return of_type(HONE_INT, have && numbers);
    }
}

static struct fact of_node(const struct summing *s, const struct expr_node *node)
{
    if (node->op == OP_CONST) return of_type(s->expr->consts[node->a].type, true);
    if (node->op != OP_VAR) return of_operator(s, node);
    const struct hone_expr_c_var *var = variable(s, node);
    return of_type(var->type, !var->guard);
}

// Operands come before their operator.
static void mark_left(struct summing *s)
{
    const struct hone_expr *expr = s->expr;
    s->facts[expr->root].is_left = true;
    for (uint32_t i = expr->root + 1; i-- > 0;) {
        const struct expr_node *node = &expr->nodes[i];
        if (!s->facts[i].is_left || node->op == OP_CONST) continue;
        if (node->op == OP_VAR) {
            const struct hone_expr_c_var *var = variable(s, node);
            if (var->printed) *var->printed = true;
            continue;
        }
        s->facts[node->a].is_left = true;
        if (node->b != HONE_NO_NODE) s->facts[node->b].is_left = true;
    }
}

static void sum_up(struct summing *s, struct hone_expr_c_summary *out)
{
    const struct hone_expr *expr = s->expr;
    const struct expr_node *root = &expr->nodes[expr->root];
    for (uint32_t i = 0; i < expr->node_count; i++)
        s->facts[i] = of_node(s, &expr->nodes[i]);
    mark_left(s);
    const struct fact *fact = &s->facts[expr->root];
    out->type = fact->is_boolean ? HONE_BOOL : fact->is_number ? HONE_INT : HONE_STRING;
    out->never_fails = fact->never_fails;
    if (root->op == OP_CONST) out->value = expr->consts[root->a];
    out->is_known = root->op == OP_CONST && hone_c_is_simple(out->value);
}

enum hone_status hone_expr_c_summarize(const struct hone_expr *expr,
                                       const struct hone_expr_c_var *vars,
                                       struct hone_expr_c_summary *out,
                                       struct hone_error *err)
{
    struct hone_expr folded;
    enum hone_status status = hone_c_fold(&folded, expr, vars, err);
    struct summing s = {&folded, vars, calloc(expr->node_count, sizeof *s.facts)};
    *out = (struct hone_expr_c_summary){.type = HONE_STRING};
    if (status == HONE_OK && !s.facts) status = hone_no_memory(err, "for an expression");
    if (status == HONE_OK) sum_up(&s, out);
    free(s.facts);
    free(folded.nodes);
    free(folded.consts);
    return status;
}
