/* Who touched what on device memory, in all blocks of a large grid: for each word the
 * block that stored it last and one that loaded it. Of blocks that met where they are
 * not both watched some pairs are drawn, a few for each instruction; the launch is run
 * again with these blocks watched, which tells whether anything orders them. */
#ifndef HONE_DEVICE_FAR_H
#define HONE_DEVICE_FAR_H

#include "exec/emu_exec.h"

struct hone_emu_far;

/* watched: is a grid's block watched anyway? NULL when memory runs out. */
typedef bool hone_emu_is_watched(const uint32_t *grid, const uint32_t *id);
struct hone_emu_far *hone_emu_far_new(const uint32_t grid[3],
                                      hone_emu_is_watched *watched);
void hone_emu_far_free(struct hone_emu_far *far);

/* The touch of a launch, with far as its context. Memory that the host has no room to
 * note is passed over. */
hone_emu_touch hone_emu_far_touch;

/* Before the end: touches are to be noted. */
bool hone_emu_far_notes(const struct hone_emu_far *far);
/* No more is noted from now on. True when blocks met, as hone_emu_far_met. */
bool hone_emu_far_end(struct hone_emu_far *far);
bool hone_emu_far_met(const struct hone_emu_far *far);
/* Is the block one of those that met? After hone_emu_far_end. */
bool hone_emu_far_has(const struct hone_emu_far *far, const uint32_t id[3]);

#endif
