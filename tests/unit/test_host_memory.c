// Memory of kernels ends at what the GPU has and at a share of what this machine has.
#include "hone_test.h"

#include <string.h>

#include "base/host_memory.h"
#include "device/emu.h"
#include "hone/device.h"

static const uint64_t gib = UINT64_C(1) << 30;

static void a_share_or_a_size_is_taken(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } rows[] = {{"50%", 500},
                {"100%", 1000},
                {"0.5%", 5},
                {"7", 7},
                {"2K", 2048},
                {"1.5M", 1572864},
                {"3G", UINT64_C(3) << 30},
                {"1T", UINT64_C(1) << 40}};
    static const char *const bad[] = {"",    "much",  "%",   "-1",  "5X",   "5%%",
                                      "5GB", "1e300", "nan", "inf", "0x10", " 5"};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t bytes = 0;
        assert_int_equal(hone_host_memory_parse(&bytes, rows[i].text, 1000, NULL),
                         HONE_OK);
        assert_int_equal(bytes, rows[i].bytes);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t bytes;
        struct hone_error err = {0};
        if (hone_host_memory_parse(&bytes, bad[i], 1000, &err) != HONE_EUSAGE)
            fail_msg("'%s' was taken", bad[i]);
        assert_non_null(strstr(err.text, bad[i]));
    }
}

static void claims_end_at_the_limit(void **state)
{
    struct hone_error err = {0};
    (void)state;
    assert_true(hone_host_memory_total() > 0);
    hone_host_memory_limit(100);
    assert_int_equal(hone_host_memory_claim(60, "for a test", NULL), HONE_OK);
    assert_int_equal(hone_host_memory_claim(41, "for a test", &err), HONE_ELIMIT);
    assert_memory_equal(err.text,
                        "41 bytes of this machine's memory for a test, 60 of "
                        "100 are in use: HONE_HOST_MEMORY",
                        80);
    assert_int_equal(hone_host_memory_claim(UINT64_MAX, "for a test", NULL), HONE_ELIMIT);
    assert_int_equal(hone_host_memory_claim(40, "for a test", NULL), HONE_OK);
    hone_host_memory_release(100);
    assert_int_equal(hone_host_memory_claim(100, "for a test", NULL), HONE_OK);
    hone_host_memory_release(100);
    assert_int_equal(hone_host_memory_claim(20, "for a test", NULL), HONE_OK);
    assert_int_equal(hone_host_memory_claim_spare(6, "for a test", NULL), HONE_ELIMIT);
    assert_int_equal(hone_host_memory_claim_spare(5, "for a test", NULL), HONE_OK);
    hone_host_memory_release(25);
    hone_host_memory_limit(0);
}

static struct hone_device *open_device(const char *name)
{
    struct hone_device *dev = NULL;
    struct hone_error err = {0};
    assert_ok(hone_device_open(&dev, name, &err), err);
    return dev;
}

// An A100 has 80 GB: all allocations together, here of pages that nobody touches.
static void a_device_has_no_more_than_its_gpu(void **state)
{
    struct hone_error err = {0};
    hone_devptr a = 0, b = 0;
    (void)state;
    hone_host_memory_limit(UINT64_C(1) << 50);
    struct hone_device *dev = open_device("emu:a100");
    const uint64_t all = (uint64_t)dev->limits.memory_bytes;
    assert_true(all > 60 * gib && all < 100 * gib);
    assert_int_equal(dev->fns->alloc(dev, 256 * gib, &a, &err), HONE_ELIMIT);
    assert_non_null(strstr(err.text, "274877906944 bytes of device memory, the GPU has"));
    assert_ok(dev->fns->alloc(dev, all - 4096, &a, &err), err);
    assert_int_equal(dev->fns->alloc(dev, 4097, &b, NULL), HONE_ELIMIT);
    assert_ok(dev->fns->alloc(dev, 4096, &b, &err), err);
    dev->fns->free(dev, a);
    assert_ok(dev->fns->alloc(dev, all / 2, &a, &err), err);
    hone_device_close(dev);
    assert_int_equal(hone_host_memory_claim(UINT64_C(1) << 50, "", NULL), HONE_OK);
    hone_host_memory_release(UINT64_C(1) << 50);
    hone_host_memory_limit(0);
}

static void devices_share_what_the_machine_has(void **state)
{
    struct hone_error err = {0};
    hone_devptr a = 0, b = 0;
    (void)state;
    hone_host_memory_limit(gib);
    struct hone_device *one = open_device("emu:a100"), *two = open_device("emu:h200");
    assert_ok(one->fns->alloc(one, gib / 2, &a, &err), err);
    assert_int_equal(two->fns->alloc(two, gib / 2 + 1, &b, &err), HONE_ELIMIT);
    assert_non_null(strstr(err.text, "this machine's memory for device memory"));
    one->fns->free(one, a);
    assert_int_equal(two->fns->alloc(two, gib / 2 + 1, &b, NULL), HONE_OK);
    hone_device_close(one);
    hone_device_close(two);
    hone_host_memory_limit(0);
}

// A module's own variables are device memory like any other.
static void a_module_that_does_not_fit_is_rejected(void **state)
{
    static const char ptx[] = ".version 9.0\n.target sm_90\n.address_size 64\n"
                              ".global .align 4 .b8 big[16777216];\n"
                              ".visible .entry k() {\nret;\n}\n";
    const struct hone_build build = {.ptx = ptx, .ptx_size = sizeof ptx - 1};
    struct hone_fault fault = {0};
    struct hone_module *module = NULL;
    struct hone_error err = {0};
    (void)state;
    hone_host_memory_limit(1 << 20);
    struct hone_device *dev = open_device("emu:a100");
    assert_ok(dev->fns->load(dev, &build, "k", &module, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_REJECTED);
    assert_non_null(strstr(fault.reason,
                           "16777216 bytes of this machine's memory for device memory"));
    hone_device_close(dev);
    hone_host_memory_limit(0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_share_or_a_size_is_taken),
    cmocka_unit_test(claims_end_at_the_limit),
    cmocka_unit_test(a_device_has_no_more_than_its_gpu),
    cmocka_unit_test(devices_share_what_the_machine_has),
    cmocka_unit_test(a_module_that_does_not_fit_is_rejected),
};
HONE_TEST_MAIN(tests)
