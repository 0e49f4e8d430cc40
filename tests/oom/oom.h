/* Running out of memory: every allocation of a piece of work is made to fail once.
 * hone_oom_suite of tests/CMakeLists.txt links a suite so that malloc, calloc, realloc,
 * strdup, strndup, realpath and free of this project's own objects go through here; what
 * libraries allocate for themselves does not. */
#ifndef HONE_TESTS_OOM_H
#define HONE_TESTS_OOM_H

#include <stddef.h>

#include "hone/status.h"

/* The work: make something, and if that succeeds, use and release it. */
typedef enum hone_status oom_work(void *context, struct hone_error *err);

/* Runs work with its first, second, third .. allocation failing, until it no longer gets
 * that far. Each run must end with ENOMEM (and an error text) or, where the work can do
 * without that allocation, with success; the last one with success. Nothing may stay
 * allocated. */
void oom_check(oom_work *work, void *context);

/* The same with one allocation in step. */
void oom_check_each(size_t step, oom_work *work, void *context);

#endif
