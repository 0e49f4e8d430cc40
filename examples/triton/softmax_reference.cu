// Softmax of each row with sums in double precision: y = exp(x - max x) / sum of these.
//   grid   x: rows
//   block  x: 256
extern "C" __global__ void softmax_reference(const float *x, float *y, int columns)
{
    __shared__ double shared[256];
    const long long first = (long long)blockIdx.x * columns;
    const float *row = x + first;
    double best = -1e300, sum = 0;
    for (int c = threadIdx.x; c < columns; c += 256) best = fmax(best, (double)row[c]);
    shared[threadIdx.x] = best;
    __syncthreads();
    for (int i = 0; i < 256; i++) best = fmax(best, shared[i]);
    __syncthreads();
    for (int c = threadIdx.x; c < columns; c += 256) sum += exp((double)row[c] - best);
    shared[threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < 256; i++) sum += shared[i];
    for (int c = threadIdx.x; c < columns; c += 256)
        y[first + c] = (float)(exp((double)row[c] - best) / sum);
}
