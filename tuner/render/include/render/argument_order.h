/* Arguments of a script that have each other's names in the kernel. */
#ifndef HONE_RENDER_ARGUMENT_ORDER_H
#define HONE_RENDER_ARGUMENT_ORDER_H

#include <stdbool.h>

#include "hone/kernel.h"

struct hone_swap {
    int line;       /* of the first of the two in the script */
    char text[512]; /* both arguments, and the parameters that they are passed to */
};

/* Whether an argument has the name of a parameter that another one is passed to, while
 * the parameter that it is passed to has the name of a third, or of that one: M and N for
 * a kernel of N and M. Types need not tell them apart. It may be meant so, as where a
 * product of transposed matrices is a product in the other order. false also where the
 * source does not tell the names. reference: of the reference kernel, which there is. */
bool hone_arguments_swapped(struct hone_swap *out, const struct hone_kernel *kernel,
                            bool reference);

#endif
