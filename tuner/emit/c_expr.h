/* Printing the expressions of a journal as C. */
#ifndef HONE_EMIT_C_EXPR_H
#define HONE_EMIT_C_EXPR_H

#include "emit_internal.h"
#include "formula.h"

/* One function being printed: what its expressions read decides which arguments are
 * unused. */
struct emit_scope {
    struct emit_plan *plan;
    const char *what;    /* the function is for: "grid" */
    bool *reads_problem; /* [problem_count], or NULL: not asked */
    bool reads_config;
    bool reads_derived; /* which takes the configuration and all of the problem */
    bool of_gpu; /* what is read of the device is asked of the one at hand: gpu-> */
};

struct emit_printer {
    struct emit_plan *plan;
    struct emit_walk walk;            /* over the derived values that were printed */
    enum hone_type *types;            /* [derived_count], once printed */
    bool *is_guarded;                 /* [derived_count], where it may have no value */
    struct hone_expr_c_range *ranges; /* [derived_count], once printed */
    struct hone_expr_c_range range;   /* of the expression that was printed last */
    struct hone_strbuf body;          /* of the function that computes it */
    struct emit_scope scope;          /* of that function */
};
enum hone_status hone_emit_open_printer(struct emit_plan *plan);
void hone_emit_close_printer(struct emit_plan *plan);

enum hone_status hone_emit_scope_open(struct emit_scope *scope, struct emit_plan *plan,
                                      const char *what);
/* Append the C form of text to out, and to guard, unless NULL, the condition under which
 * it has a value. */
enum hone_status hone_emit_print_expr(struct emit_printer *printer,
                                      struct emit_scope *scope, struct hone_strbuf *out,
                                      struct hone_strbuf *guard, const char *text,
                                      enum hone_type *type);
/* An expression at fault is a fault of the journal's first line; own says what it is. */
enum hone_status hone_emit_blame(const struct emit_scope *scope, const char *text,
                                 enum hone_status status, const struct hone_error *own);

/* "static inline TYPE NAME(const K_config *config, PROBLEM" */
void hone_emit_print_signature(struct hone_strbuf *out, const struct emit_plan *plan,
                               const char *type, const char *name);
/* "const K_derived derived = K_derive(...);", for a function that reads it. */
void hone_emit_print_local(struct hone_strbuf *out, const struct emit_plan *plan);
/* "(void)config;" and the like for arguments that it does not read. */
void hone_emit_print_unused(struct hone_strbuf *out, const struct emit_scope *scope);

#endif
