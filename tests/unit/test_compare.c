// What a launch left in an output against the reference: each element by itself, and all
// of them together.
#include <math.h>
#include <string.h>

#include "compare.h"
#include "element.h"
#include "hone_test.h"

enum { COUNT = 1000 };

static const struct hone_tolerance loose = {.relative = 1e-3, .absolute = 1e-3};

struct output {
    struct hone_buffer buffer;
    float expected[COUNT], data[COUNT];
};

// A wave of amplitude 1, and the same again as what a kernel computed.
static void make_output(struct output *o)
{
    *o = (struct output){.buffer = {.arg = {.name = "y",
                                            .kind = HONE_ARG_OUTPUT,
                                            .dtype = HONE_F32,
                                            .count = COUNT},
                                    .bytes = sizeof o->data}};
    o->buffer.expected = (unsigned char *)o->expected;
    for (int i = 0; i < COUNT; i++)
        o->data[i] = o->expected[i] = (float)sin(i);
}

static bool agree(struct output *o, const struct hone_tolerance *tolerance,
                  struct hone_fault *fault)
{
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    return hone_compare_output(&o->buffer, (const unsigned char *)o->data, tolerance,
                               fault);
}

// Rounded to bfloat16's eight bits, as a kernel does that takes a faster unit.
static void lower_precision(struct output *o)
{
    for (int i = 0; i < COUNT; i++) {
        uint16_t half;
        hone_element_store(HONE_BF16, &half, 0, o->expected[i]);
        o->data[i] = (float)hone_element_load(HONE_BF16, &half, 0);
    }
}

static void lowered_precision_within_the_elements_tolerance_is_found(void **state)
{
    (void)state;
    struct output o;
    struct hone_fault fault;
    const struct hone_tolerance wide = {.relative = 1e-2, .absolute = 1e-2};
    struct hone_tolerance bounded = wide;
    bounded.mean = 1e-6;
    make_output(&o);
    lower_precision(&o);
    assert_true(agree(&o, &wide, &fault));
    assert_false(agree(&o, &bounded, &fault));
    assert_int_equal(fault.outcome, HONE_WRONG_RESULT);
    assert_int_equal(fault.finding, HONE_FINDING_PRECISION);
    assert_string_equal(fault.buffer, "y");
    assert_non_null(strstr(fault.reason, "the mean error of y is 0.00"));
    assert_non_null(strstr(fault.reason, " of the reference's mean magnitude, allowed "
                                         "1e-06 (precision lowered?)"));
}

// The error of one element counts as it is, whatever its own size.
static void the_mean_error_is_relative_to_the_whole_output(void **state)
{
    (void)state;
    struct output o;
    struct hone_fault fault;
    const double squares = COUNT / 2.0; // of the wave, nearly
    struct hone_tolerance bounded = loose;
    make_output(&o);
    o.data[0] = 5e-4f; // the reference's is 0
    bounded.mean = 1.1 * 5e-4 / sqrt(squares);
    assert_true(agree(&o, &bounded, &fault));
    bounded.mean = 0.9 * 5e-4 / sqrt(squares);
    assert_false(agree(&o, &bounded, &fault));
    assert_int_equal(fault.finding, HONE_FINDING_PRECISION);
}

// Squares of doubles leave their range long before the doubles do.
static void the_mean_error_of_doubles_of_any_size_is_a_number(void **state)
{
    (void)state;
    static const double sizes[] = {1e-300, 1e-160, 1e154, 1e200, 1e300};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        double expected[COUNT], data[COUNT];
        struct hone_buffer buffer = {.arg = {.name = "y",
                                             .kind = HONE_ARG_OUTPUT,
                                             .dtype = HONE_F64,
                                             .count = COUNT},
                                     .expected = (unsigned char *)expected,
                                     .bytes = sizeof data};
        for (int i = 0; i < COUNT; i++) {
            expected[i] = sizes[k] * sin(i + 1);
            data[i] = expected[i] * (1 + 1e-6);
        }
        const unsigned char *bytes = (const unsigned char *)data;
        struct hone_tolerance bounded = {.relative = 1e-3, .mean = 1.01e-6};
        struct hone_fault fault = {.outcome = HONE_VALID};
        if (!hone_compare_output(&buffer, bytes, &bounded, &fault))
            fail_msg("at %g: %s", sizes[k], fault.reason);
        bounded.mean = 0.99e-6;
        assert_false(hone_compare_output(&buffer, bytes, &bounded, &fault));
        assert_non_null(strstr(fault.reason, "the mean error of y is 1e-06 "));
    }
}

static void a_mean_bound_is_for_floats_that_are_not_all_zero(void **state)
{
    (void)state;
    struct output o;
    struct hone_fault fault;
    struct hone_tolerance bounded = loose;
    bounded.mean = 1e-9;
    make_output(&o);
    memset(o.expected, 0, sizeof o.expected);
    memset(o.data, 0, sizeof o.data);
    o.data[7] = 1e-4f;
    assert_true(agree(&o, &bounded, &fault)); // the elements' own tolerance says enough
    o.buffer.arg.dtype = HONE_I32;
    memset(o.data, 0, sizeof o.data);
    assert_true(agree(&o, &bounded, &fault));
}

// An element that is wrong is named as that: it says more than a mean.
static void a_wrong_element_comes_before_a_mean(void **state)
{
    (void)state;
    struct output o;
    struct hone_fault fault;
    struct hone_tolerance bounded = loose;
    bounded.mean = 1e-9;
    make_output(&o);
    o.data[3] += 1;
    assert_false(agree(&o, &bounded, &fault));
    assert_int_equal(fault.finding, HONE_FINDING_MISMATCH);
    assert_non_null(strstr(fault.reason, "y[3] is "));
}

static void nan_is_no_wildcard(void **state)
{
    (void)state;
    static const float odd[] = {NAN, INFINITY, -INFINITY};
    struct output o;
    struct hone_fault fault;
    struct hone_tolerance endless = {
        .relative = INFINITY, .absolute = INFINITY, .mean = INFINITY};
    for (int i = 0; i < 3; i++) {
        make_output(&o);
        o.data[5] = odd[i];
        assert_false(agree(&o, &endless, &fault)); // where there is a number
        make_output(&o);
        o.expected[5] = odd[i];
        assert_false(agree(&o, &endless, &fault)); // and the other way round
        o.data[5] = odd[i];
        assert_true(agree(&o, &endless, &fault));
        o.data[5] = odd[(i + 1) % 3];
        assert_false(agree(&o, &endless, &fault));
    }
}

// What is no number does not spoil the mean of the others.
static void infinities_do_not_hide_a_mean_error(void **state)
{
    (void)state;
    struct output o;
    struct hone_fault fault;
    struct hone_tolerance bounded = {.relative = 1e-2, .absolute = 1e-2, .mean = 1e-6};
    make_output(&o);
    lower_precision(&o);
    o.data[9] = o.expected[9] = INFINITY;
    o.data[10] = o.expected[10] = NAN;
    assert_false(agree(&o, &bounded, &fault));
    assert_int_equal(fault.finding, HONE_FINDING_PRECISION);
}

static void odd_values_of_a_reference_are_named(void **state)
{
    (void)state;
    char text[128];
    struct output o;
    make_output(&o);
    assert_false(hone_compare_odd(&o.buffer, text, sizeof text));
    o.expected[4] = NAN;
    o.expected[8] = INFINITY;
    assert_true(hone_compare_odd(&o.buffer, text, sizeof text));
    assert_string_equal(text, "y[4] is nan; 2 of 1000 are no finite numbers");
    o.buffer.arg.dtype = HONE_I32;
    assert_false(hone_compare_odd(&o.buffer, text, sizeof text));
}

// Outputs of half precision and a reference in doubles.
struct rounded {
    struct hone_buffer buffer;
    double expected[COUNT];
    uint16_t data[COUNT];
};

static void make_rounded(struct rounded *r)
{
    *r = (struct rounded){.buffer = {.arg = {.name = "y",
                                             .kind = HONE_ARG_OUTPUT,
                                             .dtype = HONE_F16,
                                             .count = COUNT},
                                     .bytes = sizeof r->data,
                                     .expected_wide = true}};
    r->buffer.expected = (unsigned char *)r->expected;
    for (int i = 0; i < COUNT; i++) {
        r->expected[i] = sin(i);
        hone_element_store(HONE_F16, r->data, (size_t)i, r->expected[i]);
    }
}

static bool rounded_agrees(struct rounded *r, const struct hone_tolerance *tolerance,
                           struct hone_fault *fault)
{
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    return hone_compare_output(&r->buffer, (const unsigned char *)r->data, tolerance,
                               fault);
}

// The best that a type can hold needs no tolerance, overflow included; one step more does.
static void a_wide_reference_takes_the_nearest_value_of_the_type(void **state)
{
    (void)state;
    struct rounded r;
    struct hone_fault fault;
    const struct hone_tolerance none = {0}, some = {.relative = 0x1p-9};
    make_rounded(&r);
    assert_true(rounded_agrees(&r, &none, &fault));
    r.expected[3] = 1e6; // infinite in half precision
    r.expected[4] = NAN;
    hone_element_store(HONE_F16, r.data, 3, INFINITY);
    hone_element_store(HONE_F16, r.data, 4, NAN);
    assert_true(rounded_agrees(&r, &none, &fault));
    r.data[9]++;
    assert_false(rounded_agrees(&r, &none, &fault));
    assert_non_null(strstr(fault.reason, "y[9] is 0.412"));
    assert_non_null(strstr(fault.reason, ", reference 0.412118"));
    assert_true(rounded_agrees(&r, &some, &fault));
    hone_element_store(HONE_F16, r.data, 3, 65504); // the largest that is finite
    assert_false(rounded_agrees(&r, &none, &fault));
}

static void the_mean_error_is_taken_from_the_wide_reference(void **state)
{
    (void)state;
    struct rounded r;
    struct hone_fault fault;
    struct hone_tolerance bounded = {.relative = 1, .mean = 4e-4};
    make_rounded(&r);
    assert_true(rounded_agrees(&r, &bounded, &fault));
    bounded.mean = 1e-4; // rounding alone is about 2^-12
    assert_false(rounded_agrees(&r, &bounded, &fault));
    assert_int_equal(fault.finding, HONE_FINDING_PRECISION);
}

static void no_words_speak_of_being_off_by_nan(void **state)
{
    (void)state;
    static const float odd[] = {NAN, -NAN, INFINITY, -INFINITY};
    struct output o;
    struct hone_fault fault;
    for (int i = 0; i < 4; i++) {
        make_output(&o);
        o.expected[5] = odd[i];
        assert_false(agree(&o, &loose, &fault));
        assert_null(strstr(fault.reason, "off by"));
        assert_null(strstr(fault.reason, "-nan"));
        assert_non_null(strstr(fault.reason, ", with which only the same agrees"));
        make_output(&o);
        o.data[5] = odd[i];
        assert_false(agree(&o, &loose, &fault));
        assert_null(strstr(fault.reason, "off by"));
        assert_null(strstr(fault.reason, "-nan"));
        assert_non_null(strstr(fault.reason, ", which no tolerance covers"));
    }
}

// Also where nine digits of a double would be the same.
static void a_difference_is_told_by_as_many_digits_as_it_takes(void **state)
{
    (void)state;
    const int64_t one[] = {INT64_C(1) << 60 | 1}, other[] = {INT64_C(1) << 60};
    const uint32_t two[] = {2000000000}, close[] = {2000000001};
    const double ten[] = {-0.2240181370000001}, near[] = {-0.2240181370000002};
    const struct {
        enum hone_dtype dtype;
        const void *data, *expected;
        const char *said;
    } cases[] = {
        {HONE_I64, one, other,
         "y[0] is 1152921504606846977, reference 1152921504606846976, allowed 0"},
        {HONE_U32, two, close,
         "y[0] is 2000000000, reference 2000000001, off by 1, allowed 0"},
        {HONE_F64, ten, near,
         "y[0] is -0.22401813700000009, reference -0.2240181370000002,"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_fault fault = {.outcome = HONE_VALID};
        const struct hone_tolerance none = {0};
        struct hone_buffer buffer = {
            .arg = {.name = "y", .kind = HONE_ARG_INOUT, .count = 1}};
        buffer.arg.dtype = cases[i].dtype;
        buffer.bytes = hone_dtype_size(cases[i].dtype);
        unsigned char expected[8];
        memcpy(expected, cases[i].expected, buffer.bytes);
        buffer.expected = expected;
        assert_false(hone_compare_output(&buffer, cases[i].data, &none, &fault));
        if (!strstr(fault.reason, cases[i].said)) fail_msg("%s", fault.reason);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_wide_reference_takes_the_nearest_value_of_the_type),
    cmocka_unit_test(the_mean_error_is_taken_from_the_wide_reference),
    cmocka_unit_test(lowered_precision_within_the_elements_tolerance_is_found),
    cmocka_unit_test(a_difference_is_told_by_as_many_digits_as_it_takes),
    cmocka_unit_test(the_mean_error_is_relative_to_the_whole_output),
    cmocka_unit_test(the_mean_error_of_doubles_of_any_size_is_a_number),
    cmocka_unit_test(a_mean_bound_is_for_floats_that_are_not_all_zero),
    cmocka_unit_test(a_wrong_element_comes_before_a_mean),
    cmocka_unit_test(nan_is_no_wildcard),
    cmocka_unit_test(no_words_speak_of_being_off_by_nan),
    cmocka_unit_test(infinities_do_not_hide_a_mean_error),
    cmocka_unit_test(odd_values_of_a_reference_are_named),
};

HONE_TEST_MAIN(tests)
