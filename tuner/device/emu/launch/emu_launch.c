// A launch: refuses what the driver would, fills the parameter bank and runs the blocks.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "base/clock.h"
#include "emu_device.h"
#include "estimate.h"
#include "watch/check.h"
#include "watch/far.h"
#include "watch/fidelity.h"
#include "watch/judge.h"

// A launch may not execute more warp instructions, however fast the machine is.
static const uint64_t most_instructions = UINT64_C(1) << 33;

bool hone_emu_refuse(struct hone_fault *fault, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hone_vsnprintf(fault->reason, sizeof fault->reason, format, args);
    va_end(args);
    fault->outcome = HONE_LAUNCH_FAILED;
    return false;
}

// They are given out by eights.
static uint32_t round_registers(uint32_t each)
{
    return (each + 7) / 8 * 8;
}

static bool check_registers(const struct hone_limits *limits, int32_t registers,
                            uint64_t threads, struct hone_fault *fault)
{
    const uint64_t each = registers > 0 ? round_registers((uint32_t)registers) : 0;
    if (each * threads <= (uint64_t)limits->registers_per_block) return true;
    return hone_emu_refuse(fault, "%llu threads of %d registers, a block has %lld",
                           (unsigned long long)threads, registers,
                           (long long)limits->registers_per_block);
}

// Registers of a thread at launch, if setmaxnreg moves them: ptxas ignores it (C7508)
// where neither .maxnreg nor a number of blocks and of their threads fixes them.
static uint32_t movable_registers(const struct hone_module *module)
{
    const struct ptx_bounds *bounds = &module->code.bounds;
    const int32_t registers = module->resources.registers;
    const bool sized = bounds->max_block[0] || bounds->required_block[0];
    const bool fixed = bounds->registers || (bounds->blocks_per_sm && sized);
    return fixed && registers > 0 ? round_registers((uint32_t)registers) : 0;
}

// What the driver would refuse at launch.
static bool check_geometry(const struct hone_limits *limits,
                           const struct hone_module *module,
                           const struct hone_launch *launch, struct hone_fault *fault)
{
    const struct hone_emu_code *code = &module->code;
    const int64_t most[3] = {limits->max_grid_x, limits->max_grid_y, limits->max_grid_z};
    uint64_t threads = 1, bound = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t n = launch->block[i], required = code->bounds.required_block[i];
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
        bound *= code->bounds.max_block[i];
    }
    if (threads > (uint64_t)limits->max_threads_per_block || (bound && threads > bound))
        return hone_emu_refuse(
            fault, "%llu threads a block, the kernel is built for %llu",
            (unsigned long long)threads,
            (unsigned long long)(bound ? bound
                                       : (uint64_t)limits->max_threads_per_block));
    uint64_t shared =
        code->dynamic_shared_at + launch->shared_bytes - code->reserved_shared_bytes;
    if (shared > (uint64_t)limits->max_shared_bytes)
        return hone_emu_refuse(fault, "%llu bytes of shared memory a block, limit %lld",
                               (unsigned long long)shared,
                               (long long)limits->max_shared_bytes);
    return check_registers(limits, module->resources.registers, threads, fault);
}

// Blocks of the launch that run at once on a multiprocessor.
static int resident_blocks(const struct hone_device *dev,
                           const struct hone_module *module,
                           const struct hone_launch *launch)
{
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    return hone_occupancy(&dev->limits, &module->resources, threads,
                          launch->shared_bytes);
}

// What is not plain of the launch: false where the device cannot do it, or the kernel
// says otherwise.
static bool set_kinds(struct hone_emu_launch *launch, const struct hone_device *dev,
                      const struct hone_module *module, const struct hone_launch *asked,
                      struct hone_fault *fault)
{
    const struct ptx_bounds *bounds = &launch->code->bounds;
    const struct hone_cluster_rules rules = {
        .size = {bounds->cluster[0], bounds->cluster[1], bounds->cluster[2]},
        .most = bounds->most_in_cluster,
        .wanted = bounds->explicit_cluster};
    struct hone_geometry geometry = {.shared_bytes = asked->shared_bytes,
                                     .flags = asked->flags};
    memcpy(geometry.grid, asked->grid, sizeof geometry.grid);
    memcpy(geometry.cluster, asked->cluster, sizeof geometry.cluster);
    enum hone_outcome outcome = hone_cluster_find(launch->cluster, &rules, &dev->limits,
                                                  &geometry, fault->reason);
    launch->explicit_cluster = bounds->cluster[0] > 0 ||
                               (bounds->explicit_cluster && asked->cluster[0] > 0) ||
                               hone_emu_cluster_size(launch) > 1;
    if (outcome == HONE_VALID)
        outcome = hone_launch_flags_check(
            &dev->limits, &geometry, resident_blocks(dev, module, asked), fault->reason);
    fault->outcome = outcome;
    return outcome == HONE_VALID;
}

static bool runs_lanes_apart(const struct hone_launch *launch)
{
    return launch->order == HONE_ORDER_LANES ||
           launch->order == HONE_ORDER_LANES_REVERSED;
}

static bool turns_blocks(const struct hone_launch *launch)
{
    return launch->order == HONE_ORDER_REVERSED || launch->order == HONE_ORDER_BLOCKS ||
           launch->order == HONE_ORDER_LANES_REVERSED;
}

// Instructions of the same launch in the usual order; 0: this is it, or they are not
// known.
static uint64_t usual_instructions(const struct hone_launch *launch)
{
    const bool other = runs_lanes_apart(launch) || turns_blocks(launch);
    return launch->report && other ? launch->report->executed : 0;
}

// Lanes that run apart take up to 32 times as many, and some to spin in, as blocks do
// that are turned.
static uint64_t budget_of(const struct hone_launch *launch)
{
    enum { TIMES = 64, LANES_SPIN = 1 << 26, BLOCKS_SPIN = 1 << 24 };
    const uint64_t usual = usual_instructions(launch);
    const uint64_t spins = runs_lanes_apart(launch) ? LANES_SPIN : BLOCKS_SPIN;
    if (usual == 0 || usual > (most_instructions - spins) / TIMES)
        return most_instructions;
    return usual * TIMES + spins;
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

// How many blocks run at once on the GPU: one at least, though a caller that did not ask
// may launch what does not fit.
static uint32_t window_of(const struct hone_device *dev, const struct hone_module *module,
                          const struct hone_launch *launch)
{
    const int each = resident_blocks(dev, module, launch);
    const int64_t all = (each > 0 ? each : 1) * dev->limits.sm_count;
    return all > UINT32_MAX ? UINT32_MAX : (uint32_t)all;
}

// What grid.sync() finds by its special registers: a zeroed word that blocks count
// themselves in. They must all be there at once, as a cooperative launch sees to.
static enum hone_status make_grid_workspace(struct hone_emu_run *run,
                                            const struct hone_module *module,
                                            const struct hone_launch *launch,
                                            struct hone_fault *fault,
                                            struct hone_error *err)
{
    if (!module->ptx.syncs_grid) return HONE_OK;
    if (!(launch->flags & HONE_LAUNCH_COOPERATIVE)) {
        hone_emu_refuse(fault, "grid.sync() needs a cooperative launch, this one is not: "
                               "launch = { cooperative = true, ... }");
        return HONE_OK;
    }
    return hone_emu_memory_alloc(run->launch.memory, HONE_EMU_GRID_WORKSPACE,
                                 &run->launch.grid_workspace, err);
}

// The kernel's share of device memory, for as long as the run lasts.
static bool narrow_memory(struct hone_emu_run *run, const struct hone_launch *launch)
{
    struct hone_emu_memory *memory = run->launch.memory;
    if (launch->extent_count == 0 || memory->count == 0) return true;
    run->ranges = malloc(memory->count * sizeof *run->ranges);
    if (!run->ranges) return false;
    memcpy(run->ranges, memory->ranges, memory->count * sizeof *run->ranges);
    for (size_t i = 0; i < launch->extent_count; i++)
        hone_emu_memory_narrow(memory, launch->extents[i].base, launch->extents[i].bytes);
    return true;
}

// Without a deadline a launch may take a minute; a kernel that tunes is done in
// milliseconds.
double hone_emu_deadline(const struct hone_launch *launch)
{
    return launch->deadline_s > 0 ? launch->deadline_s : 60.0;
}

static enum hone_emu_copy_time copy_time_of(const struct hone_emu_device *device,
                                            const struct hone_launch *launch)
{
    if (launch->order == HONE_ORDER_LATE_COPIES) return HONE_EMU_COPY_LAZY;
    if (launch->order == HONE_ORDER_DRAWN_COPIES) return HONE_EMU_COPY_RANDOM;
    return device->copy_time;
}

static struct hone_emu_launch emu_launch_of(struct hone_device *dev,
                                            struct hone_module *module,
                                            const struct hone_launch *launch,
                                            struct hone_fault *fault)
{
    struct hone_emu_device *device = dev->priv;
    struct hone_emu_launch out = {
        .code = &module->code,
        .fresh = module->ran ? NULL : module->ptx.variables,
        .memory = &device->memory,
        .shared_bytes = launch->shared_bytes,
        .registers = movable_registers(module),
        .budget = budget_of(launch),
        .copy_time = copy_time_of(device, launch),
        .seed = launch->seed,
        .reversed = device->reversed || launch->order == HONE_ORDER_REVERSED ||
                    launch->order == HONE_ORDER_LANES_REVERSED,
        .turned = turns_blocks(launch),
        // lanes that run apart do so in both orders of each pair
        .woven = turns_blocks(launch) && !runs_lanes_apart(launch) &&
                 hone_emu_is_woven(&module->code),
        .scattered = device->scattered || runs_lanes_apart(launch),
        .usual = runs_lanes_apart(launch) ? usual_instructions(launch) : 0,
        .reversed_lanes = launch->order == HONE_ORDER_LANES_REVERSED,
        .seconds = hone_emu_deadline(launch),
        .ends_early = launch->ends_early,
        .deadline = hone_clock_thread_seconds() + hone_emu_deadline(launch),
        .look_at = hone_clock_seconds() + hone_emu_deadline(launch),
        .cancel = dev->cancel,
        .asked = launch,
        .print = launch->print,
        .print_context = launch->print_context,
        .fault = fault};
    memcpy(out.grid, launch->grid, sizeof launch->grid);
    memcpy(out.block, launch->block, sizeof launch->block);
    return out;
}

enum hone_status hone_emu_run_begin(struct hone_emu_run *run, struct hone_device *dev,
                                    struct hone_module *module,
                                    const struct hone_launch *launch,
                                    struct hone_fault *fault, struct hone_error *err)
{
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    run->launch = emu_launch_of(dev, module, launch, fault);
    if (!check_geometry(&dev->limits, module, launch, fault) ||
        !set_kinds(&run->launch, dev, module, launch, fault))
        return HONE_OK;
    enum hone_status status = make_grid_workspace(run, module, launch, fault, err);
    if (status != HONE_OK || fault->outcome != HONE_VALID) return status;
    run->params = calloc(1, module->code.param_bytes + 64);
    run->launch.loops = calloc(module->code.count, sizeof *run->launch.loops);
    if (!run->params || !run->launch.loops || !narrow_memory(run, launch))
        return hone_no_memory(err, "for a launch");
    run->launch.params = run->params;
    if (!fill_params(module, launch, run->params, fault)) return HONE_OK;
    return hone_emu_workspace_new(&run->workspace, &run->launch, err);
}

enum hone_status hone_emu_cancelled(const struct hone_emu_run *run,
                                    struct hone_error *err)
{
    if (!run->launch.cancelled) return HONE_OK;
    return hone_fail(err, HONE_ECANCELLED, "the launch was cancelled");
}

void hone_emu_run_end(struct hone_emu_run *run)
{
    if (run->ranges)
        memcpy(run->launch.memory->ranges, run->ranges,
               run->launch.memory->count * sizeof *run->ranges);
    if (run->launch.grid_workspace)
        hone_emu_memory_free(run->launch.memory, run->launch.grid_workspace);
    hone_emu_workspace_free(run->workspace);
    free(run->ranges);
    free(run->launch.loops);
    free(run->params);
}

static void note_unset(struct hone_launch_report *out, const char *name)
{
    if (name && !out->unset[0])
        snprintf(out->unset, sizeof out->unset, "%.*s", (int)sizeof out->unset - 1, name);
}

static void report(struct hone_launch_report *out, const struct hone_emu_code *code,
                   const struct hone_emu_checks *checks)
{
    out->varies = true;
    out->copies = hone_emu_has_copies(code);
    out->units = hone_emu_has_async(code);
    out->waits = hone_emu_may_wait(code);
    out->weaves = hone_emu_is_woven(code);
    if (checks) {
        const uint64_t written = hone_emu_checks_shared_written(checks);
        out->reached |= hone_emu_checks_reached(checks);
        if (written > out->shared_written) out->shared_written = written;
        note_unset(out, hone_emu_checks_unset(checks));
    }
    hone_emu_describe_fidelity(out->fidelity, sizeof out->fidelity, code, out->reached);
}

enum hone_status hone_emu_launch_once(struct hone_device *dev, struct hone_module *module,
                                      const struct hone_launch *launch,
                                      struct hone_emu_judge *judge,
                                      struct hone_emu_far *far, struct hone_fault *fault,
                                      struct hone_error *err)
{
    struct hone_emu_device *device = dev->priv;
    struct hone_emu_run run = {0};
    struct hone_emu_checks *checks = NULL;
    enum hone_status status = hone_emu_run_begin(&run, dev, module, launch, fault, err);
    bool ready = status == HONE_OK && fault->outcome == HONE_VALID;
    if (far && hone_emu_far_notes(far)) {
        run.launch.touch = hone_emu_far_touch;
        run.launch.touch_context = far;
    } else if (far && hone_emu_far_met(far)) {
        run.launch.again = far;
    }
    run.launch.watches_all = judge && hone_emu_judge_watches_all(judge);
    if (ready && judge) status = hone_emu_checks_new(&checks, &run.launch, judge, err);
    if (ready && status == HONE_OK) {
        const uint32_t window = window_of(dev, module, launch);
        status = hone_emu_run_blocks(&run, checks, window, device->isa, err);
    }
    if (status == HONE_OK && checks) status = hone_emu_checks_status(checks, err);
    if (status == HONE_OK) status = hone_emu_cancelled(&run, err);
    if (launch->report) report(launch->report, &module->code, checks);
    if (launch->report && launch->order == HONE_ORDER_USUAL)
        launch->report->executed = run.launch.executed;
    hone_emu_checks_free(checks);
    hone_emu_run_end(&run);
    return status;
}

enum hone_status hone_emu_launch_kernel(struct hone_device *dev,
                                        struct hone_module *module,
                                        const struct hone_launch *launch,
                                        struct hone_fault *fault, struct hone_error *err)
{
    const enum hone_status status =
        launch->check ? hone_emu_launch_checked(dev, module, launch, fault, err)
                      : hone_emu_launch_once(dev, module, launch, NULL, NULL, fault, err);
    module->ran = true;
    return status;
}
