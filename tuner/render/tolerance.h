/* By how much results may be off: the expressions of a script, and what they come to. */
#ifndef HONE_RENDER_TOLERANCE_H
#define HONE_RENDER_TOLERANCE_H

#include "maker.h"

/* Bind those of def, that of the argument of that name (NULL: all that have none of their
 * own). */
enum hone_status hone_tolerance_bind(struct hone_tolerance_formulas *formulas,
                                     struct hone_kernel *kernel,
                                     const struct hone_tolerance_def *def,
                                     const char *argument, struct hone_error *err);
void hone_tolerance_free(struct hone_tolerance_formulas *formulas);

enum hone_status hone_tolerance_make(const struct hone_maker *maker,
                                     const struct hone_tolerance_formulas *formulas,
                                     struct hone_tolerance *out);
/* Judge what no configuration and no problem changes; maker has no slots. */
enum hone_status hone_tolerance_check(const struct hone_maker *maker,
                                      const struct hone_tolerance_formulas *formulas);

#endif
