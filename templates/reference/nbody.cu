// Reference for templates/nbody.cu: one thread a body, in double, rounded once.
//
//   LAYOUT and arguments as there
//   grid, block   x over the bodies

#ifndef LAYOUT
#define LAYOUT aos
#endif

enum class Layout { aos, soa };
constexpr bool RECORDS = Layout::LAYOUT == Layout::aos;

// Value number part (of parts) of body i.
__device__ inline long long place(int i, int part, int parts, int N)
{
    return RECORDS ? (long long)i * parts + part : (long long)part * N + i;
}

extern "C" __global__ void nbody_reference(const float *bodies, float *acc, int N,
                                           float softening2)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    double sum[3] = {};
    for (int j = 0; j < N; j++) {
        double d[3], r2 = softening2;
        for (int k = 0; k < 3; k++) {
            d[k] = (double)bodies[place(j, k, 4, N)] - bodies[place(i, k, 4, N)];
            r2 += d[k] * d[k];
        }
        const double pull = bodies[place(j, 3, 4, N)] / (r2 * sqrt(r2));
        for (int k = 0; k < 3; k++)
            sum[k] += pull * d[k];
    }
    for (int k = 0; k < 3; k++)
        acc[place(i, k, 3, N)] = (float)sum[k];
}
