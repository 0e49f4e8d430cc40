/* Which clusters a GPU has (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_CLUSTER_FITS_H
#define HONE_EMIT_TEXT_CLUSTER_FITS_H

/* text */
/* Do clusters divide the grid, and has the GPU such? Compute capability 9.0 and 10.x take
 * 16 blocks, later ones 8, earlier ones have none. */
static inline int kernel_cluster_fits(const kernel_gpu *gpu, const unsigned grid[3],
                                      const unsigned cluster[3])
{
    const unsigned blocks = cluster[0] * cluster[1] * cluster[2];
    const int major = gpu->cc_major;
    if (!blocks || grid[0] % cluster[0] || grid[1] % cluster[1] || grid[2] % cluster[2])
        return 0;
    return !major || blocks <= (major < 9 ? 1u : major <= 10 ? 16u : 8u);
}
/* end of text */

#endif
