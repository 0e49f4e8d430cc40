/* The functions that printed expressions call, for a text that brings along those alone
 * that it needs, under names of its own: hone2_add as sgemm_add. */
#ifndef HONE_EXPR_C_HELPERS_H
#define HONE_EXPR_C_HELPERS_H

#include "hone/expr.h"

enum { HONE_C_HELPER_NAME = 32 };

/* Name of the i-th helper without its prefix: "add". False: there are no more. */
bool hone_expr_c_helper(size_t i, char name[HONE_C_HELPER_NAME]);

/* Append the helpers that code calls, and those that they call, as NAME_add, but for
 * those of the code `there` (NULL: none); literals and comments call nothing. */
enum hone_status hone_expr_print_c_needed(struct hone_strbuf *out, const char *code,
                                          const char *there, const char *name,
                                          struct hone_error *err);

/* Append code with its calls of helpers as NAME_add. */
enum hone_status hone_expr_rename_c_helpers(struct hone_strbuf *out, const char *code,
                                            const char *name, struct hone_error *err);

#endif
