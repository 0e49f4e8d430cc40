/* Printing the expressions of a journal as C. */
#ifndef HONE_EMIT_C_EXPR_H
#define HONE_EMIT_C_EXPR_H

#include "emit_plan.h"
#include "expr/c_form.h"
#include "formula.h"

/* A derived value that a text reads by name. */
struct emit_need {
    size_t derived;
    bool by_guard; /* the guard alone reads it, perhaps no more than whether it has one */
    const struct emit_need *next;
};

/* One function being printed: what its expressions read, by themselves or through derived
 * values, decides which arguments are unused. */
struct emit_scope {
    struct emit_plan *plan;
    const char *what;       /* the function is for: "grid" */
    uint64_t reads_problem; /* a bit a constant */
    bool reads_config;
    uint64_t limits;               /* a bit a limit of the device */
    const struct emit_need *needs; /* in the plan's arena */
    bool of_gpu;     /* what is read of the device is asked of the one at hand: gpu-> */
    bool of_derived; /* no function, but a value that functions may need */
    bool denies;     /* a boolean is printed as its denial, for `if (...) return 0` */
};

/* A derived value as C: what functions that need it have as a local constant. */
struct emit_c_value {
    const char *name, *text;          /* text NULL: it could not be printed */
    const struct hone_error *failure; /* why; NULL: it is not sound */
    const char *flag, *guard; /* whether it has a value; NULL: it always has one */
    enum hone_type type;
    struct hone_expr_c_range range;
    struct hone_c_summary summary; /* of all, printed or not */
    struct hone_value known;       /* where is_known: no function reads it by its name */
    struct emit_scope scope;
    bool is_known, is_used; /* is_used: by any function */
    /* By the function that is being printed: at all, by a text. */
    bool is_needed, is_read;
};

struct emit_printer {
    struct emit_plan *plan;
    struct emit_walk walk;                 /* over the derived values that were printed */
    struct emit_c_value *values;           /* [derived_count], once printed */
    struct hone_expr_c_range range;        /* of the expression that was printed last */
    struct hone_c_summary summary;         /* of the one that was tried last */
    size_t bytes;                          /* of all values */
    const struct hone_expr_c_range *sizes; /* of problem constants; NULL: any integer */
};
enum hone_status hone_emit_open_printer(struct emit_plan *plan);
void hone_emit_close_printer(struct emit_plan *plan);

/* Append the C form of text to out, and to guard, unless NULL, the condition under which
 * it has a value. */
enum hone_status hone_emit_print_expr(struct emit_printer *printer,
                                      struct emit_scope *scope, struct hone_strbuf *out,
                                      struct hone_strbuf *guard, const char *text,
                                      enum hone_type *type);
/* Append a number of the launch as a long long; -1, which no launch can have, where the
 * expression has no value. range: what it may be. */
enum hone_status hone_emit_print_number(struct emit_printer *printer,
                                        struct emit_scope *scope, struct hone_strbuf *out,
                                        const char *text,
                                        struct hone_expr_c_range *range);
/* An expression at fault is a fault of the journal's first line; own says what it is. */
enum hone_status hone_emit_blame(const struct emit_scope *scope, const char *text,
                                 enum hone_status status, const struct hone_error *own);

/* "const long long TILES = ...;", for a function that reads what hone_emit_need was told
 * since the last time. */
void hone_emit_need(const struct emit_plan *plan, const struct emit_need *needs);
void hone_emit_print_needed(struct hone_strbuf *out, const struct emit_plan *plan);
/* "(void)config;" and the like for arguments that it does not read. */
void hone_emit_print_unused(struct hone_strbuf *out, const struct emit_scope *scope);

/* What there may be along each axis, and in all; volume 0: as many as that makes. */
struct emit_extent {
    const char *name;
    const int64_t *most;
    unsigned volume;
};
/* extent.c: a function that fills NAME[3], among the plan's geometry. */
enum hone_status hone_emit_print_extent(struct emit_printer *printer,
                                        const struct emit_extent *kind,
                                        const char *const extent[3]);

#endif
