/* Parameters that change nothing: pairs of configurations that differ in one of them
 * only give the same code and the same launch. */
#ifndef HONE_EVALUATE_PARAM_EFFECT_H
#define HONE_EVALUATE_PARAM_EFFECT_H

#include "hone/build.h"
#include "hone/kernel.h"

struct hone_param_effect_options {
    struct hone_builder *builder; /* compares cubins; NULL: compares sources */
    const char *arch;             /* to build for; with builder */
    const uint64_t *base;         /* a configuration to begin with, or NULL */
    uint64_t seed;                /* of the others */
};

/* What is known of a parameter: of pairs pairs compared, all were the same. */
struct hone_param_effect {
    size_t pairs;
    bool differs; /* in one of them; not compared again */
};

/* Up to four pairs a parameter; found has an entry for each. A pair of which one builds
 * and the other does not differs; one of which none builds is not compared. Takes some
 * builds a parameter. */
enum hone_status hone_param_effects(const struct hone_kernel *kernel,
                                    const struct hone_param_effect_options *options,
                                    struct hone_param_effect *found,
                                    struct hone_error *err);

#endif
