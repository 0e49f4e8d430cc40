// What a header says of how near sizes and GPUs are, compiled for the tuner.
#include "tables.h"

typedef struct hone_limits kernel_gpu;
typedef struct emit_table_device kernel_device;
typedef struct emit_node kernel_node;
#include "text/choose.h"

int hone_emit_lg(long long size)
{
    return kernel_lg(size);
}

size_t hone_emit_tree_choose(const struct emit_node *nodes, const int *lg, size_t sizes)
{
    const int sum = hone_emit_feature(lg, sizes, 0, EMIT_SUM);
    return (size_t)~kernel_leaf(nodes, 0, lg, sum);
}

size_t hone_emit_model_choose(const struct emit_rule *rule, const int *lg, size_t sizes)
{
    return (size_t)kernel_modelled(rule->model, (int)rule->model_count, lg, (int)sizes);
}
