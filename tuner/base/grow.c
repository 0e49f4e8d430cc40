#include "base/grow.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// SIZE_MAX, which no array has room for, where doubling overflows.
static size_t grown_cap(size_t cap, size_t need, size_t first)
{
    assert(first > 0);
    size_t grown = cap > SIZE_MAX / 2 ? SIZE_MAX : 2 * cap;
    if (grown < first) grown = first;
    return grown < need ? need : grown;
}

// The caller's pointer has a type of its own: its bytes are copied, as reading it through
// a void ** is not allowed.
static void *load(const void *array)
{
    void *items;
    memcpy(&items, array, sizeof items);
    return items;
}

static void store(void *array, void *items)
{
    memcpy(array, &items, sizeof items);
}

bool hone_grow(void *array, size_t *cap, size_t need, size_t first, size_t size)
{
    const size_t wanted = grown_cap(*cap, need, first);
    if (!size) size = 1; // realloc of no bytes frees
    if (wanted > SIZE_MAX / size) return false;
    void *items = realloc(load(array), wanted * size);
    if (!items) return false;
    store(array, items);
    *cap = wanted;
    return true;
}

bool hone_grow_in(struct hone_arena *arena, void *array, size_t *cap, size_t need,
                  size_t first, size_t size)
{
    const size_t wanted = grown_cap(*cap, need, first);
    void *items = hone_arena_array(arena, wanted, size);
    if (!items) return false;
    if (*cap) memcpy(items, load(array), *cap * size);
    store(array, items);
    *cap = wanted;
    return true;
}
