/* What the printer of expressions and that of their conditions share. */
#ifndef HONE_EXPR_PRINT_C_H
#define HONE_EXPR_PRINT_C_H

#include "ast.h"
#include "expr/c_form.h"
#include "range.h"

/* A chain prints its inner operands twice, so nested chains could grow without bound. */
enum { MOST_BYTES = 1 << 20 };

struct printer {
    const struct hone_expr *expr;
    const struct hone_expr_c_var *vars;
    const uint8_t *types;
    const struct hone_range *ranges;
    struct hone_strbuf *out;
    size_t most; // bytes in out
    bool bare;   // the node at hand needs no brackets round an infix form
};

struct hone_c_form {
    /* As it is printed (c_chains.h); nodes and constants its own. */
    struct hone_expr expr;
    const struct hone_expr_c_var *vars;
    bool *is_read; /* by variable of expr */
    struct hone_c_summary summary;
    uint8_t *types; /* of nodes, as the ranges: filled by printing */
    struct hone_range *ranges;
    bool denies;     /* a condition is printed as its denial */
    bool is_printed; /* without a failure */
};

/* A node where anything may stand. */
void hone_c_print(struct printer *printer, uint32_t node);

/* The same as an operand: an infix form is in brackets. */
void hone_c_print_operand(struct printer *printer, uint32_t node);

#endif
