/* What a block keeps of other blocks of its cluster that touched its shared memory, so
 * that it is known whether they may still do so when it ends: check_cluster.c. */
#ifndef HONE_DEVICE_CHECK_VISIT_H
#define HONE_DEVICE_CHECK_VISIT_H

#include "order.h"

/* A time that another block touched the shared memory of this one: the last access, the
 * last operation on an object, the last thing that it sent, each in a place of its own,
 * since one may be known to be over and another not; and the last flags, strong stores
 * and atomic operations. */
enum {
    HONE_EMU_VISIT_ACCESS,
    HONE_EMU_VISIT_OBJECT,
    HONE_EMU_VISIT_SENT,
    HONE_EMU_VISIT_FLAGS,
    HONE_EMU_FLAGS = 4,
    HONE_EMU_VISITS = HONE_EMU_VISIT_FLAGS + HONE_EMU_FLAGS
};
struct hone_emu_visit {
    uint32_t block;       /* its number */
    uint32_t site, world; /* site: number of the instruction, and 1; 0: never */
    uint32_t arrivals;    /* of the thread at barrier.cluster before */
    uint64_t in_flight;   /* the asynchronous operation that it was, until it landed */
    hone_emu_stamp stamp;
    uint64_t at; /* of a flag: its place */
    uint32_t bytes;
    bool seen; /* of a flag: by a strong load of its place since */
};

#endif
