/* What compilers warn of in printed expressions. */
#ifndef HONE_EXPR_C_QUIET_H
#define HONE_EXPR_C_QUIET_H

#include <stddef.h>

/* A part of the C text. */
struct hone_c_part {
    const char *text;
    size_t len;
};

/* The operand that has to be hidden. */
enum hone_c_warning { HONE_C_NO_WARNING, HONE_C_OF_LEFT, HONE_C_OF_RIGHT };

/* Would gcc or clang, by -Wall or -Wextra, warn of "left symbol right", integers or
 * truths? Its value is known to them then, or so it seems. symbol has a blank on both
 * sides. Now and then the answer is yes where they would not. */
enum hone_c_warning hone_c_warns(struct hone_c_part left, const char *symbol,
                                 struct hone_c_part right);

#endif
