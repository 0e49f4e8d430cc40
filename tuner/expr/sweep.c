// Whole rows at a time: each operator runs over all values of one variable before the
// next, so that what the interpreter spends on an operator is shared. Only plain integers
// and booleans; anything else is left to hone_expr_eval.
#include "hone/expr.h"

#include "ast.h"
#include "number.h"

// Bounds the stack: a frame holds a row of operands.
enum { HEIGHT_MAX = 100 };

struct sweep {
    const struct hone_expr *expr;
    const struct hone_value *slots;
    size_t slot; // that varies
    const struct hone_value *values;
    size_t count;
};

struct lanes {
    bool varies; // else all are as the first
    bool is_bool;
    int64_t v[HONE_SWEEP_MAX];
};

static bool load(struct lanes *out, const struct hone_value *values, size_t count)
{
    out->is_bool = values[0].type == HONE_BOOL;
    out->varies = count > 1;
    for (size_t i = 0; i < count; i++) {
        if (values[i].type != values[0].type || values[0].type > HONE_BOOL ||
            values[0].type == HONE_FLOAT)
            return false;
        out->v[i] = out->is_bool ? values[i].b : values[i].i;
    }
    return true;
}

#define EACH_LANE(expression)                                                            \
    for (size_t i = 0; i < n; i++) {                                                     \
        const int64_t x = a->v[a->varies ? i : 0], y = b->v[b->varies ? i : 0];          \
        out[i] = (expression);                                                           \
    }                                                                                    \
    break

// Operands of the same type; false where a result is not what the plain operator gives.
static bool combine(unsigned op, const struct lanes *a, const struct lanes *b, size_t n,
                    int64_t *out)
{
    bool wrapped = false, plain = true;
    switch (op) {
    case OP_ADD:
        EACH_LANE((wrapped |= __builtin_add_overflow(x, y, &out[i]), out[i]));
    case OP_SUB:
        EACH_LANE((wrapped |= __builtin_sub_overflow(x, y, &out[i]), out[i]));
    case OP_MUL:
        EACH_LANE((wrapped |= __builtin_mul_overflow(x, y, &out[i]), out[i]));
    case OP_IDIV:
        EACH_LANE((plain = plain && y > 0, y > 0 ? hone_int_floor_div(x, y) : 0));
    case OP_MOD:
        EACH_LANE((plain = plain && y > 0, y > 0 ? hone_int_floor_mod(x, y) : 0));
    case OP_EQ:
        EACH_LANE(x == y);
    case OP_NE:
        EACH_LANE(x != y);
    case OP_LT:
        EACH_LANE(x < y);
    case OP_LE:
        EACH_LANE(x <= y);
    case OP_GT:
        EACH_LANE(x > y);
    case OP_GE:
        EACH_LANE(x >= y);
    case OP_MIN:
        EACH_LANE(x < y ? x : y);
    case OP_MAX:
        EACH_LANE(x > y ? x : y);
    case OP_AND:
    case OP_CHAIN:
        EACH_LANE(x & y);
    case OP_OR:
        EACH_LANE(x | y);
    default:
        return false;
    }
    return plain && !wrapped;
}

static bool is_logic(unsigned op)
{
    return op == OP_AND || op == OP_OR || op == OP_CHAIN;
}

static bool sweep_node(const struct sweep *s, uint32_t node, struct lanes *out);

static bool sweep_binary(const struct sweep *s, const struct expr_node *n,
                         struct lanes *out)
{
    struct lanes a, b;
    if (n->b == HONE_NO_NODE || !sweep_node(s, n->a, &a) || !sweep_node(s, n->b, &b))
        return false;
    if (a.is_bool != is_logic(n->op) || b.is_bool != a.is_bool) return false;
    out->varies = a.varies || b.varies;
    if (!combine(n->op, &a, &b, out->varies ? s->count : 1, out->v)) return false;
    out->is_bool =
        is_logic(n->op) || n->op == OP_EQ || n->op == OP_NE || hone_op_is_order(n->op);
    return true;
}

static bool sweep_not(const struct sweep *s, const struct expr_node *n, struct lanes *out)
{
    if (!sweep_node(s, n->a, out) || !out->is_bool) return false;
    for (size_t i = 0; i < (out->varies ? s->count : 1); i++)
        out->v[i] = !out->v[i];
    return true;
}

static bool sweep_node(const struct sweep *s, uint32_t node, struct lanes *out)
{
    const struct expr_node *n = &s->expr->nodes[node];
    switch (n->op) {
    case OP_CONST:
        return load(out, &s->expr->consts[n->a], 1);
    case OP_VAR:
        if (s->expr->slots[n->a] == s->slot) return load(out, s->values, s->count);
        return load(out, &s->slots[s->expr->slots[n->a]], 1);
    case OP_NOT:
        return sweep_not(s, n, out);
    default:
        return sweep_binary(s, n, out);
    }
}

bool hone_expr_sweep(const struct hone_expr *expr, const struct hone_value *slots,
                     size_t slot, const struct hone_value *values, size_t count,
                     bool *truths)
{
    const struct sweep s = {
        .expr = expr, .slots = slots, .slot = slot, .values = values, .count = count};
    struct lanes result;
    if (count == 0 || count > HONE_SWEEP_MAX) return false;
    if (expr->nodes[expr->root].height > HEIGHT_MAX) return false;
    if (!sweep_node(&s, expr->root, &result) || !result.is_bool) return false;
    for (size_t i = 0; i < count; i++)
        truths[i] = result.v[result.varies ? i : 0] != 0;
    return true;
}
