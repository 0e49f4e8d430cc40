// Reference for templates/stencil.cu: one block makes step after step in place, row after
// row. A thread has the cells of some columns and keeps what they held above.
//
//   arguments as there; scratch and counters are not used; width up to 16384
//   grid, block   one block of 256 threads

constexpr int THREADS = 256, COLUMNS = 64; // a thread

struct Field {
    float *t;
    const float *power;
    int width, height;
    float cap, rx, ry, rz, ambient;

    // What follows cell (y, x); north: of what was there before this step.
    __device__ float next(int y, int x, float north) const
    {
        const float *row = t + (long long)y * width;
        const float c = row[x];
        const float south = y < height - 1 ? row[width + x] : c;
        const float west = x > 0 ? row[x - 1] : c;
        const float east = x < width - 1 ? row[x + 1] : c;
        float heat = power[(long long)y * width + x];
        heat = fmaf(ry, fmaf(-2.0f, c, (y > 0 ? north : c) + south), heat);
        heat = fmaf(rx, fmaf(-2.0f, c, east + west), heat);
        heat = fmaf(rz, ambient - c, heat);
        return fmaf(cap, heat, c);
    }
};

__device__ void step(const Field &field)
{
    float above[COLUMNS], fresh[COLUMNS];
    for (int y = 0; y < field.height; y++) {
        float *row = field.t + (long long)y * field.width;
        for (int i = 0, x = threadIdx.x; x < field.width; i++, x += THREADS) {
            fresh[i] = field.next(y, x, above[i]);
            above[i] = row[x];
        }
        __syncthreads(); // all have read this row
        for (int i = 0, x = threadIdx.x; x < field.width; i++, x += THREADS)
            row[x] = fresh[i];
    }
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(THREADS)
    stencil_reference(const float *in, const float *power, float *out, float *,
                      unsigned *, int width, int height, int steps, float cap, float rx,
                      float ry, float rz, float ambient)
{
    const Field field = {out, power, width, height, cap, rx, ry, rz, ambient};
    for (long long i = threadIdx.x; i < (long long)width * height; i += THREADS)
        out[i] = in[i];
    __syncthreads();
    for (int s = 0; s < steps; s++)
        step(field);
}
