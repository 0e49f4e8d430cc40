/* The little of the CUDA driver API that the examples need, found at run time:
 * libcuda.so.1, or the library that HONE_LIBCUDA names. */
#ifndef GPU_H
#define GPU_H

#include <stddef.h>

/* Make the first GPU's primary context current; its name, or NULL. */
const char *gpu_open(void);
const char *gpu_why_not(void);

/* Memory with a copy of count floats; NULL without. */
float *gpu_copy_in(const float *host, size_t count);
int gpu_copy_out(float *host, const float *gpu, size_t count); /* 0: done */
void gpu_free(float *gpu);

#endif
