// The cuda device's own code run on the fake driver: memory, launches, every kind of
// fault.
#include <pthread.h>
#include <sys/wait.h>

#include "hone_test.h"

#include "base/log.h"
#include "cuda_driver.h"
#include "cuda_limits.h"
#include "device/gpu_table.h"
#include "fake/fake_use.h"

static const struct hone_launch one_block = {.grid = {1, 1, 1}, .block = {32, 1, 1}};

static void memory_keeps_what_is_copied_and_filled(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_error err = {0};
    struct hone_device *dev = fake_open("", &module);
    hone_devptr ptr = 0;
    unsigned char in[1000], out[1000];
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)(i * 7);
    assert_ok(dev->fns->alloc(dev, sizeof in, &ptr, &err), err);
    assert_int_equal(ptr % 256, 0);
    assert_ok(dev->fns->copy(dev, HONE_TO_DEVICE, ptr, in, sizeof in, &err), err);
    assert_ok(dev->fns->fill(dev, ptr + 100, 0xff, 50, &err), err);
    assert_ok(dev->fns->copy(dev, HONE_TO_HOST, ptr, out, sizeof out, &err), err);
    memset(in + 100, 0xff, 50);
    assert_memory_equal(in, out, sizeof in);
    assert_ok(dev->fns->copy(dev, HONE_TO_HOST, ptr, out, 0, &err), err);
    assert_int_equal(dev->fns->copy(dev, HONE_TO_HOST, ptr + 1, out, sizeof out, &err),
                     HONE_EDEVICE);
    assert_string_equal(err.text, "cuda:0: copying from the device failed: "
                                  "CUDA_ERROR_INVALID_VALUE (1): invalid argument");
    dev->fns->free(dev, ptr);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
    assert_int_equal(fake.live(), 0);
}

static void memory_that_does_not_fit_is_a_limit(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_error err = {0};
    struct hone_device *dev = fake_open("memory=1e6", &module);
    hone_devptr ptr = 0;
    assert_int_equal(dev->fns->alloc(dev, 2000000, &ptr, &err), HONE_ELIMIT);
    assert_string_equal(err.text, "cuda:0 has no room for 2000000 bytes");
    err = (struct hone_error){0};
    assert_ok(dev->fns->alloc(dev, 1000, &ptr, &err), err);
    dev->fns->free(dev, ptr);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static int sum_of_launch;

static void add_arguments(const struct fake_cuda_launch *launch)
{
    sum_of_launch = *(int *)launch->params[0] + *(int *)launch->params[1] +
                    (int)launch->grid[1] + (int)launch->block[2] +
                    (int)launch->shared_bytes;
}

static void launch_passes_arguments_and_geometry(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_fault fault;
    struct hone_error err = {0};
    struct hone_device *dev = fake_open("", &module);
    const int a = 1000, b = 2000;
    const void *params[] = {&a, &b};
    const size_t sizes[] = {sizeof a, sizeof b};
    const struct hone_launch launch = {.grid = {2, 3, 4},
                                       .block = {8, 4, 5},
                                       .shared_bytes = 64,
                                       .params = params,
                                       .param_sizes = sizes,
                                       .param_count = 2};
    fake.body("k", add_arguments);
    assert_ok(dev->fns->launch(dev, module, &launch, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_int_equal(sum_of_launch, 3000 + 3 + 5 + 64);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void large_shared_memory_is_opted_in_to(void **state)
{
    (void)state;
    const struct {
        const char *config;
        uint32_t bytes;
        enum hone_outcome outcome;
    } cases[] = {
        {"", 48 * 1024, HONE_VALID},
        {"", 48 * 1024 + 1, HONE_VALID},
        {"", 232448, HONE_VALID},
        {"", 232449, HONE_LAUNCH_FAILED},
        {"static_shared=20000", 30000, HONE_VALID},
        {"static_shared=20000", 232448 - 20000, HONE_VALID},
        {"static_shared=20000", 232448 - 19999, HONE_LAUNCH_FAILED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_module *module = NULL;
        struct hone_fault fault;
        struct hone_error err = {0};
        struct hone_device *dev = fake_open(cases[i].config, &module);
        struct hone_launch launch = one_block;
        launch.shared_bytes = cases[i].bytes;
        assert_ok(dev->fns->launch(dev, module, &launch, &fault, &err), err);
        assert_int_equal(fault.outcome, cases[i].outcome);
        assert_false(fault.sticky);
        assert_ok(dev->fns->launch(dev, module, &one_block, &fault, &err), err);
        assert_int_equal(fault.outcome, HONE_VALID); // a refused launch harms nothing
        dev->fns->unload(dev, module);
        hone_device_close(dev);
    }
}

static void faults_that_harm_nothing_leave_the_device_usable(void **state)
{
    (void)state;
    const int codes[] = {1, 701, 720, 912};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char config[32];
        snprintf(config, sizeof config, "fault=%d@2", codes[i]);
        struct hone_module *module = NULL;
        struct hone_fault fault;
        struct hone_error err = {0};
        struct hone_device *dev = fake_open(config, &module);
        for (int launch = 1; launch <= 3; launch++) {
            assert_ok(dev->fns->launch(dev, module, &one_block, &fault, &err), err);
            const enum hone_outcome failed =
                codes[i] < 720 ? HONE_LAUNCH_FAILED : HONE_REJECTED;
            assert_int_equal(fault.outcome, launch == 2 ? failed : HONE_VALID);
            assert_false(fault.sticky);
        }
        dev->fns->unload(dev, module);
        hone_device_close(dev);
        assert_int_equal(fake.live(), 0);
    }
}

static void sticky_faults_end_the_device(void **state)
{
    (void)state;
    const int codes[] = {214, 700, 702, 710, 714, 715, 716,
                         717, 718, 719, 721, 810, 999, 4711};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char config[32];
        snprintf(config, sizeof config, "fault=%d@1", codes[i]);
        struct hone_module *module = NULL;
        struct hone_fault fault;
        struct hone_error err = {0};
        struct hone_device *dev = fake_open(config, &module);
        assert_ok(dev->fns->launch(dev, module, &one_block, &fault, &err), err);
        assert_int_equal(fault.outcome, codes[i] == 702 ? HONE_TIMED_OUT : HONE_CRASHED);
        assert_true(fault.sticky);
        assert_int_equal(dev->fns->launch(dev, module, &one_block, &fault, &err),
                         HONE_EDEVICE);
        assert_non_null(strstr(err.text, "cuda:0 is lost after: "));
        hone_devptr ptr = 0;
        assert_int_equal(dev->fns->alloc(dev, 1, &ptr, NULL), HONE_EDEVICE);
        dev->fns->unload(dev, module);
        hone_device_close(dev);
    }
}

static void fault_says_what_cuda_says(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_fault fault;
    struct hone_error err = {0};
    struct hone_device *dev = fake_open("fault=700@1", &module);
    assert_ok(dev->fns->launch(dev, module, &one_block, &fault, &err), err);
    assert_string_equal(fault.reason, "CUDA_ERROR_ILLEGAL_ADDRESS (700): "
                                      "an illegal memory access was encountered");
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void kernel_that_never_ends_is_given_up(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_fault fault;
    struct hone_error err = {0};
    struct hone_device *dev = fake_open("hang=2", &module);
    struct hone_launch launch = one_block;
    launch.deadline_s = 0.02;
    assert_ok(dev->fns->launch(dev, module, &launch, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_ok(dev->fns->launch(dev, module, &launch, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_TIMED_OUT);
    assert_true(fault.sticky);
    assert_string_equal(fault.reason,
                        "still running after 0.02 s, the deadline of a launch");
    dev->fns->free(dev,
                   256); // none of these may wait for the kernel: the fake would abort
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void unusable_builds_are_faults(void **state)
{
    (void)state;
    struct hone_module *module = NULL, *other = NULL;
    struct hone_fault fault;
    struct hone_error err = {0};
    struct hone_device *dev = fake_open("", &module);
    struct hone_build build = {.outcome = HONE_VALID, .ptx = "no ptx"};
    assert_ok(dev->fns->load(dev, &build, "k", &other, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
    assert_non_null(strstr(fault.reason, ": ptxas fatal: missing .version directive"));
    assert_null(strchr(fault.reason, '\n'));
    build.cubin = "\177ELF and more"; // preferred to the PTX
    assert_ok(dev->fns->load(dev, &build, "k", &other, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_VALID);
    dev->fns->unload(dev, other);
    char ptx[128];
    build = fake_build(ptx, sizeof ptx, "k");
    assert_ok(dev->fns->load(dev, &build, "missing", &other, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
    assert_non_null(strstr(fault.reason, "CUDA_ERROR_NOT_FOUND (500)"));
    dev->fns->unload(dev, module);
    dev->fns->unload(dev, NULL);
    hone_device_close(dev);
    hone_device_close(NULL);
    assert_int_equal(fake.live(), 0);
}

static void two_devices_work_side_by_side(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_device *first = fake_open("devices=2", &module), *second = NULL;
    struct hone_fault fault;
    struct hone_error err = {0};
    assert_ok(hone_device_open(&second, "cuda:1", &err), err);
    hone_device_close(second);
    assert_ok(first->fns->launch(first, module, &one_block, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_VALID);
    first->fns->unload(first, module);
    hone_device_close(first);
    assert_int_equal(fake.live(), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_keeps_what_is_copied_and_filled),
    cmocka_unit_test(memory_that_does_not_fit_is_a_limit),
    cmocka_unit_test(launch_passes_arguments_and_geometry),
    cmocka_unit_test(large_shared_memory_is_opted_in_to),
    cmocka_unit_test(faults_that_harm_nothing_leave_the_device_usable),
    cmocka_unit_test(sticky_faults_end_the_device),
    cmocka_unit_test(fault_says_what_cuda_says),
    cmocka_unit_test(kernel_that_never_ends_is_given_up),
    cmocka_unit_test(unusable_builds_are_faults),
    cmocka_unit_test(two_devices_work_side_by_side),
};
HONE_TEST_MAIN(tests)
