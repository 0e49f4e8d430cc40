/* A grid, a block or a cluster of a launch (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_EXTENT_H
#define HONE_EMIT_TEXT_EXTENT_H

/* text */
/* only: first */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
/* end */
static inline void KERNEL_EXTENT(const kernel_config *config, PROBLEM_PARAMS,
                                 unsigned EXTENT[3])
{
    UNUSED_ARGS;
    EXTENT[0] = EXTENT[1] = EXTENT[2] = 0;
    if (!config) return;
    NEEDED_VALUES;
    LONG_AXES;
    /* only: bounds */
    if (IS_OUT_OF_BOUNDS) return;
    /* end */
    EXTENT[0] = EXTENT_X, EXTENT[1] = EXTENT_Y, EXTENT[2] = EXTENT_Z;
}
/* end of text */

#endif
