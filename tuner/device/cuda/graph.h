/* A launch several times in a row as a CUDA graph: what the clock "graph" times. Between
 * the nodes the host has no part, so short kernels are seen without the cost of their
 * launches. */
#ifndef HONE_DEVICE_GRAPH_H
#define HONE_DEVICE_GRAPH_H

#include "cuda_internal.h"

enum { HONE_GRAPH_NODES = 32 }; /* at most */

struct hone_graph { /* {0} is none */
    CUgraph graph;
    CUgraphExec exec;
    size_t nodes;
};

/* A graph of that many launches, at most HONE_GRAPH_NODES, each after the other. With
 * cold each works on a copy of its own of the launch's buffers, made now, so that none
 * finds in L2 what the one before has read: fewer nodes where there is no room for so
 * many, and no copies of buffers that L2 could not hold anyway (where the kernel keeps
 * lines there: a single node). The pointers among the parameters are those that equal the
 * base of an extent; where one has no pointer (tensor maps, arrays of pointers) there is
 * a single node, and a warning once. The caller finishes it also after a failure. */
CUresult hone_graph_make(struct hone_device *dev, struct hone_graph *out,
                         struct hone_module *module, const struct hone_launch *launch,
                         size_t nodes, bool cold);
void hone_graph_fini(struct hone_cuda *cuda, struct hone_graph *graph);

#endif
