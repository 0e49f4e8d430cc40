// y = alpha * x + y. Begin with one sentence that says what the kernel computes.
//
//   x, y [N]   dense; N from 1 to 2^31 - 1. Shapes, layouts and strides of all arguments
//   grid     x: ceil(N / TILE)
//   block    x: BLOCK
//   shared   none. Else how many bytes, static or dynamic
//   align    none demanded: VEC floats move at once where x and y allow it
//   arch     sm_70 and newer
//   result   one fmaf an element: equal bits at every configuration
//
// Then say how it works. A thread takes ITEMS elements, VEC at a time, and the threads of
// a warp take neighbours, so that each access of a warp is one piece of memory.

// A parameter: a default, so that this file compiles alone, and what it means.
#ifndef BLOCK // threads a block
#define BLOCK 256
#endif
#ifndef ITEMS // elements a thread
#define ITEMS 4
#endif
#ifndef VEC // elements of a load or store
#define VEC 4
#endif

constexpr int TILE = BLOCK * ITEMS; // elements a block

// Every mix that cannot work is refused here, in words, not by a wrong result.
static_assert(BLOCK >= 32 && BLOCK <= 1024, "a block is 1 to 32 warps");
static_assert(BLOCK % 32 == 0, "warps must be whole");
static_assert(VEC == 1 || VEC == 2 || VEC == 4, "VEC must be 1, 2 or 4");
static_assert(ITEMS >= VEC && ITEMS % VEC == 0, "a thread must take whole packs");

struct alignas(4 * VEC) Pack {
    float v[VEC];
};

__device__ inline bool is_aligned(const float *p)
{
    return (unsigned long long)p % sizeof(Pack) == 0;
}

// A tile that lies inside the arrays.
__device__ inline void whole_tile(const float *x, float *y, float alpha)
{
#pragma unroll
    for (int i = 0; i < ITEMS / VEC; i++) {
        const int at = (i * BLOCK + threadIdx.x) * VEC;
        const Pack a = *reinterpret_cast<const Pack *>(x + at);
        Pack b = *reinterpret_cast<Pack *>(y + at);
#pragma unroll
        for (int j = 0; j < VEC; j++)
            b.v[j] = fmaf(alpha, a.v[j], b.v[j]);
        *reinterpret_cast<Pack *>(y + at) = b;
    }
}

// Any tile: left elements are there.
__device__ inline void part_of_tile(const float *x, float *y, float alpha, int left)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int at = i * BLOCK + threadIdx.x;
        if (at < left) y[at] = fmaf(alpha, x[at], y[at]);
    }
}

// Launch bounds let the compiler use as many registers as a block of BLOCK may have.
extern "C" __global__ void __launch_bounds__(BLOCK)
    starter(const float *__restrict__ x, float *__restrict__ y, float alpha, int N)
{
    const int first = blockIdx.x * TILE, left = N - first;
    if (left >= TILE && is_aligned(x) && is_aligned(y))
        whole_tile(x + first, y + first, alpha);
    else
        part_of_tile(x + first, y + first, alpha, left);
}
