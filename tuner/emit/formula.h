/* The expressions of journals with the names in them found. A derived value may be read
 * by many others, and those by more: so each is read once, and a walk visits each at most
 * once, those that it reads before it. */
#ifndef HONE_EMIT_FORMULA_H
#define HONE_EMIT_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/name_index.h"
#include "hone/record.h"

struct emit_plan;

/* OTHER: a limit of the device, or nothing that a journal knows. */
enum emit_name_kind { EMIT_PARAM, EMIT_CONSTANT, EMIT_DERIVED, EMIT_OTHER };
struct emit_name {
    enum emit_name_kind kind;
    size_t number; /* of the parameter, problem constant or derived value */
};

/* What names stand for, before any is chosen: parameters go before constants of the
 * problem, these before derived values. */
enum hone_status hone_emit_index_names(struct emit_plan *plan);
struct emit_name hone_emit_find_name(const struct emit_plan *plan, const char *name);

struct emit_formula {
    struct hone_expr *expr;  /* not bound; NULL: the text cannot be read */
    struct emit_name *names; /* of its variables */
};
/* False: out of memory. */
bool hone_emit_formula_init(struct emit_formula *formula, const struct emit_plan *plan,
                            const char *text);
void hone_emit_formula_fini(struct emit_formula *formula);

struct emit_derived {
    struct emit_formula formula;
    bool is_sound;   /* it and what it reads can be read, and none reads itself */
    bool is_outside; /* its value is not the configuration's alone, or it is not sound */
};

/* Fills plan->names and plan->derived, once the types of the problem are known; release
 * them with hone_emit_derived_fini. */
enum hone_status hone_emit_make_derived(struct emit_plan *plan);
void hone_emit_derived_fini(struct emit_plan *plan);

/* Does the expression read a problem constant that is no fixed one, the device, or what
 * nobody knows? */
bool hone_emit_reads_outside(const struct emit_plan *plan, const char *text);
bool hone_emit_is_outside(const struct emit_plan *plan, const char *name);

/* A walk over derived values: those that were visited, in order. */
struct emit_step {
    size_t derived, next; /* variable of its expression to look at */
};
struct emit_walk {
    const struct emit_plan *plan;
    unsigned char *marks;
    struct emit_step *stack;
    size_t *done, done_count;
};
/* False: out of memory; fini may follow. */
bool hone_emit_walk_init(struct emit_walk *walk, const struct emit_plan *plan);
void hone_emit_walk_fini(struct emit_walk *walk);
/* Visits derived value i after those that it reads, unless it was visited before. A
 * visit that fails ends the walk: what was not done may be visited again. */
typedef enum hone_status emit_visit(void *context, size_t i);
enum hone_status hone_emit_walk(struct emit_walk *walk, size_t i, emit_visit *visit,
                                void *context);
/* Forgets all visits. */
void hone_emit_walk_again(struct emit_walk *walk);

#endif
