// Strategies in Lua behave as those in C: on a bowl of 8 x 8 configurations whose best is
// at (5, 2), with results that come late and out of order, and with scripts that
// misbehave.
#include <pthread.h>
#include <string.h>

#include "base/log.h"
#include "hone/search.h"
#include "hone_test.h"
#include "script_test.h"

enum { VALUES = 8 };

static char warnings[4096];

static void keep_warning(void *context, enum hone_log_level level, const char *line)
{
    (void)context;
    if (level <= HONE_LOG_WARNING)
        strncat(warnings, line, sizeof warnings - strlen(warnings) - 1);
}

static struct hone_constraint constraint; // none without a text

static struct hone_space *bowl_space(void)
{
    struct hone_value numbers[VALUES];
    for (int i = 0; i < VALUES; i++)
        numbers[i] = (struct hone_value){.type = HONE_INT, .i = i};
    const struct hone_param params[] = {{"x", numbers, VALUES}, {"y", numbers, VALUES}};
    const struct hone_space_def def = {.params = params,
                                       .param_count = 2,
                                       .constraints = &constraint,
                                       .constraint_count = constraint.text != NULL};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, &def, &err), err);
    return space;
}

// Row 7 fails to launch.
static struct hone_trial bowl(const struct hone_space *space, uint64_t index)
{
    uint16_t at[2];
    hone_space_choices(space, index, at);
    if (at[1] == 7) return hone_trial_make(index, HONE_LAUNCH_FAILED);
    struct hone_trial trial = hone_trial_make(index, HONE_VALID);
    trial.time_us = 1 + (at[0] - 5) * (at[0] - 5) + (at[1] - 2) * (at[1] - 2);
    return trial;
}

static struct hone_script *load(const char *name)
{
    struct hone_script *script = NULL;
    struct hone_error err = {0};
    const struct hone_script_options options = TEST_OPTIONS;
    char path[512];
    snprintf(path, sizeof path, HONE_SOURCE_DIR "/%s", name);
    assert_ok(hone_script_load(&script, path, &options, &err), err);
    assert_int_equal(hone_script_kind(script), HONE_SCRIPT_STRATEGY);
    return script;
}

struct run {
    uint64_t order[VALUES * VALUES];
    size_t count;
    double best;
};

// Searches with `lag` results outstanding, told last first.
static struct run search(const struct hone_script *script, uint64_t budget, size_t lag)
{
    struct hone_space *space = bowl_space();
    struct hone_search *s = NULL;
    struct hone_error err = {0};
    const struct hone_search_options options = {.seed = 11, .budget = budget};
    assert_ok(hone_search_new(&s, hone_script_strategy(script), space, &options, &err),
              err);
    struct run run = {.best = -1};
    uint64_t pending[16];
    size_t waiting = 0;
    for (;;) {
        size_t got = 0;
        assert_ok(hone_search_ask(s, pending + waiting, lag - waiting, &got, &err), err);
        for (size_t i = 0; i < got; i++)
            run.order[run.count++] = pending[waiting + i];
        waiting += got;
        if (!waiting) break;
        struct hone_trial trial = bowl(space, pending[--waiting]);
        assert_ok(hone_search_tell(s, &trial, 1, &err), err);
    }
    if (hone_search_best(s)) run.best = hone_search_best(s)->time_us;
    hone_search_free(s);
    hone_space_free(space);
    return run;
}

static void assert_no_repeats(const struct run *run)
{
    bool seen[VALUES * VALUES] = {false};
    for (size_t i = 0; i < run->count; i++) {
        assert_false(seen[run->order[i]]);
        seen[run->order[i]] = true;
    }
}

static const char *const examples[] = {"examples/strategies/climb.lua",
                                       "examples/strategies/elite.lua",
                                       "examples/strategies/surrogate.lua"};
enum { EXAMPLES = sizeof examples / sizeof *examples };

static void examples_find_the_best_of_a_bowl(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++)
        for (size_t lag = 1; lag <= 4; lag++) {
            struct hone_script *script = load(examples[i]);
            warnings[0] = '\0';
            struct run run = search(script, 40, lag);
            assert_string_equal(warnings, "");
            assert_int_equal(run.count, 40);
            assert_no_repeats(&run);
            assert_true(run.best <= (i == 0 ? 1 : 2)); // the best, or next to it
            hone_script_free(script);
        }
}

static void a_run_repeats_by_its_seed(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        struct hone_script *script = load(examples[i]);
        struct run a = search(script, 30, 2), b = search(script, 30, 2);
        assert_memory_equal(a.order, b.order, 30 * sizeof *a.order);
        hone_script_free(script);
    }
}

static void every_configuration_is_reached_in_the_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        struct hone_script *script = load(examples[i]);
        struct run run = search(script, UINT64_MAX, 1);
        assert_int_equal(run.count, VALUES * VALUES);
        assert_no_repeats(&run);
        hone_script_free(script);
    }
}

static void known_configurations_cost_no_evaluation(void **state)
{
    (void)state;
    struct hone_script *script = load("tests/lua/strategy/repeats.lua");
    warnings[0] = '\0';
    struct run run = search(script, 9, 1);
    assert_string_equal(warnings, "");
    assert_int_equal(run.order[0], 3 * VALUES + 3);
    for (size_t x = 0; x < VALUES; x++)
        assert_int_equal(run.order[x + 1], x * VALUES);
    hone_script_free(script);
}

static void models_say_what_they_were_told(void **state)
{
    (void)state;
    struct hone_script *script = load("tests/lua/strategy/models.lua");
    warnings[0] = '\0';
    struct run run = search(script, 60, 1);
    assert_string_equal(warnings, "");
    assert_int_equal(run.count, 60);
    hone_script_free(script);
}

static void a_model_ends_with_its_search(void **state)
{
    (void)state;
    struct hone_script *script = load("tests/lua/strategy/stale.lua");
    warnings[0] = '\0';
    search(script, 5, 1);
    assert_string_equal(warnings, "");
    search(script, 5, 1);
    assert_non_null(strstr(warnings, "stale.lua:7: this search is over"));
    hone_script_free(script);
}

static void a_strategy_that_misbehaves_is_named_and_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *script, *warning;
    } cases[] = {
        {"raises", "raises.lua:5: out of ideas; the search goes on at random"},
        {"misspelt",
         "misspelt.lua:4: attempt to call a nil value (method 'unifrom'); did "
         "you mean 'uniform'?; the search goes on at random"},
        {"endless", "endless.lua:2: script ran over 3000000 instructions"},
        {"foreign", "foreign.lua:2: 99 is no value of parameter 'x'; the search goes on"},
        {"stranger",
         "stranger.lua:2: 'yy' is no parameter; did you mean 'y'?; the search"},
        {"cheap", "cheap.lua:6: the cost of a trial must be a number above 0, or nil"},
        {"nothing", "nothing.lua:4: ask must return a list of configurations, got a nil"},
        {"again", "again.lua:3: ask returned a configuration that was proposed before; "
                  "such ones are passed over"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[128];
        snprintf(path, sizeof path, "tests/lua/strategy/%s.lua", cases[i].script);
        struct hone_script *script = load(path);
        warnings[0] = '\0';
        struct run run = search(script, 20, 3);
        if (!strstr(warnings, cases[i].warning)) fail_msg("warned: %s", warnings);
        assert_int_equal(run.count, 20);
        assert_no_repeats(&run);
        hone_script_free(script);
    }
}

static void a_strategy_that_misbehaves_can_stop_the_search(void **state)
{
    (void)state;
    struct hone_script *script = load("tests/lua/strategy/foreign.lua");
    struct hone_space *space = bowl_space();
    struct hone_search *s = NULL;
    struct hone_error err = {0}, again = {0};
    const struct hone_search_options options = {.budget = 20,
                                                .on_error = HONE_ON_ERROR_STOP};
    uint64_t index;
    size_t count;
    warnings[0] = '\0';
    assert_ok(hone_search_new(&s, hone_script_strategy(script), space, &options, &err),
              err);
    assert_int_equal(hone_search_ask(s, &index, 1, &count, &err), HONE_EINPUT);
    assert_int_equal(count, 0);
    assert_int_equal(err.line, 2);
    assert_string_equal(err.text, "99 is no value of parameter 'x'");
    assert_int_equal(hone_search_ask(s, &index, 1, &count, &again), HONE_EINPUT);
    assert_string_equal(again.text, err.text);
    assert_string_equal(warnings, "");
    hone_search_free(s);
    hone_space_free(space);
    hone_script_free(script);
}

static void *search_in_thread(void *context)
{
    struct run *run = malloc(sizeof *run);
    *run = search(context, 40, 2);
    return run;
}

static void a_strategy_asks_which_configurations_are_allowed(void **state)
{
    (void)state;
    struct hone_script *script = load("tests/lua/strategy/allowed.lua");
    warnings[0] = '\0';
    constraint.text = "x + y < 8";
    struct run run = search(script, VALUES * VALUES, 1);
    constraint.text = NULL;
    assert_string_equal(warnings, "");
    assert_int_equal(run.count, 36);
    assert_float_equal(run.best, 1, 0);
    hone_script_free(script);
}

static void threads_may_share_a_script(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct hone_script *script = load(examples[1]);
    struct run alone = search(script, 40, 2);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, search_in_thread, script), 0);
    for (int i = 0; i < THREADS; i++) {
        void *run = NULL;
        pthread_join(threads[i], &run);
        assert_memory_equal(((struct run *)run)->order, alone.order,
                            40 * sizeof(uint64_t));
        free(run);
    }
    hone_script_free(script);
}

static int setup(void **state)
{
    (void)state;
    hone_log_set(keep_warning, NULL);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(examples_find_the_best_of_a_bowl),
    cmocka_unit_test(a_run_repeats_by_its_seed),
    cmocka_unit_test(every_configuration_is_reached_in_the_end),
    cmocka_unit_test(known_configurations_cost_no_evaluation),
    cmocka_unit_test(models_say_what_they_were_told),
    cmocka_unit_test(a_model_ends_with_its_search),
    cmocka_unit_test(a_strategy_that_misbehaves_is_named_and_replaced),
    cmocka_unit_test(a_strategy_that_misbehaves_can_stop_the_search),
    cmocka_unit_test(a_strategy_asks_which_configurations_are_allowed),
    cmocka_unit_test(threads_may_share_a_script),
};
HONE_TEST_MAIN_WITH(tests, setup, NULL)
