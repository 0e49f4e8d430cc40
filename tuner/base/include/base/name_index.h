/* Names by number: 0, 1, 2, ... in the order in which they were added, found by their
 * hash. */
#ifndef HONE_BASE_NAME_INDEX_H
#define HONE_BASE_NAME_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_table.h"

/* {0} is empty. The names are borrowed. */
struct hone_name_index {
    struct hone_hash_table table;
    const char **names;
    size_t count, cap;
};

/* Gives name the next number. Of names that are the same the first is found. False when
 * memory runs out: then nothing has changed. */
bool hone_name_index_add(struct hone_name_index *index, const char *name);

/* The number of a name; SIZE_MAX: there is none. */
size_t hone_name_index_find(const struct hone_name_index *index, const char *name);

/* Leaves it as {0}. */
void hone_name_index_fini(struct hone_name_index *index);

#endif
