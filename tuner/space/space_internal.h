/* What the files of this floor share: the space itself, and the formulas (derived values
 * and constraints) that its definition is turned into. Names are numbered as slots:
 * parameters, then derived values, then constants. */
#ifndef HONE_SPACE_INTERNAL_H
#define HONE_SPACE_INTERNAL_H

#include <stdbool.h>

#include "base/arena.h"
#include "hone/space.h"
#include "keys.h"
#include "space/slots.h"

/* A derived value. */
struct hone_space_formula {
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
    struct hone_space_memo *memo;
};

/* Verdicts of a check known so far, for searches that evaluate it tuple by tuple. */
struct hone_space_memo {
    uint8_t *verdicts; /* one a tuple of scope; NULL before the first search, and where
                        * there are too many tuples */
    size_t *strides;   /* the value number of scope[i] counts strides[i] */
    bool is_closed;    /* the space is made, and others may read it at the same time */
};

/* A constraint as the user wrote it, with its report. */
struct hone_rule {
    struct hone_constraint_info info;
    size_t first_check, check_count;
    hone_predicate *holds; /* NULL for an expression */
    void *context;
};

/* An independent component of the space: its valid tuples. The space is their product. */
struct hone_part {
    size_t *params; /* ascending */
    size_t param_count;
    uint64_t count;
    struct hone_keys keys; /* none where one parameter is free: its value is the rank */
    bool is_sampled;       /* keys hold a part of the valid tuples only */
    double tuples, error;  /* then: an estimate of all, and its standard error */
};

/* Where a parameter is found. */
struct hone_place {
    size_t part;
    struct hone_key_field field; /* in the keys of the part, if it has them */
};

/* Parameters that follow each other (but for some that do not matter) in the order of the
 * space and belong to one part: a digit of the index. Tuples of the part that agree in
 * all parameters up to the end of the run agree in the key words before word, and in word
 * under mask. */
struct hone_run {
    size_t part;
    uint32_t word;
    uint64_t mask;
    bool last; /* of its part: agreeing tuples are the same */
};

struct hone_space {
    struct hone_arena arena; /* of what hone_space_free does not name */
    const char *source;
    int line;
    struct hone_param *params;
    size_t param_count;
    const char **names; /* of the slots */
    size_t name_count;
    struct hone_name_index index; /* of names */
    struct hone_value *slots; /* constants and constant derived values; the rest unset */
    struct hone_space_formula *formulas; /* in the order of the definition */
    size_t *formula_order;               /* each after those it uses */
    size_t formula_count;
    struct hone_rule *rules;
    size_t rule_count;
    struct hone_check *checks; /* rule by rule, conjuncts as written */
    size_t check_count, check_cap;
    double cartesian;
    uint64_t count;
    uint64_t tuples_max;     /* that a part may have before it is sampled */
    uint16_t *anchor;        /* a configuration to have in samples; or NULL */
    struct hone_part *parts; /* those with more than one tuple (or none) first */
    size_t part_count, wide_count;
    struct hone_place *places; /* of the parameters */
    struct hone_run *runs;
    size_t run_count;
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

enum hone_space_verdict {
    HONE_UNTESTED,
    HONE_HOLDS,
    HONE_REJECTS
}; /* as bytes of a memo */

/* Room in the memo of check, unless it is closed or has too many tuples. False: out of
 * memory. */
bool hone_check_remember(const struct hone_check *check, const struct hone_space *space);

/* Characters of the formulas that an evaluation goes through. So many count as a further
 * step, so that long ones end a search in time, too; functions have their own limit. */
enum { HONE_STEP_CHARACTERS = 128 };
uint64_t hone_check_length(const struct hone_check *check,
                           const struct hone_space *space);

/* Room to evaluate checks in. */
struct hone_tester {
    const struct hone_space *space;
    struct hone_rule *tally;   /* counts failures and overflows, by rule; or NULL */
    struct hone_value *slots;  /* the caller sets the parameters in scope */
    struct hone_value *args;   /* of a predicate */
    struct hone_error failure; /* of the evaluation under way */
};
enum hone_status hone_tester_init(struct hone_tester *tester,
                                  const struct hone_space *space, struct hone_rule *tally,
                                  struct hone_error *err);
void hone_tester_fini(struct hone_tester *tester);

/* Evaluate check for what slots hold, whatever its memo knows. A check that raises
 * (EINPUT) does not hold; any other failure ends the construction of the space. */
enum hone_status hone_check_evaluate(struct hone_tester *tester,
                                     const struct hone_check *check,
                                     enum hone_space_verdict *verdict,
                                     struct hone_error *err);

/* --- order.c --- */

struct hone_walk;

/* Fills order with the parameters of job in the order in which they should get values.
 * False: out of memory. */
bool hone_walk_order(const struct hone_space *space, const struct hone_walk *job,
                     size_t *order);

/* --- walk.c: depth-first search for the combinations that pass some checks --- */

struct hone_walk {
    const size_t *params; /* to give values to, ascending */
    size_t param_count;
    const struct hone_check *const *checks; /* over some of these; none is constant */
    size_t check_count;
    struct hone_keys *keys;  /* receives what passes, by params; NULL: only count it */
    struct hone_rule *tally; /* counts what each rule does; or NULL */
    double weight;           /* what a removed combination counts in the tally */
    bool first_only;         /* stop at the first that passes */
    uint64_t max_count;      /* ELIMIT above; only with keys */
    uint64_t
        max_steps; /* ELIMIT above; a step is one combination tried for the parameters
                         * of one depth, which is mostly a value of one of them; where
                         * checks are evaluated, more by their length */
    bool *gave_up; /* set where one of these limits was met; or NULL */
};
enum hone_status hone_walk(const struct hone_space *space, const struct hone_walk *job,
                           double *count, struct hone_error *err);

struct hone_rng;

/* Random descents: at each depth one of the values that pass, all equally likely. */
struct hone_draws {
    size_t count;
    uint64_t *keys;  /* [count][words of the keys of the job] */
    double *weights; /* one over how likely each was; 0 for one that ended early */
    double *steps;   /* of a walk over all, as seen from this descent */
};
/* Fills draws by descents for job, whose keys are not touched. The mean of the weights
 * estimates how many combinations pass. */
enum hone_status hone_walk_draw(const struct hone_space *space,
                                const struct hone_walk *job, struct hone_draws *draws,
                                struct hone_rng *rng, struct hone_error *err);

/* --- enumerate.c --- */

/* Most tuples that a part can have. */
enum { HONE_TUPLES_MAX = 50000000 };

/* Find the valid tuples of each component, and what each rule does. */
enum hone_status hone_space_enumerate(struct hone_space *space, struct hone_error *err);

/* How many combinations a rule rejects by itself; NAN where too many to count. */
double hone_space_count_alone(const struct hone_space *space,
                              const struct hone_rule *rule);

/* --- product.c: indices of a product of tuple sets --- */

/* Parts are what the index chooses between only if they have several tuples; this many
 * have fewer than 2^63 combinations. */
enum { HONE_WIDE_PARTS_MAX = 63 };

/* Room for part_count parts. False: out of memory. */
bool hone_product_reserve(struct hone_space *space, size_t part_count);

/* Add a part of these parameters; without keys when one parameter is free to have any
 * value. */
enum hone_status hone_product_add(struct hone_space *space, const size_t *params,
                                  size_t param_count, bool is_free,
                                  struct hone_error *err);

/* Once the keys of all parts are sorted: count and number the configurations. ELIMIT for
 * 2^63 or more. */
enum hone_status hone_product_finish(struct hone_space *space, struct hone_error *err);

/* Ranks of the tuples of a configuration, by part, for the wide parts only: the others
 * have rank 0. */
void hone_product_ranks(const struct hone_space *space, uint64_t index,
                        size_t ranks[HONE_WIDE_PARTS_MAX]);
uint64_t hone_product_index(const struct hone_space *space,
                            const size_t ranks[HONE_WIDE_PARTS_MAX]);

/* Value number of a parameter in such a configuration. */
uint16_t hone_product_choice(const struct hone_space *space,
                             const size_t ranks[HONE_WIDE_PARTS_MAX], size_t param);

/* The tuples of all parts that have these value numbers; false: not valid. */
bool hone_product_find(const struct hone_space *space, const uint16_t *choices,
                       size_t ranks[HONE_WIDE_PARTS_MAX]);

/* The tuple of the part of param that differs from that of ranks by the value of param
 * alone; false: not valid. */
bool hone_product_vary(const struct hone_space *space,
                       const size_t ranks[HONE_WIDE_PARTS_MAX], size_t param,
                       size_t value, size_t *rank);

#endif
