/* A copy of an expression whose known parts are constants. */
#ifndef HONE_EXPR_C_FOLD_H
#define HONE_EXPR_C_FOLD_H

#include "c_facts.h"

/* Fill out with expr but for nodes and constants of its own: an operator on what is known
 * is its result, and of a choice by a known condition only what it chooses is left, so
 * that a part without a C form needs none where nothing depends on it; "a or true" is
 * true where a cannot fail. What fails, and floats that are no finite numbers above 0,
 * stay as they are. Nodes that the root does not reach are of no use. facts: one a node.
 * The caller frees out->nodes and out->consts, after a failure, too; the rest stays
 * expr's. ENOMEM. */
enum hone_status hone_c_fold(struct hone_expr *out, const struct hone_expr *expr,
                             const struct hone_expr_c_var *vars,
                             struct hone_c_fact *facts, struct hone_error *err);

/* Whether a value stands for a variable that has it, and for an operator: floats that are
 * no finite numbers above 0 do not. */
bool hone_c_is_simple(struct hone_value value);

#endif
