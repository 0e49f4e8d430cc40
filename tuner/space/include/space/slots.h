/* The slots of a space, for those who bind expressions to them. */
#ifndef HONE_SPACE_SLOTS_H
#define HONE_SPACE_SLOTS_H

#include "base/name_index.h"
#include "hone/space.h"

/* The names of hone_space_names by their hash; lives as long as the space. */
const struct hone_name_index *hone_space_name_index(const struct hone_space *space);

/* The derived values by number, each after those that it reads. */
const size_t *hone_space_derived_order(const struct hone_space *space);

#endif
