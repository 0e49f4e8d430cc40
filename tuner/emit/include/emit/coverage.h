/* Where a header's select answers null. Asked are the sizes of its rows (of 16 of them,
 * where there are more) and those that were drawn to verify at, and each size of a row
 * made odd, tiny (1) and huge (2^30), on the devices of the rows and on one of each other
 * compute capability. */
#ifndef HONE_EMIT_COVERAGE_H
#define HONE_EMIT_COVERAGE_H

#include "base/arena.h"
#include "hone/emit.h"

/* Sizes of one kind that have no configuration on a device that has one for others. */
struct hone_coverage_gap {
    const char *what;     /* "N odd", "tuned sizes" */
    const char *problem;  /* the first of them: "M=64 N=63" */
    size_t problems;      /* how many, out of those asked of this kind */
    size_t asked;         /* those */
    const char **devices; /* that have no configuration for one of them */
    size_t device_count;
    size_t *missing; /* problems without a configuration, by device of the coverage */
};

struct hone_coverage {
    struct hone_arena arena;
    size_t asked;         /* problems */
    const char **devices; /* all that were asked about */
    size_t device_count;
    const char **without; /* those of them that have no configuration for any size */
    size_t without_count;
    const char **without_image; /* those that no image of a payload runs on: not asked */
    size_t without_image_count;
    struct hone_coverage_gap *gaps; /* in the order of asking */
    size_t gap_count;
};

/* How many of the problems that were asked about are in a gap. */
size_t hone_coverage_missed(const struct hone_coverage *coverage);

/* Further sizes that are asked, each with a value for each name. */
struct hone_coverage_named {
    const char *what; /* as in a gap */
    const struct hone_constant *names;
    size_t name_count;
    const struct hone_value *const *sizes;
    size_t count;
};

/* Looks at the header that hone_emit makes of the same, and fails as that does. named may
 * be NULL. Release out with hone_coverage_fini, after a failure too. */
enum hone_status hone_coverage_make(struct hone_coverage *out,
                                    const struct hone_recording *const *recordings,
                                    size_t count, const struct hone_emit_options *options,
                                    const struct hone_coverage_named *named,
                                    struct hone_error *err);
void hone_coverage_fini(struct hone_coverage *coverage);

#endif
