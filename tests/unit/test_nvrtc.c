// The builder with a real NVRTC; every case is skipped where there is none.
#include "nvrtc_frame.h"

static const char *const arches[] = {"sm_80", "sm_90a", "sm_120"};
enum { ARCHES = sizeof arches / sizeof *arches };

// An older NVRTC does not know the newest architectures.
static bool unknown_arch(const struct hone_build *build)
{
    return strstr(build->reason, "gpu-architecture") != NULL;
}

static void build_has_ptx_cubin_and_resources(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    for (size_t i = 0; i < ARCHES; i++) {
        struct hone_build_request request = request_of(copy_kernel, "copy", arches[i]);
        const struct hone_build *build = build_now(builder, &request);
        if (unknown_arch(build)) {
            hone_build_release(build);
            continue;
        }
        assert_int_equal(build->outcome, HONE_VALID);
        assert_string_equal(build->reason, "");
        assert_non_null(strstr(build->ptx, ".entry copy"));
        assert_int_equal(build->ptx[build->ptx_size], '\0');
        assert_memory_equal(build->cubin, "\177ELF", 4);
        assert_in_range(build->resources.registers, 4, 32);
        assert_int_equal(build->resources.static_shared_bytes, 1024);
        assert_int_equal(build->resources.spill_store_bytes, 0);
        assert_int_equal(build->resources.stack_bytes, 0);
        assert_int_equal(build->max_threads, 128);
        assert_int_equal(strlen(build->image_hash), 32);
        assert_false(build->cached);
        hone_build_release(build);
    }
    hone_builder_free(builder);
}

static void check_cubin(const struct hone_build *build, const char *entry,
                        int32_t max_threads)
{
    struct hone_cubin_kernel cubin;
    assert_true(hone_cubin_read(&cubin, build->cubin, build->cubin_size, entry));
    struct hone_resources *found = &cubin.resources;
    if (found->stack_bytes > 0 && found->spill_store_bytes < 0) { // before CUDA 13
        found->spill_store_bytes = build->resources.spill_store_bytes;
        found->spill_load_bytes = build->resources.spill_load_bytes;
    }
    assert_memory_equal(found, &build->resources, sizeof *found);
    assert_int_equal(cubin.max_threads, max_threads);
    assert_false(hone_cubin_read(&cubin, build->cubin, build->cubin_size, "other"));
}

// The cubin reader against ptxas' own words.
static void cubin_agrees_with_the_log(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    for (size_t i = 0; i < ARCHES; i++) {
        struct hone_build_request copy = request_of(copy_kernel, "copy", arches[i]),
                                  heavy = request_of(spilling_kernel, "heavy", arches[i]);
        const struct hone_build *copied = build_now(builder, &copy),
                                *spilled = build_now(builder, &heavy);
        if (!unknown_arch(copied)) {
            assert_true(spilled->resources.spill_store_bytes > 0);
            check_cubin(copied, "copy", 128);
            check_cubin(spilled, "heavy", 1024);
        }
        hone_build_release(copied);
        hone_build_release(spilled);
    }
    hone_builder_free(builder);
}

// No access outside the buffer, whatever the bytes (run under the address sanitizer).
// What a kernel says of its clusters, as ptxas writes it down.
static void cubins_tell_clusters(void **state)
{
    (void)state;
    static const char source[] =
        "extern \"C\" __global__ void __cluster_dims__(2, 3) pairs(int *p) { *p = 1; }\n"
        "extern \"C\" __global__ void __launch_bounds__(128, 1, 4) most(int *p) { *p = "
        "1; }"
        "\nextern \"C\" __global__ void __cluster_dims__() said(int *p) { *p = 1; }\n"
        "extern \"C\" __global__ void plain(int *p) { *p = 1; }\n";
    static const struct {
        const char *entry;
        struct hone_cluster_rules rules;
    } rows[] = {{"pairs", {.size = {2, 3, 1}, .wanted = true}},
                {"most", {.most = 4}},
                {"said", {.wanted = true}},
                {"plain", {.most = 0}}};
    struct hone_builder *builder = open_builder("", 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct hone_build_request request =
            request_of(source, rows[i].entry, "sm_90a");
        const struct hone_build *build = build_now(builder, &request);
        assert_int_equal(build->outcome, HONE_VALID);
        assert_memory_equal(build->clusters.size, rows[i].rules.size,
                            sizeof build->clusters.size);
        assert_int_equal(build->clusters.most, rows[i].rules.most);
        assert_int_equal(build->clusters.wanted, rows[i].rules.wanted);
        hone_build_release(build);
    }
    hone_builder_free(builder);
}

static void broken_cubins_are_read_safely(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    struct hone_build_request request = request_of(spilling_kernel, "heavy", "sm_90a");
    const struct hone_build *build = build_now(builder, &request);
    size_t size = build->cubin_size;
    unsigned char *copy = malloc(size);
    struct hone_rng rng;
    struct hone_cubin_kernel cubin;
    char hash[HONE_HASH_TEXT];
    hone_rng_seed(&rng, 7);
    for (int round = 0; round < 3000; round++) {
        memcpy(copy, build->cubin, size);
        // Half of the changes hit headers and tables, which lie at both ends.
        for (uint64_t n = 1 + hone_rng_below(&rng, 8); n; n--) {
            uint64_t span = hone_rng_below(&rng, 2) ? size : 64 * 21;
            uint64_t at = hone_rng_below(&rng, span);
            if (span < size && hone_rng_below(&rng, 2)) at = size - 1 - at;
            copy[at] = (unsigned char)hone_rng_next(&rng);
        }
        size_t length = hone_rng_below(&rng, 4) ? size : hone_rng_below(&rng, size);
        unsigned char *exact = malloc(length + !length);
        memcpy(exact, copy, length);
        hone_cubin_read(&cubin, exact, length, "heavy");
        hone_cubin_hash(hash, exact, length);
        free(exact);
    }
    free(copy);
    hone_build_release(build);
    hone_builder_free(builder);
}

static void equal_code_has_an_equal_hash(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    char *commented = malloc(4096);
    snprintf(commented, 4096, "// other text, other lines\n\n%s", copy_kernel);
    char *changed = strdup(copy_kernel);
    memcpy(strstr(changed, "127"), "126", 3);
    struct hone_build_request a = request_of(copy_kernel, "copy", "sm_90a"), b = a, c = a;
    b.source = commented;
    b.source_name = "another_name.cu";
    c.source = changed;
    const struct hone_build *first = build_now(builder, &a),
                            *same = build_now(builder, &b),
                            *other = build_now(builder, &c);
    assert_string_equal(first->image_hash, same->image_hash);
    assert_string_not_equal(first->image_hash, other->image_hash);
    hone_build_release(first);
    hone_build_release(same);
    hone_build_release(other);
    free(commented);
    free(changed);
    hone_builder_free(builder);
}

static void source_that_does_not_compile_is_a_result(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    static const struct {
        const char *source, *reason;
    } cases[] = {
        {"extern \"C\" __global__ void k(int *p)\n{\n    *p = y;\n}\n",
         "test.cu:3: identifier \"y\" is undefined"},
        {"static_assert(3 % 2 == 0, \"BM must be even\");\n",
         "test.cu:1: static assertion failed with \"BM must be even\""},
        {"extern \"C\" __global__ void k(float *p)\n{\n    __shared__ float s[60000];\n"
         "    s[threadIdx.x] = 1;\n    __syncthreads();\n    *p = s[127 - "
         "threadIdx.x];\n}\n",
         "needs 240000 bytes of static shared memory, sm_90a allows 49152: make it "
         "dynamic, "
         "extern __shared__ and shared in launch"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_build_request request = request_of(cases[i].source, "k", "sm_90a");
        const struct hone_build *build = build_now(builder, &request);
        assert_int_equal(build->outcome, HONE_BUILD_FAILED);
        assert_string_equal(build->reason, cases[i].reason);
        assert_null(build->ptx);
        assert_null(build->cubin);
        assert_int_equal(build->resources.registers, -1);
        hone_build_release(build);
    }
    hone_builder_free(builder);
}

static void expect_lack_of_memory(struct hone_builder *builder, const char *count)
{
    char source[256];
    snprintf(source, sizeof source,
             "extern \"C\" __global__ void k(int *p)\n"
             "{\n    asm volatile(\".reg .b32 r<%s>;\");\n}\n",
             count);
    struct hone_build_request request = request_of(source, "k", "sm_90a");
    const struct hone_build *build = build_now(builder, &request);
    print_message("%s\n", build->reason);
    assert_int_equal(build->outcome, HONE_BUILD_FAILED);
    assert_non_null(strstr(build->reason, "HONE_COMPILE_MEMORY allows more"));
    hone_build_release(build);
}

// NVRTC 13.0 takes 8 and 1.6 GB for these registers: at once, and by and by.
static void a_source_that_takes_all_memory_is_a_result(void **state)
{
    (void)state;
    if (HONE_TEST_SANITIZED) SKIP("a sanitizer's memory has no limit");
    setenv("HONE_COMPILE_MEMORY", "600M", 1);
    struct hone_builder *builder = open_builder("", 1);
    expect_lack_of_memory(builder, "1000000000");
    expect_lack_of_memory(builder, "200000000");
    struct hone_build_request request = request_of(copy_kernel, "copy", "sm_90a");
    const struct hone_build *build = build_now(builder, &request);
    assert_int_equal(build->outcome, HONE_VALID);
    hone_build_release(build);
    hone_builder_free(builder);
    unsetenv("HONE_COMPILE_MEMORY");
}

static void unknown_arch_is_a_result(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    struct hone_build_request request = request_of(copy_kernel, "copy", "sm_12345");
    const struct hone_build *build = build_now(builder, &request);
    assert_int_equal(build->outcome, HONE_BUILD_FAILED);
    assert_non_null(strstr(build->reason, "architecture"));
    hone_build_release(build);
    hone_builder_free(builder);
}

static void options_outside_the_list_are_refused_before_they_reach_it(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    const char *const options[] = {"-use_fast_math", "--time=/dev/null"};
    struct hone_build_request request = request_of(copy_kernel, "copy", "sm_80");
    request.options = options;
    request.option_count = 2;
    struct hone_error err = {0};
    uint64_t ticket;
    assert_int_equal(hone_builder_submit(builder, &request, &ticket, &err), HONE_EINPUT);
    assert_non_null(strstr(err.text, "'--time=/dev/null' is not allowed"));
    hone_builder_free(builder);
}

static void options_reach_the_compiler(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    const char *const options[] = {"-DVALUE=41", "-use_fast_math"};
    struct hone_build_request request =
        request_of("#ifndef __USE_FAST_MATH__\n#error slow\n#endif\n"
                   "static_assert(VALUE == 41, \"\");\n"
                   "extern \"C\" __global__ void k() {}\n",
                   "k", "sm_80");
    request.options = options;
    request.option_count = 2;
    const struct hone_build *build = build_now(builder, &request);
    assert_int_equal(build->outcome, HONE_VALID);
    hone_build_release(build);
    hone_builder_free(builder);
}

static void builder_names_its_library(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 0);
    assert_true(strtod(hone_builder_version(builder), NULL) >= 11.0);
    assert_non_null(strstr(hone_builder_library(builder), "libnvrtc"));
    assert_int_equal(hone_builder_threads(builder), sysconf(_SC_NPROCESSORS_ONLN));
    hone_builder_free(builder);
}

static const struct hone_build *build_with_header(const char *folder, const char *text)
{
    struct hone_builder *builder = open_builder(folder, 1);
    char name[16] = "part.cuh", copy[128];
    snprintf(copy, sizeof copy, "%s", text);
    const struct hone_build_header headers[] = {{"unused.cuh", "#error unused"},
                                                {name, copy}};
    struct hone_build_request request =
        request_of("#include \"part.cuh\"\n"
                   "extern \"C\" __global__ void f(int *p) { *p = VALUE; }\n",
                   "f", "sm_90a");
    request.headers = headers;
    request.header_count = 2;
    struct hone_error err = {0};
    uint64_t ticket;
    assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
    memset(name, 'x', sizeof name - 1); // submit has copied
    memset(copy, 'x', sizeof copy - 1);
    const struct hone_build *build = NULL;
    assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
    hone_builder_free(builder);
    return build;
}

static void headers_in_memory_are_found_and_decide_the_build(void **state)
{
    (void)state;
    char *folder = scratch("nvrtc_headers");
    static const char *const texts[] = {"#define VALUE 41", "#define VALUE 42"};
    const struct hone_build *builds[2];
    for (int i = 0; i < 2; i++) {
        builds[i] = build_with_header(folder, texts[i]);
        assert_string_equal(builds[i]->reason, "");
        assert_false(builds[i]->cached);
        const struct hone_build *again = build_with_header(folder, texts[i]);
        assert_true(again->cached);
        hone_build_release(again);
    }
    assert_string_not_equal(builds[0]->image_hash, builds[1]->image_hash);
    hone_build_release(builds[0]);
    hone_build_release(builds[1]);
    free(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(builder_names_its_library),
    cmocka_unit_test(build_has_ptx_cubin_and_resources),
    cmocka_unit_test(cubin_agrees_with_the_log),
    cmocka_unit_test(cubins_tell_clusters),
    cmocka_unit_test(broken_cubins_are_read_safely),
    cmocka_unit_test(equal_code_has_an_equal_hash),
    cmocka_unit_test(source_that_does_not_compile_is_a_result),
    cmocka_unit_test(a_source_that_takes_all_memory_is_a_result),
    cmocka_unit_test(unknown_arch_is_a_result),
    cmocka_unit_test(options_outside_the_list_are_refused_before_they_reach_it),
    cmocka_unit_test(options_reach_the_compiler),
    cmocka_unit_test(headers_in_memory_are_found_and_decide_the_build),
};

HONE_TEST_MAIN(tests)
