/* What the author of a kernel lets pass. */
#ifndef HONE_DEVICE_WAIVE_H
#define HONE_DEVICE_WAIVE_H

#include "exec/emu_exec.h"

/* A finding at an instruction, for a waiver. */
struct hone_emu_suspect {
    enum hone_finding finding;
    size_t site, other_site; /* numbers of the instructions that it is between, or twice
                                the same */
    uint64_t address;        /* in global memory; 0: it is not about that */
};

/* Does a waiver of the launch let it pass? Each that does has counted it. */
bool hone_emu_waives(const struct hone_emu_launch *launch,
                     const struct hone_emu_suspect *suspect);

#endif
