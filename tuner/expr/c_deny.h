/* The denial of a condition, without a "not" where one can do without. */
#ifndef HONE_EXPR_C_DENY_H
#define HONE_EXPR_C_DENY_H

#include "print_c.h"

/* Make the form's root, which is a boolean and has its types, true where it was false.
 * What has no value has none then either. */
void hone_c_deny(struct hone_c_form *form);

#endif
