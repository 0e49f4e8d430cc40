// Strategies with settings by name, and what grid's shards are made of.
#include <string.h>

#include "hone/search.h"
#include "hone_test.h"

static struct hone_strategy_fns *parse(const char *text)
{
    struct hone_strategy_fns *fns = NULL;
    struct hone_error err = {0};
    assert_ok(hone_strategy_parse(&fns, text, &err), err);
    assert_string_equal(fns->name, text);
    return fns;
}

static void settings_are_given_by_name_or_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double shard, shards;
    } cases[] = {{"grid", 1, 1},          {"grid:2/5", 2, 5},
                 {"grid:2", 2, 1},        {"grid:shards=5:shard=2", 2, 5},
                 {"grid:shards=7", 1, 7}, {"grid:3/4:shards=9", 3, 9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_strategy_fns *fns = parse(cases[i].text);
        assert_true(fns->values[0] == cases[i].shard);
        assert_true(fns->values[1] == cases[i].shards);
        free(fns);
    }
    struct hone_strategy_fns *fns = parse("sa:hot=0.25");
    assert_true(fns->values[0] == 0.25);
    assert_true(fns->values[1] == fns->settings[1].fallback);
    free(fns);
}

static void what_is_unknown_is_refused_with_a_suggestion(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"gridd:1/2", "unknown strategy 'gridd'; did you mean 'grid'?"},
        {"", "unknown strategy ''; 'hone strategies' lists them"},
        {"grid:shars=2", "strategy grid has no setting 'shars'; did you mean 'shard'?"},
        {"random:x=2", "strategy random has no setting 'x', nor any other"},
        {"random:3", "strategy random has no setting '3', nor any other"},
        {"grid:1/2/3", "strategy grid has no setting '3'"},
        {"grid:1.5/2", "shard of strategy grid wants a whole number of 1 to 1e+09, got "
                       "'1.5'"},
        {"grid:0/2", "wants a whole number of 1 to 1e+09, got '0'"},
        {"grid:", "shard of strategy grid wants a whole number"},
        {"grid:2x", "got '2x'"},
        {"grid: 2", "got ' 2'"},
        {"sa:hot=nan", "hot of strategy sa wants a number of 1e-06 to 1e+06, got 'nan'"},
        {"sa:hot=", "hot of strategy sa wants a number of 1e-06 to 1e+06, got ''"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_strategy_fns *fns = NULL;
        struct hone_error err = {0};
        assert_int_equal(hone_strategy_parse(&fns, cases[i].text, &err), HONE_EUSAGE);
        assert_null(fns);
        if (!strstr(err.text, cases[i].message)) fail_msg("said: %s", err.text);
    }
}

static void every_setting_has_a_sound_range(void **state)
{
    (void)state;
    for (size_t i = 0; hone_strategies[i]; i++) {
        const struct hone_setting *s = hone_strategies[i]->settings;
        for (size_t k = 0; s && s[k].name; k++) {
            assert_true(k < HONE_SETTINGS_MAX);
            assert_true(s[k].least <= s[k].fallback && s[k].fallback <= s[k].most);
            assert_true(strlen(s[k].help) > 5);
            assert_null(strpbrk(s[k].name, ":=/, "));
        }
    }
}

// Indices that a strategy asks for with results at once, until it stops.
static size_t run(const char *text, const struct hone_space *space, uint64_t *out,
                  bool *done)
{
    struct hone_strategy_fns *fns = parse(text);
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    const struct hone_search_options options = {.budget = UINT64_MAX,
                                                .design = HONE_DESIGN_AUTO};
    size_t count = 0, got = 0;
    assert_ok(hone_search_new(&search, fns, space, &options, &err), err);
    for (;;) {
        assert_ok(hone_search_ask(search, out + count, 3, &got, &err), err);
        if (!got) break;
        for (size_t i = 0; i < got; i++) {
            struct hone_trial trial = hone_trial_make(out[count++], HONE_LAUNCH_FAILED);
            assert_ok(hone_search_tell(search, &trial, 1, &err), err);
        }
    }
    *done = hone_search_is_done(search);
    hone_search_free(search);
    free(fns);
    return count;
}

static struct hone_space *line_space(int count)
{
    struct hone_value *values = calloc((size_t)count, sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < count; i++)
        values[i] = (struct hone_value){.type = HONE_INT, .i = i};
    const struct hone_param param = {"x", values, (size_t)count};
    const struct hone_space_def def = {.params = &param, .param_count = 1};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, &def, &err), err);
    free(values);
    return space;
}

static void shards_are_disjoint_and_together_the_space(void **state)
{
    (void)state;
    for (int count = 1; count <= 20; count++) {
        struct hone_space *space = line_space(count);
        for (int shards = 1; shards <= 22; shards++) {
            int seen[20] = {0};
            for (int shard = 1; shard <= shards; shard++) {
                char text[32];
                uint64_t out[32];
                bool done;
                snprintf(text, sizeof text, "grid:%d/%d", shard, shards);
                size_t n = run(text, space, out, &done);
                assert_true(done || n == (size_t)count);
                assert_true(n <= (size_t)(count + shards - 1) / (size_t)shards);
                for (size_t i = 0; i < n; i++)
                    seen[out[i]]++;
            }
            for (int i = 0; i < count; i++)
                assert_int_equal(seen[i], 1);
        }
        hone_space_free(space);
    }
}

static void a_shard_goes_on_where_it_stopped(void **state)
{
    (void)state;
    struct hone_space *space = line_space(20);
    struct hone_strategy_fns *fns = parse("grid:2/3");
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    const struct hone_search_options options = {.budget = UINT64_MAX};
    assert_ok(hone_search_new(&search, fns, space, &options, &err), err);
    for (uint64_t i = 1; i < 10; i += 3) {
        const struct hone_trial trial = hone_trial_make(i, HONE_CRASHED);
        assert_ok(hone_search_tell(search, &trial, 1, &err), err);
    }
    uint64_t out[20];
    size_t count;
    assert_ok(hone_search_ask(search, out, 20, &count, &err), err);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(out[i], 10 + 3 * i);
    hone_search_free(search);
    hone_space_free(space);
    free(fns);
}

static void a_shard_that_does_not_exist_is_refused(void **state)
{
    (void)state;
    struct hone_space *space = line_space(4);
    struct hone_strategy_fns *fns = parse("grid:6/5");
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    const struct hone_search_options options = {.budget = 4};
    assert_int_equal(hone_search_new(&search, fns, space, &options, &err), HONE_EUSAGE);
    assert_string_equal(err.text, "strategy grid has no shard 6 of 5");
    hone_space_free(space);
    free(fns);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(settings_are_given_by_name_or_place),
    cmocka_unit_test(what_is_unknown_is_refused_with_a_suggestion),
    cmocka_unit_test(every_setting_has_a_sound_range),
    cmocka_unit_test(shards_are_disjoint_and_together_the_space),
    cmocka_unit_test(a_shard_goes_on_where_it_stopped),
    cmocka_unit_test(a_shard_that_does_not_exist_is_refused),
};
HONE_TEST_MAIN(tests)
