// Any text as PTX: parse, link, decode and place the registers of its first entry. It
// must end in a module, a fault or an error.
#include <string.h>

#include "fuzz.h"
#include "hone/device.h"

// The word after the first ".entry"; "k" when there is none.
static void find_entry(const char *text, char *name, size_t cap)
{
    const char *at = strstr(text, ".entry");
    size_t n = 0;
    if (at) at += strlen(".entry");
    while (at && (*at == ' ' || *at == '\t' || *at == '\n'))
        at++;
    while (at && at[n] && !strchr(" \t\n({;", at[n]) && n + 1 < cap)
        n++;
    memcpy(name, n ? at : "k", n ? n : 1);
    name[n ? n : 1] = '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct hone_device *dev;
    struct hone_module *module = NULL;
    struct hone_fault fault = {0};
    struct hone_error err = {0};
    char entry[64];
    if (!dev) fuzz_must(hone_device_open(&dev, "emu:h200", &err), &err);
    char *text = fuzz_text(data, size);
    find_entry(text, entry, sizeof entry);
    const struct hone_build build = {.ptx = text, .ptx_size = size};
    if (fuzz_taken(dev->fns->load(dev, &build, entry, &module, &fault, &err), &err)) {
        FUZZ_CHECK((fault.outcome == HONE_VALID) == (module != NULL));
        FUZZ_CHECK(module || fault.reason[0]);
    }
    dev->fns->unload(dev, module);
    free(text);
    return 0;
}
