/* What the files of this floor share: the space itself, and the formulas (derived values
 * and constraints) that its definition is turned into. Names are numbered as slots:
 * parameters, then derived values, then constants. */
#ifndef HONE_SPACE_INTERNAL_H
#define HONE_SPACE_INTERNAL_H

#include <stdbool.h>

#include "arena.h"
#include "hone/space.h"
#include "keys.h"

/* A derived value. */
struct hone_formula {
    const char *text;
    int line;
    size_t slot;            /* that receives the value */
    struct hone_expr *expr; /* bound to the slots */
    bool constant; /* uses no parameter: evaluated once, when the space is made */
};

/* A part of a constraint that is tested on its own: a conjunct, or a predicate. */
struct hone_check {
    size_t rule;            /* whose part this is */
    struct hone_expr *expr; /* NULL for a predicate */
    size_t *args;           /* slots a predicate is called with */
    size_t arg_count;
    size_t *scope; /* parameters that the result depends on, ascending */
    size_t scope_count;
    size_t *needs; /* derived values to evaluate first, in that order */
    size_t need_count;
    double tuples; /* product of the value counts of scope */
    /* Verdicts known so far, one byte a tuple of scope; the value number of scope[i]
     * counts strides[i]. NULL for too many tuples, and once the space is made. */
    uint8_t *memo;
    size_t *strides;
};

/* A constraint as the user wrote it, with its report. */
struct hone_rule {
    struct hone_constraint_info info;
    size_t first_check, check_count;
    hone_predicate *holds; /* NULL for an expression */
    void *context;
};

struct hone_space {
    struct hone_arena arena; /* of what hone_space_free does not name */
    const char *source;
    int line;
    struct hone_param *params;
    size_t param_count;
    const char **names; /* of the slots */
    size_t name_count;
    struct hone_value *slots; /* constants and constant derived values; the rest unset */
    struct hone_formula *formulas; /* in the order of the definition */
    size_t *formula_order;         /* each after those it uses */
    size_t formula_count;
    struct hone_rule *rules;
    size_t rule_count;
    struct hone_check *checks; /* rule by rule, conjuncts as written */
    size_t check_count, check_cap;
    double cartesian;
    struct hone_keys keys; /* the valid configurations */
};

/* define.c: copy parameters and names into the space and refuse what cannot be one. */
enum hone_status hone_space_define(struct hone_space *space,
                                   const struct hone_space_def *def,
                                   struct hone_error *err);

/* Equal as parameter values: 1 and 1.0 are. */
bool hone_value_matches(struct hone_value a, struct hone_value b);

/* derive.c: parse, bind and order the derived values; evaluate the constant ones. */
enum hone_status hone_space_derive(struct hone_space *space,
                                   const struct hone_space_def *def,
                                   struct hone_error *err);

/* Parse and bind an expression of the script; errors say what it is and where. */
enum hone_status hone_space_parse(const struct hone_space *space, const char *what,
                                  const char *text, int line, struct hone_expr **out,
                                  struct hone_error *err);

/* Whether a slot is a derived value, and which. */
bool hone_space_formula_of(const struct hone_space *space, size_t slot, size_t *formula);

/* Evaluate derived value i from and into slots; notes as for hone_expr_eval. */
enum hone_status hone_space_evaluate(const struct hone_space *space, size_t i,
                                     struct hone_value *slots, unsigned *notes,
                                     struct hone_error *err);

/* rules.c: turn the constraints into checks. */
enum hone_status hone_space_constrain(struct hone_space *space,
                                      const struct hone_space_def *def,
                                      struct hone_error *err);

enum { HONE_RULE_NAME = 160 };
/* "constraint 'BM % TM == 0'", long texts cut. */
void hone_rule_name(const struct hone_rule *rule, char out[HONE_RULE_NAME]);

/* --- check.c: testing one check --- */

enum hone_verdict { HONE_UNTESTED, HONE_HOLDS, HONE_REJECTS }; /* as bytes of a memo */

/* Gives check a memo when it has few enough tuples. False: out of memory. */
bool hone_check_remember(struct hone_check *check, struct hone_space *space);

/* Room to evaluate checks in. */
struct hone_tester {
    const struct hone_space *space;
    struct hone_rule *tally; /* counts failures and overflows, by rule; or NULL */
    struct hone_value *slots;
    struct hone_value *args;   /* of a predicate */
    struct hone_error failure; /* of the evaluation under way */
};
enum hone_status hone_tester_init(struct hone_tester *tester,
                                  const struct hone_space *space, struct hone_rule *tally,
                                  struct hone_error *err);
void hone_tester_fini(struct hone_tester *tester);

/* Evaluate check, whatever its memo knows. A check that raises (EINPUT) does not hold;
 * any other failure ends the construction of the space. */
enum hone_status hone_check_evaluate(struct hone_tester *tester,
                                     const struct hone_check *check,
                                     const uint16_t *choices, enum hone_verdict *verdict,
                                     struct hone_error *err);

/* --- order.c --- */

/* Fills order with the parameters in the order in which they should get values. False:
 * out of memory. */
bool hone_walk_order(const struct hone_space *space, const struct hone_check *checks,
                     size_t check_count, size_t *order);

/* --- walk.c: depth-first search for the combinations that pass some checks --- */

struct hone_walk {
    const struct hone_check *checks;
    size_t check_count;
    struct hone_keys *keys;  /* receives what passes; NULL: only count it */
    struct hone_rule *tally; /* counts what each rule does; or NULL */
    bool first_only;         /* stop at the first that passes */
    uint64_t max_count;      /* ELIMIT above; only with keys */
    uint64_t max_steps; /* ELIMIT above; a step is one value tried for one parameter */
};
enum hone_status hone_walk(const struct hone_space *space, const struct hone_walk *job,
                           double *count, struct hone_error *err);

#endif
