/* The note of a problem that no row answers (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_RUNTIME_MISSED_H
#define HONE_EMIT_TEXT_RUNTIME_MISSED_H

/* text */
/* No row answered. Each of the first 256 problems is noted once; texts of a problem
 * must live as long as the program. */
static inline void kernel_missed(int tier, PROBLEM_PARAMS)
{
    void (*hook)(void *context, int tier, PROBLEM_PARAMS);
    void *context;
    /* only: sizes */
    int i, fresh = 1;
    /* end */
    if (tier < KERNEL_MISS_FROM) return;
    kernel_enter();
    hook = kernel_runtime.on_miss;
    context = kernel_runtime.context;
    /* only: sizes */
    for (i = 0; i < kernel_runtime.seen_count && fresh; i++) {
        const kernel_problem *seen = &kernel_runtime.seen[i];
        fresh = !(IS_SEEN);
    }
    PASS_NANS;
    if (fresh && kernel_runtime.misses && *kernel_runtime.misses &&
        kernel_runtime.seen_count < KERNEL_SEEN_MOST) {
        FILE *file = fopen(kernel_runtime.misses, "a");
        kernel_problem *seen = &kernel_runtime.seen[kernel_runtime.seen_count++];
        memset(seen, 0, sizeof *seen);
        KEEP_SEEN;
        if (file) {
            WRITE_SIZES;
            fputs("}\n", file);
            fclose(file);
        }
    }
    /* end */
    kernel_leave();
    if (hook) hook(context, tier, PROBLEM_ARGS);
}
/* end of text */

#endif
