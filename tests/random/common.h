// What the host's compiler and NVRTC take alike: a thread's variables, functions on them.
struct state {
    int a[4];
    unsigned u[4];
    long long l[2];
    float x[4];
    double d[2];
    short h;
    unsigned char c;
};
INLINE int to_int(float x)
{
    return x > -1e9f && x < 1e9f ? (int)x : 7;
}
INLINE unsigned bits(float x)
{
    return x != x ? 0x7fc00000u : raw(x);
}
INLINE unsigned long long wide_bits(double x)
{
    return x != x ? 0x7ff8000000000000ull : wide_raw(x);
}
INLINE int quotient(int x, int y)
{
    y = y ? y : 3;
    return y == -1 ? (int)(0u - (unsigned)x) : x / y;
}
INLINE int remains(int x, int y)
{
    y = y ? y : 5;
    return y == -1 ? 0 : x % y;
}
INLINE long long quotient_l(long long x, long long y)
{
    y = y ? y : 3;
    return y == -1 ? (long long)(0ull - (unsigned long long)x) : x / y;
}
INLINE long long remains_l(long long x, long long y)
{
    y = y ? y : 5;
    return y == -1 ? 0 : x % y;
}
INLINE int min_i(int x, int y)
{
    return x < y ? x : y;
}
INLINE int max_i(int x, int y)
{
    return x > y ? x : y;
}
INLINE long long min_l(long long x, long long y)
{
    return x < y ? x : y;
}
NOINLINE int helper(int x, float y)
{
    if (x & 1) return (int)((unsigned)x * 3u);
    return y > 0.0f ? x >> 1 : ~x;
}
INLINE void start(struct state *v, const unsigned *in)
{
    for (int i = 0; i < 4; i++) {
        v->a[i] = (int)in[i];
        v->u[i] = in[i] * 7u + 1u;
        v->x[i] = (float)(int)in[i + 4] * 0.125f;
    }
    for (int i = 0; i < 2; i++) {
        v->d[i] = (double)(int)in[i + 8] / 3.0;
        v->l[i] = (long long)(((unsigned long long)in[i + 10] << 32) | in[i + 12]);
    }
    v->h = (short)in[14];
    v->c = (unsigned char)in[15];
}
INLINE void end(const struct state *v, unsigned *out)
{
    for (int i = 0; i < 4; i++) {
        out[i] = (unsigned)v->a[i];
        out[i + 4] = v->u[i];
        out[i + 8] = bits(v->x[i]);
    }
    unsigned long long l =
        (unsigned long long)v->l[0] * 31u + (unsigned long long)v->l[1];
    unsigned long long d = wide_bits(v->d[0]) * 31u + wide_bits(v->d[1]);
    out[12] = (unsigned)l;
    out[13] = (unsigned)(l >> 32);
    out[14] = (unsigned)d + (unsigned)v->h;
    out[15] = (unsigned)(d >> 32) + v->c;
}
