// The session loop on a scripted evaluator: what it spends, records, reports and keeps.
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/rng.h"
#include "hone/session.h"
#include "hone_test.h"
#include "session/finals.h"
#include "session_actor.h"
#include "space/trial_keep.h"

enum { SIDE = 6, COUNT = SIDE * SIDE };
_Static_assert((int)COUNT == (int)ACTOR_COUNT, "the actor knows the space");

static struct hone_space *space;
static char folder[64], path[96];
static struct hone_arena said; // by trials whose evaluator or recording is gone

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
    hone_arena_fini(&said);
    unlink(path);
    return rmdir(folder);
}

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

// Who was named by the rounds that were held stands, and the run was interrupted.
static void finished_rounds_of_cancelled_finals_count(void **state)
{
    (void)state;
    struct script script = wide;
    script.contest_ends = 3;
    struct actor actor = make_actor(script);
    struct hone_session_options options = make_options("random", UINT64_MAX);
    struct hone_session_result result;
    options.cancel = &actor.cancel;
    run_with_finals(&result, &actor, &options);
    assert_int_equal(actor.contests, 3);
    assert_int_equal(result.stop, HONE_STOP_CANCELLED);
    assert_int_equal(result.best.final.rank, 1);
    assert_int_equal(result.best.final.rounds, 24);
    assert_int_equal(result.best.index, 24);
    assert_int_equal(result.finalists, HONE_FINALS_LEAST + 1);
}

// --- results at the tuned size ---

static void run_and_confirm(struct hone_session_result *result, struct actor *actor,
                            struct hone_session_options *options, bool finals)
{
    static const uint64_t start = 2;
    struct hone_evaluator evaluator = {
        .fns = &sure_fns, .priv = actor, .said = said.head};
    struct hone_error err = {0};
    options->search.start = &start;
    options->search.start_count = 1;
    options->confirm = true;
    options->finals = finals;
    options->journal = new_journal();
    hone_log_set(ignore_log, NULL);
    assert_ok(hone_session_run(result, space, &evaluator, options, &err), err);
    said.head = evaluator.said;
    hone_log_set(NULL, NULL);
    close_journal(options->journal);
}

// What the journal has of an index in the end.
static struct hone_trial find_recorded(uint64_t index, const char *notice)
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    struct hone_trial found = hone_trial_make(0, HONE_UNSUPPORTED);
    uint16_t scratch[8];
    assert_ok(hone_recording_load(&recording, path, &err), err);
    assert_string_equal(hone_recording_notice(recording), notice);
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        uint64_t own;
        if (hone_recording_index_in(recording, trial, space, scratch, &own) &&
            own == index)
            found = *trial;
    }
    assert_ok(hone_trial_keep(&found, &said, &err), err);
    hone_recording_free(recording);
    return found;
}

static void who_is_wrong_at_the_tuned_size_loses_its_place(void **state)
{
    (void)state;
    for (int finals = 0; finals < 2; finals++) {
        struct script script = plain;
        script.wrong[script.wrong_count++] = 23; // the best, and 24, who wins finals
        script.wrong[script.wrong_count++] = 24;
        struct actor actor = make_actor(script);
        struct hone_session_options options = make_options("random", UINT64_MAX);
        struct hone_session_result result;
        run_and_confirm(&result, &actor, &options, finals);
        assert_true(result.has_best);
        assert_int_equal(result.best.index, 22);
        assert_string_equal(result.best.compared, "reference");
        assert_int_equal(result.best.final.rank, finals);
        assert_true(result.has_first);
        assert_string_equal(result.first.compared, "reference");
        const size_t met = finals ? 2 : 1; // without finals 24 is not looked at
        assert_int_equal(result.refuted, met);
        assert_false(result.default_refuted);
        assert_int_equal(result.outcomes[HONE_WRONG_RESULT], met);
        assert_int_equal(result.done, COUNT); // they are no further trials
        const struct hone_trial wrong = find_recorded(23, "");
        assert_int_equal(wrong.outcome, HONE_WRONG_RESULT);
        assert_string_equal(wrong.reason, "y[65536] is 1, reference 2");
        assert_string_equal(wrong.compared, "reference");
        assert_string_equal(find_recorded(22, "").compared, "reference");
    }
}

static void a_default_that_is_wrong_is_named(void **state)
{
    (void)state;
    for (int finals = 0; finals < 2; finals++) {
        struct script script = plain;
        script.wrong[script.wrong_count++] = 2;
        struct actor actor = make_actor(script);
        struct hone_session_options options = make_options("random", UINT64_MAX);
        struct hone_session_result result;
        run_and_confirm(&result, &actor, &options, finals);
        assert_int_equal(result.best.index, finals ? 24 : 23);
        assert_false(result.has_first);
        assert_true(result.default_refuted);
        assert_int_equal(result.refuted_first.index, 2);
        assert_int_equal(find_recorded(2, "").outcome, HONE_WRONG_RESULT);
    }
}

// The shortlist holds sixteen: the next best are found beyond it, whole.
static void the_next_best_takes_the_place_however_many_are_wrong(void **state)
{
    (void)state;
    for (int finals = 0; finals < 2; finals++) {
        struct script script = plain;
        for (uint64_t i = 14; i < 34; i++)
            script.wrong[script.wrong_count++] = i;
        struct actor actor = make_actor(script);
        struct hone_session_options options = make_options("random", UINT64_MAX);
        struct hone_session_result result;
        run_and_confirm(&result, &actor, &options, finals);
        assert_int_equal(result.best.index, finals ? 34 : 13); // of those that are left
        assert_string_equal(result.best.compared, "reference");
        assert_true(result.best.time_us >= 11);
        assert_true(result.outcomes[HONE_WRONG_RESULT] >= 15); // of 20, 4 crash
        assert_int_equal(find_recorded(13, "").outcome, HONE_VALID);
        assert_int_equal(result.finalists, finals ? HONE_FINALS_LEAST + 1 : 0);
    }
}

static void nobody_is_named_where_all_are_wrong(void **state)
{
    (void)state;
    struct script script = plain;
    for (uint64_t i = 0; i < 30; i++)
        script.wrong[script.wrong_count++] = i;
    struct actor actor = make_actor(script);
    struct hone_session_options options = make_options("grid", 26);
    struct hone_session_result result;
    run_and_confirm(&result, &actor, &options, false);
    assert_false(result.has_best);
    assert_false(result.has_first);
    assert_int_equal(result.outcomes[HONE_VALID], 0);
    assert_true(result.refuted > 0);
}

static void a_tie_of_two_is_looked_at_with_more(void **state)
{
    (void)state;
    struct script script = plain;
    script.ties = true;
    script.wrong[script.wrong_count++] = 23;
    struct actor actor = make_actor(script);
    struct hone_session_options options = make_options("random", UINT64_MAX);
    struct hone_session_result result;
    run_and_confirm(&result, &actor, &options, false);
    assert_true(actor.most_confirmed > 2);
    assert_true(result.best.index == 22 || result.best.index == 24);
    assert_int_equal(result.refuted, 1);
}

static void a_comparison_that_breaks_is_said_and_leaves_the_best(void **state)
{
    (void)state;
    struct script script = plain;
    script.confirm_fails = true;
    struct actor actor = make_actor(script);
    struct hone_session_options options = make_options("random", UINT64_MAX);
    struct hone_session_result result;
    run_and_confirm(&result, &actor, &options, false);
    assert_int_equal(result.best.index, 23);
    assert_string_equal(result.best.compared, "no: the power");
    assert_string_equal(find_recorded(23, "").compared, "no: the power");
}

static void an_interrupted_run_says_that_nothing_was_compared(void **state)
{
    (void)state;
    static const volatile sig_atomic_t cancelled = 1;
    const struct hone_trial known = figure(23);
    struct actor actor = make_actor(plain);
    struct hone_session_options options = make_options("random", UINT64_MAX);
    struct hone_session_result result;
    options.resumed = &known;
    options.resumed_count = 1;
    options.cancel = &cancelled;
    run_and_confirm(&result, &actor, &options, true);
    assert_int_equal(result.stop, HONE_STOP_CANCELLED);
    assert_int_equal(actor.confirmations, 0);
    assert_string_equal(result.best.compared, "no: interrupted");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(who_is_wrong_at_the_tuned_size_loses_its_place),
    cmocka_unit_test(a_default_that_is_wrong_is_named),
    cmocka_unit_test(the_next_best_takes_the_place_however_many_are_wrong),
    cmocka_unit_test(nobody_is_named_where_all_are_wrong),
    cmocka_unit_test(a_tie_of_two_is_looked_at_with_more),
    cmocka_unit_test(a_comparison_that_breaks_is_said_and_leaves_the_best),
    cmocka_unit_test(an_interrupted_run_says_that_nothing_was_compared),
    cmocka_unit_test(finals_name_the_winner_and_go_on_record),
    cmocka_unit_test(time_that_runs_out_is_drained_before_finals),
    cmocka_unit_test(finished_rounds_of_cancelled_finals_count),
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
