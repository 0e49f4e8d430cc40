/* A BLAS of one function, to show how a library ships a tuned kernel. */
#ifndef BLAS_H
#define BLAS_H

#ifdef __cplusplus
extern "C" {
#endif

/* C = A * B in fp32, row-major without padding: A is m x k, B is k x n. Pointers are of
 * the current CUDA context; stream may be NULL. 0: done; above 0 a CUresult; below 0 what
 * blas_error_text says. Any thread may call. */
int blas_sgemm(void *stream, int m, int n, int k, const float *A, const float *B,
               float *C);

/* A static text. */
const char *blas_error_text(int error);

/* "exact", "same device", ...: how well the tuned rows fit this problem on the GPU of the
 * current context; "not tuned" where the library was built without results. */
const char *blas_tuning(int m, int n, int k);

#ifdef __cplusplus
}
#endif

#endif
