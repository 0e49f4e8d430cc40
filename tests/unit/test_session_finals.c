// The end of a session: finals, and results that are compared at the tuned size.
#include "session_fixture.h"

#include "base/log.h"
#include "session/confirm.h"
#include "session/finals.h"
#include "space/trial_keep.h"

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

static enum hone_status try_to_confirm(struct hone_session_result *result,
                                       struct actor *actor,
                                       struct hone_session_options *options, bool finals,
                                       struct hone_error *err)
{
    static const uint64_t start = 2;
    struct hone_evaluator evaluator = {
        .fns = &sure_fns, .priv = actor, .said = said.head};
    options->search.start = &start;
    options->search.start_count = 1;
    options->confirm = true;
    options->finals = finals;
    options->journal = new_journal();
    hone_log_set(ignore_log, NULL);
    const enum hone_status status =
        hone_session_run(result, space, &evaluator, options, err);
    said.head = evaluator.said;
    hone_log_set(NULL, NULL);
    close_journal(options->journal);
    return status;
}

static void run_and_confirm(struct hone_session_result *result, struct actor *actor,
                            struct hone_session_options *options, bool finals)
{
    struct hone_error err = {0};
    assert_ok(try_to_confirm(result, actor, options, finals, &err), err);
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

// What one round found out would be lost, and a second find nothing.
static void nobody_is_asked_again_where_the_time_is_over(void **state)
{
    (void)state;
    struct script script = plain;
    struct hone_session_options options = make_options("random", UINT64_MAX);
    struct hone_session_result result;
    script.ties = true;
    for (int over = 0; over < 2; over++) {
        script.confirm_spends = over ? 41 : 39;
        struct actor actor = make_actor(script);
        run_and_confirm(&result, &actor, &options, false);
        assert_int_equal(actor.confirmations, over ? 1 : 2);
        assert_string_equal(result.best.compared, over ? "no: no majority" : "reference");
    }
}

static void a_second_look_has_the_time_that_is_left(void **state)
{
    (void)state;
    struct script script = plain;
    struct hone_session_options options = make_options("random", UINT64_MAX);
    struct hone_session_result result;
    script.ties = true;
    script.confirm_spends = 30;
    struct actor actor = make_actor(script);
    run_and_confirm(&result, &actor, &options, false);
    assert_int_equal(actor.confirmations, 2);
    assert_true(actor.left_s == 10);
}

// Not every bad input is the reference's fault.
static void a_comparison_that_breaks_is_said_and_leaves_the_best(void **state)
{
    (void)state;
    static const enum hone_status broken[] = {HONE_EDEVICE, HONE_EINPUT};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct script script = plain;
        script.confirm_fails = broken[i];
        struct actor actor = make_actor(script);
        struct hone_session_options options = make_options("random", UINT64_MAX);
        struct hone_session_result result;
        run_and_confirm(&result, &actor, &options, false);
        assert_false(result.reference_wrong);
        assert_int_equal(result.best.index, 23);
        assert_string_equal(result.best.compared, "no: the power");
        assert_string_equal(find_recorded(23, "").compared, "no: the power");
    }
}

// As one that was interrupted before, it is no end of the run: who resumes compares.
static void a_comparison_that_is_cut_off_is_left_to_who_resumes(void **state)
{
    (void)state;
    struct script script = plain;
    script.confirm_fails = HONE_ECANCELLED;
    struct actor actor = make_actor(script);
    struct hone_session_options options = make_options("random", UINT64_MAX);
    struct hone_session_result result;
    options.cancel = &actor.cancel;
    run_and_confirm(&result, &actor, &options, false);
    assert_int_equal(result.stop, HONE_STOP_CANCELLED);
    assert_false(result.reference_wrong);
    assert_int_equal(result.best.index, 23);
    assert_string_equal(result.best.compared, "no: interrupted");
    assert_string_equal(find_recorded(23, "").compared, "no: interrupted");
}

// A header of what nobody can judge is not to be written.
static void a_wrong_reference_ends_the_run(void **state)
{
    (void)state;
    struct script script = plain;
    script.reference_wrong = true;
    struct actor actor = make_actor(script);
    struct hone_session_options options = make_options("random", UINT64_MAX);
    struct hone_session_result result;
    struct hone_error err = {0};
    assert_int_equal(try_to_confirm(&result, &actor, &options, false, &err), HONE_EINPUT);
    assert_true(result.reference_wrong);
    assert_string_equal(err.text, "the reference fails");
    // a header can be made of the journal all the same: it is to say so
    const char *no = "no: the reference fails at this size";
    assert_string_equal(find_recorded(23, "").compared, no); // the best
    assert_string_equal(find_recorded(2, "").compared, no);  // the default
    assert_string_equal(find_recorded(5, "").compared, "");
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
    cmocka_unit_test(nobody_is_asked_again_where_the_time_is_over),
    cmocka_unit_test(a_second_look_has_the_time_that_is_left),
    cmocka_unit_test(a_comparison_that_breaks_is_said_and_leaves_the_best),
    cmocka_unit_test(a_comparison_that_is_cut_off_is_left_to_who_resumes),
    cmocka_unit_test(a_wrong_reference_ends_the_run),
    cmocka_unit_test(an_interrupted_run_says_that_nothing_was_compared),
    cmocka_unit_test(finals_name_the_winner_and_go_on_record),
    cmocka_unit_test(time_that_runs_out_is_drained_before_finals),
    cmocka_unit_test(finished_rounds_of_cancelled_finals_count),
    cmocka_unit_test(broken_finals_leave_the_best_of_the_search),
};
HONE_TEST_MAIN_WITH(tests, set_up, tear_down)
