// The fake libcuda: device memory is host memory, and a copy must stay inside one
// allocation.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "driver_maps.h"
#include "fake_state.h"

// Filling more than this touches the ends only: emptying an L2 that is not there need not
// take time.
enum { LARGE = 16 << 20 };

CUresult fake_memory_alloc(CUdeviceptr *out, size_t bytes)
{
    if (fake_state.broken) return fake_state.broken;
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    if ((double)(fake_state.used + bytes) > fake_state.memory)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct fake_memory *block = fake_new(sizeof *block);
    block->data = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (!block->data) abort();
    block->size = bytes;
    block->next = fake_state.blocks;
    fake_state.blocks = block;
    fake_state.used += bytes;
    *out = (CUdeviceptr)(uintptr_t)block->data;
    return CUDA_SUCCESS;
}

CUresult fake_memory_free(CUdeviceptr ptr)
{
    fake_must_not_hang("cuMemFree");
    for (struct fake_memory **link = &fake_state.blocks; *link; link = &(*link)->next) {
        struct fake_memory *block = *link;
        if ((uintptr_t)block->data != ptr) continue;
        *link = block->next;
        fake_state.used -= block->size;
        free(block->data);
        fake_delete(block);
        return fake_state.broken;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

// The bytes at ptr, or NULL when the range is not inside one allocation.
static unsigned char *range(CUdeviceptr ptr, size_t bytes)
{
    for (struct fake_memory *block = fake_state.blocks; block; block = block->next) {
        uintptr_t from = (uintptr_t)block->data;
        if (ptr >= from && ptr - from <= block->size &&
            bytes <= block->size - (ptr - from))
            return block->data + (ptr - from);
    }
    return NULL;
}

void fake_l2_write(double bytes)
{
    fake_state.dirty = fmin(fake_state.dirty + bytes, FAKE_L2_BYTES);
    fake_state.cold |= bytes >= FAKE_L2_BYTES;
}

// What is read evicts what was written before.
void fake_l2_read(double bytes)
{
    fake_state.dirty = fmax(fake_state.dirty - bytes, 0);
}

static CUresult finish(void)
{
    fake_must_not_hang("a copy");
    if (fake_state.pending) fake_state.broken = fake_state.pending;
    return fake_state.broken;
}

static CUresult copy_to_device(CUdeviceptr to, const void *from, size_t bytes)
{
    unsigned char *data = range(to, bytes);
    if (finish()) return fake_state.broken;
    if (!data) return CUDA_ERROR_INVALID_VALUE;
    memcpy(data, from, bytes);
    fake_state.copied += bytes;
    return CUDA_SUCCESS;
}

static CUresult copy_to_host(void *to, CUdeviceptr from, size_t bytes)
{
    const unsigned char *data = range(from, bytes);
    if (finish()) return fake_state.broken;
    if (!data) return CUDA_ERROR_INVALID_VALUE;
    memcpy(to, data, bytes);
    return CUDA_SUCCESS;
}

static CUresult copy_on_device(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                               CUstream stream)
{
    (void)stream;
    const unsigned char *source = range(from, bytes);
    unsigned char *target = range(to, bytes);
    if (fake_state.broken) return fake_state.broken;
    if (!source || !target) return CUDA_ERROR_INVALID_VALUE;
    memcpy(target, source, bytes);
    fake_l2_write((double)bytes);
    fake_state.now_us += (double)bytes / 2e6; // read and written at 4 TB/s
    return CUDA_SUCCESS;
}

static CUresult memory_set(CUdeviceptr ptr, unsigned char byte, size_t bytes,
                           CUstream stream)
{
    (void)stream;
    unsigned char *data = range(ptr, bytes);
    if (fake_state.broken) return fake_state.broken;
    if (fake_state.set) return (CUresult)fake_state.set;
    if (!data) return CUDA_ERROR_INVALID_VALUE;
    size_t touched = bytes < LARGE ? bytes : 4096;
    memset(data, byte, touched);
    memset(data + bytes - touched, byte, touched);
    fake_l2_write((double)bytes);
    fake_clock_rest((double)bytes / 4e6);
    fake_state.now_us += (double)bytes / 4e6; // 4 TB/s
    return CUDA_SUCCESS;
}

const struct fake_entry fake_memory_functions[] = {
    {"cuTensorMapEncodeTiled", (fake_function *)driver_encode_tiled},
    {"cuTensorMapEncodeIm2col", (fake_function *)driver_encode_im2col},
    {"cuMemAlloc", (fake_function *)fake_memory_alloc},
    {"cuMemFree", (fake_function *)fake_memory_free},
    {"cuMemcpyHtoD", (fake_function *)copy_to_device},
    {"cuMemcpyDtoH", (fake_function *)copy_to_host},
    {"cuMemcpyDtoDAsync", (fake_function *)copy_on_device},
    {"cuMemsetD8Async", (fake_function *)memory_set},
    {NULL, NULL},
};
