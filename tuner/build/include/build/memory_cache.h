/* Finished builds kept in this process, the latest up to a number of bytes: what several
 * problems have in common is compiled once also where no folder keeps it. Any number of
 * threads may use one. */
#ifndef HONE_BUILD_MEMORY_CACHE_H
#define HONE_BUILD_MEMORY_CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct hone_memory {
    size_t most, bytes; /* bytes are kept of at most so many; 0: none */
    struct hone_memory_entry *oldest, **end;
    pthread_mutex_t lock;
};

void hone_memory_init(struct hone_memory *memory, size_t most);
void hone_memory_fini(struct hone_memory *memory);

/* A copy of what was put under key, to be freed; false where there is none. */
bool hone_memory_get(struct hone_memory *memory, char **data, size_t *size,
                     const char *key);
/* Copies data; without room for it, or out of memory, nothing is kept. */
void hone_memory_put(struct hone_memory *memory, const char *key, const char *data,
                     size_t size);

#endif
