/* An expression on its way to C. What is known of its variables is folded into it once;
 * then it says which of them are left, which have to be known by a C text, and prints
 * itself, its range and its guard. */
#ifndef HONE_EXPR_C_FORM_H
#define HONE_EXPR_C_FORM_H

#include "base/arena.h"
#include "hone/expr.h"

struct hone_c_form;

/* What is known ahead of printing; it needs no C form for that. */
struct hone_c_summary {
    enum hone_type type; /* HONE_BOOL; HONE_INT: some number; HONE_STRING: not known */
    bool never_fails;    /* whatever its variables are */
    bool is_known;       /* without a variable: it is the value */
    struct hone_value value;
};

/* Only types (as above), values, ranges and guards of vars, one a slot, matter here: a
 * variable with a guard may have no value. expr and vars are borrowed until the form is
 * freed, and texts may be given until it is printed. ENOMEM. */
enum hone_status hone_c_form_new(struct hone_c_form **out, const struct hone_expr *expr,
                                 const struct hone_expr_c_var *vars,
                                 struct hone_error *err);
void hone_c_form_free(struct hone_c_form *form); /* NULL is fine */

/* A string of the value borrows from the expression or from vars. */
const struct hone_c_summary *hone_c_form_summary(const struct hone_c_form *form);
/* Is variable i of the expression part of what is left? */
bool hone_c_form_reads(const struct hone_c_form *form, size_t i);

/* Powers of two that divide integers, by their exponents, up to 63. */
struct hone_c_twos {
    unsigned char *vars;       /* of variables whose type is integer, one a slot */
    struct hone_c_known_part { /* of expressions of several, by keys of them */
        struct hone_c_known_part *next;
        const char *key;
        int twos;
    } * parts;
    struct hone_arena arena; /* of parts */
};
/* The exponent that divides each integer the value may be: 63 for 0, and for what is no
 * number. -1: it may be a float. */
int hone_c_form_twos(const struct hone_c_form *form, const struct hone_c_twos *twos);
/* Raise twos, and add to its parts, by what follows where the value is true (exponent
 * -1), or an integer that 2^exponent divides. Names mean the same in all its forms. */
void hone_c_form_learn(const struct hone_c_form *form, int exponent,
                       struct hone_c_twos *twos);

/* From now on a boolean is printed as its denial, once: true where the expression is
 * false, and the guard is the expression's. Not yet printed. */
void hone_c_form_deny(struct hone_c_form *form);

/* As hone_expr_print_c. *range: of an expression whose type is integer; of others it says
 * nothing. */
enum hone_status hone_c_form_print(struct hone_c_form *form, struct hone_strbuf *out,
                                   enum hone_type *type, struct hone_expr_c_range *range,
                                   struct hone_error *err);

/* Append what is left for people to read, in no need of a C form: variables by their
 * texts, a call for what C has no operator for, no brackets but those that C wants.
 * False, and nothing appended, where that says something else in C: 'not M' of a number,
 * a text. */
bool hone_c_form_tell(const struct hone_c_form *form, struct hone_strbuf *out);

/* Append the condition, as C of int, under which hone_expr_eval does not fail: no integer
 * is divided by 0, what has to be an integer is one. Nothing where that is always so. Is
 * the part of the expression with this text never 0? Then it may divide; NULL: nobody
 * knows. The form has been printed. Otherwise as hone_expr_print_c. */
struct hone_c_known {
    bool (*is_never_zero)(void *context, const char *text);
    void *context;
};
enum hone_status hone_c_form_print_guard(const struct hone_c_form *form,
                                         const struct hone_c_known *known,
                                         struct hone_strbuf *out, struct hone_error *err);

#endif
