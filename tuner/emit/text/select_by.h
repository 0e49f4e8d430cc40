/* Selection by what everybody knows of a GPU (payload.h says how it is
 * read). */
#ifndef HONE_EMIT_TEXT_SELECT_BY_H
#define HONE_EMIT_TEXT_SELECT_BY_H

/* text */
static inline const kernel_config *kernel_select(int cc_major, int cc_minor, int sm_count,
                                                 PROBLEM_PARAMS, int *tier)
{
    const kernel_gpu gpu = kernel_gpu_of(cc_major, cc_minor, sm_count);
    return kernel_select_for(&gpu, PROBLEM_ARGS, tier);
}
/* end of text */

#endif
