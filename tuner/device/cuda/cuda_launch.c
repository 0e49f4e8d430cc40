// Launches: plain ones by cuLaunchKernel, others by cuLaunchKernelEx with attributes.
#include <stdio.h>
#include <string.h>

#include "cuda_device.h"
#include "cuda_internal.h"

// As the launch says, else as the kernel does itself; an axis that is left out has one
// block. Returns its blocks.
static uint32_t cluster_of(uint32_t size[3], const struct hone_module *module,
                           const struct hone_launch *launch)
{
    const uint32_t *said = launch->cluster[0] ? launch->cluster : module->own_cluster;
    for (int i = 0; i < 3; i++)
        size[i] = said[i] ? said[i] : 1;
    return size[0] * size[1] * size[2];
}

struct hone_cuda_attributes hone_cuda_attributes_of(const struct hone_module *module,
                                                    const struct hone_launch *launch)
{
    struct hone_cuda_attributes out = {.count = 0};
    CUlaunchAttribute *next = out.list;
    uint32_t size[3];
    const uint32_t blocks = cluster_of(size, module, launch);
    if (launch->cluster[0] && (blocks > 1 || module->wants_cluster)) {
        next->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        next->value.clusterDim.x = size[0];
        next->value.clusterDim.y = size[1];
        next->value.clusterDim.z = size[2];
        next++;
    }
    if (launch->flags & HONE_LAUNCH_COOPERATIVE) {
        next->id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        next->value.cooperative = 1;
        next++;
    }
    if (launch->flags & HONE_LAUNCH_DEPENDENT) {
        next->id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        next->value.programmaticStreamSerializationAllowed = 1;
        next++;
    }
    out.count = (unsigned)(next - out.list);
    return out;
}

static CUresult allow_shared(struct hone_cuda *cuda, struct hone_module *module,
                             uint32_t bytes)
{
    if (bytes <= module->dynamic_shared_limit) return CUDA_SUCCESS;
    CUresult result = cuda->driver->cuFuncSetAttribute(
        module->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes);
    if (result == CUDA_SUCCESS) module->dynamic_shared_limit = bytes;
    return result;
}

static CUresult allow_clusters(struct hone_cuda *cuda, struct hone_module *module,
                               uint32_t blocks)
{
    if (blocks <= module->cluster_limit) return CUDA_SUCCESS;
    CUresult result = cuda->driver->cuFuncSetAttribute(
        module->function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    if (result == CUDA_SUCCESS) module->cluster_limit = UINT32_MAX;
    return result;
}

CUresult hone_cuda_opt_in(struct hone_cuda *cuda, struct hone_module *module,
                          const struct hone_launch *launch)
{
    uint32_t size[3];
    const uint32_t blocks = cluster_of(size, module, launch);
    CUresult result = allow_shared(cuda, module, launch->shared_bytes);
    return result == CUDA_SUCCESS ? allow_clusters(cuda, module, blocks) : result;
}

static CUlaunchConfig config_of(const struct hone_cuda *cuda,
                                struct hone_cuda_attributes *attributes,
                                const struct hone_launch *launch)
{
    return (CUlaunchConfig){.gridDimX = launch->grid[0],
                            .gridDimY = launch->grid[1],
                            .gridDimZ = launch->grid[2],
                            .blockDimX = launch->block[0],
                            .blockDimY = launch->block[1],
                            .blockDimZ = launch->block[2],
                            .sharedMemBytes = launch->shared_bytes,
                            .hStream = cuda->stream,
                            .attrs = attributes->list,
                            .numAttrs = attributes->count};
}

CUresult hone_cuda_submit(struct hone_cuda *cuda, struct hone_module *module,
                          const struct hone_launch *launch)
{
    struct hone_cuda_attributes attributes = hone_cuda_attributes_of(module, launch);
    const uint32_t *grid = launch->grid, *block = launch->block;
    void **params; // the driver reads them only, its signature says otherwise
    memcpy(&params, &launch->params, sizeof params);
    CUresult result = hone_cuda_opt_in(cuda, module, launch);
    if (result != CUDA_SUCCESS) return result;
    if (!attributes.count)
        return cuda->driver->cuLaunchKernel(
            module->function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
            launch->shared_bytes, cuda->stream, params, NULL);
    const CUlaunchConfig config = config_of(cuda, &attributes, launch);
    return cuda->driver->cuLaunchKernelEx(&config, module->function, params, NULL);
}

// False where the GPU has no room for even one cluster of the launch: the launch itself
// would tell no more than that it is refused.
static bool has_room_for_a_cluster(struct hone_cuda *cuda, struct hone_module *module,
                                   const struct hone_launch *launch,
                                   struct hone_fault *fault)
{
    struct hone_cuda_attributes attributes = hone_cuda_attributes_of(module, launch);
    uint32_t size[3];
    int clusters = 0;
    if (cluster_of(size, module, launch) < 2) return true;
    const CUlaunchConfig config = config_of(cuda, &attributes, launch);
    if (hone_cuda_opt_in(cuda, module, launch) != CUDA_SUCCESS ||
        cuda->driver->cuOccupancyMaxActiveClusters(&clusters, module->function,
                                                   &config) != CUDA_SUCCESS ||
        clusters > 0)
        return true; // what is wrong the launch tells
    fault->outcome = HONE_REJECTED;
    snprintf(fault->reason, sizeof fault->reason,
             "no cluster of %u x %u x %u blocks, with %u threads and %u bytes of dynamic "
             "shared memory each, fits the GPU (cuOccupancyMaxActiveClusters)",
             size[0], size[1], size[2],
             launch->block[0] * launch->block[1] * launch->block[2],
             launch->shared_bytes);
    return false;
}

static void explain(const struct hone_device *dev, const struct hone_module *module,
                    const struct hone_launch *launch, CUresult result,
                    struct hone_fault *fault)
{
    const struct hone_cuda *cuda = dev->priv;
    const size_t used = strlen(fault->reason);
    char *end = fault->reason + used;
    const size_t room = sizeof fault->reason - used;
    int each = 0;
    if (result != CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) return;
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    if (cuda->driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &each, module->function, (int)threads, launch->shared_bytes) == CUDA_SUCCESS)
        snprintf(end, room,
                 ": %u x %u x %u blocks, %d run at once on each of %d "
                 "multiprocessors",
                 launch->grid[0], launch->grid[1], launch->grid[2], each,
                 (int)dev->limits.sm_count);
}

enum hone_status hone_cuda_launch(struct hone_device *dev, struct hone_module *module,
                                  const struct hone_launch *launch,
                                  struct hone_fault *fault, struct hone_error *err)
{
    struct hone_cuda *cuda = dev->priv;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    enum hone_status status = hone_cuda_enter(dev, err);
    if (status != HONE_OK || !has_room_for_a_cluster(cuda, module, launch, fault))
        return status;
    const double deadline_s = hone_cuda_deadline(launch);
    CUresult result = hone_cuda_submit(cuda, module, launch);
    if (result == CUDA_SUCCESS) result = hone_cuda_wait(cuda, deadline_s);
    if (result == CUDA_SUCCESS) return HONE_OK;
    hone_cuda_set_fault(cuda, fault, result, launch);
    explain(dev, module, launch, result, fault);
    return HONE_OK;
}
