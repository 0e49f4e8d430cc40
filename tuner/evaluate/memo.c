#include "evaluate/memo.h"

#include <stdlib.h>
#include <string.h>

struct hone_memo_entry {
    char key[HONE_HASH_TEXT]; // "" is free
    struct hone_trial trial;
};

enum { SMALLEST = 64 };

static struct hone_memo_entry *slot(const struct hone_memo *memo, const char *key)
{
    size_t i = (size_t)hone_hash64(key, strlen(key)) & (memo->cap - 1);
    while (memo->entries[i].key[0] && strcmp(memo->entries[i].key, key) != 0)
        i = (i + 1) & (memo->cap - 1);
    return &memo->entries[i];
}

const struct hone_trial *hone_memo_find(const struct hone_memo *memo,
                                        const char key[HONE_HASH_TEXT])
{
    if (!memo->count || !key[0]) return NULL;
    const struct hone_memo_entry *entry = slot(memo, key);
    return entry->key[0] ? &entry->trial : NULL;
}

static bool grow(struct hone_memo *memo)
{
    if (memo->count * 2 < memo->cap) return true;
    struct hone_memo grown = {.count = memo->count,
                              .cap = memo->cap ? memo->cap * 2 : SMALLEST};
    grown.entries = calloc(grown.cap, sizeof *grown.entries);
    if (!grown.entries) return false;
    for (size_t i = 0; i < memo->cap; i++)
        if (memo->entries[i].key[0])
            *slot(&grown, memo->entries[i].key) = memo->entries[i];
    free(memo->entries);
    *memo = grown;
    return true;
}

void hone_memo_add(struct hone_memo *memo, const char key[HONE_HASH_TEXT],
                   const struct hone_trial *trial)
{
    if (!key[0] || !grow(memo)) return;
    struct hone_memo_entry *entry = slot(memo, key);
    memo->count += !entry->key[0];
    memcpy(entry->key, key, HONE_HASH_TEXT);
    entry->trial = *trial;
}

void hone_memo_fini(struct hone_memo *memo)
{
    free(memo->entries);
    *memo = (struct hone_memo){0};
}
