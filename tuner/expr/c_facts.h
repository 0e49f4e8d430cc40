/* What is known of the parts of an expression, whatever its variables are. */
#ifndef HONE_EXPR_C_FACTS_H
#define HONE_EXPR_C_FACTS_H

#include "ast.h"

/* What is neither a number nor a boolean may be either, or a string. */
struct hone_c_fact {
    bool is_number, is_boolean;
    bool never_fails;
};

/* The facts of a node; those of its operands are there already. Of vars, one a slot, only
 * types, ranges and guards matter: a variable with a guard may have no value. */
struct hone_c_fact hone_c_fact_of(const struct hone_expr *expr,
                                  const struct hone_expr_c_var *vars,
                                  const struct hone_c_fact *facts, uint32_t node);

#endif
