#include "flush.h"

#include "base/log.h"
#include "cuda_result.h"
#include "own_kernels.h"

// Twice L2 so that no line survives, and not less than 64 MB for GPUs that report a part
// of it only (flashinfer flushes 2 x L2, Triton 256 MB).
static const size_t flush_least_bytes = 64u << 20;

// 2048 threads a multiprocessor with 16 bytes each keep 4.3 MB on their way on an H200;
// its 4.8 TB/s need 2.9 MB of them at a latency of 600 ns.
enum { READ_THREADS = 256, READ_BLOCKS_PER_SM = 8, WORD_BYTES = 16 };

// One allocation: the half that is written to, then the half that is only ever read,
// which holds zeros.
enum hone_status hone_cuda_prepare_flush(struct hone_device *dev, struct hone_error *err)
{
    struct hone_cuda *cuda = dev->priv;
    if (cuda->flush) return HONE_OK;
    size_t bytes = 2 * (size_t)dev->limits.l2_bytes;
    if (bytes < flush_least_bytes) bytes = flush_least_bytes;
    CUresult result = cuda->driver->cuMemAlloc(&cuda->flush, 2 * bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return hone_fail(err, HONE_ELIMIT,
                         "%s has no room for %zu bytes to flush L2 with", dev->id,
                         2 * bytes);
    if (result == CUDA_SUCCESS)
        result =
            cuda->driver->cuMemsetD8Async(cuda->flush + bytes, 0, bytes, cuda->stream);
    if (result == CUDA_SUCCESS) {
        cuda->flush_bytes = bytes;
        return HONE_OK;
    }
    if (cuda->flush) cuda->driver->cuMemFree(cuda->flush);
    cuda->flush = 0;
    return hone_cuda_broken(dev, "allocating the flush buffer", result, err);
}

CUresult hone_cuda_flush(struct hone_device *dev, unsigned char byte)
{
    struct hone_cuda *cuda = dev->priv;
    CUresult result =
        cuda->driver->cuMemsetD8Async(cuda->flush, byte, cuda->flush_bytes, cuda->stream);
    struct hone_module *reader = hone_cuda_own(dev, HONE_OWN_READ, NULL);
    if (result != CUDA_SUCCESS || !reader) return result;
    const CUdeviceptr from = cuda->flush + cuda->flush_bytes, sink = cuda->flush;
    const uint32_t words = (uint32_t)(cuda->flush_bytes / WORD_BYTES);
    const struct hone_launch launch = {
        .grid = {(uint32_t)dev->limits.sm_count * READ_BLOCKS_PER_SM, 1, 1},
        .block = {READ_THREADS, 1, 1},
        .params = (const void *[]){&from, &words, &sink},
    };
    return hone_cuda_submit(cuda, reader, &launch);
}

// Which code a GPU refuses with is not foreseen: where the stream is sound afterwards, it
// does without.
CUresult hone_cuda_forget_lines(struct hone_device *dev, double deadline_s)
{
    struct hone_cuda *cuda = dev->priv;
    const CUresult waited = hone_cuda_wait(cuda, deadline_s);
    if (waited != CUDA_SUCCESS || cuda->keeps_lines) return waited;
    const CUresult result = cuda->driver->cuCtxResetPersistingL2Cache();
    if (result == CUDA_SUCCESS) return result;
    const CUresult broken = cuda->driver->cuStreamQuery(cuda->stream);
    if (broken != CUDA_SUCCESS) return broken;
    cuda->keeps_lines = true;
    if (result == CUDA_ERROR_NOT_SUPPORTED) return CUDA_SUCCESS;
    char text[HONE_REASON_MAX];
    hone_log(
        HONE_LOG_WARNING,
        "%s: cuCtxResetPersistingL2Cache fails, so kernels that keep lines in L2 may "
        "find them there in cold times: %s",
        dev->id, hone_cuda_text(text, sizeof text, cuda->driver, result));
    return CUDA_SUCCESS;
}
