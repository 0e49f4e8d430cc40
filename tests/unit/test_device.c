// Devices: opening by name, and the cuda device's own code run on the fake driver, with
// every kind of fault.
#include <pthread.h>
#include <sys/wait.h>

#include "hone_test.h"

#include "base/log.h"
#include "cuda_driver.h"
#include "cuda_limits.h"
#include "device/gpu_table.h"
#include "fake/fake_use.h"

static const struct hone_launch one_block = {.grid = {1, 1, 1}, .block = {32, 1, 1}};

// Runs check in a process of its own: the driver is opened once a process. True when it
// passes.
static bool passes_alone(bool (*check)(void))
{
    pid_t child = fork();
    if (child == 0) _exit(check() ? 0 : 1);
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static bool cuda_needs_a_driver(void)
{
    setenv("HONE_LIBCUDA", "/nowhere/libcuda.so.1", 1);
    struct hone_error err = {0};
    struct hone_device *dev = NULL;
    return hone_device_open(&dev, "cuda:0", &err) == HONE_ENODEVICE &&
           strstr(err.text, "cannot open the CUDA driver '/nowhere/libcuda.so.1'");
}

static void count_missing(void *context, const struct hone_device_listing *listing)
{
    int *missing = context;
    if (strcmp(listing->id, "cuda:0") != 0) return;
    *missing +=
        !listing->available && !listing->limits && strstr(listing->why_not, "no GPU");
}

static bool listing_says_why_cuda_is_missing(void)
{
    int missing = 0;
    fake.configure("devices=0");
    hone_device_list(count_missing, &missing);
    return missing == 1;
}

static bool auto_is_emulated(void)
{
    setenv("HONE_LIBCUDA", "/nowhere/libcuda.so.1", 1);
    struct hone_error err = {0};
    struct hone_device *dev = NULL;
    struct hone_limits limits;
    if (hone_device_open(&dev, "auto", &err) != HONE_OK) return false;
    bool right = strcmp(dev->id, "emu:h200") == 0 && dev->clock == HONE_CLOCK_EMULATED;
    hone_device_close(dev);
    return right && hone_device_limits(&limits, "auto", &err) == HONE_OK;
}

static void auto_is_an_emulated_gpu_without_a_driver(void **state)
{
    (void)state;
    assert_true(passes_alone(auto_is_emulated));
}

static void missing_driver_is_an_answer(void **state)
{
    (void)state;
    assert_true(passes_alone(cuda_needs_a_driver));
    assert_true(passes_alone(listing_says_why_cuda_is_missing));
}

// What opening the fake says when it is configured like this.
static struct hone_error driver_error(const char *config)
{
    struct hone_error err = {0};
    struct hone_cuda_driver driver;
    fake.configure(config);
    if (hone_cuda_driver_open(&driver, FAKE_LIBCUDA, &err) == HONE_OK)
        hone_cuda_driver_close(&driver);
    return err;
}

static void each_way_of_having_no_gpu_is_told(void **state)
{
    (void)state;
    const struct {
        const char *config, *text;
    } cases[] = {
        {"devices=0", "the NVIDIA driver finds no GPU"},
        {"init=100", "the NVIDIA driver finds no GPU"},
        {"init=803", "of different versions"},
        {"init=999", "does not start"},
        {"stub=1", "is the toolkit's stub: no NVIDIA driver on this machine"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_error err = driver_error(cases[i].config);
        assert_int_equal(err.code, HONE_ENODEVICE);
        assert_non_null(strstr(err.text, cases[i].text));
    }
    struct hone_error err = {0};
    struct hone_cuda_driver driver;
    assert_int_equal(hone_cuda_driver_open(&driver, "libm.so.6", &err), HONE_ENODEVICE);
    assert_non_null(strstr(err.text, "lacks cuGetProcAddress_v2"));
    assert_int_equal(driver_error("devices=1").code, HONE_OK);
}

static void missing_libcuda_is_told_plainly(void **state)
{
    (void)state;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library) dlclose(library);
    if (library) SKIP("this machine has a libcuda.so.1");
    struct hone_error err = {0};
    struct hone_cuda_driver driver;
    assert_int_equal(hone_cuda_driver_open(&driver, "libcuda.so.1", &err),
                     HONE_ENODEVICE);
    assert_string_equal(err.text,
                        "libcuda.so.1 not found: no NVIDIA driver on this machine");
}

static void *get_driver(void *unused)
{
    (void)unused;
    union {
        const void *in;
        void *out;
    } driver = {.in = hone_cuda_driver_get(NULL)};
    return driver.out;
}

static void driver_is_opened_once_by_any_thread(void **state)
{
    (void)state;
    pthread_t threads[8];
    fake.configure("");
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, get_driver, NULL), 0);
    const struct hone_cuda_driver *first = hone_cuda_driver_get(NULL);
    assert_non_null(first);
    for (int i = 0; i < 8; i++) {
        void *driver = NULL;
        assert_int_equal(pthread_join(threads[i], &driver), 0);
        assert_ptr_equal(driver, first);
    }
}

static void limits_are_what_the_driver_says(void **state)
{
    (void)state;
    struct hone_limits limits;
    struct hone_error err = {0};
    fake.configure("memory=7e9");
    assert_ok(hone_device_limits(&limits, "cuda:0", &err), err);
    assert_string_equal(limits.name, "Fake GPU 0");
    assert_string_equal(limits.arch, "sm_90a");
    assert_int_equal(limits.sm_count, 132);
    assert_int_equal(limits.max_shared_bytes, 232448);
    assert_int_equal(limits.max_registers_per_thread, 255);
    assert_int_equal(limits.memory_bytes, 7000000000);
    assert_int_equal(limits.memory_bandwidth_mbs, 4916736); // 2 x 3201 MHz x 6144 bits
    assert_int_equal(fake.live(), 0);                       // without a context
    for (size_t i = 0; hone_limits_name(i); i++) {
        int64_t value = 0;
        assert_true(hone_limits_get(&limits, hone_limits_name(i), &value));
        if (strcmp(hone_limits_name(i), "cc_minor") != 0) assert_true(value > 0);
    }
}

static void specific_architectures_get_their_suffix(void **state)
{
    (void)state;
    const struct {
        int major, minor;
        const char *arch;
    } cases[] = {{7, 5, "sm_75"},    {8, 0, "sm_80"},    {8, 9, "sm_89"},
                 {9, 0, "sm_90a"},   {10, 0, "sm_100a"}, {10, 3, "sm_103a"},
                 {12, 0, "sm_120a"}, {12, 1, "sm_121a"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char arch[16];
        hone_cuda_arch(arch, cases[i].major, cases[i].minor);
        assert_string_equal(arch, cases[i].arch);
    }
}

static void emulated_gpus_are_built_for_as_real_ones(void **state)
{
    (void)state;
    for (size_t i = 0; hone_gpu_name(i); i++) {
        struct hone_gpu gpu;
        char arch[16];
        assert_true(hone_gpu_find(&gpu, hone_gpu_name(i)));
        hone_cuda_arch(arch, gpu.limits.cc_major, gpu.limits.cc_minor);
        assert_string_equal(gpu.limits.arch, arch);
    }
}

static void open_device_describes_itself(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_device *dev = fake_open("devices=3", &module);
    assert_string_equal(dev->id, "cuda:0");
    assert_string_equal(dev->driver, "580.95.05, CUDA 13.0");
    assert_int_equal(dev->clock, HONE_CLOCK_EVENT);
    assert_string_equal(hone_clock_name(dev->clock), "event");
    assert_string_equal(dev->limits.arch, "sm_90a");
    dev->fns->unload(dev, module);
    hone_device_close(dev);
    struct hone_error err = {0};
    assert_ok(hone_device_open(&dev, "cuda:2", &err), err);
    assert_string_equal(dev->id, "cuda:2");
    hone_device_close(dev);
    assert_ok(hone_device_open(&dev, "auto", &err), err);
    assert_string_equal(dev->id, "cuda:0");
    hone_device_close(dev);
    assert_int_equal(fake.live(), 0);
}

static void wrong_names_are_refused_with_what_exists(void **state)
{
    (void)state;
    const struct {
        const char *name, *text;
        enum hone_status status;
    } cases[] = {
        {"gpu", "there is no device 'gpu'; there are auto, cuda:N, emu:h200",
         HONE_EUSAGE},
        {"emu:abacus", "h200", HONE_EUSAGE},
        {"emu:", "h200", HONE_EUSAGE},
        {"cud", "there is no device 'cud'", HONE_EUSAGE},
        {"metal:0", "there is no device 'metal:0'", HONE_EUSAGE},
        {"", "there is no device ''", HONE_EUSAGE},
        {"cuda:", "the number of a GPU must follow the colon, as in cuda:0", HONE_EUSAGE},
        {"cuda:x", "the number of a GPU must follow", HONE_EUSAGE},
        {"cuda:-1", "the number of a GPU must follow", HONE_EUSAGE},
        {"cuda:1x", "the number of a GPU must follow", HONE_EUSAGE},
        {"cuda:2", "there is no cuda:2: this machine has 2 GPUs, from cuda:0",
         HONE_ENODEVICE},
        {"cuda:99999999999999999999", "this machine has 2 GPUs", HONE_ENODEVICE},
    };
    fake.configure("devices=2");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_error err = {0};
        struct hone_device *dev = NULL;
        struct hone_limits limits;
        assert_int_equal(hone_device_open(&dev, cases[i].name, &err), cases[i].status);
        assert_null(dev);
        if (!strstr(err.text, cases[i].text)) fail_msg("%s: %s", cases[i].name, err.text);
        assert_int_equal(hone_device_limits(&limits, cases[i].name, NULL),
                         cases[i].status);
    }
}

static void names_tell_emulated_devices(void **state)
{
    (void)state;
    assert_true(hone_device_is_emulated("emu:h200"));
    assert_false(hone_device_is_emulated("cuda:0"));
    assert_false(hone_device_is_emulated("auto"));
    assert_true(hone_device_is_emulated("emu"));
    assert_false(hone_device_is_emulated("em"));
    assert_false(hone_device_is_emulated(""));
}

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

struct listed {
    size_t cuda, emulated;
};

static void keep_listing(void *context, const struct hone_device_listing *listing)
{
    struct listed *listed = context;
    char id[64];
    assert_true(listing->available);
    assert_string_equal(listing->why_not, "");
    if (strncmp(listing->id, "cuda:", 5) == 0)
        snprintf(id, sizeof id, "cuda:%zu", listed->cuda++);
    else
        snprintf(id, sizeof id, "emu:%s", hone_gpu_name(listed->emulated++));
    assert_string_equal(listing->id, id);
    assert_true(listing->limits->sm_count > 0);
}

static void listing_shows_each_gpu(void **state)
{
    (void)state;
    struct listed listed = {0};
    fake.configure("devices=3");
    hone_device_list(keep_listing, &listed);
    assert_int_equal(listed.cuda, 3);
    assert_true(listed.emulated > 0);
    assert_null(hone_gpu_name(listed.emulated));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(missing_driver_is_an_answer),
    cmocka_unit_test(auto_is_an_emulated_gpu_without_a_driver),
    cmocka_unit_test(each_way_of_having_no_gpu_is_told),
    cmocka_unit_test(missing_libcuda_is_told_plainly),
    cmocka_unit_test(driver_is_opened_once_by_any_thread),
    cmocka_unit_test(limits_are_what_the_driver_says),
    cmocka_unit_test(specific_architectures_get_their_suffix),
    cmocka_unit_test(emulated_gpus_are_built_for_as_real_ones),
    cmocka_unit_test(open_device_describes_itself),
    cmocka_unit_test(wrong_names_are_refused_with_what_exists),
    cmocka_unit_test(names_tell_emulated_devices),
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
    cmocka_unit_test(listing_shows_each_gpu),
};
HONE_TEST_MAIN(tests)
