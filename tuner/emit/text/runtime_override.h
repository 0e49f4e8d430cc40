/* What is forced for a problem (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_RUNTIME_OVERRIDE_H
#define HONE_EMIT_TEXT_RUNTIME_OVERRIDE_H

/* text */
/* What is forced for a problem, or a null pointer: the table's own where it has the
 * same. */
static inline const kernel_config *kernel_override(PROBLEM_PARAMS_ALONE)
{
    const kernel_config *found = 0;
    int i;
    kernel_enter();
    kernel_start();
    for (i = 0; i < kernel_runtime.count && !found; i++) {
        const kernel_forced *forced = &kernel_runtime.forced[i];
        PASS_OTHERS;
        found = &forced->config;
    }
    for (i = 0; found && i < KERNEL_CONFIGS; i++)
        if (IS_FORCED_CONFIG) {
            found = &kernel_configs[i];
            break;
        }
    kernel_leave();
    return found;
}
/* end of text */

#endif
