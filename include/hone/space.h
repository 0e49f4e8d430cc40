/* A search space: every combination of parameter values that all constraints allow. Each
 * valid configuration has an index in 0 .. count-1; the order is lexicographic in
 * parameter order, so the index is stable for the same definition. Only the components
 * that constraints tie together are enumerated, not their product. Immutable after
 * hone_space_new. */
#ifndef HONE_SPACE_H
#define HONE_SPACE_H

#include <stddef.h>
#include <stdint.h>

#include "hone/expr.h"
#include "hone/rng.h"
#include "hone/status.h"

struct hone_param {
    const char *name;                /* a C identifier, no keyword of Lua, C or C++ */
    const struct hone_value *values; /* finite and distinct; 1 and 1.0 are equal */
    size_t count;                    /* 1 .. 65535 */
};

struct hone_constant {
    const char *name; /* "M", "device.max_shared_bytes" */
    struct hone_value value;
};

struct hone_derived {
    const char *name;
    const char *text; /* over parameters, constants and, in any order, derived values */
    int line;         /* in the script; 0 when unknown */
};

/* A constraint that is not an expression, for example a Lua function. Must be pure: it is
 * called at most once for the same arguments where memory allows. EINPUT (it raised)
 * counts as not holding; any other failure ends hone_space_new with that status. */
typedef enum hone_status hone_predicate(void *context, const struct hone_value *args,
                                        size_t count, bool *holds,
                                        struct hone_error *err);

struct hone_constraint {
    const char *text;        /* the expression; or, with a predicate, how to name it */
    hone_predicate *holds;   /* NULL for an expression */
    void *context;           /* passed to holds; must outlive hone_space_new */
    const char *const *vars; /* what holds is called with, in order */
    size_t var_count;
    int line; /* in the script; 0 when unknown */
};

struct hone_space_def {
    const char *source; /* script file for messages; NULL when there is none */
    int line;           /* of the tune table; 0 when unknown */
    const struct hone_param *params;
    size_t param_count;
    const struct hone_constant *constants;
    size_t constant_count;
    const struct hone_derived *derived;
    size_t derived_count;
    const struct hone_constraint *constraints;
    size_t constraint_count;
    /* A component with more valid tuples than this, or too many to search, is represented
     * by a sample. 0: 50,000,000, which is the most too. */
    uint64_t max_tuples;
    /* [param_count] a configuration that samples are to contain, with its neighbours,
     * where it is valid; or NULL. */
    const struct hone_value *anchor;
};

struct hone_space;

/* Build the space; def is copied. Parameters keep the order of def (scripts sort them by
 * name). EINPUT with source, line and culprit for a duplicate name, a name that is no
 * identifier, an empty or repeating value list, an unknown variable, a cycle of derived
 * values, a derived value of constants that fails, an empty space. A constraint that
 * fails to evaluate (division by zero) does not hold; hone_space_constraint_info counts
 * that. A component too large to list is sampled. ELIMIT when 2^63 configurations or more
 * are valid, or none is found in a component too large to search (docs/spaces.md). */
enum hone_status hone_space_new(struct hone_space **out, const struct hone_space_def *def,
                                struct hone_error *err);

/* The space of a recording: exactly these configurations. choices is [count][param_count]
 * of value numbers; repeated configurations are EINPUT. The index of row i need not be i.
 * count may be 0: a journal before its first trial. */
enum hone_status hone_space_from_list(struct hone_space **out,
                                      const struct hone_param *params, size_t param_count,
                                      const uint16_t *choices, size_t count,
                                      struct hone_error *err);
void hone_space_free(struct hone_space *space);

uint64_t hone_space_count(const struct hone_space *space);
/* Whether a component was too large to list: then the space has, and count counts, a
 * sample of the valid configurations only, the same one for the same definition. Indices,
 * draws and neighbours are those of the sample. */
bool hone_space_is_sampled(const struct hone_space *space);
/* How many configurations are valid; of a sampled space an estimate, and *error (may be
 * NULL) its standard error. */
double hone_space_valid(const struct hone_space *space, double *error);
/* The product of the value counts, valid or not. */
double hone_space_cartesian(const struct hone_space *space);
size_t hone_space_param_count(const struct hone_space *space);
const struct hone_param *hone_space_param(const struct hone_space *space, size_t i);

/* index -> value numbers, one for each parameter. index < count. */
void hone_space_choices(const struct hone_space *space, uint64_t index,
                        uint16_t *choices);

/* value numbers -> index; ENOTFOUND when a constraint forbids the combination. */
enum hone_status hone_space_index(const struct hone_space *space, const uint16_t *choices,
                                  uint64_t *index);

/* Number of v among the values of parameter i (1 and 1.0 count as equal); ENOTFOUND. */
enum hone_status hone_space_choice_of(const struct hone_space *space, size_t i,
                                      struct hone_value v, uint16_t *choice);

/* All names that an expression of this space may use: parameters, then derived values,
 * then constants. hone_space_slots fills one value per name for a configuration; EINPUT
 * when a derived value fails there. Names of a from_list space are its parameters. */
size_t hone_space_name_count(const struct hone_space *space);
const char *const *hone_space_names(const struct hone_space *space);
enum hone_status hone_space_slots(const struct hone_space *space, uint64_t index,
                                  struct hone_value *slots, struct hone_error *err);

/* n distinct indices drawn uniformly, all of them when n >= count, in random order;
 * returns how many. */
size_t hone_space_sample(const struct hone_space *space, struct hone_rng *rng,
                         uint64_t *out, size_t n);

/* Valid configurations around index: HAMMING differ in exactly one parameter; ADJACENT
 * differ in one parameter and there by the nearest valid value up or down its list.
 * Writes at most cap, returns how many there are in all. Deterministic order: by
 * parameter, then by value (HAMMING) or down before up (ADJACENT). */
enum hone_neighbourhood { HONE_HAMMING, HONE_ADJACENT };
size_t hone_space_neighbours(const struct hone_space *space, uint64_t index,
                             enum hone_neighbourhood kind, uint64_t *out, size_t cap);

/* What constraint i does to the cartesian product. */
struct hone_constraint_info {
    const char *text;
    int line;
    /* Configurations it was first to reject, in the order evaluated; these sum to
     * cartesian - count over all constraints. NAN where a component was sampled. */
    double removed;
    /* Configurations it rejects by itself; NAN where too many to count. Counted when
     * asked for, which may take a second. */
    double alone;
    uint64_t failed;   /* evaluations that raised (division by zero): counted as false */
    uint64_t overflow; /* evaluations in which an integer wrapped */
    char first_failure[160]; /* message of the first failed one; "" when none */
};
size_t hone_space_constraint_count(const struct hone_space *space);
const char *hone_space_constraint_text(const struct hone_space *space, size_t i);
void hone_space_constraint_info(const struct hone_space *space, size_t i,
                                struct hone_constraint_info *info);

/* What looks unintended in a definition. */
enum hone_lint_kind {
    HONE_LINT_REMOVES_NOTHING, /* constraint holds for every combination */
    HONE_LINT_VALUE_UNUSED,    /* no valid configuration has this value of param */
    HONE_LINT_FUNCTION_FIRST   /* constraint, a predicate, stands before other, an
                                     expression over no more parameters: it is called for
                                     combinations that the expression would reject */
};
struct hone_lint {
    enum hone_lint_kind kind;
    size_t constraint, other;
    size_t param, value;
};

/* Findings on constraints, then on values, each in the order of the definition; the
 * caller frees the array, which is NULL where there are none. May take some seconds. */
enum hone_status hone_space_lint(const struct hone_space *space,
                                 struct hone_lint **findings, size_t *count,
                                 struct hone_error *err);

#endif
