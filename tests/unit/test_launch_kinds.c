// What a device makes of clusters, of cooperative and of dependent launches: allowed,
// rejected for this device, or a contradiction of launch and kernel.
#include <string.h>

#include "hone/build.h"
#include "hone_test.h"

static struct hone_limits gpu(int major, const char *arch)
{
    struct hone_limits limits = {.cc_major = major,
                                 .sm_count = 132,
                                 .warp_size = 32,
                                 .max_threads_per_block = 1024,
                                 .max_threads_per_sm = 2048,
                                 .max_blocks_per_sm = 32,
                                 .max_registers_per_thread = 255,
                                 .registers_per_block = 65536,
                                 .registers_per_sm = 65536,
                                 .max_shared_bytes = 101376,
                                 .shared_bytes_per_sm = 102400,
                                 .reserved_shared_bytes = 1024,
                                 .max_grid_x = INT32_MAX,
                                 .max_grid_y = 65535,
                                 .max_grid_z = 65535};
    snprintf(limits.arch, sizeof limits.arch, "%s", arch);
    return limits;
}

struct row {
    struct hone_cluster_rules rules;
    uint32_t grid[3], cluster[3];
    enum hone_outcome outcome;
    const char *words; // of the reason; of a valid one: its cluster
};

static void check_row(const struct row *row, const struct hone_limits *limits)
{
    char reason[HONE_REASON_MAX] = "";
    struct hone_geometry geometry = {.block = {64, 1, 1}};
    uint32_t found[3];
    memcpy(geometry.grid, row->grid, sizeof geometry.grid);
    memcpy(geometry.cluster, row->cluster, sizeof geometry.cluster);
    const enum hone_outcome outcome =
        hone_cluster_find(found, &row->rules, limits, &geometry, reason);
    if (outcome == HONE_VALID)
        snprintf(reason, sizeof reason, "%u x %u x %u", found[0], found[1], found[2]);
    if (outcome != row->outcome || !strstr(reason, row->words))
        fail_msg("%s: %s, %s is expected", hone_outcome_name(outcome), reason,
                 row->words);
}

static void the_cluster_is_the_launchs_else_the_kernels(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {.grid = {3, 5, 7}, .words = "1 x 1 x 1"},
        {.grid = {4, 6, 2}, .cluster = {2, 3, 1}, .words = "2 x 3 x 1"},
        {.grid = {4, 6, 2}, .cluster = {1, 1, 1}, .words = "1 x 1 x 1"},
        {.rules = {.size = {2, 3, 1}, .wanted = true},
         .grid = {4, 6, 2},
         .words = "2 x 3 x 1"},
        {.rules = {.size = {2}}, .grid = {4, 1, 1}, .words = "2 x 1 x 1"},
        {.rules = {.size = {2, 1, 1}},
         .grid = {4, 1, 1},
         .cluster = {2, 1, 1},
         .words = "2 x 1 x 1"},
        {.rules = {.wanted = true, .most = 4},
         .grid = {4, 1, 1},
         .cluster = {4, 1, 1},
         .words = "4 x 1 x 1"},
        {.rules = {.wanted = true},
         .grid = {3, 1, 1},
         .cluster = {1, 1, 1},
         .words = "1 x 1 x 1"},
        {.grid = {16, 1, 1}, .cluster = {16, 1, 1}, .words = "16 x 1 x 1"},
    };
    const struct hone_limits h200 = gpu(9, "sm_90a");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i], &h200);
}

static void launch_and_kernel_must_agree(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {.rules = {.size = {2, 1, 1}},
         .grid = {4, 1, 1},
         .cluster = {4, 1, 1},
         .outcome = HONE_LAUNCH_FAILED,
         .words = "the launch has clusters of 4 x 1 x 1 blocks, __cluster_dims__ of the "
                  "kernel says 2 x 1 x 1: leave one of them out"},
        {.rules = {.size = {2, 1, 1}},
         .grid = {4, 1, 1},
         .cluster = {1, 1, 1},
         .outcome = HONE_LAUNCH_FAILED,
         .words = "clusters of 1 x 1 x 1"},
        {.rules = {.wanted = true},
         .grid = {4, 1, 1},
         .outcome = HONE_LAUNCH_FAILED,
         .words = "wants a launch that says how many blocks a cluster has "
                  "(.explicitcluster), one or more: launch = { cluster = 1, ... }"},
        {.rules = {.most = 4},
         .grid = {8, 1, 1},
         .cluster = {8, 1, 1},
         .outcome = HONE_LAUNCH_FAILED,
         .words = "8 blocks a cluster, the kernel's launch bounds say 4"},
    };
    const struct hone_limits h200 = gpu(9, "sm_90a");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i], &h200);
}

static void a_device_rejects_clusters_that_it_has_not(void **state)
{
    (void)state;
    const struct hone_limits a100 = gpu(8, "sm_80"), h200 = gpu(9, "sm_90a"),
                             b200 = gpu(10, "sm_100a"), rtx = gpu(12, "sm_120a");
    const struct row pair = {.grid = {4, 1, 1},
                             .cluster = {2, 1, 1},
                             .outcome = HONE_REJECTED,
                             .words = "clusters need sm_90 or later, the GPU is sm_80"};
    check_row(&pair, &a100);
    const struct row alone = {
        .grid = {4, 1, 1}, .cluster = {1, 1, 1}, .words = "1 x 1 x 1"};
    check_row(&alone, &a100);
    const struct row wanted = {.rules = {.wanted = true},
                               .grid = {4, 1, 1},
                               .cluster = {1, 1, 1},
                               .outcome = HONE_REJECTED,
                               .words = "clusters need sm_90 or later"};
    check_row(&wanted, &a100);
    const struct row large = {.grid = {16, 1, 1},
                              .cluster = {16, 1, 1},
                              .outcome = HONE_REJECTED,
                              .words = "16 x 1 x 1 blocks a cluster, limit 8 (8 where"};
    check_row(&large, &rtx);
    const struct row larger = {.rules = {.size = {65536, 65536, 65536}},
                               .grid = {65536, 65536, 65536},
                               .outcome = HONE_REJECTED,
                               .words = "65536 x 65536 x 65536 blocks a cluster, limit "
                                        "16"};
    check_row(&larger, &h200);
    const struct row ragged = {.grid = {4, 3, 1},
                               .cluster = {1, 2, 1},
                               .outcome = HONE_REJECTED,
                               .words = "3 blocks in grid y, which clusters of 2 do not"};
    check_row(&ragged, &b200);
}

static void assert_prune(enum hone_outcome outcome, const struct hone_limits *limits,
                         const struct hone_geometry *geometry, const char *words)
{
    char reason[HONE_REASON_MAX];
    struct hone_build build = {.resources = HONE_RESOURCES_UNKNOWN, .max_threads = -1};
    struct hone_resources resources;
    build.resources.registers = 32;
    build.resources.static_shared_bytes = 0;
    build.clusters.most = 4;
    const enum hone_outcome found =
        hone_build_prune(&build, limits, geometry, &resources, reason);
    if (found != outcome || !strstr(reason, words))
        fail_msg("%s: %s", hone_outcome_name(found), reason);
}

static void pruning_looks_at_all_that_is_not_plain(void **state)
{
    (void)state;
    const struct hone_limits a100 = gpu(8, "sm_80"), h200 = gpu(9, "sm_90a");
    struct hone_geometry geometry = {
        .grid = {264, 1, 1}, .block = {1024, 1, 1}, .flags = HONE_LAUNCH_COOPERATIVE};
    assert_prune(HONE_VALID, &a100, &geometry, ""); // two on each
    geometry.grid[1] = 2;
    assert_prune(HONE_REJECTED, &a100, &geometry,
                 "528 blocks in a cooperative launch, 264 run at once (2 on each of 132 "
                 "multiprocessors)");
    geometry.flags = 0;
    assert_prune(HONE_VALID, &a100, &geometry, "");
    geometry.flags = HONE_LAUNCH_DEPENDENT;
    assert_prune(HONE_VALID, &h200, &geometry, "");
    assert_prune(HONE_REJECTED, &a100, &geometry,
                 "a dependent launch needs sm_90 or later, the GPU is sm_80");
    geometry.cluster[0] = 8;
    assert_prune(HONE_LAUNCH_FAILED, &h200, &geometry, "launch bounds say 4");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_cluster_is_the_launchs_else_the_kernels),
    cmocka_unit_test(launch_and_kernel_must_agree),
    cmocka_unit_test(a_device_rejects_clusters_that_it_has_not),
    cmocka_unit_test(pruning_looks_at_all_that_is_not_plain),
};

HONE_TEST_MAIN(tests)
