// printf and assert of kernels.
#include "emu_calls_frame.h"

static void printed_text_is_the_hosts(void **state)
{
    static const char format[] = "%u,%d,%.3f,%s|";
    struct emu emu;
    uint32_t out[THREADS];
    char expected[4096] = "";
    (void)state;
    emu_open(&emu);
    print(&emu, format, "@%p1", out);
    for (int t = 0; t < THREADS; t++) {
        char one[64] = "";
        if (t < 5) snprintf(one, sizeof one, "%u,%d,%.3f,%s|", t, -t, 2.5 * t, "hi");
        strcat(expected, one);
        assert_int_equal(out[t], t < 5 ? 4 : 7);
    }
    assert_string_equal(printed, expected);
    emu_close(&emu);
}

// What lane 3 prints.
static void every_conversion_is_known(void **state)
{
    static const struct {
        const char *format, *printed;
    } cases[] = {
        {"plain %% text\n", "plain % text\n"},
        {"[%5u] [%-5d] [%+d]", "[    3] [-3   ] [+0]"},
        {"[%05d] [%x] [%#X]", "[00003] [fffffffd] [0]"},
        {"%hhu %hd %e", "3 -3 7.500000e+00"},
        {"%u %u %g %.1s|%5s", "3 4294967293 7.5 h|(bad address)"},
        {"%llx %G", "fffffffd00000003 7.5"},
        {"%u %u %p", "3 4294967293 0x401e000000000000"},
        {"%c%c%a", "\003\3750x1.ep+2"},
        {"%*d|%-8.2f|", " -3|7.50    |"},
        {"%q%d", "%q3"},
        {"100%", "100%"},
        {"%", "%"},
    };
    struct emu emu;
    uint32_t out[THREADS];
    (void)state;
    emu_open(&emu);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char guard[] = "setp.eq.u32 %p1, %t, 3; @%p1 ";
        print(&emu, cases[i].format, guard, out);
        assert_string_equal(printed, cases[i].printed);
    }
    emu_close(&emu);
}

static void count_printed(void *context, const char *text, size_t len)
{
    (void)text;
    *(size_t *)context += len;
}

static void too_much_text_is_cut(void **state)
{
    struct emu emu;
    uint32_t out[THREADS];
    size_t total = 0;
    char format[600];
    (void)state;
    memset(format, 'x', sizeof format - 1);
    format[sizeof format - 1] = '\0';
    emu_open(&emu);
    print(&emu, format, "setp.eq.u32 %p1, %t, 3; @%p1 ", out);
    assert_int_equal(strlen(printed), sizeof format - 1);
    hone_devptr p = emu_buffer(&emu, NULL, THREADS * 4);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 3000, THREADS);
    launch.print = count_printed;
    launch.print_context = &total;
    if (!emu_run(&emu, &launch)) fail_msg("%s", emu.fault.reason);
    assert_int_equal(total, HONE_PRINTED_MAX);
    emu_close(&emu);
}

static void a_failed_assertion_is_placed(void **state)
{
    struct emu emu;
    float data[THREADS] = {0};
    int32_t n = 9;
    (void)state;
    emu_open(&emu);
    char *text = emu_read_ptx("corpus/prints.ptx");
    if (!emu_load(&emu, text, "prints")) fail_msg("%s", emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, data, sizeof data);
    struct emu_args args = {0};
    EMU_ARG(args, p), EMU_ARG(args, n);
    struct hone_launch launch = emu_geometry(&args, 1, THREADS);
    launch.print = keep_printed;
    printed[0] = '\0';
    assert_false(emu_run(&emu, &launch));
    assert_int_equal(emu.fault.outcome, HONE_CRASHED);
    if (!strstr(emu.fault.reason, "assertion 't < n' failed in prints.cu:12 at block "
                                  "(0,0,0) thread (9,0,0) of "))
        fail_msg("%s", emu.fault.reason);
    emu_fetch(&emu, data, p, sizeof data);
    assert_string_equal(printed, "0| 0.00|ab  |x|1099511627776\n"
                                 "1| 0.00|ab  |y|1099511627776\n"
                                 "2| 0.00|ab  |z|1099511627776\n");
    assert_true(data[2] == 5.0f && data[3] == 0.0f);
    free(text);
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(printed_text_is_the_hosts),
    cmocka_unit_test(every_conversion_is_known),
    cmocka_unit_test(too_much_text_is_cut),
    cmocka_unit_test(a_failed_assertion_is_placed),
};

HONE_TEST_MAIN(tests)
