#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef CX
#define CX 1
#endif

#if CX > 1
__device__ inline unsigned rank_here()
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ inline void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ inline float value_at(const float *p, unsigned rank)
{
    unsigned there;
    float value;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"((unsigned)__cvta_generic_to_shared(p)), "r"(rank));
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(there) : "memory");
    return value;
}
#else
__device__ inline unsigned rank_here() { return 0; }
__device__ inline void cluster_sync() { __syncthreads(); }
__device__ inline float value_at(const float *p, unsigned) { return *p; }
#endif

extern "C" __global__ void __cluster_dims__() around(const float *x, float *y, int N)
{
    __shared__ float tile[BLOCK];
#if __CUDA_ARCH__ >= 900 // what the launch before does has been done
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    const unsigned rank = rank_here();
    const int first = (blockIdx.x - rank) * BLOCK, t = threadIdx.x;
    const int theirs = first + (rank + 1) % CX * BLOCK + t, mine = first + rank * BLOCK + t;
    tile[t] = theirs < N ? x[theirs] : 0;
    cluster_sync();
    const float value = value_at(&tile[t], (rank + CX - 1) % CX);
    if (mine < N) y[mine] = 2 * value;
    cluster_sync();
}
