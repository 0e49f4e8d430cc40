// Counters at the end of a run, from the command line to the journal, on the fake driver
// and its fake CUPTI: whatever befalls them, the run ends as it would without.
#include "lab.h"

#include "hone_test.h"

#include <string.h>

#include "cli/program.h"

#define CUPTI "HONE_CUPTI=" HONE_BINARY_DIR "/tests/fake/fake_cupti.so "
#define TUNE                                                                             \
    "tune \"$SOURCE/tests/faults/lab.lua\" --device cuda:0 --strategy random "           \
    "--budget 12 --quiet --cache '' "

// Runs it with CUPTI and a driver that behaves so; what it printed is in program.
static void tune(const char *fake, const char *more, int code)
{
    char before[512], line[512];
    snprintf(before, sizeof before, CUPTI "HONE_FAKE_CUDA=memory=1e9,profiler=1%s%s",
             *fake ? "," : "", fake);
    snprintf(line, sizeof line, TUNE "%s", more);
    program_run_with(before, line);
    if (program.code != code)
        fail_msg("%s, %s ends with %d: %s", fake, more, program.code, program.err);
}

// By a worker that the shell's words before it start, on the device that is behind them.
static void tune_elsewhere(const char *words, const char *more)
{
    char line[512];
    snprintf(
        line, sizeof line,
        "tune \"$SOURCE/tests/faults/lab.lua\" --strategy random --budget 12 --quiet "
        "--cache '' --worker \"%s $HONE worker --device cuda:0 --cache ''\" "
        "--counters light %s",
        words, more);
    program_run_with(CUPTI "HONE_FAKE_CUDA=memory=1e9,profiler=1 timeout 120", line);
    if (program.code) fail_msg("%s ends with %d: %s", words, program.code, program.err);
}

static struct hone_recording *load(const char *journal)
{
    char path[256];
    struct hone_error err = {0};
    struct hone_recording *recording = NULL;
    snprintf(path, sizeof path, "%s/%s", program.folder, journal);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    assert_null(strstr(hone_recording_notice(recording), "repeated"));
    return recording;
}

// Whose value of A that is, whose grid has a block for 64 * (1 + A) of 4096 elements.
static int choice_of_a(const struct hone_recording *recording,
                       const struct hone_trial *trial)
{
    uint16_t choices[3];
    hone_space_choices(hone_recording_space(recording), trial->index, choices);
    return (int)hone_space_param(hone_recording_space(recording), 0)
        ->values[choices[0]]
        .i;
}

// *counted trials have counters, each those of its own launch.
static void check_counters(const struct hone_recording *recording, size_t *counted)
{
    *counted = 0;
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        if (!hone_trial_counter_count(trial)) continue;
        const int each = 64 * (1 + choice_of_a(recording, trial));
        assert_true(hone_trial_counter(trial, "blocks", 0) == (4096 + each - 1) / each);
        assert_true(trial->final.rank == 1 || choice_of_a(recording, trial) == 0);
        ++*counted;
    }
}

static size_t count_counted(const char *journal)
{
    size_t counted;
    struct hone_recording *recording = load(journal);
    check_counters(recording, &counted);
    hone_recording_free(recording);
    return counted;
}

static bool file_says(const char *name, const char *text)
{
    char *file = program_file(name);
    assert_non_null(file);
    const bool found = strstr(file, text) != NULL;
    free(file);
    return found;
}

static void winner_and_default_are_counted(void **state)
{
    (void)state;
    tune("", "--counters light --journal apart.jsonl", 0);
    if (strstr(program.err, "CUPTI lacks")) SKIP("%s", program.err);
    assert_int_equal(count_counted("apart.jsonl"), 2);
    tune("", "--counters light --isolate no --journal here.jsonl", 0);
    assert_int_equal(count_counted("here.jsonl"), 2);
    tune("", "--counters full --no-finals --journal full.jsonl", 0);
    assert_true(file_says("full.jsonl", "\"stall_barrier\":{\"value\":"));
    assert_false(file_says("apart.jsonl", "\"stall_barrier\":"));
    tune("", "--journal none.jsonl", 0);
    assert_int_equal(count_counted("none.jsonl"), 0);
    program_run("emit apart.jsonl -o -");
    assert_int_equal(program.code, 0);
}

// Whoever lends one GPU, a batch system or flock, has none for a second worker beside the
// search's.
static void a_worker_elsewhere_counts_where_one_may_run_at_a_time(void **state)
{
    (void)state;
    tune_elsewhere("flock -x one", "--journal one.jsonl");
    if (strstr(program.err, "CUPTI lacks")) SKIP("%s", program.err);
    assert_int_equal(count_counted("one.jsonl"), 2);
}

// The second start finds the file of the first and says nothing, as in a queue.
static void a_worker_that_stays_in_a_queue_is_a_warning(void **state)
{
    (void)state;
    tune_elsewhere("sh -c 'if mkdir once; then exec \\\"\\$@\\\"; fi; exec sleep 100' sh",
                   "--worker-start 10s --journal queue.jsonl");
    if (strstr(program.err, "CUPTI lacks")) SKIP("%s", program.err);
    if (!strstr(program.err, "no counters: ")) fail_msg("%s", program.err);
    assert_true(file_says("queue.jsonl", "\"note\":\"no counters"));
    assert_int_equal(count_counted("queue.jsonl"), 0);
}

static void see(const char *line, const char *text)
{
    program_run(line);
    if (program.code || !strstr(program.out, text))
        fail_msg("%s ends with %d: %s%s", line, program.code, program.out, program.err);
}

static void counters_are_seen_wherever_metrics_are(void **state)
{
    (void)state;
    tune("", "--counters light --journal seen.jsonl", 0);
    if (strstr(program.err, "CUPTI lacks")) SKIP("%s", program.err);
    see("show seen.jsonl --metrics", "counters of the best:\n  time_ns");
    see("show seen.jsonl --metrics --json", "\"counters\"");
    see("explain seen.jsonl", "counters of a launch");
    see("explain seen.jsonl --json", "\"counted\"");
    see("diff seen.jsonl", "counter.time_ns");
    see("export seen.jsonl --to csv -o -", ",counter.blocks,");
    see("export seen.jsonl --to jsonl -o -", "\"counter.blocks\":");
    see("report seen.jsonl -o -", "Counters of the hardware");
}

static void check_prints_those_of_the_default(void **state)
{
    (void)state;
    program_run_with(CUPTI "HONE_FAKE_CUDA=memory=1e9,profiler=1",
                     "check $SOURCE/tests/faults/lab.lua --device cuda:0 --cache '' "
                     "--dump counters");
    if (strstr(program.err, "CUPTI lacks")) SKIP("%s", program.err);
    if (program.code) fail_msg("%s", program.err);
    assert_non_null(strstr(program.out, "blocks                     64 blocks\n"));
    program_run_with(CUPTI "HONE_FAKE_CUDA=memory=1e9,profiler=1,count_code=35,"
                           "count_call=6",
                     "check $SOURCE/tests/faults/lab.lua --device cuda:0 --cache '' "
                     "--dump counters");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.err, "ERR_NVGPUCTRPERM"));
    program_run("check $SOURCE/tests/faults/lab.lua --device emu:h100 --dump counters");
    assert_int_equal(program.code, 2);
}

static void what_is_refused_or_dies_is_a_warning_and_a_note(void **state)
{
    (void)state;
    static const struct {
        const char *fake, *why;
    } rows[] = {{"count_code=35,count_call=6", "NVreg_RestrictProfilingToAdminUsers=0"},
                {"count_code=26,count_call=1", "another profiler has the counters"},
                {"count_vgpu=1", "virtual GPU"},
                {"count_nan=1", "a number for none"},
                {"count_passes=999", "not counted to the end"},
                {"count_dies=2", "the worker ended with status 9"},
                {"profiler=0", "offers nothing to CUPTI"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char more[64], name[32];
        snprintf(name, sizeof name, "refused%zu.jsonl", i);
        snprintf(more, sizeof more, "--counters light --journal %s", name);
        tune(rows[i].fake, more, 0);
        if (strstr(program.err, "CUPTI lacks")) SKIP("%s", program.err);
        if (!strstr(program.err, rows[i].why) ||
            !file_says(name, "\"note\":\"no counters"))
            fail_msg("%s: %s", rows[i].fake, program.err);
        assert_int_equal(count_counted(name), 0);
    }
}

// A run that is gone on with counts its own winner.
static void a_resumed_run_counts_again(void **state)
{
    (void)state;
    tune("", "--counters light --journal more.jsonl", 0);
    if (strstr(program.err, "CUPTI lacks")) SKIP("%s", program.err);
    tune("", "--counters light --budget 20 --resume --journal more.jsonl", 0);
    assert_true(count_counted("more.jsonl") >= 2);
}

static void only_a_gpu_has_counters(void **state)
{
    (void)state;
    program_run(TUNE "--device emu:h100 --counters light --journal emu.jsonl");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "this device is emulated"));
    tune("", "--journal some.jsonl", 0);
    program_run("tune --device replay:some.jsonl --counters light");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "this is a recording"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(winner_and_default_are_counted),
    cmocka_unit_test(a_worker_elsewhere_counts_where_one_may_run_at_a_time),
    cmocka_unit_test(a_worker_that_stays_in_a_queue_is_a_warning),
    cmocka_unit_test(counters_are_seen_wherever_metrics_are),
    cmocka_unit_test(check_prints_those_of_the_default),
    cmocka_unit_test(what_is_refused_or_dies_is_a_warning_and_a_note),
    cmocka_unit_test(a_resumed_run_counts_again),
    cmocka_unit_test(only_a_gpu_has_counters),
};
HONE_TEST_MAIN_WITH(tests, lab_setup, program_teardown)
