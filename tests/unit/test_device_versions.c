// A driver that is older than NVRTC, on the fakes: what is built may not load there.
#include <string.h>
#include <sys/stat.h>

#include "hone_test.h"

#include "base/file.h"
#include "base/log.h"
#include "fake/fake_use.h"

static char warnings[4096];

static void keep_warnings(void *context, enum hone_log_level level, const char *line)
{
    (void)context;
    const size_t len = strlen(warnings);
    if (level == HONE_LOG_WARNING)
        snprintf(warnings + len, sizeof warnings - len, "%s\n", line);
}

// What NVRTC of CUDA 13.0 makes of the kernel "k".
static const char ptx[] = "// k\n.version 9.0\n.target sm_90a\n.visible .entry k()\n";
static const char cubin[] =
    "// k\n.version 9.0\n.target sm_90a\n.visible .entry k()\n// cubin of CUDA 13.0\n";
static const struct hone_build of_thirteen = {.outcome = HONE_VALID,
                                              .ptx = ptx,
                                              .ptx_size = sizeof ptx - 1,
                                              .cubin = cubin,
                                              .cubin_size = sizeof cubin};

// Loads "k" twice, and keeps the warnings.
static struct hone_fault load_twice(const char *config)
{
    struct hone_error err = {0};
    struct hone_fault fault = {.outcome = HONE_VALID};
    struct hone_device *dev = NULL;
    warnings[0] = '\0';
    hone_log_set(keep_warnings, NULL);
    assert_int_equal(fake.configure(config), 0);
    assert_ok(hone_device_open(&dev, "cuda:0", &err), err);
    for (int i = 0; i < 2; i++) {
        struct hone_module *module = NULL;
        assert_ok(dev->fns->load(dev, &of_thirteen, "k", &module, &fault, &err), err);
        if (module) dev->fns->unload(dev, module);
    }
    hone_device_close(dev);
    hone_log_set(NULL, NULL);
    assert_int_equal(fake.live(), 0);
    return fault;
}

static void expect_parts(const char *text, const char *const parts[4])
{
    for (size_t i = 0; i < 4; i++)
        if (!strstr(text, parts[i])) fail_msg("'%s' is not in: %s", parts[i], text);
}

static const char *const refusals[] = {
    "driver=12040,too_new=200", "driver=12040,too_new=209", "driver=12040,too_new=222"};

static void a_cubin_that_is_too_new_is_loaded_as_ptx(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const struct hone_fault fault = load_twice(refusals[i]);
        if (fault.outcome != HONE_VALID) fail_msg("%s: %s", refusals[i], fault.reason);
        const char *const parts[4] = {"cubins of CUDA 13 do not load", "CUDA 12.4",
                                      "compiles their PTX", "cuda:0"};
        expect_parts(warnings, parts);
        const char *first = strstr(warnings, "cubins of");
        assert_null(strstr(first + 1, "cubins of")); // once
    }
}

static void without_a_way_out_both_versions_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char config[64];
        snprintf(config, sizeof config, "%s,jit=0", refusals[i]);
        const struct hone_fault fault = load_twice(config);
        assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
        assert_false(fault.sticky);
        const char *const parts[4] = {"CUDA_ERROR_", "NVRTC of CUDA 13 built it",
                                      "the driver takes CUDA 12.4", "cuda-compat-13-0"};
        expect_parts(fault.reason, parts);
    }
}

// An instruction that only the newest PTX has.
static void what_the_drivers_compiler_refuses_is_told(void **state)
{
    (void)state;
    static const char text[] = "// k\n.version 9.0\n.target sm_90a\n.visible .entry k()\n"
                               "{ .newest; }\n// cubin of CUDA 13.0\n";
    struct hone_build build = of_thirteen;
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_device *dev = NULL;
    struct hone_module *module = NULL;
    char only_ptx[sizeof text];
    snprintf(only_ptx, sizeof only_ptx, "%.*s", (int)(strstr(text, "// cubin") - text),
             text);
    build.ptx = only_ptx;
    build.ptx_size = strlen(only_ptx);
    build.cubin = text;
    build.cubin_size = sizeof text;
    assert_int_equal(fake.configure("driver=12040,too_new=209"), 0);
    assert_ok(hone_device_open(&dev, "cuda:0", &err), err);
    assert_ok(dev->fns->load(dev, &build, "k", &module, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
    const char *const parts[4] = {"NVRTC of CUDA 13 built it", "CUDA 12.4",
                                  "Instruction 'newest' requires PTX ISA .version 9.0",
                                  "its PTX"};
    expect_parts(fault.reason, parts);
    hone_device_close(dev);
}

static void a_driver_of_the_same_major_version_loads_cubins(void **state)
{
    (void)state;
    const char *const configs[] = {"driver=13000", "driver=13010", "driver=13000,jit=0"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(load_twice(configs[i]).outcome, HONE_VALID);
        assert_null(strstr(warnings, "cubins of"));
    }
}

// Two versions of NVRTC on one machine, the driver's in $CUDA_HOME alone.
static void nvrtc_of_the_drivers_version_is_preferred(void **state)
{
    (void)state;
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    char home[] = "/tmp/hone_versions_XXXXXX", folder[64], path[96];
    char *library = NULL;
    size_t size = 0;
    assert_non_null(mkdtemp(home));
    snprintf(folder, sizeof folder, "%s/lib64", home);
    snprintf(path, sizeof path, "%s/libnvrtc.so.12", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_ok(hone_file_read(&library, &size, FAKE_NVRTC, &err), err);
    assert_ok(hone_file_write(path, library, size, &err), err);
    snprintf(path, sizeof path, "%s/libnvrtc.so.13", folder);
    assert_ok(hone_file_write(path, library, size, &err), err);
    free(library);
    setenv("CUDA_HOME", home, 1);
    unsetenv("HONE_NVRTC");
    struct hone_builder_options options = {.cache_folder = "", .threads = 1};
    options.for_driver = 12040;
    assert_ok(hone_builder_new(&builder, &options, &err), err);
    assert_memory_equal(hone_builder_version(builder), "12.", 3);
    hone_builder_free(builder);
    options.for_driver = 13000;
    assert_ok(hone_builder_new(&builder, &options, &err), err);
    assert_memory_equal(hone_builder_version(builder), "13.", 3);
    hone_builder_free(builder);
    setenv("HONE_NVRTC", FAKE_NVRTC, 1);
    unlink(path);
    snprintf(path, sizeof path, "%s/libnvrtc.so.12", folder);
    unlink(path);
    rmdir(folder);
    rmdir(home);
}

// The one that was named is taken, with a warning.
static void an_nvrtc_that_is_too_new_is_warned_of(void **state)
{
    (void)state;
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options options = {
        .cache_folder = "", .threads = 1, .for_driver = 12040};
    warnings[0] = '\0';
    hone_log_set(keep_warnings, NULL);
    assert_ok(hone_builder_new(&builder, &options, &err), err);
    hone_log_set(NULL, NULL);
    assert_string_equal(hone_builder_version(builder), "13.0");
    hone_builder_free(builder);
    const char *const parts[4] = {"NVRTC 13.0", "CUDA 12.4", "nvidia-cuda-nvrtc-cu12",
                                  "cuda-compat-13-0"};
    expect_parts(warnings, parts);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_nvrtc_that_is_too_new_is_warned_of), // first: said once a process
    cmocka_unit_test(a_cubin_that_is_too_new_is_loaded_as_ptx),
    cmocka_unit_test(without_a_way_out_both_versions_are_named),
    cmocka_unit_test(what_the_drivers_compiler_refuses_is_told),
    cmocka_unit_test(a_driver_of_the_same_major_version_loads_cubins),
    cmocka_unit_test(nvrtc_of_the_drivers_version_is_preferred),
};
HONE_TEST_MAIN(tests)
