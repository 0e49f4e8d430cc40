/* Builds kept on disk: one file for each key, published atomically, with its own
 * checksum, in a folder that others cannot write; and in memory, where that is asked for.
 * Nothing that goes wrong here fails a build: what cannot be read is compiled, what
 * cannot be written is reported once by hone_log. Any number of threads and processes may
 * share a folder. */
#ifndef HONE_BUILD_CACHE_H
#define HONE_BUILD_CACHE_H

#include "base/hash.h"
#include "build/compiler.h"
#include "build/memory_cache.h"

struct hone_cache {
    char *folder; /* NULL: there is no cache */
    atomic_bool warned;
    atomic_int trust; /* in the folder: 0 not looked yet, 1 yes, -1 no */
    struct hone_memory memory;
};

/* The folder that is used where none is named: HONE_CACHE and so on; NULL for none. Freed
 * by the caller. */
char *hone_cache_folder(void);

/* Is this a folder of this user (or root) that nobody else may write, the sticky bit
 * aside? EINPUT with the way out. */
enum hone_status hone_cache_check_folder(const char *folder, struct hone_error *err);

/* folder and memory_bytes as in hone_builder_options. Touches no file. */
enum hone_status hone_cache_init(struct hone_cache *cache, const char *folder,
                                 size_t memory_bytes, struct hone_error *err);
void hone_cache_fini(struct hone_cache *cache);

/* The name of what this request yields from the compiler of this identity. */
void hone_cache_key(char out[HONE_HASH_TEXT], const struct hone_build_request *request,
                    const char *compiler_identity);

/* False when there is no whole, undamaged entry. */
bool hone_cache_get(struct hone_cache *cache, struct hone_output *out, const char *key);
void hone_cache_put(struct hone_cache *cache, const char *key,
                    const struct hone_output *output);

#endif
