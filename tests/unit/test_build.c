// Building without NVRTC: what logs say, occupancy and pruning.
#include <string.h>

#include "base/mangled_name.h"
#include "cubin.h"
#include "hone/build.h"
#include "hone/rng.h"
#include "hone_test.h"
#include "ptxas.h"

static const struct hone_limits h200 = {.name = "NVIDIA H200",
                                        .arch = "sm_90a",
                                        .cc_major = 9,
                                        .cc_minor = 0,
                                        .sm_count = 132,
                                        .warp_size = 32,
                                        .max_threads_per_block = 1024,
                                        .max_threads_per_sm = 2048,
                                        .max_blocks_per_sm = 32,
                                        .max_registers_per_thread = 255,
                                        .registers_per_block = 65536,
                                        .registers_per_sm = 65536,
                                        .max_shared_bytes = 232448,
                                        .shared_bytes_per_sm = 233472,
                                        .reserved_shared_bytes = 1024,
                                        .max_grid_x = INT32_MAX,
                                        .max_grid_y = 65535,
                                        .max_grid_z = 65535};

static struct hone_limits like_h200(int64_t major, int64_t minor, int64_t threads_per_sm,
                                    int64_t shared_per_sm)
{
    struct hone_limits limits = h200;
    limits.cc_major = major;
    limits.cc_minor = minor;
    limits.max_threads_per_sm = threads_per_sm;
    limits.shared_bytes_per_sm = shared_per_sm;
    limits.reserved_shared_bytes = major >= 8 ? 1024 : 0;
    limits.max_shared_bytes = shared_per_sm - limits.reserved_shared_bytes;
    return limits;
}

static struct hone_build build_with(int32_t registers, int32_t static_shared)
{
    struct hone_build build = {.resources = HONE_RESOURCES_UNKNOWN, .max_threads = -1};
    build.resources.registers = registers;
    build.resources.static_shared_bytes = static_shared;
    return build;
}

static const char *const log_of_two =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'heavy' for 'sm_90a'\n"
    "ptxas info    : Function properties for helper\n"
    "ptxas         .     48 bytes stack frame, 16 bytes spill stores, 8 bytes spill "
    "loads\n"
    "ptxas info    : Function properties for heavy\n"
    "ptxas         .     1504 bytes stack frame, 2176 bytes spill stores, 2284 bytes "
    "spill "
    "loads\n"
    "ptxas info    : Used 32 registers, used 0 barriers, 1504 bytes cumulative stack "
    "size\n"
    "ptxas info    : Compiling entry function 'heavy2' for 'sm_90a'\n"
    "ptxas info    : Function properties for heavy2\n"
    "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 10 registers, used 1 barriers, 1024 bytes smem, 360 bytes "
    "cmem[0]\n";

static void log_gives_the_resources_of_the_entry_alone(void **state)
{
    (void)state;
    struct hone_resources r = HONE_RESOURCES_UNKNOWN;
    hone_ptxas_resources(&r, log_of_two, "heavy");
    assert_int_equal(r.registers, 32);
    assert_int_equal(r.stack_bytes, 1504);
    assert_int_equal(r.spill_store_bytes, 2176);
    assert_int_equal(r.spill_load_bytes, 2284);
    assert_int_equal(r.static_shared_bytes, 0);
    r = HONE_RESOURCES_UNKNOWN;
    hone_ptxas_resources(&r, log_of_two, "heavy2");
    assert_int_equal(r.registers, 10);
    assert_int_equal(r.static_shared_bytes, 1024);
    r = HONE_RESOURCES_UNKNOWN;
    hone_ptxas_resources(&r, log_of_two, "heav");
    assert_int_equal(r.registers, -1);
    assert_int_equal(r.static_shared_bytes, -1);
}

static void reason_is_the_first_error_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *log, *reason;
    } cases[] = {
        {"a.cu(7): warning #177-D: variable \"x\" was declared\n  int x;\n"
         "dir/a.cu(42): error: identifier \"y\" is undefined\n  int z = y;\n          ^\n"
         "a.cu(50): error: another\n",
         "dir/a.cu:42: identifier \"y\" is undefined"},
        {"a.cu(1): catastrophic error: cannot open source file \"b.h\"\n",
         "a.cu:1: cannot open source file \"b.h\""},
        {"a.cu(9): error: static assertion failed with \"BM (even): error: x\"\n",
         "a.cu:9: static assertion failed with \"BM (even): error: x\""},
        {"ptxas application ptx input, line 23; error   : Unknown modifier '.bar'\n"
         "ptxas fatal   : Ptx assembly aborted due to errors\n",
         "ptx:23: Unknown modifier '.bar'"},
        {"ptxas fatal   : (C7602) Insufficient registers",
         "ptxas: (C7602) Insufficient registers"},
        {"nvrtc: error: unrecognized option --nonsense found\n",
         "nvrtc: unrecognized option --nonsense found"},
        {"ptxas info    : Used 10 registers, used 1 barriers, 240000 bytes smem\n",
         "needs 240000 bytes of static shared memory, sm_90a allows 49152: make it "
         "dynamic, "
         "extern __shared__ and shared in launch"},
        {"", "the compiler failed without an error message"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char reason[HONE_REASON_MAX] = "";
        hone_ptxas_reason(reason, cases[i].log, "sm_90a");
        assert_string_equal(reason, cases[i].reason);
    }
}

static void reason_of_any_text_is_short_and_ends(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "(", "): ", "error: ",        "ptxas ",      "error   : ", "x", "input, line ",
        "9", "\n",  "nvrtc: error: ", " bytes smem", "fatal   : "};
    struct hone_rng rng;
    hone_rng_seed(&rng, 5);
    for (int round = 0; round < 20000; round++) {
        char log[2048] = "";
        for (uint64_t n = hone_rng_below(&rng, 100); n; n--)
            strcat(log, pieces[hone_rng_below(&rng, sizeof pieces / sizeof *pieces)]);
        char reason[HONE_REASON_MAX];
        memset(reason, 'x', sizeof reason);
        hone_ptxas_reason(reason, log, "sm_90a");
        assert_non_null(memchr(reason, '\0', sizeof reason));
        struct hone_resources r = HONE_RESOURCES_UNKNOWN;
        hone_ptxas_resources(&r, log, "x");
    }
}

static void garbage_is_no_cubin(void **state)
{
    (void)state;
    struct hone_cubin_kernel kernel;
    char hash[HONE_HASH_TEXT];
    unsigned char data[256] = "\177ELF\2\1\1";
    for (size_t size = 0; size <= sizeof data; size++) {
        assert_false(hone_cubin_read(&kernel, data, size, "k"));
        hone_cubin_hash(hash, data, size);
        assert_string_equal(hash, "");
    }
    assert_false(hone_cubin_read(&kernel, NULL, 0, "k"));
}

static void missing_library_is_named(void **state)
{
    (void)state;
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options options = {.nvrtc_path = "/nowhere/libnvrtc.so"};
    assert_int_equal(hone_builder_new(&builder, &options, &err), HONE_ENODEVICE);
    assert_non_null(strstr(err.text, "/nowhere/libnvrtc.so"));
    assert_null(builder);
    setenv("HONE_NVRTC", "/elsewhere/libnvrtc.so", 1);
    err = (struct hone_error){0};
    assert_int_equal(hone_builder_new(&builder, NULL, &err), HONE_ENODEVICE);
    assert_non_null(strstr(err.text, "named by HONE_NVRTC: /elsewhere/libnvrtc.so"));
    unsetenv("HONE_NVRTC");
}

static void library_without_nvrtc_is_refused(void **state)
{
    (void)state;
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options options = {.nvrtc_path = "libc.so.6"};
    assert_int_equal(hone_builder_new(&builder, &options, &err), HONE_ENODEVICE);
    assert_string_equal(err.text, "the NVRTC library has no nvrtcVersion");
}

// Expected figures: the table of NVIDIA's occupancy calculator for these architectures.
static void occupancy_matches_the_calculator(void **state)
{
    (void)state;
    const struct hone_limits sm75 = like_h200(7, 5, 1024, 65536);
    const struct hone_limits sm80 = like_h200(8, 0, 2048, 167936);
    const struct hone_limits sm86 = like_h200(8, 6, 1536, 102400);
    const struct hone_limits sm100 = like_h200(10, 0, 2048, 233472);
    const struct hone_limits sm120 = like_h200(12, 0, 1536, 102400);
    const struct {
        const struct hone_limits *limits;
        int32_t registers, shared;
        uint32_t threads;
        int blocks;
    } cases[] = {
        {&h200, 32, 0, 256, 8},      {&sm80, 32, 0, 256, 8},
        {&sm86, 32, 0, 256, 6},      {&sm75, 32, 0, 256, 4},
        {&sm100, 32, 0, 256, 8},     {&sm120, 32, 0, 256, 6},
        {&h200, 128, 16640, 256, 2}, {&sm86, 128, 16640, 256, 2},
        {&h200, 168, 98304, 384, 1}, {&h200, 255, 1024, 64, 4},
        {&h200, 33, 0, 1024, 1},     {&h200, 255, 0, 1024, 0},
        {&h200, 32, 232448, 32, 1},  {&h200, 32, 232449, 32, 0},
        {&h200, 32, 0, 1025, 0},     {&h200, 32, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_build fixed = build_with(cases[i].registers, cases[i].shared);
        struct hone_build none = build_with(cases[i].registers, 0);
        assert_int_equal(
            hone_occupancy(cases[i].limits, &fixed.resources, cases[i].threads, 0),
            cases[i].blocks);
        assert_int_equal(hone_occupancy(cases[i].limits, &none.resources,
                                        cases[i].threads, (uint32_t)cases[i].shared),
                         cases[i].blocks);
    }
}

static void occupancy_falls_as_demands_rise(void **state)
{
    (void)state;
    for (uint32_t threads = 32; threads <= 1024; threads *= 2) {
        int last = INT32_MAX;
        for (int32_t registers = 16; registers <= 255; registers++) {
            struct hone_build build = build_with(registers, 0);
            int blocks = hone_occupancy(&h200, &build.resources, threads, 0);
            assert_true(blocks <= last);
            last = blocks;
        }
        last = INT32_MAX;
        struct hone_build build = build_with(32, 0);
        for (uint32_t shared = 0; shared <= 240000; shared += 777) {
            int blocks = hone_occupancy(&h200, &build.resources, threads, shared);
            assert_true(blocks <= last);
            last = blocks;
        }
    }
}

struct launch {
    uint32_t grid[3], block[3], shared;
};

static void assert_pruned_as(enum hone_outcome outcome, const struct hone_build *build,
                             const struct hone_limits *limits, struct launch launch,
                             const char *expected)
{
    char reason[HONE_REASON_MAX];
    struct hone_resources resources;
    struct hone_geometry geometry = {.shared_bytes = launch.shared};
    memcpy(geometry.grid, launch.grid, sizeof geometry.grid);
    memcpy(geometry.block, launch.block, sizeof geometry.block);
    assert_int_equal(hone_build_prune(build, limits, &geometry, &resources, reason),
                     outcome);
    assert_string_equal(reason, expected);
}

static void assert_pruned(const struct hone_build *build,
                          const struct hone_limits *limits, struct launch launch,
                          const char *expected)
{
    assert_pruned_as(HONE_REJECTED, build, limits, launch, expected);
}

static void prune_says_which_resource_is_too_small(void **state)
{
    (void)state;
    const struct hone_limits sm86 = like_h200(8, 6, 1536, 102400);
    struct hone_build small = build_with(32, 0), wide = build_with(71, 0),
                      bounded = build_with(32, 1024);
    bounded.max_threads = 128;
    assert_pruned(&small, &sm86, (struct launch){{1, 1, 1}, {128, 1, 1}, 163840},
                  "needs 163840 bytes of shared memory, device allows 101376");
    assert_pruned(&bounded, &h200, (struct launch){{1, 1, 1}, {128, 1, 1}, 231425},
                  "needs 232449 bytes of shared memory, device allows 232448");
    assert_pruned(
        &wide, &h200, (struct launch){{1, 1, 1}, {1024, 1, 1}, 0},
        "needs 1024 threads of 72 registers = 73728, device has 65536 per block");
    assert_pruned_as(HONE_LAUNCH_FAILED, &bounded, &h200,
                     (struct launch){{1, 1, 1}, {16, 16, 1}, 0},
                     "launches 256 threads per block, its launch bounds say 128: "
                     "__launch_bounds__ and block of launch must agree");
}

static void prune_says_which_dimension_is_out_of_range(void **state)
{
    (void)state;
    static const struct {
        struct launch launch;
        const char *reason;
    } cases[] = {
        {{{1, 1, 1}, {2048, 1, 1}, 0},
         "needs 2048 threads per block, device allows 1024"},
        {{{1, 1, 1}, {1U << 31, 1U << 31, 4}, 0},
         "needs 4611686018427387904 threads per block, device allows 1024"},
        {{{1, 1, 1}, {1, 1, 128}, 0}, "needs 128 threads in block z, device allows 64"},
        {{{1, 1, 1}, {0, 1, 1}, 0}, "launches no threads"},
        {{{1, 65536, 1}, {32, 1, 1}, 0},
         "needs 65536 blocks in grid y, device allows 65535"},
        {{{1, 1, 0}, {32, 1, 1}, 0}, "launches no blocks in grid z"},
    };
    const struct hone_build small = build_with(32, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_pruned(&small, &h200, cases[i].launch, cases[i].reason);
}

static void prune_passes_what_fits_with_its_occupancy(void **state)
{
    (void)state;
    struct hone_build build = build_with(128, 640);
    const struct hone_geometry launch = {
        .grid = {INT32_MAX, 65535, 65535}, .block = {16, 16, 1}, .shared_bytes = 16000};
    struct hone_resources resources;
    char reason[HONE_REASON_MAX];
    assert_int_equal(hone_build_prune(&build, &h200, &launch, &resources, reason),
                     HONE_VALID);
    assert_string_equal(reason, "");
    assert_int_equal(resources.blocks_per_sm, 2);
    assert_int_equal(resources.dynamic_shared_bytes, 16000);
    assert_int_equal(resources.static_shared_bytes, 640);
}

static void prune_rejects_products_that_registers_serialise(void **state)
{
    (void)state;
    struct hone_build build = build_with(168, 0);
    const struct launch one = {{1, 1, 1}, {384, 1, 1}, 0};
    build.resources.spill_store_bytes = 2748;
    build.log = "ptxas info    : (C7511) Potential Performance Loss: wgmma.mma_async "
                "instructions are serialized due to insufficient register resources for "
                "the wgmma pipeline in the function 'gemm'\n";
    assert_pruned(&build, &h200, one,
                  "needs more registers for its wgmma than the launch has: ptxas "
                  "serialises them (C7511) and spills 2748 bytes");
}

static void prune_keeps_a_failed_build_failed(void **state)
{
    (void)state;
    struct hone_build build = build_with(-1, -1);
    build.outcome = HONE_BUILD_FAILED;
    strcpy(build.reason, "a.cu:1: no");
    const struct hone_geometry one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    struct hone_resources resources;
    char reason[HONE_REASON_MAX];
    assert_int_equal(hone_build_prune(&build, &h200, &one, &resources, reason),
                     HONE_BUILD_FAILED);
    assert_string_equal(reason, "a.cu:1: no");
}

// ---- what a module has, and what a compiler lacks ----

static void a_mangled_name_is_read_as_far_as_it_is_understood(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"_Z3firPKfPfi", "fir"},
        {"_ZN7filters3firIfLi8EEEvPT_", "filters::fir<float, 8>"},
        {"_Z3firIfLb1ELin3EEvPT_", "fir<float, true, -3>"},
        {"_Z3firI6__halfEvPT_", "fir<__half>"},
        {"_Z3firIPKfEvT_", "fir<...>"},
        {"_ZN12_GLOBAL__N_13firEv", "(anonymous)::fir"},
        {"_ZL3firv", "fir"},
        {"fir", NULL},
        {"_Z13firPKf", NULL},
        {"_Z", NULL},
        {"_ZN", NULL},
        {"_ZN3fir", NULL},
        {"_ZNE", NULL},
        {"_Z3firILi", "fir<...>"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        const bool read = hone_mangled_name(&text, rows[i][0]);
        assert_int_equal(read, rows[i][1] != NULL);
        assert_string_equal(text.data, read ? rows[i][1] : "");
        hone_strbuf_fini(&text);
    }
}

static void a_missing_kernel_is_told_with_those_there_are(void **state)
{
    (void)state;
    static const struct {
        const char *ptx, *wanted, *expected;
    } rows[] = {
        {".visible .entry fir(\n", "fir", NULL},
        {NULL, "fir", NULL},
        {".visible .entry _Z3firPKfPfi(\n.weak .entry other(\n", "fir",
         "no kernel 'fir': declare it extern \"C\" __global__, which keeps its name; it "
         "has 'fir', mangled as '_Z3firPKfPfi', 'other'"},
        {".entry _ZN2ns3firEv()\n", "fir", "no kernel 'fir': declare it extern \"C\""},
        {".entry _Z13firPKf()\n", "fir", "no kernel 'fir': it has '_Z13firPKf'"},
        {".visible .entry fir_ref(\n", "fir_reff", "did you mean 'fir_ref'?"},
        {"// .entry fir(\n.visible .func fir(\n", "fir", "no kernel 'fir': it has none"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_error err = {0};
        const struct hone_build build = {.ptx = rows[i].ptx};
        const enum hone_status status = hone_build_entry(&build, rows[i].wanted, &err);
        assert_int_equal(status, rows[i].expected ? HONE_ENOTFOUND : HONE_OK);
        if (rows[i].expected && !strstr(err.text, rows[i].expected))
            fail_msg("got: %s", err.text);
    }
}

static void a_virtual_architecture_is_named_by_the_real_one(void **state)
{
    (void)state;
    char arch[HONE_ARCH_TEXT];
    hone_build_virtual_arch(arch, "sm_90a");
    assert_string_equal(arch, "compute_90a");
    hone_build_virtual_arch(arch, "compute_80");
    assert_string_equal(arch, "compute_80");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_virtual_architecture_is_named_by_the_real_one),
    cmocka_unit_test(a_mangled_name_is_read_as_far_as_it_is_understood),
    cmocka_unit_test(a_missing_kernel_is_told_with_those_there_are),
    cmocka_unit_test(log_gives_the_resources_of_the_entry_alone),
    cmocka_unit_test(reason_is_the_first_error_in_one_line),
    cmocka_unit_test(reason_of_any_text_is_short_and_ends),
    cmocka_unit_test(garbage_is_no_cubin),
    cmocka_unit_test(missing_library_is_named),
    cmocka_unit_test(library_without_nvrtc_is_refused),
    cmocka_unit_test(occupancy_matches_the_calculator),
    cmocka_unit_test(occupancy_falls_as_demands_rise),
    cmocka_unit_test(prune_says_which_resource_is_too_small),
    cmocka_unit_test(prune_says_which_dimension_is_out_of_range),
    cmocka_unit_test(prune_passes_what_fits_with_its_occupancy),
    cmocka_unit_test(prune_rejects_products_that_registers_serialise),
    cmocka_unit_test(prune_keeps_a_failed_build_failed),
};

HONE_TEST_MAIN(tests)
