/* Who is told of misses (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_RUNTIME_HOOK_H
#define HONE_EMIT_TEXT_RUNTIME_HOOK_H

/* text */
/* Call hook for each selection that no row answers, by any thread. */
static inline void kernel_on_miss(void (*hook)(void *context, int tier, PROBLEM_PARAMS),
                                  void *context)
{
    kernel_enter();
    kernel_runtime.on_miss = hook;
    kernel_runtime.context = context;
    kernel_leave();
}
/* end of text */

#endif
