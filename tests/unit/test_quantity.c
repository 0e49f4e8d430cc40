// Times and sizes as people write them.
#include "hone_test.h"

#include <string.h>

#include "base/quantity.h"

static void a_time_is_a_number_with_a_unit(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } rows[] = {{"30s", 30},    {"0.5s", 0.5},  {"5m", 300},   {"1.5h", 5400},
                {"2d", 172800}, {"1w", 604800}, {"1e2s", 100}, {"0s", 0}};
    static const char *const bad[] = {"",    "s",   "5",    "-1s",  "+1s",
                                      " 1s", "1 s", "5ms",  "nans", "infs",
                                      "5x",  "5ss", "0x1s", "1e12s"};
    (void)state;
    double seconds = -1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(hone_parse_seconds(&seconds, rows[i].text, 0));
        assert_true(seconds == rows[i].seconds);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (hone_parse_seconds(&seconds, bad[i], 0)) fail_msg("'%s' was taken", bad[i]);
    assert_true(seconds == 0); // as the last time left it
}

static void a_number_alone_is_a_time_where_it_has_a_unit(void **state)
{
    double seconds = -1;
    (void)state;
    assert_true(hone_parse_seconds(&seconds, "5", 1) && seconds == 5);
    assert_true(hone_parse_seconds(&seconds, "5", 60) && seconds == 300);
    assert_true(hone_parse_seconds(&seconds, "5s", 60) && seconds == 5);
}

static void a_size_is_a_number_with_powers_of_a_kilo(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } rows[] = {{"0", 0},
                {"30200", 30200},
                {"7B", 7},
                {"2K", 2048},
                {"2kB", 2048},
                {"1.5M", 1572864},
                {"3GiB", UINT64_C(3) << 30},
                {"3GB", UINT64_C(3) << 30},
                {"1Ti", UINT64_C(1) << 40}};
    static const char *const bad[] = {"",    "B",   "much", "-1",  "5X",  "5GG", "1e99",
                                      "nan", "5iB", "5 K",  "0x1", "5KK", "+1",  "5Bi"};
    (void)state;
    uint64_t bytes = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(hone_parse_bytes(&bytes, rows[i].text, 1024));
        assert_int_equal(bytes, rows[i].bytes);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (hone_parse_bytes(&bytes, bad[i], 1024)) fail_msg("'%s' was taken", bad[i]);
    assert_int_equal(bytes, UINT64_C(1) << 40);
    assert_true(hone_parse_bytes(&bytes, "1.5M", 1000) && bytes == 1500000);
    assert_true(hone_parse_bytes(&bytes, "1.5MiB", 1000) && bytes == 1572864);
}

static void a_count_is_whole_and_fits(void **state)
{
    static const struct {
        const char *text;
        uint64_t count;
    } rows[] = {{"0", 0},
                {"200", 200},
                {"2K", 2048},
                {"3M", 3 << 20},
                {"18446744073709551615", UINT64_MAX},
                {"17179869183G", UINT64_C(17179869183) << 30}};
    static const char *const bad[] = {"",
                                      "K",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1.5",
                                      "1k",
                                      "1KiB",
                                      "0x",
                                      "1 K",
                                      "1T",
                                      "18446744073709551616",
                                      "17179869184G"};
    (void)state;
    uint64_t count = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(hone_parse_count(&count, rows[i].text));
        assert_true(count == rows[i].count);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (hone_parse_count(&count, bad[i])) fail_msg("'%s' was taken", bad[i]);
    assert_true(count == UINT64_C(17179869183) << 30); // as the last time left it
}

static void a_share_is_less_than_the_whole(void **state)
{
    static const char *const good[] = {"3%", "0.03", ".03", "3e-2"};
    static const char *const bad[] = {"",    "%",   ".",    "100%", "1",   "-3%", "+3%",
                                      " 3%", "3%%", "0x1%", "nan",  "inf", "3 %", "e1"};
    (void)state;
    double share = -1;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(hone_parse_share(&share, good[i]));
        assert_true(share > 0.0299999 && share < 0.0300001);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (hone_parse_share(&share, bad[i])) fail_msg("'%s' was taken", bad[i]);
    assert_true(hone_parse_share(&share, "0") && share == 0);
}

static void a_number_is_printed_without_an_exponent(void **state)
{
    static const struct {
        double number;
        int digits;
        const char *text;
    } rows[] = {{112.3, 2, "110"},
                {9.96, 2, "10"},
                {1200, 3, "1200"},
                {123456.7, 5, "123460"},
                {37.8901, 5, "37.89"},
                {0.00123, 2, "0.0012"},
                {1.23456e14, 3, "123000000000000"},
                {0, 3, "0"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(hone_plain(rows[i].number, rows[i].digits).text,
                            rows[i].text);
}

static void bytes_are_told_in_the_unit_that_they_fill(void **state)
{
    (void)state;
    assert_string_equal(hone_byte_text(0).text, "0 bytes");
    assert_string_equal(hone_byte_text(1023).text, "1023 bytes");
    assert_string_equal(hone_byte_text(1536).text, "1.5 KiB");
    assert_string_equal(hone_byte_text((uint64_t)3 << 40).text, "3.0 TiB");
    assert_string_equal(hone_byte_text((uint64_t)1 << 52).text, "4096.0 TiB");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bytes_are_told_in_the_unit_that_they_fill),
    cmocka_unit_test(a_number_is_printed_without_an_exponent),
    cmocka_unit_test(a_time_is_a_number_with_a_unit),
    cmocka_unit_test(a_number_alone_is_a_time_where_it_has_a_unit),
    cmocka_unit_test(a_size_is_a_number_with_powers_of_a_kilo),
    cmocka_unit_test(a_count_is_whole_and_fits),
    cmocka_unit_test(a_share_is_less_than_the_whole),
};

HONE_TEST_MAIN(tests)
