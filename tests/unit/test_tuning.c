// A tuning as a program sees it: what it refuses, and the whole way on the emulator.
#include "hone/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "hone_test.h"
#include "tuning/result_facts.h"

#define SCRIPT HONE_SOURCE_DIR "/tests/cli/scripts/scale.lua"

static struct hone_tuning *start(const struct hone_tuning_options *options)
{
    struct hone_error err = {0};
    struct hone_tuning *tuning = NULL;
    const enum hone_status status = hone_tuning_open(&tuning, options, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_ok(status, err);
    return tuning;
}

static struct hone_tuning_options usual(void)
{
    return (struct hone_tuning_options){.script = SCRIPT,
                                        .device = "emu:h200",
                                        .strategy = "grid",
                                        .builder = {.cache_folder = "", .threads = 1},
                                        .evaluations = 5};
}

static void what_cannot_be_opened_is_refused(void **state)
{
    (void)state;
    const struct {
        const char *script, *device, *strategy;
        enum hone_status status;
    } cases[] = {
        {NULL, "emu:h200", "grid", HONE_EUSAGE},
        {"nothing.lua", "emu:h200", "grid", HONE_ENOTFOUND},
        {SCRIPT, "emu:nothing", "grid", HONE_EUSAGE},
        {SCRIPT, "emu:h200", "gird", HONE_EUSAGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_tuning_options options = usual();
        struct hone_tuning *tuning = NULL;
        options.script = cases[i].script;
        options.device = cases[i].device;
        options.strategy = cases[i].strategy;
        assert_int_equal(hone_tuning_open(&tuning, &options, NULL), cases[i].status);
        assert_null(tuning);
    }
    hone_tuning_close(NULL);
}

static void a_tuning_runs_once_and_emits_after_it(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_session_result result;
    struct hone_value value;
    const struct hone_tuning_options options = usual();
    const struct hone_emit_options emit = {.accept_predicted = true};
    struct hone_tuning *tuning = start(&options);
    assert_int_equal(hone_tuning_emit(tuning, "/tmp/never.h", &emit, NULL), HONE_EUSAGE);
    assert_int_equal(hone_tuning_best(&value, tuning, "BLOCK", NULL), HONE_ENOTFOUND);
    assert_ok(hone_tuning_run(&result, tuning, &err), err);
    assert_int_equal(result.done, 5);
    assert_int_equal(hone_tuning_run(&result, tuning, NULL), HONE_EUSAGE);
    assert_ok(hone_tuning_best(&value, tuning, "MODE", &err), err);
    assert_int_equal(value.i, 0); // the other modes fail
    assert_int_equal(hone_tuning_best(&value, tuning, "MODUS", NULL), HONE_ENOTFOUND);
    char *path = NULL, *text = NULL;
    assert_int_equal(hone_file_temporary(&path, NULL), HONE_OK);
    assert_int_equal(hone_tuning_emit(tuning, path, NULL, NULL), HONE_EUSAGE);
    assert_ok(hone_tuning_emit(tuning, path, &emit, &err), err);
    assert_ok(hone_file_read(&text, NULL, path, &err), err);
    assert_non_null(strstr(text, "PREDICTED"));
    unlink(path);
    free(path);
    free(text);
    hone_tuning_close(tuning);
}

static void a_flag_cancels_between_trials(void **state)
{
    (void)state;
    static volatile sig_atomic_t set;
    struct hone_error err = {0};
    struct hone_session_result result;
    struct hone_tuning_options options = usual();
    options.cancel = &set;
    struct hone_tuning *tuning = start(&options);
    set = 1;
    assert_ok(hone_tuning_run(&result, tuning, &err), err);
    assert_int_equal(result.stop, HONE_STOP_CANCELLED);
    assert_true(result.done <= 2);
    hone_tuning_close(tuning);
}

static void a_flag_cancels_the_opening(void **state)
{
    (void)state;
    static const volatile sig_atomic_t set = 1;
    struct hone_tuning *tuning = NULL;
    struct hone_tuning_options options = usual();
    options.cancel = &set;
    assert_int_equal(hone_tuning_open(&tuning, &options, NULL), HONE_ECANCELLED);
    assert_null(tuning);
}

static void a_kept_journal_is_never_overwritten(void **state)
{
    (void)state;
    struct hone_tuning *tuning = NULL;
    struct hone_tuning_options options = usual();
    char *path = NULL;
    assert_int_equal(hone_file_temporary(&path, NULL), HONE_OK);
    options.journal = path;
    hone_tuning_close(start(&options));
    assert_true(hone_file_exists(path));
    assert_int_equal(hone_tuning_open(&tuning, &options, NULL), HONE_EUSAGE);
    unlink(path);
    free(path);
}

// One problem or several: the finals compared both in the same rounds, the search did not.
static void a_gain_is_what_the_finals_found_where_both_met_there(void **state)
{
    (void)state;
    struct hone_session_result result = {.has_first = true, .has_best = true};
    result.first = hone_trial_make(0, HONE_VALID);
    result.best = hone_trial_make(1, HONE_VALID);
    result.first.time_us = 300;
    result.best.time_us = 100;
    assert_true(fabs(hone_result_gain(&result).ratio - 3) < 1e-12);
    assert_true(isnan(hone_result_gain(&result).low));
    result.best.final = (struct hone_final){1, 24, 0.5, 0.4, 0.625, 0};
    result.first.final = (struct hone_final){2, 24, 1, 1, 1, 0};
    assert_true(fabs(hone_result_gain(&result).ratio - 2) < 1e-12);
    assert_true(fabs(hone_result_gain(&result).high - 2.5) < 1e-12);
    result.has_first = false;
    assert_true(isnan(hone_result_gain(&result).ratio));
}

static const struct CMUnitTest cases[] = {
    cmocka_unit_test(what_cannot_be_opened_is_refused),
    cmocka_unit_test(a_tuning_runs_once_and_emits_after_it),
    cmocka_unit_test(a_flag_cancels_between_trials),
    cmocka_unit_test(a_flag_cancels_the_opening),
    cmocka_unit_test(a_kept_journal_is_never_overwritten),
    cmocka_unit_test(a_gain_is_what_the_finals_found_where_both_met_there),
};
HONE_TEST_MAIN(cases)
