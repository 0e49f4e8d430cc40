// The evaluator: a loop over the code with short cuts where both operands are integers.
// Nothing is allocated and nothing shared is written, so threads may share an expression.
#include "ast.h"
#include "number.h"
#include "operate.h"

static const char *type_name(const struct hone_value *value)
{
    static const char *const names[] = {[HONE_INT] = "a number",
                                        [HONE_FLOAT] = "a number",
                                        [HONE_BOOL] = "a boolean",
                                        [HONE_STRING] = "a string"};
    return names[value->type];
}

static enum hone_status eval_fail(const struct hone_expr *expr, uint32_t at,
                                  enum expr_fault fault, const struct hone_value *a,
                                  const struct hone_value *b, struct hone_error *err)
{
    const struct expr_node *node = &expr->nodes[expr->origins[at]];
    unsigned op = node->op;
    const bool exchanged = hone_op_exchange(&op);
    const struct hone_value *culprit = hone_is_number(a) ? b : a;
    char part[160];
    hone_expr_quote(part, sizeof part, expr->text, node->begin, node->end);
    switch (fault) {
    case FAULT_DIVISION:
        return hone_fail_at(err, HONE_EINPUT, expr->text, 0, "division by zero in '%s'",
                            part);
    case FAULT_ARITHMETIC:
        return hone_fail_at(err, HONE_EINPUT, expr->text, 0, "arithmetic on %s in '%s'",
                            type_name(culprit), part);
    case FAULT_BITWISE:
        return hone_fail_at(err, HONE_EINPUT, expr->text, 0,
                            "bitwise operation on %s in '%s'", type_name(culprit), part);
    case FAULT_NO_INTEGER:
        return hone_fail_at(err, HONE_EINPUT, expr->text, 0,
                            "number without an integer value in '%s'", part);
    case FAULT_COMPARE:
        return hone_fail_at(
            err, HONE_EINPUT, expr->text, 0, "cannot order %s and %s in '%s'",
            type_name(exchanged ? b : a), type_name(exchanged ? a : b), part);
    case FAULT_NONE:
        break;
    }
    return HONE_OK;
}

// The frequent operators on two integers; false leaves the work to hone_operate.
static inline bool on_ints(unsigned op, struct hone_value *out, int64_t a, int64_t b)
{
    int64_t i;
    switch (op) {
    case OP_ADD:
        if (__builtin_add_overflow(a, b, &i)) return false;
        break;
    case OP_SUB:
        if (__builtin_sub_overflow(a, b, &i)) return false;
        break;
    case OP_MUL:
        if (__builtin_mul_overflow(a, b, &i)) return false;
        break;
    case OP_IDIV:
        if (b <= 0) return false;
        i = hone_int_floor_div(a, b);
        break;
    case OP_MOD:
        if (b <= 0) return false;
        i = hone_int_floor_mod(a, b);
        break;
    case OP_CEIL_DIV:
        if (b <= 0 || a == INT64_MIN) return false; // -a overflows
        i = a / b + (a % b > 0);
        break;
    case OP_EQ:
        *out = hone_bool(a == b);
        return true;
    case OP_NE:
        *out = hone_bool(a != b);
        return true;
    case OP_LT:
        *out = hone_bool(a < b);
        return true;
    case OP_LE:
        *out = hone_bool(a <= b);
        return true;
    default:
        return false;
    }
    *out = hone_int(i);
    return true;
}

enum hone_status hone_expr_eval(const struct hone_expr *expr,
                                const struct hone_value *slots, struct hone_value *out,
                                unsigned *notes, struct hone_error *err)
{
    struct hone_value temps[HONE_EXPR_MAX_TEMPS];
    const struct hone_value *const spaces[] = {
        [IN_SLOTS] = slots, [IN_CONSTS] = expr->consts, [IN_TEMPS] = temps};
    unsigned ignored = 0;
    for (uint32_t at = 0;;) {
        const struct expr_instr *in = &expr->code[at++];
        const struct hone_value *a =
            &spaces[in->a >> HONE_OPERAND_SHIFT][in->a & HONE_OPERAND_MASK];
        const struct hone_value *b =
            &spaces[in->b >> HONE_OPERAND_SHIFT][in->b & HONE_OPERAND_MASK];
        switch (in->op) {
        case OP_JUMP_FALSE:
            if (!hone_value_true(*a)) at = in->dst;
            continue;
        case OP_JUMP_TRUE:
            if (hone_value_true(*a)) at = in->dst;
            continue;
        case OP_MOVE:
            temps[in->dst] = *a;
            continue;
        case OP_RETURN:
            *out = *a;
            return HONE_OK;
        default:
            break;
        }
        struct hone_value *dst = &temps[in->dst];
        if (a->type == HONE_INT && b->type == HONE_INT &&
            on_ints(in->op, dst, a->i, b->i))
            continue;
        enum expr_fault fault = hone_operate(in->op, dst, a, b, notes ? notes : &ignored);
        if (fault != FAULT_NONE) return eval_fail(expr, at - 1, fault, a, b, err);
    }
}
