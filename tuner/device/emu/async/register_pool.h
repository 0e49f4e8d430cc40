/* The registers of a block that setmaxnreg moves between its warp groups. What a group
 * gives back is free for others; one that wants more than is free waits. The four warps
 * of a group execute each setmaxnreg: a warp gives back at its own, the first one of a
 * group takes for all of them. All bytes zero: nothing is known of the block's registers
 * and setmaxnreg does nothing, as ptxas has it where it ignores it. */
#ifndef HONE_DEVICE_EMU_REGISTER_POOL_H
#define HONE_DEVICE_EMU_REGISTER_POOL_H

#include <stdbool.h>
#include <stdint.h>

enum { HONE_EMU_GROUP_WARPS = 4, HONE_EMU_MAX_GROUPS = 8 };

struct hone_emu_warp_group {
    uint32_t each;              /* registers of a thread */
    uint32_t target;            /* of the setmaxnreg under way */
    uint8_t exists, left, came; /* warps, a bit each: came to the one under way */
};

struct hone_emu_register_pool {
    uint32_t launched; /* registers of a thread at launch; 0: not known */
    uint32_t free;
    struct hone_emu_warp_group groups[HONE_EMU_MAX_GROUPS];
};

enum hone_emu_pool_answer {
    HONE_EMU_POOL_DONE,
    HONE_EMU_POOL_WAITS,     /* for registers; nothing has changed */
    HONE_EMU_POOL_WRONG_WAY, /* dec to more or inc to less than the group has */
    HONE_EMU_POOL_APART,     /* others of the group executed another one, or not yet */
    HONE_EMU_POOL_LEFT       /* another warp of the group has exited without it */
};

/* A block of so many warps begins. */
void hone_emu_pool_begin(struct hone_emu_register_pool *pool, uint32_t launched,
                         uint32_t warps);

/* The warp executes setmaxnreg: each registers a thread from now on. */
enum hone_emu_pool_answer hone_emu_pool_set(struct hone_emu_register_pool *pool,
                                            uint32_t warp, uint32_t each, bool more);

/* The warp has exited; it keeps its registers until the block ends. False when others of
 * its group have executed a setmaxnreg that it has not. */
bool hone_emu_pool_leave(struct hone_emu_register_pool *pool, uint32_t warp);

/* Registers that the group lacks in order to have each a thread. */
uint32_t hone_emu_pool_lack(const struct hone_emu_register_pool *pool, uint32_t warp,
                            uint32_t each);

#endif
