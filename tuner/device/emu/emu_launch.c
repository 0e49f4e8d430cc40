// A launch: refuses what the driver would, fills the parameter bank and runs the blocks.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "clock.h"
#include "emu_device.h"

// Without a deadline a launch may take this long; a kernel that tunes in is done in
// milliseconds.
static const double default_deadline_s = 60.0;

bool hone_emu_refuse(struct hone_fault *fault, const char *format, ...)
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
            return hone_emu_refuse(fault, "%u blocks in grid %c, limit %lld",
                                   launch->grid[i], "xyz"[i], (long long)most[i]);
        if (n == 0 || n > (i < 2 ? 1024U : 64U))
            return hone_emu_refuse(fault, "%u threads in block %c", n, "xyz"[i]);
        if (required && n != required)
            return hone_emu_refuse(fault,
                                   "%u threads in block %c, the kernel requires %u", n,
                                   "xyz"[i], required);
        threads *= n;
        bound *= code->max_block[i];
    }
    if (threads > (uint64_t)limits->max_threads_per_block || (bound && threads > bound))
        return hone_emu_refuse(
            fault, "%llu threads a block, the kernel is built for %llu",
            (unsigned long long)threads,
            (unsigned long long)(bound ? bound
                                       : (uint64_t)limits->max_threads_per_block));
    uint64_t shared = code->dynamic_shared_at + launch->shared_bytes;
    if (shared > (uint64_t)limits->max_shared_bytes)
        return hone_emu_refuse(fault, "%llu bytes of shared memory a block, limit %lld",
                               (unsigned long long)shared,
                               (long long)limits->max_shared_bytes);
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
            return hone_emu_refuse(fault, "%zu arguments, the kernel takes more",
                                   launch->param_count);
        if (launch->param_sizes[i] != p->bytes)
            return hone_emu_refuse(fault,
                                   "argument %zu has %zu bytes, the kernel takes %llu", i,
                                   launch->param_sizes[i], (unsigned long long)p->bytes);
        memcpy(bank + p->address, launch->params[i], p->bytes);
    }
    if (i != launch->param_count)
        return hone_emu_refuse(fault, "%zu arguments, the kernel takes %zu",
                               launch->param_count, i);
    return true;
}

static double deadline_of(const struct hone_launch *launch)
{
    return hone_clock_seconds() +
           (launch->deadline_s > 0 ? launch->deadline_s : default_deadline_s);
}

enum hone_status hone_emu_run_begin(struct hone_emu_run *run, struct hone_device *dev,
                                    struct hone_module *module,
                                    const struct hone_launch *launch,
                                    struct hone_fault *fault, struct hone_error *err)
{
    struct hone_emu_device *device = dev->priv;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    run->launch = (struct hone_emu_launch){.code = &module->code,
                                           .memory = &device->memory,
                                           .shared_bytes = launch->shared_bytes,
                                           .budget = UINT64_MAX,
                                           .copy_time = device->copy_time,
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

void hone_emu_run_end(struct hone_emu_run *run)
{
    hone_emu_workspace_free(run->workspace);
    free(run->params);
}

// Blocks at the corners and in the middle: they see the edges of the data and its inside.
static bool is_sampled(const uint32_t *grid, const uint32_t *id)
{
    bool corner = true, middle = true;
    for (int i = 0; i < 3; i++) {
        corner = corner && (id[i] == 0 || id[i] == grid[i] - 1);
        middle = middle && id[i] == grid[i] / 2;
    }
    return corner || middle;
}

static void run_block(struct hone_emu_run *run, struct hone_emu_checker *checker,
                      const uint32_t *id, const struct hone_emu_isa *isa)
{
    run->launch.observer = NULL;
    if (checker && is_sampled(run->launch.grid, id)) {
        hone_emu_checker_begin(checker);
        run->launch.observer = hone_emu_checker_observer(checker);
    }
    hone_emu_run_block(run->workspace, id, isa);
}

static void run_all_blocks(struct hone_emu_run *run, struct hone_emu_checker *checker,
                           const struct hone_emu_isa *isa)
{
    const uint32_t *grid = run->launch.grid;
    uint32_t id[3];
    for (id[2] = 0; id[2] < grid[2]; id[2]++)
        for (id[1] = 0; id[1] < grid[1]; id[1]++)
            for (id[0] = 0; id[0] < grid[0] && !run->launch.faulted; id[0]++)
                run_block(run, checker, id, isa);
}

enum hone_status hone_emu_launch_kernel(struct hone_device *dev,
                                        struct hone_module *module,
                                        const struct hone_launch *launch,
                                        struct hone_fault *fault, struct hone_error *err)
{
    struct hone_emu_device *device = dev->priv;
    struct hone_emu_run run = {0};
    struct hone_emu_checker *checker = NULL;
    enum hone_status status = hone_emu_run_begin(&run, dev, module, launch, fault, err);
    bool ready = status == HONE_OK && fault->outcome == HONE_VALID;
    if (ready && launch->check) status = hone_emu_checker_new(&checker, &run.launch, err);
    if (ready && status == HONE_OK) run_all_blocks(&run, checker, device->isa);
    hone_emu_checker_free(checker);
    hone_emu_run_end(&run);
    return status;
}
