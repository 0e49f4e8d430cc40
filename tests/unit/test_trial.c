// Outcomes and their names; what a fresh trial says; the figure that is minimised.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "hone_test.h"
#include "space/trial_keep.h"

static void outcome_names_roundtrip(void **state)
{
    (void)state;
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++) {
        enum hone_outcome back = HONE_OUTCOME_COUNT;
        assert_int_equal(
            hone_outcome_parse(&back, hone_outcome_name((enum hone_outcome)i)), HONE_OK);
        assert_int_equal(back, i);
    }
    assert_string_equal(hone_outcome_name(HONE_WRONG_RESULT), "wrong_result");
}

static void unknown_outcome_is_not_found(void **state)
{
    (void)state;
    enum hone_outcome out = HONE_CRASHED;
    assert_int_equal(hone_outcome_parse(&out, "exploded"), HONE_ENOTFOUND);
    assert_int_equal(hone_outcome_parse(&out, ""), HONE_ENOTFOUND);
    assert_int_equal(hone_outcome_parse(&out, "VALID"), HONE_ENOTFOUND);
    assert_int_equal(out, HONE_CRASHED);
    assert_string_equal(hone_outcome_name(HONE_OUTCOME_COUNT), "unknown");
}

static void fresh_trial_knows_nothing(void **state)
{
    (void)state;
    struct hone_trial trial = hone_trial_make(7, HONE_VALID);
    assert_int_equal(trial.index, 7);
    assert_int_equal(trial.outcome, HONE_VALID);
    assert_int_equal(trial.samples, 0);
    assert_true(isnan(trial.time_us) && isnan(trial.predicted_us) &&
                isnan(trial.rel_std));
    assert_true(isnan(trial.build_ms) && isnan(trial.evaluate_ms));
    assert_int_equal(trial.resources.registers, -1);
    assert_int_equal(trial.resources.blocks_per_sm, -1);
    assert_int_equal(trial.metric_count, 0);
    assert_string_equal(trial.reason, "");
}

static void cost_is_the_time_else_the_prediction(void **state)
{
    (void)state;
    struct hone_trial trial = hone_trial_make(0, HONE_VALID);
    assert_true(isinf(hone_trial_cost(&trial)));
    trial.predicted_us = 12.5;
    assert_true(hone_trial_cost(&trial) == 12.5);
    trial.time_us = 10.0;
    assert_true(hone_trial_cost(&trial) == 10.0);
    trial.outcome = HONE_WRONG_RESULT;
    assert_true(isinf(hone_trial_cost(&trial)) && hone_trial_cost(&trial) > 0);
}

static void gain_of_finals_needs_the_default_as_base(void **state)
{
    (void)state;
    struct hone_trial best = hone_trial_make(0, HONE_VALID), base = best;
    struct hone_gain gain;
    best.final = (struct hone_final){1, 24, 0.8, 0.75, 1.25, 0};
    assert_false(hone_finals_gain(&gain, &best, &base)); // base was not in the finals
    base.final = (struct hone_final){2, 24, 1, 1, 1, 0};
    assert_true(hone_finals_gain(&gain, &best, &base));
    assert_true(fabs(gain.ratio - 1.25) < 1e-12 && fabs(gain.low - 0.8) < 1e-12 &&
                fabs(gain.high - 1 / 0.75) < 1e-12);
    assert_int_equal(gain.rounds, 24);
    base.final.ratio = 1.01; // another one was the base: the default failed at first
    assert_false(hone_finals_gain(&gain, &best, &base));
}

static void gain_of_few_rounds_has_no_interval(void **state)
{
    (void)state;
    struct hone_trial best = hone_trial_make(0, HONE_VALID), base = best;
    struct hone_gain gain;
    best.final = (struct hone_final){1, 3, 0.5, 0, (double)INFINITY, 0};
    base.final = (struct hone_final){2, 3, 1, 0, (double)INFINITY, 0};
    assert_true(hone_finals_gain(&gain, &best, &base));
    assert_true(gain.ratio == 2 && isnan(gain.low) && isnan(gain.high));
}

static void objectives_have_names_and_costs(void **state)
{
    (void)state;
    const char *const names[] = {"time", "energy", "edp", "flops_per_watt"};
    const double costs[] = {250, 0.5, 0.5 * 250e-6, 0.5 / 1e9};
    for (int i = 0; i < HONE_OBJECTIVE_COUNT; i++) {
        enum hone_objective objective;
        assert_int_equal(hone_objective_parse(&objective, names[i]), HONE_OK);
        assert_int_equal(objective, i);
        const double cost = hone_objective_cost(objective, 250, 0.5, 1e9);
        assert_true(fabs(cost - costs[i]) < 1e-12 * costs[i]);
    }
    enum hone_objective objective;
    assert_int_equal(hone_objective_parse(&objective, "beauty"), HONE_ENOTFOUND);
    assert_true(isnan(hone_objective_cost(HONE_OBJECTIVE_EDP, 250, (double)NAN, 1)));
}

static void journals_name_what_times_are(void **state)
{
    (void)state;
    for (int i = 0; i < HONE_OBJECTIVE_COUNT; i++) {
        const enum hone_objective objective = (enum hone_objective)i;
        const char *record = hone_objective_record(objective, HONE_TIME_BURST);
        assert_int_equal(hone_objective_times(record), HONE_TIME_NONE);
    }
    const char *record = hone_objective_record(HONE_OBJECTIVE_TIME, HONE_TIME_PREDICTED);
    assert_string_equal(record, "predicted_us");
    assert_int_equal(hone_objective_times(record), HONE_TIME_PREDICTED);
    assert_int_equal(hone_objective_times(NULL), HONE_TIME_NONE);
}

// A prediction is named by its figure: no kind stands beside it, and none is read.
static void only_measurements_have_a_kind_beside_the_time(void **state)
{
    (void)state;
    enum hone_time_kind kind;
    assert_string_equal(hone_time_kind_measured(HONE_TIME_SUSTAINED), "sustained");
    assert_string_equal(hone_time_kind_measured(HONE_TIME_PREDICTED), "");
    assert_int_equal(hone_time_kind_parse(&kind, "burst"), HONE_OK);
    assert_int_equal(kind, HONE_TIME_BURST);
    assert_int_equal(hone_time_kind_parse(&kind, "predicted"), HONE_ENOTFOUND);
    assert_int_equal(hone_time_kind_parse(&kind, ""), HONE_ENOTFOUND);
}

static void another_objective_decides_the_cost(void **state)
{
    (void)state;
    struct hone_trial trial = hone_trial_make(0, HONE_VALID);
    trial.time_us = 10;
    trial.energy_j = 0.25;
    assert_true(hone_trial_cost(&trial) == 10); // energy was only looked at
    trial.cost = 0.25;
    assert_true(hone_trial_cost(&trial) == 0.25);
}

static struct hone_trial_notes full_notes(void)
{
    struct hone_trial_notes notes = {.found = {HONE_FINDING_RACE, 7, "k.cu", "y"},
                                     .waived = {0, 3},
                                     .fidelity = "exact",
                                     .compared = "reference",
                                     .metrics = {{"ipc", 0.5}, {"l2_us", 0.75}},
                                     .counters = {{"sectors", "sectors", 8}}};
    memset(notes.reason, 'r', sizeof notes.reason - 1);
    return notes;
}

static void assert_says_all(const struct hone_trial *trial)
{
    assert_int_equal(trial->found->finding, HONE_FINDING_RACE);
    assert_string_equal(trial->found->file, "k.cu");
    assert_int_equal(trial->waived[1], 3);
    assert_string_equal(trial->fidelity, "exact");
    assert_int_equal(strlen(trial->reason), HONE_REASON_MAX - 1);
    assert_string_equal(trial->compared, "reference");
    assert_true(hone_trial_metric(trial, "l2_us", 0) == 0.75);
    assert_int_equal(hone_trial_counter_count(trial), 1);
    assert_true(hone_trial_counter(trial, "sectors", 0) == 8);
    assert_true(hone_trial_counter(trial, "l2_us", -1) == -1);
}

static void what_is_kept_outlives_the_notes(void **state)
{
    (void)state;
    struct hone_arena arena = {0};
    struct hone_error err = {0};
    struct hone_trial_notes notes = full_notes();
    struct hone_trial trial = hone_trial_make(7, HONE_WRONG_RESULT);
    trial.metric_count = 2;
    hone_trial_refer(&trial, &notes);
    assert_says_all(&trial);
    assert_ok(hone_trial_keep(&trial, &arena, &err), err);
    memset(&notes, 0, sizeof notes);
    const struct hone_trial copy = trial;
    assert_says_all(&copy);
    assert_ptr_equal(copy.reason, trial.reason); // copies share it
    hone_arena_fini(&arena);
}

static void who_says_nothing_needs_no_memory(void **state)
{
    (void)state;
    struct hone_arena arena = {0};
    struct hone_error err = {0};
    struct hone_trial_notes notes = {.reason = ""};
    struct hone_trial trial = hone_trial_make(7, HONE_VALID);
    hone_trial_refer(&trial, &notes);
    assert_ok(hone_trial_keep(&trial, &arena, &err), err);
    assert_null(arena.head);
    assert_string_equal(trial.reason, "");
    assert_int_equal(trial.found->finding, HONE_FINDING_NONE);
    assert_ptr_not_equal(trial.found, &notes.found);
}

static void notes_take_what_a_trial_says(void **state)
{
    (void)state;
    struct hone_trial_notes notes = full_notes(), taken;
    struct hone_trial trial = hone_trial_make(7, HONE_WRONG_RESULT);
    trial.metric_count = 2;
    hone_trial_refer(&trial, &notes);
    hone_trial_note(&trial, &taken);
    memset(&notes, 0, sizeof notes);
    hone_trial_refer(&trial, &taken);
    assert_says_all(&trial);
}

// Recordings of whole spaces and batches hold arrays of them.
static void a_trial_is_small(void **state)
{
    (void)state;
    assert_true(sizeof(struct hone_trial) <= 240);
}

static void of_equal_costs_a_compared_trial_stands_then_the_lower_index(void **state)
{
    (void)state;
    static const struct {
        const char *low, *high; // what is said of the trials of index 1 and 2
        int order;
    } cases[] = {
        {"", "", -1},
        {"", "reference", 1},
        {"", "majority", 1},
        {"reference", "majority", -1},
        {"no: the time for it was over", "reference", 1},
        {"", "no: the time for it was over", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_trial low = hone_trial_make(1, HONE_VALID),
                          high = hone_trial_make(2, HONE_VALID);
        low.compared = cases[i].low;
        high.compared = cases[i].high;
        assert_int_equal(hone_trial_break_tie(&low, &high), cases[i].order);
        assert_int_equal(hone_trial_break_tie(&high, &low), -cases[i].order);
        assert_int_equal(hone_trial_break_tie(&low, &low), 0);
    }
}

static void troubleshooting_has_a_section_for_every_outcome(void **state)
{
    (void)state;
    char *text = NULL, heading[64];
    struct hone_error err = {0};
    assert_ok(
        hone_file_read(&text, NULL, HONE_SOURCE_DIR "/docs/troubleshooting.md", &err),
        err);
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++) {
        snprintf(heading, sizeof heading, "\n### %s\n",
                 hone_outcome_name((enum hone_outcome)i));
        if (!strstr(text, heading)) fail_msg("no section %s", heading);
    }
    free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(troubleshooting_has_a_section_for_every_outcome),
    cmocka_unit_test(outcome_names_roundtrip),
    cmocka_unit_test(unknown_outcome_is_not_found),
    cmocka_unit_test(fresh_trial_knows_nothing),
    cmocka_unit_test(what_is_kept_outlives_the_notes),
    cmocka_unit_test(who_says_nothing_needs_no_memory),
    cmocka_unit_test(notes_take_what_a_trial_says),
    cmocka_unit_test(a_trial_is_small),
    cmocka_unit_test(of_equal_costs_a_compared_trial_stands_then_the_lower_index),
    cmocka_unit_test(cost_is_the_time_else_the_prediction),
    cmocka_unit_test(objectives_have_names_and_costs),
    cmocka_unit_test(journals_name_what_times_are),
    cmocka_unit_test(only_measurements_have_a_kind_beside_the_time),
    cmocka_unit_test(another_objective_decides_the_cost),
    cmocka_unit_test(gain_of_finals_needs_the_default_as_base),
    cmocka_unit_test(gain_of_few_rounds_has_no_interval),
};

HONE_TEST_MAIN(tests)
