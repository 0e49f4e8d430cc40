// Any text as PTX: parse, link, decode and place the registers of its first entry. It
// must end in a module, a fault or an error.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hone/device.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    if (!dev && hone_device_open(&dev, "emu:h200", &err) != HONE_OK) abort();
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    find_entry(text, entry, sizeof entry);
    const struct hone_build build = {.ptx = text, .ptx_size = size};
    enum hone_status status = dev->fns->load(dev, &build, entry, &module, &fault, &err);
    if (status != HONE_OK && !err.text[0]) abort();
    if (status == HONE_OK && (fault.outcome == HONE_VALID) != (module != NULL)) abort();
    if (status == HONE_OK && !module && !fault.reason[0]) abort();
    dev->fns->unload(dev, module);
    free(text);
    return 0;
}
