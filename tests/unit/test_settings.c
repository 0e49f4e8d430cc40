// Strategies with settings by name, and what grid's shards are made of.
#include <string.h>

#include "base/c_text.h"
#include "base/file.h"
#include "hone/search.h"
#include "hone_test.h"
#include "space_def.h"

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
        {"ga:population=1", "wants a whole number of 2 to 200, got '1'"},
        {"ga:mutation=0.5", "mutation of strategy ga wants a whole number of 1 to"},
        {"de:population=201", "wants a whole number of 4 to 200, got '201'"},
        {"de:wieght=1", "strategy de has no setting 'wieght'; did you mean 'weight'?"},
        {"de:crossover=1.1", "crossover of strategy de wants a number of 0 to 1"},
        {"bandit:elite=101", "wants a whole number of 2 to 100, got '101'"},
        {"bandit:decay=2", "decay of strategy bandit wants a number of 0 to 1"},
        {"bayes:random=-1", "random of strategy bayes wants a number of 0 to 1"},
        {"trees:rand=1", "strategy trees has no setting 'rand'"},
        {"portfolio:patience=0", "wants a whole number of 1 to 1e+09, got '0'"},
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

// --- what settings do ---

enum { TRACE = 120, FEW = 40, BEST = (4 * 7 + 2) * 7 + 5 };

// A bowl of 7 x 7 x 7 with its best at (4, 2, 5) and ripples; the corner near it fails.
static struct hone_trial bowl(const struct hone_space *space, uint64_t index)
{
    static const int middle[] = {4, 2, 5};
    uint16_t at[3];
    double cost = 10;
    hone_space_choices(space, index, at);
    for (int p = 0; p < 3; p++)
        cost += (at[p] - middle[p]) * (at[p] - middle[p]) + 0.1 * ((at[p] + p) % 3);
    struct hone_trial trial =
        hone_trial_make(index, at[0] + at[2] < 11 ? HONE_VALID : HONE_LAUNCH_FAILED);
    if (trial.outcome == HONE_VALID) trial.time_us = cost;
    return trial;
}

static void trace_with(const struct hone_strategy_fns *fns, uint64_t out[TRACE])
{
    struct space_def d = {0};
    struct hone_space *space = NULL;
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    const struct hone_search_options options = {
        .seed = 3, .budget = TRACE, .design = HONE_DESIGN_AUTO};
    space_def_ints(&d, "A", "0 1 2 3 4 5 6");
    space_def_ints(&d, "B", "0 1 2 3 4 5 6");
    space_def_ints(&d, "C", "0 1 2 3 4 5 6");
    assert_ok(hone_space_new(&space, space_def_get(&d), &err), err);
    assert_ok(hone_search_new(&search, fns, space, &options, &err), err);
    for (size_t i = 0; i < TRACE; i++) {
        size_t count;
        assert_ok(hone_search_ask(search, &out[i], 1, &count, &err), err);
        assert_int_equal(count, 1);
        const struct hone_trial trial = bowl(space, out[i]);
        assert_ok(hone_search_tell(search, &trial, 1, &err), err);
    }
    hone_search_free(search);
    hone_space_free(space);
}

static void trace(const char *text, uint64_t out[TRACE])
{
    struct hone_strategy_fns *fns = parse(text);
    trace_with(fns, out);
    free(fns);
}

static void defaults_said_aloud_change_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; hone_strategies[i]; i++) {
        const struct hone_setting *s = hone_strategies[i]->settings;
        uint64_t silent[TRACE], said[TRACE];
        char text[256];
        snprintf(text, sizeof text, "%s", hone_strategies[i]->name);
        for (size_t k = 0; s && s[k].name; k++)
            hone_snprintf(text + strlen(text), sizeof text - strlen(text), ":%s=%.17g",
                          s[k].name, s[k].fallback);
        if (strncmp(text, "grid", 4) == 0) continue; // ends: its shards have tests above
        trace_with(hone_strategies[i], silent);
        trace(text, said);
        if (memcmp(silent, said, sizeof said) != 0) fail_msg("%s differs", text);
    }
}

// One run and another, by strategies that differ in one setting.
static const char *const pairs[][2] = {
    {"greedy_ils", "greedy_ils:kick=1"},
    {"greedy_ils", "greedy_ils:restart=1"},
    {"sa", "sa:hot=0.01"},
    {"sa", "sa:cold=0.1"},
    {"ga", "ga:population=3"},
    {"ga", "ga:mutation=1"},
    {"de", "de:population=4"},
    {"de", "de:weight=0.2"},
    {"de", "de:crossover=1"},
    {"bandit", "bandit:elite=2"},
    {"bandit", "bandit:decay=0.5"},
    {"regression", "regression:random=0.5"},
    {"trees", "trees:random=0.5"},
    {"bayes", "bayes:random=0.5"},
    {"portfolio", "portfolio:patience=5"},
    {"portfolio:patience=5", "portfolio:patience=5:share=0"},
};

static void every_setting_changes_the_search(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint64_t a[TRACE], b[TRACE];
        trace(pairs[i][0], a);
        trace(pairs[i][1], b);
        if (memcmp(a, b, sizeof a) == 0) fail_msg("%s does nothing", pairs[i][1]);
    }
}

static bool has_pair(const char *strategy, const char *setting)
{
    char words[64];
    snprintf(words, sizeof words, ":%s=", setting);
    const size_t length = strlen(strategy);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *text = pairs[i][1];
        if (strncmp(text, strategy, length) == 0 && text[length] == ':' &&
            strstr(text, words))
            return true;
    }
    return false;
}

// Those of grid choose a shard: cases of their own say what they do.
static void every_setting_has_a_pair(void **state)
{
    (void)state;
    for (size_t i = 0; hone_strategies[i]; i++) {
        const struct hone_strategy_fns *fns = hone_strategies[i];
        if (strcmp(fns->name, "grid") == 0 || !fns->settings) continue;
        for (const struct hone_setting *set = fns->settings; set->name; set++)
            if (!has_pair(fns->name, set->name))
                fail_msg("no pair tries %s:%s", fns->name, set->name);
    }
}

static void every_strategy_stands_in_its_page(void **state)
{
    (void)state;
    char *page = NULL;
    struct hone_error err = {0};
    assert_ok(hone_file_read(&page, NULL, HONE_SOURCE_DIR "/docs/strategies.md", &err),
              err);
    for (size_t i = 0; hone_strategies[i]; i++) {
        char row[64];
        snprintf(row, sizeof row, "\n| `%s` |", hone_strategies[i]->name);
        if (!strstr(page, row)) fail_msg("no row%s", row + 1);
    }
    free(page);
}

// Were its patience taken for the first setting of bayes, the share of random proposals,
// all would be random: 9 in 10 such runs miss the best.
static void parts_of_the_portfolio_keep_their_own_settings(void **state)
{
    (void)state;
    static const char *const texts[] = {"portfolio", "portfolio:patience=1",
                                        "portfolio:patience=1000"};
    for (size_t i = 0; i < 3; i++) {
        uint64_t out[TRACE];
        bool found = false;
        trace(texts[i], out);
        for (size_t k = 0; k < FEW; k++)
            found |= out[k] == BEST;
        if (!found) fail_msg("%s misses the best", texts[i]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(settings_are_given_by_name_or_place),
    cmocka_unit_test(what_is_unknown_is_refused_with_a_suggestion),
    cmocka_unit_test(every_setting_has_a_sound_range),
    cmocka_unit_test(shards_are_disjoint_and_together_the_space),
    cmocka_unit_test(a_shard_goes_on_where_it_stopped),
    cmocka_unit_test(a_shard_that_does_not_exist_is_refused),
    cmocka_unit_test(defaults_said_aloud_change_nothing),
    cmocka_unit_test(every_setting_changes_the_search),
    cmocka_unit_test(every_setting_has_a_pair),
    cmocka_unit_test(every_strategy_stands_in_its_page),
    cmocka_unit_test(parts_of_the_portfolio_keep_their_own_settings),
};
HONE_TEST_MAIN(tests)
