// Loops that the compiler turns into vector code: no branch, no error, no type.
#include "rows.h"

#include <math.h>
#include <stdint.h>

#include "ast.h"
#include "number.h"

// Exact for integers within 2^52 and y > 0: the quotient is off by less than half of the
// distance to the next integer, so cutting it off is right.
static inline double floor_div(double x, double y)
{
    double q = (double)(int64_t)(x / y);
    return q * y > x ? q - 1 : q;
}

static inline double ceil_div(double x, double y)
{
    return 0 - floor_div(-x, y);
}

bool hone_row_operates(unsigned op, bool floats)
{
    switch (op) {
    case OP_POW:
    case OP_BNOT:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
    case OP_SHL:
    case OP_SHR:
    case OP_IS_POW2:
    case OP_LOG2:
        return false;
    case OP_CEIL_DIV:
    case OP_ROUND_UP:
        return !floats;
    default:
        return op >= OP_NEG && op <= OP_CHAIN;
    }
}

#define EACH(expression)                                                                 \
    if (step->a_varies && step->b_varies)                                                \
        for (size_t i = 0; i < n; i++) {                                                 \
            const double x = a[i], y = b[i];                                             \
            out[i] = (expression);                                                       \
            (void)y;                                                                     \
        }                                                                                \
    else if (step->a_varies)                                                             \
        for (size_t i = 0; i < n; i++) {                                                 \
            const double x = a[i], y = *b;                                               \
            out[i] = (expression);                                                       \
            (void)y;                                                                     \
        }                                                                                \
    else                                                                                 \
        for (size_t i = 0; i < n; i++) {                                                 \
            const double x = *a, y = b[i];                                               \
            out[i] = (expression);                                                       \
            (void)y;                                                                     \
        }                                                                                \
    break

// Floats take the sign of zero, which integers do not have and division shows.
static bool differs(unsigned op)
{
    return op == OP_NEG || op == OP_MUL || op == OP_IDIV || op == OP_MOD || op == OP_SQRT;
}

// NOLINTNEXTLINE(readability-function-size): a macro is a loop of each shape
static void fill_floats(const struct hone_row_step *step)
{
    const double *const a = step->a, *const b = step->b;
    double *const restrict out = step->out;
    const size_t n = step->count;
    switch (step->op) {
    case OP_NEG:
        EACH(-x);
    case OP_MUL:
        EACH(x * y);
    case OP_IDIV:
        EACH(floor(x / y));
    case OP_MOD:
        EACH(hone_float_floor_mod(x, y));
    case OP_SQRT:
        EACH(sqrt(x));
    default:
        break;
    }
}

// NOLINTNEXTLINE(readability-function-size): a macro is a loop of each shape
void hone_row_fill(const struct hone_row_step *step)
{
    const double *const a = step->a, *const b = step->b;
    double *const restrict out = step->out;
    const size_t n = step->count;
    if (step->floats && differs(step->op)) {
        fill_floats(step);
        return;
    }
    switch (step->op) {
    case OP_NEG:
        EACH(0 - x);
    case OP_ADD:
        EACH(x + y);
    case OP_SUB:
        EACH(x - y);
    case OP_MUL:
        EACH(x * y + 0.0);
    case OP_DIV:
        EACH(x / y);
    case OP_IDIV:
        EACH(floor_div(x, y));
    case OP_MOD:
        EACH(x - floor_div(x, y) * y);
    case OP_MIN:
        EACH(y < x ? y : x);
    case OP_MAX:
        EACH(x < y ? y : x);
    case OP_ABS:
        EACH(fabs(x));
    case OP_CEIL_DIV:
        EACH(ceil_div(x, y));
    case OP_ROUND_UP:
        EACH(ceil_div(x, y) * y);
    default:
        break;
    }
}

#define EACH_TRUTH(comparison)                                                           \
    if (step->a_varies && step->b_varies)                                                \
        for (size_t i = 0; i < n; i++) {                                                 \
            const double x = a[i], y = b[i];                                             \
            truths |= (comparison) ? bits[i] : 0;                                        \
        }                                                                                \
    else if (step->a_varies)                                                             \
        for (size_t i = 0; i < n; i++) {                                                 \
            const double x = a[i], y = *b;                                               \
            truths |= (comparison) ? bits[i] : 0;                                        \
        }                                                                                \
    else                                                                                 \
        for (size_t i = 0; i < n; i++) {                                                 \
            const double x = *a, y = b[i];                                               \
            truths |= (comparison) ? bits[i] : 0;                                        \
        }                                                                                \
    return truths

// NOLINTNEXTLINE(readability-function-size): a macro is a loop of each shape
static uint64_t compare_word(const struct hone_row_step *step, size_t begin, size_t n)
{
    const double *const a = step->a + (step->a_varies ? begin : 0);
    const double *const b = step->b + (step->b_varies ? begin : 0);
    const uint64_t *const bits = step->bits;
    uint64_t truths = 0;
    switch (step->op) {
    case OP_EQ:
        EACH_TRUTH(x == y);
    case OP_NE:
        EACH_TRUTH(x != y);
    case OP_LT:
        EACH_TRUTH(x < y);
    default:
        EACH_TRUTH(x <= y);
    }
}

void hone_row_compare(const struct hone_row_step *step)
{
    for (size_t begin = 0; begin < step->count; begin += 64) {
        const size_t left = step->count - begin;
        step->truths[begin / 64] = compare_word(step, begin, left < 64 ? left : 64);
    }
}

static uint64_t combine(unsigned op, uint64_t x, uint64_t y)
{
    switch (op) {
    case OP_NOT:
        return ~x;
    case OP_OR:
        return x | y;
    case OP_EQ:
        return ~(x ^ y);
    case OP_NE:
        return x ^ y;
    default: // OP_AND, OP_CHAIN
        return x & y;
    }
}

void hone_bits_fill(const struct hone_bits_step *step)
{
    for (size_t w = 0; w < step->words; w++)
        step->out[w] = combine(step->op, step->a[step->a_varies ? w : 0],
                               step->b[step->b_varies ? w : 0]);
}
