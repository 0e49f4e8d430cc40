/* Blocks all over a grid that differ in what they do are counted, not the middle one
 * alone. */
#ifndef HONE_DEVICE_EMU_SURVEY_H
#define HONE_DEVICE_EMU_SURVEY_H

#include "count_block.h"
#include "uneven.h"

/* What is to be looked at, and counts of the middle block, or of the one that stands for
 * it, and of the last one. */
struct hone_emu_surveyed {
    struct hone_emu_run *run;
    struct hone_emu_counter *counter; /* keeps no trace */
    const struct hone_emu_isa *isa;
    const struct hone_gpu *gpu;
    const struct hone_emu_wave *wave;
    const struct hone_emu_counts *middle, *last;
    bool roles; /* the path of the first warp tells nothing */
};

struct hone_emu_survey {
    struct hone_emu_works
        works;         /* none: blocks within the grid are like the middle one */
    double idle_share; /* of blocks that have nothing to do, which are left out */
    struct hone_emu_counts mean;
    /* The block whose work is next above the mean, and that work over the mean. A shorter
     * one would not do: its latencies are no part of a longer one's work. */
    uint32_t typical[3];
    double work_of_typical;
};

/* Do the blocks execute about as many instructions? */
bool hone_emu_are_alike(const struct hone_emu_counts *a, const struct hone_emu_counts *b);

/* So few that the middle one and the last may both be at an edge of what they make. */
bool hone_emu_has_few_blocks(const struct hone_emu_launch *launch);

/* Counts up to HONE_EMU_MOST_WORKS blocks, fewer where they are long; only a few where
 * these are like the middle one, unless the wave's are unlike. */
enum hone_status hone_emu_survey(struct hone_emu_survey *out,
                                 const struct hone_emu_surveyed *what,
                                 struct hone_error *err);

#endif
