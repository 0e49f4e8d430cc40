#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"

struct hone_arena_block {
    struct hone_arena_block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
};

// Blocks double from the first to the largest: most arenas stay small.
enum { FIRST_BYTES = 1024, LARGEST_BYTES = 8192 };

static struct hone_arena_block *grow(struct hone_arena *arena, size_t size)
{
    size_t room = arena->head ? 2 * arena->head->size : FIRST_BYTES;
    if (room > LARGEST_BYTES) room = LARGEST_BYTES;
    if (room < size) room = size;
    struct hone_arena_block *block = calloc(1, sizeof *block + room);
    if (!block) return NULL;
    block->size = room;
    block->next = arena->head;
    arena->head = block;
    return block;
}

void *hone_arena_alloc(struct hone_arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX / 2) return NULL;
    size = (size + (size == 0) + align - 1) / align * align;
    struct hone_arena_block *block = arena->head;
    if (!block || block->size - block->used < size) block = grow(arena, size);
    if (!block) return NULL;
    void *p = block->data + block->used;
    block->used += size;
    return p;
}

void *hone_arena_array(struct hone_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size) return NULL;
    return hone_arena_alloc(arena, count * size);
}

void *hone_arena_dup(struct hone_arena *arena, const void *data, size_t size)
{
    void *p = hone_arena_alloc(arena, size);
    if (p && size) memcpy(p, data, size);
    return p;
}

char *hone_arena_strdup(struct hone_arena *arena, const char *text)
{
    return text ? hone_arena_dup(arena, text, strlen(text) + 1) : NULL;
}

char *hone_arena_printf(struct hone_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = hone_vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len < 0) return NULL;
    char *text = hone_arena_alloc(arena, (size_t)len + 1);
    if (!text) return NULL;
    va_start(args, format);
    hone_vsnprintf(text, (size_t)len + 1, format, args);
    va_end(args);
    return text;
}

void hone_arena_fini(struct hone_arena *arena)
{
    while (arena->head) {
        struct hone_arena_block *next = arena->head->next;
        free(arena->head);
        arena->head = next;
    }
}
