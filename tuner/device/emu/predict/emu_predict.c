// A prediction: runs and counts the middle block and the last one, more where these
// differ, looks at what a wave of blocks shares, without lasting effect, and hands the
// counts to the model.
#include <math.h>
#include <string.h>

#include "emu_model.h"
#include "launch/emu_device.h"
#include "roles.h"
#include "steer.h"
#include "survey.h"

static void add_metric(struct hone_timing *timing, const char *name, double value)
{
    if (timing->metric_count < HONE_METRIC_MAX)
        timing->metrics[timing->metric_count++] = (struct hone_metric){name, value};
}

// Instructions by class; those that most kernels lack are left out where they are 0.
static void report_classes(struct hone_timing *timing,
                           const struct hone_emu_counts *counts)
{
    static const struct {
        enum hone_emu_class class;
        const char *metric;
        bool always;
    } classes[] = {{HONE_EMU_FP32, "fp32_per_block", true},
                   {HONE_EMU_INT, "int_per_block", true},
                   {HONE_EMU_SFU, "sfu_per_block", true},
                   {HONE_EMU_SHARED, "shared_per_block", true},
                   {HONE_EMU_GLOBAL, "global_per_block", true},
                   {HONE_EMU_CONTROL, "control_per_block", true},
                   {HONE_EMU_FP64, "fp64_per_block", false},
                   {HONE_EMU_LOCAL, "local_per_block", false},
                   {HONE_EMU_ATOMIC, "atomic_per_block", false},
                   {HONE_EMU_WARP, "warp_per_block", false},
                   {HONE_EMU_TENSOR, "tensor_per_block", false},
                   {HONE_EMU_ASYNC, "async_per_block", false}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        const double n = counts->by_class[classes[i].class];
        if (n > 0 || classes[i].always) add_metric(timing, classes[i].metric, n);
    }
    static const char *const tensors[HONE_TENSOR_INPUTS] = {
        [HONE_TENSOR_HALF] = "tensor_half_macs",
        [HONE_TENSOR_TF32] = "tensor_tf32_macs",
        [HONE_TENSOR_F8] = "tensor_f8_macs",
        [HONE_TENSOR_S8] = "tensor_s8_macs",
        [HONE_TENSOR_F64] = "tensor_f64_macs"};
    for (int i = 0; i < HONE_TENSOR_INPUTS; i++)
        if (counts->tensor_macs[i] + counts->group_macs[i] > 0)
            add_metric(timing, tensors[i],
                       counts->tensor_macs[i] + counts->group_macs[i]);
    if (counts->group_cycles > 0) {
        add_metric(timing, "tensor_group_cycles", counts->group_cycles);
        add_metric(timing, "tensor_shared_cycles", counts->group_shared);
    }
}

static void report(struct hone_timing *timing, const struct hone_emu_counts *counts,
                   const struct hone_emu_residency *shape,
                   const struct hone_emu_prediction *prediction)
{
    const double warps = (double)shape->warps_per_block * shape->blocks_per_sm;
    const struct hone_metric metrics[] = {
        {"shared_wavefronts", counts->shared_wavefronts},
        {"bank_conflicts", counts->bank_conflicts},
        {"global_sectors", counts->global_sectors},
        {"excess_sectors", counts->excess_sectors},
        {"global_lines", counts->global_lines},
        {"load_bytes", counts->load_bytes},
        {"store_bytes", counts->store_bytes},
        {"barriers", counts->barriers},
        {"active_lanes", counts->active_lanes},
        {"divergent_share", counts->divergent_share},
        {"bytes_in_flight", counts->warp_bytes_in_flight * warps},
        {"path_cycles", counts->path_cycles},
        {"issue_cycles", prediction->issue_cycles},
        {"alu_cycles", prediction->alu_cycles},
        {"memory_cycles", prediction->memory_cycles},
        {"pipe_cycles", prediction->pipe_cycles},
        {"grid_blocks", hone_emu_busy_blocks(shape)},
        {"warps_per_block", shape->warps_per_block},
        {"blocks_per_sm", shape->blocks_per_sm},
        {"wave_bytes", prediction->wave_bytes},
        {"l2_bytes", prediction->l2_bytes},
        {"dram_bytes", prediction->dram_bytes},
        {"sm_us", prediction->sm_us},
        {"l2_us", prediction->l2_us},
        {"dram_us", prediction->dram_us},
        {"model_version", HONE_EMU_MODEL_VERSION}};
    timing->predicted_us = prediction->time_us;
    add_metric(timing, "issued_per_block", counts->issued);
    report_classes(timing, counts);
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        add_metric(timing, metrics[i].name, metrics[i].value);
}

// Blocks at the upper edges of the grid may have less to do, or more: they count by their
// share of all.
static void mix(struct hone_emu_counts *counts, const struct hone_emu_counts *edge,
                const uint32_t grid[3])
{
    double inner = 1.0;
    for (int i = 0; i < 3; i++)
        if (grid[i] > 1) inner *= 1.0 - 1.0 / grid[i];
    double *into = (double *)counts;
    const double *from = (const double *)edge;
    for (size_t k = 0; k < sizeof *counts / sizeof *into; k++)
        into[k] = into[k] * inner + from[k] * (1.0 - inner);
}

// What is run and what becomes of it.
struct prediction {
    struct hone_emu_run *run;
    struct hone_emu_device *device;
    struct hone_emu_residency *shape;
    const struct hone_resources *resources; // of the build
    struct hone_emu_counts counts;
    struct hone_emu_trace *trace; // of a typical block; NULL: there are no roles
    struct hone_emu_survey survey;
    struct hone_emu_prediction out;
};

// The block stands for all: what its warps do is kept where they have roles.
static enum hone_status count_typical(struct prediction *p,
                                      struct hone_emu_counter *counter,
                                      const uint32_t id[3], struct hone_emu_counts *out,
                                      struct hone_error *err)
{
    hone_emu_counter_trace(counter, p->trace);
    hone_emu_counter_anew(counter);
    const enum hone_status status =
        hone_emu_count_block(p->run, counter, id, p->device->isa, out, err);
    hone_emu_counter_trace(counter, NULL);
    return status;
}

// Blocks differ: their mean counts, and the one that is next above it is simulated.
static enum hone_status take_survey(struct prediction *p,
                                    struct hone_emu_counter *counter,
                                    struct hone_error *err)
{
    struct hone_emu_counts counts;
    struct hone_emu_wave *wave = &p->shape->wave;
    p->counts = p->survey.mean;
    wave->blocks *= (1 - p->survey.idle_share) / (1 - wave->idle_share);
    wave->idle_share = p->survey.idle_share;
    p->shape->traced_work = p->survey.work_of_typical;
    if (!p->trace) return HONE_OK;
    return count_typical(p, counter, p->survey.typical, &counts, err);
}

static enum hone_status survey(struct prediction *p, struct hone_emu_counter *counter,
                               const struct hone_emu_counts *edge, struct hone_error *err)
{
    const struct hone_emu_surveyed what = {.run = p->run,
                                           .counter = counter,
                                           .isa = p->device->isa,
                                           .gpu = &p->device->gpu,
                                           .wave = &p->shape->wave,
                                           .middle = &p->counts,
                                           .last = edge,
                                           .roles = p->trace != NULL};
    return hone_emu_survey(&p->survey, &what, err);
}

static enum hone_status count_blocks(struct prediction *p,
                                     struct hone_emu_counter *counter,
                                     struct hone_error *err)
{
    struct hone_emu_counts edge;
    const struct hone_emu_launch *launch = &p->run->launch;
    const uint32_t *grid = launch->grid;
    const uint32_t last[3] = {grid[0] - 1, grid[1] - 1, grid[2] - 1};
    enum hone_status status =
        count_typical(p, counter, p->shape->wave.typical, &p->counts, err);
    if (status != HONE_OK || launch->faulted) return status;
    status = hone_emu_count_block(p->run, counter, last, p->device->isa, &edge, err);
    if (status != HONE_OK || launch->faulted) return status;
    if (p->shape->wave.unlike || hone_emu_has_few_blocks(launch) ||
        !hone_emu_are_alike(&p->counts, &edge))
        status = survey(p, counter, &edge, err);
    if (status != HONE_OK || launch->faulted) return status;
    if (p->survey.works.count) return take_survey(p, counter, err);
    mix(&p->counts, &edge, grid);
    return HONE_OK;
}

// What copies bring is there when they are issued, so the phase is known that awaits it.
static enum hone_status begin_trace(struct prediction *p,
                                    struct hone_emu_latencies latencies,
                                    struct hone_error *err)
{
    struct hone_emu_launch *launch = &p->run->launch;
    if (!hone_emu_has_roles(launch->code)) return HONE_OK;
    launch->copy_time = HONE_EMU_COPY_EAGER;
    const uint64_t most = p->device->most_moments;
    p->trace = hone_emu_trace_new(launch, &p->device->gpu, latencies,
                                  most ? most : HONE_EMU_MOST_MOMENTS);
    return p->trace ? HONE_OK : hone_no_memory(err, "to predict a launch");
}

static enum hone_status count(struct prediction *p, struct hone_error *err)
{
    const struct hone_emu_latencies latencies =
        hone_emu_latencies_of(&p->device->gpu, &p->shape->wave);
    struct hone_emu_counter *counter = NULL;
    enum hone_status status = hone_emu_counter_new(&counter, p->run->launch.code,
                                                   &p->device->memory, latencies, err);
    if (status == HONE_OK) status = begin_trace(p, latencies, err);
    if (status == HONE_OK) status = count_blocks(p, counter, err);
    hone_emu_counter_free(counter);
    return status;
}

static void report_roles(struct hone_timing *timing, const struct hone_emu_roles *roles)
{
    add_metric(timing, "tensor_share", roles->tensor);
    add_metric(timing, "port_share", roles->port);
    add_metric(timing, "supply_share", roles->memory);
    add_metric(timing, "multiply_waits", roles->multiply_waits);
    add_metric(timing, "copy_waits", roles->copy_waits);
}

static enum hone_status find_stretch(struct prediction *p, struct hone_error *err)
{
    const struct hone_gpu *gpu = &p->device->gpu;
    struct hone_emu_pipes pipes;
    if (!p->survey.works.count) return HONE_OK;
    hone_emu_pipes_of(&pipes, &p->counts, &gpu->rates);
    const struct hone_launch_load load = {
        .blocks = hone_emu_busy_blocks(p->shape),
        .occupancy = p->shape->blocks_per_sm,
        .pipe_cycles = fmax(pipes.issue, fmax(pipes.alu, pipes.memory)),
        .path_cycles = p->counts.path_cycles};
    return hone_emu_find_stretch(&p->shape->stretch, &p->survey.works, &load,
                                 &gpu->limits, err);
}

// From counts to times, by the simulation where there are roles.
static enum hone_status conclude(struct prediction *p, struct hone_timing *out,
                                 struct hone_error *err)
{
    struct hone_emu_roles roles = {0};
    const struct hone_emu_launch *launch = &p->run->launch;
    const double shared =
        (double)launch->code->static_shared_bytes + launch->shared_bytes;
    hone_emu_add_spills(&p->counts, p->resources, shared, launch->code->count, p->shape,
                        &p->device->gpu.limits);
    const enum hone_status status = find_stretch(p, err);
    if (status != HONE_OK) return status;
    hone_emu_predict(&p->out, &p->counts, p->shape, &p->device->gpu);
    const bool simulated =
        p->trace && hone_emu_trace_finish(p->trace) &&
        hone_emu_predict_roles(&p->out, &roles, p->trace, p->shape, &p->device->gpu);
    if (roles.out_of_memory || (p->trace && p->trace->out_of_memory))
        return hone_no_memory(err, "to predict a launch");
    report(out, &p->counts, p->shape, &p->out);
    if (p->shape->wave.idle_share > 0)
        add_metric(out, "idle_share", p->shape->wave.idle_share);
    if (p->shape->stretch > 0) add_metric(out, "stretch", p->shape->stretch);
    if (p->counts.spill_requests > 0)
        add_metric(out, "spill_requests", p->counts.spill_requests);
    if (simulated)
        report_roles(out, &roles);
    else if (p->trace)
        add_metric(out, "not_simulated", 1);
    return HONE_OK;
}

static enum hone_status predict(struct hone_emu_run *run, struct hone_emu_device *device,
                                struct hone_emu_residency *shape,
                                const struct hone_resources *resources,
                                struct hone_timing *out, struct hone_error *err)
{
    struct prediction p = {
        .run = run, .device = device, .shape = shape, .resources = resources};
    const double at_once = (double)device->gpu.limits.sm_count * shape->blocks_per_sm;
    enum hone_status status = hone_emu_wave_sample(
        &shape->wave, &run->launch, run->workspace, device->isa, at_once, err);
    if (status == HONE_OK && !run->launch.faulted) status = count(&p, err);
    if (status == HONE_OK && !run->launch.faulted) status = conclude(&p, out, err);
    hone_emu_trace_free(p.trace);
    return status;
}

enum hone_status hone_emu_predict_launch(struct hone_device *dev,
                                         struct hone_module *module,
                                         const struct hone_launch *launch,
                                         const struct hone_time_policy *policy,
                                         struct hone_timing *out,
                                         struct hone_fault *fault, struct hone_error *err)
{
    struct hone_emu_run run = {0};
    (void)policy; // a prediction has no samples
    *out = (struct hone_timing){.clock = HONE_CLOCK_EMULATED,
                                .kind = HONE_TIME_PREDICTED,
                                .time_us = (double)NAN,
                                .predicted_us = (double)NAN,
                                .energy_j = (double)NAN,
                                .rel_std = (double)NAN};
    enum hone_status status = hone_emu_run_begin(&run, dev, module, launch, fault, err);
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    struct hone_emu_residency shape = {
        .warps_per_block = (int)((threads + HONE_EMU_LANES - 1) / HONE_EMU_LANES),
        .blocks_per_sm = hone_occupancy(&dev->limits, &module->resources, threads,
                                        launch->shared_bytes)};
    memcpy(shape.grid, launch->grid, sizeof shape.grid);
    // what decides nothing need not be computed to count what is done
    run.launch.skips_products = !(module->steering >> HONE_EMU_STEER_PRODUCTS & 1);
    if (status == HONE_OK && fault->outcome == HONE_VALID && shape.blocks_per_sm == 0)
        hone_emu_refuse(fault, "not one block fits a multiprocessor");
    if (status == HONE_OK && fault->outcome == HONE_VALID)
        status = predict(&run, dev->priv, &shape, &module->resources, out, err);
    if (status == HONE_OK) status = hone_emu_cancelled(&run, err);
    hone_emu_run_end(&run);
    return status;
}
