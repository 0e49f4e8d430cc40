/* The expression language of constraints, derived values, geometry, work and tolerances.
 * Syntax and meaning are Lua 5.4's (integers wrap, // and % floor, / is a float,
 * and/or/not short-circuit and return operands), with the functions min max abs ceil_div
 * round_up is_pow2 log2 sqrt. Absent are nil, tables, .. and #; strings are never turned
 * into numbers and are ordered byte by byte. One extension where Lua always raises: a < b
 * <= c is read as a < b and b <= c, b evaluated once. Expressions have no side effects.
 * docs/expressions.md is the manual. */
#ifndef HONE_EXPR_H
#define HONE_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"
#include "hone/strbuf.h"

enum hone_type { HONE_INT, HONE_FLOAT, HONE_BOOL, HONE_STRING };

struct hone_value {
    enum hone_type type;
    __extension__ union { /* C99 has none without a name */
        int64_t i;
        double f;
        bool b;
        const char *s; /* borrowed; lives as long as whoever made the value */
    };
};

struct hone_expr; /* a parsed expression; immutable once bound, so threads may share it */

/* Parse text (copied). The variables are numbered in order of first appearance, and until
 * hone_expr_bind that number is the slot evaluation reads. EINPUT with the column on a
 * syntax error or an unknown function, ELIMIT beyond 65535 bytes, 200 levels of nesting
 * or 1000 operators in a row; the error's source is the text. Release with
 * hone_expr_free. */
enum hone_status hone_expr_new(struct hone_expr **out, const char *text,
                               struct hone_error *err);
void hone_expr_free(struct hone_expr *expr);

const char *hone_expr_text(const struct hone_expr *expr);
size_t hone_expr_var_count(const struct hone_expr *expr);
const char *hone_expr_var(const struct hone_expr *expr,
                          size_t i); /* "BM", "device.sm_count" */
size_t hone_expr_slot(const struct hone_expr *expr, size_t i); /* slot that var i reads */

/* Is it a number that is computed, whatever the variables are (n % m)? As a condition it
 * is true, of 0 too. */
bool hone_expr_is_number(const struct hone_expr *expr);

/* Top-level conjunction: how many parts "a and b < c < d" has (3; 1 when it is none), and
 * part i as an expression of its own (release it) with the same slots. The whole is true
 * exactly when all parts are, so each can be tested early; but a part may fail where one
 * before it is false, which the whole does not: "n ~= 0 and m % n == 0". */
size_t hone_expr_conjunct_count(const struct hone_expr *expr);
enum hone_status hone_expr_conjunct(struct hone_expr **out, const struct hone_expr *expr,
                                    size_t i, struct hone_error *err);

/* Give every variable a slot in the caller's array of values. EINPUT names the first
 * unknown variable, with the nearest known name as a suggestion. names are distinct. */
enum hone_status hone_expr_bind(struct hone_expr *expr, const char *const *names,
                                size_t count, struct hone_error *err);

/* What evaluation noticed besides the value. */
enum hone_expr_note {
    HONE_EXPR_OVERFLOW = 1 /* an integer operation wrapped, as Lua's does */
};

/* Evaluate over slots; allocates nothing, safe in many threads at once. Errors are Lua's
 * run-time errors (integer division by zero, arithmetic on a boolean, ...) as EINPUT
 * whose source is the expression's text. notes may be NULL; bits are or-ed in. Strings in
 * *out borrow from slots or from the expression. */
enum hone_status hone_expr_eval(const struct hone_expr *expr,
                                const struct hone_value *slots, struct hone_value *out,
                                unsigned *notes, struct hone_error *err);

/* Lua's truth: everything but false. */
bool hone_value_true(struct hone_value value);

/* An integer, or a float with an exact integer value; else false. */
bool hone_value_to_int(struct hone_value value, int64_t *out);
bool hone_value_to_double(struct hone_value value, double *out);

/* Same type and value (1 and 1.0 differ), used for parameter values. */
bool hone_value_same(struct hone_value a, struct hone_value b);

/* Text of a value as Lua prints it (floats with up to 17 significant digits where needed
 * so that they read back the same). Writes at most size bytes, NUL-terminated; returns
 * their length. */
size_t hone_value_print(char *buf, size_t size, struct hone_value value);

/* Every value of an integer lies from low to high. narrow: its C text is of type int. */
struct hone_expr_c_range {
    int64_t low, high;
    bool narrow;
};

/* How a variable looks in printed C. */
struct hone_expr_c_var {
    enum hone_type type;
    const char *text;  /* C that yields the value, in no need of brackets: "cfg->BM" */
    const char *guard; /* the condition under which it has a value, or NULL: always */
    bool *printed;     /* becomes true where the text is used, or NULL: what is of no
                        * consequence is left out */
    const struct hone_expr_c_range *range; /* NULL: not known */
    /* NULL: not known. A known one is printed as a number or text, or not at all. */
    const struct hone_value *value;
};

/* Append the expression as a C99/C++11 expression with the value that hone_expr_eval
 * gives, to the bit; where that fails, any value. vars has one entry per slot. *type
 * receives the static type: integers are long long or int, floats double,
 * booleans int, strings const char pointers. C's own operators stand where the ranges of
 * vars prove them equal to the language's; else it uses the functions printed by
 * hone_expr_print_c_helpers. EUNSUPPORTED, naming the part, where no static type exists
 * (an and/or mix of types, min of integer and float, strings in arithmetic) and for log2
 * and powers other than x ^ 2 of what is not known; ELIMIT beyond 1 MiB of text. */
enum hone_status hone_expr_print_c(const struct hone_expr *expr,
                                   const struct hone_expr_c_var *vars,
                                   struct hone_strbuf *out, enum hone_type *type,
                                   struct hone_error *err);

/* Append the static inline functions (hone2_floor_div, ...) that printed expressions
 * call. They include nothing and guard themselves, so several headers may carry them; a
 * change of their text changes the number in all their names, so headers of different
 * versions may meet in one file. */
enum hone_status hone_expr_print_c_helpers(struct hone_strbuf *out,
                                           struct hone_error *err);

#endif
