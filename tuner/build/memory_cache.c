#include "build/memory_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

struct hone_memory_entry {
    struct hone_memory_entry *next; // younger
    char key[HONE_HASH_TEXT];
    size_t size;
    char data[];
};

void hone_memory_init(struct hone_memory *memory, size_t most)
{
    *memory = (struct hone_memory){.most = most};
    memory->end = &memory->oldest;
    pthread_mutex_init(&memory->lock, NULL);
}

static void drop_oldest(struct hone_memory *memory)
{
    struct hone_memory_entry *entry = memory->oldest;
    memory->oldest = entry->next;
    if (!memory->oldest) memory->end = &memory->oldest;
    memory->bytes -= entry->size;
    free(entry);
}

void hone_memory_fini(struct hone_memory *memory)
{
    while (memory->oldest)
        drop_oldest(memory);
    pthread_mutex_destroy(&memory->lock);
}

// Some hundreds of entries at most: a list is quick beside what it saves.
static const struct hone_memory_entry *memory_cache_find(const struct hone_memory *memory,
                                                         const char *key)
{
    const struct hone_memory_entry *entry = memory->oldest;
    while (entry && strcmp(entry->key, key) != 0)
        entry = entry->next;
    return entry;
}

bool hone_memory_get(struct hone_memory *memory, char **data, size_t *size,
                     const char *key)
{
    *data = NULL;
    pthread_mutex_lock(&memory->lock);
    const struct hone_memory_entry *entry = memory_cache_find(memory, key);
    if (entry && (*data = malloc(entry->size + 1))) {
        memcpy(*data, entry->data, entry->size);
        *size = entry->size;
    }
    pthread_mutex_unlock(&memory->lock);
    return *data != NULL;
}

void hone_memory_put(struct hone_memory *memory, const char *key, const char *data,
                     size_t size)
{
    if (size > memory->most) return;
    struct hone_memory_entry *entry = malloc(sizeof *entry + size);
    if (!entry) return;
    *entry = (struct hone_memory_entry){.size = size};
    strcpy(entry->key, key);
    memcpy(entry->data, data, size);
    pthread_mutex_lock(&memory->lock);
    if (memory_cache_find(memory, key)) {
        free(entry); // two threads built the same
    } else {
        *memory->end = entry;
        memory->end = &entry->next;
        memory->bytes += size;
        while (memory->bytes > memory->most)
            drop_oldest(memory);
    }
    pthread_mutex_unlock(&memory->lock);
}
