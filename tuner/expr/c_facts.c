// Facts of nodes, operator by operator. They need no C form.
#include "c_facts.h"

struct facts {
    const struct hone_expr *expr;
    const struct hone_expr_c_var *vars;
    const struct hone_c_fact *of; // nodes
};

static const struct hone_expr_c_var *variable(const struct facts *f,
                                              const struct expr_node *node)
{
    return &f->vars[f->expr->slots[node->a]];
}

static struct hone_c_fact of_type(enum hone_type type, bool never_fails)
{
    return (struct hone_c_fact){.is_number = type == HONE_INT || type == HONE_FLOAT,
                                .is_boolean = type == HONE_BOOL,
                                .never_fails = never_fails};
}

// An integer, as that a float is divided by 0 is no failure.
static bool is_never_zero(const struct facts *f, uint32_t i)
{
    const struct expr_node *node = &f->expr->nodes[i];
    if (node->op == OP_CONST) {
        const struct hone_value value = f->expr->consts[node->a];
        return value.type == HONE_FLOAT || (value.type == HONE_INT && value.i != 0);
    }
    if (node->op != OP_VAR) return false;
    const struct hone_expr_c_range *range = variable(f, node)->range;
    return range && (range->low > 0 || range->high < 0);
}

static struct hone_c_fact of_operator(const struct facts *f, const struct expr_node *node)
{
    const struct hone_c_fact *a = &f->of[node->a];
    const struct hone_c_fact *b = node->b == HONE_NO_NODE ? a : &f->of[node->b];
    const bool have = a->never_fails && b->never_fails;
    const bool numbers = a->is_number && b->is_number;
    switch (node->op) {
    case OP_AND:
    case OP_OR:
        return (struct hone_c_fact){.is_number = numbers,
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
        return of_type(HONE_INT, have && numbers && is_never_zero(f, node->b));
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

struct hone_c_fact hone_c_fact_of(const struct hone_expr *expr,
                                  const struct hone_expr_c_var *vars,
                                  const struct hone_c_fact *facts, uint32_t i)
{
    const struct facts f = {expr, vars, facts};
    const struct expr_node *node = &expr->nodes[i];
    if (node->op == OP_CONST) return of_type(expr->consts[node->a].type, true);
    if (node->op != OP_VAR) return of_operator(&f, node);
    const struct hone_expr_c_var *var = variable(&f, node);
    return of_type(var->type, !var->guard);
}
