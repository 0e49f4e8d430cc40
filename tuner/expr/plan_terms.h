/* What the files of the plan share: terms, which are parts of expressions, and the steps
 * that compute them. */
#ifndef HONE_EXPR_PLAN_TERMS_H
#define HONE_EXPR_PLAN_TERMS_H

#include "base/arena.h"
#include "expr/plan.h"
#include "rows.h"

#define HONE_NO_TERM  UINT32_MAX
#define HONE_NO_DEPTH SIZE_MAX

struct hone_plan_term {
    uint8_t op; /* OP_VAR: given, the rest is computed */
    uint8_t type;
    uint8_t span; /* of a number: the variables of its depth that it varies with, a bit
                   * for each place */
    bool is_read; /* by terms of greater depth */
    uint32_t a, b;
    uint32_t next; /* of the same bucket */
    size_t depth;  /* HONE_NO_DEPTH for a constant */
    size_t reads;  /* the deepest earlier depth whose choice it reads, or HONE_NO_DEPTH */
    double low, high;
    double *values;         /* of a number: by combination of the variables in span */
    const uint8_t *numbers; /* of that combination, by choice; NULL: the choice itself */
    uint64_t *truths;       /* of a boolean: by choice */
    double chosen;          /* one of the values */
    uint64_t chosen_truth;  /* all bits or none */
};

struct hone_plan_step;

enum { HONE_PLAN_BUCKETS = 128 };

struct hone_expr_plan {
    struct hone_arena arena;
    const struct hone_plan_name *names;
    const struct hone_plan_depth *depths;
    size_t depth_count;
    struct hone_plan_term *terms; /* operands before what uses them */
    uint32_t count;
    size_t cap;
    uint32_t buckets[HONE_PLAN_BUCKETS];
    uint64_t bits[64];            /* each by itself */
    struct hone_plan_step *steps; /* by depth, then by what they read */
    size_t *first_step;           /* [depth_count + 1] */
    struct hone_plan_term **read; /* terms that deeper ones read, by depth */
    size_t *first_read;           /* [depth_count + 1] */
};

/* Combinations of the variables in span; 1 for none, and without a depth. */
size_t hone_plan_combinations(const struct hone_expr_plan *plan, size_t depth,
                              uint8_t span);

/* All variables of a depth. */
uint8_t hone_plan_whole(const struct hone_expr_plan *plan, size_t depth);

/* By combination of the variables in span, the number of the one that they make of those
 * in part, which are some of them. */
void hone_plan_project(const struct hone_plan_depth *depth, uint8_t span, uint8_t part,
                       uint8_t numbers[HONE_PLAN_BLOCK]);

/* Words of truths. */
size_t hone_plan_words(const struct hone_expr_plan *plan, size_t depth);

/* The number of term, which is added unless there is one like it. */
enum hone_status hone_plan_intern(struct hone_expr_plan *plan, struct hone_plan_term term,
                                  uint32_t *out);

/* A term for an operator and its operands; EUNSUPPORTED where it is not plain. */
enum hone_status hone_plan_operate(struct hone_expr_plan *plan, unsigned op, uint32_t a,
                                   uint32_t b, uint32_t *out);

#endif
