// What a program may ask of a tuning besides one search: several problems in a journal,
// workers, predictions corrected by a run on the GPU, going on after a kill.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hone/tuning.h"
#include "hone_test.h"

#define SCRIPT HONE_SOURCE_DIR "/tests/cli/scripts/scale.lua"

static char folder[] = "/tmp/hone-tuning-script-XXXXXX";

static const char *in_folder(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"p.txt", "several.jsonl", "raw.jsonl",
                                        "gpu.jsonl", "killed.jsonl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(names[i]));
    return rmdir(folder);
}

static const struct hone_script_set right_mode = {.name = "MODE", .value = "0"};

static struct hone_tuning_options usual(void)
{
    return (struct hone_tuning_options){.script = SCRIPT,
                                        .device = "emu:h200",
                                        .set = &right_mode,
                                        .set_count = 1,
                                        .strategy = "grid",
                                        .builder = {.cache_folder = "", .threads = 1},
                                        .evaluations = 4};
}

static struct hone_tuning *open_tuning(const struct hone_tuning_options *options)
{
    struct hone_error err = {0};
    struct hone_tuning *tuning = NULL;
    const enum hone_status status = hone_tuning_open(&tuning, options, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_ok(status, err);
    return tuning;
}

struct stages {
    size_t searched, crossed;
};

static void count_stages(void *context, const struct hone_tuning *tuning,
                         enum hone_stage stage, size_t problem, bool cross)
{
    struct stages *stages = context;
    assert_true(problem < hone_tuning_problem_count(tuning));
    if (stage != HONE_STAGE_SEARCHING) return;
    if (cross)
        stages->crossed++;
    else
        stages->searched++;
}

static void check_problems(const struct hone_tuning *tuning)
{
    const struct hone_record_info *info = hone_tuning_facts(tuning).info;
    assert_int_equal(info->problems_count, 3);
    assert_int_equal(info->problems[1].values[0].i, 70);
    assert_true(info->problems[1].weight == 2);
    for (size_t p = 0; p < 3; p++) {
        struct hone_error err = {0};
        const struct hone_session_result *result;
        const struct hone_space *space;
        assert_ok(hone_tuning_problem(&result, &space, tuning, p, &err), err);
        assert_true(result->has_best);
        assert_true(result->has_first);
        assert_true(result->best.index < hone_space_count(space));
        assert_true(hone_trial_cost(&result->best) <= hone_trial_cost(&result->first));
    }
}

static void problems_are_tuned_together_and_resumed(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_session_result result;
    struct hone_value value;
    struct stages stages = {0};
    size_t count = 0;
    write_file("p.txt", "N=5000\nN=70 weight=2\nN=100000\n");
    struct hone_tuning_options options = usual();
    options.problems = in_folder("p.txt");
    options.journal = in_folder("several.jsonl");
    options.evaluations = 2;
    options.stage = count_stages;
    options.context = &stages;
    assert_ok(hone_tuning_count_problems(&count, &options, &err), err);
    assert_int_equal(count, 3);
    for (int run = 0; run < 2; run++) {
        const struct hone_session_result *one;
        options.resume = run > 0;
        struct hone_tuning *tuning = open_tuning(&options);
        assert_int_equal(hone_tuning_problem(&one, NULL, tuning, 0, NULL), HONE_EUSAGE);
        assert_ok(hone_tuning_run(&result, tuning, &err), err);
        assert_ok(hone_tuning_check_found(tuning, &err), err);
        assert_false(result.has_best);
        assert_true(result.done >= 6);
        assert_int_equal(hone_tuning_best(&value, tuning, "BLOCK", NULL), HONE_EUSAGE);
        check_problems(tuning);
        assert_int_equal(hone_tuning_problem(&one, NULL, tuning, 3, NULL), HONE_EUSAGE);
        hone_tuning_close(tuning);
    }
    assert_int_equal(stages.searched, 6);
    assert_int_equal(stages.crossed, 6);
}

static void workers_measure_what_this_process_does(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_session_result here, there;
    struct hone_tuning_options options = usual();
    struct hone_tuning *tuning = open_tuning(&options);
    assert_ok(hone_tuning_run(&here, tuning, &err), err);
    hone_tuning_close(tuning);
    options.isolate = HONE_WISH_YES;
    assert_int_equal(hone_tuning_open(&tuning, &options, &err), HONE_EUSAGE);
    assert_non_null(strstr(err.text, "no program"));
    options.program = HONE_PROGRAM;
    tuning = open_tuning(&options);
    assert_true(hone_tuning_facts(tuning).has_workers);
    assert_ok(hone_tuning_run(&there, tuning, &err), err);
    assert_int_equal(there.done, here.done);
    assert_int_equal(there.best.index, here.best.index);
    assert_true(there.best.predicted_us == here.best.predicted_us);
    hone_tuning_close(tuning);
    options.isolate = HONE_WISH_NO;
    options.device = "emu:h200,emu:h200";
    assert_int_equal(hone_tuning_open(&tuning, &options, NULL), HONE_EUSAGE);
}

// The journal of the first run, its predictions turned into times ten times as long.
static void write_measured(void)
{
    struct hone_error err = {0};
    struct hone_recording *raw = NULL;
    FILE *in = fopen(in_folder("raw.jsonl"), "r"),
         *out = fopen(in_folder("gpu.jsonl"), "w");
    static char line[1 << 16];
    assert_non_null(in);
    assert_non_null(out);
    while (fgets(line, sizeof line, in)) {
        char *time = strstr(line, "\"predicted_us\":");
        if (!time || strncmp(line, "{\"hone\"", 7) == 0) {
            fputs(line, out);
            continue;
        }
        char *end;
        const double us = strtod(time + strlen("\"predicted_us\":"), &end);
        fprintf(out, "%.*s\"time_us\":%.9g%s", (int)(time - line), line, 10 * us, end);
    }
    fclose(in);
    assert_int_equal(fclose(out), 0);
    assert_ok(hone_recording_load(&raw, in_folder("gpu.jsonl"), &err), err);
    hone_recording_free(raw);
}

static void predictions_are_corrected_by_a_run_on_the_gpu(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_session_result raw, corrected;
    struct hone_tuning_options options = usual();
    options.journal = in_folder("raw.jsonl");
    struct hone_tuning *tuning = open_tuning(&options);
    assert_ok(hone_tuning_run(&raw, tuning, &err), err);
    hone_tuning_close(tuning);
    write_measured();
    options.journal = NULL;
    options.calibrate = in_folder("gpu.jsonl");
    tuning = open_tuning(&options);
    assert_non_null(strstr(hone_tuning_facts(tuning).info->driver, "calibrated with 4"));
    assert_ok(hone_tuning_run(&corrected, tuning, &err), err);
    const double ratio = corrected.best.predicted_us / raw.best.predicted_us;
    assert_true(ratio > 9.9 && ratio < 10.1);
    hone_tuning_close(tuning);
}

// A journal that says of the first configuration that two runs began it and never ended.
static void what_killed_two_runs_is_put_away(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_session_result result;
    struct hone_tuning_options options = usual();
    options.journal = in_folder("killed.jsonl");
    struct hone_tuning *tuning = open_tuning(&options);
    hone_tuning_close(tuning);
    FILE *file = fopen(options.journal, "a");
    assert_non_null(file);
    fputs("{\"begun\":[64,0]}\n{\"begun\":[64,0]}\n", file);
    assert_int_equal(fclose(file), 0);
    options.resume = true;
    tuning = open_tuning(&options);
    assert_ok(hone_tuning_run(&result, tuning, &err), err);
    assert_int_equal(result.outcomes[HONE_CRASHED], 1);
    assert_int_equal(result.outcomes[HONE_VALID], 3);
    hone_tuning_close(tuning);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(problems_are_tuned_together_and_resumed),
    cmocka_unit_test(workers_measure_what_this_process_does),
    cmocka_unit_test(predictions_are_corrected_by_a_run_on_the_gpu),
    cmocka_unit_test(what_killed_two_runs_is_put_away),
};
HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
