// Where the operands of a warp group's product lie in shared memory (PTX ISA, wgmma
// descriptors), for tiles of rows of 128 bytes with swizzle 128, as load_box leaves them.
// A tile begins at a multiple of 1024 bytes; what of it a product takes, on(bytes)
// further.
//
//   k contiguous   a row is 128 bytes of k of one row of A, or of one column of B; 8 rows
//                  after 8 rows. 32 bytes of k on are 32 bytes on.
//   else           a row is 64 rows of A (columns of B) of 16 bits at one k; panels of
//                  panel_bytes, 64 rows of A (columns of B) each. 16 of k on are 2048
//                  bytes.
#pragma once

// One of 64 bits in two words: only the low one moves.
struct Descriptor {
    unsigned low, high;

    __device__ Descriptor on(int bytes) const
    {
        return {low + (bytes >> 4), high};
    }
    // So many times a constant number of bytes, without a shift of what the compiler does
    // not know.
    template <int bytes> __device__ Descriptor steps(int count) const
    {
        return {low + count * (bytes >> 4), high};
    }
    __device__ unsigned long long bits() const
    {
        return (unsigned long long)high << 32 | low;
    }
};

// leading, stride: bytes; only k not contiguous needs the first.
__device__ inline Descriptor make_descriptor(unsigned address, int leading, int stride)
{
    constexpr unsigned swizzle_128 = 1u << 30;
    return {(address & 0x3ffff) >> 4 | (unsigned)leading >> 4 << 16,
            (unsigned)stride >> 4 | swizzle_128};
}

template <bool k_contiguous>
__device__ inline Descriptor describe_tile(unsigned address, int panel_bytes)
{
    return make_descriptor(address, k_contiguous ? 0 : panel_bytes, 1024);
}

// Bytes from one product's start to the next one's along k.
template <bool k_contiguous> __device__ constexpr int product_step()
{
    return k_contiguous ? 32 : 2048;
}
