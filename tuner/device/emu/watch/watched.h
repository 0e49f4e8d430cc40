/* Which blocks of a grid checked launches watch. */
#ifndef HONE_DEVICE_WATCHED_H
#define HONE_DEVICE_WATCHED_H

#include <stdbool.h>
#include <stdint.h>

/* Is the block one of the sample of the grid that checked launches watch? All of a small
 * one are. */
bool hone_emu_is_sampled(const uint32_t *grid, const uint32_t *id);
bool hone_emu_samples_all(const uint32_t *grid);

#endif
