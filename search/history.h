/* What is known of each index that was asked for or told: a hash table, so memory follows
 * the evaluations and not the size of the space. */
#ifndef HONE_SEARCH_HISTORY_H
#define HONE_SEARCH_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

enum hone_known {
    HONE_KNOWN_NOT,     /* neither asked nor told */
    HONE_KNOWN_PENDING, /* asked, not told */
    HONE_KNOWN_FAILED,  /* told, without a cost */
    HONE_KNOWN_COST     /* told, with a cost */
};

struct hone_history_entry {
    uint64_t index;
    double cost;
    enum hone_known known; /* HONE_KNOWN_NOT marks a free entry */
};

struct hone_history {
    struct hone_history_entry *entries;
    size_t cap, count; /* cap is a power of two */
    unsigned shift;    /* 64 - log2(cap) */
};

/* Make room for more entries. ENOMEM. */
enum hone_status hone_history_reserve(struct hone_history *history, size_t more,
                                      struct hone_error *err);
void hone_history_fini(struct hone_history *history);

/* NULL when nothing is known of index. */
const struct hone_history_entry *hone_history_find(const struct hone_history *history,
                                                   uint64_t index);

/* Set what is known; room for a new index was reserved before. cost counts for
 * KNOWN_COST. */
void hone_history_set(struct hone_history *history, uint64_t index, enum hone_known known,
                      double cost);

#endif
