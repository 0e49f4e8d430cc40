#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

// Copies are aligned as device memory is.
enum { ALIGNMENT = 256 };

static size_t aligned(uint64_t bytes)
{
    return ((size_t)bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t bytes_of(const struct hone_launch *launch)
{
    size_t bytes = 0;
    for (size_t i = 0; i < launch->extent_count; i++)
        bytes += aligned(launch->extents[i].bytes);
    return bytes;
}

static bool reserve(struct hone_cuda *cuda, size_t bytes)
{
    if (bytes <= cuda->copies_bytes) return true;
    if (cuda->copies) cuda->driver->cuMemFree(cuda->copies);
    cuda->copies = 0;
    cuda->copies_bytes = 0;
    if (cuda->driver->cuMemAlloc(&cuda->copies, bytes) != CUDA_SUCCESS) {
        cuda->copies = 0;
        return false;
    }
    cuda->copies_bytes = bytes;
    return true;
}

// The first node has the buffers themselves, each further one a copy.
static CUresult copy_buffers(struct hone_cuda *cuda, const struct hone_launch *launch,
                             size_t nodes)
{
    CUdeviceptr to = cuda->copies;
    CUresult result = CUDA_SUCCESS;
    for (size_t node = 1; node < nodes; node++)
        for (size_t i = 0; i < launch->extent_count && result == CUDA_SUCCESS; i++) {
            const struct hone_extent *extent = &launch->extents[i];
            if (extent->bytes)
                result = cuda->driver->cuMemcpyDtoDAsync(
                    to, extent->base, (size_t)extent->bytes, cuda->stream);
            to += aligned(extent->bytes);
        }
    return result;
}

// A launch's parameters as one node has them: pointers to buffers lead to its copies.
struct params {
    void **pointers;
    CUdeviceptr *moved; // what the pointers of moved ones point to
};

static void move_params(struct params *params, const struct hone_launch *launch,
                        CUdeviceptr copy)
{
    if (launch->param_count)
        memcpy(params->pointers, launch->params,
               launch->param_count * sizeof *params->pointers);
    for (size_t i = 0; i < launch->extent_count && copy; i++) {
        const CUdeviceptr base = launch->extents[i].base;
        for (size_t p = 0; p < launch->param_count; p++) {
            if (launch->param_sizes[p] != sizeof base ||
                memcmp(launch->params[p], &base, sizeof base) != 0)
                continue;
            params->moved[p] = copy;
            params->pointers[p] = &params->moved[p];
        }
        copy += aligned(launch->extents[i].bytes);
    }
}

// Is a pointer to each buffer among the parameters? What reaches the kernel by a tensor
// map or by an array of pointers stays where it is.
static bool can_move(const struct hone_launch *launch)
{
    for (size_t i = 0; i < launch->extent_count; i++) {
        const CUdeviceptr base = launch->extents[i].base;
        size_t p = 0;
        while (p < launch->param_count &&
               (launch->param_sizes[p] != sizeof base ||
                memcmp(launch->params[p], &base, sizeof base) != 0))
            p++;
        if (p == launch->param_count) return false;
    }
    return true;
}

static CUresult set_attributes(struct hone_cuda *cuda, CUgraphNode node,
                               const struct hone_cuda_attributes *attributes)
{
    CUresult result = CUDA_SUCCESS;
    for (unsigned i = 0; i < attributes->count && result == CUDA_SUCCESS; i++)
        result = cuda->driver->cuGraphKernelNodeSetAttribute(node, attributes->list[i].id,
                                                             &attributes->list[i].value);
    return result;
}

static CUresult add_nodes(struct hone_cuda *cuda, struct hone_graph *graph,
                          const struct hone_module *module,
                          const struct hone_launch *launch, struct params *params,
                          size_t copy_bytes)
{
    const CUDA_KERNEL_NODE_PARAMS_v1 node = {
        .func = module->function,
        .gridDimX = launch->grid[0],
        .gridDimY = launch->grid[1],
        .gridDimZ = launch->grid[2],
        .blockDimX = launch->block[0],
        .blockDimY = launch->block[1],
        .blockDimZ = launch->block[2],
        .sharedMemBytes = launch->shared_bytes,
        .kernelParams = params->pointers,
    };
    const struct hone_cuda_attributes attributes =
        hone_cuda_attributes_of(module, launch);
    CUgraphNode last = NULL;
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < graph->nodes && result == CUDA_SUCCESS; i++) {
        const bool moves = i && copy_bytes;
        move_params(params, launch, moves ? cuda->copies + (i - 1) * copy_bytes : 0);
        const CUgraphNode before = last;
        result = cuda->driver->cuGraphAddKernelNode(&last, graph->graph, &before, i > 0,
                                                    &node);
        if (result == CUDA_SUCCESS) result = set_attributes(cuda, last, &attributes);
    }
    return result;
}

static CUresult instantiate(struct hone_cuda *cuda, struct hone_graph *graph,
                            const struct hone_module *module,
                            const struct hone_launch *launch, size_t copy_bytes)
{
    const struct hone_cuda_driver *driver = cuda->driver;
    struct params params = {
        .pointers = calloc(launch->param_count + 1, sizeof *params.pointers),
        .moved = calloc(launch->param_count + 1, sizeof *params.moved)};
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    if (params.pointers && params.moved) result = driver->cuGraphCreate(&graph->graph, 0);
    if (result == CUDA_SUCCESS)
        result = add_nodes(cuda, graph, module, launch, &params, copy_bytes);
    if (result == CUDA_SUCCESS)
        result = driver->cuGraphInstantiateWithFlags(&graph->exec, graph->graph, 0);
    free(params.pointers);
    free(params.moved);
    return result;
}

CUresult hone_graph_make(struct hone_device *dev, struct hone_graph *out,
                         struct hone_module *module, const struct hone_launch *launch,
                         size_t nodes, bool cold)
{
    struct hone_cuda *cuda = dev->priv;
    const size_t bytes = bytes_of(launch);
    const bool copies = cold && bytes && bytes < 2 * (size_t)dev->limits.l2_bytes;
    const bool stays = copies && !can_move(launch);
    if (stays && !cuda->told_of_graphs)
        hone_log(HONE_LOG_WARNING,
                 "%s: '%s' gets buffers by tensor maps or arrays of pointers, which the "
                 "launches of a graph would share: each graph holds one launch, and its "
                 "time the cost of that; --clock cupti tells the kernel alone",
                 dev->id, module->name);
    cuda->told_of_graphs |= stays;
    if (stays || (cold && !copies && module->keeps)) nodes = 1;
    while (copies && nodes > 1 && !reserve(cuda, (nodes - 1) * bytes))
        nodes /= 2;
    *out = (struct hone_graph){.nodes = nodes};
    CUresult result = hone_cuda_opt_in(cuda, module, launch);
    if (result == CUDA_SUCCESS && copies) result = copy_buffers(cuda, launch, nodes);
    if (result == CUDA_SUCCESS)
        result = instantiate(cuda, out, module, launch, copies ? bytes : 0);
    return result;
}

void hone_graph_fini(struct hone_cuda *cuda, struct hone_graph *graph)
{
    if (graph->exec) cuda->driver->cuGraphExecDestroy(graph->exec);
    if (graph->graph) cuda->driver->cuGraphDestroy(graph->graph);
    *graph = (struct hone_graph){0};
}
