/* Expressions prepared for a search that gives variables their values one after the
 * other: each part of an expression is computed once its last variable is reached, for
 * all values of that variable in one row, and shared by all expressions that have it.
 * Numbers are rows of doubles: exact, as only plain expressions are taken, in which
 * integers stay within 2^52 and nothing can fail. */
#ifndef HONE_EXPR_PLAN_H
#define HONE_EXPR_PLAN_H

#include "hone/expr.h"

/* What a slot of the expressions stands for. */
struct hone_plan_name {
    const struct hone_value *values; /* of a variable, or the one of a constant */
    size_t count;                    /* 0: must not be used */
    size_t depth;                    /* of a variable with several values */
    const struct hone_expr *formula; /* of a derived value, bound; else NULL */
};

/* A row of a sealed plan: [count] values of its depth. */
struct hone_plan_row {
    size_t depth;
    const double *values; /* 0 and 1 for false and true */
};

struct hone_plan;

/* names by slot; depth d has counts[d] values. Both must outlive the plan. NULL: out of
 * memory. */
struct hone_plan *hone_plan_new(const struct hone_plan_name *names, const size_t *counts,
                                size_t depths);
void hone_plan_free(struct hone_plan *plan);

/* Add the truth of expr and number it. EUNSUPPORTED where it is not plain, or the same
 * for all values; ENOMEM. */
enum hone_status hone_plan_add(struct hone_plan *plan, const struct hone_expr *expr,
                               uint32_t *number);

/* No more is added; the rest becomes possible. False: out of memory. */
bool hone_plan_seal(struct hone_plan *plan);

struct hone_plan_row hone_plan_row(const struct hone_plan *plan, uint32_t number);

/* Whether what is computed at depth reads the choice made at an earlier one; if so *last
 * is the deepest of these. */
bool hone_plan_depends(const struct hone_plan *plan, size_t depth, size_t *last);

/* Compute the rows of depth for the values chosen at the depths before it. */
void hone_plan_fill(struct hone_plan *plan, size_t depth);

/* The variable at depth, whose rows are filled, has that value now. */
void hone_plan_choose(struct hone_plan *plan, size_t depth, size_t value);

#endif
