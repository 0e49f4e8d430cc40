// The device emu:GPU: loads the PTX of a build and keeps the memory of buffers.
#include "launch/emu_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "emu_pipeline.h"
#include "estimate.h"
#include "hone/strbuf.h"
#include "kept.h"
#include "predict/steer.h"

const char *hone_emu_name(size_t i)
{
    return hone_gpu_name(i);
}

static enum hone_status unknown_gpu(const char *spec, struct hone_error *err)
{
    enum { NAMES_MOST = 64 };
    const char *list[NAMES_MOST];
    size_t count = 0;
    struct hone_strbuf names = HONE_STRBUF_INIT;
    for (const char *name; count < NAMES_MOST && (name = hone_gpu_name(count)) != NULL;) {
        hone_strbuf_printf(&names, "%s%s", count ? ", " : "", name);
        list[count++] = name;
    }
    const char *near = hone_suggest(spec, list, count);
    hone_fail(err, HONE_EUSAGE, "no GPU '%s' to emulate; %s%s%sthere are %s", spec,
              near ? "did you mean '" : "", near ? near : "", near ? "'? " : "",
              names.data);
    hone_strbuf_fini(&names);
    return HONE_EUSAGE;
}

enum hone_status hone_emu_limits(struct hone_limits *out, const char *spec,
                                 struct hone_error *err)
{
    struct hone_gpu gpu;
    if (!hone_gpu_find(&gpu, spec)) return unknown_gpu(spec, err);
    *out = gpu.limits;
    return HONE_OK;
}

static enum hone_status emu_open(struct hone_device *dev, const char *spec,
                                 struct hone_error *err)
{
    struct hone_emu_device *device = dev->priv;
    if (!hone_gpu_find(&device->gpu, spec)) return unknown_gpu(spec, err);
    dev->limits = device->gpu.limits;
    dev->clock = HONE_CLOCK_EMULATED;
    snprintf(dev->id, sizeof dev->id, "emu:%s", device->gpu.name);
    snprintf(dev->driver, sizeof dev->driver, "emulator 1");
    device->isa = hone_emu_isa_best();
    enum hone_status status = hone_emu_memory_init(&device->memory, err);
    device->memory.limit = (uint64_t)dev->limits.memory_bytes;
    return status;
}

static void emu_close(struct hone_device *dev)
{
    struct hone_emu_device *device = dev->priv;
    hone_emu_drop_kept(device);
    hone_emu_memory_fini(&device->memory);
}

void hone_emu_set_copy_time(struct hone_device *dev, enum hone_emu_copy_time when)
{
    struct hone_emu_device *device = dev->priv;
    device->copy_time = when;
}

void hone_emu_set_reversed(struct hone_device *dev, bool reversed)
{
    struct hone_emu_device *device = dev->priv;
    device->reversed = reversed;
}

void hone_emu_set_scattered(struct hone_device *dev, bool scattered)
{
    struct hone_emu_device *device = dev->priv;
    device->scattered = scattered;
}

void hone_emu_set_own_places(struct hone_device *dev, bool own)
{
    struct hone_emu_device *device = dev->priv;
    hone_emu_drop_kept(device);
    device->own_places = own;
}

void hone_emu_set_most_moments(struct hone_device *dev, uint64_t most)
{
    struct hone_emu_device *device = dev->priv;
    device->most_moments = most;
}

bool hone_emu_set_executor(struct hone_device *dev, const char *name)
{
    struct hone_emu_device *device = dev->priv;
    const struct hone_emu_isa *isa = hone_emu_isa_find(name);
    hone_emu_drop_kept(device);
    if (isa) device->isa = isa;
    return isa != NULL;
}

// ---- modules ----

static void emu_unload(struct hone_device *dev, struct hone_module *module)
{
    hone_emu_leave_module(dev->priv, module);
}

// The most that a setmaxnreg.inc of the kernel asks for, 0: it has none. ptxas 13.0 gives
// no thread more at launch; a setmaxnreg.dec bounds nothing there.
static uint64_t most_asked(const struct hone_emu_code *code)
{
    uint64_t most = 0;
    for (size_t i = 0; i < code->count; i++) {
        const struct hone_emu_insn *insn = &code->insns[i];
        if (insn->op == EMU_INCREGS && (uint64_t)insn->imm > most)
            most = (uint64_t)insn->imm;
    }
    return most;
}

// Registers of a thread where ptxas told nothing: at most those that the kernel allows,
// or that let as many blocks fit as it wants; -1: no bound.
static int32_t most_registers(const struct hone_emu_code *code,
                              const struct hone_limits *limits)
{
    const struct ptx_bounds *bounds = &code->bounds;
    const uint32_t *block =
        bounds->required_block[0] ? bounds->required_block : bounds->max_block;
    enum { UNIT = 8 }; // as they are given out
    const uint64_t cap = (uint64_t)limits->max_threads_per_block;
    uint64_t threads = 1, bound = 0;
    for (int i = 0; i < 3; i++)
        threads *= block[i] < cap ? block[i] : cap;
    if (bounds->registers)
        bound = bounds->registers;
    else if (bounds->blocks_per_sm && threads)
        bound = (uint64_t)limits->registers_per_sm / threads / bounds->blocks_per_sm /
                UNIT * UNIT;
    if (bound == 0) return -1;
    uint64_t most = most_asked(code);
    if (most == 0) most = (uint64_t)limits->max_registers_per_thread;
    return (int32_t)(bound < most ? bound : most);
}

static enum hone_status emu_load(struct hone_device *dev, const struct hone_build *build,
                                 const char *entry, struct hone_module **out,
                                 struct hone_fault *fault, struct hone_error *err)
{
    struct hone_error why = {0};
    *out = NULL;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    struct hone_module *module = hone_emu_take_kept(dev->priv, build, entry);
    enum hone_status status = HONE_OK;
    if (!module) {
        module = hone_emu_new_module(build);
        if (!module) return hone_no_memory(err, "loading a module");
        status = hone_emu_prepare(dev->priv, module, build, entry, &why);
    }
    if (status == HONE_OK) {
        module->resources = build->resources;
        if (module->resources.registers <= 0)
            module->resources.registers = most_registers(&module->code, &dev->limits);
        *out = module;
        return HONE_OK;
    }
    hone_emu_drop_module(dev->priv, module);
    if (status == HONE_ENOMEM || status == HONE_ENOTFOUND || status == HONE_EUSAGE)
        return hone_fail(err, status, "%s", why.text);
    if (status == HONE_ELIMIT) { // variables in device memory
        fault->outcome = HONE_REJECTED;
        snprintf(fault->reason, sizeof fault->reason, "%.400s", why.text);
        return HONE_OK;
    }
    fault->outcome = status == HONE_EUNSUPPORTED ? HONE_UNSUPPORTED : HONE_LAUNCH_FAILED;
    if (status == HONE_EUNSUPPORTED)
        snprintf(fault->reason, sizeof fault->reason, "%.180s", why.text);
    else
        snprintf(fault->reason, sizeof fault->reason, "bad PTX, line %d: %.150s",
                 why.line, why.text);
    return HONE_OK;
}

static enum hone_status emu_find_variable(struct hone_device *dev,
                                          struct hone_module *module, const char *name,
                                          hone_devptr *out, size_t *bytes,
                                          struct hone_error *err)
{
    struct ptx_variable *v;
    enum hone_status status = hone_emu_place_variable(dev->priv, module, name, &v, err);
    if (status != HONE_OK) return status;
    if (!v)
        return hone_fail(err, HONE_ENOTFOUND, "the module has no variable '%s'", name);
    v->filled = true;
    *out = v->address;
    *bytes = v->bytes;
    return HONE_OK;
}

static bool emu_data_steers(const struct hone_device *dev,
                            const struct hone_module *module, size_t param)
{
    (void)dev;
    return module->steering >> (param < HONE_EMU_STEER_MAX ? param : HONE_EMU_STEER_MAX) &
           1;
}

// ---- memory ----

static enum hone_status emu_alloc(struct hone_device *dev, size_t bytes, hone_devptr *out,
                                  struct hone_error *err)
{
    struct hone_emu_device *device = dev->priv;
    return hone_emu_memory_alloc(&device->memory, bytes, out, err);
}

static void emu_free(struct hone_device *dev, hone_devptr ptr)
{
    struct hone_emu_device *device = dev->priv;
    hone_emu_memory_free(&device->memory, ptr);
}

static uint8_t *host_of(struct hone_device *dev, hone_devptr ptr, size_t bytes,
                        struct hone_error *err)
{
    struct hone_emu_device *device = dev->priv;
    uint8_t *p = hone_emu_memory_at(&device->memory, ptr, bytes);
    if (!p)
        hone_fail(err, HONE_EDEVICE, "%zu bytes at 0x%llx are not in one allocation",
                  bytes, (unsigned long long)ptr);
    return p;
}

// What is large goes in pieces, with a look for a cancel before each.
enum { PIECE_BYTES = 64 << 20 };

static enum hone_status check_cancel(const struct hone_device *dev,
                                     struct hone_error *err)
{
    if (!dev->cancel || !*dev->cancel) return HONE_OK;
    return hone_fail(err, HONE_ECANCELLED, "cancelled while data is copied");
}

static size_t piece_of(size_t bytes)
{
    return bytes < PIECE_BYTES ? bytes : PIECE_BYTES;
}

static enum hone_status emu_copy(struct hone_device *dev, enum hone_copy direction,
                                 hone_devptr ptr, void *host, size_t bytes,
                                 struct hone_error *err)
{
    uint8_t *p = host_of(dev, ptr, bytes, err);
    uint8_t *q = host;
    if (!p) return HONE_EDEVICE;
    enum hone_status status = HONE_OK;
    for (size_t n; bytes && (status = check_cancel(dev, err)) == HONE_OK; bytes -= n) {
        n = piece_of(bytes);
        if (direction == HONE_TO_DEVICE)
            memcpy(p, q, n);
        else
            memcpy(q, p, n);
        p += n;
        q += n;
    }
    return status;
}

static enum hone_status emu_fill(struct hone_device *dev, hone_devptr ptr, uint8_t byte,
                                 size_t bytes, struct hone_error *err)
{
    uint8_t *p = host_of(dev, ptr, bytes, err);
    if (!p) return HONE_EDEVICE;
    enum hone_status status = HONE_OK;
    for (size_t n; bytes && (status = check_cancel(dev, err)) == HONE_OK; bytes -= n) {
        n = piece_of(bytes);
        memset(p, byte, n);
        p += n;
    }
    return status;
}

static enum hone_status emu_encode_tensor_map(struct hone_device *dev,
                                              const struct hone_tensor_map *map,
                                              hone_devptr base, void *out,
                                              struct hone_error *err)
{
    char why[128];
    if (dev->limits.cc_major < 9)
        return hone_fail(err, HONE_EUNSUPPORTED,
                         "%s is of compute capability %d.%d, tensor maps need 9.0",
                         dev->id, (int)dev->limits.cc_major, (int)dev->limits.cc_minor);
    if (hone_map_encode(map, base, out, why, sizeof why)) return HONE_OK;
    return hone_fail(err, HONE_EDEVICE, "a tensor map has %s", why);
}

const struct hone_device_fns hone_device_emu = {
    .name = "emu",
    .description = "PTX emulator: runs kernels on the host, predicts times",
    .priv_size = sizeof(struct hone_emu_device),
    .open = emu_open,
    .close = emu_close,
    .load = emu_load,
    .unload = emu_unload,
    .estimate = hone_emu_estimate,
    .find_variable = emu_find_variable,
    .data_steers = emu_data_steers,
    .alloc = emu_alloc,
    .free = emu_free,
    .copy = emu_copy,
    .fill = emu_fill,
    .encode_tensor_map = emu_encode_tensor_map,
    .launch = hone_emu_launch_kernel,
    .time = hone_emu_predict_launch,
};
