// Each block doubles a box of 32 x HEIGHT elements: one thread loads and stores the box by tensor
// map, all double it in shared memory, where the order of its elements does not matter.
#ifndef HEIGHT
#define HEIGHT 8
#endif

struct alignas(64) tensor_map {
    char bytes[128];
};

extern "C" __global__ void boxes(const __grid_constant__ tensor_map x,
                                 const __grid_constant__ tensor_map y, int)
{
    __shared__ alignas(1024) float box[32 * HEIGHT];
    __shared__ alignas(8) unsigned long long full;
    const unsigned at = (unsigned)__cvta_generic_to_shared(box);
    const unsigned barrier = (unsigned)__cvta_generic_to_shared(&full);
    const int left = blockIdx.x * 32, top = blockIdx.y * HEIGHT;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                     "r"(32 * HEIGHT * 4)
                     : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at),
                     "l"(&x), "r"(left), "r"(top), "r"(barrier)
                     : "memory");
    }
    asm volatile("{\n.reg .pred p;\nWAIT_%=:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra WAIT_%=;\n}" ::
                     "r"(barrier)
                 : "memory");
    for (int i = threadIdx.x; i < 32 * HEIGHT; i += blockDim.x)
        box[i] = box[i] + box[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], "
                     "[%3];" ::"l"(&y),
                     "r"(left), "r"(top), "r"(at)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
