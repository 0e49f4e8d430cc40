/* What the search does at each depth: which parameters get values there, and the checks
 * that can be tested then. Most depths are of one parameter; a few with together no more
 * than 64 combinations of values share one, so that a word holds what passes. */
#ifndef HONE_SPACE_LEVELS_H
#define HONE_SPACE_LEVELS_H

#include "expr/plan.h"
#include "space_internal.h"

/* A check at the depth where it becomes testable. */
struct hone_test {
    const struct hone_check *check;
    const uint64_t *truths; /* by choice, a bit each, of the plan; or NULL, and then: */
    uint8_t *memo;          /* all verdicts known so far; or NULL */
    size_t stride;          /* of the cells */
    uint8_t *row;           /* room for the verdicts, where there is no memo */
    uint8_t *cells;         /* verdicts by value, as the other parameters are now */
    double rejected;        /* choices, as the first to do so */
    double rejected_in_all;
};

struct hone_level {
    const size_t *params; /* that get values, ascending: the last changes fastest */
    size_t param_count;   /* one where a test is not of the plan */
    size_t choices;       /* combinations of their values */
    size_t words;         /* of as many bits */
    double below;         /* combinations of the parameters deeper down */
    /* What a choice is in a key, where there are keys: bits of one of its words. */
    uint32_t key_word;
    uint64_t key_mask, *key_bits;
    struct hone_test *tests;
    size_t test_count;
    uint64_t effort; /* further steps of a choice, when the tests are made */
    /* The choices that pass for what was chosen before. They need computing again only
     * when the choice at depth last was made since; never if nothing is read. */
    uint64_t *passing;
    size_t passing_count;
    bool reads;
    size_t last;
    uint64_t filled_at; /* 0: not yet */
};

struct hone_levels {
    struct hone_arena arena;  /* of all below */
    struct hone_level *items; /* by depth */
    size_t count;
    size_t tested; /* no tests from this depth on */
    double cartesian;
    struct hone_expr_plan *plan;
    size_t *params; /* of all levels */
    struct hone_test *tests;
    struct hone_plan_name *names;   /* of the plan, by slot */
    struct hone_plan_depth *depths; /* of the plan */
};

/* For the parameters and checks of job. ENOMEM: nothing to release. */
enum hone_status hone_levels_init(struct hone_levels *levels,
                                  const struct hone_space *space,
                                  const struct hone_walk *job, struct hone_error *err);
void hone_levels_fini(struct hone_levels *levels);

/* How many of the lowest bits of the keys of job are in ascending order where the others
 * are the same, when tuples are pushed in the order of the search. */
unsigned hone_levels_ascending_bits(const struct hone_levels *levels,
                                    const struct hone_walk *job);

/* --- blocks.c --- */

/* Parameters in the order of the search, block by block, ascending in each; block b is
 * params[first[b]] .. params[first[b + 1] - 1]. */
struct hone_blocks {
    size_t *params;
    size_t *first; /* [count + 1] */
    size_t count;
};

/* Cut order into blocks; params and first have room. Those that are alone, by parameter
 * of the space, are blocks of one; what comes before one of them stays before it. */
void hone_blocks_form(struct hone_blocks *blocks, const struct hone_space *space,
                      const struct hone_walk *job, const size_t *order,
                      const bool *alone);

/* The place of param in the list of job. */
size_t hone_walk_place(const struct hone_walk *job, size_t param);

#endif
