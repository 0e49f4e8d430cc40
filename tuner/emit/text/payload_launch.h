/* The launch (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_LAUNCH_H
#define HONE_EMIT_TEXT_PAYLOAD_LAUNCH_H

/* text */
/* What a launch takes after the sizes:
ARGUMENT_LINES;
 */

/* Launch a configuration of the table on a stream (a CUstream; 0: the default one) of
 * the current context. Pointers, and arrays of them, are of the device. */
static inline int kernel_launch_config(const kernel_config *config, void *stream,
                                       PROBLEM_PARAMS, OPERAND_PARAMS)
{
    COMPUTED_LOCALS;
    ROOMS_OF_MAPS;
    void *params[] = {POINTERS};
    unsigned grid[3], block[3], shared;
    /* only: more */
    unsigned cluster[3];
    /* end */
    void *function;
    int status;
    LAUNCH_LOCALS;
    const int number = kernel_number_of(config);
    if (number < 0) return number;
    NEEDED_VALUES;
    COMPUTE_OPERANDS;
    kernel_grid(config, PROBLEM_ARGS, grid);
    kernel_block(config, PROBLEM_ARGS, block);
    shared = kernel_shared_bytes(config, PROBLEM_ARGS);
    status = kernel_function(&function, number, shared);
    ENCODE_MAPS;
    /* only: cluster */
    kernel_cluster(config, PROBLEM_ARGS, cluster);
    if (!status && !cluster[0]) status = KERNEL_NO_CONFIG;
    /* end */
    /* only: single */
    cluster[0] = cluster[1] = cluster[2] = 1;
    /* end */
    if (!status && (!grid[0] || !block[0] || shared == ~0u)) status = KERNEL_NO_CONFIG;
    if (status) return status;
    /* only: more */
    return kernel_launch_with(function, grid, block, cluster, shared, stream, params);
    /* end */
    /* only: plain */
    return kernel_state.driver.launch(function, grid[0], grid[1], grid[2], block[0],
                                      block[1], block[2], shared, stream, params, 0);
    /* end */
}

/* Select for the current context's GPU, load where it is the first time, launch. */
static inline int kernel_launch(void *stream, PROBLEM_PARAMS, OPERAND_PARAMS)
{
    kernel_gpu gpu;
    const int status = kernel_gpu_here(&gpu);
    if (status) return status;
    return kernel_launch_config(kernel_select_for(&gpu, PROBLEM_ARGS, 0), stream,
                                PROBLEM_ARGS, OPERAND_ARGS);
}
/* end of text */

#endif
