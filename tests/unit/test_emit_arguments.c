/* No configuration is chosen for a size that an argument of the kernel does not hold, as
 * far as the tuner knows; what other bounds prove is no check. */
#include "emit_asker.h"

// A kernel of sizes M and N with these arguments, whose launch takes any size above 0.
static struct loaded load_args(const char *args)
{
    struct loaded loaded = {.count = 1};
    struct hone_strbuf text = HONE_STRBUF_INIT;
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
    loaded.list[0] = recording_of(text.data);
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
    {MAP("N", "4 * N") "," SCALAR("i32", "M"),
     "    if (M < 1 || M != (int)M || N < 1 || N > 4294967296LL)", INT_MAX, 7},
    {MAP("64", "N") "," SCALAR("i32", "M"), "N < 1 || N > 274877906943LL || N % 4 != 0)",
     7, (INT64_C(1) << 38) - 4},
    {MAP("max(1, N)", "N * 4") "," SCALAR("i32", "M") "," SCALAR("i32", "N"),
     "    if (M < 1 || M != (int)M || N < 0 || N != (int)N || k_mul(N, 4) < 1) return 0;",
     INT_MAX, INT_MAX},
};
enum { CASES = sizeof cases / sizeof *cases };

static char *emit_as(const struct loaded *loaded, const struct hone_emit_options *options)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    assert_ok(hone_emit(&out, loaded->list, loaded->count, options, &err), err);
    return hone_strbuf_steal(&out);
}

static char *emit(const struct loaded *loaded)
{
    return emit_as(loaded, &(const struct hone_emit_options){.max_configs = 1});
}

static bool is_served_by(const struct emit_plan *plan, struct hone_limits gpu, int64_t m,
                         int64_t n)
{
    const struct hone_value problem[] = {
        {.type = HONE_INT, .i = m}, {.type = HONE_INT, .i = n}, {.type = HONE_BOOL}};
    enum emit_tier tier;
    return hone_emit_dispatch(plan, &gpu, problem, &tier) != SIZE_MAX;
}

static bool is_served(const struct emit_plan *plan, int64_t m, int64_t n)
{
    return is_served_by(plan, hone_emit_gpu_of(plan, 9, 0, 132), m, n);
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

/* --- strides of tensor maps --- */

// Of f16, with the innermost axis first.
#define AXIS(size, box) "{\"size\":\"" size "\",\"box\":\"" box "\"}"
#define APART(size, box, stride)                                                         \
    "{\"size\":\"" size "\",\"box\":\"" box "\",\"stride\":\"" stride "\"}"
#define MAP_OF(axes)                                                                     \
    "{\"kind\":\"input\",\"name\":\"A\",\"dtype\":\"f16\",\"size\":\"M * N\","           \
    "\"tensor_map\":{\"axes\":[" axes "]}}"
#define INTERLEAVED(axes)                                                                \
    "{\"kind\":\"input\",\"name\":\"A\",\"dtype\":\"f16\",\"size\":\"M * N\","           \
    "\"tensor_map\":{\"axes\":[" axes "],\"interleave\":32,\"swizzle\":32}}"

// One more journal, with constraints and derived values.
static struct loaded load_maps(const char *args, const char *where)
{
    struct loaded loaded = {.count = 1};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_printf(
        &text,
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","
        "\"values\":[8,16]}],\"problem\":{\"M\":8,\"N\":64,\"PAD\":false},"
        "\"derived\":[{\"name\":\"LD\",\"text\":\"N + (PAD and 8 or 0)\"},"
        "{\"name\":\"ROW\",\"text\":\"LD * 2\"},"
        "{\"name\":\"HALF\",\"text\":\"N // 2 * 2\"},"
        "{\"name\":\"UNIT\",\"text\":\"X == 8 and 8 or 16\"}],"
        "\"device\":{\"name\":\"A\",\"limits\":{\"arch\":\"sm_90\",\"cc_major\":9,"
        "\"sm_count\":132,\"max_shared_bytes\":232448}},\"args\":[%s],"
        "\"launch\":{\"grid\":[\"1\"],\"block\":[\"64\"]},\"where\":[%s]}\n"
        "{\"config\":[8],\"outcome\":\"valid\",\"time_us\":1}\n",
        args, where);
    loaded.list[0] = recording_of(text.data);
    hone_strbuf_fini(&text);
    return loaded;
}

static const struct {
    const char *args, *where;
    const char *has, *lacks; // of the function that says what may run; NULL: nothing
    int64_t served[2], refused[2]; // N; 0: none
} maps[] = {
    // rows that are given, and those that follow from the sizes
    {MAP_OF(AXIS("N", "64") "," APART("M", "8", "N")),
     "",
     "N % 8 != 0",
     NULL,
     {104, 8},
     {100, 4}},
    {MAP_OF(AXIS("N", "64") "," AXIS("M", "8")),
     "",
     "N % 8 != 0",
     NULL,
     {104, 8},
     {100, 4}},
    {INTERLEAVED(AXIS("N", "64") "," AXIS("M", "8")),
     "",
     "N % 16 != 0",
     NULL,
     {112, 16},
     {104, 8}},
    {MAP_OF(AXIS("N", "64") "," APART("M", "8", "N + 4")),
     "",
     "(k_add(N, 4)) % 8 != 0",
     NULL,
     {100, 4},
     {104, 8}},
    // planes: a packed one is that many rows
    {MAP_OF(AXIS("N", "64") "," AXIS("3", "1") "," AXIS("M", "1")),
     "",
     "N % 8 != 0",
     ") % 8",
     {104, 8},
     {100, 4}},
    {MAP_OF(AXIS("8", "8") "," AXIS("N", "8") "," AXIS("M", "1")),
     "",
     "N < 1",
     "% 8",
     {100, 3},
     {0, 0}},
    // what rounds, and what a parameter of the table says
    {MAP_OF(AXIS("N", "64") "," APART("M", "8", "round_up(N, 8)")),
     "",
     NULL,
     "% 8",
     {100, 3},
     {0, 0}},
    {MAP_OF(AXIS("N", "64") "," APART("M", "8", "ceil_div(N, X) * UNIT")),
     "",
     NULL,
     "% 8",
     {100, 3},
     {0, 0}},
    {MAP_OF(AXIS("N", "64") "," APART("M", "8", "ceil_div(N, X) * 4")),
     "",
     "% 8 != 0",
     NULL,
     {16, 112},
     {8, 40}},
    // what a constraint has asked already, by itself and through derived values
    {MAP_OF(AXIS("N", "64") "," APART("M", "8", "N")),
     "\"N % 8 == 0\"",
     "(N, 8) != 0",
     "N % 8",
     {104, 8},
     {100, 4}},
    {MAP_OF(AXIS("N", "64") "," AXIS("M", "8")),
     "\"N % 32 == 0 or 'no' == ''\"",
     "(N, 32) != 0",
     "N % 8",
     {64, 32},
     {104, 8}},
    {MAP_OF(AXIS("N", "64") "," APART("M", "8", "LD")),
     "\"ROW % 16 == 0\"",
     "(ROW, 16) != 0",
     "% 8 != 0",
     {104, 8},
     {100, 4}},
    {MAP_OF(AXIS("N", "64") "," APART("M", "8", "N // 2")),
     "\"HALF % 16 == 0\"",
     "(HALF, 16) != 0",
     "% 8 != 0",
     {112, 17},
     {104, 8}},
    // less than the map wants
    {MAP_OF(AXIS("N", "64") "," APART("M", "8", "N")),
     "\"N % 4 == 0\"",
     "N % 8 != 0",
     NULL,
     {104, 8},
     {100, 4}},
    {MAP_OF(AXIS("N", "64") "," APART("M", "8", "N")),
     "\"N % 8 == 0 or M > 4\"",
     "N % 8 != 0",
     NULL,
     {104, 8},
     {100, 4}},
    // boxes: lines of 16 bytes, at most 256 elements
    {MAP_OF(AXIS("64", "min(N, 64)") "," AXIS("M", "8")),
     "",
     "% 8 != 0",
     NULL,
     {104, 8},
     {4, 12}},
    {MAP_OF(AXIS("64", "8") "," AXIS("M", "N")),
     "",
     "N > 256",
     "% 8",
     {256, 3},
     {257, 1000}},
};

static void check_map(size_t i, const struct emit_plan *plan)
{
    for (size_t k = 0; k < 2; k++) {
        const int64_t served = maps[i].served[k], refused = maps[i].refused[k];
        if (served && !is_served(plan, 7, served))
            fail_msg("map %zu, N = %d is not served", i, (int)served);
        if (refused && is_served(plan, 7, refused))
            fail_msg("map %zu, N = %d is served", i, (int)refused);
    }
}

static void sizes_that_no_tensor_map_takes_are_not_served(void **state)
{
    (void)state;
    static const enum hone_emit_shape shapes[] = {HONE_SHAPE_TABLE, HONE_SHAPE_RUNTIME};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        for (size_t s = 0; s < 2; s++) {
            struct loaded loaded = load_maps(maps[i].args, maps[i].where);
            struct hone_error err = {0};
            const struct hone_emit_options options = {.shape = shapes[s]};
            struct emit_plan plan = {.geometry = HONE_STRBUF_INIT, .err = &err};
            char *text = emit_as(&loaded, &options);
            const char *fits = strstr(text, "_fits(");
            assert_non_null(fits);
            if (maps[i].has && !strstr(fits, maps[i].has))
                fail_msg("map %zu: no '%s' in %s", i, maps[i].has, fits);
            if (maps[i].lacks && strstr(fits, maps[i].lacks))
                fail_msg("map %zu: '%s' in %s", i, maps[i].lacks, fits);
            assert_ok(hone_emit_make_plan(&plan, loaded.list, 1, &options), err);
            check_map(i, &plan);
            hone_emit_plan_fini(&plan);
            free(text);
            unload(&loaded);
        }
}

// A GPU before Hopper has no tensor maps, whether the script says so or not: once.
static void tensor_maps_are_for_hopper_and_newer(void **state)
{
    (void)state;
    static const char *const wheres[] = {
        "", "\"N % 4 == 0\"", "\"device.cc_major >= 8\"",
        "\"device.cc_major == 9 or 'sm_90 only: use k' == ''\""};
    for (size_t i = 0; i < sizeof wheres / sizeof *wheres; i++) {
        struct loaded loaded = load_maps(MAP("N", "4 * N"), wheres[i]);
        struct hone_error err = {0};
        const struct hone_emit_options options = {0};
        struct emit_plan plan = {.geometry = HONE_STRBUF_INIT, .err = &err};
        char *text = emit_as(&loaded, &options);
        assert_int_equal(strstr(text, "cc_major < 9") != NULL, i < 3);
        assert_ok(hone_emit_make_plan(&plan, loaded.list, 1, &options), err);
        assert_false(is_served_by(&plan, hone_emit_gpu_of(&plan, 8, 0, 108), 64, 64));
        assert_true(is_served_by(&plan, hone_emit_gpu_of(&plan, 9, 0, 114), 64, 64));
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
        hone_strbuf_printf(&text,
                           "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\","
                           "\"params\":[{\"name\":\"X\",\"values\":[1,2]}],"
                           "\"problem\":%s,"
                           "\"launch\":{\"grid\":[\"X\"],\"block\":[\"64\"]}}\n"
                           "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1}\n",
                           problems[i]);
        loaded.list[i] = recording_of(text.data);
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
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        ask(load_maps(maps[i].args, maps[i].where), &queries, &served);
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sizes_beyond_an_argument_are_not_served),
    cmocka_unit_test(sizes_that_no_tensor_map_takes_are_not_served),
    cmocka_unit_test(tensor_maps_are_for_hopper_and_newer),
    cmocka_unit_test(sizes_below_0_are_served_where_such_were_tuned),
    cmocka_unit_test(the_header_serves_what_the_tuner_does),
    cmocka_unit_test(an_argument_without_a_c_form_leaves_the_rows),
};

HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
