/* Multiplies a few matrices by the library and by a loop, and compares: check [M N K]. */
#include <stdio.h>
#include <stdlib.h>

#include "blas.h"
#include "gpu.h"

static float *fill(size_t count, unsigned seed)
{
    float *data = malloc(count * sizeof *data + 1);
    for (size_t i = 0; data && i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = (float)(int)(seed >> 24) / 16.0f - 8.0f; /* exact in few bits */
    }
    return data;
}

/* Small multiples of 1/16: every sum is exact, so results are equal or wrong. */
static size_t count_wrong(const float *A, const float *B, const float *C, int m, int n,
                          int k)
{
    size_t wrong = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += (double)A[(size_t)i * (size_t)k + (size_t)l] *
                       (double)B[(size_t)l * (size_t)n + (size_t)j];
            if ((double)C[(size_t)i * (size_t)n + (size_t)j] != sum) wrong++;
        }
    return wrong;
}

static int check(int m, int n, int k)
{
    const size_t size_a = (size_t)m * (size_t)k, size_b = (size_t)k * (size_t)n,
                 size_c = (size_t)m * (size_t)n;
    float *A = fill(size_a, 1), *B = fill(size_b, 2), *C = fill(size_c, 3);
    float *on_gpu[3] = {gpu_copy_in(A, size_a), gpu_copy_in(B, size_b),
                        gpu_copy_in(C, size_c)};
    int error = 1;
    size_t wrong = 0;
    if (on_gpu[0] && on_gpu[1] && on_gpu[2])
        error = blas_sgemm(NULL, m, n, k, on_gpu[0], on_gpu[1], on_gpu[2]);
    if (!error) error = gpu_copy_out(C, on_gpu[2], size_c);
    if (!error) wrong = count_wrong(A, B, C, m, n, k);
    if (error)
        printf("%d x %d x %d: %s\n", m, n, k, blas_error_text(error));
    else
        printf("%d x %d x %d (%s): %s\n", m, n, k, blas_tuning(m, n, k),
               wrong ? "wrong" : "right");
    for (int i = 0; i < 3; i++)
        gpu_free(on_gpu[i]);
    free(A);
    free(B);
    free(C);
    return error || wrong;
}

int main(int argc, char **argv)
{
    const char *gpu = gpu_open();
    int failed = 0;
    if (!gpu) {
        fprintf(stderr, "no GPU: %s\n", gpu_why_not());
        return 77;
    }
    printf("on %s\n", gpu);
    if (argc == 4) return check(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
    failed |= check(64, 64, 64);
    failed |= check(129, 67, 33); /* nothing divides a tile */
    failed |= check(1, 200, 5);
    return failed;
}
