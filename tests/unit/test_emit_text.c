/* The texts of headers that are files of C, compiled by themselves: with the types that a
 * header has around them, and asked for what can be said of each without one. */
#include <glob.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "emit_text_slots.h"
#include "hone/rng.h"
#include "hone_test.h"

/* --- how near sizes and GPUs are --- */

/* Exact at powers of two and linear between them, whatever the compiler. */
static void logarithms_do_not_depend_on_the_compiler(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 8);
    for (int e = 0; e < 63; e++) {
        const long long power = 1LL << e;
        assert_int_equal(kernel_lg(power), e * 65536);
        assert_int_equal(kernel_portable_lg(power), e * 65536);
        for (int i = 0; i < 200; i++) {
            const long long more = (long long)hone_rng_below(&rng, (uint64_t)power);
            const double expected = e * 65536 + floor(ldexp((double)more, 16 - e));
            if (e < 53) assert_true(kernel_lg(power + more) == expected);
            assert_int_equal(kernel_portable_lg(power + more), kernel_lg(power + more));
        }
    }
    assert_int_equal(kernel_lg(INT64_MAX), 63 * 65536 - 1);
    assert_int_equal(kernel_portable_lg(INT64_MAX), 63 * 65536 - 1);
    assert_int_equal(kernel_lg(0), -65536);
    assert_int_equal(kernel_portable_lg(INT64_MIN), -65536);
}

static int64_t apart(int64_t a, int64_t b)
{
    return a > 0 && b > 0 ? llabs((long long)hone_emit_lg(a) - hone_emit_lg(b)) : 0;
}

/* In words: level, then multiprocessors twice as heavy as the rest, then the place; 0: of no
 * use. */
static int64_t expected_distance(const kernel_gpu *a, const kernel_gpu *gpu, int place)
{
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    const int64_t by = llabs((long long)a->cc_minor - gpu->cc_minor);
    const int64_t minors = by < 2047 ? by : 2047;
    const int64_t level = minors ? 2 : a->sm_count != gpu->sm_count;
    const int64_t gap = 65536 * minors + 2 * apart(a->sm_count, gpu->sm_count) +
                        apart(a->l2_bytes, gpu->l2_bytes) +
                        apart(a->memory_bytes, gpu->memory_bytes);
    return level * ((int64_t)1 << 48) + gap * (1 << 20) + place + 1;
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
        const int64_t expected = expected_distance(&a, &b, i % 5);
        assert_int_equal(kernel_distance(&a, &b, i % 5), expected);
    }
}

/* Own: the first of all that is known; next: all others that are of use, in order. */
static void devices_come_own_first_then_by_distance(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    struct hone_rng rng;
    hone_rng_seed(&rng, 9);
    int owns = 0;
    for (int round = 0; round < 20000; round++) {
        kernel_device devices[COUNT] = {{0}};
        long long last = 0, of_use = 0;
        for (int i = 0; i < COUNT; i++)
            devices[i].gpu = random_gpu(&rng);
        const kernel_gpu gpu = random_gpu(&rng);
        int own = -1, seen = 0, place;
        for (int i = COUNT - 1; i >= 0; i--) {
            const kernel_gpu *a = &devices[i].gpu;
            const bool is_near = expected_distance(a, &gpu, 0) == 1; /* or unknown */
            if (is_near && a->l2_bytes == gpu.l2_bytes &&
                a->memory_bytes == gpu.memory_bytes)
                own = i;
            of_use += expected_distance(a, &gpu, i) > 0;
        }
        assert_int_equal(kernel_own(devices, COUNT, &gpu), own);
        owns += own >= 0;
        for (long long before = 0;
             (place = kernel_next(devices, COUNT, &gpu, &last)) >= 0; before = last) {
            assert_true(last > before);
            assert_int_equal(last, expected_distance(&devices[place].gpu, &gpu, place));
            seen++;
        }
        assert_int_equal(seen, of_use);
    }
    assert_true(owns > 20);
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

/* --- what is selected --- */

enum { NONE = -1 };
static const struct {
    int major, minor, sms;
    long long M, N;
    int layout, tier, number;
} selections[] = {
    {8, 0, 108, 64, 64, 0, KERNEL_EXACT, 0},
    {8, 0, 108, 64, 512, 0, KERNEL_EXACT, 1},
    {8, 0, 108, 64, 128, 0, KERNEL_SAME_DEVICE, 0}, // by the tree
    {8, 0, 108, 128, 512, 0, KERNEL_SAME_DEVICE, 1},
    {8, 0, 108, 96, 512, 0, KERNEL_SAME_DEVICE, 0}, // the tree's does not fit
    {8, 0, 40, 64, 64, 0, KERNEL_SAME_ARCH, 0},
    {8, 7, 16, 64, 64, 0, KERNEL_NONE, NONE},  // unknown: 48 KiB
    {8, 0, 108, 64, 64, 1, KERNEL_DEFAULT, 1}, // no such group
    {9, 0, 132, 512, 64, 0, KERNEL_EXACT, 0},
    {9, 0, 132, 256, 64, 0, KERNEL_SAME_DEVICE, 0}, // nearer to 512
    {9, 0, 132, 128, 64, 0, KERNEL_SAME_DEVICE, 1},
    {9, 0, 132, 512, 512, 1, KERNEL_SAME_DEVICE, 1}, // by the model
    {7, 5, 72, 64, 64, 0, KERNEL_NONE, NONE},
    {9, 0, 132, 31, 64, 0, KERNEL_NONE, NONE},
};

/* A table of each kind of rule, in C as it stands in the files. */
static void rows_rules_and_the_default_are_selected(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof selections / sizeof *selections; i++) {
        int tier;
        const kernel_config *config =
            kernel_select(selections[i].major, selections[i].minor, selections[i].sms,
                          selections[i].M, selections[i].N, selections[i].layout, &tier);
        const int number = config ? (int)(config - kernel_configs) : NONE;
        if (tier != selections[i].tier || number != selections[i].number)
            fail_msg("selection %zu: tier %d, configuration %d", i, tier, number);
        assert_ptr_equal(kernel_select(selections[i].major, selections[i].minor,
                                       selections[i].sms, selections[i].M,
                                       selections[i].N, selections[i].layout, NULL),
                         config);
    }
}

static void one_row_is_selected_within_its_family(void **state)
{
    (void)state;
    static const kernel_gpu gpus[] = {{8, 0, 108, 0, 0, 400000, 0},
                                      {8, 0, 40, 0, 0, 400000, 0},
                                      {8, 6, 108, 0, 0, 400000, 0},
                                      {9, 0, 132, 0, 0, 400000, 0},
                                      {8, 0, 108, 0, 0, 1, 0}};
    static const int tiers[] = {KERNEL_EXACT, KERNEL_SAME_ARCH, KERNEL_SAME_FAMILY,
                                KERNEL_DEFAULT, KERNEL_EXACT};
    static const int numbers[] = {0, 0, 0, 1, 0};
    int tier;
    for (size_t i = 0; i < 5; i++) {
        assert_ptr_equal(kernel_select_one(&gpus[i], 64, 64, 0, &tier),
                         &kernel_configs[numbers[i]]);
        assert_int_equal(tier, tiers[i]);
    }
    assert_ptr_equal(kernel_select_one(&gpus[0], 128, 64, 0, &tier), &kernel_configs[0]);
    assert_int_equal(tier, KERNEL_SAME_DEVICE);
    assert_null(kernel_select_one(&gpus[4], 128, 64, 0, &tier));
    assert_int_equal(tier, KERNEL_NONE);
    assert_ptr_equal(kernel_select_default(&gpus[0], 64, 64, 0, &tier),
                     &kernel_configs[1]);
    assert_int_equal(tier, KERNEL_DEFAULT);
    assert_ptr_equal(kernel_select_default(&gpus[0], 32, 64, 0, NULL),
                     &kernel_configs[0]);
    assert_null(kernel_select_default(&gpus[4], 64, 64, 0, NULL));
}

/* --- what is launched --- */

static void a_launch_is_that_of_the_expressions_or_none(void **state)
{
    (void)state;
    unsigned grid[3], block[3];
    kernel_grid(&kernel_configs[0], 100, 7, 1, grid);
    assert_true(grid[0] == 2 && grid[1] == 7 && grid[2] == 2);
    kernel_grid(&kernel_configs[0], 100, 65536, 1, grid);
    assert_true(!grid[0] && !grid[1] && !grid[2]);
    kernel_grid(NULL, 100, 7, 1, grid);
    assert_int_equal(grid[0], 0);
    kernel_block(&kernel_configs[1], 1, 1, 0, block);
    assert_true(block[0] == 128 && block[1] == 1 && block[2] == 1);
    kernel_block(NULL, 1, 1, 0, block);
    assert_int_equal(block[0], 0);
    assert_int_equal(kernel_shared_bytes(&kernel_configs[0], 1, 1, 0), 65536);
    assert_int_equal(kernel_shared_bytes(NULL, 1, 1, 0), ~0u);
    assert_int_equal(kernel_computed_shared_bytes(&kernel_configs[0], 3, 1, 0), 2048);
    assert_int_equal(kernel_computed_shared_bytes(&kernel_configs[0], 0, 1, 0), ~0u);
    assert_int_equal(kernel_computed_shared_bytes(NULL, 3, 1, 0), ~0u);
    assert_int_equal(kernel_partials_bytes(&kernel_configs[0], 3, 5, 0), 60);
    assert_true(kernel_partials_bytes(&kernel_configs[0], -3, 5, 0) == ~0ULL);
    assert_true(kernel_partials_bytes(NULL, 3, 5, 0) == ~0ULL);
    assert_true(kernel_fits_by_grid(0, 100, 7, 0) && !kernel_fits_by_grid(0, 0, 7, 0));
}

static void *encoded;
static int encode(void *map, int type, unsigned rank, const void *base,
                  const unsigned long long *size, const unsigned long long *stride,
                  const unsigned *box, const unsigned *step, int interleave, int swizzle,
                  int promotion, int fill)
{
    assert_true(type == 7 && rank == 2 && *(const int *)base == 5 && size[0] == 64);
    assert_true(stride[0] == 256 && box[1] == 8 && step[4] == 1);
    assert_true(interleave == 0 && swizzle == 3 && promotion == 2 && fill == 1);
    encoded = map;
    return 3;
}

static void a_map_is_encoded_into_aligned_room(void **state)
{
    (void)state;
    int map, base = 5;
    kernel_state.driver.encode = encode;
    assert_int_equal(kernel_encode_a_map(&map, &base), 3);
    assert_ptr_equal(encoded, &map);
    assert_int_equal(kernel_place_of_a_map(), 0);
}

/* --- what is forced --- */

static void a_value_is_read_within_its_bounds(void **state)
{
    (void)state;
    kernel_forced forced = {.asks = {0}};
    char good[] = "32", low[] = "15", high[] = "129", bad[] = "32x";
    assert_int_equal(kernel_set_a_value(&forced, "BM", good), 1);
    assert_true(forced.config.BM == 32);
    assert_int_equal(kernel_set_a_value(&forced, "BM", low), 0);
    assert_int_equal(kernel_set_a_value(&forced, "BM", high), 0);
    assert_int_equal(kernel_set_a_value(&forced, "BM", bad), 0);
    assert_int_equal(kernel_set_a_value(&forced, "BN", good), 0);
}

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
    kernel_note_misses(NULL); // later tests miss problems, too
}

static void count_misses(void *context, int tier, long long M, long long N, int layout)
{
    assert_true(tier != KERNEL_EXACT && M && N && layout >= 0);
    ++*(int *)context;
}

static void what_is_forced_is_selected_and_misses_are_told(void **state)
{
    (void)state;
    int misses = 0, tier;
    kernel_on_miss(count_misses, &misses);
    assert_int_equal(kernel_force("BM=32"), 0);
    assert_int_equal(kernel_runtime_select(7, 5, 72, 64, 64, 0, &tier)->BM, 32);
    assert_int_equal(tier, KERNEL_FORCED);
    assert_int_equal(kernel_force(NULL), 0);
    assert_ptr_equal(kernel_runtime_select(8, 0, 108, 64, 64, 0, &tier),
                     &kernel_configs[0]);
    assert_int_equal(tier, KERNEL_EXACT);
    assert_int_equal(misses, 0);
    assert_null(kernel_runtime_select(7, 5, 72, 64, 64, 0, &tier));
    assert_non_null(kernel_runtime_select(8, 0, 108, 64, 128, 0, NULL));
    assert_int_equal(misses, 2);
    kernel_on_miss(NULL, NULL);
}

// A line that names a size is for problems of that size, and the first that fits counts.
static void what_is_forced_for_a_size_leaves_others_alone(void **state)
{
    (void)state;
    int tier;
    assert_int_equal(kernel_force("BM=32 M=96\nBM=128 M=64\nBM=16 M=64"), 0);
    assert_int_equal(kernel_runtime_select(8, 0, 108, 96, 64, 0, &tier)->BM, 32);
    assert_ptr_equal(kernel_runtime_select(8, 0, 108, 64, 64, 0, &tier),
                     &kernel_configs[1]);
    assert_int_equal(tier, KERNEL_FORCED);
    assert_non_null(kernel_runtime_select(8, 0, 108, 128, 64, 0, &tier));
    assert_int_not_equal(tier, KERNEL_FORCED);
    assert_int_equal(kernel_force(NULL), 0);
}

static void a_missed_problem_is_noted_once(void **state)
{
    (void)state;
    char path[] = "/tmp/hone_misses_XXXXXX", text[64] = "";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    kernel_note_misses(path);
    for (int i = 0; i < 6; i++)
        kernel_runtime_select(7, 5, 72, 7 + i % 2, 64, 0, NULL);
    kernel_note_misses(NULL);
    kernel_runtime_select(7, 5, 72, 9, 64, 0, NULL);
    assert_true(read(file, text, sizeof text - 1) > 0);
    assert_string_equal(text, "{\"M\":7}\n{\"M\":8}\n");
    close(file);
    unlink(path);
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

static void all_of_a_text_is_a_number_or_it_is_none(void **state)
{
    (void)state;
    char real[] = "-12.5e2", bad[] = "1.5x";
    double number;
    long long whole;
    assert_true(kernel_read_real(real, &number) && number == -1250);
    assert_false(kernel_read_real(bad, &number));
    assert_true(kernel_read_whole("-12", &whole) && whole == -12);
    assert_false(kernel_read_whole("12 ", &whole) || kernel_read_whole("", &whole));
}

/* --- what is loaded --- */

static void without_a_driver_nothing_is_loaded(void **state)
{
    (void)state;
    void *module, *function;
    unsigned long long address;
    size_t bytes;
    kernel_gpu gpu;
    setenv("HONE_LIBCUDA", "/nowhere/libcuda.so", 1);
    setenv("HONE_NVRTC", "/nowhere/libnvrtc.so", 1);
    assert_int_equal(kernel_gpu_here(&gpu), KERNEL_NO_DRIVER);
    assert_int_equal(kernel_load(&kernel_configs[1]), KERNEL_NO_DRIVER);
    assert_int_equal(kernel_load(NULL), KERNEL_NO_CONFIG);
    assert_int_equal(kernel_load(&(kernel_config){.BM = 64}), KERNEL_NO_IMAGE);
    assert_int_equal(kernel_function(&function, 0, 0), KERNEL_NO_DRIVER);
    assert_int_equal(kernel_unload(), KERNEL_NO_DRIVER);
    assert_int_equal(kernel_variable(&address, &bytes, &kernel_configs[0], "weights"),
                     KERNEL_NO_DRIVER);
    gpu = (kernel_gpu){.cc_major = 9};
    assert_int_equal(kernel_load_image(&module, 0, &gpu), KERNEL_NO_IMAGE);
    assert_int_equal(kernel_load_module(&module, 0, &gpu), KERNEL_NO_COMPILER);
    char *source = kernel_source_of(1);
    assert_string_equal(source, "#define BM 128\nint a;\nint b;\n");
    free(source);
}

/* Two assignments are two statements: such a line is of a header that people read. */
static void find_joined_statement(const char *path)
{
    static const char joined[] =
        "([);{]|^) +\\*?[a-z_]+ = [^,;()]*, \\*?[a-z_]+ [-+*/|]?= ";
    regex_t regex;
    char *text = NULL;
    size_t size;
    struct hone_error err = {0};
    regmatch_t match;
    assert_int_equal(regcomp(&regex, joined, REG_EXTENDED | REG_NEWLINE), 0);
    assert_ok(hone_file_read(&text, &size, path, &err), err);
    if (regexec(&regex, text, 1, &match, 0) == 0)
        fail_msg("%s has '%.60s'", path, text + match.rm_so);
    regfree(&regex);
    free(text);
}

static void texts_have_one_assignment_a_statement(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob(HONE_SOURCE_DIR "/tuner/emit/text/*.h", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        find_joined_statement(files.gl_pathv[i]);
    globfree(&files);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(logarithms_do_not_depend_on_the_compiler),
    cmocka_unit_test(distances_are_as_said),
    cmocka_unit_test(devices_come_own_first_then_by_distance),
    cmocka_unit_test(leaves_are_found_by_size_difference_and_sum),
    cmocka_unit_test(models_have_no_overflow_and_the_first_of_equals),
    cmocka_unit_test(rows_rules_and_the_default_are_selected),
    cmocka_unit_test(one_row_is_selected_within_its_family),
    cmocka_unit_test(a_launch_is_that_of_the_expressions_or_none),
    cmocka_unit_test(a_map_is_encoded_into_aligned_room),
    cmocka_unit_test(a_value_is_read_within_its_bounds),
    cmocka_unit_test(forced_lines_are_read_up_to_the_wrong_one),
    cmocka_unit_test(what_is_forced_is_selected_and_misses_are_told),
    cmocka_unit_test(what_is_forced_for_a_size_leaves_others_alone),
    cmocka_unit_test(a_missed_problem_is_noted_once),
    cmocka_unit_test(texts_of_misses_are_escaped),
    cmocka_unit_test(all_of_a_text_is_a_number_or_it_is_none),
    cmocka_unit_test(without_a_driver_nothing_is_loaded),
    cmocka_unit_test(texts_have_one_assignment_a_statement),
};
HONE_TEST_MAIN(tests)
