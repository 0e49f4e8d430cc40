// Any text as PTX that is launched, too: two blocks of 128 threads with a buffer of 1 KB.
// What a kernel does wrong is a fault with a reason. A launch has 5 ms. Whether it is
// watched, when asynchronous work is made and how warps and lanes take turns follows from
// the text.
#include <string.h>

#include "base/hash.h"
#include "device/emu.h"
#include "fuzz.h"
#include "hone/device.h"

enum { BYTES = 1024, SCATTERED_OF = 8 };

static struct hone_device *dev;
static hone_devptr buffer;

static void open_device(void)
{
    struct hone_error err = {0};
    fuzz_must(hone_device_open(&dev, "emu:h200", &err), &err);
    fuzz_must(dev->fns->alloc(dev, BYTES, &buffer, &err), &err);
}

static void launch(struct hone_module *module, uint64_t how)
{
    uint32_t n = 7;
    const void *params[] = {&buffer, &n};
    const size_t sizes[] = {sizeof buffer, sizeof n};
    struct hone_fault fault = {0};
    struct hone_error err = {0};
    struct hone_launch launch = {.grid = {2, 1, 1},
                                 .block = {128, 1, 1},
                                 .shared_bytes = 128,
                                 .params = params,
                                 .param_sizes = sizes,
                                 .param_count = 2,
                                 .deadline_s = 0.005,
                                 .check = how & 1,
                                 .seed = how};
    hone_emu_set_reversed(dev, how >> 1 & 1);
    hone_emu_set_scattered(dev, (how >> 2) % SCATTERED_OF == 0);
    hone_emu_set_copy_time(dev, (enum hone_emu_copy_time)((how >> 8) % 3));
    fuzz_must(dev->fns->launch(dev, module, &launch, &fault, &err), &err);
    FUZZ_CHECK(fault.outcome == HONE_VALID || fault.reason[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hone_module *module = NULL;
    struct hone_fault fault = {0};
    struct hone_error err = {0};
    if (!dev) open_device();
    char *text = fuzz_text(data, size);
    const struct hone_build build = {
        .ptx = text, .ptx_size = size, .resources = {.registers = 32}};
    if (fuzz_taken(dev->fns->load(dev, &build, "k", &module, &fault, &err), &err) &&
        module)
        launch(module, hone_hash64(data, size));
    dev->fns->unload(dev, module);
    free(text);
    return 0;
}
