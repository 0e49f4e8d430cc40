/* Trials by what decides them, so that equal images are measured once. */
#ifndef HONE_EVALUATE_MEMO_H
#define HONE_EVALUATE_MEMO_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "hone/trial.h"

struct hone_memo_entry;

struct hone_memo {
    struct hone_memo_entry *entries;
    struct hone_arena said; /* by the trials */
    size_t count, cap;
    struct hone_hash_table table; /* of the entries */
};

/* NULL when key is new. The trial lives until the next hone_memo_add, what it says until
 * hone_memo_fini. */
const struct hone_trial *hone_memo_find(const struct hone_memo *memo,
                                        const char key[HONE_HASH_TEXT]);

/* Remember; without memory it does not, which costs a measurement and nothing else. An
 * empty key is not remembered. */
void hone_memo_add(struct hone_memo *memo, const char key[HONE_HASH_TEXT],
                   const struct hone_trial *trial);
void hone_memo_fini(struct hone_memo *memo);

#endif
