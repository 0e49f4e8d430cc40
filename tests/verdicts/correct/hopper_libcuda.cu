// Asynchronous copies by way of libcu++: cuda::barrier, memcpy_async_tx, cuda::ptx.
// on: emu:h200
// needs: cuda/barrier
// with: hopper.cuh
#include <cuda/barrier>
#include <cuda/ptx>

#include "hopper.cuh"

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;
enum { TILE = 64 * 64 };

extern "C" __global__ void scaled_reference(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i] + 1;
}
extern "C" __global__ void rounds_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += x[k * 64 + threadIdx.x] * (k + 1);
    y[threadIdx.x] = sum;
}

// As NVIDIA's guide has it: one thread copies and expects, all of them arrive.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void bulk_copies_of_the_guide(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ barrier bar;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) {
        init(&bar, 64);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token;
    if (t == 0) {
        cde::cp_async_bulk_global_to_shared(s, x + first, sizeof s, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof s);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    s[t] = 2 * s[t] + 1;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (t == 0) {
        cde::cp_async_bulk_shared_to_global(y + first, s, sizeof s);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

// memcpy_async_tx, with a fence before the stage is filled again.
// launch: grid 1, block 64; in x i32[320]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void stages_by_memcpy_async_tx(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ barrier full[2];
    const int t = threadIdx.x;
    if (t < 2) init(&full[t], 64);
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        barrier &bar = full[k % 2];
        barrier::arrival_token token;
        if (t == 0) {
            ptx::fence_proxy_async(ptx::space_shared);
            cuda::device::memcpy_async_tx(s[k % 2], x + k * 64, cuda::aligned_size_t<16>(256), bar);
            token = cuda::device::barrier_arrive_tx(bar, 1, 256);
        } else {
            token = bar.arrive();
        }
        bar.wait(std::move(token));
        sum += s[k % 2][t] * (k + 1);
        __syncthreads();
    }
    y[t] = sum;
}

// cuda::ptx: an mbarrier of its own, waited for in a loop.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void copies_by_cuda_ptx(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ uint64_t bar;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                       sizeof s);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, x + first, sizeof s, &bar);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
    }
    s[t] = 2 * s[t] + 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y + first, s, sizeof s);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

__device__ inline void multiply(float *d, const bf16 *a, const bf16 *b, bool keep)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, keep || i);
}

// As fast.cu's first kernel by TMA: one warp group, two barriers, no ring.
// launch: grid 2, block 128; in a bf16[32768] integers -3 3 map 256/64 128/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[8192]
// reference: product_64_256_reference, block 64
extern "C" __global__ void gemm_by_barriers_of_the_block(const __grid_constant__ tensor_map a,
                                                         const __grid_constant__ tensor_map b,
                                                         float *c)
{
    __shared__ alignas(1024) bf16 sa[TILE], sb[TILE];
    __shared__ barrier bars[2];
    const int t = threadIdx.x, row = blockIdx.x * 64;
    if (t == 0) {
        init(&bars[0], 128);
        init(&bars[1], 128);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    float d[32];
    for (int k = 0; k < 4; k++) {
        barrier::arrival_token token[2];
        if (t == 0) {
            TMA_LOAD_2D(sa, &a, k * 64, row, cuda::device::barrier_native_handle(bars[0]));
            token[0] = cuda::device::barrier_arrive_tx(bars[0], 1, sizeof sa);
            TMA_LOAD_2D(sb, &b, k * 64, 0, cuda::device::barrier_native_handle(bars[1]));
            token[1] = cuda::device::barrier_arrive_tx(bars[1], 1, sizeof sb);
        } else {
            token[0] = bars[0].arrive();
            token[1] = bars[1].arrive();
        }
        bars[0].wait(std::move(token[0]));
        bars[1].wait(std::move(token[1]));
        __syncthreads();
        WGMMA_FENCE();
        multiply(d, sa, sb, k > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        __syncthreads();
    }
    for (int i = 0; i < 32; i++)
        c[(row + row_of(i)) * 64 + column_of(i)] = d[i];
}
extern "C" __global__ void product_64_256_reference(const bf16 *a, const bf16 *b, float *c)
{
    const int row = blockIdx.x * 64 + threadIdx.x;
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 256; i++)
            sum += wide(a[row * 256 + i]) * wide(b[j * 256 + i]);
        c[row * 64 + j] = sum;
    }
}
