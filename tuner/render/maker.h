/* A job while it is made. */
#ifndef HONE_RENDER_MAKER_H
#define HONE_RENDER_MAKER_H

#include "render_internal.h"

struct hone_maker {
    const struct hone_kernel *kernel;
    struct hone_value *slots;
    struct hone_job *job;
    struct hone_arena *arena; /* the job's */
    bool is_reference;
    /* Set when what failed is over a limit, which another configuration may keep. */
    bool *too_large;
    struct hone_error *err;
};

/* A number from 0 on, or fallback where the script gave no formula. */
enum hone_status hone_maker_number(const struct hone_maker *maker,
                                   const struct hone_formula *formula, double fallback,
                                   double *out);
/* EINPUT for a formula's value, saying what it should have been. */
enum hone_status hone_maker_refuse(const struct hone_maker *maker,
                                   const struct hone_formula *formula,
                                   struct hone_value value, const char *wanted);

/* The value of a formula, an integer in least .. limit. EINPUT for another one, with
 * formula, file and line. */
enum hone_status hone_maker_count(const struct hone_maker *maker,
                                  const struct hone_formula *formula, int64_t least,
                                  int64_t limit, int64_t *out);

/* The job's geometry by the formulas and flags of a launch. */
enum hone_status hone_maker_geometry(const struct hone_maker *maker,
                                     const struct hone_launch_formulas *launch,
                                     uint32_t flags);

#endif
