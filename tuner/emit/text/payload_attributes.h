/* A launch with attributes (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_ATTRIBUTES_H
#define HONE_EMIT_TEXT_PAYLOAD_ATTRIBUTES_H

/* text */
/* CUlaunchAttribute and CUlaunchConfig of cuda.h. */
typedef struct kernel_attribute {
    int id, unused;
    union {
        unsigned cluster[3];
        int flag;
        void *size[8];
    } value;
} kernel_attribute;

typedef struct kernel_launch_as {
    unsigned grid[3], block[3], shared;
    void *stream;
    kernel_attribute *attributes;
    unsigned count;
} kernel_launch_as;

static inline int kernel_launch_with(void *function, const unsigned grid[3],
                                     const unsigned block[3], const unsigned cluster[3],
                                     unsigned shared, void *stream, void **params)
{
    const unsigned blocks = cluster[0] * cluster[1] * cluster[2];
    kernel_attribute list[3];
    kernel_launch_as as;
    int status = 0, wanted = 0;
    memset(list, 0, sizeof list);
    memset(&as, 0, sizeof as);
    memcpy(as.grid, grid, sizeof as.grid);
    memcpy(as.block, block, sizeof as.block);
    as.shared = shared;
    as.stream = stream;
    as.attributes = list;
    /* only: cooperative */
    list[as.count].id = 2; /* CU_LAUNCH_ATTRIBUTE_COOPERATIVE */
    list[as.count++].value.flag = 1;
    /* end */
    /* only: dependent */
    list[as.count].id = 6; /* ..._PROGRAMMATIC_STREAM_SERIALIZATION */
    list[as.count++].value.flag = 1;
    /* end */
    /* only: cluster */
    /* A cluster of one block is none, but to kernels that want one said
     * (CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET). */
    if (blocks == 1 && kernel_state.driver.ask_function(&wanted, 10, function))
        wanted = 0;
    /* end */
    if (blocks > 1 || wanted) {
        list[as.count].id = 4; /* ..._CLUSTER_DIMENSION */
        memcpy(list[as.count++].value.cluster, cluster, 3 * sizeof *cluster);
    }
    if (blocks > 8) /* CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED */
        status = kernel_state.driver.set_attribute(function, 14, 1);
    if (status) return status;
    return kernel_state.driver.launch_as(&as, function, params, 0);
}
/* end of text */

#endif
