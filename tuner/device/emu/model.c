// From the counts of a block to the time of a launch. A multiprocessor holds several
// blocks: together they cannot be faster than the pipe they use most, nor than one warp's
// chain of results; the whole cannot be faster than L2 or DRAM bring the data. The form,
// and how such bounds add up (cubes, so that the largest rules), follow docs/emulator.md,
// where their evidence is.
#include <math.h>

#include "emu_model.h"

// An empty kernel takes about this long on a GPU's own clock (assumed).
static const double launch_us = 1.5;
// Of the nominal bandwidth, what a stream of reads gets at best: 3240 of 3350 GB/s on
// H100 is the highest figure known, 0.92 is usual (assumed).
static const double dram_efficiency = 0.92;

static double largest(double a, double b)
{
    return a > b ? a : b;
}

// Two bounds at once: near each alone, a quarter worse where they are equal.
static double join(double a, double b)
{
    return cbrt(a * a * a + b * b * b);
}

static double pipe_cycles(const struct hone_emu_counts *counts,
                          const struct hone_gpu_rates *rates)
{
    const double *n = counts->by_class;
    enum { LANES = HONE_EMU_LANES, SCHEDULERS = 4, L1_SECTORS = 4 };
    double cycles = counts->issued / SCHEDULERS;
    cycles = largest(cycles, n[HONE_EMU_FP32] * LANES / rates->fp32_per_cycle);
    cycles = largest(cycles, n[HONE_EMU_FP64] * LANES / rates->fp64_per_cycle);
    cycles = largest(cycles, n[HONE_EMU_INT] * LANES / rates->int_per_cycle);
    cycles = largest(cycles, n[HONE_EMU_SFU] * LANES / rates->sfu_per_cycle);
    cycles = largest(cycles, counts->shared_wavefronts + n[HONE_EMU_WARP]);
    return largest(cycles, counts->global_sectors / L1_SECTORS);
}

static double block_count(const struct hone_emu_shape *shape)
{
    return (double)shape->grid[0] * shape->grid[1] * shape->grid[2];
}

// Distinct sectors that a run of n blocks reads, in the order of their numbers: what
// neighbours along x have in common counts once a row, along y once a column.
static double distinct_sectors(const struct hone_emu_counts *counts,
                               const struct hone_emu_shape *shape, double n)
{
    double columns = n < shape->grid[0] ? n : shape->grid[0], rows = ceil(n / columns);
    double own = largest(0.0, 1.0 - shape->common_x - shape->common_y);
    return counts->load_sectors *
           (own * n + shape->common_x * rows + shape->common_y * columns);
}

static void predict_memory(struct hone_emu_prediction *out,
                           const struct hone_emu_counts *counts,
                           const struct hone_emu_shape *shape, const struct hone_gpu *gpu)
{
    enum { SECTOR = 32 };
    double blocks = block_count(shape);
    double at_once = (double)gpu->limits.sm_count * shape->blocks_per_sm;
    if (at_once > blocks) at_once = blocks;
    double whole = distinct_sectors(counts, shape, blocks) * SECTOR;
    double waves = distinct_sectors(counts, shape, at_once) * SECTOR * (blocks / at_once);
    double stored = counts->store_sectors * SECTOR * blocks;
    // what fits the cache is read from memory once, else once for each wave of blocks
    double read = whole <= (double)gpu->limits.l2_bytes ? whole : largest(whole, waves);
    out->dram_bytes = read + stored;
    out->l2_bytes = (counts->load_sectors + counts->store_sectors) * SECTOR * blocks;
    double cycles_per_us = (double)gpu->limits.sm_clock_khz / 1e3;
    out->l2_us = out->l2_bytes / gpu->rates.l2_bytes_per_cycle / cycles_per_us;
    out->dram_us =
        out->dram_bytes / ((double)gpu->limits.memory_bandwidth_mbs * dram_efficiency);
}

void hone_emu_predict(struct hone_emu_prediction *out,
                      const struct hone_emu_counts *counts,
                      const struct hone_emu_shape *shape, const struct hone_gpu *gpu)
{
    double blocks = block_count(shape), sms = (double)gpu->limits.sm_count;
    double occupancy = shape->blocks_per_sm;
    double needed = ceil(blocks / sms); // blocks of the busiest multiprocessor
    if (occupancy > needed) occupancy = needed;
    double waves = blocks / (sms * occupancy);
    if (waves < 4) waves = ceil(waves); // many waves even out, few leave a tail
    *out = (struct hone_emu_prediction){.pipe_cycles = pipe_cycles(counts, &gpu->rates)};
    double cycles = waves * join(occupancy * out->pipe_cycles, counts->path_cycles);
    out->sm_us = cycles / ((double)gpu->limits.sm_clock_khz / 1e3);
    predict_memory(out, counts, shape, gpu);
    out->time_us = join(out->sm_us, join(out->l2_us, out->dram_us)) + launch_us;
}
