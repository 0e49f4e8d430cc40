#ifndef HONE_EXPR_HELPERS_2
#define HONE_EXPR_HELPERS_2
/* Arithmetic of Lua 5.4 for printed expressions: integers wrap, // and % round down,
 * integers and floats compare exactly. Where Lua raises an error, the result is 0. The
 * number in the names is that of this text: one with another number is no conflict. */
static inline long long hone2_add(long long a, long long b)
{
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long hone2_sub(long long a, long long b)
{
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long hone2_mul(long long a, long long b)
{
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long hone2_neg(long long a)
{
    return hone2_sub(0, a);
}
static inline long long hone2_abs(long long a)
{
    return a < 0 ? hone2_neg(a) : a;
}
static inline long long hone2_min(long long a, long long b)
{
    return b < a ? b : a;
}
static inline long long hone2_max(long long a, long long b)
{
    return a < b ? b : a;
}
static inline long long hone2_floor_div(long long a, long long b)
{
    if (b == 0 || b == -1) return b == 0 ? 0 : hone2_neg(a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline long long hone2_floor_mod(long long a, long long b)
{
    if (b == 0 || b == -1) return 0;
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}
static inline long long hone2_ceil_div(long long a, long long b)
{
    if (b == 0 || b == -1) return b == 0 ? 0 : hone2_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}
static inline long long hone2_round_up(long long a, long long b)
{
    return hone2_mul(hone2_ceil_div(a, b), b);
}
static inline long long hone2_shl(long long a, long long by)
{
    if (by <= -64 || by >= 64) return 0;
    return (long long)(by >= 0 ? (unsigned long long)a << by
                               : (unsigned long long)a >> -by);
}
static inline long long hone2_shr(long long a, long long by)
{
    return hone2_shl(a, hone2_neg(by));
}
static inline int hone2_is_pow2(long long a)
{
    return a > 0 && (a & (a - 1)) == 0;
}
static inline int hone2_in_range(double f)
{
    return f >= -9223372036854775808.0 && f < 9223372036854775808.0;
}
static inline long long hone2_to_int(double f)
{
    return hone2_in_range(f) && (double)(long long)f == f ? (long long)f : 0;
}
/* -1, 0, 1 for i <=> f; 2 where f is not a number */
static inline int hone2_cmp_if(long long i, double f)
{
    if (f != f) return 2;
    if (!hone2_in_range(f)) return f > 0 ? -1 : 1;
    if (i != (long long)f) return i < (long long)f ? -1 : 1;
    return f > (double)i ? -1 : f < (double)i;
}
static inline int hone2_cmp_fi(double f, long long i)
{
    int order = hone2_cmp_if(i, f);
    return order == 2 ? 2 : -order;
}
static inline int hone2_cmp_str(const char *a, const char *b)
{
    for (; *a != 0 && *a == *b; a++)
        b++;
    return (int)(unsigned char)*a - (int)(unsigned char)*b;
}
static inline double hone2_inf(void)
{
    double big = 1e300;
    return big * big;
}
static inline double hone2_abs_f(double a)
{
    return a < 0 ? -a : a == 0 ? 0 : a;
}
static inline double hone2_min_f(double a, double b)
{
    return b < a ? b : a;
}
static inline double hone2_max_f(double a, double b)
{
    return a < b ? b : a;
}
static inline double hone2_square_f(double a)
{
    return a * a;
}
static inline double hone2_floor_f(double f)
{
    double whole = hone2_in_range(f) ? (double)(long long)f : f;
    return f == 0 ? f : whole > f ? whole - 1 : whole;
}
static inline double hone2_floor_div_f(double a, double b)
{
    return hone2_floor_f(a / b);
}
/* takes -a: an integer is negated before it becomes a double */
static inline double hone2_ceil_div_f(double minus_a, double b)
{
    return -hone2_floor_div_f(minus_a, b);
}
static inline double hone2_round_up_f(double minus_a, double b)
{
    return hone2_ceil_div_f(minus_a, b) * b;
}
/* exact remainder by doubling and halving the divisor, with the divisor's sign */
static inline double hone2_floor_mod_f(double a, double b)
{
    double rest = a < 0 ? -a : a, least = b < 0 ? -b : b, step = least;
    if (!(rest < hone2_inf()) || !(least > 0)) return (a - a) / (b - b);
    while (least < hone2_inf() && rest - step >= step)
        step += step;
    for (; rest >= least; step *= 0.5)
        if (rest >= step) rest -= step;
    if (rest == 0) return a < 0 || (a == 0 && 1 / a < 0) ? -0.0 : 0.0;
    rest = a < 0 ? -rest : rest;
    return (rest < 0) != (b < 0) ? rest + b : rest;
}
/* bit by bit on the 54 bits of a mantissa in [1, 4), then rounded to 53 */
static inline double hone2_sqrt_f(double a)
{
    double scale = 1;
    unsigned long long bits, root = 0, rest = 0;
    int i;
    if (!(a > 0) || !(a < hone2_inf())) return a < 0 ? (a - a) / (a - a) : a;
    for (; a >= 4; a *= 0.25)
        scale *= 2;
    for (; a < 1; a *= 4)
        scale *= 0.5;
    bits = (unsigned long long)(a * 4503599627370496.0);
    for (i = 0; i < 54; i++) {
        rest = rest << 2 | (bits >> 52 & 3);
        bits = bits << 2 & 0x3fffffffffffffULL;
        root <<= 1;
        if (rest > root << 1) {
            rest -= root << 1 | 1;
            root |= 1;
        }
    }
    return (double)((root >> 1) + (root & 1)) / 4503599627370496.0 * scale;
}
#endif
