/* Binding many expressions to the same names. */
#ifndef HONE_EXPR_BIND_H
#define HONE_EXPR_BIND_H

#include "base/name_index.h"
#include "hone/expr.h"

/* As hone_expr_bind, for the names of an index, which takes as long however many they
 * are. */
enum hone_status hone_expr_bind_index(struct hone_expr *expr,
                                      const struct hone_name_index *index,
                                      struct hone_error *err);

#endif
