/* For tests of the emulator: load PTX text as a build, launch it, and look at the fault.
 * */
#ifndef HONE_TEST_EMU_KERNEL_H
#define HONE_TEST_EMU_KERNEL_H

#include "hone_test.h"

#include <string.h>

#include "base/file.h"
#include "device/emu.h"
#include "hone/device.h"

struct emu {
    struct hone_device *dev;
    struct hone_module *module;
    struct hone_fault fault;
    struct hone_error err;
};

/* Suites are run again with another way to emulate, which must change no result. */
static inline void emu_vary(struct hone_device *dev)
{
    const char *variant = getenv("HONE_TEST_EMULATOR");
    if (!variant) return;
    const bool both = strcmp(variant, "base,apart") == 0;
    if (both) hone_emu_set_own_places(dev, true);
    if (both || strcmp(variant, "base") == 0)
        assert_true(hone_emu_set_executor(dev, "base"));
    else if (strcmp(variant, "apart") == 0)
        hone_emu_set_own_places(dev, true);
    else if (strcmp(variant, "reversed") == 0)
        hone_emu_set_reversed(dev, true);
    else if (strcmp(variant, "lanes") == 0)
        hone_emu_set_scattered(dev, true);
    else if (strcmp(variant, "late") == 0)
        hone_emu_set_copy_time(dev, HONE_EMU_COPY_LAZY);
    else
        fail_msg("no variant '%s'", variant);
}

static inline void emu_open(struct emu *emu)
{
    *emu = (struct emu){0};
    assert_ok(hone_device_open(&emu->dev, "emu:h200", &emu->err), emu->err);
    emu_vary(emu->dev);
}

static inline void emu_close(struct emu *emu)
{
    emu->dev->fns->unload(emu->dev, emu->module);
    hone_device_close(emu->dev);
}

/* True when the text was taken; else emu->fault says why. registers: what ptxas would
 * say, -1 when it was not asked. */
static inline bool emu_load_as(struct emu *emu, const char *ptx, const char *entry,
                               int32_t registers)
{
    const struct hone_build build = {
        .ptx = ptx, .ptx_size = strlen(ptx), .resources = {.registers = registers}};
    emu->dev->fns->unload(emu->dev, emu->module);
    emu->module = NULL;
    assert_ok(emu->dev->fns->load(emu->dev, &build, entry, &emu->module, &emu->fault,
                                  &emu->err),
              emu->err);
    return emu->fault.outcome == HONE_VALID;
}

static inline bool emu_load(struct emu *emu, const char *ptx, const char *entry)
{
    return emu_load_as(emu, ptx, entry, 64);
}

static inline char *emu_read_ptx(const char *name)
{
    char path[512];
    char *text = NULL;
    struct hone_error err = {0};
    snprintf(path, sizeof path, "%s/tests/ptx/%s", HONE_SOURCE_DIR, name);
    assert_ok(hone_file_read(&text, NULL, path, &err), err);
    return text;
}

static inline hone_devptr emu_buffer(struct emu *emu, const void *data, size_t bytes)
{
    hone_devptr ptr = 0;
    assert_ok(emu->dev->fns->alloc(emu->dev, bytes, &ptr, &emu->err), emu->err);
    if (data) {
        void *copy = malloc(bytes);
        memcpy(copy, data, bytes);
        assert_ok(
            emu->dev->fns->copy(emu->dev, HONE_TO_DEVICE, ptr, copy, bytes, &emu->err),
            emu->err);
        free(copy);
    }
    return ptr;
}

static inline void emu_fetch(struct emu *emu, void *out, hone_devptr ptr, size_t bytes)
{
    assert_ok(emu->dev->fns->copy(emu->dev, HONE_TO_HOST, ptr, out, bytes, &emu->err),
              emu->err);
}

struct emu_args {
    const void *values[8];
    size_t sizes[8];
    size_t count;
};
#define EMU_ARG(args, variable)                                                          \
    ((args).values[(args).count] = &(variable),                                          \
     (args).sizes[(args).count++] = sizeof(variable))

static inline struct hone_launch emu_geometry(const struct emu_args *args, uint32_t grid,
                                              uint32_t block)
{
    return (struct hone_launch){.grid = {grid, 1, 1},
                                .block = {block, 1, 1},
                                .params = args->values,
                                .param_sizes = args->sizes,
                                .param_count = args->count};
}

/* True when it ran to the end; else emu->fault says why. */
static inline bool emu_run(struct emu *emu, const struct hone_launch *launch)
{
    assert_ok(
        emu->dev->fns->launch(emu->dev, emu->module, launch, &emu->fault, &emu->err),
        emu->err);
    return emu->fault.outcome == HONE_VALID;
}

#endif
