// Open addressing with linear probing, at most half full; Fibonacci hashing (Knuth, TAOCP
// 3, 6.4) spreads the runs of neighbouring indices that grid and local search produce.
#include "history.h"

#include <assert.h>
#include <stdlib.h>

enum { SMALLEST_BITS = 10 };

static struct hone_history_entry *slot(const struct hone_history *history, uint64_t index)
{
    size_t i = (size_t)(index * 0x9e3779b97f4a7c15u >> history->shift);
    while (history->entries[i].known && history->entries[i].index != index)
        i = (i + 1) & (history->cap - 1);
    return &history->entries[i];
}

enum hone_status hone_history_reserve(struct hone_history *history, size_t more,
                                      struct hone_error *err)
{
    if (more < SIZE_MAX / 4 && (history->count + more) * 2 <= history->cap)
        return HONE_OK;
    struct hone_history grown = {.count = history->count};
    unsigned bits = SMALLEST_BITS;
    while (bits < 48 && ((size_t)1 << bits) / 2 < history->count + more)
        bits++;
    grown.cap = (size_t)1 << bits;
    grown.shift = 64 - bits;
    grown.entries = calloc(grown.cap, sizeof *grown.entries);
    if (!grown.entries)
        return hone_no_memory(err, "for the history of %zu trials", history->count);
    for (size_t i = 0; i < history->cap; i++)
        if (history->entries[i].known)
            *slot(&grown, history->entries[i].index) = history->entries[i];
    free(history->entries);
    *history = grown;
    return HONE_OK;
}

void hone_history_fini(struct hone_history *history)
{
    free(history->entries);
    *history = (struct hone_history){0};
}

const struct hone_history_entry *hone_history_find(const struct hone_history *history,
                                                   uint64_t index)
{
    if (!history->cap) return NULL;
    const struct hone_history_entry *entry = slot(history, index);
    return entry->known ? entry : NULL;
}

void hone_history_set(struct hone_history *history, uint64_t index, enum hone_known known,
                      double cost)
{
    assert(history->count < history->cap);
    struct hone_history_entry *entry = slot(history, index);
    history->count += entry->known == HONE_KNOWN_NOT;
    *entry = (struct hone_history_entry){.index = index, .cost = cost, .known = known};
}
