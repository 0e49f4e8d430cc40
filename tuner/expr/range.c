// Ranges of integers, operator by operator: exact bounds where they fit in 64 bits, all
// of them where the value may wrap.
#include "range.h"

#include "c_types.h"

__extension__ typedef __int128 wide;

static const struct hone_range all = {.low = INT64_MIN, .high = INT64_MAX};

static bool fits(wide low, wide high)
{
    return low >= INT64_MIN && high <= INT64_MAX;
}

static struct hone_range exact(wide low, wide high)
{
    if (!fits(low, high)) return all;
    return (struct hone_range){(int64_t)low, (int64_t)high, .plain = true};
}

static wide least(wide a, wide b)
{
    return a < b ? a : b;
}

static wide most(wide a, wide b)
{
    return a > b ? a : b;
}

static struct hone_range product(struct hone_range a, struct hone_range b)
{
    const wide w[4] = {(wide)a.low * b.low, (wide)a.low * b.high, (wide)a.high * b.low,
                       (wide)a.high * b.high};
    return exact(least(least(w[0], w[1]), least(w[2], w[3])),
                 most(most(w[0], w[1]), most(w[2], w[3])));
}

static wide floor_div(wide a, wide b)
{
    return a / b - (a % b < 0);
}

// b is above 0.
static struct hone_range quotient(struct hone_range a, struct hone_range b, wide more_low,
                                  wide more_high)
{
    const wide low = a.low + more_low, high = a.high + more_high;
    return exact(floor_div(low, low < 0 ? b.low : b.high),
                 floor_div(high, high < 0 ? b.high : b.low));
}

static struct hone_range divided(unsigned op, struct hone_range a, struct hone_range b)
{
    struct hone_range range;
    if (b.low < 1) return all;
    switch (op) {
    case OP_IDIV:
        range = quotient(a, b, 0, 0);
        break;
    case OP_MOD:
        range = exact(0, a.low >= 0 ? least(a.high, b.high - 1) : b.high - 1);
        break;
    case OP_CEIL_DIV: // the least and the greatest numerator, each with its own divisor
        range = exact(-floor_div(-(wide)a.low, a.low < 0 ? b.low : b.high),
                      -floor_div(-(wide)a.high, a.high < 0 ? b.high : b.low));
        break;
    default:
        range = exact(a.low, (wide)a.high + b.high - 1);
        break;
    }
    // The text is a + b - 1, whose sum comes first.
    const bool is_sum =
        a.low >= 0 && (op == OP_IDIV || op == OP_MOD || fits(0, (wide)a.high + b.high));
    range.is_twice = range.plain && !is_sum && (op == OP_IDIV || op == OP_CEIL_DIV);
    range.plain = range.plain && is_sum;
    return range;
}

static struct hone_range shifted(unsigned op, struct hone_range a, struct hone_range b)
{
    const bool known = a.low >= 0 && b.low >= 0 && b.high <= 62;
    if (!known) return all;
    if (op == OP_SHR) return exact(a.low >> b.high, a.high >> b.low);
    return exact((wide)a.low << b.low, (wide)a.high << b.high);
}

// All ones up to the highest bit of either.
static int64_t ones(int64_t a, int64_t b)
{
    uint64_t bits = (uint64_t)a | (uint64_t)b;
    for (unsigned by = 1; by < 64; by *= 2)
        bits |= bits >> by;
    return (int64_t)bits;
}

static struct hone_range of_bits(unsigned op, struct hone_range a, struct hone_range b)
{
    const bool whole = a.low >= 0 && b.low >= 0;
    if (op == OP_BNOT) return exact(-1 - (wide)a.high, -1 - (wide)a.low);
    if (op == OP_BAND && (a.low >= 0 || b.low >= 0))
        return exact(0, a.low < 0   ? b.high
                        : b.low < 0 ? a.high
                                    : (int64_t)least(a.high, b.high));
    return whole && op != OP_BAND ? exact(0, ones(a.high, b.high)) : all;
}

static struct hone_range of_choice(unsigned op, struct hone_range a, struct hone_range b)
{
    switch (op) {
    case OP_MIN:
        return exact(least(a.low, b.low), least(a.high, b.high));
    case OP_MAX:
        return exact(most(a.low, b.low), most(a.high, b.high));
    default: // either of the two
        return exact(least(a.low, b.low), most(a.high, b.high));
    }
}

static struct hone_range absolute(struct hone_range a)
{
    const wide low = a.low > 0 ? a.low : a.high < 0 ? -(wide)a.high : 0;
    return exact(low, most(a.high, -(wide)a.low));
}

struct hone_range hone_range_of(unsigned op, struct hone_range a, struct hone_range b)
{
    switch (op) {
    case OP_NEG:
        return exact(-(wide)a.high, -(wide)a.low);
    case OP_ADD:
        return exact((wide)a.low + b.low, (wide)a.high + b.high);
    case OP_SUB:
        return exact((wide)a.low - b.high, (wide)a.high - b.low);
    case OP_MUL:
        return product(a, b);
    case OP_IDIV:
    case OP_MOD:
    case OP_CEIL_DIV:
    case OP_ROUND_UP:
        return divided(op, a, b);
    case OP_SHL:
    case OP_SHR:
        return shifted(op, a, b);
    case OP_BNOT:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
        return of_bits(op, a, b);
    case OP_ABS:
        return absolute(a);
    case OP_MIN:
    case OP_MAX:
    case OP_OR:
        return of_choice(op, a, b);
    default:
        return all;
    }
}

/* --- nodes --- */

struct ranging {
    const struct hone_expr *expr;
    const struct hone_expr_c_var *vars;
    const uint8_t *types;
    struct hone_range *ranges;
};

static bool is_int(int64_t value)
{
    return value >= INT32_MIN && value <= INT32_MAX;
}

static struct hone_range of_constant(const struct hone_value *value)
{
    if (value->type != HONE_INT) return all;
    const bool narrow = is_int(value->i);
    return (struct hone_range){value->i, value->i, .plain = true, .narrow = narrow,
                               .is_long = !narrow};
}

static struct hone_range of_variable(const struct hone_expr_c_var *var)
{
    if (!var->range) return all;
    const bool narrow = var->range->narrow;
    return (struct hone_range){var->range->low, var->range->high, .plain = true,
                               .narrow = narrow, .is_long = !narrow};
}

// What is put together of ints is an int in C, as long as it fits in one on the way.
static bool is_narrow(unsigned op, struct hone_range range, struct hone_range a,
                      struct hone_range b)
{
    const bool rounds = op == OP_CEIL_DIV || op == OP_ROUND_UP;
    if (!a.narrow || !b.narrow || !is_int(range.low) || !is_int(range.high)) return false;
    if (op == OP_MIN || op == OP_MAX || op == OP_ABS) return false; // functions
    if (rounds && !range.is_twice && a.high + b.high > INT32_MAX) return false;
    return op != OP_SHL && op != OP_SHR;
}

// A function takes its right operand once, C's own operators for it take it twice.
static bool is_leaf(const struct ranging *r, uint32_t i)
{
    const unsigned op = r->expr->nodes[i].op;
    return op == OP_CONST || op == OP_VAR;
}

static bool is_one(const struct ranging *r, uint32_t i)
{
    const struct hone_range range = r->ranges[i];
    return r->expr->nodes[i].op == OP_CONST && range.low == 1 && range.high == 1;
}

// Does the C text of an integer have 64 bits, by what print_c.c prints for it?
static bool is_long(const struct ranging *r, const struct expr_node *node,
                    struct hone_range own)
{
    const bool alone = node->b == HONE_NO_NODE;
    const bool a = r->types[node->a] == HONE_FLOAT || r->ranges[node->a].is_long;
    const bool b =
        !alone && (r->types[node->b] == HONE_FLOAT || r->ranges[node->b].is_long);
    switch (node->op) {
    case OP_AND:
        return b;
    case OP_OR: // what is no boolean is true: then the right side is not printed
        return a || (b && r->types[node->a] != HONE_INT);
    case OP_BNOT:
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
        return a || b;
    case OP_MIN:
    case OP_MAX:
        return !alone || a;
    case OP_IDIV:
    case OP_CEIL_DIV:
    case OP_ROUND_UP:
        if (own.is_twice) return a || b;
        return own.plain && node->op != OP_IDIV && is_one(r, node->b) ? a : !own.narrow;
    default: // a function, or widened where it is not narrow
        return !own.narrow;
    }
}

// What is printed twice is a name, or a number as the divisor.
static struct hone_range with_form(const struct ranging *r, const struct expr_node *node,
                                   struct hone_range range)
{
    const bool rounds = node->op == OP_CEIL_DIV || node->op == OP_ROUND_UP;
    if (rounds && !is_leaf(r, node->b)) range.plain = range.is_twice = false;
    if (range.is_twice)
        range.is_twice = r->expr->nodes[node->a].op == OP_VAR && is_leaf(r, node->b) &&
                         !is_one(r, node->b);
    range.plain |= range.is_twice;
    return range;
}

static struct hone_range of_operator(const struct ranging *r,
                                     const struct expr_node *node)
{
    const bool alone = node->b == HONE_NO_NODE;
    // "c and x or y": the range of "c and x" is that of x
    const bool chooses = node->op == OP_OR && r->types[node->a] == MAYBE_FALSE;
    const struct hone_range a =
        r->types[node->a] == HONE_INT || chooses ? r->ranges[node->a] : all;
    const struct hone_range b = alone                           ? a
                                : r->types[node->b] == HONE_INT ? r->ranges[node->b]
                                                                : all;
    if (node->op == OP_AND) return b;
    if (alone && (node->op == OP_MIN || node->op == OP_MAX)) return a;
    struct hone_range range = with_form(r, node, hone_range_of(node->op, a, b));
    range.narrow = range.plain && is_narrow(node->op, range, a, b);
    return range;
}

static struct hone_range of_node(const struct ranging *r, const struct expr_node *node)
{
    switch (node->op) {
    case OP_CONST:
        return of_constant(&r->expr->consts[node->a]);
    case OP_VAR:
        return of_variable(&r->vars[r->expr->slots[node->a]]);
    default: {
        struct hone_range range = of_operator(r, node);
        range.is_long = is_long(r, node, range);
        return range;
    }
    }
}

void hone_c_ranges(const struct hone_expr *expr, const struct hone_expr_c_var *vars,
                   const uint8_t *types, struct hone_range *ranges)
{
    const struct ranging r = {expr, vars, types, ranges};
    for (uint32_t i = 0; i < expr->node_count; i++) // operands come before their operator
        ranges[i] = of_node(&r, &expr->nodes[i]);
}
