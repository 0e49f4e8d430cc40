// What the scripts of the project's kernels promise about their spaces, without compiling
// anything.
#include <glob.h>
#include <string.h>

#include "hone/device.h"
#include "hone/kernel.h"
#include "hone/script.h"
#include "hone_test.h"
#include "record/problem_list.h"

struct opened {
    struct hone_script *script;
    struct hone_space *space;
};

static struct opened open_space_with(const char *path, const char *device,
                                     const struct hone_script_set *sets, size_t count)
{
    struct opened o = {0};
    struct hone_limits limits;
    struct hone_error err = {0};
    assert_ok(hone_device_limits(&limits, device, &err), err);
    const struct hone_script_options options = {
        .limits = &limits, .set = sets, .set_count = count};
    assert_ok(hone_script_load(&o.script, path, &options, &err), err);
    assert_ok(hone_space_new(&o.space, &hone_script_def(o.script)->space, &err), err);
    return o;
}

static struct opened open_space(const char *path, const char *device,
                                struct hone_script_set set)
{
    return open_space_with(path, device, &set, set.name ? 1 : 0);
}

static void close_space(struct opened o)
{
    hone_space_free(o.space);
    hone_script_free(o.script);
}

// --- products: the ring of stages ---

// Value of a constant at a size that is verified, other where there is none of that name.
static int64_t size_of(const struct hone_kernel_def *def, size_t verified,
                       const char *name, int64_t other)
{
    for (size_t i = 0; i < def->problem_count; i++)
        if (strcmp(def->space.constants[i].name, name) == 0)
            return def->verify[verified].values[i].i;
    return other;
}

// The verified size with most of K.
static size_t deepest(const struct hone_kernel_def *def)
{
    size_t deep = 0;
    for (size_t i = 1; i < def->verify_count; i++)
        if (size_of(def, i, "K", 0) > size_of(def, deep, "K", 0)) deep = i;
    assert_true(size_of(def, deep, "K", 0) > 0);
    return deep;
}

// Value of a parameter or what is derived, other where there is none of that name.
static int64_t value_of(const struct hone_space *space, const struct hone_value *slots,
                        const char *name, int64_t other)
{
    const char *const *names = hone_space_names(space);
    for (size_t i = 0; i < hone_space_name_count(space); i++)
        if (strcmp(names[i], name) == 0) return slots[i].i;
    return other;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

// Tiles, and parts of them, that a block of a persistent grid computes at least, through
// one ring; 1 where the grid has a block for each.
static int64_t tiles_of_a_block(const struct opened *o, const struct hone_value *slots,
                                size_t verified)
{
    const struct hone_kernel_def *def = hone_script_def(o->script);
    const int64_t blocks = size_of(def, verified, "SMS", 0);
    if (blocks == 0) return 1;
    const int64_t tiles =
        ceil_div(size_of(def, verified, "M", 1), value_of(o->space, slots, "BM", 1)) *
        ceil_div(size_of(def, verified, "N", 1), value_of(o->space, slots, "BN", 1)) *
        value_of(o->space, slots, "SPLIT_K", 1);
    return tiles > blocks ? tiles / blocks : 1;
}

// size: an element's, in what BK counts in.
static void check_ring(const char *path, const char *type, int64_t size)
{
    enum { LOOKS = 20000, NAMES_MAX = 128 };
    const struct opened o =
        open_space(path, "emu:h200", (struct hone_script_set){"TYPE", type});
    const struct hone_kernel_def *def = hone_script_def(o.script);
    const size_t deep = deepest(def);
    const int64_t depth = size_of(def, deep, "K", 0);
    const uint64_t count = hone_space_count(o.space);
    struct hone_value slots[NAMES_MAX];
    struct hone_error err = {0};
    assert_in_range(hone_space_name_count(o.space), 1, NAMES_MAX);
    for (uint64_t i = 0; i < LOOKS; i++) {
        const uint64_t index = (uint64_t)((double)count / LOOKS * (double)i);
        assert_ok(hone_space_slots(o.space, index, slots, &err), err);
        const int64_t tile = value_of(o.space, slots, "BK", 128) / size;
        const int64_t splits = value_of(o.space, slots, "SPLIT_K", 1);
        const int64_t rounds =
            ceil_div(ceil_div(depth, tile), splits) * tiles_of_a_block(&o, slots, deep);
        assert_true(rounds > value_of(o.space, slots, "STAGES", INT64_MAX));
    }
    close_space(o);
}

// The verified size with the most rows.
static size_t longest(const struct hone_kernel_def *def)
{
    size_t most = 0;
    for (size_t i = 1; i < def->verify_count; i++)
        if (size_of(def, i, "rows", 0) > size_of(def, most, "rows", 0)) most = i;
    return most;
}

// Bulk copies of rows: a stage is waited for at both parities, and at the first again.
static void check_ring_of_rows(const char *path, const char *type)
{
    enum { LOOKS = 20000, NAMES_MAX = 128, SIZES = 3 };
    static const char *const sizes[SIZES] = {"rows", "cols", "BLOCKS"};
    const struct opened own =
        open_space(path, "emu:h200", (struct hone_script_set){"TYPE", type});
    const struct hone_kernel_def *def = hone_script_def(own.script);
    struct hone_script_set sets[SIZES + 1] = {{"TYPE", type}};
    char texts[SIZES][24];
    for (size_t i = 0; i < SIZES; i++) {
        snprintf(texts[i], sizeof texts[i], "%lld",
                 (long long)size_of(def, longest(def), sizes[i], -1));
        sets[i + 1] = (struct hone_script_set){sizes[i], texts[i]};
    }
    const struct opened o = open_space_with(path, "emu:h200", sets, SIZES + 1);
    const uint64_t count = hone_space_count(o.space);
    struct hone_value slots[NAMES_MAX];
    struct hone_error err = {0};
    size_t rings = 0;
    assert_in_range(hone_space_name_count(o.space), 1, NAMES_MAX);
    for (uint64_t i = 0; i < LOOKS; i++) {
        const uint64_t index = (uint64_t)((double)count / LOOKS * (double)i);
        assert_ok(hone_space_slots(o.space, index, slots, &err), err);
        const int64_t stages = value_of(o.space, slots, "BULK", 0);
        if (stages == 0) continue;
        rings++;
        assert_true(value_of(o.space, slots, "SMEM", 0) > 0); // copies are made
        assert_true(ceil_div(value_of(o.space, slots, "GROUPS", 0),
                             value_of(o.space, slots, "STAYING", 1)) > 2 * stages);
    }
    assert_true(rings > 0);
    close_space(o);
    close_space(own);
}

static void ring_of_every_kernel_on_rows_wraps_twice_at_a_verified_size(void **state)
{
    (void)state;
    static const char *const scripts[] = {"kernels/softmax.lua", "kernels/rmsnorm.lua",
                                          "kernels/layernorm.lua"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        check_ring_of_rows(scripts[i], "bf16");
        check_ring_of_rows(scripts[i], "f32");
    }
}

// The same of tiles of an array, at the size that is for one block.
static void check_ring_of_tiles(const char *type)
{
    enum { LOOKS = 20000, NAMES_MAX = 128 };
    const struct opened own = open_space("kernels/reduction.lua", "emu:h200",
                                         (struct hone_script_set){"TYPE", type});
    const struct hone_kernel_def *def = hone_script_def(own.script);
    size_t verified = 0;
    while (verified < def->verify_count && size_of(def, verified, "BLOCKS", 0) != 1)
        verified++;
    assert_true(verified < def->verify_count);
    const int64_t elements = size_of(def, verified, "N", 0);
    const uint64_t count = hone_space_count(own.space);
    struct hone_value slots[NAMES_MAX];
    struct hone_error err = {0};
    size_t rings = 0;
    assert_in_range(hone_space_name_count(own.space), 1, NAMES_MAX);
    for (uint64_t i = 0; i < LOOKS; i++) {
        const uint64_t index = (uint64_t)((double)count / LOOKS * (double)i);
        assert_ok(hone_space_slots(own.space, index, slots, &err), err);
        const int64_t stages = value_of(own.space, slots, "BULK", 0);
        if (stages == 0) continue;
        rings++;
        assert_true(elements / value_of(own.space, slots, "TILE", INT64_MAX) >
                    2 * stages);
    }
    assert_true(rings > 0);
    close_space(own);
}

static void ring_of_a_reduction_wraps_twice_at_a_verified_size(void **state)
{
    (void)state;
    check_ring_of_tiles("f32");
    check_ring_of_tiles("bf16");
}

static void ring_of_every_product_wraps_at_a_verified_size(void **state)
{
    (void)state;
    check_ring("kernels/sgemm.lua", "f32", 1);
    check_ring("kernels/sgemm.lua", "f64", 1);
    static const char *const scripts[] = {
        "kernels/gemm_mma.lua", "kernels/gemm_batched.lua", "kernels/gemm_grouped.lua"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        check_ring(scripts[i], "bf16", 2);
        check_ring(scripts[i], "tf32", 4);
        check_ring(scripts[i], "i8", 1);
        check_ring(scripts[i], "e4m3", 1);
    }
    check_ring("kernels/gemm_sm90.lua", "f16", 2);
    check_ring("kernels/gemm_w4a16.lua", "f16", 1);
    check_ring("kernels/gemm_w4a16_sm90.lua", "f16", 1);
}

// --- products on tensor cores: how many ---

static uint64_t count_with(const char *name, const char *value)
{
    const struct opened o = open_space("kernels/gemm_mma.lua", "emu:a100",
                                       (struct hone_script_set){name, value});
    const uint64_t count = hone_space_count(o.space);
    close_space(o);
    return count;
}

static void an_a100_has_20000_products_with_odd_tiles_among_them(void **state)
{
    (void)state;
    static const char *const tiles[][2] = {
        {"BM", "96"}, {"BM", "192"}, {"BN", "96"}, {"BN", "192"},
        {"WM", "48"}, {"WM", "96"},  {"WN", "48"}, {"WN", "96"},
    };
    assert_int_equal(count_with(NULL, NULL), 1250592); // as its page says
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        assert_in_range(count_with(tiles[i][0], tiles[i][1]), 20000, 1250592);
}

// --- sizes to tune together ---

static bool default_is_valid(struct opened o)
{
    const struct hone_value *defaults = hone_script_def(o.script)->defaults;
    uint16_t choices[32] = {0};
    uint64_t index;
    for (size_t i = 0; i < hone_space_param_count(o.space); i++)
        assert_int_equal(hone_space_choice_of(o.space, i, defaults[i], &choices[i]),
                         HONE_OK);
    return hone_space_index(o.space, choices, &index) == HONE_OK;
}

// The script with the sizes of a problem that differ from its own: integers, all of them.
static void check_problem(const char *script, const struct hone_kernel_def *def,
                          const struct hone_value *values)
{
    enum { MAX_SIZES = 16 };
    struct hone_script_set sets[MAX_SIZES];
    char texts[MAX_SIZES][24];
    size_t count = 0;
    for (size_t i = 0; i < def->problem_count; i++) {
        if (values[i].type != HONE_INT) continue;
        assert_true(count < MAX_SIZES);
        snprintf(texts[count], sizeof texts[count], "%lld", (long long)values[i].i);
        sets[count] =
            (struct hone_script_set){def->space.constants[i].name, texts[count]};
        count++;
    }
    const struct opened o = open_space_with(script, "emu:h200", sets, count);
    if (!default_is_valid(o)) fail_msg("%s: its default at %s ...", script, texts[0]);
    close_space(o);
}

static void default_is_valid_at_every_problem_of_the_lists(void **state)
{
    (void)state;
    static const char *const lists[][2] = {
        {"sgemm", "gemm"},
        {"gemm_mma", "gemm"},
        {"gemm_batched", "gemm_batched"},
        {"gemm_sm90", "gemm_sm90"},
        {"gemm_w4a16", "w4a16"},
        {"gemm_w4a16_sm90", "w4a16"},
        {"w4_shuffle", "w4_shuffle"},
        {"gemm_grouped", "gemm_grouped"},
        {"gemm_grouped_sm90", "gemm_grouped_sm90"},
        {"attention", "attention"},
        {"attention_sm90", "attention_sm90"},
        {"attention_decode", "attention_decode"},
        {"mla_decode", "mla_decode"},
        {"softmax", "softmax"},
        {"rmsnorm", "norm"},
        {"layernorm", "norm"},
        {"reduction", "reduction"},
        {"transpose", "transpose"},
        {"convolution", "convolution"},
        {"stencil", "stencil"},
        {"nbody", "nbody"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char script[64], path[64];
        snprintf(script, sizeof script, "kernels/%s.lua", lists[i][0]);
        snprintf(path, sizeof path, "kernels/problems/%s.txt", lists[i][1]);
        const struct opened o =
            open_space(script, "emu:h200", (struct hone_script_set){0});
        const struct hone_kernel_def *def = hone_script_def(o.script);
        struct hone_problem_list list = {0};
        struct hone_error err = {0};
        assert_ok(hone_problem_list_read(&list, path, def->space.constants,
                                         def->problem_count, &err),
                  err);
        assert_in_range(list.count, 5, 100);
        for (size_t j = 0; j < list.count; j++)
            check_problem(script, def, list.items[j].values);
        hone_problem_list_fini(&list);
        close_space(o);
    }
}

// --- data ---

static enum hone_fill fill_of(const struct hone_kernel_def *def, const char *name)
{
    size_t i = 0;
    while (i < def->arg_count && strcmp(def->args[i].name, name) != 0)
        i++;
    assert_true(i < def->arg_count);
    return def->args[i].fill;
}

// Flat weights, or eight bits with five exponents, are what no model has.
static void data_are_what_a_kernel_is_for(void **state)
{
    (void)state;
    static const struct {
        const char *script, *type, *first, *second;
        enum hone_fill fill;
    } cases[] = {
        {"attention", "bf16", "Q", "K", HONE_FILL_NORMAL},
        {"attention_sm90", "e4m3", "Q", "K", HONE_FILL_NORMAL},
        {"attention_decode", "f16", "Q", "K", HONE_FILL_NORMAL},
        {"mla_decode", "bf16", "Q", "K", HONE_FILL_NORMAL},
        {"gemm_mma", "e4m3", "A", "B", HONE_FILL_NORMAL},
        {"gemm_batched", "e5m2", "A", "B", HONE_FILL_NORMAL},
        {"gemm_grouped", "e4m3", "A", "B", HONE_FILL_NORMAL},
        {"gemm_grouped_sm90", "e5m2", "A", "B", HONE_FILL_NORMAL},
        {"gemm_mma", "bf16", "A", "B", HONE_FILL_UNIFORM},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char script[64];
        snprintf(script, sizeof script, "kernels/%s.lua", cases[i].script);
        const struct opened o = open_space(
            script, "emu:h200", (struct hone_script_set){"TYPE", cases[i].type});
        const struct hone_kernel_def *def = hone_script_def(o.script);
        assert_int_equal(fill_of(def, cases[i].first), cases[i].fill);
        assert_int_equal(fill_of(def, cases[i].second), cases[i].fill);
        close_space(o);
    }
}

// A time below that of the counted bytes is called implausible, and groups of no row read
// no B.
static void groups_count_half_of_their_rows_and_matrices(void **state)
{
    (void)state;
    static const char *const kernels[] = {"gemm_grouped", "gemm_grouped_sm90"};
    const double m = 8192, n = 4096, k = 7168, groups = 8;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char path[64];
        struct hone_kernel *kernel;
        struct hone_job job;
        struct hone_error err = {0};
        snprintf(path, sizeof path, "kernels/%s.lua", kernels[i]);
        struct opened o = open_space(path, "emu:h100", (struct hone_script_set){0});
        assert_ok(hone_kernel_new(&kernel, hone_script_def(o.script), o.space, &err),
                  err);
        assert_ok(hone_kernel_job(&job, kernel, 0, NULL, &err), err);
        assert_true(job.flops == 2 * (m / 2) * n * k);
        assert_true(job.bytes == 2 * (m / 2 * k + groups / 2 * k * n + m / 2 * n));
        hone_job_fini(&job);
        hone_kernel_free(kernel);
        close_space(o);
    }
}

// --- what a GPU lacks ---

// Do configurations ask for nothing of sm_80?
static void check_older(const char *script, const struct hone_space *space)
{
    enum { LOOKS = 20000, NAMES_MAX = 128 };
    struct hone_value slots[NAMES_MAX];
    struct hone_error err = {0};
    const uint64_t count = hone_space_count(space);
    assert_in_range(hone_space_name_count(space), 1, NAMES_MAX);
    for (uint64_t i = 0; i < LOOKS; i++) {
        const uint64_t index = (uint64_t)((double)count / LOOKS * (double)i);
        assert_ok(hone_space_slots(space, index, slots, &err), err);
        if (value_of(space, slots, "PREFETCH", 0) > 128 ||
            value_of(space, slots, "EVICT", 0) || value_of(space, slots, "ASYNC", 0) ||
            value_of(space, slots, "BULK", 0) || value_of(space, slots, "STORE", 0) > 1)
            fail_msg("%s: configuration %llu", script, (unsigned long long)index);
    }
}

// Is there anything for an RTX 2080 Ti? What is refused has to say why.
static bool runs_on_older(const char *script, const struct hone_script_set *set)
{
    struct hone_limits limits;
    struct hone_script *loaded = NULL;
    struct hone_space *space = NULL;
    struct hone_error err = {0}, refused = {0};
    assert_ok(hone_device_limits(&limits, "emu:rtx2080ti", &err), err);
    const struct hone_script_options options = {
        .limits = &limits, .set = set, .set_count = set->name ? 1 : 0};
    if (hone_script_load(&loaded, script, &options, &err) != HONE_OK) {
        assert_true(set->name); // the script has no such choice
        return false;
    }
    const enum hone_status status =
        hone_space_new(&space, &hone_script_def(loaded)->space, &refused);
    if (status == HONE_OK)
        check_older(script, space);
    else if (!strstr(refused.text, "device.cc_major"))
        fail_msg("%s: %s", script, refused.text);
    hone_space_free(space);
    hone_script_free(loaded);
    return status == HONE_OK;
}

static bool is_among(const char *script, const char *const *list)
{
    while (*list && !strstr(script, *list))
        list++;
    return *list;
}

// A header chooses for GPUs that nothing was tuned on: what they cannot build is for the
// script to say.
static void no_space_has_what_an_older_gpu_cannot_build(void **state)
{
    (void)state;
    static const char *const all[] = {
        "/convolution.", "/nbody.",   "/reduction.", "/sgemm.",     "/stencil.",
        "/transpose.",   "/softmax.", "/rmsnorm.",   "/layernorm.", NULL};
    static const char *const in_16_bits[] = {"/reduction.", NULL}; // converts one at once
    static const struct hone_script_set sets[] = {{0},
                                                  {"TYPE", "f32"},
                                                  {"TYPE", "f16"},
                                                  {"TYPE", "bf16"},
                                                  {"OUT", "bf16"},
                                                  {"OUT", "f16"},
                                                  {"OP", "max"}};
    glob_t scripts;
    assert_int_equal(glob("kernels/*.lua", 0, NULL, &scripts), 0);
    assert_true(scripts.gl_pathc >= 21);
    for (size_t i = 0; i < scripts.gl_pathc; i++)
        for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
            const bool narrow = sets[s].name && strstr(sets[s].value, "f16");
            if (!runs_on_older(scripts.gl_pathv[i], &sets[s])) continue;
            if (!is_among(scripts.gl_pathv[i], narrow ? in_16_bits : all) ||
                (sets[s].name && strcmp(sets[s].name, "OP") == 0))
                fail_msg("%s: %s", scripts.gl_pathv[i], "there are some");
        }
    globfree(&scripts);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(groups_count_half_of_their_rows_and_matrices),
    cmocka_unit_test(data_are_what_a_kernel_is_for),
    cmocka_unit_test(ring_of_every_product_wraps_at_a_verified_size),
    cmocka_unit_test(ring_of_every_kernel_on_rows_wraps_twice_at_a_verified_size),
    cmocka_unit_test(ring_of_a_reduction_wraps_twice_at_a_verified_size),
    cmocka_unit_test(an_a100_has_20000_products_with_odd_tiles_among_them),
    cmocka_unit_test(default_is_valid_at_every_problem_of_the_lists),
    cmocka_unit_test(no_space_has_what_an_older_gpu_cannot_build),
};

HONE_TEST_MAIN(tests)
