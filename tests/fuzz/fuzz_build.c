// Any bytes as what a compiler left: a cubin, a log, PTX whose kernels and variables are
// looked up. The word that ends the first line is the kernel's name.
#include <string.h>

#include "cubin.h"
#include "fuzz.h"
#include "hone/build.h"
#include "ptxas.h"

static void read_cubin(const uint8_t *data, size_t size, const char *entry)
{
    struct hone_cubin_kernel kernel;
    char hash[HONE_HASH_TEXT];
    if (hone_cubin_read(&kernel, data, size, entry))
        FUZZ_CHECK(kernel.resources.static_shared_bytes >= -1);
    hone_cubin_hash(hash, data, size);
}

static void read_log(const char *log, const char *entry)
{
    struct hone_resources resources = HONE_RESOURCES_UNKNOWN;
    char reason[HONE_REASON_MAX] = "";
    hone_ptxas_resources(&resources, log, entry);
    hone_ptxas_reason(reason, log, "sm_90a");
    FUZZ_CHECK(memchr(reason, '\0', sizeof reason) && reason[0]);
}

static void look_up(const char *ptx, size_t size, const char *name)
{
    const struct hone_build build = {.ptx = ptx, .ptx_size = size};
    char variable[HONE_VARIABLE_MAX];
    struct hone_error err = {0};
    fuzz_taken(hone_build_entry(&build, name, &err), &err);
    fuzz_taken(hone_build_variable(&build, name, variable, &err), &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), name[64];
    const size_t line = strcspn(text, "\n");
    size_t from = line;
    while (from > 0 && text[from - 1] != ' ' && line - from < sizeof name - 1)
        from--;
    snprintf(name, sizeof name, "%.*s", (int)(line - from), text + from);
    read_cubin(data, size, "k");
    read_log(text, name);
    look_up(text, size, name);
    free(text);
    return 0;
}
