/* Fills host memory with the data of an argument, by a thread on each core. */
#ifndef HONE_EVALUATE_FILL_THREADS_H
#define HONE_EVALUATE_FILL_THREADS_H

#include "hone/kernel.h"

/* hone_element_fill; what is small is filled by the caller alone. */
void hone_fill_by_threads(const struct hone_job_arg *arg, uint64_t seed, uint64_t first,
                          size_t count, void *out);

#endif
