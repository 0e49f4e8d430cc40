/* How long the multiprocessors work where blocks differ in how much they have to do. */
#ifndef HONE_DEVICE_EMU_UNEVEN_H
#define HONE_DEVICE_EMU_UNEVEN_H

#include "device/launch_time.h"
#include "hone/status.h"

/* What blocks all over a grid have to do, in the order in which they begin: each stands
 * for as many of its neighbours as the others do for theirs. */
enum { HONE_EMU_MOST_WORKS = 48 };
struct hone_emu_works {
    double each[HONE_EMU_MOST_WORKS]; /* > 0; their mean is 1 */
    uint32_t count;                   /* 0: all blocks are alike */
};

/* The time until the last block of the load ends, over that of as many which are all like
 * the mean one: the load's pipe and path are those of the mean block. Each multiprocessor
 * takes the next block when one of its own ends (a list schedule), and those that it
 * holds progress as hone_emu_resident_cycles has it for so many. 1 where there are too
 * many blocks for the last ones to matter. ENOMEM. */
enum hone_status hone_emu_find_stretch(double *out, const struct hone_emu_works *works,
                                       const struct hone_launch_load *load,
                                       const struct hone_limits *limits,
                                       struct hone_error *err);

#endif
