// Devices: opening by name, listing, limits, on the fake driver.
#include <pthread.h>
#include <sys/wait.h>

#include "hone_test.h"

#include "base/log.h"
#include "cuda_driver.h"
#include "cuda_limits.h"
#include "device/gpu_table.h"
#include "fake/fake_use.h"

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
        {"h100",
         "there is no device 'h100'; did you mean 'emu:h100', which is emulated? there "
         "are auto",
         HONE_EUSAGE},
        {"H100", "did you mean 'emu:h100', which is emulated?", HONE_EUSAGE},
        {"EMU:A100", "did you mean 'emu:a100', which is emulated?", HONE_EUSAGE},
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
    cmocka_unit_test(listing_shows_each_gpu),
};
HONE_TEST_MAIN(tests)
