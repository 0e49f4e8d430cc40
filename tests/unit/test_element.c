// Elements of buffers: the codes of small floats and their rounding, and the data that
// arguments are filled with.
#include <math.h>

#include "base/narrow.h"
#include "element.h"
#include "hone_test.h"

static const enum hone_dtype all_dtypes[] = {
#define DTYPE(name, text, bytes) HONE_##name,
    HONE_DTYPE_LIST(DTYPE)
#undef DTYPE
};
enum { DTYPES = sizeof all_dtypes / sizeof *all_dtypes };

static void every_code_of_a_small_float_survives_load_and_store(void **state)
{
    (void)state;
    const enum hone_dtype dtypes[] = {HONE_F16, HONE_BF16, HONE_E4M3, HONE_E5M2};
    for (size_t d = 0; d < 4; d++) {
        const size_t size = hone_dtype_size(dtypes[d]);
        for (uint32_t code = 0; code < 1u << (8 * size); code++) {
            uint32_t back = 0;
            double value = hone_element_load(dtypes[d], &code, 0);
            hone_element_store(dtypes[d], &back, 0, value);
            if (isnan(value))
                assert_true(isnan(hone_element_load(dtypes[d], &back, 0)));
            else
                assert_int_equal(back, code);
        }
    }
}

// The text that NVRTC compiles rounds by itself; base/narrow.h rounds for the emulator.
static void both_ways_to_round_give_the_same_code(void **state)
{
    (void)state;
    const enum hone_dtype dtypes[] = {HONE_F16, HONE_BF16, HONE_E4M3, HONE_E5M2};
    const enum hone_narrow_kind kinds[] = {HONE_NARROW_F16, HONE_NARROW_BF16,
                                           HONE_NARROW_E4M3, HONE_NARROW_E5M2};
    for (size_t d = 0; d < 4; d++) {
        const struct hone_narrow *format = hone_narrow_format(kinds[d]);
        for (uint32_t code = 0; code <= format->largest; code++) {
            const double here = hone_widen(format, code);
            const double there = code < format->largest ? hone_widen(format, code + 1)
                                                        : here + hone_widen(format, 1);
            const double tie = (here + there) / 2;
            const double near[] = {here, nextafter(tie, here), tie, nextafter(tie, there),
                                   2 * there};
            for (size_t n = 0; n < sizeof near / sizeof *near; n++)
                for (int sign = -1; sign <= 1; sign += 2) {
                    uint32_t stored = 0;
                    hone_element_store(dtypes[d], &stored, 0, sign * near[n]);
                    assert_int_equal(stored, hone_narrow(format, sign * near[n],
                                                         HONE_ROUND_EVEN, false));
                }
        }
    }
}

static unsigned encoded(enum hone_dtype dtype, double value)
{
    unsigned bits = 0;
    hone_element_store(dtype, &bits, 0, value);
    return bits;
}

static void small_floats_have_their_published_codes(void **state)
{
    (void)state;
    assert_int_equal(encoded(HONE_F16, 1), 0x3c00);
    assert_int_equal(encoded(HONE_F16, -65504), 0xfbff);
    assert_int_equal(encoded(HONE_F16, 65520), 0x7c00); // rounds to infinity
    assert_int_equal(encoded(HONE_F16, 65519), 0x7bff);
    assert_int_equal(encoded(HONE_F16, 0x1p-24), 0x0001);
    assert_int_equal(encoded(HONE_F16, 0x1p-25), 0x0000); // a tie, to even
    assert_int_equal(encoded(HONE_F16, 0x1.8p-24), 0x0002);
    assert_int_equal(encoded(HONE_BF16, 1), 0x3f80);
    assert_int_equal(encoded(HONE_BF16, (double)NAN) & 0x7f80, 0x7f80);
    assert_int_equal(encoded(HONE_E4M3, 448), 0x7e); // largest
    assert_int_equal(encoded(HONE_E4M3, 480), 0x7f); // no infinity: NaN
    assert_int_equal(encoded(HONE_E4M3, -0.0), 0x80);
    assert_int_equal(encoded(HONE_E5M2, 57344), 0x7b);
    assert_int_equal(encoded(HONE_E5M2, (double)INFINITY), 0x7c);
}

static void rounding_goes_to_the_nearest_code_and_ties_to_even(void **state)
{
    (void)state;
    const enum hone_dtype dtypes[] = {HONE_F16, HONE_BF16, HONE_E4M3, HONE_E5M2};
    for (size_t d = 0; d < 4; d++) {
        const unsigned last = encoded(dtypes[d], 256);
        for (unsigned code = 0; code < last; code++) {
            unsigned next = code + 1;
            double low = hone_element_load(dtypes[d], &code, 0);
            double high = hone_element_load(dtypes[d], &next, 0);
            double middle = low + (high - low) / 2;
            assert_int_equal(encoded(dtypes[d], nextafter(middle, 0)), code);
            assert_int_equal(encoded(dtypes[d], nextafter(middle, 1e9)), next);
            assert_int_equal(encoded(dtypes[d], middle), code % 2 ? next : code);
        }
    }
}

static void random_data_is_in_range_exact_and_independent_of_chunks(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    for (size_t d = 0; d < DTYPES; d++) {
        const enum hone_dtype dtype = all_dtypes[d];
        const size_t size = hone_dtype_size(dtype);
        unsigned char whole[COUNT * 8], parts[COUNT * 8];
        const struct hone_job_arg arg = {.dtype = dtype, .fill = HONE_FILL_UNIFORM};
        hone_element_fill(&arg, 9, 0, COUNT, whole);
        hone_element_fill(&arg, 9, 0, 300, parts);
        hone_element_fill(&arg, 9, 300, COUNT - 300, parts + 300 * size);
        assert_memory_equal(whole, parts, COUNT * size);
        double sum = 0, least = 99, most = -99;
        for (size_t i = 0; i < COUNT; i++) {
            double x = hone_element_load(dtype, whole, i);
            sum += x;
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        const char kind = hone_dtype_name(dtype)[0];
        const double limit = kind == 'i' || kind == 'u' ? 8 : 1;
        assert_true(least >= (kind == 'u' ? 0 : -limit) && most <= limit);
        assert_true(least < -0.9 * limit || kind == 'u');
        assert_true(most > 0.85 * limit);
        assert_true(fabs(sum / COUNT - (kind == 'u' ? 4 : 0)) < limit / 8);
    }
}

// Means and spreads of 4000 numbers, within four of their standard errors.
static void normal_data_is_normal(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    const enum hone_dtype dtypes[] = {HONE_F64, HONE_F32, HONE_F16, HONE_BF16};
    for (size_t d = 0; d < 4; d++) {
        const struct hone_job_arg arg = {.dtype = dtypes[d], .fill = HONE_FILL_NORMAL};
        unsigned char out[COUNT * 8];
        double sum = 0, squares = 0, within = 0;
        hone_element_fill(&arg, 5, 0, COUNT, out);
        for (size_t i = 0; i < COUNT; i++) {
            const double x = hone_element_load(dtypes[d], out, i);
            sum += x;
            squares += x * x;
            within += fabs(x) < 1;
        }
        assert_true(fabs(sum / COUNT) < 4 / sqrt(COUNT));
        assert_true(fabs(squares / COUNT - 1) < 4 * sqrt(2.0 / COUNT));
        assert_true(fabs(within / COUNT - 0.6827) < 4 * sqrt(0.6827 * 0.3173 / COUNT));
    }
}

static void integers_fill_their_range_evenly(void **state)
{
    (void)state;
    enum { COUNT = 7000 };
    for (size_t d = 0; d < DTYPES; d++) {
        const enum hone_dtype dtype = all_dtypes[d];
        const bool is_unsigned = hone_dtype_name(dtype)[0] == 'u';
        const double low = is_unsigned ? 1 : -3;
        const struct hone_job_arg arg = {.dtype = dtype,
                                         .fill = HONE_FILL_INTEGERS,
                                         .data = {.low = low, .high = low + 6}};
        unsigned char out[COUNT * 8];
        size_t counts[7] = {0};
        hone_element_fill(&arg, 3, 0, COUNT, out);
        for (size_t i = 0; i < COUNT; i++) {
            const double x = hone_element_load(dtype, out, i) - low;
            assert_true(x >= 0 && x <= 6 && x == floor(x));
            counts[(size_t)x]++;
        }
        for (size_t k = 0; k < 7; k++)
            assert_true(counts[k] > 850 && counts[k] < 1150);
    }
}

static void offsets_begin_at_0_and_never_fall(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    const struct hone_job_arg arg = {.dtype = HONE_I32, .fill = HONE_FILL_OFFSETS};
    int32_t out[COUNT], part[10];
    size_t counts[9] = {0};
    hone_element_fill(&arg, 3, 0, COUNT, out);
    hone_element_fill(&arg, 3, 1000, 10, part);
    assert_int_equal(out[0], 0);
    for (size_t i = 1; i < COUNT; i++) {
        assert_in_range(out[i] - out[i - 1], 0, 8);
        counts[out[i] - out[i - 1]]++;
    }
    for (size_t k = 0; k <= 8; k++)
        assert_true(counts[k] > COUNT / 50); // 0 and 8 are to come once in 25
    assert_memory_equal(part, out + 1000, sizeof part);
}

static void constants_and_files_are_copied(void **state)
{
    (void)state;
    const struct hone_job_arg half = {
        .dtype = HONE_BF16, .fill = HONE_FILL_CONSTANT, .data = {0.5, 0.5, NULL, 0}};
    const int32_t three[] = {7, -1, 1 << 30};
    const struct hone_job_arg file = {.dtype = HONE_I32,
                                      .fill = HONE_FILL_FILE,
                                      .data = {.bytes = three, .size = sizeof three}};
    int32_t out[8];
    hone_element_fill(&half, 1, 0, 8, out);
    for (size_t i = 0; i < 8; i++)
        assert_true(hone_element_load(HONE_BF16, out, i) == 0.5);
    hone_element_fill(&file, 1, 1000, 8, out); // 1000 = 3 x 333 + 1
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(out[i], three[(i + 1) % 3]);
}

static void index_data_counts_as_far_as_the_dtype_can(void **state)
{
    (void)state;
    const struct {
        enum hone_dtype dtype;
        uint64_t first;
        double value;
    } cases[] = {{HONE_F32, 16777217, 1}, {HONE_F32, 70000, 70000},
                 {HONE_E4M3, 17, 1},      {HONE_I8, 130, 2},
                 {HONE_U8, 255, 255},     {HONE_I64, 1u << 31, 0x1p31}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char out[8];
        const struct hone_job_arg arg = {.dtype = cases[i].dtype,
                                         .fill = HONE_FILL_INDEX};
        hone_element_fill(&arg, 1, cases[i].first, 1, out);
        assert_true(hone_element_load(cases[i].dtype, out, 0) == cases[i].value);
    }
}

static void scalars_arrive_as_the_kernel_declares_them(void **state)
{
    (void)state;
    uint64_t bits = 0;
    hone_element_from_value(HONE_I32, &bits,
                            (struct hone_value){.type = HONE_INT, .i = -2});
    assert_int_equal(bits, 0xfffffffe);
    bits = 0;
    hone_element_from_value(HONE_U8, &bits,
                            (struct hone_value){.type = HONE_FLOAT, .f = 200});
    assert_int_equal(bits, 200);
    hone_element_from_value(HONE_I64, &bits,
                            (struct hone_value){.type = HONE_INT, .i = INT64_MAX - 1});
    assert_true(bits == (uint64_t)INT64_MAX - 1);
    bits = 0;
    hone_element_from_value(HONE_F32, &bits,
                            (struct hone_value){.type = HONE_INT, .i = 1});
    assert_int_equal(bits, 0x3f800000);
}

// A reference in double precision gets what the kernel gets, to the last bit.
static void wide_arguments_hold_the_values_of_the_narrow_ones(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    static const float file[] = {0.1f, 2.5f, -3};
    for (size_t d = 0; d < DTYPES; d++)
        for (int fill = 0; fill < HONE_FILL_COUNT; fill++) {
            if (!hone_dtype_is_float(all_dtypes[d])) continue;
            if (fill == HONE_FILL_FILE && all_dtypes[d] != HONE_F32) continue;
            uint64_t narrow[MANY], wide[MANY];
            struct hone_job_arg arg = {.kind = HONE_ARG_INPUT,
                                       .dtype = all_dtypes[d],
                                       .fill = (enum hone_fill)fill,
                                       .data = {.low = -1, .high = 5}};
            if (fill == HONE_FILL_FILE)
                arg.data = (struct hone_fill_data){.bytes = file, .size = sizeof file};
            hone_element_fill(&arg, 7, 1001, MANY, narrow);
            arg.wide = true;
            arg.narrow = arg.dtype;
            arg.dtype = HONE_F64;
            hone_element_fill(&arg, 7, 1001, MANY, wide);
            for (size_t i = 0; i < MANY; i++) {
                const double a = hone_element_load(arg.narrow, narrow, i);
                const double b = hone_element_load(HONE_F64, wide, i);
                assert_true(a == b || (isnan(a) && isnan(b)));
            }
        }
    double value = 0;
    const struct hone_job_arg scalar = {.dtype = HONE_F64,
                                        .wide = true,
                                        .narrow = HONE_F16,
                                        .value = {.type = HONE_FLOAT, .f = 0.1}};
    hone_element_from_arg(&scalar, &value);
    assert_true(value == 0x1.998p-4);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(wide_arguments_hold_the_values_of_the_narrow_ones),
    cmocka_unit_test(every_code_of_a_small_float_survives_load_and_store),
    cmocka_unit_test(both_ways_to_round_give_the_same_code),
    cmocka_unit_test(small_floats_have_their_published_codes),
    cmocka_unit_test(rounding_goes_to_the_nearest_code_and_ties_to_even),
    cmocka_unit_test(random_data_is_in_range_exact_and_independent_of_chunks),
    cmocka_unit_test(normal_data_is_normal),
    cmocka_unit_test(integers_fill_their_range_evenly),
    cmocka_unit_test(offsets_begin_at_0_and_never_fall),
    cmocka_unit_test(constants_and_files_are_copied),
    cmocka_unit_test(index_data_counts_as_far_as_the_dtype_can),
    cmocka_unit_test(scalars_arrive_as_the_kernel_declares_them),
};

HONE_TEST_MAIN(tests)
