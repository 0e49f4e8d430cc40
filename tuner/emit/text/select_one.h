/* Selection from a table of one row, whose device is known (payload.h says how it is
 * read). */
#ifndef HONE_EMIT_TEXT_SELECT_ONE_H
#define HONE_EMIT_TEXT_SELECT_ONE_H

/* text */
/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const kernel_config *kernel_select_for(const kernel_gpu *gpu,
                                                     PROBLEM_PARAMS, int *tier)
{
    int number = gpu->cc_major == ROW_MAJOR ? 0 : KERNEL_DEFAULT_CONFIG;
    int answer = IS_ROW ? KERNEL_EXACT : KERNEL_SAME_DEVICE;
    if (gpu->sm_count != ROW_SMS) answer = KERNEL_SAME_ARCH;
    if (gpu->cc_minor != ROW_MINOR) answer = KERNEL_SAME_FAMILY;
    if (gpu->cc_major != ROW_MAJOR) answer = KERNEL_DEFAULT;
    if (answer != KERNEL_EXACT && !kernel_fits(number, FIT_ARGS)) {
        number = KERNEL_CONFIGS - 1 - number;
        answer = kernel_fits(number, FIT_ARGS) ? KERNEL_DEFAULT : KERNEL_NONE;
    }
    if (tier) *tier = answer;
    return answer == KERNEL_NONE ? 0 : &kernel_configs[number];
}
/* end of text */

#endif
