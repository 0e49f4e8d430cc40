/* From what the blocks of a launch need to the time that it takes: the last step of the
 * emulator's predictions, also for who asks how long it would take with less of it. */
#ifndef HONE_DEVICE_LAUNCH_TIME_H
#define HONE_DEVICE_LAUNCH_TIME_H

#include "hone/limits.h"

/* An empty kernel takes about this long on a GPU's own clock (assumed). */
#define HONE_LAUNCH_US 1.5

struct hone_launch_load {
    double blocks;         /* of the grid, 1 or more */
    double occupancy;      /* blocks that a multiprocessor holds at once, >= 1 */
    double pipe_cycles;    /* that a block needs its busiest pipe */
    double path_cycles;    /* that a block waits for results besides */
    double l2_us, dram_us; /* what L2 and memory alone would take */
    /* How many times as long the multiprocessors work as they would if blocks were alike
     * and like the mean one; 0: they are. */
    double stretch;
};

struct hone_launch_time {
    double time_us;
    double sm_us; /* of the multiprocessor that is the last to end */
    /* The same if blocks could be divided evenly among all multiprocessors. */
    double even_sm_us;
    double waves; /* rounds of as many blocks as run at once; not rounded */
};

/* How blocks share out among multiprocessors. */
struct hone_launch_shares {
    double resident; /* on the busiest one at once */
    double waves;    /* of these, one after another; whole where there are few */
};
struct hone_launch_shares hone_launch_shares(double blocks, double occupancy,
                                             const struct hone_limits *limits);

/* limits: of sm_count and sm_clock_khz. */
struct hone_launch_time hone_launch_time(const struct hone_launch_load *load,
                                         const struct hone_limits *limits);

#endif
