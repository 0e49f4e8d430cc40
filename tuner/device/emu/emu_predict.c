// A prediction: runs and counts the middle block and its neighbours, without lasting
// effect, and hands the counts to the model.
#include <math.h>
#include <string.h>

#include "emu_device.h"
#include "emu_model.h"

// Run and count one block, without lasting effect.
static enum hone_status count_block(struct hone_emu_run *run,
                                    struct hone_emu_counter *counter,
                                    const uint32_t id[3], const struct hone_emu_isa *isa,
                                    struct hone_emu_counts *out, struct hone_error *err)
{
    run->launch.observer = hone_emu_counter_observer(counter);
    hone_emu_run_block(run->workspace, id, isa);
    run->launch.observer = NULL;
    return hone_emu_counter_take(counter, out, err);
}

// The part of its reads that the neighbour of block id along an axis shares with it; 0
// without one.
static enum hone_status count_neighbour(struct hone_emu_run *run,
                                        struct hone_emu_counter *counter,
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
    add_metric(timing, "warps_per_block", shape->warps_per_block);
    add_metric(timing, "blocks_per_sm", shape->blocks_per_sm);
    add_metric(timing, "dram_bytes", prediction->dram_bytes);
    add_metric(timing, "sm_us", prediction->sm_us);
    add_metric(timing, "l2_us", prediction->l2_us);
    add_metric(timing, "dram_us", prediction->dram_us);
}

static enum hone_status predict(struct hone_emu_run *run, struct hone_emu_device *device,
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
                                .time_us = (double)NAN,
                                .predicted_us = (double)NAN,
                                .rel_std = (double)NAN};
    enum hone_status status = hone_emu_run_begin(&run, dev, module, launch, fault, err);
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    struct hone_emu_shape shape = {
        .warps_per_block = (int)((threads + HONE_EMU_LANES - 1) / HONE_EMU_LANES),
        .blocks_per_sm = hone_occupancy(&dev->limits, &module->resources, threads,
                                        launch->shared_bytes)};
    memcpy(shape.grid, launch->grid, sizeof shape.grid);
    if (status == HONE_OK && fault->outcome == HONE_VALID && shape.blocks_per_sm == 0)
        hone_emu_refuse(fault, "not one block fits a multiprocessor");
    if (status == HONE_OK && fault->outcome == HONE_VALID)
        status = predict(&run, dev->priv, &shape, out, err);
    hone_emu_run_end(&run);
    return status;
}
