// For NVRTC: what C leaves undefined or has no name for is PTX.
#define INLINE static __device__ __forceinline__
#define NOINLINE static __device__ __noinline__

INLINE unsigned raw(float x) { return (unsigned)__float_as_int(x); }
INLINE unsigned long long wide_raw(double x)
{
    return (unsigned long long)__double_as_longlong(x);
}
INLINE int popc(unsigned x) { return __popc(x); }
INLINE int popcl(unsigned long long x) { return __popcll(x); }
INLINE int clz(unsigned x) { return __clz((int)x); }
INLINE int first_bit(long long x) { return __ffsll(x); }
INLINE int mulhi(int x, int y) { return __mulhi(x, y); }
INLINE unsigned mulhi_u(unsigned x, unsigned y) { return __umulhi(x, y); }
INLINE long long mulhi_l(long long x, long long y) { return __mul64hi(x, y); }
INLINE unsigned reverse(unsigned x) { return __brev(x); }
INLINE int sad(int x, int y, unsigned z) { return (int)__sad(x, y, z); }
INLINE int dot4(unsigned x, unsigned y, int z) { return __dp4a((int)x, (int)y, z); }
INLINE unsigned funnel(unsigned x, unsigned y, unsigned n)
{
    return __funnelshift_r(x, y, n);
}
INLINE unsigned bytes_of(unsigned x, unsigned y, unsigned how)
{
    return __byte_perm(x, y, how);
}
INLINE float brain(unsigned short x) { return __int_as_float((int)x << 16); }

// The instruction on one or two values; after each type its letter for asm.
#define UNARY(name, ptx, R, r, A, a)                                                     \
    INLINE R name(A x)                                                                   \
    {                                                                                    \
        R d;                                                                             \
        asm(ptx " %0, %1;" : "=" r(d) : a(x));                                           \
        return d;                                                                        \
    }
#define BINARY(name, ptx, R, r, A, a, B, b)                                              \
    INLINE R name(A x, B y)                                                              \
    {                                                                                    \
        R d;                                                                             \
        asm(ptx " %0, %1, %2;" : "=" r(d) : a(x), b(y));                                 \
        return d;                                                                        \
    }
UNARY(to_int_near, "cvt.rni.s32.f32", int, "r", float, "f")
UNARY(to_uint, "cvt.rzi.u32.f32", unsigned, "r", float, "f")
UNARY(to_long, "cvt.rni.s64.f64", long long, "l", double, "d")
UNARY(to_half, "cvt.rn.f16.f32", unsigned short, "h", float, "f")
UNARY(half, "cvt.f32.f16", float, "f", unsigned short, "h")
UNARY(to_brain, "cvt.rn.bf16.f32", unsigned short, "h", float, "f")
UNARY(saturate, "cvt.sat.f32.f32", float, "f", float, "f")
BINARY(shift_left, "shl.b32", unsigned, "r", unsigned, "r", unsigned, "r")
BINARY(shift_right_u, "shr.u32", unsigned, "r", unsigned, "r", unsigned, "r")
BINARY(shift_right, "shr.s32", int, "r", int, "r", unsigned, "r")
BINARY(wide_shift, "shr.s64", long long, "l", long long, "l", unsigned, "r")
BINARY(wide_shift_left, "shl.b64", long long, "l", long long, "l", unsigned, "r")
BINARY(half_sum, "add.f16x2", unsigned, "r", unsigned, "r", unsigned, "r")
BINARY(half_product, "mul.f16x2", unsigned, "r", unsigned, "r", unsigned, "r")
BINARY(least, "min.f32", float, "f", float, "f", float, "f")
BINARY(most, "max.f32", float, "f", float, "f", float, "f")
BINARY(least_nan, "min.NaN.f32", float, "f", float, "f", float, "f")
BINARY(most_nan, "max.NaN.f32", float, "f", float, "f", float, "f")
BINARY(least_d, "min.f64", double, "d", double, "d", double, "d")
BINARY(most_d, "max.f64", double, "d", double, "d", double, "d")

INLINE int bit_field(int x, unsigned at, unsigned n)
{
    int d;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(x), "r"(at & 63), "r"(n & 63));
    return d;
}
INLINE unsigned insert(unsigned x, unsigned y, int at, int n)
{
    unsigned d;
    asm("bfi.b32 %0, %1, %2, %3, %4;"
        : "=r"(d)
        : "r"(x), "r"(y), "r"(at & 63), "r"(n & 63));
    return d;
}
