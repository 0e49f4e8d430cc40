/* An arena: memory that lives until the arena ends. Blocks are zeroed and aligned for
 * anything. */
#ifndef HONE_BASE_ARENA_H
#define HONE_BASE_ARENA_H

#include <stddef.h>

struct hone_arena {
    struct hone_arena_block *head;
};

/* NULL when out of memory; size 0 gives a unique pointer. */
void *hone_arena_alloc(struct hone_arena *arena, size_t size);
/* count * size with an overflow check. */
void *hone_arena_array(struct hone_arena *arena, size_t count, size_t size);
void *hone_arena_dup(struct hone_arena *arena, const void *data, size_t size);
char *hone_arena_strdup(struct hone_arena *arena, const char *text); /* NULL gives NULL */
char *hone_arena_printf(struct hone_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void hone_arena_fini(struct hone_arena *arena);

#endif
