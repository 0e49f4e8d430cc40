// The kernels that a cuda device has of its own, built for the GPU at hand. The same as
// PTX, for where they cannot be built, is own_kernels.ptx.

// Nothing: CUPTI has to record it before it is trusted.
extern "C" __global__ void hone_probe()
{
}

// Raises the clocks: a dependent chain of multiply-adds in every thread, towards 2. The
// trap never springs, but only who runs the chain knows: without it the assembler finds
// that nothing needs the work, and leaves an empty kernel.
extern "C" __global__ void hone_heat(unsigned rounds)
{
    float x = rounds;
#pragma unroll 1
    do {
        asm volatile("fma.rn.f32 %0, %0, 0f3F000000, 0f3F800000;\n\t"
                     "fma.rn.f32 %0, %0, 0f3F000000, 0f3F800000;\n\t"
                     "fma.rn.f32 %0, %0, 0f3F000000, 0f3F800000;\n\t"
                     "fma.rn.f32 %0, %0, 0f3F000000, 0f3F800000;"
                     : "+f"(x));
    } while (--rounds);
    if (x < 0) __trap();
}

// Reads count words of 16 bytes, all zero, through L2: what was there before is evicted,
// and what it leaves is clean. The sink is never written to, which nobody else knows.
extern "C" __global__ void hone_read(const uint4 *from, unsigned count, unsigned *sink)
{
    unsigned seen = 0;
    const unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        uint4 word;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                     : "l"(from + i));
        seen |= word.x | word.y | word.z | word.w;
    }
    if (seen) *sink = seen;
}
