/* Static types of nodes, for printing as C. */
#ifndef HONE_EXPR_C_TYPES_H
#define HONE_EXPR_C_TYPES_H

#include "ast.h"

/* What a node yields: one of enum hone_type, or MAYBE_FALSE: "c and x" where c is a
 * boolean and x is not. Only "c and x or y" can take that. */
enum { MAYBE_FALSE = HONE_STRING + 1 };

/* Fill types, one byte a node. EUNSUPPORTED names the part that has no static type. */
enum hone_status hone_c_types(const struct hone_expr *expr,
                              const struct hone_expr_c_var *vars, uint8_t *types,
                              struct hone_error *err);

#endif
