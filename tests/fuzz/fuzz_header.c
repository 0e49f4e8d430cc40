// Any file as an emitted header or a journal that is compared with what is measured now.
#include "emit/shipped.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hone_shipped shipped;
    struct hone_error err = {0};
    const char *path = fuzz_file("shipped.h", data, size);
    if (!fuzz_taken(hone_shipped_load(&shipped, path, &err), &err)) return 0;
    FUZZ_CHECK(shipped.count > 0);
    for (size_t i = 0; i < shipped.count; i++)
        FUZZ_CHECK(shipped.rows[i].config && shipped.rows[i].time_us > 0);
    hone_shipped_fini(&shipped);
    return 0;
}
