// A recording as the target of a tuning, as a program sees it: searched by any strategy,
// interrupted, gone on with, begun with what others found. Nothing is built or run here.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hone/tuning.h"
#include "hone_test.h"

enum { SIDE = 8, CONFIGS = SIDE * SIDE };

static char folder[] = "/tmp/hone-tuning-replay-XXXXXX";

static const char *in_folder(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

// A bowl whose least is at x = best, y = 3, of problem N.
static void record_bowl(const char *name, const char *device, int n, int best)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fprintf(file,
            "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"bowl\",\"device\":{\"name\":"
            "\"%s\"},\"clock\":\"event\",\"objective\":\"time_us\",\"complete\":true,"
            "\"problem\":{\"N\":%d},\"params\":[{\"name\":\"x\",\"values\":[0,1,2,3,4,5,"
            "6,7]},{\"name\":\"y\",\"values\":[0,1,2,3,4,5,6,7]}]}\n",
            device, n);
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++)
            fprintf(file, "{\"config\":[%d,%d],\"outcome\":\"valid\",\"time_us\":%d}\n",
                    x, y, 10 + (x - best) * (x - best) + (y - 3) * (y - 3));
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    record_bowl("bowl.jsonl", "A GPU", 64, 5);
    record_bowl("other.jsonl", "Another GPU", 64, 5);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"bowl.jsonl", "other.jsonl", "first.jsonl",
                                        "again.jsonl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(names[i]));
    return rmdir(folder);
}

static struct hone_tuning_options replay_bowl(void)
{
    static char device[160];
    snprintf(device, sizeof device, "replay:%s", in_folder("bowl.jsonl"));
    return (struct hone_tuning_options){.device = device, .strategy = "grid"};
}

static struct hone_tuning *open_tuning(const struct hone_tuning_options *options)
{
    struct hone_error err = {0};
    struct hone_tuning *tuning = NULL;
    assert_ok(hone_tuning_open(&tuning, options, &err), err);
    return tuning;
}

static void expect_best(const struct hone_tuning *tuning, int64_t x, int64_t y)
{
    struct hone_error err = {0};
    struct hone_value value;
    assert_ok(hone_tuning_check_found(tuning, &err), err);
    assert_ok(hone_tuning_best(&value, tuning, "x", &err), err);
    assert_int_equal(value.i, x);
    assert_ok(hone_tuning_best(&value, tuning, "y", &err), err);
    assert_int_equal(value.i, y);
}

static void a_recording_answers_in_place_of_a_device(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_session_result result;
    struct hone_tuning_options options = replay_bowl();
    options.evaluations = CONFIGS;
    struct hone_tuning *tuning = open_tuning(&options);
    assert_ok(hone_tuning_run(&result, tuning, &err), err);
    assert_int_equal(result.done, CONFIGS);
    expect_best(tuning, 5, 3);
    const struct hone_tuning_facts facts = hone_tuning_facts(tuning);
    assert_true(facts.replays);
    assert_true(facts.journal_is_temporary);
    assert_false(facts.predicts);
    assert_string_equal(facts.info->kernel, "bowl");
    assert_null(hone_tuning_kernel(tuning));
    assert_int_equal(hone_tuning_problem_count(tuning), 0);
    char *journal = strdup(facts.journal);
    assert_int_equal(access(journal, R_OK), 0);
    hone_tuning_close(tuning);
    assert_int_not_equal(access(journal, R_OK), 0); // gone with the tuning
    free(journal);
}

static bool stop_after_ten(void *context, const struct hone_progress *progress)
{
    (void)context;
    return progress->done < 10;
}

static void what_was_stopped_is_gone_on_with(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_session_result result;
    struct hone_tuning_options options = replay_bowl();
    options.evaluations = CONFIGS;
    options.journal = in_folder("first.jsonl");
    options.progress = stop_after_ten;
    struct hone_tuning *tuning = open_tuning(&options);
    assert_ok(hone_tuning_run(&result, tuning, &err), err);
    assert_int_equal(result.done, 10);
    assert_int_equal(hone_tuning_check_found(tuning, NULL), HONE_ECANCELLED);
    hone_tuning_close(tuning);
    options.progress = NULL;
    assert_int_equal(hone_tuning_open(&tuning, &options, NULL), HONE_EUSAGE); // it exists
    options.resume = true;
    tuning = open_tuning(&options);
    assert_ok(hone_tuning_run(&result, tuning, &err), err);
    assert_int_equal(result.resumed, 10);
    assert_int_equal(result.done, CONFIGS);
    expect_best(tuning, 5, 3);
    hone_tuning_close(tuning);
    options.journal = NULL;
    assert_int_equal(hone_tuning_open(&tuning, &options, &err), HONE_EUSAGE);
}

// The default of a recording is not known: the first trial is what the others propose.
static bool note_first(void *context, const struct hone_progress *progress)
{
    double *first = context;
    if (progress->done == 1) *first = hone_trial_cost(progress->trial);
    return true;
}

static void a_search_begins_with_what_others_found(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_session_result result;
    double first = 0;
    const char *const warm[] = {in_folder("other.jsonl")};
    struct hone_tuning_options options = replay_bowl();
    options.evaluations = 4;
    options.warm = warm;
    options.warm_count = 1;
    options.progress = note_first;
    options.context = &first;
    struct hone_tuning *tuning = open_tuning(&options);
    assert_string_equal(hone_tuning_facts(tuning).info->strategy,
                        "grid, warm from 1 runs");
    assert_ok(hone_tuning_run(&result, tuning, &err), err);
    assert_true(first == 10);
    hone_tuning_close(tuning);
}

static void strategies_are_files_and_programs_too(void **state)
{
    (void)state;
    static const char *const names[] = {HONE_SOURCE_DIR "/examples/strategies/climb.lua",
                                        "random", "exec:false"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct hone_error err = {0};
        struct hone_session_result result;
        struct hone_tuning_options options = replay_bowl();
        options.evaluations = 20;
        options.strategy = names[i];
        struct hone_tuning *tuning = open_tuning(&options);
        // A program that ends at once is replaced by chance, as a broken file is.
        assert_ok(hone_tuning_run(&result, tuning, &err), err);
        assert_int_equal(result.done, 20);
        hone_tuning_close(tuning);
    }
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    struct hone_tuning_options cases[6];
    for (int i = 0; i < 6; i++)
        cases[i] = replay_bowl();
    static const struct hone_script_set size = {.name = "N", .value = "65"};
    cases[0].script = "kernel.lua";
    cases[1].problems = "problems.txt";
    cases[2].objective = HONE_OBJECTIVE_ENERGY;
    cases[3].calibrate = "gpu.jsonl";
    cases[4].set = &size;
    cases[4].set_count = 1;
    cases[5].strategy = "gird";
    for (int i = 0; i < 6; i++) {
        struct hone_error err = {0};
        struct hone_tuning *tuning = NULL;
        assert_int_equal(hone_tuning_open(&tuning, &cases[i], &err), HONE_EUSAGE);
        assert_true(err.text[0]);
        assert_null(tuning);
    }
}

// Everything that options point to may be gone once the tuning is open.
static void options_are_copied(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_session_result result;
    char device[160], strategy[] = "grid", journal[160];
    struct hone_tuning_options options = replay_bowl();
    snprintf(device, sizeof device, "%s", options.device);
    snprintf(journal, sizeof journal, "%s", in_folder("again.jsonl"));
    options.device = device;
    options.strategy = strategy;
    options.journal = journal;
    options.evaluations = 3;
    struct hone_tuning *tuning = open_tuning(&options);
    memset(device, 'x', sizeof device - 1);
    memset(strategy, 'x', sizeof strategy - 1);
    memset(journal, 'x', sizeof journal - 1);
    memset(&options, 0, sizeof options);
    assert_ok(hone_tuning_run(&result, tuning, &err), err);
    assert_int_equal(result.done, 3);
    assert_string_equal(hone_tuning_facts(tuning).journal, in_folder("again.jsonl"));
    struct hone_recording *recording = NULL;
    assert_ok(hone_tuning_recording(&recording, tuning, &err), err);
    assert_int_equal(hone_recording_count(recording), 3);
    hone_recording_free(recording);
    hone_tuning_close(tuning);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_recording_answers_in_place_of_a_device),
    cmocka_unit_test(what_was_stopped_is_gone_on_with),
    cmocka_unit_test(a_search_begins_with_what_others_found),
    cmocka_unit_test(strategies_are_files_and_programs_too),
    cmocka_unit_test(what_does_not_go_together_is_refused),
    cmocka_unit_test(options_are_copied),
};
HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
