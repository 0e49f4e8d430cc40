/* What one block did, and how long a launch of such blocks would take on a GPU. */
#ifndef HONE_EMU_MODEL_H
#define HONE_EMU_MODEL_H

#include "emu_exec.h"
#include "gpu_table.h"

/* Counts of one block. Instructions are by warps, as the SASS that ptxas is likely to
 * make of them: moves and address windows cost nothing, 64-bit integers count twice,
 * divisions many times. */
struct hone_emu_counts {
    double by_class[HONE_EMU_CLASS_COUNT];
    double issued;
    double shared_wavefronts; /* requests to shared memory, with their bank conflicts */
    double global_requests;
    double global_sectors; /* of 32 bytes, summed over requests */
    double load_sectors;   /* distinct ones that the block reads */
    double store_sectors;  /* distinct ones that it writes */
    double
        common_sectors; /* of those read, also read by the first block that was counted */
    double load_bytes, store_bytes; /* asked for by threads, in global memory */
    double atomics;                 /* by lanes */
    double barriers;                /* by warps */
    double path_cycles; /* from the first warp's start to its end, alone on the GPU */
};

/* Counts what blocks do. */
struct hone_emu_counter;
enum hone_status hone_emu_counter_new(struct hone_emu_counter **out,
                                      const struct hone_emu_code *code,
                                      struct hone_emu_memory *memory,
                                      struct hone_error *err);
void hone_emu_counter_free(struct hone_emu_counter *counter);
/* Borrowed; goes into hone_emu_launch. */
const struct hone_emu_observer *
hone_emu_counter_observer(struct hone_emu_counter *counter);
/* The counts since the last call. What was written to device memory since then is undone.
 * */
enum hone_status hone_emu_counter_take(struct hone_emu_counter *counter,
                                       struct hone_emu_counts *out,
                                       struct hone_error *err);

/* ---- the model ---- */

struct hone_emu_shape {
    uint32_t grid[3];
    int warps_per_block;
    int blocks_per_sm; /* occupancy */
    double common_x,
        common_y; /* part of what a block reads that its neighbour reads too */
};

struct hone_emu_prediction {
    double time_us;
    double sm_us; /* compute and latency of the multiprocessors */
    double l2_us, dram_us;
    double pipe_cycles; /* of a block on the pipe it uses most */
    double l2_bytes, dram_bytes;
};
void hone_emu_predict(struct hone_emu_prediction *out,
                      const struct hone_emu_counts *counts,
                      const struct hone_emu_shape *shape, const struct hone_gpu *gpu);

#endif
