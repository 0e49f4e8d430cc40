/* A copy of an expression that has a C form where the order of its "or" alone is in the
 * way of one. */
#ifndef HONE_EXPR_C_CHAINS_H
#define HONE_EXPR_C_CHAINS_H

#include "ast.h"

/* Room for the nodes of a form: each, and the denial of each. */
#define HONE_C_NODES(count) ((size_t)2 * (count))

/* Fill out with expr but for nodes of its own, operands ahead of their operator, of the
 * same value; there is room for HONE_C_NODES of them. The caller frees out->nodes, after
 * a failure, too; the rest stays expr's. ENOMEM. */
enum hone_status hone_c_chains(struct hone_expr *out, const struct hone_expr *expr,
                               struct hone_error *err);

#endif
