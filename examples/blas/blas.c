/* All of CUDA is in the header that hone emitted: which configuration serves a problem on
 * a GPU, its launch geometry, the kernel's source, and the driver's functions. */
#include "blas.h"

#include "gemm_tuned.h"

int blas_sgemm(void *stream, int m, int n, int k, const float *A, const float *B,
               float *C)
{
    if (m < 0 || n < 0 || k < 0) return GEMM_NO_CONFIG;
    if (m == 0 || n == 0) return 0;
    return gemm_launch(stream, k, m, n, A, B, C); /* sizes in the order of their names */
}

const char *blas_error_text(int error)
{
    switch (error) {
    case 0:
        return "done";
    case GEMM_NO_DRIVER:
        return "no CUDA driver";
    case GEMM_NO_CONTEXT:
        return "no CUDA context is current";
    case GEMM_NO_CONFIG:
        return "no configuration serves this problem";
    case GEMM_NO_COMPILER:
        return "no NVRTC to build the kernel with";
    case GEMM_NOT_COMPILED:
        return "the kernel does not compile for this GPU";
    default:
        return error > 0 ? "the driver reports an error" : "out of memory or of room";
    }
}

const char *blas_tuning(int m, int n, int k)
{
#ifdef GEMM_NOT_TUNED
    (void)m;
    (void)n;
    (void)k;
    return "not tuned";
#else
    gemm_gpu gpu;
    int tier;
    if (gemm_gpu_here(&gpu) != 0) return "no GPU";
    (void)gemm_select_for(&gpu, k, m, n, &tier);
    switch (tier) {
    case GEMM_EXACT:
        return "tuned for this problem";
    case GEMM_SAME_DEVICE:
        return "tuned for this GPU";
    case GEMM_SAME_ARCH:
    case GEMM_SAME_FAMILY:
        return "tuned for a GPU like this";
    default:
        return "not tuned for this GPU";
    }
#endif
}
