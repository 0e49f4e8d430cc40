/* Running out of memory: the allocations of a piece of work are made to fail, one a run.
 * hone_oom_suite of tests/CMakeLists.txt links a suite so that malloc, calloc, realloc,
 * strdup, strndup, realpath and free of this project's own objects go through here; what
 * libraries allocate for themselves does not. */
#ifndef HONE_TESTS_OOM_H
#define HONE_TESTS_OOM_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/status.h"

/* The work: make something, and if that succeeds, use and release it. */
typedef enum hone_status oom_work(void *context, struct hone_error *err);

/* Runs work with one of its allocations failing, once for each. Where they are over 500, two
 * of each chain of calls that leads to one, of its innermost calls, take their turn, one
 * under a sanitizer; all do with HONE_TESTS=long. A run must end with ENOMEM (and an error text) or, where the work
 * can do without that allocation, with success. Nothing may stay allocated. */
void oom_check(oom_work *work, void *context);

/* For other allocators: whether the next allocation fails, and how many blocks were made,
 * or freed where that is negative. */
bool oom_refuse(void);
void oom_count(int blocks);

/* The same in about so many runs, for work that takes long. */
void oom_check_some(size_t runs, oom_work *work, void *context);

#endif
