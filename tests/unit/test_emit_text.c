/* The texts of headers that are files of C, compiled by themselves: with the types that a
 * header has around them, and asked for what can be said of each without one. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"

#include "base/rng.h"
#include "emit_internal.h"

/* --- what a header has around them --- */

typedef struct {
    int BM;
} kernel_config;
typedef struct {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
} kernel_gpu;
typedef struct {
    int a, b, at, low, high;
} kernel_node;
typedef struct {
    int config, cc_major, cc_minor, exact;
    const unsigned char *bytes;
} kernel_image;
typedef struct {
    kernel_config config;
} kernel_forced;
enum { KERNEL_CONFIGS = 2, KERNEL_DEFAULT_CONFIG = 1, KERNEL_SAME_MAJOR = 0 };
enum {
    KERNEL_OK = 0,
    KERNEL_NO_DRIVER = -1,
    KERNEL_NO_CONTEXT = -2,
    KERNEL_NO_CONFIG = -3,
    KERNEL_NO_IMAGE = -4,
    KERNEL_NO_COMPILER = -5,
    KERNEL_NOT_COMPILED = -6,
    KERNEL_NO_ROOM = -7
};
static const kernel_config kernel_configs[KERNEL_CONFIGS] = {{64}, {128}};
static const unsigned kernel_static_shared[KERNEL_CONFIGS] = {0, 0};
static const char kernel_entry[] = "kernel";
static const kernel_image kernel_images[] = {{-1, 0, 0, 0, NULL}};
static const char *const kernel_macros[KERNEL_CONFIGS] = {"#define BM 64\n",
                                                          "#define BM 128\n"};
static const char *const kernel_source[] = {"int a;\n", "int b;\n", NULL};
static const char *const kernel_options[] = {"--std=c++17"};
static struct {
    int ready, count;
    char *text;
    kernel_forced *forced;
    const char *misses;
} kernel_runtime;

static void kernel_enter(void) {}
static void kernel_leave(void) {}

static int kernel_set(kernel_forced *forced, const char *name, char *value)
{
    if (strcmp(name, "BM") != 0) return 0;
    forced->config.BM = atoi(value);
    return 1;
}

#include "text/choose.h"
#include "text/payload.h"
#include "text/runtime.h"
#include "text/runtime_values.h"

static int kernel_ask_gpu(kernel_gpu *gpu, int device)
{
    (void)device;
    *gpu = (kernel_gpu){.cc_major = 9};
    return 0;
}

/* One loads images, the other compiles; a header has one of the two. */
#define kernel_load_module kernel_load_image
#include "text/payload_image.h"
#undef kernel_load_module
#include "text/payload_source.h"

#include "text/payload_load.h"

/* --- how near GPUs are --- */

static int64_t apart(int64_t a, int64_t b)
{
    return a > 0 && b > 0 ? llabs((long long)hone_emit_lg(a) - hone_emit_lg(b)) : 0;
}

/* In words: level, then multiprocessors twice as heavy as the rest, then the place. */
static int64_t expected_distance(const kernel_gpu *a, const kernel_gpu *gpu, int place)
{
    if (!a->cc_major || a->cc_major != gpu->cc_major) return -1;
    const int64_t by = llabs((long long)a->cc_minor - gpu->cc_minor);
    const int64_t minors = by < 2047 ? by : 2047;
    const int64_t level = minors ? 2 : a->sm_count != gpu->sm_count;
    const int64_t gap = 65536 * minors + 2 * apart(a->sm_count, gpu->sm_count) +
                        apart(a->l2_bytes, gpu->l2_bytes) +
                        apart(a->memory_bytes, gpu->memory_bytes);
    return level * ((int64_t)1 << 48) + gap * (1 << 20) + place;
}

static kernel_gpu random_gpu(struct hone_rng *rng)
{
    static const int minors[] = {0, 6, 9, INT32_MAX, -1};
    return (kernel_gpu){.cc_major = (int)hone_rng_below(rng, 3),
                        .cc_minor = minors[hone_rng_below(rng, 5)],
                        .sm_count = 1 << hone_rng_below(rng, 9),
                        .l2_bytes = (long long)hone_rng_below(rng, 4) << 20,
                        .memory_bytes = (long long)hone_rng_below(rng, 3) << 35};
}

static void distances_are_as_said(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 7);
    for (int i = 0; i < 20000; i++) {
        const kernel_gpu a = random_gpu(&rng), b = random_gpu(&rng);
        const struct hone_limits x = {.cc_major = a.cc_major,
                                      .cc_minor = a.cc_minor,
                                      .sm_count = a.sm_count,
                                      .l2_bytes = a.l2_bytes,
                                      .memory_bytes = a.memory_bytes};
        const struct hone_limits y = {.cc_major = b.cc_major,
                                      .cc_minor = b.cc_minor,
                                      .sm_count = b.sm_count,
                                      .l2_bytes = b.l2_bytes,
                                      .memory_bytes = b.memory_bytes};
        const int64_t expected = expected_distance(&a, &b, i % 5);
        assert_int_equal(kernel_distance(&a, &b, i % 5), expected);
        assert_int_equal(hone_emit_distance(&x, &y, (size_t)i % 5), expected);
    }
    assert_int_equal(hone_emit_distance(NULL, &(struct hone_limits){.cc_major = 8}, 0),
                     -1);
}

static void leaves_are_found_by_size_difference_and_sum(void **state)
{
    (void)state;
    static const kernel_node nodes[] = {
        {1, -1, 10, 1, 2}, {0, 1, 5, ~7, ~8}, {0, -2, 100, ~9, ~0}};
    static const int lg[][2] = {{15, 10}, {16, 10}, {0, 11}, {90, 11}};
    static const int expected[] = {7, 8, 9, 0};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(~kernel_leaf(nodes, 0, lg[i], lg[i][0] + lg[i][1]), expected[i]);
}

static void models_have_no_overflow_and_the_first_of_equals(void **state)
{
    (void)state;
    enum { MOST = 1 << 24, LARGE = 63 * 65536 };
    static const int model[] = {4, MOST,  MOST,  MOST,  MOST,  MOST,  MOST,
                                7, -MOST, -MOST, -MOST, -MOST, -MOST, -MOST,
                                8, -MOST, -MOST, -MOST, -MOST, -MOST, -MOST};
    static const int lg[] = {LARGE, LARGE}, none[] = {-65536, -65536};
    assert_int_equal(kernel_modelled(model, 3, lg, 2), 7);
    assert_int_equal(kernel_modelled(model, 1, lg, 2), 4);
    assert_int_equal(kernel_modelled(model, 3, none, 2), 7);
}

/* --- what is forced --- */

static void forced_lines_are_read_up_to_the_wrong_one(void **state)
{
    (void)state;
    assert_int_equal(kernel_force("0"), 0);
    assert_int_equal(kernel_runtime.forced[0].config.BM, 64);
    assert_int_equal(kernel_force("BM=32 # a comment"), 0);
    assert_int_equal(kernel_runtime.forced[0].config.BM, 32);
    assert_int_equal(kernel_force("BM=16\nBN=4\nBM=8"), 2);
    assert_int_equal(kernel_runtime.count, 1);
    assert_int_equal(kernel_force("2"), 1);
    assert_int_equal(kernel_force("@/nowhere"), -1);
    assert_int_equal(kernel_force(NULL), 0);
    assert_int_equal(kernel_runtime.count, 0);
    kernel_note_misses("misses.txt");
    assert_string_equal(kernel_runtime.misses, "misses.txt");
}

static void texts_of_misses_are_escaped(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    kernel_put_text(file, "a\"b\\\n");
    kernel_put_real(file, -1.5);
    fclose(file);
    assert_string_equal(text, "\"a\\\"b\\\\\\u000a\"-1.5");
    free(text);
}

static void numbers_are_read_up_to_their_end(void **state)
{
    (void)state;
    char good[] = "-12.5e2", bad[] = "1.5x", *end;
    assert_true(kernel_real(good, &end) == -1250 && !*end);
    assert_true(kernel_real(bad, &end) == 1.5 && *end == 'x');
}

/* --- what is loaded --- */

static void without_a_driver_nothing_is_loaded(void **state)
{
    (void)state;
    void *module, *function;
    kernel_gpu gpu;
    setenv("HONE_LIBCUDA", "/nowhere/libcuda.so", 1);
    setenv("HONE_NVRTC", "/nowhere/libnvrtc.so", 1);
    assert_int_equal(kernel_gpu_here(&gpu), KERNEL_NO_DRIVER);
    assert_int_equal(kernel_load(&kernel_configs[1]), KERNEL_NO_DRIVER);
    assert_int_equal(kernel_load(NULL), KERNEL_NO_CONFIG);
    assert_int_equal(kernel_load(&(kernel_config){64}), KERNEL_NO_IMAGE);
    assert_int_equal(kernel_function(&function, 0, 0), KERNEL_NO_DRIVER);
    assert_int_equal(kernel_unload(), KERNEL_NO_DRIVER);
    gpu = (kernel_gpu){.cc_major = 9};
    assert_int_equal(kernel_load_image(&module, 0, &gpu), KERNEL_NO_IMAGE);
    assert_int_equal(kernel_load_module(&module, 0, &gpu), KERNEL_NO_COMPILER);
    char *source = kernel_source_of(1);
    assert_string_equal(source, "#define BM 128\nint a;\nint b;\n");
    free(source);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(distances_are_as_said),
    cmocka_unit_test(leaves_are_found_by_size_difference_and_sum),
    cmocka_unit_test(models_have_no_overflow_and_the_first_of_equals),
    cmocka_unit_test(forced_lines_are_read_up_to_the_wrong_one),
    cmocka_unit_test(texts_of_misses_are_escaped),
    cmocka_unit_test(numbers_are_read_up_to_their_end),
    cmocka_unit_test(without_a_driver_nothing_is_loaded),
};
HONE_TEST_MAIN(tests)
