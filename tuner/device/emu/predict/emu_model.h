/* What one block did, and how long a launch of such blocks would take on a GPU. */
#ifndef HONE_DEVICE_EMU_MODEL_H
#define HONE_DEVICE_EMU_MODEL_H

#include "cost.h"
#include "device/gpu_table.h"
#include "exec/emu_exec.h"

/* Counts of one block. Instructions are by warps, as the SASS that ptxas is likely to
 * make of them: moves and address windows cost nothing, 64-bit integers count twice,
 * divisions many times. */
struct hone_emu_counts {
    double by_class[HONE_EMU_CLASS_COUNT];
    double issued;
    double executed;           /* instructions of the PTX, by warps */
    double active_lanes;       /* of such an instruction, on average */
    double divergent_share;    /* of them, run by a part of the warp's lanes */
    double shared_wavefronts;  /* of requests to shared memory, with bank conflicts */
    double shared_cycles_half; /* the same, where a request takes two cycles at least */
    double bank_conflicts;     /* wavefronts beyond those that the size needs */
    double global_requests;
    double global_sectors; /* of 32 bytes, summed over requests */
    double excess_sectors; /* those beyond what the bytes of each request need */
    double global_lines;   /* of 128 bytes, likewise */
    double load_sectors;   /* distinct ones that the block reads */
    double store_sectors;  /* distinct ones that it writes */
    double again_bytes;    /* of bulk copies, which pass by L1, of sectors read before */
    double load_bytes, store_bytes;         /* asked for by threads, in global memory */
    double atomics;                         /* by lanes */
    double barriers;                        /* by warps */
    double tensor_macs[HONE_TENSOR_INPUTS]; /* multiply-accumulates of mma */
    double group_macs[HONE_TENSOR_INPUTS];  /* of wgmma */
    double group_cycles; /* that wgmma keeps the tensor cores busy at their peak */
    double group_shared; /* cycles in which it reads shared memory */
    double path_cycles;  /* from the first warp's start to its end, alone on the GPU */
    double warp_bytes_in_flight; /* that the first warp waits for at once, at most */
    /* By hone_emu_add_spills: accesses of a warp to local memory, and bytes of them that
     * L1 does not keep. */
    double spill_requests, spill_bytes;
};

/* Cycles until a load of global memory is answered: when the block has read all its
 * sectors before, and when it has not. */
struct hone_emu_latencies {
    uint32_t again, first;
};

/* Counts what blocks do. */
struct hone_emu_counter;
enum hone_status hone_emu_counter_new(struct hone_emu_counter **out,
                                      const struct hone_emu_code *code,
                                      struct hone_emu_memory *memory,
                                      struct hone_emu_latencies latencies,
                                      struct hone_error *err);
void hone_emu_counter_free(struct hone_emu_counter *counter);
/* What the blocks do is kept in the trace, too, which stays with the caller; NULL: no
 * more. */
struct hone_emu_trace;
void hone_emu_counter_trace(struct hone_emu_counter *counter,
                            struct hone_emu_trace *trace);
/* The block that is counted next ends once its warps have executed so many instructions,
 * also while it begins anew: the launch is faulted then, without a fault. 0: it does not.
 */
void hone_emu_counter_limit(struct hone_emu_counter *counter,
                            struct hone_emu_launch *launch, uint64_t most);
/* Has it ended so? */
bool hone_emu_counter_is_stopped(const struct hone_emu_counter *counter);
/* The counted block begins anew: the trace forgets it. */
void hone_emu_counter_anew(struct hone_emu_counter *counter);
/* What is stored under the counter is undone with what is stored under the other one:
 * their blocks run in turns, and the same trace keeps what they do. */
void hone_emu_counter_join(struct hone_emu_counter *counter,
                           struct hone_emu_counter *other);
/* Borrowed; goes into hone_emu_launch. */
const struct hone_emu_observer *
hone_emu_counter_observer(struct hone_emu_counter *counter);
/* Atomic operations so far, by lanes. */
double hone_emu_counter_atomics(const struct hone_emu_counter *counter);
/* The counts since the last call. What was written to device memory since then is
 * undone. */
enum hone_status hone_emu_counter_take(struct hone_emu_counter *counter,
                                       struct hone_emu_counts *out,
                                       struct hone_error *err);

/* ---- blocks that run at once ---- */

/* What the blocks that a GPU runs at the same time read, in the order of the raster. */
struct hone_emu_wave {
    double blocks;        /* at once */
    double unique_share;  /* distinct sectors of all / sum of those of each, (0, 1] */
    double growth;        /* distinct sectors grow as blocks to this power, [0, 1] */
    double touched_bytes; /* of all allocations that are read */
    /* Beside the wave, all over the grid: the part of blocks that end at once, which
     * blocks does not count; whether some end early and others do not, and then the part
     * that ends within HONE_EMU_PROBE_STEPS of each warp; the block that stands for the
     * others, and the number of its cluster. */
    double idle_share, early_share;
    bool unlike;
    uint64_t center;
    uint32_t typical[3];
};

/* Blocks that are probed run for so many instructions of each warp at most. */
enum { HONE_EMU_PROBE_STEPS = 128 };

/* Probes blocks all over the grid, and runs the beginning of those of one wave around the
 * center, up to their first barrier behind a load, without lasting effect. launch is
 * ready to run blocks on workspace. */
enum hone_status hone_emu_wave_sample(struct hone_emu_wave *out,
                                      struct hone_emu_launch *launch,
                                      struct hone_emu_workspace *workspace,
                                      const struct hone_emu_isa *isa, double blocks,
                                      struct hone_error *err);

/* ---- the model ---- */

/* What loads of a wave wait for on average: L2 has what another block has read. */
struct hone_emu_latencies hone_emu_latencies_of(const struct hone_gpu *gpu,
                                                const struct hone_emu_wave *wave);

/* Every change that moves predictions raises it. */
enum { HONE_EMU_MODEL_VERSION = 9 };

struct hone_emu_residency {
    uint32_t grid[3];
    int warps_per_block;
    int blocks_per_sm; /* occupancy */
    struct hone_emu_wave wave;
    /* Where blocks differ, else 0: stretch of hone_launch_load; work of the block that is
     * simulated, as a multiple of the mean one's. */
    double stretch, traced_work;
};

/* Blocks of the grid that have something to do. */
double hone_emu_busy_blocks(const struct hone_emu_residency *shape);

/* Add to the counts of a block what the build's report of spills makes of it:
 * shared_bytes of a block, instructions of the kernel's PTX. */
void hone_emu_add_spills(struct hone_emu_counts *counts,
                         const struct hone_resources *resources, double shared_bytes,
                         size_t instructions, const struct hone_emu_residency *shape,
                         const struct hone_limits *limits);

struct hone_emu_prediction {
    double time_us;
    double sm_us; /* compute and latency of the multiprocessors */
    double l2_us, dram_us;
    /* of a block: issue slots, arithmetic, loads and stores; the largest of them */
    double issue_cycles, alu_cycles, memory_cycles, pipe_cycles;
    double l2_bytes, dram_bytes;
    double wave_bytes; /* that blocks which run at once read, each counted once */
};
void hone_emu_predict(struct hone_emu_prediction *out,
                      const struct hone_emu_counts *counts,
                      const struct hone_emu_residency *shape, const struct hone_gpu *gpu);

/* Cycles of a multiprocessor's units that these counts need: issue slots, arithmetic,
 * loads and stores. */
struct hone_emu_pipes {
    double issue, alu, memory;
};
void hone_emu_pipes_of(struct hone_emu_pipes *out, const struct hone_emu_counts *counts,
                       const struct hone_gpu_rates *rates);

/* Puts the simulation of the blocks' roles in the place of what out has of the
 * multiprocessors, and of the time. False, and out stays as it is, where there is none.
 */
struct hone_emu_roles;
bool hone_emu_predict_roles(struct hone_emu_prediction *out, struct hone_emu_roles *roles,
                            const struct hone_emu_trace *trace,
                            const struct hone_emu_residency *shape,
                            const struct hone_gpu *gpu);

#endif
