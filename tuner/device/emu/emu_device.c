// The device emu:GPU: loads the PTX of a build, runs launches on the host and predicts how long the
// named GPU would take.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "emu.h"
#include "emu_exec.h"
#include "emu_model.h"
#include "gpu_table.h"
#include "strbuf.h"

// Without a deadline a launch may take this long; a kernel that tunes in is done in milliseconds.
static const double default_deadline_s = 60.0;

struct device {
    struct hone_gpu gpu;
    struct hone_emu_memory memory;
    const struct hone_emu_isa *isa;
};

struct hone_module {
    struct ptx_module ptx;
    struct hone_emu_code code;
    struct hone_resources resources;
};

const char *hone_emu_name(size_t i)
{
    return hone_gpu_name(i);
}

static enum hone_status unknown_gpu(const char *spec, struct hone_error *err)
{
    struct hone_strbuf names = HONE_STRBUF_INIT;
    for (size_t i = 0; hone_gpu_name(i); i++)
        hone_strbuf_printf(&names, "%s%s", i ? ", " : "", hone_gpu_name(i));
    hone_fail(err, HONE_EUSAGE, "no GPU '%s' to emulate; there are %s", spec, names.data);
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
    struct device *device = dev->priv;
    if (!hone_gpu_find(&device->gpu, spec)) return unknown_gpu(spec, err);
    dev->limits = device->gpu.limits;
    dev->clock = HONE_CLOCK_EMULATED;
    snprintf(dev->id, sizeof dev->id, "emu:%s", device->gpu.name);
    snprintf(dev->driver, sizeof dev->driver, "emulator 1");
    device->isa = hone_emu_isa_best();
    return hone_emu_memory_init(&device->memory, err);
}

static void emu_close(struct hone_device *dev)
{
    struct device *device = dev->priv;
    hone_emu_memory_fini(&device->memory);
}

bool hone_emu_set_executor(struct hone_device *dev, const char *name)
{
    struct device *device = dev->priv;
    const struct hone_emu_isa *isa = hone_emu_isa_find(name);
    if (isa) device->isa = isa;
    return isa != NULL;
}

// ---- modules ----

static void free_variables(struct device *device, struct hone_module *module)
{
    for (struct ptx_variable *v = module->ptx.variables; v; v = v->next)
        if ((v->space == PTX_GLOBAL || v->space == PTX_CONST) && v->address)
            hone_emu_memory_free(&device->memory, v->address);
}

static enum hone_status place_variables(struct device *device, struct hone_module *module,
                                        struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (struct ptx_variable *v = module->ptx.variables; v && status == HONE_OK;
         v = v->next) {
        if (v->space != PTX_GLOBAL && v->space != PTX_CONST) continue;
        status = hone_emu_memory_alloc(&device->memory, v->bytes, &v->address, err);
        if (status == HONE_OK && v->init)
            memcpy(hone_emu_memory_host(&device->memory, v->address), v->init, v->bytes);
    }
    for (struct ptx_variable *v = module->ptx.variables; v && status == HONE_OK;
         v = v->next) {
        for (size_t k = 0; k < v->relocation_count; k++) {
            const struct ptx_relocation *r = &v->relocations[k];
            uint64_t address = r->target->address + (uint64_t)r->addend;
            memcpy(hone_emu_memory_host(&device->memory, v->address) + r->offset,
                   &address, 8);
        }
        if (v->space == PTX_CONST) hone_emu_memory_protect(&device->memory, v->address);
    }
    return status;
}

static uint64_t align_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

// Shared and local variables one after another, in the order of the text; extern arrays share the
// place behind the static ones.
static void place_frames(struct ptx_module *ptx, struct hone_emu_code *code)
{
    struct ptx_variable *const lists[] = {ptx->variables, ptx->kernel->variables};
    uint64_t dynamic_align = 16;
    for (size_t k = 0; k < 2; k++) {
        for (struct ptx_variable *v = lists[k]; v; v = v->next) {
            uint64_t *bytes = v->space == PTX_SHARED  ? &code->static_shared_bytes
                              : v->space == PTX_LOCAL ? &code->local_bytes
                                                      : NULL;
            if (bytes && v->space == PTX_SHARED && v->bytes == 0) {
                if (v->align > dynamic_align) dynamic_align = v->align;
            } else if (bytes) {
                v->address = align_up(*bytes, v->align);
                *bytes = v->address + v->bytes;
            }
        }
    }
    code->local_bytes = align_up(code->local_bytes, 16);
    code->dynamic_shared_at = align_up(code->static_shared_bytes, dynamic_align);
    code->param_bytes = ptx->kernel->param_bytes;
    for (size_t k = 0; k < 2; k++)
        for (struct ptx_variable *v = lists[k]; v; v = v->next)
            if (v->space == PTX_SHARED && v->bytes == 0)
                v->address = code->dynamic_shared_at;
}

static enum hone_status prepare(struct device *device, struct hone_module *module,
                                const struct hone_build *build, const char *entry,
                                struct hone_error *err)
{
    enum hone_status status =
        ptx_parse(&module->ptx, build->ptx, build->ptx_size, entry, err);
    if (status == HONE_OK) status = place_variables(device, module, err);
    if (status != HONE_OK) return status;
    place_frames(&module->ptx, &module->code);
    status = hone_emu_decode(&module->code, &module->ptx, device->isa->handlers, err);
    if (status == HONE_OK) status = hone_emu_place_registers(&module->code, err);
    return status;
}

static void emu_unload(struct hone_device *dev, struct hone_module *module)
{
    if (!module) return;
    free_variables(dev->priv, module);
    ptx_module_fini(&module->ptx);
    free(module);
}

static enum hone_status emu_load(struct hone_device *dev, const struct hone_build *build,
                                 const char *entry, struct hone_module **out,
                                 struct hone_fault *fault, struct hone_error *err)
{
    struct hone_error why = {0};
    *out = NULL;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    struct hone_module *module = calloc(1, sizeof *module);
    if (!module) return hone_fail(err, HONE_ENOMEM, "out of memory");
    enum hone_status status = prepare(dev->priv, module, build, entry, &why);
    if (status == HONE_OK) {
        module->resources = build->resources;
        *out = module;
        return HONE_OK;
    }
    emu_unload(dev, module);
    if (status == HONE_ENOMEM || status == HONE_ELIMIT || status == HONE_ENOTFOUND)
        return hone_fail(err, status, "%s", why.text);
    fault->outcome = status == HONE_EUNSUPPORTED ? HONE_UNSUPPORTED : HONE_LAUNCH_FAILED;
    if (status == HONE_EUNSUPPORTED)
        snprintf(fault->reason, sizeof fault->reason, "%.180s", why.text);
    else
        snprintf(fault->reason, sizeof fault->reason, "bad PTX, line %d: %.150s",
                 why.line, why.text);
    return HONE_OK;
}

// ---- memory ----

static enum hone_status emu_alloc(struct hone_device *dev, size_t bytes, hone_devptr *out,
                                  struct hone_error *err)
{
    struct device *device = dev->priv;
    return hone_emu_memory_alloc(&device->memory, bytes, out, err);
}

static void emu_free(struct hone_device *dev, hone_devptr ptr)
{
    struct device *device = dev->priv;
    hone_emu_memory_free(&device->memory, ptr);
}

static uint8_t *host_of(struct hone_device *dev, hone_devptr ptr, size_t bytes,
                        struct hone_error *err)
{
    struct device *device = dev->priv;
    uint8_t *p = hone_emu_memory_at(&device->memory, ptr, bytes);
    if (!p)
        hone_fail(err, HONE_EDEVICE, "%zu bytes at 0x%llx are not in one allocation",
                  bytes, (unsigned long long)ptr);
    return p;
}

static enum hone_status emu_copy(struct hone_device *dev, enum hone_copy direction,
                                 hone_devptr ptr, void *host, size_t bytes,
                                 struct hone_error *err)
{
    uint8_t *p = host_of(dev, ptr, bytes, err);
    if (!p) return HONE_EDEVICE;
    if (bytes && direction == HONE_TO_DEVICE)
        memcpy(p, host, bytes);
    else if (bytes)
        memcpy(host, p, bytes);
    return HONE_OK;
}

static enum hone_status emu_fill(struct hone_device *dev, hone_devptr ptr, uint8_t byte,
                                 size_t bytes, struct hone_error *err)
{
    uint8_t *p = host_of(dev, ptr, bytes, err);
    if (!p) return HONE_EDEVICE;
    if (bytes) memset(p, byte, bytes);
    return HONE_OK;
}

// ---- launches ----

static bool refuse(struct hone_fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse(struct hone_fault *fault, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(fault->reason, sizeof fault->reason, format, args);
    va_end(args);
    fault->outcome = HONE_LAUNCH_FAILED;
    return false;
}

// What the driver would refuse at launch.
static bool check_geometry(const struct hone_limits *limits,
                           const struct hone_emu_code *code,
                           const struct hone_launch *launch, struct hone_fault *fault)
{
    const int64_t most[3] = {limits->max_grid_x, limits->max_grid_y, limits->max_grid_z};
    uint64_t threads = 1, bound = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t n = launch->block[i], required = code->required_block[i];
        if (launch->grid[i] == 0 || launch->grid[i] > most[i])
            return refuse(fault, "%u blocks in grid %c, limit %lld", launch->grid[i],
                          "xyz"[i], (long long)most[i]);
        if (n == 0 || n > (i < 2 ? 1024U : 64U))
            return refuse(fault, "%u threads in block %c", n, "xyz"[i]);
        if (required && n != required)
            return refuse(fault, "%u threads in block %c, the kernel requires %u", n,
                          "xyz"[i], required);
        threads *= n;
        bound *= code->max_block[i];
    }
    if (threads > (uint64_t)limits->max_threads_per_block || (bound && threads > bound))
        return refuse(
            fault, "%llu threads a block, the kernel is built for %llu",
            (unsigned long long)threads,
            (unsigned long long)(bound ? bound
                                       : (uint64_t)limits->max_threads_per_block));
    uint64_t shared = code->dynamic_shared_at + launch->shared_bytes;
    if (shared > (uint64_t)limits->max_shared_bytes)
        return refuse(fault, "%llu bytes of shared memory a block, limit %lld",
                      (unsigned long long)shared, (long long)limits->max_shared_bytes);
    return true;
}

// The parameter bank; false when the arguments are not what the kernel takes.
static bool fill_params(const struct hone_module *module,
                        const struct hone_launch *launch, uint8_t *bank,
                        struct hone_fault *fault)
{
    size_t i = 0;
    for (const struct ptx_variable *p = module->ptx.kernel->params; p; p = p->next, i++) {
        if (i == launch->param_count)
            return refuse(fault, "%zu arguments, the kernel takes more",
                          launch->param_count);
        if (launch->param_sizes[i] != p->bytes)
            return refuse(fault, "argument %zu has %zu bytes, the kernel takes %llu", i,
                          launch->param_sizes[i], (unsigned long long)p->bytes);
        memcpy(bank + p->address, launch->params[i], p->bytes);
    }
    if (i != launch->param_count)
        return refuse(fault, "%zu arguments, the kernel takes %zu", launch->param_count,
                      i);
    return true;
}

static double deadline_of(const struct hone_launch *launch)
{
    return hone_clock_seconds() +
           (launch->deadline_s > 0 ? launch->deadline_s : default_deadline_s);
}

struct run {
    struct hone_emu_launch launch;
    struct hone_emu_workspace *workspace;
    uint8_t *params;
};

// On a fault run holds no workspace; run_end is due in every case.
static enum hone_status run_begin(struct run *run, struct hone_device *dev,
                                  struct hone_module *module,
                                  const struct hone_launch *launch,
                                  struct hone_fault *fault, struct hone_error *err)
{
    struct device *device = dev->priv;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    run->launch = (struct hone_emu_launch){.code = &module->code,
                                           .memory = &device->memory,
                                           .shared_bytes = launch->shared_bytes,
                                           .budget = UINT64_MAX,
                                           .deadline = deadline_of(launch),
                                           .fault = fault};
    memcpy(run->launch.grid, launch->grid, sizeof launch->grid);
    memcpy(run->launch.block, launch->block, sizeof launch->block);
    if (!check_geometry(&dev->limits, &module->code, launch, fault)) return HONE_OK;
    run->params = calloc(1, module->code.param_bytes + 64);
    if (!run->params) return hone_fail(err, HONE_ENOMEM, "out of memory");
    run->launch.params = run->params;
    if (!fill_params(module, launch, run->params, fault)) return HONE_OK;
    return hone_emu_workspace_new(&run->workspace, &run->launch, err);
}

static void run_end(struct run *run)
{
    hone_emu_workspace_free(run->workspace);
    free(run->params);
}

static void run_all_blocks(struct run *run, const struct hone_emu_isa *isa)
{
    const uint32_t *grid = run->launch.grid;
    uint32_t id[3];
    for (id[2] = 0; id[2] < grid[2]; id[2]++)
        for (id[1] = 0; id[1] < grid[1]; id[1]++)
            for (id[0] = 0; id[0] < grid[0] && !run->launch.faulted; id[0]++)
                hone_emu_run_block(run->workspace, id, isa);
}

static enum hone_status emu_launch(struct hone_device *dev, struct hone_module *module,
                                   const struct hone_launch *launch,
                                   struct hone_fault *fault, struct hone_error *err)
{
    struct device *device = dev->priv;
    struct run run = {0};
    enum hone_status status = run_begin(&run, dev, module, launch, fault, err);
    if (status == HONE_OK && fault->outcome == HONE_VALID)
        run_all_blocks(&run, device->isa);
    run_end(&run);
    return status;
}

// ---- prediction ----

// Run and count one block, without lasting effect.
static enum hone_status count_block(struct run *run, struct hone_emu_counter *counter,
                                    const uint32_t id[3], const struct hone_emu_isa *isa,
                                    struct hone_emu_counts *out, struct hone_error *err)
{
    run->launch.observer = hone_emu_counter_observer(counter);
    hone_emu_run_block(run->workspace, id, isa);
    run->launch.observer = NULL;
    return hone_emu_counter_take(counter, out, err);
}

// The part of its reads that the neighbour of block id along an axis shares with it; 0 without one.
static enum hone_status count_neighbour(struct run *run, struct hone_emu_counter *counter,
                                        const uint32_t id[3], unsigned axis,
                                        const struct hone_emu_isa *isa, double *out,
                                        struct hone_error *err)
{
    uint32_t next[3] = {id[0], id[1], id[2]};
    struct hone_emu_counts counts;
    *out = 0.0;
    if (run->launch.grid[axis] < 2) return HONE_OK;
    next[axis] = id[axis] + 1 < run->launch.grid[axis] ? id[axis] + 1 : id[axis] - 1;
    enum hone_status status = count_block(run, counter, next, isa, &counts, err);
    if (counts.load_sectors > 0) *out = counts.common_sectors / counts.load_sectors;
    return status;
}

static void add_metric(struct hone_timing *timing, const char *name, double value)
{
    if (timing->metric_count < HONE_METRIC_MAX)
        timing->metrics[timing->metric_count++] = (struct hone_metric){name, value};
}

static void report(struct hone_timing *timing, const struct hone_emu_counts *counts,
                   const struct hone_emu_shape *shape,
                   const struct hone_emu_prediction *prediction)
{
    static const struct {
        enum hone_emu_class class;
        const char *metric;
    } classes[] = {
        {HONE_EMU_FP32, "fp32_per_block"},      {HONE_EMU_FP64, "fp64_per_block"},
        {HONE_EMU_INT, "int_per_block"},        {HONE_EMU_SFU, "sfu_per_block"},
        {HONE_EMU_SHARED, "shared_per_block"},  {HONE_EMU_GLOBAL, "global_per_block"},
        {HONE_EMU_CONTROL, "control_per_block"}};
    timing->predicted_us = prediction->time_us;
    add_metric(timing, "issued_per_block", counts->issued);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        add_metric(timing, classes[i].metric, counts->by_class[classes[i].class]);
    add_metric(timing, "shared_wavefronts", counts->shared_wavefronts);
    add_metric(timing, "global_sectors", counts->global_sectors);
    add_metric(timing, "load_bytes", counts->load_bytes);
    add_metric(timing, "store_bytes", counts->store_bytes);
    add_metric(timing, "barriers", counts->barriers);
    add_metric(timing, "path_cycles", counts->path_cycles);
    add_metric(timing, "pipe_cycles", prediction->pipe_cycles);
    add_metric(timing, "blocks_per_sm", shape->blocks_per_sm);
    add_metric(timing, "dram_bytes", prediction->dram_bytes);
    add_metric(timing, "sm_us", prediction->sm_us);
    add_metric(timing, "l2_us", prediction->l2_us);
    add_metric(timing, "dram_us", prediction->dram_us);
}

static enum hone_status predict(struct run *run, struct device *device,
                                struct hone_emu_shape *shape, struct hone_timing *out,
                                struct hone_error *err)
{
    struct hone_emu_counter *counter = NULL;
    struct hone_emu_counts counts;
    struct hone_emu_prediction prediction;
    uint32_t id[3];
    for (int i = 0; i < 3; i++)
        id[i] = run->launch.grid[i] / 2;
    enum hone_status status =
        hone_emu_counter_new(&counter, run->launch.code, &device->memory, err);
    if (status == HONE_OK)
        status = count_block(run, counter, id, device->isa, &counts, err);
    if (status == HONE_OK && !run->launch.faulted)
        status = count_neighbour(run, counter, id, 0, device->isa, &shape->common_x, err);
    if (status == HONE_OK && !run->launch.faulted)
        status = count_neighbour(run, counter, id, 1, device->isa, &shape->common_y, err);
    hone_emu_counter_free(counter);
    if (status != HONE_OK || run->launch.faulted) return status;
    hone_emu_predict(&prediction, &counts, shape, &device->gpu);
    report(out, &counts, shape, &prediction);
    return HONE_OK;
}

static enum hone_status emu_time(struct hone_device *dev, struct hone_module *module,
                                 const struct hone_launch *launch,
                                 const struct hone_time_policy *policy,
                                 struct hone_timing *out, struct hone_fault *fault,
                                 struct hone_error *err)
{
    struct run run = {0};
    (void)policy; // a prediction has no samples
    *out = (struct hone_timing){.clock = HONE_CLOCK_EMULATED,
                                .time_us = (double)NAN,
                                .predicted_us = (double)NAN,
                                .rel_std = (double)NAN};
    enum hone_status status = run_begin(&run, dev, module, launch, fault, err);
    struct hone_emu_shape shape = {
        .blocks_per_sm =
            hone_occupancy(&dev->limits, &module->resources,
                           launch->block[0] * launch->block[1] * launch->block[2],
                           launch->shared_bytes)};
    memcpy(shape.grid, launch->grid, sizeof shape.grid);
    if (status == HONE_OK && fault->outcome == HONE_VALID && shape.blocks_per_sm == 0)
        refuse(fault, "not one block fits a multiprocessor");
    if (status == HONE_OK && fault->outcome == HONE_VALID)
        status = predict(&run, dev->priv, &shape, out, err);
    run_end(&run);
    return status;
}

const struct hone_device_fns hone_device_emu = {
    .name = "emu",
    .description = "PTX emulator: runs kernels on the host, predicts times",
    .priv_size = sizeof(struct device),
    .open = emu_open,
    .close = emu_close,
    .load = emu_load,
    .unload = emu_unload,
    .alloc = emu_alloc,
    .free = emu_free,
    .copy = emu_copy,
    .fill = emu_fill,
    .launch = emu_launch,
    .time = emu_time,
};
