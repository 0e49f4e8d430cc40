#include "base/name_index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/hash.h"

static uint64_t hash_of(const char *name)
{
    return hone_hash64(name, strlen(name));
}

bool hone_name_index_add(struct hone_name_index *index, const char *name)
{
    assert(name);
    const bool is_new = hone_name_index_find(index, name) == SIZE_MAX;
    if (index->count + 1 >= HONE_HASH_TABLE_FREE ||
        !HONE_GROW(&index->names, &index->cap, index->count + 1, 16) ||
        (is_new &&
         !hone_hash_table_add(&index->table, hash_of(name), (uint32_t)index->count)))
        return false;
    index->names[index->count++] = name;
    return true;
}

size_t hone_name_index_find(const struct hone_name_index *index, const char *name)
{
    struct hone_probe probe = hone_hash_table_probe(&index->table, hash_of(name));
    for (uint32_t *at; (at = hone_hash_table_next(&index->table, &probe)) != NULL;)
        if (strcmp(index->names[*at], name) == 0) return *at;
    return SIZE_MAX;
}

void hone_name_index_fini(struct hone_name_index *index)
{
    hone_hash_table_fini(&index->table);
    free(index->names);
    *index = (struct hone_name_index){0};
}
