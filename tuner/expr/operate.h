/* Operators on values of any type: what the evaluator's short cuts for integers leave
 * over. */
#ifndef HONE_EXPR_OPERATE_H
#define HONE_EXPR_OPERATE_H

#include "ast.h"

/* Why an operator refuses its operands. */
enum expr_fault {
    FAULT_NONE,
    FAULT_DIVISION,   /* integer division or modulo by zero */
    FAULT_ARITHMETIC, /* on something that is no number */
    FAULT_BITWISE,    /* likewise */
    FAULT_NO_INTEGER, /* bitwise on a float without an exact integer value */
    FAULT_COMPARE     /* order of different types, or of booleans */
};

/* out = a op b (or op a) for an enum expr_op from OP_NEG to OP_SQRT, but for OP_GT and
 * OP_GE. out may be a or b, and is written only where nothing is refused. */
enum expr_fault hone_operate(unsigned op, struct hone_value *out,
                             const struct hone_value *a, const struct hone_value *b,
                             unsigned *notes);

/* Lua's ==: 1 == 1.0, and values of different types differ. */
bool hone_equal(const struct hone_value *a, const struct hone_value *b);

/* a < b or, with or_equal, a <= b. */
enum expr_fault hone_less(bool *out, const struct hone_value *a,
                          const struct hone_value *b, bool or_equal);

static inline struct hone_value hone_int(int64_t i)
{
    return (struct hone_value){.type = HONE_INT, .i = i};
}

static inline struct hone_value hone_float(double f)
{
    return (struct hone_value){.type = HONE_FLOAT, .f = f};
}

static inline struct hone_value hone_bool(bool b)
{
    return (struct hone_value){.type = HONE_BOOL, .b = b};
}

static inline bool hone_is_number(const struct hone_value *value)
{
    return value->type == HONE_INT || value->type == HONE_FLOAT;
}

#endif
