/* The start design: configurations spread over the space, evaluated before a strategy has
 * anything to go by. */
#ifndef HONE_SEARCH_DESIGN_H
#define HONE_SEARCH_DESIGN_H

#include "hone/space.h"
#include "shuffle.h"

enum { HONE_DESIGN_MOST = 1000 }; /* more would be random search */

/* How many of budget evaluations a start design should take. */
uint64_t hone_design_size(uint64_t budget);

/* Append up to more distinct configurations to the *count indices in points, as far from
 * these and each other as a few candidates allow; fewer where the space has no more.
 * Candidates come from order alone, so the same points follow from seed and space.
 * ENOMEM. */
enum hone_status hone_design_make(const struct hone_space *space,
                                  const struct hone_shuffle *order, uint64_t *points,
                                  size_t *count, size_t more, struct hone_error *err);

#endif
