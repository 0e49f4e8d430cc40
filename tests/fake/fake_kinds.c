// The fake libcuda: launches with attributes. It refuses what the driver API says is
// refused; which code a real driver answers an older GPU with is not known here.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_state.h"

enum { PORTABLE = 8, MOST = 16, MULTIPROCESSORS = 132 };

CUresult fake_attribute(struct fake_cuda_launch *launch, CUlaunchAttributeID id,
                        const CUlaunchAttributeValue *value)
{
    switch ((int)id) {
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        launch->cluster[0] = value->clusterDim.x;
        launch->cluster[1] = value->clusterDim.y;
        launch->cluster[2] = value->clusterDim.z;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        launch->cooperative = value->cooperative;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        launch->dependent = value->programmaticStreamSerializationAllowed;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

// The kernel's own cluster, from ".reqnctapercluster 2, 1, 1" of its image.
static bool own_cluster(const struct CUfunc_st *function, uint32_t size[3])
{
    const char *at = strstr(function->image, ".reqnctapercluster ");
    return at &&
           sscanf(at, ".reqnctapercluster %u, %u, %u", &size[0], &size[1], &size[2]) == 3;
}

static CUresult refuse_cluster(const struct CUfunc_st *function,
                               const struct fake_cuda_launch *launch)
{
    const uint32_t *asked = launch->cluster;
    uint32_t own[3], size[3] = {asked[0], asked[1], asked[2]};
    const bool has_own = own_cluster(function, own);
    if (!asked[0] && !has_own)
        return strstr(function->image, ".explicitcluster")
                   ? CUDA_ERROR_INVALID_CLUSTER_SIZE
                   : CUDA_SUCCESS;
    if (fake_state.cc < 90) return CUDA_ERROR_NOT_SUPPORTED;
    if (has_own && asked[0] && memcmp(own, asked, sizeof own) != 0)
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    if (has_own) memcpy(size, own, sizeof size);
    if (!size[0] || !size[1] || !size[2]) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    const uint32_t most = function->large_clusters ? MOST : PORTABLE;
    if (size[0] * size[1] * size[2] > most) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    for (int i = 0; i < 3; i++)
        if (launch->grid[i] % size[i]) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult fake_refuse_kind(const struct CUfunc_st *function,
                          const struct fake_cuda_launch *launch)
{
    const uint32_t *grid = launch->grid, *block = launch->block;
    const CUresult result = refuse_cluster(function, launch);
    if (result) return result;
    if (launch->dependent && fake_state.cc < 90) return CUDA_ERROR_NOT_SUPPORTED;
    const double blocks = (double)grid[0] * grid[1] * grid[2];
    const int resident =
        fake_resident((int)(block[0] * block[1] * block[2]), launch->shared_bytes);
    return launch->cooperative && blocks > MULTIPROCESSORS * resident
               ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
               : CUDA_SUCCESS;
}

static CUresult read_config(struct fake_cuda_launch *out, const CUlaunchConfig *config,
                            void **params)
{
    CUresult result = CUDA_SUCCESS;
    *out = (struct fake_cuda_launch){
        .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
        .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
        .shared_bytes = config->sharedMemBytes,
        .params = params};
    for (unsigned i = 0; i < config->numAttrs && !result; i++)
        result = fake_attribute(out, config->attrs[i].id, &config->attrs[i].value);
    return result;
}

static CUresult launch_kernel(const CUlaunchConfig *config, CUfunction function,
                              void **params, void **extra)
{
    struct fake_cuda_launch launch;
    (void)extra;
    const CUresult result = read_config(&launch, config, params);
    return result ? result : fake_launch(function, &launch);
}

static CUresult active_clusters(int *out, CUfunction function,
                                const CUlaunchConfig *config)
{
    struct fake_cuda_launch launch;
    CUresult result = read_config(&launch, config, NULL);
    if (!result) result = refuse_cluster(function, &launch);
    if (result) return result;
    uint32_t *size = launch.cluster;
    if (!size[0] && !own_cluster(function, size)) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    const uint32_t *block = launch.block;
    const int blocks = (int)(size[0] * size[1] * size[2]);
    const int resident =
        fake_resident((int)(block[0] * block[1] * block[2]), launch.shared_bytes);
    *out = fake_state.clusters >= 0 ? (int)fake_state.clusters
                                    : MULTIPROCESSORS * resident / blocks;
    return CUDA_SUCCESS;
}

// A programmatic dependency is an edge of a graph, no attribute of a node.
static CUresult node_attribute(CUgraphNode node, CUkernelNodeAttrID id,
                               const CUkernelNodeAttrValue *value)
{
    if (id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
        return CUDA_ERROR_INVALID_VALUE;
    return fake_attribute(fake_node_launch(node), id, value);
}

const struct fake_entry fake_kind_functions[] = {
    {"cuLaunchKernelEx", (fake_function *)launch_kernel},
    {"cuOccupancyMaxActiveClusters", (fake_function *)active_clusters},
    {"cuGraphKernelNodeSetAttribute", (fake_function *)node_attribute},
    {NULL, NULL},
};
