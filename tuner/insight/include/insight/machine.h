/* The GPU that a journal's trials are of: what it allows, and its peaks. */
#ifndef HONE_INSIGHT_MACHINE_H
#define HONE_INSIGHT_MACHINE_H

#include "device/gpu_table.h"
#include "hone/record.h"

struct hone_machine {
    struct hone_limits limits;
    double gflops; /* nominal, of multiply-adds in fp32 on CUDA cores */
    double gbs;    /* nominal, of memory */
    /* Rates of a multiprocessor, and the name behind "emu:"; NULL where the GPU is none
     * that Hone knows, and rates are zeros. */
    const char *gpu;
    struct hone_gpu_rates rates;
};

/* False where the journal does not tell: its GPU is none that Hone knows, and it has no
 * limits, clock or bandwidth. */
bool hone_machine_of(struct hone_machine *out, const struct hone_record_info *info);

/* Nominal GFLOP/s of so many multiply-adds a cycle and multiprocessor. */
double hone_machine_gflops(const struct hone_machine *machine, double per_cycle);

/* Nominal GFLOP/s of the tensor cores by the type of their inputs; 0 where there are
 * none, or the GPU is not known. */
double hone_machine_tensor_gflops(const struct hone_machine *machine,
                                  enum hone_tensor_input input);

#endif
