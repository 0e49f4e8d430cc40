/* Selections that heed what is forced and tell of misses (payload.h says how it is read).
 */
#ifndef HONE_EMIT_TEXT_RUNTIME_SELECT_H
#define HONE_EMIT_TEXT_RUNTIME_SELECT_H

/* text */
/* Selections from here on: what is forced, else the table's, whose misses are noted. */
static inline const kernel_config *kernel_runtime_select_for(const kernel_gpu *gpu,
                                                             PROBLEM_PARAMS, int *tier)
{
    int answered = KERNEL_FORCED;
    const kernel_config *chosen = kernel_override(PROBLEM_ARGS);
    if (!chosen) {
        chosen = kernel_select_for(gpu, PROBLEM_ARGS, &answered);
        if (answered != KERNEL_EXACT) kernel_missed(answered, PROBLEM_ARGS);
    }
    if (tier) *tier = answered;
    return chosen;
}

static inline const kernel_config *
kernel_runtime_select(int cc_major, int cc_minor, int sm_count, PROBLEM_PARAMS, int *tier)
{
    const kernel_gpu gpu = kernel_gpu_of(cc_major, cc_minor, sm_count);
    return kernel_runtime_select_for(&gpu, PROBLEM_ARGS, tier);
}

#define kernel_select_for kernel_runtime_select_for
#define kernel_select     kernel_runtime_select
/* end of text */

#endif
