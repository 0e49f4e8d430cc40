/* What the elements of a buffer hold before a launch: the same text is compiled for the
 * host and, as a part of the kernel hone_fill, for a GPU, so the bits are the same. It
 * therefore uses integers, and of doubles only what is exact or rounds once. The includer
 * says what HONE_FILL_FUNCTION is, has the type hone_fill_bits of 64 bits without a sign,
 * enum hone_fill, hone_fill_bits_of(double) and hone_fill_bits_of_single(float). */
#ifndef HONE_EVALUATE_FILL_VALUES_H
#define HONE_EVALUATE_FILL_VALUES_H

/* A buffer's dtype and fill in numbers. */
struct hone_fill_rule {
    hone_fill_bits seed;
    hone_fill_bits choices;     /* INTEGERS: how many there are */
    hone_fill_bits period;      /* FILE: elements after which they come again */
    double low;                 /* INTEGERS: the first; CONSTANT */
    double step;                /* UNIFORM: 2 to the power of -precision */
    unsigned int fill;          /* enum hone_fill */
    unsigned int bytes;         /* of an element */
    unsigned int precision;     /* of floating types, the hidden bit included; else 0 */
    unsigned int exponent_bits; /* of floating types */
    unsigned int has_infinity;  /* else all codes but one NaN are finite */
    unsigned int has_sign;      /* of integer types */
};

/* Random access to a random sequence: splitmix64 (Steele, Lea, Flood 2014) at i. */
HONE_FILL_FUNCTION hone_fill_bits hone_fill_random(hone_fill_bits seed, hone_fill_bits i)
{
    hone_fill_bits z = seed + (i + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

HONE_FILL_FUNCTION double hone_fill_uniform(const struct hone_fill_rule *rule,
                                            hone_fill_bits random)
{
    if (!rule->precision)
        return rule->has_sign ? (double)(random % 17) - 8 : (double)(random % 9);
    return (double)(random >> (63 - rule->precision)) * rule->step - 1;
}

HONE_FILL_FUNCTION double hone_fill_index(const struct hone_fill_rule *rule,
                                          hone_fill_bits i)
{
    unsigned int bits =
        rule->precision ? rule->precision : 8 * rule->bytes - (rule->has_sign ? 1 : 0);
    if (bits > 53) bits = 53;
    return (double)(i & ((1ull << bits) - 1));
}

/* Random steps without the sum of those before: each is near its mean place. */
HONE_FILL_FUNCTION hone_fill_bits hone_fill_offset(hone_fill_bits seed, hone_fill_bits i)
{
    return i == 0 ? 0 : 4 * i + hone_fill_random(seed, i) % 5;
}

HONE_FILL_FUNCTION hone_fill_bits hone_fill_ones(hone_fill_bits x)
{
    x = x - (x >> 1 & 0x5555555555555555ull);
    x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return (x * 0x0101010101010101ull) >> 56;
}

/* The ones among 64 random bits are normal but for their steps; the sum of two random
 * numbers of 32 bits each, a triangle of [-1, 1), fills these in (Thomas, FPGA-based
 * Gaussian random numbers, 2014). The variance of both is 16 + 1/6. A logarithm, which
 * every library rounds in its own way, has no part in it. */
HONE_FILL_FUNCTION double hone_fill_normal(hone_fill_bits seed, hone_fill_bits i)
{
    const hone_fill_bits ones = hone_fill_ones(hone_fill_random(seed, i));
    const hone_fill_bits more = hone_fill_random(~seed, i);
    const hone_fill_bits sum = (ones << 32) + (more >> 32) + (more & 0xffffffffull) + 1;
    const double centred = (double)(long long)(sum - (33ull << 32));
    return centred * (0.24870800168690346 / 4294967296.0);
}

HONE_FILL_FUNCTION double hone_fill_value(const struct hone_fill_rule *rule,
                                          hone_fill_bits i)
{
    switch (rule->fill) {
    case HONE_FILL_UNIFORM:
        return hone_fill_uniform(rule, hone_fill_random(rule->seed, i));
    case HONE_FILL_NORMAL:
        return hone_fill_normal(rule->seed, i);
    case HONE_FILL_INTEGERS:
        return rule->low + (double)(hone_fill_random(rule->seed, i) % rule->choices);
    case HONE_FILL_INDEX:
        return hone_fill_index(rule, i);
    case HONE_FILL_OFFSETS:
        return hone_fill_index(rule, hone_fill_offset(rule->seed, i));
    case HONE_FILL_CONSTANT:
        return rule->low;
    case HONE_FILL_ONE:
        return 1;
    default:
        return 0;
    }
}

/* The code of a number in the floating type of rule, to nearest even. Too large ones are
 * infinite, where there is no infinity NaN. */
HONE_FILL_FUNCTION hone_fill_bits hone_fill_encode(const struct hone_fill_rule *rule,
                                                   double value)
{
    const hone_fill_bits bits = hone_fill_bits_of(value);
    if (rule->precision == 53) return bits;
    if (rule->precision == 24) return hone_fill_bits_of_single((float)value);
    const hone_fill_bits magnitude = bits & ~(1ull << 63);
    const unsigned int mantissa_bits = rule->precision - 1;
    const hone_fill_bits sign = (bits >> 63) << (rule->exponent_bits + mantissa_bits);
    const hone_fill_bits nan = (1ull << (rule->exponent_bits + mantissa_bits)) - 1;
    const hone_fill_bits infinity =
        rule->has_infinity ? nan - ((1ull << mantissa_bits) - 1) : nan;
    const int bias = (1 << (rule->exponent_bits - 1)) - 1, least = 1 - bias;
    int exponent = (int)(magnitude >> 52) - 1023;
    if (magnitude > 0x7ffull << 52) return sign | nan;
    if (exponent > bias + 1) return sign | infinity;
    if (exponent < least - (int)rule->precision) return sign; /* of half a step or less */
    const int below = exponent < least ? least - exponent : 0; /* subnormal: fewer bits */
    const unsigned int dropped = 52 - mantissa_bits + (unsigned int)below;
    const hone_fill_bits significand = (magnitude & ((1ull << 52) - 1)) | 1ull << 52;
    const hone_fill_bits odd = significand >> dropped & 1;
    const hone_fill_bits units =
        (significand + (1ull << (dropped - 1)) - 1 + odd) >> dropped;
    /* Rounding up to the next power of two carries into the exponent, as it should. */
    const hone_fill_bits code =
        units + ((hone_fill_bits)(exponent + below + bias - 1) << mantissa_bits);
    return sign | (code < infinity ? code : infinity);
}

/* The low bytes of the result are element i, of any fill but FILE. */
HONE_FILL_FUNCTION hone_fill_bits hone_fill_element(const struct hone_fill_rule *rule,
                                                    hone_fill_bits i)
{
    const double value = hone_fill_value(rule, i);
    if (rule->precision) return hone_fill_encode(rule, value);
    return value >= 9223372036854775808.0 ? (hone_fill_bits)value
                                          : (hone_fill_bits)(long long)value;
}

#endif
