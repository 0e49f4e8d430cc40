/* What is forced and what was missed (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_RUNTIME_STATE_H
#define HONE_EMIT_TEXT_RUNTIME_STATE_H

/* text */
enum { KERNEL_FORCED = KERNEL_NONE + 1 }; /* the tier of what the user forced */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif

#ifndef KERNEL_MISS_FROM
#define KERNEL_MISS_FROM KERNEL_DEFAULT /* the first tier that counts as a miss */
#endif

/* A configuration for all problems that have the sizes it asks for. */
typedef struct kernel_forced {
    kernel_config config;
    /* only: sizes */
    kernel_problem problem;
    /* end */
    int asks[ASKS_MOST];
} kernel_forced;

enum { KERNEL_SEEN_MOST = 256 };
static struct {
    int lock, ready, count, seen_count;
    char *text;        /* texts of configurations point into it */
    const char *wrong; /* the word of text that cannot be, "BM=7" */
    kernel_forced *forced;
    const char *misses; /* file */
    /* only: sizes */
    kernel_problem seen[KERNEL_SEEN_MOST];
    /* end */
    void (*on_miss)(void *context, int tier, PROBLEM_PARAMS);
    void *context;
} kernel_runtime;
/* end of text */

#endif
