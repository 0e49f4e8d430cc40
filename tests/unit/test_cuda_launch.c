// Launches that are more than plain, on the fake driver: what the driver is told of
// clusters, cooperative and dependent launches, and what becomes of those that it refuses.
#include <math.h>

#include "hone_test.h"

#include "fake/fake_use.h"

static struct fake_cuda_launch seen[64];
static size_t seen_count;

static void see(const struct fake_cuda_launch *launch)
{
    if (seen_count < sizeof seen / sizeof *seen) seen[seen_count++] = *launch;
}

static struct hone_launch launch_of(uint32_t blocks)
{
    return (struct hone_launch){.grid = {blocks, 1, 1}, .block = {128, 1, 1}};
}

static struct hone_device *open_seen(const char *config, struct hone_module **module)
{
    struct hone_device *dev = fake_open(config, module);
    fake.body("k", see);
    seen_count = 0;
    return dev;
}

static void close_seen(struct hone_device *dev, struct hone_module *module)
{
    dev->fns->unload(dev, module);
    hone_device_close(dev);
    assert_int_equal(fake.live(), 0);
}

static struct hone_fault run(const char *config, const struct hone_launch *launch)
{
    struct hone_module *module = NULL;
    struct hone_fault fault;
    struct hone_error err = {0};
    struct hone_device *dev = open_seen(config, &module);
    assert_ok(dev->fns->launch(dev, module, launch, &fault, &err), err);
    assert_int_equal(seen_count, fault.outcome == HONE_VALID);
    assert_false(fault.sticky);
    close_seen(dev, module);
    return fault;
}

static void check_refused(const char *config, const struct hone_launch *launch,
                          enum hone_outcome outcome, const char *words)
{
    const struct hone_fault fault = run(config, launch);
    if (fault.outcome != outcome || !strstr(fault.reason, words))
        fail_msg("%s: %s, expected: %s", hone_outcome_name(fault.outcome), fault.reason,
                 words);
}

static void the_driver_is_told_what_a_launch_is(void **state)
{
    (void)state;
    struct hone_launch launch = launch_of(8);
    launch.grid[1] = 6;
    launch.cluster[0] = 2;
    launch.cluster[1] = 3;
    launch.flags = HONE_LAUNCH_COOPERATIVE | HONE_LAUNCH_DEPENDENT;
    assert_string_equal(run("", &launch).reason, "");
    const uint32_t cluster[3] = {2, 3, 1};
    assert_memory_equal(seen[0].cluster, cluster, sizeof cluster);
    assert_int_equal(seen[0].grid[1], 6);
    assert_int_equal(seen[0].cooperative, 1);
    assert_int_equal(seen[0].dependent, 1);
}

// A cluster of one block is none: GPUs without clusters take it too.
static void a_plain_launch_says_nothing(void **state)
{
    (void)state;
    struct hone_launch launch = launch_of(4);
    launch.cluster[0] = launch.cluster[1] = launch.cluster[2] = 1;
    assert_string_equal(run("cc=80", &launch).reason, "");
    assert_int_equal(seen[0].cluster[0], 0);
    assert_int_equal(seen[0].cooperative, 0);
    assert_int_equal(seen[0].dependent, 0);
}

static void clusters_of_more_than_8_blocks_are_opted_in_to(void **state)
{
    (void)state;
    struct hone_launch launch = launch_of(16);
    launch.cluster[0] = 16;
    assert_string_equal(run("", &launch).reason, "");
    assert_int_equal(seen[0].cluster[0], 16);
    launch.grid[0] = launch.cluster[0] = 17;
    check_refused("", &launch, HONE_REJECTED, "CUDA_ERROR_INVALID_CLUSTER_SIZE (912)");
}

// Of a kernel that says this of its clusters, launched with said blocks in each.
static struct hone_fault run_rules(const char *config,
                                   const struct hone_cluster_rules *rules, uint32_t said)
{
    struct hone_module *module = NULL;
    struct hone_fault fault;
    struct hone_error err = {0};
    char ptx[256], own[64] = "";
    assert_int_equal(fake.configure(config), 0);
    struct hone_device *dev = NULL;
    assert_ok(hone_device_open(&dev, "cuda:0", &err), err);
    if (rules->size[0])
        snprintf(own, sizeof own, ".reqnctapercluster %u, 1, 1", rules->size[0]);
    snprintf(ptx, sizeof ptx,
             ".version 8.0\n.visible .entry k() %s %s\n{ ret; }\n"
             "// cubin of CUDA 13.0\n",
             rules->wanted ? ".explicitcluster" : "", own);
    const struct hone_build build = {.outcome = HONE_VALID,
                                     .cubin = ptx,
                                     .cubin_size = strlen(ptx),
                                     .clusters = *rules};
    assert_ok(dev->fns->load(dev, &build, "k", &module, &fault, &err), err);
    fake.body("k", see);
    seen_count = 0;
    struct hone_launch launch = launch_of(32);
    for (int i = 0; i < 3 && said; i++)
        launch.cluster[i] = i ? 1 : said;
    assert_ok(dev->fns->launch(dev, module, &launch, &fault, &err), err);
    close_seen(dev, module);
    return fault;
}

static struct hone_fault run_own(const char *config, uint32_t own)
{
    const struct hone_cluster_rules rules = {.size = {own, 1, 1}, .wanted = true};
    return run_rules(config, &rules, 0);
}

static void the_kernels_own_large_clusters_are_opted_in_to(void **state)
{
    (void)state;
    assert_int_equal(run_own("", 4).outcome, HONE_VALID);
    assert_int_equal(run_own("", 16).outcome, HONE_VALID);
    assert_int_equal(run_own("", 32).outcome, HONE_REJECTED);
}

// __cluster_dims__() without numbers.
static void a_cluster_of_one_block_is_said_where_the_kernel_wants_it(void **state)
{
    (void)state;
    const struct hone_cluster_rules wanted = {.wanted = true}, none = {.wanted = false};
    const uint32_t one[3] = {1, 1, 1}, unsaid[3] = {0};
    assert_string_equal(run_rules("", &wanted, 1).reason, "");
    assert_int_equal(seen_count, 1);
    assert_memory_equal(seen[0].cluster, one, sizeof one);
    assert_string_equal(run_rules("", &none, 1).reason, "");
    assert_memory_equal(seen[0].cluster, unsaid, sizeof unsaid);
    assert_int_equal(run_rules("", &wanted, 0).outcome, HONE_REJECTED);
}

static void what_the_driver_refuses_is_told(void **state)
{
    (void)state;
    struct hone_launch launch = launch_of(5);
    launch.cluster[0] = 2;
    check_refused("", &launch, HONE_LAUNCH_FAILED, "CUDA_ERROR_INVALID_VALUE");
    launch.grid[0] = 4;
    check_refused("cc=80", &launch, HONE_LAUNCH_FAILED, "CUDA_ERROR_NOT_SUPPORTED");
    launch = launch_of(133 * 16);
    launch.flags = HONE_LAUNCH_COOPERATIVE;
    check_refused("", &launch, HONE_REJECTED,
                  ": 2128 x 1 x 1 blocks, 16 run at once on each of 132 multiprocessors");
    launch.grid[0] = 132 * 16;
    assert_string_equal(run("", &launch).reason, "");
    launch = launch_of(1);
    launch.flags = HONE_LAUNCH_DEPENDENT;
    check_refused("cc=89", &launch, HONE_LAUNCH_FAILED, "CUDA_ERROR_NOT_SUPPORTED");
}

static void a_cluster_without_room_is_never_launched(void **state)
{
    (void)state;
    struct hone_launch launch = launch_of(4);
    launch.cluster[0] = 4;
    launch.shared_bytes = 200000;
    check_refused("clusters=0", &launch, HONE_REJECTED,
                  "no cluster of 4 x 1 x 1 blocks, with 128 threads and 200000 bytes of "
                  "dynamic shared memory each, fits the GPU "
                  "(cuOccupancyMaxActiveClusters)");
    assert_int_equal(fake.launches(), 0);
    const struct hone_fault fault = run_own("clusters=0", 4);
    assert_int_equal(fault.outcome, HONE_REJECTED);
    assert_string_equal(fault.reason,
                        "no cluster of 4 x 1 x 1 blocks, with 128 threads and 0 bytes of "
                        "dynamic shared memory each, fits the GPU "
                        "(cuOccupancyMaxActiveClusters)");
    assert_int_equal(fake.launches(), 0);
    assert_int_equal(run_own("clusters=1", 4).outcome, HONE_VALID);
    assert_int_equal(run_own("clusters=0", 1).outcome, HONE_VALID);
}

// A launch that began before the one before it had ended would be timed with its wait.
static void timed_launches_are_in_clusters_but_not_dependent(void **state)
{
    (void)state;
    static const enum hone_clock clocks[] = {HONE_CLOCK_EVENT, HONE_CLOCK_GRAPH,
                                             HONE_CLOCK_CUPTI};
    struct hone_launch launch = launch_of(4);
    launch.cluster[0] = 4;
    launch.flags = HONE_LAUNCH_COOPERATIVE | HONE_LAUNCH_DEPENDENT;
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        struct hone_module *module = NULL;
        struct hone_fault fault;
        struct hone_error err = {0};
        struct hone_timing timing;
        struct hone_device *dev = NULL;
        char ptx[128];
        const struct hone_build build = fake_build(ptx, sizeof ptx, "k");
        assert_int_equal(fake.configure("kernel_us=20,profiler=1"), 0);
        assert_ok(hone_device_open_by(&dev, "cuda:0", clocks[i], &err), err);
        assert_ok(dev->fns->load(dev, &build, "k", &module, &fault, &err), err);
        fake.body("k", see);
        seen_count = 0;
        assert_ok(dev->fns->time(dev, module, &launch, &hone_time_policy_default, &timing,
                                 &fault, &err),
                  err);
        assert_string_equal(fault.reason, "");
        assert_true(timing.time_us > 0 && seen_count > 1);
        for (size_t n = 0; n < seen_count; n++) {
            assert_int_equal(seen[n].cluster[0], 4);
            assert_int_equal(seen[n].cooperative, 1);
            assert_int_equal(seen[n].dependent, 0);
        }
        close_seen(dev, module);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_driver_is_told_what_a_launch_is),
    cmocka_unit_test(a_plain_launch_says_nothing),
    cmocka_unit_test(clusters_of_more_than_8_blocks_are_opted_in_to),
    cmocka_unit_test(the_kernels_own_large_clusters_are_opted_in_to),
    cmocka_unit_test(a_cluster_of_one_block_is_said_where_the_kernel_wants_it),
    cmocka_unit_test(what_the_driver_refuses_is_told),
    cmocka_unit_test(a_cluster_without_room_is_never_launched),
    cmocka_unit_test(timed_launches_are_in_clusters_but_not_dependent),
};

HONE_TEST_MAIN(tests)
