/* Which configuration serves a GPU and a problem, where there are several rows: the tuner
 * chooses by it as well (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_SELECT_H
#define HONE_EMIT_TEXT_SELECT_H

#include "choose.h"

/* text */
/* The row of this very problem, or -1. */
static inline int kernel_find(const kernel_group *group, NUMBER_PARAMS)
{
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        /* only: numbers */
        const kernel_problem *row = &kernel_rows[middle].problem;
        if (IS_BEFORE_ROW)
            high = middle;
        else if (!(IS_THE_ROW))
            low = middle + 1;
        else
            /* end */
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int kernel_rule(const kernel_group *group, NUMBER_PARAMS)
{
    int best = group->first;
    /* only: sizes */
    int lg[SIZES_MOST], i, at;
    long long least = -1;
    /* end */
    LOGARITHMS;
    /* only: trees */
    if (group->tree >= 0) return ~kernel_leaf(kernel_nodes, group->tree, lg, SUM);
    /* end */
    /* only: models */
    if (group->tree < -1) {
        const int *model = &kernel_models[-2 - group->tree];
        return kernel_modelled(model + 1, *model, lg, SIZES);
    }
    /* end */
    /* only: sizes */
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < SIZES; at++) {
            const long long gap = (long long)lg[at] - kernel_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    /* end */
    return kernel_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int kernel_of_device(const kernel_device *device, int same, FIT_PARAMS,
                                   int *exact)
{
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const kernel_group *group = &kernel_groups[g];
        /* only: choices */
        if (IS_OTHER_CHOICE) continue;
        /* end */
        i = kernel_find(group, NUMBER_ARGS);
        number = i < 0 ? -1 : kernel_rows[i].config;
        *exact = i >= 0 && (same || kernel_fits(number, FIT_ARGS));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? kernel_rule(group, NUMBER_ARGS)
                           : kernel_preferences[group->configs + i];
            if (kernel_fits(number, FIT_ARGS)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const kernel_config *kernel_select_for(const kernel_gpu *gpu,
                                                     PROBLEM_PARAMS, int *tier)
{
    long long last = 0;
    int answered, exact = 0, i = kernel_own(kernel_devices, KERNEL_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = kernel_next(kernel_devices, KERNEL_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number = kernel_of_device(&kernel_devices[i], !level, FIT_ARGS, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? KERNEL_EXACT : KERNEL_SAME_DEVICE + level;
        return &kernel_configs[number];
    }
    for (i = -1; i < KERNEL_CONFIGS; i++) {
        const int number = i < 0 ? KERNEL_DEFAULT_CONFIG : i;
        if (!kernel_fits(number, FIT_ARGS)) continue;
        *tier = KERNEL_DEFAULT;
        return &kernel_configs[number];
    }
    *tier = KERNEL_NONE;
    return 0;
}
/* end of text */

#endif
