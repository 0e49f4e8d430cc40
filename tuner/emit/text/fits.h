/* Where a configuration may run (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_FITS_H
#define HONE_EMIT_TEXT_FITS_H

/* text */
/* only: gpu */
/* Whether a configuration may run on a GPU and problem it was not measured on. */
/* end */
/* only: sizes */
/* Whether a configuration may run on a problem it was not measured on. */
/* end */
static inline int kernel_fits(int number, FIT_PARAMS)
{
    /* only: here */
    kernel_config here = kernel_configs[number];
    /* end */
    /* only: config */
    const kernel_config *config = &CONFIG_HERE;
    /* end */
    /* only: launch */
    unsigned CHECKED_LOCALS;
    /* end */
    /* only: unused_config */
    (void)config;
    /* end */
    /* only: unused_number */
    (void)number;
    /* end */
    UNUSED_SIZES;
    FIELDS_OF_HERE;
    NEEDED_VALUES;
    CONSTRAINTS;
    /* only: launch */
    kernel_grid(config, PROBLEM_ARGS, grid);
    if (!grid[0]) return 0;
    /* end */
    /* only: block */
    kernel_block(config, PROBLEM_ARGS, block);
    if (!block[0]) return 0;
    /* end */
    /* only: shared */
    shared = kernel_shared_bytes(config, PROBLEM_ARGS);
    /* end */
    /* only: bytes */
    if (shared == ~0u) return 0;
    /* end */
    /* only: shared */
    if (gpu->max_shared_bytes && SHARED_IN_ALL > gpu->max_shared_bytes) return 0;
    /* end */
    /* only: cluster */
    kernel_cluster(config, PROBLEM_ARGS, cluster);
    if (!kernel_cluster_fits(gpu, grid, cluster)) return 0;
    /* end */
    /* only: dependent */
    if (gpu->cc_major && gpu->cc_major < LEAST_CC) return 0; /* no dependent launches */
    /* end */
    /* only: open */
    return 1;
    /* end */
    /* only: no_form */
    return 0; /* see the first lines */
    /* end */
}
/* end of text */

#endif
