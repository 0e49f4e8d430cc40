#include "base/hash.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void hone_hash_begin(struct hone_hash *hash)
{
    hash->state = XXH3_createState();
    if (hash->state) XXH3_128bits_reset(hash->state);
}

void hone_hash_part(struct hone_hash *hash, const void *data, size_t size)
{
    if (!hash->state) return;
    uint64_t length = size;
    XXH3_128bits_update(hash->state, &length, sizeof length);
    XXH3_128bits_update(hash->state, data, size);
}

void hone_hash_text(struct hone_hash *hash, const char *text)
{
    const unsigned char present = text != NULL;
    hone_hash_part(hash, &present, 1);
    if (text) hone_hash_part(hash, text, strlen(text));
}

void hone_hash_end(struct hone_hash *hash, char out[HONE_HASH_TEXT])
{
    out[0] = '\0';
    if (!hash->state) return;
    XXH128_hash_t h = XXH3_128bits_digest(hash->state);
    snprintf(out, HONE_HASH_TEXT, "%016llx%016llx", (unsigned long long)h.high64,
             (unsigned long long)h.low64);
    XXH3_freeState(hash->state);
    hash->state = NULL;
}

uint64_t hone_hash64(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}
