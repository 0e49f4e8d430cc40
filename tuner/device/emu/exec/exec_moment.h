/* When asynchronous work is made: at its issue, at the wait that needs it, or at a moment
 * between, as copy_time of the launch says. Every unit asks here, so that an order of a
 * verification is one order for all of them. What is drawn repeats by block
 * and by the launch's seed. */
#ifndef HONE_DEVICE_EXEC_MOMENT_H
#define HONE_DEVICE_EXEC_MOMENT_H

#include "emu_exec.h"

/* A block begins. */
void hone_emu_moment_begin(struct hone_emu_block *block);
/* Is what is issued now made at once? If not, it is put off. */
bool hone_emu_made_at_once(struct hone_emu_block *block);
/* Is what was put off made now, though nobody waits for it? To be asked for each piece of
 * work when its block has an opportunity: as a warp gets its turn. */
bool hone_emu_made_between(struct hone_emu_block *block);
/* Does a try_wait say that its phase goes on though it has ended, as PTX lets it? */
bool hone_emu_fails_early(struct hone_emu_block *block);

#endif
