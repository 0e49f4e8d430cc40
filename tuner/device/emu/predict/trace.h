/* What the warps of a block, or of a cluster's, do and wait for, as the emulator ran them
 * once: for each warp a list of moments, with the work between them. Which roles warps
 * have (who copies, who multiplies, who writes) is in their moments, nowhere else. The
 * simulation (roles.h) finds out when each of them comes. */
#ifndef HONE_DEVICE_EMU_TRACE_H
#define HONE_DEVICE_EMU_TRACE_H

#include "emu_model.h"

enum hone_emu_moment_kind {
    HONE_EMU_MOMENT_END,      /* the warp exits */
    HONE_EMU_MOMENT_ARRIVE,   /* at the phase of that number */
    HONE_EMU_MOMENT_WAIT,     /* until it is over */
    HONE_EMU_MOMENT_PRODUCT,  /* its part of the warp group's next wgmma */
    HONE_EMU_MOMENT_PRODUCTS, /* until the first number products of the group are done */
    HONE_EMU_MOMENT_COPY,     /* starts the copy of that number, which a phase awaits */
    HONE_EMU_MOMENT_STORE,    /* starts one that groups await */
    HONE_EMU_MOMENT_COMMIT,   /* ends the group of these */
    HONE_EMU_MOMENT_READ,     /* until all but the last number groups have been read */
    HONE_EMU_MOMENT_STORED    /* until they are over */
};

/* Work, and what comes after it. */
struct hone_emu_moment {
    uint32_t path;  /* cycles from result to result, at least */
    uint32_t slots; /* issue slots */
    uint32_t units; /* cycles of the arithmetic units of a quarter of a multiprocessor */
    uint32_t port;  /* cycles of its data cache, that shared memory is part of */
    uint32_t bytes; /* that L2 moves for it; STORE: with those that it stores */
    uint32_t number;
    uint32_t tensor; /* PRODUCT: cycles of the tensor cores; ARRIVE: cycles until it is
                        done; STORE: bytes of shared memory */
    uint16_t shared; /* PRODUCT: cycles of the port */
    uint8_t kind;
    bool remote; /* ARRIVE: at an object of another block */
};

/* What a copy brings to a block. */
struct hone_emu_landing {
    uint32_t rank, phase, bytes;
};
struct hone_emu_traced_copy {
    uint32_t bytes; /* that L2 gives; 0: it comes from another block */
    uint32_t count; /* of landings, from that one on */
    uint32_t landing;
};

struct hone_emu_warp_trace;

/* The trace keeps so many of all warps together, unless its caller says another number:
 * more take more time than they are worth. */
enum { HONE_EMU_MOST_MOMENTS = 1 << 21 };

struct hone_emu_trace {
    const struct hone_emu_code *code;
    const struct hone_gpu *gpu;
    struct hone_emu_latencies latencies;
    uint32_t size, warps; /* blocks; warps of each */
    struct hone_emu_warp_trace *of_warps;
    struct hone_emu_trace_object *objects; /* that are arrived at and waited for */
    uint32_t object_count;
    uint16_t *places; /* of the mbarrier at an offset / 8: its object + 1 */
    uint32_t places_each;
    uint32_t *arrivals; /* of each phase */
    uint32_t phase_count;
    struct hone_emu_traced_copy *copies;
    uint32_t copy_count;
    struct hone_emu_landing *landings;
    uint32_t landing_count;
    uint32_t stepping; /* rank of the block that ran last */
    size_t object_cap, phase_cap, copy_cap, landing_cap;
    uint64_t moments, most; /* of all warps; how many may be kept */
    bool incomplete;        /* memory ran out, or there was too much to keep */
    bool out_of_memory;     /* it was that */
};

/* Does the code have what only the simulation knows the time of? */
bool hone_emu_has_roles(const struct hone_emu_code *code);

/* The trace is for one block of the launch, or for those of a cluster; gpu outlives it.
 * NULL: memory ran out. */
struct hone_emu_trace *hone_emu_trace_new(const struct hone_emu_launch *launch,
                                          const struct hone_gpu *gpu,
                                          struct hone_emu_latencies latencies,
                                          uint64_t most_moments);
void hone_emu_trace_free(struct hone_emu_trace *trace);
/* Forgets all: the blocks begin anew. */
void hone_emu_trace_reset(struct hone_emu_trace *trace);
/* Call it when the blocks have ended: false where nothing can be made of it. */
bool hone_emu_trace_finish(struct hone_emu_trace *trace);
/* Those of one warp: END is the last. */
const struct hone_emu_moment *hone_emu_trace_moments(const struct hone_emu_trace *trace,
                                                     uint32_t rank, uint32_t warp);

/* ---- what an observer is told, and tells on ---- */

void hone_emu_trace_step(struct hone_emu_trace *trace, const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, struct hone_emu_cost cost);
/* A request to shared memory took so many wavefronts. */
void hone_emu_trace_shared(struct hone_emu_trace *trace, const struct hone_emu_warp *warp,
                           unsigned wavefronts);
/* One to global memory touched so many sectors, and so many of them L2 moves. */
void hone_emu_trace_global(struct hone_emu_trace *trace, const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, unsigned sectors,
                           unsigned moved);
void hone_emu_trace_barrier(struct hone_emu_trace *trace,
                            const struct hone_emu_warp *warp, uint32_t id, bool waits);
void hone_emu_trace_mbarrier(struct hone_emu_trace *trace,
                             const struct hone_emu_warp *warp,
                             enum hone_emu_mbarrier_event event,
                             const struct hone_emu_place *at);
void hone_emu_trace_async(struct hone_emu_trace *trace,
                          const struct hone_emu_async *event);
void hone_emu_trace_cluster(struct hone_emu_trace *trace,
                            const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn);

#endif
