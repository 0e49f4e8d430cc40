// The session loop on a scripted evaluator: what it spends, records, reports and keeps.
#include "session_fixture.h"

#include "base/clock.h"

static void budget_is_spent_exactly(void **state)
{
    (void)state;
    for (size_t i = 0; hone_strategies[i]; i++)
        for (uint64_t budget = 0; budget < COUNT; budget += 5) {
            struct actor actor = make_actor(budget % 2 ? wide : plain);
            struct hone_session_options options =
                make_options(hone_strategies[i]->name, budget);
            struct hone_session_result result;
            struct hone_error err = {0};
            assert_ok(run(&result, &actor, &options, &err), err);
            assert_int_equal(result.stop, HONE_STOP_BUDGET);
            assert_int_equal(result.done, budget);
            assert_int_equal(actor.submitted, budget);
            assert_int_equal(actor.in_flight, 0);
        }
}

static void whole_space_is_evaluated_once_and_then_it_ends(void **state)
{
    (void)state;
    for (size_t i = 0; hone_strategies[i]; i++) {
        struct actor actor = make_actor(wide);
        struct hone_session_options options =
            make_options(hone_strategies[i]->name, UINT64_MAX);
        struct hone_session_result result;
        struct hone_error err = {0};
        assert_ok(run(&result, &actor, &options, &err), err);
        assert_int_equal(result.stop, HONE_STOP_EXHAUSTED);
        for (int j = 0; j < COUNT; j++)
            assert_int_equal(actor.times[j], 1);
        assert_int_equal(result.outcomes[HONE_CRASHED], 8);
        assert_int_equal(result.outcomes[HONE_VALID], COUNT - 8);
        assert_true(result.has_best);
        assert_int_equal(result.best.index, 23);
    }
}

static void first_is_the_authors_default_when_valid(void **state)
{
    (void)state;
    const uint64_t starts[] = {7, 10}; // index 10 fails
    for (int i = 0; i < 2; i++) {
        struct actor actor = make_actor(plain);
        struct hone_session_options options = make_options("random", 5);
        options.search.start = &starts[i];
        options.search.start_count = 1;
        struct hone_session_result result;
        struct hone_error err = {0};
        assert_ok(run(&result, &actor, &options, &err), err);
        assert_int_equal(actor.times[starts[i]], 1);
        assert_int_equal(result.has_first, i == 0);
        if (i == 0) assert_int_equal(result.first.index, 7);
    }
}

static void journal_holds_every_trial_once(void **state)
{
    (void)state;
    struct actor actor = make_actor(wide);
    struct hone_session_options options = make_options("greedy_ils", 30);
    struct hone_session_result result;
    struct hone_error err = {0};
    bool seen[COUNT] = {false};
    options.journal = new_journal();
    assert_ok(run(&result, &actor, &options, &err), err);
    close_journal(options.journal);
    assert_int_equal(recorded(seen), 30);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(seen[i], actor.times[i]);
}

static void same_seed_gives_the_same_journal(void **state)
{
    (void)state;
    for (size_t i = 0; hone_strategies[i]; i++) {
        char *first = journal_text(&wide, hone_strategies[i]->name);
        char *second = journal_text(&wide, hone_strategies[i]->name);
        assert_string_equal(first, second);
        free(first);
        free(second);
    }
}

// What a run of budget evaluates when it is stopped after some and resumed.
static void run_in_two_parts(const char *strategy, size_t first_part, bool seen[COUNT])
{
    struct hone_session_options options = make_options(strategy, first_part);
    struct hone_session_result result;
    struct hone_error err = {0};
    struct actor actor = make_actor(plain);
    options.search.design = 6;
    options.journal = new_journal();
    assert_ok(run(&result, &actor, &options, &err), err);
    close_journal(options.journal);

    struct hone_trial known[COUNT];
    struct hone_recording *done = NULL;
    const struct hone_record_info info = journal_info();
    assert_ok(hone_journal_resume(&options.journal, &done, path, &info, 0, &err), err);
    for (size_t i = 0; i < hone_recording_count(done); i++) {
        uint16_t choices[2];
        known[i] = *hone_recording_trial(done, i);
        hone_space_choices(hone_recording_space(done), known[i].index, choices);
        assert_int_equal(hone_space_index(space, choices, &known[i].index), HONE_OK);
    }
    options.resumed = known;
    options.resumed_count = hone_recording_count(done);
    options.search.budget = 25;
    assert_ok(run(&result, &actor, &options, &err), err);
    close_journal(options.journal);
    hone_recording_free(done);
    assert_int_equal(result.resumed, first_part);
    assert_int_equal(result.done, 25);
    assert_int_equal(result.stop, HONE_STOP_BUDGET);
    assert_int_equal(recorded(seen), 25);
}

static void resumed_run_evaluates_what_an_uninterrupted_one_would(void **state)
{
    (void)state;
    const char *const strategies[] = {"grid", "random"};
    for (int i = 0; i < 2; i++)
        for (size_t part = 0; part <= 25; part += 5) {
            struct hone_session_options options = make_options(strategies[i], 25);
            options.search.design = 6;
            struct hone_session_result result;
            struct hone_error err = {0};
            struct actor actor = make_actor(plain);
            assert_ok(run(&result, &actor, &options, &err), err);
            bool seen[COUNT] = {false};
            run_in_two_parts(strategies[i], part, seen);
            for (int j = 0; j < COUNT; j++)
                assert_int_equal(seen[j], actor.times[j]);
        }
}

static void resumed_results_may_repeat_and_count_once(void **state)
{
    (void)state;
    const struct hone_trial known[] = {figure(23), figure(10), figure(23)};
    const uint64_t start = 23;
    struct actor actor = make_actor(plain);
    struct hone_session_options options = make_options("random", 6);
    options.resumed = known;
    options.resumed_count = 3;
    options.search.start = &start;
    options.search.start_count = 1;
    struct hone_session_result result;
    struct hone_error err = {0};
    assert_ok(run(&result, &actor, &options, &err), err);
    assert_int_equal(result.resumed, 2);
    assert_int_equal(result.done, 6);
    assert_int_equal(actor.submitted, 4);
    assert_int_equal(actor.times[23] + actor.times[10], 0);
    assert_true(result.has_first && result.first.index == 23);
}

static void foreign_resumed_trial_fails_the_run(void **state)
{
    (void)state;
    const struct hone_trial known = figure(COUNT + 1);
    struct actor actor = make_actor(plain);
    struct hone_session_options options = make_options("random", 6);
    options.resumed = &known;
    options.resumed_count = 1;
    struct hone_session_result result;
    struct hone_error err = {0};
    assert_int_equal(run(&result, &actor, &options, &err), HONE_EINPUT);
    assert_int_equal(result.stop, HONE_STOP_FAILED);
    assert_int_equal(actor.submitted, 0);
}

static void failing_evaluator_keeps_what_was_measured(void **state)
{
    (void)state;
    const struct script scripts[] = {
        {.capacity = 4, .batch = 2, .wait_fails_after = 9},
        {.capacity = 1, .batch = 1, .submit_fails_after = 9},
    };
    for (int i = 0; i < 2; i++) {
        struct actor actor = make_actor(scripts[i]);
        struct hone_session_options options = make_options("grid", 30);
        options.journal = new_journal();
        struct hone_session_result result;
        struct hone_error err = {0};
        assert_int_equal(run(&result, &actor, &options, &err), HONE_EDEVICE);
        close_journal(options.journal);
        assert_string_equal(err.text, i ? "no more" : "the power is gone");
        assert_int_equal(result.stop, HONE_STOP_FAILED);
        assert_int_equal(result.done, 9);
        assert_true(result.has_best);
        assert_int_equal(result.best.index, 8); // grid: 0 .. 8, the nearest to 23
        assert_int_equal(recorded(NULL), 9);
    }
}

static void time_budget_stops_a_run(void **state)
{
    (void)state;
    struct actor actor = make_actor(plain);
    struct hone_session_options options = make_options("random", UINT64_MAX);
    options.seconds = 0;
    struct hone_session_result result;
    struct hone_error err = {0};
    assert_ok(run(&result, &actor, &options, &err), err);
    assert_int_equal(result.stop, HONE_STOP_TIME);
    assert_int_equal(result.done, 0);
}

// Nobody is there from the start on: of the time that passes, nothing is spent.
static double start_of_absence;

static double all_the_time(const struct hone_evaluator *evaluator)
{
    (void)evaluator;
    return hone_clock_seconds() - start_of_absence;
}

static void time_without_workers_is_not_spent(void **state)
{
    (void)state;
    struct actor actor = make_actor(plain);
    struct hone_evaluator_fns fns = actor_fns;
    fns.absent_s = all_the_time;
    struct hone_evaluator evaluator = {.fns = &fns, .priv = &actor};
    struct hone_session_options options = make_options("random", 5);
    options.seconds = 1e-9; // passes before the first trial
    struct hone_session_result result;
    struct hone_error err = {0};
    start_of_absence = hone_clock_seconds();
    assert_ok(hone_session_run(&result, space, &evaluator, &options, &err), err);
    assert_int_equal(result.stop, HONE_STOP_BUDGET);
    assert_int_equal(result.done, 5);
    assert_true(result.seconds == 0);
}

struct watcher {
    size_t calls, stop_after;
    double best;
    volatile sig_atomic_t cancel;
    bool by_signal;
};

static bool watch(void *context, const struct hone_progress *progress)
{
    struct watcher *watcher = context;
    watcher->calls++;
    assert_int_equal(progress->done, watcher->calls);
    assert_int_equal(progress->budget, 30);
    size_t sum = 0;
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++)
        sum += progress->outcomes[i];
    assert_int_equal(sum, progress->done);
    if (progress->best) {
        assert_true(hone_trial_cost(progress->best) <= watcher->best);
        watcher->best = hone_trial_cost(progress->best);
    }
    if (progress->trial->outcome == HONE_VALID) assert_non_null(progress->best);
    if (watcher->calls < watcher->stop_after) return true;
    if (watcher->by_signal) watcher->cancel = 1;
    return watcher->by_signal;
}

static void run_is_cancelled_between_trials(void **state)
{
    (void)state;
    for (int by_signal = 0; by_signal < 2; by_signal++) {
        struct watcher watcher = {
            .stop_after = 11, .best = (double)INFINITY, .by_signal = by_signal};
        struct actor actor = make_actor((struct script){.capacity = 3, .batch = 1});
        struct hone_session_options options = make_options("random", 30);
        options.progress = watch;
        options.context = &watcher;
        options.cancel = &watcher.cancel;
        options.journal = new_journal();
        struct hone_session_result result;
        struct hone_error err = {0};
        assert_ok(run(&result, &actor, &options, &err), err);
        close_journal(options.journal);
        assert_int_equal(result.stop, HONE_STOP_CANCELLED);
        assert_int_equal(result.done, 11);
        assert_int_equal(recorded(NULL), 11);
    }
}

static void progress_is_told_of_every_trial(void **state)
{
    (void)state;
    struct watcher watcher = {.stop_after = SIZE_MAX, .best = (double)INFINITY};
    struct actor actor = make_actor(wide);
    struct hone_session_options options = make_options("greedy_ils", 30);
    options.progress = watch;
    options.context = &watcher;
    struct hone_session_result result;
    struct hone_error err = {0};
    assert_ok(run(&result, &actor, &options, &err), err);
    assert_int_equal(watcher.calls, 30);
    assert_true(watcher.best == result.best.time_us);
}

static void every_stop_has_a_text(void **state)
{
    (void)state;
    for (int stop = HONE_STOP_BUDGET; stop <= HONE_STOP_FAILED; stop++)
        assert_true(strlen(hone_stop_text((enum hone_stop)stop)) > 3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(budget_is_spent_exactly),
    cmocka_unit_test(whole_space_is_evaluated_once_and_then_it_ends),
    cmocka_unit_test(first_is_the_authors_default_when_valid),
    cmocka_unit_test(journal_holds_every_trial_once),
    cmocka_unit_test(same_seed_gives_the_same_journal),
    cmocka_unit_test(resumed_run_evaluates_what_an_uninterrupted_one_would),
    cmocka_unit_test(resumed_results_may_repeat_and_count_once),
    cmocka_unit_test(foreign_resumed_trial_fails_the_run),
    cmocka_unit_test(failing_evaluator_keeps_what_was_measured),
    cmocka_unit_test(time_budget_stops_a_run),
    cmocka_unit_test(time_without_workers_is_not_spent),
    cmocka_unit_test(run_is_cancelled_between_trials),
    cmocka_unit_test(progress_is_told_of_every_trial),
    cmocka_unit_test(every_stop_has_a_text),
};
HONE_TEST_MAIN_WITH(tests, set_up, tear_down)
