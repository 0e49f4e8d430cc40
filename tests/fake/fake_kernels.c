// The fake libcuda: what the kernels of kernels/ and their references compute, in plain
// loops, so that a whole run passes its verification. Large products and sums leave memory
// alone: no test compares them.
#include <math.h>
#include <string.h>

#include "fake_state.h"
#include "fill_rule.h"
#include "hone/tensor_map.h"

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

static int integer(const struct fake_cuda_launch *launch, int i)
{
    int out;
    memcpy(&out, launch->params[i], sizeof out);
    return out;
}

// D = alpha A B; A is m x k, B is k x n, all row-major. Arguments as of sgemm.cu and its
// reference, which is what the default epilogue reads of them.
static void multiply(const struct fake_cuda_launch *launch)
{
    const float *a = pointer(launch, 0), *b = pointer(launch, 1);
    float *d = output(launch, 3), alpha;
    const int m = integer(launch, 10), n = integer(launch, 11), k = integer(launch, 12);
    const int lda = integer(launch, 13), ldb = integer(launch, 14);
    const int ldd = integer(launch, 16);
    memcpy(&alpha, launch->params[17], sizeof alpha);
    if (2.0 * m * n * k > most_operations) return;
    for (int row = 0; row < m; row++)
        for (int col = 0; col < n; col++) {
            float sum = 0;
            for (int i = 0; i < k; i++)
                sum = fmaf(a[row * lda + i], b[i * ldb + col], sum);
            d[row * ldd + col] = alpha * sum;
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

// Has an earlier launch, of many that are timed, written all of y? By a few of its values.
static bool is_scaled(const float *x, const float *y, float a, int n)
{
    enum { LOOKED_AT = 64 };
    for (int i = 0; i < LOOKED_AT; i++) {
        const int at = (int)((long long)(n - 1) * i / (LOOKED_AT - 1));
        const float right = a * x[at];
        if (memcmp(&y[at], &right, sizeof right) != 0) return false;
    }
    return true;
}

// y = a x
static void scale(const struct fake_cuda_launch *launch)
{
    const float *x = pointer(launch, 0);
    float *y = output(launch, 1), a;
    int n;
    memcpy(&a, launch->params[2], sizeof a);
    memcpy(&n, launch->params[3], sizeof n);
    if (n > 100000 && is_scaled(x, y, a, n)) return;
    for (int i = 0; i < n; i++)
        y[i] = a * x[i];
}

// y = 2 x, where both tensor maps are what tests/faults/mapped.lua says of a block's
// threads (the box), n and rows.
static void doubled(const struct fake_cuda_launch *launch)
{
    struct hone_tensor_map x, y;
    uint64_t x_base, y_base;
    const uint32_t n = (uint32_t)integer(launch, 2), rows = (uint32_t)integer(launch, 3);
    const uint32_t box = launch->block[0];
    const bool maps = hone_map_unpack(launch->params[0], &x, &x_base) &&
                      hone_map_unpack(launch->params[1], &y, &y_base);
    const bool right = x.rank == 2 && x.type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 &&
                       x.size[0] == n && x.size[1] == rows && x.box[0] == box &&
                       x.box[1] == 2 && x.stride_bytes[1] == 4ull * n &&
                       x.modes.promotion == 128 && !x.modes.nan_fill;
    const bool other = y.rank == 3 && y.size[1] == rows && y.size[2] == 1 &&
                       y.box[0] == box && y.stride_bytes[2] == 4ull * n * rows &&
                       y.modes.nan_fill;
    const float *from = (const float *)(uintptr_t)x_base;
    float *to = (float *)(uintptr_t)y_base;
    for (uint32_t i = 0; i < n * rows && maps && right && other; i++)
        to[i] = 2 * from[i];
}

static void doubled_plainly(const struct fake_cuda_launch *launch)
{
    const float *x = pointer(launch, 0);
    float *y = output(launch, 1);
    for (int i = 0; i < integer(launch, 2) * integer(launch, 3); i++)
        y[i] = 2 * x[i];
}

// y[i] = w[i % 8] x[i], the weights in a variable of the module: the kernel of
// tests/faults/weighted.lua.
static void weight(const struct fake_cuda_launch *launch)
{
    const float *x = pointer(launch, 0), *weights = fake_variable("weights");
    float *y = output(launch, 1);
    for (int i = 0; i < integer(launch, 2); i++)
        y[i] = weights[i % 8] * x[i];
}

// What fills buffers, as tuner/evaluate/fill_kernel.cu does.
static void fill(const struct fake_cuda_launch *launch)
{
    struct hone_fill_rule rule;
    hone_fill_bits count, element;
    unsigned char *out;
    memcpy(&out, launch->params[0], sizeof out);
    memcpy(&count, launch->params[1], sizeof count);
    memcpy(&rule, launch->params[2], sizeof rule);
    for (hone_fill_bits i = rule.period; i < count; i++) {
        const unsigned char *from = (const unsigned char *)&element;
        if (rule.period)
            from = out + i % rule.period * rule.bytes;
        else
            element = hone_fill_element(&rule, i);
        memcpy(out + i * rule.bytes, from, rule.bytes);
    }
}

static const struct kernel {
    const char *name;
    fake_cuda_body *body;
    const char *params;
} kernels[] = {
    {"hone_fill", fill, NULL},
    {"hone_heat", NULL, "i"}, // fake_launch.c knows what it does
    {"lab", scale, "ppii"},
    {"lab_reference", scale, "ppii"},
    {"scale", scale, "ppii"},
    {"scale_reference", scale, "ppii"},
    {"mapped", doubled, "mmii"},
    {"mapped_reference", doubled_plainly, "ppii"},
    {"weighted", weight, "ppi"},
    {"weighted_reference", weight, "ppi"},
    {"sgemm", multiply, NULL},
    {"gemm_reference", multiply, NULL},
    {"reduction", reduce, "pppppppp"},
    {"reduction_reference", reduce, "pppppppp"},
};

static const struct kernel *find(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(kernels[i].name, name) == 0) return &kernels[i];
    return NULL;
}

fake_cuda_body *fake_kernel(const char *name)
{
    const struct kernel *kernel = find(name);
    return kernel ? kernel->body : NULL;
}

const char *fake_kernel_params(const char *name)
{
    const struct kernel *kernel = find(name);
    return kernel ? kernel->params : NULL;
}
