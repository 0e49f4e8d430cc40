/* What values the parts of an expression can have, given those of its variables, and
 * where C's own operators give the value that the expression language gives. */
#ifndef HONE_EXPR_RANGE_H
#define HONE_EXPR_RANGE_H

#include "ast.h"

/* Every value of an integer node lies from low to high. plain: no operand of those ranges
 * makes C's operator overflow, divide by 0 or round otherwise. narrow: it and all its
 * parts fit in an int. is_long: its C text has 64 bits; what is neither may be either.
 * is_twice: a quotient of any integer by one above 0, which C rounds towards 0: its text
 * corrects that by the remainder, and has both operands twice. */
struct hone_range {
    int64_t low, high;
    bool plain, narrow, is_long, is_twice;
};

/* Fill ranges, one a node, from the ranges of vars and the types of hone_c_types. */
void hone_c_ranges(const struct hone_expr *expr, const struct hone_expr_c_var *vars,
                   const uint8_t *types, struct hone_range *ranges);

/* The range of one operator over those of its operands; b is ignored by unary ones. */
struct hone_range hone_range_of(unsigned op, struct hone_range a, struct hone_range b);

#endif
