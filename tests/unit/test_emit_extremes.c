/* Emitted functions at the ends of their arguments: nothing is undefined there, and what
 * they choose and compute is what the tuner does. */
#include "emit_asker.h"

static void nothing_is_undefined_and_all_is_as_the_tuner_says(void **state)
{
    (void)state;
    static const char *const sets[][MOST] = {
        {"sgemm_h200", "sgemm_h200_small", "sgemm_a100", NULL},
        {"sgemm_emu", NULL},
        {"odd", NULL},
        {"plain", NULL}};
    size_t queries = 0, served = 0;
    if (system("g++ --version >/dev/null 2>&1") != 0) SKIP("no g++ here");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        ask(load(sets[i]), &queries, &served);
    print_message("%zu selections, %zu of them served\n", queries, served);
    assert_true(queries > 10000 && served > 100 && served < queries);
}

static struct loaded load_text(const struct hone_strbuf *text)
{
    assert_false(text->failed);
    return (struct loaded){.list = {recording_of(text->data)}, .count = 1};
}

// A golden journal whose grid begins with another expression.
static struct loaded load_with(const char *grid)
{
    static const char key[] = "\"grid\":[\"";
    struct hone_error err = {0};
    struct hone_strbuf edited = HONE_STRBUF_INIT;
    char *text = NULL;
    assert_ok(hone_file_read(&text, NULL,
                             HONE_SOURCE_DIR "/tests/golden/sgemm_h200_small.jsonl",
                             &err),
              err);
    char *at = strstr(text, key);
    assert_non_null(at);
    at += strlen(key);
    hone_strbuf_add_bytes(&edited, text, (size_t)(at - text));
    hone_strbuf_add(&edited, grid);
    hone_strbuf_add(&edited, strchr(at, '"'));
    const struct loaded loaded = load_text(&edited);
    hone_strbuf_fini(&edited);
    free(text);
    return loaded;
}

// What compilers know the value of, what is left out of the C form, and what has no value
// at some sizes: there no configuration is chosen.
static void odd_geometry_is_as_the_tuner_says_without_a_warning(void **state)
{
    (void)state;
    static const char *const grids[] = {"(N == N) and N or 1",
                                        "N and 4",
                                        "(M < 3 and M > 5) and 7 or N",
                                        "(2 ~ 8) + N",
                                        "(M < 4294967296) and 2 or 3",
                                        "1 + N // M",
                                        "N % (M - M) + 1",
                                        "(M == 0) and 5 or N // M",
                                        "(M ~= 0 and N // M > 3) and 2 or 3",
                                        "not (N // M) and 5 or 6",
                                        "ceil_div(N, M + 1) + 2",
                                        "(N / 4 | 1) & 7",
                                        "1 + N // (THREADS - 1)",
                                        "3 + M % (BM - BM)"};
    size_t queries = 0, served = 0;
    if (system("g++ --version >/dev/null 2>&1") != 0) SKIP("no g++ here");
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        ask(load_with(grids[i]), &queries, &served);
    print_message("%zu selections, %zu of them served\n", queries, served);
}

/* --- derived values --- */

// Each is the sum of the two before it, or twice the one before.
static struct loaded load_levels(const char *first, int levels, int back,
                                 const char *where)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_printf(&text,
                       "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":["
                       "{\"name\":\"X\",\"values\":[1,2]}],\"problem\":{\"N\":8},"
                       "\"limits\":{\"cc_major\":7,\"cc_minor\":0,\"sm_count\":80},"
                       "\"launch\":{\"grid\":[\"D%d %% 7 + 1\",\"D2\"],\"block\":[\"X\"],"
                       "\"shared\":\"D%d & 1023\"},\"where\":[%s\"D%d >= N or N > 3\"],"
                       "\"derived\":[{\"name\":\"D0\",\"text\":\"%s\"}",
                       levels, levels / 2, where, levels, first);
    for (int i = 1; i <= levels; i++)
        hone_strbuf_printf(&text, ",{\"name\":\"D%d\",\"text\":\"D%d + D%d\"}", i, i - 1,
                           i > back ? i - back : 0);
    hone_strbuf_add(&text, "]}\n{\"config\":[1],\"outcome\":\"valid\",\"time_us\":3}\n"
                           "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":4}\n");
    const struct loaded loaded = load_text(&text);
    hone_strbuf_fini(&text);
    return loaded;
}

// Computed at each use, 64 levels would take longer than there is time. What has no value
// at some sizes is known from a flag, and a constraint that is given up half way leaves
// what others read.
static void derived_values_that_double_are_computed_once(void **state)
{
    (void)state;
    static const char *const firsts[] = {"X + 1", "N + X", "1 + 64 // X", "64 // N"};
    size_t queries = 0, served = 0;
    if (system("g++ --version >/dev/null 2>&1") != 0) SKIP("no g++ here");
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        for (int back = 1; back <= 2; back++)
            ask(load_levels(firsts[i], 64, back, ""), &queries, &served);
    ask(load_levels("N", 64, 1, "\"D60 > log2(D3)\","), &queries, &served);
    print_message("%zu selections, %zu of them served\n", queries, served);
    assert_true(served > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(derived_values_that_double_are_computed_once),
    cmocka_unit_test(odd_geometry_is_as_the_tuner_says_without_a_warning),
    cmocka_unit_test(nothing_is_undefined_and_all_is_as_the_tuner_says),
};
HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
