// Element types of matrices and their conversions from and to float. They are called as
// kernel scripts call them; tf32 is an f32 of which tensor cores ignore the last 13 bits.
#pragma once

typedef double f64;
typedef float f32;
typedef int i32;
typedef signed char i8;
struct bf16 {
    unsigned short bits;
};
struct f16 {
    unsigned short bits;
};
struct tf32 {
    float value;
};
struct e4m3 {
    unsigned char bits;
};
struct e5m2 {
    unsigned char bits;
};

// An f64 stays what it is.
__device__ inline double to_float(f64 x)
{
    return x;
}
__device__ inline float to_float(float x)
{
    return x;
}
__device__ inline float to_float(i32 x)
{
    return (float)x;
}
__device__ inline float to_float(tf32 x)
{
    return x.value;
}
__device__ inline float to_float(i8 x)
{
    return (float)x;
}
__device__ inline float to_float(bf16 x)
{
    return __uint_as_float((unsigned)x.bits << 16);
}
__device__ inline float to_float(f16 x)
{
    float y;
    asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits));
    return y;
}

__device__ inline float to_float(e4m3 x)
{
#if __CUDA_ARCH__ < 890 // as an f16, but for the exponent's bias
    if ((x.bits & 0x7f) == 0x7f) return __int_as_float(0x7fffffff);
    return 256 *
           to_float(f16{(unsigned short)((x.bits & 0x80) << 8 | (x.bits & 0x7f) << 7)});
#endif
    unsigned pair;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"((unsigned short)x.bits));
    return to_float(f16{(unsigned short)pair});
}
__device__ inline float to_float(e5m2 x)
{
    unsigned pair;
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(pair) : "h"((unsigned short)x.bits));
    return to_float(f16{(unsigned short)pair});
}

// a * b + c, rounded once.
__device__ inline float multiply_add(float a, float b, float c)
{
    return fmaf(a, b, c);
}
__device__ inline double multiply_add(double a, double b, double c)
{
    return fma(a, b, c);
}

template <class A, class B> struct same_type {
    static constexpr bool value = false;
};
template <class A> struct same_type<A, A> {
    static constexpr bool value = true;
};

// Two neighbours at once, rounded to nearest even; integers and 8-bit floats saturate.
// to is aligned to both.
__device__ inline void narrow_pair(f32 *to, float a, float b)
{
    to[0] = a;
    to[1] = b;
}
__device__ inline void narrow_pair(bf16 *to, float a, float b)
{
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;"
        : "=r"(*reinterpret_cast<unsigned *>(to))
        : "f"(b), "f"(a));
}
__device__ inline void narrow_pair(f16 *to, float a, float b)
{
    asm("cvt.rn.f16x2.f32 %0, %1, %2;"
        : "=r"(*reinterpret_cast<unsigned *>(to))
        : "f"(b), "f"(a));
}
__device__ inline i8 saturate(float x)
{
    int y;
    asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(y) : "f"(x));
    return (i8)y;
}
__device__ inline void narrow_pair(i8 *to, float a, float b)
{
    to[0] = saturate(a);
    to[1] = saturate(b);
}
__device__ inline void narrow_pair(e4m3 *to, float a, float b)
{
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
        : "=h"(*reinterpret_cast<unsigned short *>(to))
        : "f"(b), "f"(a));
}
__device__ inline void narrow_pair(e5m2 *to, float a, float b)
{
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;"
        : "=h"(*reinterpret_cast<unsigned short *>(to))
        : "f"(b), "f"(a));
}

template <int count>
__device__ inline void narrow(f64 (&to)[count], const f64 (&x)[count])
{
#pragma unroll
    for (int i = 0; i < count; i++)
        to[i] = x[i];
}
template <class T, int count>
__device__ inline void narrow(T (&to)[count], const float (&x)[count])
{
    struct alignas(4) Pair {
        T element[2];
    };
#pragma unroll
    for (int i = 0; i < count; i += 2) {
        Pair pair;
        narrow_pair(pair.element, x[i], i + 1 < count ? x[(i + 1) % count] : 0.0f);
        to[i] = pair.element[0];
        if (i + 1 < count) to[(i + 1) % count] = pair.element[1];
    }
}
