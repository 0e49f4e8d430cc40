/* How near sizes and GPUs are (payload.h says how it is read): the tuner chooses by it as
 * well, with names of its own. Comparisons of kernel_own are so ordered that no compiler
 * joins two neighbours, whose 4-byte stores an 8-byte load would wait for. */
#ifndef HONE_EMIT_TEXT_CHOOSE_H
#define HONE_EMIT_TEXT_CHOOSE_H

#include "size.h"

/* text */
/* only: trees */
/* The leaf of a tree of which `at` is the first node: ~number of a configuration. lg: the
 * logarithms of the sizes; sum: of all. */
static inline int kernel_leaf(const kernel_node *nodes, int at, const int *lg, int sum)
{
    while (at >= 0) {
        const kernel_node *node = &nodes[at];
        const int feature = node->b >= 0 ? lg[node->a] - lg[node->b]
                                         : (node->b == -1 ? lg[node->a] : sum);
        at = feature <= node->at ? node->low : node->high;
    }
    return at;
}

/* end */
/* only: models */
/* The configuration of least slowdown: model has, for each of count (not 0), its number
 * and the weights of 1 and of each logarithm, alone, times itself and each after it. */
static inline int kernel_modelled(const int *model, int count, const int *lg, int sizes)
{
    long long least = 0x7fffffffffffffff;
    const int *best = model;
    for (; count-- > 0;) {
        const int *config = model++;
        long long slowdown = *model++ * 65536LL;
        for (int i = 0; i < sizes; i++) {
            long long slope = *model++ * 65536LL;
            for (int k = i; k < sizes; k++)
                slope += (long long)*model++ * lg[k];
            slowdown += slope / 65536 * lg[i];
        }
        if (slowdown >= least) continue;
        best = config;
        least = slowdown;
    }
    return *best;
}

/* end */
/* only: devices */
static inline int kernel_apart(long long a, long long b)
{
    const int gap = a > 0 && b > 0 ? kernel_lg(a) - kernel_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long kernel_distance(const kernel_gpu *a, const kernel_gpu *gpu,
                                        int place)
{
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * kernel_apart(a->sm_count, gpu->sm_count) +
          kernel_apart(a->l2_bytes, gpu->l2_bytes) +
          kernel_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int kernel_own(const kernel_device *devices, int count,
                             const kernel_gpu *gpu)
{
    for (int i = 0; i < count; i++) {
        const kernel_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major &&
            a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor &&
            a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int kernel_next(const kernel_device *devices, int count,
                              const kernel_gpu *gpu, long long *distance)
{
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = kernel_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}
/* end */
/* end of text */

#endif
