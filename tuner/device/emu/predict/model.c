// From the counts of a block to what a launch needs of each part of a GPU. A
// multiprocessor holds several blocks: each needs the pipe that it uses most, and the
// time of one warp's chain of results, in which others use the pipe. The whole cannot be
// faster than L2 or DRAM bring the data: launch_time.c. The form follows
// docs/maintain/emulator.md, where the evidence is.
#include <math.h>

#include "device/launch_time.h"
#include "emu_model.h"
#include "roles.h"

// A stream of reads gets this share of the nominal bandwidth: 3240 of 3350 GB/s on H100
// is the highest figure known, 0.92 is usual (assumed).
static const double dram_efficiency = 0.92;

static double largest(double a, double b)
{
    return a > b ? a : b;
}

// Cycles of the tensor cores; without a rate the products count as plain arithmetic.
static double tensor_cycles(const struct hone_emu_counts *counts,
                            const struct hone_gpu_rates *rates)
{
    double cycles = counts->group_cycles;
    for (int i = 0; i < HONE_TENSOR_INPUTS; i++) {
        int rate = rates->tensor_per_cycle[i];
        if (!rate)
            rate = i == HONE_TENSOR_F64 ? rates->fp64_per_cycle : rates->fp32_per_cycle;
        cycles += counts->tensor_macs[i] / rate;
    }
    return cycles;
}

// Arithmetic of a block on the unit it uses most.
static double alu_cycles(const struct hone_emu_counts *counts,
                         const struct hone_gpu_rates *rates)
{
    const double *n = counts->by_class;
    const double fp32 = n[HONE_EMU_FP32] * HONE_EMU_LANES;
    const double integer = n[HONE_EMU_INT] * HONE_EMU_LANES;
    double cycles = fp32 / rates->fp32_per_cycle;
    cycles = largest(cycles, n[HONE_EMU_FP64] * HONE_EMU_LANES / rates->fp64_per_cycle);
    cycles = largest(cycles, integer / rates->int_per_cycle);
    cycles = largest(cycles, (fp32 + integer) / rates->fp32_int_per_cycle);
    cycles = largest(cycles, n[HONE_EMU_SFU] * HONE_EMU_LANES / rates->sfu_per_cycle);
    return largest(cycles, tensor_cycles(counts, rates));
}

// Loads and stores of a block. Shared and global memory pass through one data cache of
// 128 bytes a cycle; with few units a request takes longer than its data.
static double memory_cycles(const struct hone_emu_counts *counts,
                            const struct hone_gpu_rates *rates)
{
    enum { L1_SECTORS = 4 };
    const double per_request = (double)HONE_EMU_LANES / rates->lsu_per_cycle;
    const double shared =
        per_request > 1 ? counts->shared_cycles_half : counts->shared_wavefronts;
    const double global = largest(counts->global_sectors / L1_SECTORS,
                                  counts->global_requests * per_request);
    return shared + counts->by_class[HONE_EMU_WARP] * per_request + global +
           counts->group_shared + counts->spill_requests * largest(1, per_request);
}

void hone_emu_pipes_of(struct hone_emu_pipes *out, const struct hone_emu_counts *counts,
                       const struct hone_gpu_rates *rates)
{
    enum { SCHEDULERS = 4 };
    out->issue = counts->issued / SCHEDULERS;
    out->alu = alu_cycles(counts, rates);
    out->memory = memory_cycles(counts, rates);
}

static void predict_pipes(struct hone_emu_prediction *out,
                          const struct hone_emu_counts *counts,
                          const struct hone_gpu_rates *rates)
{
    struct hone_emu_pipes pipes;
    hone_emu_pipes_of(&pipes, counts, rates);
    out->issue_cycles = pipes.issue;
    out->alu_cycles = pipes.alu;
    out->memory_cycles = pipes.memory;
    out->pipe_cycles =
        largest(out->issue_cycles, largest(out->alu_cycles, out->memory_cycles));
}

double hone_emu_busy_blocks(const struct hone_emu_residency *shape)
{
    return (double)shape->grid[0] * shape->grid[1] * shape->grid[2] *
           (1.0 - shape->wave.idle_share);
}

static void predict_memory(struct hone_emu_prediction *out,
                           const struct hone_emu_counts *counts,
                           const struct hone_emu_residency *shape,
                           const struct hone_gpu *gpu)
{
    enum { SECTOR = 32 };
    const struct hone_emu_wave *wave = &shape->wave;
    double blocks = hone_emu_busy_blocks(shape),
           waves = largest(1.0, blocks / wave->blocks);
    double stored = counts->store_sectors * SECTOR * blocks;
    out->wave_bytes = counts->load_sectors * SECTOR * wave->blocks * wave->unique_share;
    // all that the launch reads, each byte once: as a wave grows, but no more than there
    // is
    double whole = out->wave_bytes * pow(waves, wave->growth);
    if (wave->touched_bytes > 0 && whole > wave->touched_bytes)
        whole = wave->touched_bytes;
    // what fits the cache is read from memory once, else once for each wave of blocks
    double read = whole <= (double)gpu->limits.l2_bytes
                      ? whole
                      : largest(whole, out->wave_bytes * waves);
    out->dram_bytes = read + stored;
    out->l2_bytes = ((counts->load_sectors + counts->store_sectors) * SECTOR +
                     counts->again_bytes + counts->spill_bytes) *
                    blocks;
    double cycles_per_us = (double)gpu->limits.sm_clock_khz / 1e3;
    out->l2_us = out->l2_bytes / gpu->rates.l2_bytes_per_cycle / cycles_per_us;
    out->dram_us =
        out->dram_bytes / ((double)gpu->limits.memory_bandwidth_mbs * dram_efficiency);
}

struct hone_emu_latencies hone_emu_latencies_of(const struct hone_gpu *gpu,
                                                const struct hone_emu_wave *wave)
{
    const struct hone_gpu_rates *rates = &gpu->rates;
    const double beyond = wave->unique_share * (rates->dram_latency - rates->l2_latency);
    return (struct hone_emu_latencies){.again = (uint32_t)rates->l1_latency,
                                       .first =
                                           (uint32_t)(rates->l2_latency + beyond + 0.5)};
}

void hone_emu_predict(struct hone_emu_prediction *out,
                      const struct hone_emu_counts *counts,
                      const struct hone_emu_residency *shape, const struct hone_gpu *gpu)
{
    *out = (struct hone_emu_prediction){0};
    predict_pipes(out, counts, &gpu->rates);
    predict_memory(out, counts, shape, gpu);
    const struct hone_launch_load load = {.blocks = hone_emu_busy_blocks(shape),
                                          .occupancy = shape->blocks_per_sm,
                                          .pipe_cycles = out->pipe_cycles,
                                          .path_cycles = counts->path_cycles,
                                          .l2_us = out->l2_us,
                                          .dram_us = out->dram_us,
                                          .stretch = shape->stretch};
    const struct hone_launch_time time = hone_launch_time(&load, &gpu->limits);
    out->sm_us = time.sm_us;
    out->time_us = time.time_us;
}

// ---- roles ----

// What L2 and DRAM bring to one multiprocessor of those that have blocks, in a cycle.
static struct hone_emu_supply supply_of(const struct hone_emu_prediction *prediction,
                                        const struct hone_emu_residency *shape,
                                        const struct hone_gpu *gpu,
                                        struct hone_emu_latencies latencies)
{
    const struct hone_gpu_rates *rates = &gpu->rates;
    const double blocks = hone_emu_busy_blocks(shape), sms = (double)gpu->limits.sm_count;
    const double active = blocks < sms ? blocks : sms;
    const double dram = (double)gpu->limits.memory_bandwidth_mbs * dram_efficiency /
                        ((double)gpu->limits.sm_clock_khz / 1e3);
    double bytes = rates->l2_bytes_per_cycle / active;
    if (bytes > rates->sm_bytes_per_cycle) bytes = rates->sm_bytes_per_cycle;
    if (prediction->dram_bytes > 0) { // of what L2 gives, a part comes from there
        const double share =
            dram / active * prediction->l2_bytes / prediction->dram_bytes;
        if (share < bytes) bytes = share;
    }
    return (struct hone_emu_supply){.bytes_per_cycle = bytes,
                                    .copy_latency =
                                        (double)latencies.first + rates->copy_latency,
                                    .object_latency = rates->shared_latency,
                                    .peer_latency = rates->peer_latency};
}

bool hone_emu_predict_roles(struct hone_emu_prediction *out, struct hone_emu_roles *roles,
                            const struct hone_emu_trace *trace,
                            const struct hone_emu_residency *shape,
                            const struct hone_gpu *gpu)
{
    const struct hone_launch_shares shares = hone_launch_shares(
        hone_emu_busy_blocks(shape), shape->blocks_per_sm, &gpu->limits);
    const struct hone_emu_supply supply = supply_of(out, shape, gpu, trace->latencies);
    const uint32_t resident = (uint32_t)shares.resident;
    struct hone_emu_roles two;
    if (!hone_emu_roles_simulate(roles, trace, &supply, resident, 1)) return false;
    double cycles = roles->cycles;
    if (shares.waves > 1) { // blocks that follow begin while others end
        const bool fine = hone_emu_roles_simulate(&two, trace, &supply, resident, 2);
        *roles = two;
        if (!fine) return false;
        cycles += (shares.waves - 1) * (two.cycles - cycles);
    }
    if (shape->stretch > 0) cycles *= shape->stretch / shape->traced_work;
    out->sm_us = cycles / ((double)gpu->limits.sm_clock_khz / 1e3);
    // the simulation's own supply is the memory's; what it did not need counts in whole
    const double memory_us = largest(out->l2_us, out->dram_us);
    out->time_us = largest(out->sm_us, memory_us) + HONE_LAUNCH_US;
    return true;
}
