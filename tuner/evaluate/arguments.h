/* Whether a kernel takes what its script gives it, before anything is launched. */
#ifndef HONE_EVALUATE_ARGUMENTS_H
#define HONE_EVALUATE_ARGUMENTS_H

#include "hone/build.h"
#include "hone/kernel.h"

struct hone_misfit {
    int line; /* of the argument in the script; 0: not known */
    /* No configuration can change it: the script is wrong, not this configuration. */
    bool fixed;
    char text[HONE_REASON_MAX]; /* which argument, both types, the way out */
};

/* true when they fit, or too little is known to say that they do not. What decides is the
 * size, alignment and kind of each parameter in the PTX, and its type where the source or
 * a C++ name tells one: elements of another size or kind, a number for an address.
 * Unsigned words, bytes and structs of the right size pass, whatever they are made of. */
bool hone_arguments_fit(const struct hone_build *build, const struct hone_job *job,
                        struct hone_misfit *misfit);

#endif
