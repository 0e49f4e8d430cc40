/* What the printer of expressions and that of their conditions share. */
#ifndef HONE_EXPR_PRINT_C_H
#define HONE_EXPR_PRINT_C_H

#include "ast.h"
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
};

/* An expression as it is printed (c_chains.h), types and ranges of its nodes; close it
 * after a failure, too. */
struct printed {
    struct hone_expr expr;
    uint8_t *types;
    struct hone_range *ranges;
};

enum hone_status hone_c_open(struct printed *typed, const struct hone_expr *expr,
                             const struct hone_expr_c_var *vars, struct hone_error *err);
void hone_c_close(struct printed *typed);

/* bare: no brackets needed around an infix form. */
void hone_c_print(struct printer *printer, uint32_t node, bool bare);

#endif
