/* Ranges of integers hold every value that there is, and where an operator is called
 * plain, C's own gives the language's value: by trying all operands of small ranges, and
 * random ones of ranges at the ends of 64 bits. */
#include "hone_test.h"

#include "c_types.h"
#include "hone/rng.h"
#include "range.h"

__extension__ typedef __int128 wide;

static const unsigned ops[] = {OP_NEG,      OP_ADD,      OP_SUB, OP_MUL, OP_IDIV, OP_MOD,
                               OP_CEIL_DIV, OP_ROUND_UP, OP_SHL, OP_SHR, OP_BNOT, OP_BAND,
                               OP_BOR,      OP_BXOR,     OP_ABS, OP_MIN, OP_MAX};
enum { OPS = sizeof ops / sizeof *ops };

static int64_t wrapped(wide value)
{
    return (int64_t)(uint64_t)value;
}

static wide floored(wide a, wide b)
{
    wide q = a / b;
    while (q * b > a) // one step: b is above 0
        q--;
    return q;
}

static int64_t shifted(int64_t a, wide left)
{
    if (left <= -64 || left >= 64) return 0;
    return (int64_t)(left < 0 ? (uint64_t)a >> -left : (uint64_t)a << left);
}

static bool is_division(unsigned op)
{
    return op == OP_IDIV || op == OP_MOD || op == OP_CEIL_DIV || op == OP_ROUND_UP;
}

/* The value of the language; b is above 0 in a division. */
static int64_t value_of(unsigned op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_NEG:
        return wrapped(-(wide)a);
    case OP_ADD:
        return wrapped((wide)a + b);
    case OP_SUB:
        return wrapped((wide)a - b);
    case OP_MUL:
        return wrapped((wide)a * b);
    case OP_IDIV:
        return wrapped(floored(a, b));
    case OP_MOD:
        return wrapped(a - b * floored(a, b));
    case OP_CEIL_DIV:
        return wrapped(floored((wide)a + b - 1, b));
    case OP_ROUND_UP:
        return wrapped(floored((wide)a + b - 1, b) * b);
    case OP_SHL:
        return shifted(a, b);
    case OP_SHR:
        return shifted(a, -(wide)b);
    case OP_BNOT:
        return ~a;
    case OP_BAND:
        return a & b;
    case OP_BOR:
        return a | b;
    case OP_BXOR:
        return a ^ b;
    case OP_ABS:
        return a < 0 ? wrapped(-(wide)a) : a;
    case OP_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

/* C's own form of it, in 128 bits: false where 64 do not hold what stands in between. */
static bool plain_value(unsigned op, int64_t a, int64_t b, int64_t *value)
{
    wide all = 0, between = 0;
    switch (op) {
    case OP_NEG:
        all = -(wide)a;
        break;
    case OP_ADD:
        all = (wide)a + b;
        break;
    case OP_SUB:
        all = (wide)a - b;
        break;
    case OP_MUL:
        all = (wide)a * b;
        break;
    case OP_IDIV:
        all = (wide)a / b;
        break;
    case OP_MOD:
        all = (wide)a % b;
        break;
    case OP_CEIL_DIV:
        between = (wide)a + b;
        all = (between - 1) / b;
        break;
    case OP_ROUND_UP:
        between = (wide)a + b;
        all = (between - 1) / b * b;
        break;
    case OP_SHL:
        if (a < 0 || b < 0 || b > 62) return false;
        all = (wide)a << b;
        break;
    case OP_SHR:
        if (a < 0 || b < 0 || b > 62) return false;
        all = a >> b;
        break;
    default:
        *value = value_of(op, a, b);
        return true;
    }
    *value = (int64_t)all;
    return all >= INT64_MIN && all <= INT64_MAX && between <= INT64_MAX;
}

static void check(unsigned op, struct hone_range range, int64_t a, int64_t b)
{
    if (is_division(op) && b < 1) return; // of no interest: then nothing is said
    const int64_t value = value_of(op, a, b);
    int64_t plain = 0;
    if (value < range.low || value > range.high)
        fail_msg("op %u of %lld, %lld is %lld", op, (long long)a, (long long)b,
                 (long long)value);
    if (range.plain && (!plain_value(op, a, b, &plain) || plain != value))
        fail_msg("op %u of %lld, %lld is not plain", op, (long long)a, (long long)b);
}

static void small_ranges_hold_all_their_values(void **state)
{
    (void)state;
    size_t plain = 0, tight = 0, cases = 0;
    for (size_t n = 0; n < OPS; n++)
        for (int al = -4; al <= 4; al++)
            for (int ah = al; ah <= 5; ah++)
                for (int bl = -2; bl <= 4; bl++)
                    for (int bh = bl; bh <= 5; bh++) {
                        const struct hone_range range = hone_range_of(
                            ops[n], (struct hone_range){.low = al, .high = ah},
                            (struct hone_range){.low = bl, .high = bh});
                        plain += range.plain;
                        tight += range.high < 2000 && range.low > -2000;
                        cases++;
                        for (int a = al; a <= ah; a++)
                            for (int b = bl; b <= bh; b++)
                                check(ops[n], range, a, b);
                    }
    assert_true(plain > cases / 2 && tight > cases / 2);
}

/* An end of 64 bits, or a power of two, and about it. */
static int64_t random_end(struct hone_rng *rng)
{
    const uint64_t by = hone_rng_below(rng, 7);
    const int64_t near = (int64_t)hone_rng_below(rng, 5) - 2;
    if (by == 0) return INT64_MAX - 2 + (near < 0 ? 0 : near);
    if (by == 1) return INT64_MIN + 2 + (near > 0 ? 0 : near);
    const int64_t power = (int64_t)1 << hone_rng_below(rng, 62);
    return by < 5 ? power + near : -power + near;
}

static int64_t between(struct hone_rng *rng, int64_t low, int64_t high)
{
    const uint64_t width = (uint64_t)high - (uint64_t)low;
    switch (hone_rng_below(rng, 3)) {
    case 0:
        return low;
    case 1:
        return high;
    default:
        return (int64_t)((uint64_t)low + (width == UINT64_MAX
                                              ? hone_rng_next(rng)
                                              : hone_rng_next(rng) % (width + 1)));
    }
}

static void wide_ranges_hold_random_values(void **state)
{
    (void)state;
    enum { ROUNDS = 200000, TRIES = 6 };
    struct hone_rng rng;
    size_t plain = 0;
    hone_rng_seed(&rng, 3);
    for (int round = 0; round < ROUNDS; round++) {
        const unsigned op = ops[hone_rng_below(&rng, OPS)];
        int64_t e[4];
        for (size_t i = 0; i < 4; i++)
            e[i] = random_end(&rng);
        const struct hone_range a = {.low = e[0] < e[1] ? e[0] : e[1],
                                     .high = e[0] < e[1] ? e[1] : e[0]};
        const struct hone_range b = {.low = e[2] < e[3] ? e[2] : e[3],
                                     .high = e[2] < e[3] ? e[3] : e[2]};
        const struct hone_range range = hone_range_of(op, a, b);
        plain += range.plain;
        for (int t = 0; t < TRIES; t++)
            check(op, range, between(&rng, a.low, a.high), between(&rng, b.low, b.high));
    }
    assert_true(plain > ROUNDS / 20);
}

/* The text is a + b - 1, whose first sum may be one too many. */
static void sums_of_roundings_stay_below_the_end(void **state)
{
    (void)state;
    static const unsigned rounding[] = {OP_CEIL_DIV, OP_ROUND_UP};
    for (size_t n = 0; n < 2; n++)
        for (int64_t below = 0; below < 8; below++) {
            const struct hone_range a = {.low = 0, .high = INT64_MAX - below};
            const struct hone_range b = {.low = 1, .high = 4};
            const struct hone_range range = hone_range_of(rounding[n], a, b);
            assert_int_equal(range.plain, below >= 4);
            check(rounding[n], range, a.high, b.high);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(small_ranges_hold_all_their_values),
    cmocka_unit_test(wide_ranges_hold_random_values),
    cmocka_unit_test(sums_of_roundings_stay_below_the_end),
};
HONE_TEST_MAIN(tests)
