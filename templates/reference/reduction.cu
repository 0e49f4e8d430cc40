// Reference for sums: out[0] += in[0] + ... + in[N - 1], in double, rounded once.
//
//   in [N], out [1]   N >= 1
//   grid, block       one block of 256 threads

constexpr int THREADS = 256;

extern "C" __global__ void __launch_bounds__(THREADS)
    reduction_reference(const float *in, float *out, long long N)
{
    __shared__ double partial[THREADS];
    double sum = 0.0;
    for (long long i = threadIdx.x; i < N; i += THREADS)
        sum += in[i];
    partial[threadIdx.x] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[0] = (float)(out[0] + partial[0]);
}
