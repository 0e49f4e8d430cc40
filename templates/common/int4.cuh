// Weights of 4 bits, 0 to 15, in the order in which mma.sync takes them, and their way to
// 16-bit floats in registers. W [K][N] is cut into units of 64 of k by 16 columns, units
// [K / 64][N / 16] of 512 bytes each, one after another. Lane l of a warp has 16 bytes of
// a unit, words s = 0 .. 3, of which the bits 4 p and on, and 16 + 4 p and on, are the
// weights of
//
//   k  16 s + 8 (p % 2) + 2 (l % 4), and the next,  column  8 (p / 2) + l / 4
//
// of the unit: the two halves of register p % 2 of B (mma.cuh), of 8 columns each for
// p / 2. So 16 bytes a lane are four steps of mma for 16 columns; of wgmma, whose first
// operand in registers a word is, four steps too.
#pragma once

#include "element.cuh"

constexpr int UNIT_K = 64, UNIT_N = 16; // weights of a unit
constexpr int UNIT_BYTES = UNIT_K * UNIT_N / 2;
constexpr int W4_GROUP = 128; // of k that have a scale and a zero point in common

// Of a lane's 16 bytes.
__device__ inline unsigned word_of(const uint4 &words, int step)
{
    return step == 0 ? words.x : step == 1 ? words.y : step == 2 ? words.z : words.w;
}

// (x & mask) | bits, which compilers make of two instructions where both are constants.
template <unsigned mask, unsigned bits> __device__ inline unsigned pick(unsigned x)
{
    unsigned y;
    asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(y) : "r"(x), "n"(mask), "n"(bits));
    return y;
}

// What is subtracted from the weights of a column: its zero point, and what the exponents
// add that are put before the weights' bits. A weight less its zero point is an integer
// in -15 .. 15, exact in either type.
template <class T> struct W4Offset;

// With the exponent of 1024 four bits in the lowest place are 1024 + weight, those four
// places higher 1024 + 16 weight, of which a 16th is 64 + weight.
template <> struct W4Offset<f16> {
    unsigned low, high;

    __device__ explicit W4Offset(unsigned zero = 8)
        : low(0x64006400 + zero * 0x00010001), high(0xd400d400 + zero * 0x00100010)
    {
    }
    __device__ unsigned from_low(unsigned word) const
    {
        unsigned x = pick<0x000f000f, 0x64006400>(word);
        asm("sub.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(low));
        return x;
    }
    __device__ unsigned from_high(unsigned word) const
    {
        unsigned x = pick<0x00f000f0, 0x64006400>(word);
        asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(0x2c002c00), "r"(high));
        return x;
    }
};

// With the exponent of 128 the lowest places are 128 + weight; 7 bits have no room for
// those four places higher, which are moved.
template <> struct W4Offset<bf16> {
    unsigned low;

    __device__ explicit W4Offset(unsigned zero = 8) : low(0xc300c300 + zero * 0x00010001)
    {
    }
    __device__ unsigned from_low(unsigned word) const
    {
        unsigned x = pick<0x000f000f, 0x43004300>(word);
        asm("fma.rn.bf16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(0x3f803f80), "r"(low));
        return x;
    }
    __device__ unsigned from_high(unsigned word) const
    {
        return from_low(word >> 4);
    }
};

// Both registers of B for the eight columns of half p / 2 of a word.
template <class T>
__device__ inline void widen(unsigned (&b)[2], unsigned word, int half,
                             const W4Offset<T> &offset)
{
    const unsigned part = word >> 8 * half;
    b[0] = offset.from_low(part);
    b[1] = offset.from_high(part);
}
