// For the host: what the functions of device.cuh do, without PTX.
#include <math.h>
#include <string.h>
#define INLINE   static inline
#define NOINLINE static __attribute__((noinline))
INLINE unsigned raw(float x)
{
    unsigned u;
    memcpy(&u, &x, 4);
    return u;
}
INLINE unsigned long long wide_raw(double x)
{
    unsigned long long u;
    memcpy(&u, &x, 8);
    return u;
}
INLINE int popc(unsigned x)
{
    return __builtin_popcount(x);
}
INLINE int clz(unsigned x)
{
    return x ? __builtin_clz(x) : 32;
}
INLINE int mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}
INLINE unsigned shift_left(unsigned x, unsigned n)
{
    return n < 32 ? x << n : 0;
}
INLINE unsigned shift_right_u(unsigned x, unsigned n)
{
    return n < 32 ? x >> n : 0;
}
INLINE int shift_right(int x, unsigned n)
{
    return x >> (n < 32 ? n : 31);
}
INLINE long long wide_shift(long long x, unsigned n)
{
    return x >> (n < 64 ? n : 63);
}
INLINE long long wide_shift_left(long long x, unsigned n)
{
    return n < 64 ? (long long)((unsigned long long)x << n) : 0;
}
INLINE int to_int_near(float x)
{
    double y = rint(x);
    return x != x              ? 0
           : y < -2147483648.0 ? -2147483647 - 1
           : y > 2147483647.0  ? 2147483647
                               : (int)y;
}
INLINE unsigned to_uint(float x)
{
    return !(x > 0) ? 0 : x >= 4294967296.0f ? ~0u : (unsigned)x;
}
INLINE long long to_long(double x)
{
    const long long most = 0x7fffffffffffffff;
    double y = rint(x);
    return x != x || y < -9223372036854775808.0 ? -most - 1
           : y >= 9223372036854775808.0         ? most
                                                : (long long)y;
}
INLINE float half(unsigned short x)
{
    int e = x >> 10 & 31, m = x & 1023;
    float y = e == 31 ? m ? NAN : INFINITY
                      : ldexpf((float)(e ? m + 1024 : m), (e ? e : 1) - 25);
    return x >> 15 ? -y : y;
}
// The nearest of the grid that x lies in: its step is that of x's binade.
INLINE unsigned short to_half(float x)
{
    int e;
    unsigned sign = raw(x) >> 16 & 0x8000;
    float y = fabsf(x);
    if (x != x) return 0x7fff;
    if (y == 0) return (unsigned short)sign;
    if (y >= 65520.0f) return (unsigned short)(sign | 0x7c00);
    frexpf(y, &e);
    if (e < -13) e = -13;
    int n = (int)rintf(ldexpf(y, 11 - e));
    return (unsigned short)(sign + (unsigned)((e + 13) * 1024 + n));
}
INLINE unsigned short to_brain(float x)
{
    unsigned u = raw(x);
    if (x != x) return 0x7fff;
    return (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
INLINE float brain(unsigned short x)
{
    unsigned u = (unsigned)x << 16;
    float y;
    memcpy(&y, &u, 4);
    return y;
}
INLINE unsigned half_sum(unsigned x, unsigned y)
{
    return to_half(half((unsigned short)x) + half((unsigned short)y)) |
           (unsigned)to_half(half((unsigned short)(x >> 16)) +
                             half((unsigned short)(y >> 16)))
               << 16;
}
INLINE unsigned half_product(unsigned x, unsigned y)
{
    return to_half(half((unsigned short)x) * half((unsigned short)y)) |
           (unsigned)to_half(half((unsigned short)(x >> 16)) *
                             half((unsigned short)(y >> 16)))
               << 16;
}
INLINE float least(float x, float y)
{
    return x != x ? y : y != y ? x : x < y || (x == y && signbit(x)) ? x : y;
}
INLINE float most(float x, float y)
{
    return x != x ? y : y != y ? x : x > y || (x == y && signbit(y)) ? x : y;
}
INLINE float least_nan(float x, float y)
{
    return x != x || y != y ? NAN : least(x, y);
}
INLINE float most_nan(float x, float y)
{
    return x != x || y != y ? NAN : most(x, y);
}
INLINE double least_d(double x, double y)
{
    return x != x ? y : y != y ? x : x < y || (x == y && signbit(x)) ? x : y;
}
INLINE double most_d(double x, double y)
{
    return x != x ? y : y != y ? x : x > y || (x == y && signbit(y)) ? x : y;
}
INLINE float saturate(float x)
{
    return !(x > 0) ? 0.0f : x > 1 ? 1.0f : x;
}
INLINE int bit_field(int x, unsigned at, unsigned n)
{
    at &= 63;
    n &= 63;
    if (n == 0) return 0;
    unsigned last = at + n - 1 < 31 ? at + n - 1 : 31;
    unsigned sign = (unsigned)x >> last & 1, d = 0;
    for (unsigned i = 0; i < 32; i++)
        d |= (i < n && at + i < 32 ? (unsigned)x >> (at + i) & 1 : sign) << i;
    return (int)d;
}
INLINE unsigned insert(unsigned x, unsigned y, int at, int n)
{
    at &= 63;
    n &= 63;
    for (int i = 0; i < n && at + i < 32; i++)
        y = (y & ~(1u << (at + i))) | (x >> i & 1) << (at + i);
    return y;
}
INLINE unsigned funnel(unsigned x, unsigned y, unsigned n)
{
    return (unsigned)(((unsigned long long)y << 32 | x) >> (n & 31));
}
INLINE unsigned reverse(unsigned x)
{
    unsigned d = 0;
    for (int i = 0; i < 32; i++)
        d |= (x >> i & 1) << (31 - i);
    return d;
}
INLINE unsigned bytes_of(unsigned x, unsigned y, unsigned how)
{
    unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned d = 0;
    for (int i = 0; i < 4; i++)
        d |= (unsigned)(both >> (how >> 4 * i & 7) * 8 & 255) << 8 * i;
    return d;
}
INLINE unsigned mulhi_u(unsigned x, unsigned y)
{
    return (unsigned)((unsigned long long)x * y >> 32);
}
INLINE long long mulhi_l(long long x, long long y)
{
    return (long long)((__int128)x * y >> 64);
}
INLINE int popcl(unsigned long long x)
{
    return __builtin_popcountll(x);
}
INLINE int first_bit(long long x)
{
    return __builtin_ffsll(x);
}
INLINE int sad(int x, int y, unsigned z)
{
    return (int)(z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x));
}
INLINE int dot4(unsigned x, unsigned y, int z)
{
    for (int i = 0; i < 32; i += 8)
        z = (int)((unsigned)z +
                  (unsigned)((signed char)(x >> i) * (signed char)(y >> i)));
    return z;
}
