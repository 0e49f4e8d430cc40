// The session loop on a scripted evaluator: what it spends, records, reports and keeps.
#include <math.h>
#include <string.h>

#include "file.h"
#include "finals.h"
#include "hone/session.h"
#include "hone_test.h"
#include "rng.h"

enum { SIDE = 6, COUNT = SIDE * SIDE };

static struct hone_space *space;
static char folder[64], path[96];

static const struct hone_value *side_values(void)
{
    static struct hone_value values[SIDE];
    for (int64_t i = 0; i < SIDE; i++)
        values[i] = (struct hone_value){.type = HONE_INT, .i = i};
    return values;
}

static struct hone_param params[2];

static int set_up(void **state)
{
    (void)state;
    params[0] = (struct hone_param){.name = "p", .values = side_values(), .count = SIDE};
    params[1] = (struct hone_param){.name = "q", .values = side_values(), .count = SIDE};
    const struct hone_space_def def = {.params = params, .param_count = 2};
    strcpy(folder, "/tmp/hone-session-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/run.jsonl", folder);
    return hone_space_new(&space, &def, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    hone_space_free(space);
    unlink(path);
    return rmdir(folder);
}

// --- an evaluator that plays a part ---

struct script {
    size_t capacity, batch;  // trials given back by one wait, at most
    uint64_t late_seed;      // not 0: they come back in a random order
    size_t wait_fails_after; // trials; 0: never
    size_t submit_fails_after;
    bool contest_fails;
};

struct actor {
    struct script script;
    uint64_t flying[16];
    size_t in_flight, submitted, given, contests;
    struct hone_rng rng;
    unsigned times[COUNT]; // that each index was submitted
};

static size_t actor_capacity(struct hone_evaluator *evaluator)
{
    const struct actor *actor = evaluator->priv;
    return actor->script.capacity;
}

static enum hone_status actor_submit(struct hone_evaluator *evaluator, uint64_t index,
                                     struct hone_error *err)
{
    struct actor *actor = evaluator->priv;
    assert_true(actor->in_flight < actor->script.capacity);
    assert_true(index < COUNT);
    if (actor->script.submit_fails_after &&
        actor->submitted >= actor->script.submit_fails_after)
        return hone_fail(err, HONE_EDEVICE, "no more");
    actor->times[index]++;
    actor->submitted++;
    actor->flying[actor->in_flight++] = index;
    return HONE_OK;
}

// Every fifth fails; the least time is at index 23.
static struct hone_trial figure(uint64_t index)
{
    if (index % 5 == 0) return hone_trial_make(index, HONE_CRASHED);
    struct hone_trial trial = hone_trial_make(index, HONE_VALID);
    trial.time_us = 1 + fabs((double)index - 23);
    return trial;
}

static enum hone_status actor_wait(struct hone_evaluator *evaluator,
                                   struct hone_trial *out, size_t cap, size_t *count,
                                   struct hone_error *err)
{
    struct actor *actor = evaluator->priv;
    *count = 0;
    while (actor->in_flight && *count < cap && *count < actor->script.batch) {
        if (actor->script.wait_fails_after &&
            actor->given >= actor->script.wait_fails_after)
            return hone_fail(err, HONE_EDEVICE, "the power is gone");
        size_t i =
            actor->script.late_seed ? hone_rng_below(&actor->rng, actor->in_flight) : 0;
        out[(*count)++] = figure(actor->flying[i]);
        actor->given++;
        actor->in_flight--;
        memmove(actor->flying + i, actor->flying + i + 1,
                (actor->in_flight - i) * sizeof *actor->flying);
    }
    return HONE_OK;
}

static const struct hone_evaluator_fns actor_fns = {.name = "actor",
                                                    .capacity = actor_capacity,
                                                    .submit = actor_submit,
                                                    .wait = actor_wait};

// In the finals 24 is the fastest: the search saw 23 by luck.
static enum hone_status actor_contest(struct hone_evaluator *evaluator,
                                      const struct hone_contest *contest, double *costs,
                                      struct hone_error *err)
{
    struct actor *actor = evaluator->priv;
    assert_int_equal(actor->in_flight, 0);
    actor->contests++;
    if (actor->script.contest_fails) return hone_fail(err, HONE_EDEVICE, "the power");
    for (size_t r = 0; r < contest->rounds; r++)
        for (size_t i = 0; i < contest->count; i++)
            costs[r * contest->count + i] =
                1 + fabs((double)contest->indices[i] - 24) + (double)r;
    return HONE_OK;
}

static const struct hone_evaluator_fns final_fns = {.name = "actor with finals",
                                                    .capacity = actor_capacity,
                                                    .submit = actor_submit,
                                                    .wait = actor_wait,
                                                    .contest = actor_contest};

static struct actor make_actor(struct script script)
{
    struct actor actor = {.script = script};
    hone_rng_seed(&actor.rng, script.late_seed);
    return actor;
}

static const struct script plain = {.capacity = 1, .batch = 1};
static const struct script wide = {.capacity = 7, .batch = 3, .late_seed = 5};

static struct hone_session_options make_options(const char *strategy, uint64_t budget)
{
    return (struct hone_session_options){.strategy = hone_strategy_find(strategy),
                                         .search = {.seed = 3, .budget = budget},
                                         .seconds = (double)INFINITY};
}

static enum hone_status run(struct hone_session_result *result, struct actor *actor,
                            const struct hone_session_options *options,
                            struct hone_error *err)
{
    struct hone_evaluator evaluator = {.fns = &actor_fns, .priv = actor};
    return hone_session_run(result, space, &evaluator, options, err);
}

// --- journals ---

static struct hone_record_info journal_info(void)
{
    return (struct hone_record_info){.kernel = "toy",
                                     .params = params,
                                     .param_count = 2,
                                     .device_name = "toy",
                                     .device_id = "cuda:0",
                                     .clock = "cupti",
                                     .objective = "time_us"};
}

static struct hone_journal *new_journal(void)
{
    unlink(path);
    const struct hone_record_info info = journal_info();
    struct hone_journal *journal = NULL;
    struct hone_error err = {0};
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    return journal;
}

static void close_journal(struct hone_journal *journal)
{
    struct hone_error err = {0};
    assert_ok(hone_journal_close(journal, &err), err);
}

static size_t recorded(bool seen[COUNT])
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_recording_load(&recording, path, &err), err);
    const size_t count = hone_recording_count(recording);
    for (size_t i = 0; seen && i < count; i++) {
        uint16_t choices[2];
        hone_space_choices(hone_recording_space(recording),
                           hone_recording_trial(recording, i)->index, choices);
        uint64_t index = COUNT;
        assert_int_equal(hone_space_index(space, choices, &index), HONE_OK);
        assert_false(seen[index]);
        seen[index] = true;
    }
    hone_recording_free(recording);
    return count;
}

static char *journal_text(const struct script *script, const char *strategy)
{
    struct actor actor = make_actor(*script);
    struct hone_session_options options = make_options(strategy, 20);
    struct hone_session_result result;
    struct hone_error err = {0};
    options.journal = new_journal();
    assert_ok(run(&result, &actor, &options, &err), err);
    close_journal(options.journal);
    char *text = NULL;
    assert_ok(hone_file_read(&text, NULL, path, &err), err);
    return text;
}

// --- the claims ---

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
    assert_true(result.seconds >= 0);
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

static void run_with_finals(struct hone_session_result *result, struct actor *actor,
                            struct hone_session_options *options)
{
    const uint64_t start = 2;
    struct hone_evaluator evaluator = {.fns = &final_fns, .priv = actor};
    struct hone_error err = {0};
    options->search.start = &start;
    options->search.start_count = 1;
    options->finals = true;
    options->journal = new_journal();
    assert_ok(hone_session_run(result, space, &evaluator, options, &err), err);
    close_journal(options->journal);
}

static void finals_name_the_winner_and_go_on_record(void **state)
{
    (void)state;
    struct actor actor = make_actor(wide);
    struct hone_session_options options = make_options("random", UINT64_MAX);
    struct hone_session_result result;
    run_with_finals(&result, &actor, &options);
    assert_int_equal(result.stop, HONE_STOP_EXHAUSTED);
    assert_int_equal(result.best.index, 24);
    assert_int_equal(result.best.final.rank, 1);
    assert_int_equal(result.finalists, HONE_FINALS_LEAST + 1);
    assert_int_equal(result.first.index, 2);
    assert_true(result.first.final.ratio == 1); // the default is what others are held to
    assert_int_equal(result.done, COUNT);       // finals are no trials
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_recording_load(&recording, path, &err), err);
    assert_int_equal(hone_recording_count(recording), COUNT);
    assert_string_equal(hone_recording_notice(recording), "");
    const struct hone_trial *winner = hone_recording_winner(recording);
    assert_non_null(winner);
    assert_true(winner->time_us == result.best.time_us);
    assert_true(fabs(winner->final.ratio - result.best.final.ratio) < 1e-5);
    hone_recording_free(recording);
}

static void time_that_runs_out_is_drained_before_finals(void **state)
{
    (void)state;
    struct actor actor = make_actor(wide);
    struct hone_session_options options = make_options("random", UINT64_MAX);
    struct hone_session_result result;
    options.seconds = 0; // not even one series would fit: it is held all the same
    run_with_finals(&result, &actor, &options);
    assert_int_equal(result.stop, HONE_STOP_TIME);
    assert_int_equal(result.done, actor.submitted);
}

static void broken_finals_leave_the_best_of_the_search(void **state)
{
    (void)state;
    struct script script = plain;
    script.contest_fails = true;
    struct actor actor = make_actor(script);
    struct hone_session_options options = make_options("random", UINT64_MAX);
    struct hone_session_result result;
    run_with_finals(&result, &actor, &options);
    assert_int_equal(actor.contests, 1);
    assert_int_equal(result.best.index, 23);
    assert_int_equal(result.finalists, 0);
    assert_int_equal(recorded(NULL), COUNT);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(finals_name_the_winner_and_go_on_record),
    cmocka_unit_test(time_that_runs_out_is_drained_before_finals),
    cmocka_unit_test(broken_finals_leave_the_best_of_the_search),
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
    cmocka_unit_test(run_is_cancelled_between_trials),
    cmocka_unit_test(progress_is_told_of_every_trial),
    cmocka_unit_test(every_stop_has_a_text),
};
HONE_TEST_MAIN_WITH(tests, set_up, tear_down)
