/* Selection from a table of one row, whose device is not known (payload.h says how it is
 * read). */
#ifndef HONE_EMIT_TEXT_SELECT_DEFAULT_H
#define HONE_EMIT_TEXT_SELECT_DEFAULT_H

/* text */
/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const kernel_config *kernel_select_for(const kernel_gpu *gpu,
                                                     PROBLEM_PARAMS, int *tier)
{
    int number = KERNEL_DEFAULT_CONFIG, answer = KERNEL_DEFAULT;
    (void)gpu;
    if (!kernel_fits(number, FIT_ARGS)) {
        number = KERNEL_CONFIGS - 1 - number;
        answer = kernel_fits(number, FIT_ARGS) ? KERNEL_DEFAULT : KERNEL_NONE;
    }
    if (tier) *tier = answer;
    return answer == KERNEL_NONE ? 0 : &kernel_configs[number];
}
/* end of text */

#endif
