/* Room in an array that grows by doubling: one rule of growth, one check of its size. */
#ifndef HONE_BASE_GROW_H
#define HONE_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Makes room for need items in an array from malloc. array and cap point to the caller's
 * pointer (NULL at first) and to the number of items it has room for (0 at first). The
 * room doubles, is at least first (> 0) and at least need. False when memory runs out or
 * the size does not fit in size_t: then nothing has changed. New items are not set. */
#define HONE_GROW(array, cap, need, first)                                               \
    ((need) <= *(cap) || hone_grow((array), (cap), (need), (first), sizeof **(array)))

/* The same in an arena, where the smaller array stays until the arena ends and new items
 * are zeros. */
#define HONE_GROW_IN(arena, array, cap, need, first)                                     \
    ((need) <= *(cap) ||                                                                 \
     hone_grow_in((arena), (array), (cap), (need), (first), sizeof **(array)))

/* What the macros call when there is too little room. size is that of an item in bytes,
 * for items whose size is known at run time only; it may be 0. */
bool hone_grow(void *array, size_t *cap, size_t need, size_t first, size_t size);
bool hone_grow_in(struct hone_arena *arena, void *array, size_t *cap, size_t need,
                  size_t first, size_t size);

#endif
