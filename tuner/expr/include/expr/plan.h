/* Expressions prepared for a search that gives variables their values depth by depth, at
 * each depth to one of them or to a block of a few at once: each part of an expression is
 * computed once its last variable is reached, for all choices of that depth in one row,
 * and shared by all expressions that have it. Numbers are rows of doubles: exact, as only
 * plain expressions are taken, in which integers stay within 2^52 and nothing can fail.
 * Truths are sets of bits. */
#ifndef HONE_EXPR_PLAN_H
#define HONE_EXPR_PLAN_H

#include "hone/expr.h"

enum {
    HONE_PLAN_BLOCK = 64, /* choices of a depth with several variables: a word of bits */
    HONE_PLAN_VARS = 6    /* which they are at most, as each has two values or more */
};

/* The variables of a depth and how many values each has. A choice is the number of a
 * combination of these; the value of the last variable changes fastest. */
struct hone_plan_depth {
    size_t choices, var_count;
    size_t counts[HONE_PLAN_VARS];
};

/* What a slot of the expressions stands for. */
struct hone_plan_name {
    const struct hone_value *values; /* of a variable, or the one of a constant */
    size_t count;                    /* 0: must not be used */
    size_t depth, place;             /* of a variable with several values */
    const struct hone_expr *formula; /* of a derived value, bound; else NULL */
};

struct hone_expr_plan;

/* names by slot. Both must outlive the plan. NULL: out of memory. */
struct hone_expr_plan *hone_plan_new(const struct hone_plan_name *names,
                                     const struct hone_plan_depth *depths,
                                     size_t depth_count);
void hone_plan_free(struct hone_expr_plan *plan);

/* Add the truth of expr and number it. EUNSUPPORTED where it is not plain, the same for
 * all values, or with its derived values over 65,536 nodes, 2,000 within another, or
 * 4 million values; ENOMEM. */
enum hone_status hone_plan_add(struct hone_expr_plan *plan, const struct hone_expr *expr,
                               uint32_t *number);

/* No more is added; the rest becomes possible. False: out of memory. */
bool hone_plan_seal(struct hone_expr_plan *plan);

/* The truth with that number: of choice c of its depth, bit c % 64 of word c / 64. Bits
 * beyond the choices mean nothing. */
struct hone_plan_truths {
    size_t depth;
    const uint64_t *words;
};
struct hone_plan_truths hone_plan_truths(const struct hone_expr_plan *plan,
                                         uint32_t number);

/* Whether what is computed at depth reads the choice made at an earlier one; if so *last
 * is the deepest of these. */
bool hone_plan_depends(const struct hone_expr_plan *plan, size_t depth, size_t *last);

/* Compute the rows of depth that read a choice made after the moment since, or all when
 * since is 0. chosen_at: by depth, the moment of the last choice. */
void hone_plan_fill(struct hone_expr_plan *plan, size_t depth, const uint64_t *chosen_at,
                    uint64_t since);

/* This is chosen at depth, whose rows are filled. */
void hone_plan_choose(struct hone_expr_plan *plan, size_t depth, size_t choice);

#endif
