/* What one instruction costs, as the SASS that ptxas is likely to make of it. */
#ifndef HONE_DEVICE_COST_H
#define HONE_DEVICE_COST_H

#include "decode/emu_code.h"
#include "device/gpu_table.h"

struct hone_emu_cost {
    enum hone_emu_class class;
    uint8_t slots;    /* instructions of the hardware */
    uint16_t latency; /* cycles until the result can be used; of loads, without memory */
};
/* What each instruction of the code costs. The caller frees it; NULL: memory ran out. */
struct hone_emu_cost *hone_emu_costs_new(const struct hone_emu_code *code);

/* The inputs of an mma. */
enum hone_tensor_input hone_emu_tensor_of(const struct hone_emu_insn *insn);
/* Multiply-accumulates of one mma of a warp. */
double hone_emu_macs_of(const struct hone_emu_insn *insn);

/* One wgmma of a warp group. */
struct hone_emu_product_cost {
    double macs;
    double tensor; /* cycles of the tensor cores at their peak */
    double shared; /* cycles in which it reads shared memory */
};
void hone_emu_product_cost_of(struct hone_emu_product_cost *out,
                              const struct hone_emu_code *code,
                              const struct hone_emu_insn *insn);

#endif
