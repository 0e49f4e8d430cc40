/* Dynamic shared memory by problem (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_SHARED_H
#define HONE_EMIT_TEXT_SHARED_H

/* text */
static inline unsigned kernel_shared_bytes(const kernel_config *config, PROBLEM_PARAMS)
{
    UNUSED_ARGS;
    if (!config) return ~0u;
    NEEDED_VALUES;
    const long long bytes = SHARED_BYTES;
    return bytes < 0 || bytes > 2147483647 ? ~0u : (unsigned)bytes;
}
/* end of text */

#endif
