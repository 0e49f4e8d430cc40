// The fake libcuda: what the kernels of kernels/ and their references compute, in plain
// loops, so that a whole run passes its verification. Large launches leave memory alone:
// nobody compares them.
#include <math.h>
#include <string.h>

#include "fake_state.h"

static const double most_operations = 4e7;

static const void *pointer(const struct fake_cuda_launch *launch, int i)
{
    const void *out;
    memcpy(&out, launch->params[i], sizeof out);
    return out;
}

static float *output(const struct fake_cuda_launch *launch, int i)
{
    float *out;
    memcpy(&out, launch->params[i], sizeof out);
    return out;
}

// C = A B; A is m x k, B is k x n, all row-major.
static void multiply(const struct fake_cuda_launch *launch)
{
    const float *a = pointer(launch, 0), *b = pointer(launch, 1);
    float *c = output(launch, 2);
    int m, n, k;
    memcpy(&m, launch->params[3], sizeof m);
    memcpy(&n, launch->params[4], sizeof n);
    memcpy(&k, launch->params[5], sizeof k);
    if (2.0 * m * n * k > most_operations) return;
    for (int row = 0; row < m; row++)
        for (int col = 0; col < n; col++) {
            float sum = 0;
            for (int i = 0; i < k; i++)
                sum = fmaf(a[row * k + i], b[i * n + col], sum);
            c[row * n + col] = sum;
        }
}

// out[0] += sum of in; the reference sets it, and finds zero there.
static void reduce(const struct fake_cuda_launch *launch)
{
    const float *in = pointer(launch, 0);
    float *out = output(launch, 1);
    long long n;
    memcpy(&n, launch->params[2], sizeof n);
    if ((double)n > most_operations) return;
    double sum = 0;
    for (long long i = 0; i < n; i++)
        sum += (double)in[i];
    out[0] += (float)sum;
}

// y = a x
static void scale(const struct fake_cuda_launch *launch)
{
    const float *x = pointer(launch, 0);
    float *y = output(launch, 1), a;
    int n;
    memcpy(&a, launch->params[2], sizeof a);
    memcpy(&n, launch->params[3], sizeof n);
    for (int i = 0; i < n; i++)
        y[i] = a * x[i];
}

static const struct {
    const char *name;
    fake_cuda_body *body;
} kernels[] = {
    {"lab", scale},        {"lab_reference", scale},
    {"sgemm", multiply},   {"gemm_reference", multiply},
    {"reduction", reduce}, {"reduction_reference", reduce},
};

fake_cuda_body *fake_kernel(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(kernels[i].name, name) == 0) return kernels[i].body;
    return NULL;
}
