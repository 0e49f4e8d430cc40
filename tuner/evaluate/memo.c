#include "evaluate/memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "space/trial_keep.h"

struct hone_memo_entry {
    char key[HONE_HASH_TEXT];
    struct hone_trial trial;
};

static struct hone_memo_entry *memo_entry(const struct hone_memo *memo, const char *key)
{
    struct hone_probe probe =
        hone_hash_table_probe(&memo->table, hone_hash64(key, strlen(key)));
    for (uint32_t *i; (i = hone_hash_table_next(&memo->table, &probe)) != NULL;)
        if (strcmp(memo->entries[*i].key, key) == 0) return &memo->entries[*i];
    return NULL;
}

const struct hone_trial *hone_memo_find(const struct hone_memo *memo,
                                        const char key[HONE_HASH_TEXT])
{
    const struct hone_memo_entry *entry = key[0] ? memo_entry(memo, key) : NULL;
    return entry ? &entry->trial : NULL;
}

void hone_memo_add(struct hone_memo *memo, const char key[HONE_HASH_TEXT],
                   const struct hone_trial *trial)
{
    struct hone_trial kept = *trial;
    if (!key[0] || hone_trial_keep(&kept, &memo->said, NULL) != HONE_OK) return;
    struct hone_memo_entry *entry = memo_entry(memo, key);
    if (!entry) {
        if (!HONE_GROW(&memo->entries, &memo->cap, memo->count + 1, 32) ||
            !hone_hash_table_add(&memo->table, hone_hash64(key, strlen(key)),
                                 (uint32_t)memo->count))
            return;
        entry = &memo->entries[memo->count++];
        memcpy(entry->key, key, HONE_HASH_TEXT);
    }
    entry->trial = kept;
}

void hone_memo_fini(struct hone_memo *memo)
{
    free(memo->entries);
    hone_hash_table_fini(&memo->table);
    hone_arena_fini(&memo->said);
    *memo = (struct hone_memo){0};
}
