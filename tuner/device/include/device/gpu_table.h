/* Known GPUs: what each allows and how fast its parts are, for devices that are not
 * there. */
#ifndef HONE_DEVICE_GPU_TABLE_H
#define HONE_DEVICE_GPU_TABLE_H

#include "hone/limits.h"

/* Inputs that tensor cores have a rate for each. */
enum hone_tensor_input {
    HONE_TENSOR_HALF, /* f16 and bf16, summed in f32 */
    HONE_TENSOR_TF32,
    HONE_TENSOR_F8,
    HONE_TENSOR_S8, /* and smaller integers */
    HONE_TENSOR_F64,
    HONE_TENSOR_INPUTS
};

/* Rates of one multiprocessor and the memory behind it, for the performance model. */
struct hone_gpu_rates {
    int fp32_per_cycle; /* lanes of add, mul, fma */
    int fp64_per_cycle;
    int int_per_cycle;      /* lanes of integer and logic operations */
    int sfu_per_cycle;      /* lanes of transcendentals and conversions */
    int fp32_int_per_cycle; /* lanes of both together */
    int lsu_per_cycle;      /* lanes of loads and stores, whatever their width */
    /* multiply-accumulates of mma.sync, dense; 0: no such unit */
    int tensor_per_cycle[HONE_TENSOR_INPUTS];
    int l2_bytes_per_cycle; /* of the whole GPU */
    int sm_bytes_per_cycle; /* that one multiprocessor gets from there at most */
    int copy_latency;       /* cycles of a copy by TMA beyond those of a load */
    int shared_latency;     /* of an access to shared memory; peer: of another block's */
    int peer_latency;
    int l1_latency, l2_latency, dram_latency; /* cycles until a load is answered there */
};

struct hone_gpu {
    const char *name; /* "h200", what stands after "emu:" */
    struct hone_limits limits;
    struct hone_gpu_rates rates;
};

/* False when no GPU has that name. */
bool hone_gpu_find(struct hone_gpu *out, const char *name);
/* The same by what a driver calls it: "NVIDIA H200". */
bool hone_gpu_find_called(struct hone_gpu *out, const char *full_name);
/* The i-th name, NULL past the last; the first is the default. */
const char *hone_gpu_name(size_t i);

#endif
