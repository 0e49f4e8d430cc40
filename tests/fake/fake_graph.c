// The fake libcuda: graphs of kernel nodes in a chain. As the driver does, a node copies
// its parameters when it is added; how many bytes each has is read from the PTX, or known
// of the kernels of this project.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_state.h"

enum { PARAMS_MAX = 16, PARAM_BYTES = sizeof(CUtensorMap) };

struct CUgraphNode_st {
    struct CUgraphNode_st *next;
    CUfunction function;
    struct fake_cuda_launch launch;
    void *params[PARAMS_MAX];
    unsigned char values[PARAMS_MAX][PARAM_BYTES];
};

struct CUgraph_st {
    CUgraphNode first, last;
};

struct CUgraphExec_st {
    CUgraph graph; // has to live as long, which hone keeps to
};

static CUresult graph_create(CUgraph *out, unsigned flags)
{
    (void)flags;
    if (fake_state.broken) return fake_state.broken;
    *out = fake_new(sizeof **out);
    return CUDA_SUCCESS;
}

// Letters as of fake_kernel_params, from ".entry name(.param .u64 a, .param .u32 b)".
static void read_params(const struct CUfunc_st *function, char letters[PARAMS_MAX])
{
    char entry[300];
    size_t count = 0;
    const char *known = fake_kernel_params(function->name);
    if (known) {
        snprintf(letters, PARAMS_MAX, "%s", known);
        return;
    }
    snprintf(entry, sizeof entry, ".entry %s(", function->name);
    const char *at = strstr(function->image, entry);
    const char *end = at ? strchr(at, ')') : NULL;
    while (end && (at = strstr(at, ".param .")) && at < end && count < PARAMS_MAX - 1) {
        at += strlen(".param .") + 1; // the kind of type: u, s, b or f
        letters[count++] = strncmp(at, "64", 2) == 0 ? 'p' : 'i';
    }
    letters[count] = '\0';
}

static size_t bytes_of(char letter)
{
    return letter == 'm' ? sizeof(CUtensorMap) : letter == 'p' ? 8 : 4;
}

static CUresult add_kernel(CUgraphNode *out, CUgraph graph, const CUgraphNode *before,
                           size_t count, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    char letters[PARAMS_MAX];
    if (fake_state.broken) return fake_state.broken;
    if (count > 1 || (count && *before != graph->last) || (!count && graph->first))
        return CUDA_ERROR_NOT_SUPPORTED; // of a fake that knows chains only
    CUgraphNode node = fake_new(sizeof *node);
    node->function = params->func;
    node->launch = (struct fake_cuda_launch){
        .grid = {params->gridDimX, params->gridDimY, params->gridDimZ},
        .block = {params->blockDimX, params->blockDimY, params->blockDimZ},
        .shared_bytes = params->sharedMemBytes,
        .params = node->params};
    read_params(params->func, letters);
    for (size_t i = 0; letters[i]; i++) {
        memcpy(node->values[i], params->kernelParams[i], bytes_of(letters[i]));
        node->params[i] = node->values[i];
    }
    *(graph->last ? &graph->last->next : &graph->first) = node;
    graph->last = node;
    *out = node;
    return CUDA_SUCCESS;
}

struct fake_cuda_launch *fake_node_launch(CUgraphNode node)
{
    return &node->launch;
}

static CUresult instantiate(CUgraphExec *out, CUgraph graph, unsigned long long flags)
{
    (void)flags;
    if (fake_state.broken) return fake_state.broken;
    *out = fake_new(sizeof **out);
    (*out)->graph = graph;
    return CUDA_SUCCESS;
}

static CUresult graph_launch(CUgraphExec exec, CUstream stream)
{
    (void)stream;
    CUresult result = fake_state.broken;
    for (CUgraphNode node = exec->graph->first; node && !result; node = node->next) {
        if (node != exec->graph->first) fake_state.now_us += fake_state.gap_us;
        result = fake_launch(node->function, &node->launch);
    }
    return result;
}

static CUresult exec_destroy(CUgraphExec exec)
{
    fake_must_not_hang("cuGraphExecDestroy");
    fake_delete(exec);
    return fake_state.broken;
}

static CUresult graph_destroy(CUgraph graph)
{
    for (CUgraphNode node = graph->first, next; node; node = next) {
        next = node->next;
        fake_delete(node);
    }
    fake_delete(graph);
    return fake_state.broken;
}

const struct fake_entry fake_graph_functions[] = {
    {"cuGraphCreate", (fake_function *)graph_create},
    {"cuGraphAddKernelNode", (fake_function *)add_kernel},
    {"cuGraphInstantiateWithFlags", (fake_function *)instantiate},
    {"cuGraphLaunch", (fake_function *)graph_launch},
    {"cuGraphExecDestroy", (fake_function *)exec_destroy},
    {"cuGraphDestroy", (fake_function *)graph_destroy},
    {NULL, NULL},
};
