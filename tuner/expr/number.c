#include "number.h"

#include <math.h>

static const double two_to_63 = 9223372036854775808.0;

int64_t hone_int_floor_div(int64_t a, int64_t b)
{
    if (b == -1) return hone_wrap(0 - (uint64_t)a); // INT64_MIN / -1 would trap
    int64_t q = a / b;
    return q * b != a && (a ^ b) < 0 ? q - 1 : q;
}

int64_t hone_int_floor_mod(int64_t a, int64_t b)
{
    if (b == -1) return 0;
    int64_t r = a % b;
    return r != 0 && (r ^ b) < 0 ? r + b : r;
}

int64_t hone_int_shift_left(int64_t a, int64_t by)
{
    if (by <= -64 || by >= 64) return 0;
    uint64_t bits = (uint64_t)a;
    return hone_wrap(by >= 0 ? bits << by : bits >> -by);
}

double hone_float_floor_mod(double a, double b)
{
    double r = fmod(a, b);
    bool signs_differ = r > 0 ? b < 0 : r < 0 && b > 0;
    return signs_differ ? r + b : r;
}

double hone_float_pow(double a, double b)
{
    return b == 2 ? a * a : pow(a, b); // Lua squares so, too
}

bool hone_float_to_int(double f, int64_t *out)
{
    if (!(f >= -two_to_63 && f < two_to_63) || f != floor(f)) return false;
    *out = (int64_t)f;
    return true;
}

int hone_compare_int_float(int64_t i, double f)
{
    if (isnan(f)) return 2;
    if (f >= two_to_63) return -1;
    if (f < -two_to_63) return 1;
    int64_t whole = (int64_t)f; // exact: beyond 2^53 every double is whole
    if (i != whole) return i < whole ? -1 : 1;
    double rest = f - (double)whole;
    return rest > 0 ? -1 : rest < 0;
}
