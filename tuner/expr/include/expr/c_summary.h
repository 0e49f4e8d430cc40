/* What is known of an expression ahead of printing it as C. */
#ifndef HONE_EXPR_C_SUMMARY_H
#define HONE_EXPR_C_SUMMARY_H

#include "hone/expr.h"

struct hone_expr_c_summary {
    enum hone_type type; /* HONE_BOOL; HONE_INT: some number; HONE_STRING: not known */
    bool never_fails;    /* whatever its variables are */
    bool is_known;       /* without a variable: it is the value */
    struct hone_value value;
};

/* Fill *out. Of vars, one a slot, only types (as above), values, ranges and guards
 * matter: a variable with a guard may have no value. Where what is known rules no part
 * that reads a variable out, its *printed becomes true. A string of the value borrows
 * from the expression or from vars. ENOMEM. */
enum hone_status hone_expr_c_summarize(const struct hone_expr *expr,
                                       const struct hone_expr_c_var *vars,
                                       struct hone_expr_c_summary *out,
                                       struct hone_error *err);

#endif
