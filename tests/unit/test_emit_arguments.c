/* No configuration is chosen for a size that an argument of the kernel does not hold, as
 * far as the tuner knows; what other bounds prove is no check. */
#include "emit_asker.h"

#include <unistd.h>

// A kernel of sizes M and N with these arguments, whose launch takes any size above 0.
static struct loaded load_args(const char *args)
{
    struct loaded loaded = {.count = 1};
    struct hone_recording *recording = NULL;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    char path[80];
    hone_strbuf_printf(
        &text,
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","
        "\"values\":[1,2]}],\"problem\":{\"M\":8,\"N\":8,\"PAD\":false},"
        "\"derived\":[{\"name\":\"TILES\",\"text\":\"ceil_div(M, 64)\"},"
        "{\"name\":\"PART\",\"text\":\"64 // N\"}],\"args\":[%s],"
        "\"launch\":{\"grid\":[\"M > 0 and 1 or 0\",\"N > 0 and X or 0\"],"
        "\"block\":[\"64\"]}}\n"
        "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1}\n",
        args);
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    assert_ok(hone_file_write(path, text.data, text.len, &err), err);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    loaded.list[0] = recording;
    unlink(path);
    hone_strbuf_fini(&text);
    return loaded;
}

#define SCALAR(type, size)                                                               \
    "{\"kind\":\"scalar\",\"name\":\"a\",\"dtype\":\"" type "\",\"size\":\"" size "\"}"
#define MAP(size, stride)                                                                \
    "{\"kind\":\"input\",\"name\":\"A\",\"dtype\":\"f32\",\"size\":\"M * N\","           \
    "\"tensor_map\":{\"axes\":[{\"size\":\"" size "\",\"box\":\"X\"},{\"size\":\"M\","   \
    "\"box\":\"X\",\"stride\":\"" stride "\"}]}}"

static const struct {
    const char *args, *has; /* NULL: from 0 on */
    int64_t m, n;           /* is served, and is not with one more of both */
} cases[] = {
    {SCALAR("i32", "M") "," SCALAR("i32", "N"),
     "    if (M < 0 || M != (int)M || N < 0 || N != (int)N)", INT_MAX, INT_MAX},
    // once, at its narrowest
    {SCALAR("i32", "M") "," SCALAR("u16", "M"),
     "    if (M < 0 || M > 65535 || N < 0) return 0;", 65535, 7},
    {SCALAR("u32", "N"), "    if (M < 0 || N < 0 || N > 4294967295LL)", 7, UINT32_MAX},
    {SCALAR("i64", "M"), NULL, INT64_MAX - 1, 7},
    {SCALAR("u64", "M"), NULL, 7, 7},
    // another expression is as good as what it is with the choices that are fixed
    {SCALAR("i32", "M + (PAD and 1 or 0)") "," SCALAR("i32", "M"),
     "    if (M < 0 || M != (int)M", INT_MAX, 7},
    // what the type of M proves
    {SCALAR("i32", "M") "," SCALAR("i32", "TILES") "," SCALAR("i32", "M // 2"),
     "    if (M < 0 || M != (int)M || N < 0) return 0;", INT_MAX, 7},
    {SCALAR("i32", "M") "," SCALAR("i32", "M + 8"), "|| k_add(M, 8) > 2147483647)",
     INT_MAX - 8, 7},
    {SCALAR("i32", "64"), NULL, INT64_MAX - 1, 7},
    {SCALAR("i32", "X * 2"), NULL, INT64_MAX - 1, 7},
    {SCALAR("i32", "device.sm_count"), NULL, INT64_MAX - 1, 7},
    // floats: the whole ones of an integer, any of a float that has a value
    {SCALAR("i32", "M / 1"), "k_cmp_fi(", INT_MAX, 7},
    {SCALAR("f32", "1.0 / N"), NULL, INT64_MAX - 1, 7},
    {SCALAR("f32", "PART"), "if (M < 0 || N < 0 || !(known_PART)) return 0;", 7, 7},
    {SCALAR("f32", "64 // (N - 9)"), "if (M < 0 || N < 0 || !(", 7, 7},
    {SCALAR("f32", "log2(M)"), NULL, INT64_MAX - 1, 7},
    // what tensor maps hold; an empty axis is none
    {MAP("N", "N") "," SCALAR("i32", "M"),
     "    if (M < 1 || M != (int)M || N < 1 || N > 4294967296LL)", INT_MAX, 7},
    {MAP("64", "N") "," SCALAR("i32", "M"), "N < 1 || N > 274877906943LL", 7,
     (INT64_C(1) << 38) - 1},
    {MAP("max(1, N)", "N * 4") "," SCALAR("i32", "M") "," SCALAR("i32", "N"),
     "    if (M < 1 || M != (int)M || N < 0 || N != (int)N || k_mul(N, 4) < 1) return 0;",
     INT_MAX, INT_MAX},
};
enum { CASES = sizeof cases / sizeof *cases };

static char *emit(const struct loaded *loaded)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    const struct hone_emit_options options = {.max_configs = 1};
    assert_ok(hone_emit(&out, loaded->list, loaded->count, &options, &err), err);
    return hone_strbuf_steal(&out);
}

static bool is_served(const struct emit_plan *plan, int64_t m, int64_t n)
{
    const struct hone_value problem[] = {
        {.type = HONE_INT, .i = m}, {.type = HONE_INT, .i = n}, {.type = HONE_BOOL}};
    const struct hone_limits gpu = hone_emit_gpu_of(plan, 9, 0, 132);
    enum emit_tier tier;
    return hone_emit_dispatch(plan, &gpu, problem, &tier) != SIZE_MAX;
}

static void sizes_beyond_an_argument_are_not_served(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct loaded loaded = load_args(cases[i].args);
        struct hone_error err = {0};
        const struct hone_emit_options options = {.max_configs = 1};
        struct emit_plan plan = {.geometry = HONE_STRBUF_INIT, .err = &err};
        char *text = emit(&loaded);
        const char *fits = strstr(text, "k_fits(int number");
        assert_non_null(fits);
        const char *has =
            cases[i].has ? cases[i].has : "    if (M < 0 || N < 0) return 0;";
        if (!strstr(fits, has)) fail_msg("case %zu: no '%s' in %s", i, has, fits);
        assert_ok(hone_emit_make_plan(&plan, loaded.list, 1, &options), err);
        const int64_t m = cases[i].m, n = cases[i].n;
        if (!is_served(&plan, m, n)) fail_msg("case %zu is not served", i);
        const bool narrower = cases[i].has && (m > 7 || n > 7);
        if (is_served(&plan, m + (m > 7), n + (n > 7)) == narrower)
            fail_msg("case %zu, one more", i);
        hone_emit_plan_fini(&plan);
        free(text);
        unload(&loaded);
    }
}

// A kernel whose launch reads neither size, tuned for these.
static struct loaded load_tuned(const char *first, const char *second)
{
    struct loaded loaded = {.count = 2};
    const char *const problems[] = {first, second};
    for (size_t i = 0; i < 2; i++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        struct hone_recording *recording = NULL;
        struct hone_error err = {0};
        char path[80];
        hone_strbuf_printf(&text,
                           "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\","
                           "\"params\":[{\"name\":\"X\",\"values\":[1,2]}],"
                           "\"problem\":%s,"
                           "\"launch\":{\"grid\":[\"X\"],\"block\":[\"64\"]}}\n"
                           "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1}\n",
                           problems[i]);
        snprintf(path, sizeof path, "%s/%zu.jsonl", folder, i);
        assert_ok(hone_file_write(path, text.data, text.len, &err), err);
        assert_ok(hone_recording_load(&recording, path, &err), err);
        loaded.list[i] = recording;
        unlink(path);
        hone_strbuf_fini(&text);
    }
    return loaded;
}

/* Nothing is chosen for a size below 0, whatever the launch makes of it, but for those
 * that the script has problems of. */
static void sizes_below_0_are_served_where_such_were_tuned(void **state)
{
    (void)state;
    static const struct {
        const char *second;
        int64_t least_m, least_n;
    } tuned[] = {{"{\"M\":4,\"N\":1}", 0, 0},
                 {"{\"M\":4,\"N\":-2}", 0, -2},
                 {"{\"M\":-3,\"N\":2}", -3, 0}};
    for (size_t i = 0; i < sizeof tuned / sizeof *tuned; i++) {
        struct loaded loaded = load_tuned("{\"M\":8,\"N\":8}", tuned[i].second);
        struct hone_error err = {0};
        const struct hone_emit_options options = {.max_configs = 1};
        struct emit_plan plan = {.geometry = HONE_STRBUF_INIT, .err = &err};
        assert_ok(hone_emit_make_plan(&plan, loaded.list, 2, &options), err);
        const int64_t m = tuned[i].least_m, n = tuned[i].least_n;
        if (!is_served(&plan, m, n + 9) || !is_served(&plan, m + 9, n))
            fail_msg("case %zu: a tuned size", i);
        if (is_served(&plan, m - 1, 9) || is_served(&plan, 9, n - 1) ||
            is_served(&plan, INT64_MIN, 9))
            fail_msg("case %zu: a size that is none", i);
        hone_emit_plan_fini(&plan);
        unload(&loaded);
    }
}

static void the_header_serves_what_the_tuner_does(void **state)
{
    (void)state;
    size_t queries = 0, served = 0;
    if (system("g++ --version >/dev/null 2>&1") != 0) SKIP("no g++ here");
    for (size_t i = 0; i < CASES; i++)
        ask(load_args(cases[i].args), &queries, &served);
    print_message("%zu selections, %zu of them served\n", queries, served);
    assert_true(served > 100 && served < queries);
}

/* What C cannot compute, nobody can check: such a header serves its rows. */
static void an_argument_without_a_c_form_leaves_the_rows(void **state)
{
    (void)state;
    struct loaded loaded = load_args(SCALAR("i32", "log2(M)"));
    char *text = emit(&loaded);
    assert_non_null(strstr(text, "as a constraint has no C form: a\n"));
    free(text);
    unload(&loaded);
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    return rmdir(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sizes_beyond_an_argument_are_not_served),
    cmocka_unit_test(sizes_below_0_are_served_where_such_were_tuned),
    cmocka_unit_test(the_header_serves_what_the_tuner_does),
    cmocka_unit_test(an_argument_without_a_c_form_leaves_the_rows),
};

HONE_TEST_MAIN_WITH(tests, setup, teardown)
