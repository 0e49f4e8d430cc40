/* When the moments of a trace come: warps issue, copies bring stages, warp groups
 * multiply, each as soon as what it waits for is there and its unit is free. */
#ifndef HONE_DEVICE_EMU_ROLES_H
#define HONE_DEVICE_EMU_ROLES_H

#include "trace.h"

/* The memory that a multiprocessor sees. */
struct hone_emu_supply {
    double bytes_per_cycle; /* its share of what L2 and DRAM bring */
    double copy_latency;    /* cycles from the first byte's turn to the phase's end */
    double object_latency;  /* of an arrival, and of a look at an object */
    double peer_latency;    /* of an arrival at another block's */
};

struct hone_emu_roles {
    double cycles; /* until all have ended */
    /* of these, as shares, that are busy on the first multiprocessor */
    double tensor, port, memory;
    /* of warps that multiply, and of those that copy: waiting at mbarriers and barriers,
     * the mean over them as a share */
    double multiply_waits, copy_waits;
    bool out_of_memory; /* that is why there is nothing of it */
};

/* The blocks of the trace run so many times side by side on each multiprocessor, each
 * time rounds times one after another. False when memory runs out, or the trace waits for
 * what is not in it. */
bool hone_emu_roles_simulate(struct hone_emu_roles *out,
                             const struct hone_emu_trace *trace,
                             const struct hone_emu_supply *supply, uint32_t resident,
                             uint32_t rounds);

#endif
