/* How large a workspace must be (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_WORKSPACE_H
#define HONE_EMIT_TEXT_WORKSPACE_H

/* text */
static inline unsigned long long WORKSPACE_BYTES(const kernel_config *config,
                                                 PROBLEM_PARAMS)
{
    UNUSED_ARGS;
    if (!config) return ~0ULL;
    NEEDED_VALUES;
    const long long size = WORKSPACE_SIZE;
    return size < 0 || size > SIZE_MOST ? ~0ULL : (unsigned long long)size * SIZE_UNIT;
}
/* end of text */

#endif
