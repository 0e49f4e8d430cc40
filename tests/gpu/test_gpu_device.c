// The cuda device on a GPU: memory, launches, shared memory, limits and occupancy.
#include "cuda_internal.h"
#include "gpu/gpu_kit.h"

static void device_describes_a_gpu(void **state)
{
    (void)state;
    struct hone_device *dev = gpu_open_device(HONE_CLOCK_NONE);
    const struct hone_limits *limits = &dev->limits;
    printf("%s, %s, driver %s, clock %s\n", limits->name, limits->arch, dev->driver,
           hone_clock_name(dev->clock));
    for (size_t i = 0; hone_limits_name(i); i++) {
        int64_t value = 0;
        hone_limits_get(limits, hone_limits_name(i), &value);
        printf("  %-24s %lld\n", hone_limits_name(i), (long long)value);
        assert_true(value >= 0);
    }
    assert_in_range(limits->sm_count, 1, 1000);
    assert_int_equal(limits->warp_size, 32);
    assert_true(limits->max_shared_bytes >= 48 * 1024);
    assert_true(limits->memory_bandwidth_mbs > 10000);
    hone_device_close(dev);
}

static void memory_keeps_what_is_copied_and_filled(void **state)
{
    (void)state;
    struct gpu gpu = gpu_open();
    const struct hone_device_fns *fns = gpu.dev->fns;
    struct hone_error err = {0};
    enum { BYTES = 1 << 20 };
    unsigned char *in = malloc(BYTES), *out = malloc(BYTES);
    for (size_t i = 0; i < BYTES; i++)
        in[i] = (unsigned char)(i * 31 + i / 251);
    hone_devptr ptr = gpu_alloc(&gpu, BYTES);
    assert_int_equal(ptr % 256, 0);
    assert_ok(fns->copy(gpu.dev, HONE_TO_DEVICE, ptr, in, BYTES, &err), err);
    assert_ok(fns->fill(gpu.dev, ptr + 4099, 0xab, 1001, &err), err);
    assert_ok(fns->copy(gpu.dev, HONE_TO_HOST, ptr, out, BYTES, &err), err);
    memset(in + 4099, 0xab, 1001);
    assert_memory_equal(in, out, BYTES);
    fns->free(gpu.dev, ptr);
    assert_int_equal(
        fns->alloc(gpu.dev, (size_t)gpu.dev->limits.memory_bytes * 2, &ptr, &err),
        HONE_ELIMIT);
    free(in);
    free(out);
    gpu_close(&gpu);
}

static void launch_computes(void **state)
{
    (void)state;
    struct gpu gpu = gpu_open();
    const struct hone_device_fns *fns = gpu.dev->fns;
    struct hone_error err = {0};
    enum { N = 100003 };
    float *data = malloc(N * sizeof *data);
    for (int i = 0; i < N; i++)
        data[i] = (float)i;
    hone_devptr ptr = gpu_alloc(&gpu, N * sizeof *data);
    assert_ok(fns->copy(gpu.dev, HONE_TO_DEVICE, ptr, data, N * sizeof *data, &err), err);
    struct gpu_kernel k = gpu_load(&gpu, "add_one");
    const int n = N;
    gpu_argument(&k, &ptr, sizeof ptr);
    gpu_argument(&k, &n, sizeof n);
    gpu_shape(&k, (N + 255) / 256, 256, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(gpu_launch(&gpu, &k).outcome, HONE_VALID);
    assert_ok(fns->copy(gpu.dev, HONE_TO_HOST, ptr, data, N * sizeof *data, &err), err);
    for (int i = 0; i < N; i++)
        assert_true(data[i] == (float)(i + 3));
    gpu_unload(&gpu, &k);
    fns->free(gpu.dev, ptr);
    free(data);
    gpu_close(&gpu);
}

static void all_shared_memory_of_a_block_can_be_used(void **state)
{
    (void)state;
    struct gpu gpu = gpu_open();
    const struct hone_device_fns *fns = gpu.dev->fns;
    struct hone_error err = {0};
    hone_devptr ptr = gpu_alloc(&gpu, 256 * sizeof(int));
    const int most = (int)gpu.dev->limits.max_shared_bytes;
    const int sizes[] = {1024, 48 * 1024, 48 * 1024 + 4, most};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int data[256];
        for (int i = 0; i < 256; i++)
            data[i] = i;
        assert_ok(fns->copy(gpu.dev, HONE_TO_DEVICE, ptr, data, sizeof data, &err), err);
        struct gpu_kernel k = gpu_load(&gpu, "reverse");
        gpu_argument(&k, &ptr, sizeof ptr);
        gpu_argument(&k, &sizes[s], sizeof sizes[s]);
        gpu_shape(&k, 1, 256, (uint32_t)sizes[s]);
        assert_int_equal(gpu_launch(&gpu, &k).outcome, HONE_VALID);
        assert_ok(fns->copy(gpu.dev, HONE_TO_HOST, ptr, data, sizeof data, &err), err);
        for (int i = 0; i < 256; i++)
            assert_int_equal(data[i], 255 - i);
        gpu_unload(&gpu, &k);
    }
    fns->free(gpu.dev, ptr);
    gpu_close(&gpu);
}

static void refused_launch_harms_nothing(void **state)
{
    (void)state;
    struct gpu gpu = gpu_open();
    const long long ticks = 1000;
    struct gpu_kernel k = gpu_load(&gpu, "spin");
    gpu_argument(&k, &ticks, sizeof ticks);
    gpu_shape(&k, 1, 2048, 0); // over 1024 threads
    struct hone_fault fault = gpu_launch(&gpu, &k);
    assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
    assert_false(fault.sticky);
    gpu_shape(&k, 1, 32, (uint32_t)gpu.dev->limits.max_shared_bytes + 1);
    fault = gpu_launch(&gpu, &k);
    assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
    assert_false(fault.sticky);
    gpu_shape(&k, 1, 32, 0);
    assert_int_equal(gpu_launch(&gpu, &k).outcome, HONE_VALID);
    gpu_unload(&gpu, &k);
    gpu_close(&gpu);
}

static void build_for_another_gpu_is_a_fault(void **state)
{
    (void)state;
    struct gpu gpu = gpu_open();
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_module *module = NULL;
    const struct hone_build junk = {.outcome = HONE_VALID, .ptx = "this is no PTX"};
    assert_ok(gpu.dev->fns->load(gpu.dev, &junk, "k", &module, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
    assert_false(fault.sticky);
    printf("%s\n", fault.reason);
    gpu_close(&gpu);
}

// Our figure comes from cuda_occupancy.h and what was read from the cubin, the other from
// the driver and the loaded function.
static void occupancy_is_what_the_driver_says(void **state)
{
    (void)state;
    struct gpu gpu = gpu_open();
    struct hone_cuda *cuda = gpu.dev->priv;
    const char *const entries[] = {"add_one", "reverse", "wide", "tile"};
    size_t compared = 0;
    for (size_t e = 0; e < sizeof entries / sizeof *entries; e++) {
        struct gpu_kernel k = gpu_load(&gpu, entries[e]);
        int static_bytes = k.build->resources.static_shared_bytes;
        int most = (int)gpu.dev->limits.max_shared_bytes - static_bytes;
        cuda->driver->cuFuncSetAttribute(
            k.module->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most);
        for (uint32_t threads = 32; threads <= 512; threads += 32)
            for (uint32_t shared = 0; shared <= (uint32_t)most; shared += 7000) {
                int driver_says = -1;
                assert_int_equal(
                    cuda->driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(
                        &driver_says, k.module->function, (int)threads, shared),
                    CUDA_SUCCESS);
                int we_say = hone_occupancy(&gpu.dev->limits, &k.build->resources,
                                            threads, shared);
                if (we_say != driver_says)
                    fail_msg("%s: %u threads, %u bytes: %d blocks, the driver says %d",
                             entries[e], threads, shared, we_say, driver_says);
                compared++;
            }
        gpu_unload(&gpu, &k);
    }
    printf("%zu cases agree\n", compared);
    gpu_close(&gpu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(device_describes_a_gpu),
    cmocka_unit_test(memory_keeps_what_is_copied_and_filled),
    cmocka_unit_test(launch_computes),
    cmocka_unit_test(all_shared_memory_of_a_block_can_be_used),
    cmocka_unit_test(refused_launch_harms_nothing),
    cmocka_unit_test(build_for_another_gpu_is_a_fault),
    cmocka_unit_test(occupancy_is_what_the_driver_says),
};
HONE_TEST_MAIN(tests)
