/* What the search does at each depth: which parameter gets a value there, and the checks
 * that can be tested then. */
#ifndef HONE_SPACE_LEVELS_H
#define HONE_SPACE_LEVELS_H

#include "internal.h"
#include "plan.h"

/* A check at the depth where it becomes testable. */
struct hone_test {
    const struct hone_check *check;
    const double *truths; /* by value, computed by the plan; or NULL, and then: */
    size_t stride;        /* of the cells */
    uint8_t *row;         /* room for the verdicts, where there is no memo */
    uint8_t *cells;       /* verdicts by value, as the other parameters are now */
    double rejected;      /* of the values, as the first to do so */
    double rejected_in_all;
};

struct hone_level {
    size_t param;
    size_t values;
    double below; /* combinations of the parameters deeper down */
    struct hone_key_field field;
    struct hone_test *tests;
    size_t test_count;
    /* The values that pass for what was chosen before. They need computing again only
     * when the choice at depth last was made since; never if nothing is read. */
    uint16_t *passing;
    size_t passing_count;
    bool is_filled, reads;
    size_t last;
    uint64_t filled_at;
};

struct hone_levels {
    struct hone_level *items; /* by depth */
    size_t count;
    size_t tested; /* no tests from this depth on */
    double cartesian;
    struct hone_plan *plan;
    struct hone_plan_name *names; /* of the plan, by slot */
    size_t *counts;               /* of values, by depth */
    struct hone_test *tests;      /* of all levels */
    uint8_t *rows;                /* of all tests */
    uint16_t *passing;            /* of all levels */
};

/* For the parameters and checks of job. ENOMEM: nothing to release. */
enum hone_status hone_levels_init(struct hone_levels *levels,
                                  const struct hone_space *space,
                                  const struct hone_walk *job, struct hone_error *err);
void hone_levels_fini(struct hone_levels *levels);

#endif
