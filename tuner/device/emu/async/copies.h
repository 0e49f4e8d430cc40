/* cp.async of a warp: each lane issues copies into the group that it has open, commits
 * the group, and waits until all or all but the last few of its groups are done. PTX lets
 * a copy be made at any moment from its issue to the wait that needs it. These are the
 * copies that are put off to that wait; what is made at once never gets here. */
#ifndef HONE_DEVICE_EMU_COPIES_H
#define HONE_DEVICE_EMU_COPIES_H

#include "decode/emu_code.h"
#include "memory/emu_memory.h"

struct hone_emu_copy {
    uint8_t *to;              /* shared memory of the block */
    uint64_t from;            /* address in device memory, which was checked */
    uint32_t bytes, readable; /* what is not readable becomes zero */
    uint32_t group;           /* of its lane; set when it is put off */
    int lane;
};

/* The state of a warp: its copies that wait to be made, and how many groups each lane has
 * committed. Zero is a state in which there are none. */
struct hone_emu_copies {
    struct hone_emu_copy *items;
    size_t count, cap;
    uint32_t committed[HONE_EMU_LANES];
};
/* A block begins: nothing is in flight. Keeps the memory. */
void hone_emu_copies_begin(struct hone_emu_copies *copies);
void hone_emu_copies_fini(struct hone_emu_copies *copies);

/* Puts the copy off; its destination is filled with ones, which no kernel should read.
 * False where there is no memory: then it is to be made now. */
bool hone_emu_copies_put_off(struct hone_emu_copies *copies,
                             const struct hone_emu_memory *memory,
                             const struct hone_emu_copy *copy);
/* The lanes end the group that each has open. */
void hone_emu_copies_commit(struct hone_emu_copies *copies, uint32_t lanes);
/* Makes what the lanes wait for: all, or the groups before the last in_flight ones. */
void hone_emu_copies_wait(struct hone_emu_copies *copies,
                          const struct hone_emu_memory *memory, uint32_t lanes, bool all,
                          uint64_t in_flight);

/* Makes one copy at once. */
void hone_emu_make_copy(const struct hone_emu_memory *memory,
                        const struct hone_emu_copy *copy);

#endif
