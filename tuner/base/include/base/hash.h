/* XXH3 (xxHash 0.8), 128 bits, as 32 hexadecimal digits. Feed parts in a fixed order;
 * each part is separated from the next, so ("ab","c") and ("a","bc") differ. */
#ifndef HONE_BASE_HASH_H
#define HONE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hone_hash {
    void *state;
};

enum { HONE_HASH_TEXT = 33 };

/* begin allocates; a failed allocation makes end return the empty text. */
void hone_hash_begin(struct hone_hash *hash);
void hone_hash_part(struct hone_hash *hash, const void *data, size_t size);
void hone_hash_text(struct hone_hash *hash, const char *text); /* NULL counts as absent */
void hone_hash_end(struct hone_hash *hash, char out[HONE_HASH_TEXT]); /* releases */

/* 64 bits of one buffer, for hash tables. */
uint64_t hone_hash64(const void *data, size_t size);

#endif
