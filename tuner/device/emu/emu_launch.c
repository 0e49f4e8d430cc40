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
                                           .print = launch->print,
                                           .print_context = launch->print_context,
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

// ---- which blocks are watched ----

// All of a small grid. Of a large one those at corners, at the middle of edges and in the
// middle, which see the edges of the data and its inside, each with a neighbour; a line
// of blocks may walk a plane, so it is sampled at equal steps too.
enum { WATCH_ALL = 16, LINE_STEPS = 8 };

static bool is_sampled_on(uint32_t n, uint32_t i)
{
    return i == 0 || i == n - 1 || i == n / 2 || i == n / 2 + 1;
}

static bool is_watched(const uint32_t *grid, const uint32_t *id)
{
    if ((uint64_t)grid[0] * grid[1] * grid[2] <= WATCH_ALL) return true;
    if (grid[1] == 1 && grid[2] == 1 && id[0] % (grid[0] / LINE_STEPS) == 0) return true;
    for (int i = 0; i < 3; i++)
        if (!is_sampled_on(grid[i], id[i])) return false;
    return true;
}

struct watch {
    struct hone_emu_checks *checks;
    struct hone_emu_checker *checker;
};

static enum hone_status watch_begin(struct watch *watch,
                                    const struct hone_emu_launch *launch,
                                    struct hone_error *err)
{
    enum hone_status status = hone_emu_checks_new(&watch->checks, launch, err);
    if (status != HONE_OK) return status;
    return hone_emu_checker_new(&watch->checker, watch->checks, err);
}

static void watch_end(struct watch *watch)
{
    hone_emu_checker_free(watch->checker);
    hone_emu_checks_free(watch->checks);
}

// ---- blocks ----

static enum hone_status run_block(struct hone_emu_run *run, struct watch *watch,
                                  const uint32_t *id, const struct hone_emu_isa *isa,
                                  struct hone_error *err)
{
    run->launch.observer = NULL;
    if (watch->checker && is_watched(run->launch.grid, id)) {
        enum hone_status status = hone_emu_checker_begin(watch->checker, id, err);
        if (status != HONE_OK) return status;
        run->launch.observer = hone_emu_checker_observer(watch->checker);
    }
    hone_emu_run_block(run->workspace, id, isa);
    return HONE_OK;
}

static enum hone_status run_all_blocks(struct hone_emu_run *run, struct watch *watch,
                                       const struct hone_emu_isa *isa,
                                       struct hone_error *err)
{
    const uint32_t *grid = run->launch.grid;
    enum hone_status status = HONE_OK;
    uint32_t id[3];
    for (id[2] = 0; id[2] < grid[2]; id[2]++)
        for (id[1] = 0; id[1] < grid[1]; id[1]++)
            for (id[0] = 0; id[0] < grid[0]; id[0]++) {
                if (run->launch.faulted || status != HONE_OK) return status;
                status = run_block(run, watch, id, isa, err);
            }
    return status;
}

enum hone_status hone_emu_launch_kernel(struct hone_device *dev,
                                        struct hone_module *module,
                                        const struct hone_launch *launch,
                                        struct hone_fault *fault, struct hone_error *err)
{
    struct hone_emu_device *device = dev->priv;
    struct hone_emu_run run = {0};
    struct watch watch = {0};
    enum hone_status status = hone_emu_run_begin(&run, dev, module, launch, fault, err);
    bool ready = status == HONE_OK && fault->outcome == HONE_VALID;
    if (ready && launch->check) status = watch_begin(&watch, &run.launch, err);
    if (ready && status == HONE_OK)
        status = run_all_blocks(&run, &watch, device->isa, err);
    watch_end(&watch);
    hone_emu_run_end(&run);
    return status;
}
