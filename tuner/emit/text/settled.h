/* What of a launch is the same for every problem, a field of the configuration or nothing
 * (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_SETTLED_H
#define HONE_EMIT_TEXT_SETTLED_H

/* text */
/* only: block */
static inline void kernel_block(const kernel_config *config, PROBLEM_PARAMS,
                                unsigned block[3])
{
    UNUSED_ARGS;
    for (int i = 0; i < 3; i++)
        block[i] = config ? config->BLOCK_FIELD[i] : 0;
}
/* end */
/* only: shared */
static inline unsigned kernel_shared_bytes(const kernel_config *config, PROBLEM_PARAMS)
{
    UNUSED_ARGS;
    return config ? SHARED_BYTES : ~0u;
}
/* end */
/* end of text */

#endif
