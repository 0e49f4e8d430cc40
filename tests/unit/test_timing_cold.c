// What a cold launch may find in L2, and the kernels of the device's own that see to it,
// on the fake driver.
#include <math.h>
#include <string.h>

#include "hone_test.h"

#include "base/log.h"
#include "fake/fake_use.h"
#include "own_kernels.h"

static const struct hone_launch one_block = {.grid = {1, 1, 1}, .block = {32, 1, 1}};

static char warnings[2048];

static void keep_warnings(void *context, enum hone_log_level level, const char *line)
{
    (void)context;
    const size_t len = strlen(warnings);
    if (level == HONE_LOG_WARNING)
        snprintf(warnings + len, sizeof warnings - len, "%s\n", line);
}

// Times "k" on a fake of this configuration, with the warnings of it kept.
static struct hone_timing time_on(const char *config)
{
    struct hone_module *module = NULL;
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_timing timing;
    warnings[0] = '\0';
    hone_log_set(keep_warnings, NULL);
    struct hone_device *dev = fake_open(config, &module);
    assert_ok(dev->fns->time(dev, module, &one_block, &hone_time_policy_default, &timing,
                             &fault, &err),
              err);
    assert_int_equal(fault.outcome, HONE_VALID);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
    hone_log_set(NULL, NULL);
    assert_int_equal(fake.live(), 0);
    return timing;
}

// What the flush wrote would be written back while the kernel runs.
static void a_cold_launch_finds_no_line_that_was_written_to(void **state)
{
    (void)state;
    const char *const configs[] = {
        "kernel_us=20,write_back_us=15,profiler=1",
        "kernel_us=20,write_back_us=15,overhead_us=0",
    };
    for (size_t i = 0; i < 2; i++)
        assert_true(fabs(time_on(configs[i]).time_us - 20) < 0.01);
}

static double metric(const struct hone_timing *timing, const char *name)
{
    for (size_t i = 0; i < timing->metric_count; i++)
        if (strcmp(timing->metrics[i].name, name) == 0) return timing->metrics[i].value;
    return (double)NAN;
}

static void a_short_kernel_has_its_warm_time_as_well(void **state)
{
    (void)state;
    struct hone_timing timing = time_on("kernel_us=5,cold_us=2,profiler=1");
    assert_true(fabs(timing.time_us - 7) < 0.01);
    assert_true(fabs(metric(&timing, "warm_us") - 5) < 0.01);
    assert_int_equal(timing.kind, HONE_TIME_BURST);
    timing = time_on("kernel_us=5,cold_us=2,overhead_us=0");
    assert_true(fabs(timing.time_us - 7) < 0.01);
    assert_true(fabs(metric(&timing, "warm_us") - 5) < 0.01);
    timing = time_on("kernel_us=50,cold_us=2,profiler=1");
    assert_true(fabs(timing.time_us - 52) < 0.01);
    assert_true(isnan(metric(&timing, "warm_us")));
}

// Times "k" with this PTX, cold.
static double time_ptx(const char *config, enum hone_clock clock, const char *body)
{
    char text[256];
    struct hone_module *module = NULL;
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_timing timing;
    struct hone_device *dev = NULL;
    snprintf(text, sizeof text, ".version 8.0\n.visible .entry k()\n{ %s }\n", body);
    const struct hone_build build = {
        .outcome = HONE_VALID, .ptx = text, .ptx_size = strlen(text)};
    assert_int_equal(fake.configure(config), 0);
    assert_ok(hone_device_open_by(&dev, "cuda:0", clock, &err), err);
    assert_ok(dev->fns->load(dev, &build, "k", &module, &fault, &err), err);
    assert_ok(dev->fns->time(dev, module, &one_block, &hone_time_policy_default, &timing,
                             &fault, &err),
              err);
    assert_int_equal(fault.outcome, HONE_VALID);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
    return timing.time_us;
}

// A flush does not evict them, and giving them back acts when it is called, not in the
// order of the stream.
static void lines_that_a_kernel_keeps_are_cold_as_well(void **state)
{
    (void)state;
    static const char keeps[] = "ld.global.L2::evict_last.f32 %f0, [%rd0]; ret;";
    const struct {
        const char *config;
        enum hone_clock clock;
    } cases[] = {{"kernel_us=40,kept_us=10,profiler=1", HONE_CLOCK_CUPTI},
                 {"kernel_us=40,kept_us=10,overhead_us=0", HONE_CLOCK_EVENT},
                 {"kernel_us=150,kept_us=30,overhead_us=0,gap_us=0", HONE_CLOCK_GRAPH}};
    const double expected[] = {40, 40, 150};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double us = time_ptx(cases[i].config, cases[i].clock, keeps);
        if (fabs(us - expected[i]) > 0.01) fail_msg("case %zu: %g us", i, us);
    }
    assert_true(fabs(time_ptx(cases[0].config, HONE_CLOCK_CUPTI, "ret;") - 40) < 0.01);
}

static long fake_setting(const char *key);

// Its launches are waited for one by one: what waited too long for one of them does not
// wait for the batch as well.
static void a_wait_that_was_too_long_is_the_last(void **state)
{
    (void)state;
    static const char text[] = ".version 8.0\n.visible .entry k()\n"
                               "{ ld.global.L2::evict_last.f32 %f0, [%rd0]; ret; }\n";
    const struct hone_build build = {
        .outcome = HONE_VALID, .ptx = text, .ptx_size = sizeof text - 1};
    struct hone_module *module = NULL, *other = NULL;
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_timing timing;
    struct hone_device *dev = fake_open("kernel_us=20,hang=60,hang_s=1", &other);
    assert_ok(dev->fns->load(dev, &build, "k", &module, &fault, &err), err);
    struct hone_launch launch = one_block;
    launch.deadline_s = 0.05; // the batch has 32 launches
    assert_ok(dev->fns->time(dev, module, &launch, &hone_time_policy_default, &timing,
                             &fault, &err),
              err);
    assert_int_equal(fault.outcome, HONE_TIMED_OUT);
    assert_int_equal(fake_setting("hung"), 1); // it would end after a second
    dev->fns->unload(dev, other);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static long fake_setting(const char *key)
{
    fake_cuda_whole *whole = NULL;
    void *library = dlopen(FAKE_LIBCUDA, RTLD_NOW | RTLD_NOLOAD);
    fake_find(library, "fake_cuda_whole", &whole);
    dlclose(library);
    return whole(key);
}

// Codes that nobody foresaw: of a virtual GPU, of a sandbox, of a context that is lost.
static void a_gpu_that_does_not_forget_lines_is_timed(void **state)
{
    (void)state;
    static const char *const configs[] = {
        "kernel_us=20,overhead_us=0,forget=800", "kernel_us=20,overhead_us=0,forget=801",
        "kernel_us=20,overhead_us=0,forget=304", "kernel_us=20,overhead_us=0,forget=999",
        "kernel_us=20,overhead_us=0,forget=1"};
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        assert_true(fabs(time_on(configs[i]).time_us - 20) < 0.01);
        const char *told = strstr(warnings, "cuCtxResetPersistingL2Cache");
        assert_int_equal(told != NULL, !strstr(configs[i], "=801"));
        if (told) assert_null(strstr(told + 1, "cuCtxResetPersistingL2Cache")); // once
    }
}

// Without a buffer that is whole there is no flush, also the next time.
static void a_flush_that_was_not_prepared_is_not_used(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_timing timing;
    struct hone_device *dev = fake_open("kernel_us=20,cold_us=2,overhead_us=0", &module);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fake.adjust("set=1"), 0);
        assert_int_equal(dev->fns->time(dev, module, &one_block,
                                        &hone_time_policy_default, &timing, &fault, &err),
                         HONE_EDEVICE);
        assert_non_null(strstr(err.text, "the flush buffer"));
        err = (struct hone_error){0};
    }
    assert_int_equal(fake.adjust("set=0"), 0);
    assert_ok(dev->fns->time(dev, module, &one_block, &hone_time_policy_default, &timing,
                             &fault, &err),
              err);
    assert_true(fabs(timing.time_us - 22) < 0.01);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
    assert_int_equal(fake.live(), 0);
}

static void no_part_of_l2_is_set_aside(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    assert_int_equal(fake.configure("set_aside=31457280"), 0);
    assert_int_equal(fake_setting("set_aside"), 31457280);
    struct hone_device *dev = fake_open("set_aside=31457280", &module);
    assert_int_equal(fake_setting("set_aside"), 0);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void as_much_of_l2_is_set_aside_as_is_asked_for(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_error err = {0};
    struct hone_device *dev = fake_open("cc=90", &module);
    assert_ok(dev->fns->set_aside(dev, 4 << 20, &err), err);
    assert_int_equal(fake_setting("set_aside"), 4 << 20);
    assert_int_equal(dev->fns->set_aside(dev, 1 << 30, &err), HONE_EUNSUPPORTED);
    assert_non_null(strstr(err.text, "cuda:0 can set aside 47185920 bytes of L2"));
    assert_int_equal(fake_setting("set_aside"), 4 << 20);
    assert_ok(dev->fns->set_aside(dev, 0, &err), err);
    assert_int_equal(fake_setting("set_aside"), 0);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void a_gpu_without_such_a_part_of_l2_refuses_it(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_error err = {0};
    struct hone_device *dev = fake_open("cc=75", &module);
    assert_ok(dev->fns->set_aside(dev, 0, &err), err);
    assert_int_equal(dev->fns->set_aside(dev, 1, &err), HONE_EUNSUPPORTED);
    assert_non_null(strstr(err.text, "can set aside 0 bytes of L2, l2_set_aside of the "
                                     "kernel asks for 1"));
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

// From cubins, since nothing compiles the PTX of the device's own kernels.
static void a_driver_without_jit_library_times_alike(void **state)
{
    (void)state;
    const struct hone_timing timing =
        time_on("jit=0,kernel_us=20,write_back_us=15,profiler=1");
    assert_int_equal(timing.clock, HONE_CLOCK_CUPTI);
    assert_true(fabs(timing.time_us - 20) < 0.01);
    assert_string_equal(warnings, "");
}

static void without_nvrtc_own_kernels_come_as_ptx(void **state)
{
    (void)state;
    setenv("HONE_NVRTC", "/nowhere/libnvrtc.so", 1);
    const struct hone_timing timing = time_on("kernel_us=20,write_back_us=15,profiler=1");
    assert_int_equal(timing.clock, HONE_CLOCK_CUPTI);
    assert_true(fabs(timing.time_us - 20) < 0.01);
    setenv("HONE_NVRTC", FAKE_NVRTC, 1);
}

// Events, no raised clocks and the write-back of the flush: each is told.
static void without_both_it_is_said_what_is_missing(void **state)
{
    (void)state;
    setenv("HONE_NVRTC", "/nowhere/libnvrtc.so", 1);
    const struct hone_timing timing =
        time_on("jit=0,kernel_us=20,write_back_us=15,overhead_us=0,profiler=1");
    assert_int_equal(timing.clock, HONE_CLOCK_EVENT);
    assert_true(fabs(timing.time_us - 35) < 0.01);
    const char *const parts[] = {
        "clocks are not raised", "CUPTI is not tried", "write-back",
        "/nowhere/libnvrtc.so",  "JIT_COMPILER",       "timed with events"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(warnings, parts[i]))
            fail_msg("'%s' is not in: %s", parts[i], warnings);
    setenv("HONE_NVRTC", FAKE_NVRTC, 1);
}

// The reader's PTX on an emulated GPU: its sink tells of any word that is not zero.
static bool is_seen(struct hone_device *emu, struct hone_module *reader,
                    hone_devptr words, uint32_t count, hone_devptr sink)
{
    struct hone_error err = {0};
    struct hone_fault fault;
    uint32_t seen = 0;
    const struct hone_launch launch = {
        .grid = {3, 1, 1},
        .block = {64, 1, 1},
        .params = (const void *[]){&words, &count, &sink},
        .param_sizes = (size_t[]){sizeof words, sizeof count, sizeof sink},
        .param_count = 3,
    };
    assert_ok(emu->fns->fill(emu, sink, 0, sizeof seen, &err), err);
    assert_ok(emu->fns->launch(emu, reader, &launch, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_ok(emu->fns->copy(emu, HONE_TO_HOST, sink, &seen, sizeof seen, &err), err);
    return seen != 0;
}

static void the_reader_reads_every_word(void **state)
{
    (void)state;
    enum { WORDS = 1000, BYTES = 16 * WORDS };
    static const uint32_t one = 1;
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_device *emu = NULL;
    struct hone_module *reader = NULL;
    hone_devptr words = 0, sink = 0;
    const struct hone_build build = {.outcome = HONE_VALID,
                                     .ptx = (const char *)hone_own_ptx,
                                     .ptx_size = hone_own_ptx_size};
    assert_ok(hone_device_open(&emu, "emu:h200", &err), err);
    assert_ok(emu->fns->load(emu, &build, "hone_read", &reader, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_ok(emu->fns->alloc(emu, BYTES, &words, &err), err);
    assert_ok(emu->fns->alloc(emu, sizeof one, &sink, &err), err);
    assert_ok(emu->fns->fill(emu, words, 0, BYTES, &err), err);
    assert_false(is_seen(emu, reader, words, WORDS, sink));
    for (size_t at = 0; at < BYTES; at += 4 * 61) {
        void *word = (void *)(uintptr_t)&one;
        assert_ok(emu->fns->copy(emu, HONE_TO_DEVICE, words + at, word, 4, &err), err);
        assert_true(is_seen(emu, reader, words, WORDS, sink));
        assert_false(is_seen(emu, reader, words, (uint32_t)(at / 16), sink));
        assert_ok(emu->fns->fill(emu, words + at, 0, 4, &err), err);
    }
    emu->fns->free(emu, words);
    emu->fns->free(emu, sink);
    emu->fns->unload(emu, reader);
    hone_device_close(emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_cold_launch_finds_no_line_that_was_written_to),
    cmocka_unit_test(a_short_kernel_has_its_warm_time_as_well),
    cmocka_unit_test(lines_that_a_kernel_keeps_are_cold_as_well),
    cmocka_unit_test(a_wait_that_was_too_long_is_the_last),
    cmocka_unit_test(a_gpu_that_does_not_forget_lines_is_timed),
    cmocka_unit_test(a_flush_that_was_not_prepared_is_not_used),
    cmocka_unit_test(no_part_of_l2_is_set_aside),
    cmocka_unit_test(as_much_of_l2_is_set_aside_as_is_asked_for),
    cmocka_unit_test(a_gpu_without_such_a_part_of_l2_refuses_it),
    cmocka_unit_test(a_driver_without_jit_library_times_alike),
    cmocka_unit_test(without_nvrtc_own_kernels_come_as_ptx),
    cmocka_unit_test(without_both_it_is_said_what_is_missing),
    cmocka_unit_test(the_reader_reads_every_word),
};
HONE_TEST_MAIN(tests)
