#include "operate.h"

#include <math.h>

#include "number.h"

static void note(unsigned *notes, bool overflow)
{
    *notes |= overflow ? HONE_EXPR_OVERFLOW : 0;
}

static int64_t operate_add(int64_t a, int64_t b, unsigned *notes)
{
    int64_t sum;
    note(notes, __builtin_add_overflow(a, b, &sum));
    return sum;
}

static int64_t subtract(int64_t a, int64_t b, unsigned *notes)
{
    int64_t difference;
    note(notes, __builtin_sub_overflow(a, b, &difference));
    return difference;
}

static int64_t multiply(int64_t a, int64_t b, unsigned *notes)
{
    int64_t product;
    note(notes, __builtin_mul_overflow(a, b, &product));
    return product;
}

static int64_t divide(int64_t a, int64_t b, unsigned *notes)
{
    note(notes, a == INT64_MIN && b == -1);
    return hone_int_floor_div(a, b);
}

static enum expr_fault on_ints(unsigned op, struct hone_value *out, int64_t a, int64_t b,
                               unsigned *notes)
{
    if ((op == OP_IDIV || op == OP_MOD) && b == 0) return FAULT_DIVISION;
    switch (op) {
    case OP_ADD:
        *out = hone_int(operate_add(a, b, notes));
        break;
    case OP_SUB:
        *out = hone_int(subtract(a, b, notes));
        break;
    case OP_MUL:
        *out = hone_int(multiply(a, b, notes));
        break;
    case OP_IDIV:
        *out = hone_int(divide(a, b, notes));
        break;
    case OP_MOD:
        *out = hone_int(hone_int_floor_mod(a, b));
        break;
    case OP_NEG:
        *out = hone_int(subtract(0, a, notes));
        break;
    case OP_ABS:
        *out = hone_int(a < 0 ? subtract(0, a, notes) : a);
        break;
    default:
        return FAULT_ARITHMETIC;
    }
    return FAULT_NONE;
}

static void on_floats(unsigned op, struct hone_value *out, double a, double b)
{
    switch (op) {
    case OP_ADD:
        *out = hone_float(a + b);
        break;
    case OP_SUB:
        *out = hone_float(a - b);
        break;
    case OP_MUL:
        *out = hone_float(a * b);
        break;
    case OP_DIV:
        *out = hone_float(a / b);
        break;
    case OP_IDIV:
        *out = hone_float(floor(a / b));
        break;
    case OP_MOD:
        *out = hone_float(hone_float_floor_mod(a, b));
        break;
    case OP_POW:
        *out = hone_float(hone_float_pow(a, b));
        break;
    case OP_NEG:
        *out = hone_float(-a);
        break;
    case OP_ABS:
        *out = hone_float(fabs(a));
        break;
    case OP_LOG2:
        *out = hone_float(log2(a));
        break;
    case OP_SQRT:
        *out = hone_float(sqrt(a));
        break;
    default:
        break;
    }
}

static enum expr_fault arithmetic(unsigned op, struct hone_value *out,
                                  const struct hone_value *a, const struct hone_value *b,
                                  unsigned *notes)
{
    if (!hone_is_number(a) || !hone_is_number(b)) return FAULT_ARITHMETIC;
    bool float_only = op == OP_DIV || op == OP_POW || op == OP_LOG2 || op == OP_SQRT;
    if (a->type == HONE_INT && b->type == HONE_INT && !float_only)
        return on_ints(op, out, a->i, b->i, notes);
    on_floats(op, out, a->type == HONE_INT ? (double)a->i : a->f,
              b->type == HONE_INT ? (double)b->i : b->f);
    return FAULT_NONE;
}

// -(-a // b), but that the -a of the least integer does not wrap.
static enum expr_fault divide_up(struct hone_value *q, const struct hone_value *a,
                                 const struct hone_value *b, unsigned *notes)
{
    if (a->type != HONE_INT || b->type != HONE_INT) {
        enum expr_fault fault = arithmetic(OP_NEG, q, a, a, notes);
        if (fault == FAULT_NONE) fault = arithmetic(OP_IDIV, q, q, b, notes);
        return fault == FAULT_NONE ? arithmetic(OP_NEG, q, q, q, notes) : fault;
    }
    if (b->i == 0) return FAULT_DIVISION;
    const int64_t down = divide(a->i, b->i, notes);
    *q = hone_int(down + (b->i != -1 && a->i % b->i != 0));
    return FAULT_NONE;
}

// ceil_div(a, b), or round_up(a, b), which is ceil_div(a, b) * b.
static enum expr_fault round_division(unsigned op, struct hone_value *out,
                                      const struct hone_value *a,
                                      const struct hone_value *b, unsigned *notes)
{
    struct hone_value q;
    enum expr_fault fault = divide_up(&q, a, b, notes);
    if (fault == FAULT_NONE && op == OP_ROUND_UP)
        fault = arithmetic(OP_MUL, &q, &q, b, notes);
    if (fault == FAULT_NONE) *out = q;
    return fault;
}

static enum expr_fault bitwise(unsigned op, struct hone_value *out,
                               const struct hone_value *a, const struct hone_value *b)
{
    int64_t x, y;
    if (!hone_is_number(a) || !hone_is_number(b)) return FAULT_BITWISE;
    if (!hone_value_to_int(*a, &x) || !hone_value_to_int(*b, &y)) return FAULT_NO_INTEGER;
    switch (op) {
    case OP_BAND:
        *out = hone_int(x & y);
        break;
    case OP_BOR:
        *out = hone_int(x | y);
        break;
    case OP_BXOR:
        *out = hone_int(x ^ y);
        break;
    case OP_BNOT:
        *out = hone_int(~x);
        break;
    case OP_SHL:
        *out = hone_int(hone_int_shift_left(x, y));
        break;
    case OP_SHR:
        *out = hone_int(hone_int_shift_left(x, hone_wrap(0 - (uint64_t)y)));
        break;
    default: // OP_IS_POW2
        *out = hone_bool(x > 0 && (x & (x - 1)) == 0);
        break;
    }
    return FAULT_NONE;
}

// As math.min and math.max: the first of equals, and a NaN stays where it comes first.
static enum expr_fault extreme(unsigned op, struct hone_value *out,
                               const struct hone_value *a, const struct hone_value *b)
{
    if (!hone_is_number(a) || !hone_is_number(b)) return FAULT_ARITHMETIC;
    bool second = false;
    enum expr_fault fault =
        op == OP_MIN ? hone_less(&second, b, a, false) : hone_less(&second, a, b, false);
    *out = second ? *b : *a;
    return fault;
}

enum expr_fault hone_operate(unsigned op, struct hone_value *out,
                             const struct hone_value *a, const struct hone_value *b,
                             unsigned *notes)
{
    bool less = false;
    enum expr_fault fault = FAULT_NONE;
    switch (op) {
    case OP_NOT:
        *out = hone_bool(!hone_value_true(*a));
        return FAULT_NONE;
    case OP_EQ:
        *out = hone_bool(hone_equal(a, b));
        return FAULT_NONE;
    case OP_NE:
        *out = hone_bool(!hone_equal(a, b));
        return FAULT_NONE;
    case OP_LT:
    case OP_LE:
        fault = hone_less(&less, a, b, op == OP_LE);
        if (fault == FAULT_NONE) *out = hone_bool(less);
        return fault;
    case OP_MIN:
    case OP_MAX:
        return extreme(op, out, a, b);
    case OP_CEIL_DIV:
    case OP_ROUND_UP:
        return round_division(op, out, a, b, notes);
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
    case OP_BNOT:
    case OP_SHL:
    case OP_SHR:
    case OP_IS_POW2:
        return bitwise(op, out, a, b);
    default:
        return arithmetic(op, out, a, b, notes);
    }
}
