/* The names of an expression that is printed as C. */
#ifndef HONE_EMIT_C_NAMES_H
#define HONE_EMIT_C_NAMES_H

#include "c_expr.h"

/* An expression and its names, by number of each. */
struct emit_naming {
    const struct hone_expr *expr;
    size_t count;
    struct hone_expr_c_var *vars;
    bool *is_printed, *is_in_text; /* at all; by more than the guard */
};

/* Look each name up, in the plan's arena; nothing is noted of what is looked up, as it
 * may be left out of the text. */
enum hone_status hone_emit_name_all(struct emit_printer *printer,
                                    const struct emit_scope *scope,
                                    struct emit_naming *naming,
                                    const struct hone_expr *expr);
/* Each that is part of what is left, or may have no value, has to be known: EINPUT. */
enum hone_status hone_emit_check_names(struct emit_printer *printer,
                                       const struct emit_scope *scope,
                                       const struct emit_naming *naming,
                                       const struct hone_c_form *form);
/* Note in the scope what those that were printed read. */
enum hone_status hone_emit_note_names(struct emit_printer *printer,
                                      struct emit_scope *scope,
                                      const struct emit_naming *naming);

/* What is known of a name for one configuration, whose value it is where it is a
 * parameter, on any GPU and problem. Derived values are not looked into. */
struct hone_expr_c_var hone_emit_known_of(const struct emit_plan *plan,
                                          const struct hone_value *value,
                                          struct emit_name name, const char *text);

/* c_expr.c: print derived value i for those that need it, once; ENOMEM alone. One that
 * could not be printed has no text, and is to blame where it is needed. */
enum hone_status hone_emit_derive(struct emit_printer *printer, size_t i);
enum hone_status hone_emit_blame_derived(struct emit_printer *printer, size_t i);

#endif
