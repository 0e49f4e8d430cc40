// Any bytes as an entry of the build cache: as they are, and with the checksum that they
// would need, so that what is behind it is read.
#include <string.h>

#include "build/cache.h"
#include "fuzz.h"

enum { HEADER = 56, CHECKSUM_AT = 16 };

static void get(const uint8_t *data, size_t size)
{
    struct hone_cache cache;
    struct hone_output output;
    struct hone_error err = {0};
    fuzz_must(hone_cache_init(&cache, "", 1u << 20, &err), &err);
    hone_memory_put(&cache.memory, "key", (const char *)data, size);
    if (hone_cache_get(&cache, &output, "key")) {
        FUZZ_CHECK(output.ptx_size + output.cubin_size + output.log_size ==
                   size - HEADER);
        FUZZ_CHECK(!output.ptx[output.ptx_size] && !output.log[output.log_size]);
        hone_output_fini(&output);
    }
    hone_cache_fini(&cache);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    get(data, size);
    if (size < HEADER) return 0;
    uint8_t *sound = (uint8_t *)fuzz_text(data, size);
    memset(sound + CHECKSUM_AT, 0, sizeof(uint64_t));
    const uint64_t parts[] = {hone_hash64(sound, HEADER),
                              hone_hash64(sound + HEADER, size - HEADER)};
    const uint64_t checksum = hone_hash64(parts, sizeof parts);
    memcpy(sound + CHECKSUM_AT, &checksum, sizeof checksum);
    get(sound, size);
    free(sound);
    return 0;
}
