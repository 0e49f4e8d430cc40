// How a run measures, from the command line to the journal, on the fake driver.
#include "lab.h"

#include "hone_test.h"

#include <string.h>

#include "cli/program.h"

// Runs LAB_TUNE with more to say, which has to end with that code.
static void tune(const char *before, const char *more, int code)
{
    char line[512];
    snprintf(line, sizeof line, LAB_TUNE "%s", more);
    program_run_with(before, line);
    if (program.code != code)
        fail_msg("%s ends with %d: %s", more, program.code, program.err);
}

// The file holds that text.
static bool says(const char *name, const char *text)
{
    char *file = program_file(name);
    assert_non_null(file);
    const bool found = strstr(file, text) != NULL;
    free(file);
    return found;
}

static void clock_and_l2_are_chosen_and_stand_in_the_journal(void **state)
{
    (void)state;
    tune("", "--budget 8 --clock graph --journal graph.jsonl", 0);
    assert_true(says("graph.jsonl", "\"clock\":\"graph\",\"l2\":\"cold\""));
    assert_true(says("graph.jsonl", "\"graph_launches\":"));
    tune("", "--budget 8 --clock event --journal event.jsonl", 0);
    assert_true(says("event.jsonl", "\"clock\":\"event\",\"l2\":\"cold\""));
    tune("", "--budget 8 --clock event --l2 warm --journal warm.jsonl", 0);
    assert_true(says("warm.jsonl", "\"clock\":\"event\",\"l2\":\"warm\""));
    tune("", "--budget 4 --isolate no --clock graph --journal here.jsonl", 0);
    assert_true(says("here.jsonl", "\"clock\":\"graph\",\"l2\":\"cold\""));
    program_run("emit event.jsonl graph.jsonl -o -");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "its clock is graph, elsewhere event"));
    program_run("emit event.jsonl warm.jsonl -o -");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "its L2 policy is warm, elsewhere cold"));
    program_run("emit warm.jsonl -o -");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "clock event, L2 warm"));
    tune("", "--budget 16 --clock event --resume --journal warm.jsonl", 2);
    assert_non_null(strstr(program.err, "its l2 is \"warm\", now it is \"cold\""));
}

// The laboratory's script with a line more.
static void tune_with(const char *key, const char *before, const char *more, int code)
{
    char line[512];
    snprintf(line, sizeof line,
             "version; sed 's/^    launch =/    %s launch =/' "
             "\"$SOURCE/tests/faults/lab.lua\" > own.lua",
             key);
    program_run(line);
    snprintf(line, sizeof line,
             "tune own.lua --templates \"$SOURCE/tests/faults\" --device cuda:0 "
             "--no-finals --quiet --cache '' --budget 4 %s",
             more);
    program_run_with(before, line);
    if (program.code != code)
        fail_msg("%s ends with %d: %s", more, program.code, program.err);
}

static void what_a_script_sets_aside_of_l2_stands_in_journal_and_header(void **state)
{
    (void)state;
    const char *const key = "l2_set_aside = 4 << 20,";
    tune_with(key, "", "--journal aside.jsonl -o aside.h", 0);
    assert_true(says("aside.jsonl", "\"l2\":\"cold, 4194304 bytes set aside\""));
    assert_true(says("aside.h", "L2 cold, 4194304 bytes set aside"));
    program_run("show aside.jsonl");
    assert_non_null(strstr(program.out, "L2 cold)"));
    tune_with("", "", "--journal aside.jsonl --resume", 2);
    tune_with(key, "HONE_FAKE_CUDA=memory=1e9,cc=75 ", "--journal none.jsonl", 1);
    assert_non_null(strstr(program.err, "cuda:0 can set aside 0 bytes of L2"));
    assert_non_null(strstr(program.err, "ask for less, or leave it out"));
}

static void what_is_to_know_of_the_clock_stands_in_the_journal(void **state)
{
    (void)state;
    tune("HONE_CLOCK= ", "--budget 4 --journal refused.jsonl", 0);
    assert_true(says("refused.jsonl", "\"clock\":\"event\",\"clock_note\":\"cupti was "
                                      "refused: the driver offers nothing to CUPTI\""));
    assert_non_null(strstr(program.err, "timed with events, which include the launch"));
    tune("HONE_FAKE_CUDA=memory=1e9,gap_us=9 ",
         "--budget 4 --clock graph --journal gap.jsonl", 0);
    assert_true(says("gap.jsonl", "\"clock_note\":\"a short kernel takes 10.74 us by "
                                  "graph, 2.75 by event\""));
    assert_non_null(strstr(program.err, "a short kernel takes 10.74 us by graph"));
}

static void a_clock_that_cannot_be_had_is_an_error(void **state)
{
    (void)state;
    tune("", "--clock cupti", 1);
    assert_non_null(strstr(program.err, "no clock 'cupti' here"));
    tune("", "--clock sundial", 2);
    assert_non_null(strstr(program.err, "--clock wants auto, cupti, event or graph"));
    tune("", "--l2 hot", 2);
    assert_non_null(strstr(program.err, "--l2 wants cold or warm, got 'hot'"));
    tune("", "--device auto --clock graph --worker \"$HONE worker --device cuda:0\"", 2);
    assert_non_null(strstr(program.err, "start them with 'hone worker --clock graph'"));
    for (int i = 0; i < 2; i++) {
        char line[128];
        snprintf(line, sizeof line, "--device emu:h200 --isolate %s --clock event",
                 i ? "yes" : "no");
        tune("", line, 2);
        assert_non_null(strstr(program.err, "emu:h200 has no clock to choose"));
    }
}

// Everything with A=15, the fastest, is wrong at the tuned size alone.
static void who_is_wrong_at_the_tuned_size_loses_its_place(void **state)
{
    (void)state;
    static const char *const ways[] = {"", "--isolate no "};
    for (int i = 0; i < 2; i++) {
        char more[256];
        snprintf(
            more, sizeof more,
            "--set B=0 --set C=0 --budget 16 --strategy grid %s--journal big%d.jsonl "
            "-o big%d.h",
            ways[i], i, i);
        tune("HONE_FAKE_CHAOS=LARGE:A=15 ", more, 0);
        assert_null(strstr(program.out, "  A=15"));
        assert_non_null(strstr(program.out, "equal to the reference's"));
        assert_non_null(strstr(program.out, "1 wrong at the tuned size only: y[3] is "));
        char name[32];
        snprintf(name, sizeof name, "big%d.jsonl", i);
        assert_true(says(name, "off by 0.25, allowed 0; 1 of 4096 wrong, at N=4096, the "
                               "tuned size"));
        assert_int_equal(lab_count(name), 16);
        snprintf(name, sizeof name, "big%d.h", i);
        assert_true(says(name, "results at this size: equal to the reference's"));
        assert_false(says(name, "A=15"));
    }
}

static void finals_are_held_among_those_who_are_right(void **state)
{
    (void)state;
    program_run_with("HONE_FAKE_CHAOS=LARGE:A=15 ",
                     "tune \"$SOURCE/tests/faults/lab.lua\" --device cuda:0 --set C=0 "
                     "--strategy grid --budget 256 --quiet --cache '' "
                     "--journal right.jsonl");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "rounds of finals"));
    assert_null(strstr(program.out, "  A=15"));
    assert_non_null(strstr(program.out, "16 wrong at the tuned size only"));
    program_run("emit right.jsonl -o -");
    assert_int_equal(program.code, 0);
    assert_non_null(
        strstr(program.out, "results at this size: equal to the reference's"));
    assert_non_null(strstr(program.out, "paired rounds"));
}

// A reference that is too slow takes its worker with it: the next one goes without.
static void a_reference_that_hangs_there_leaves_a_majority(void **state)
{
    (void)state;
    tune("HONE_FAKE_CHAOS=LARGE:A=15,LARGE_REFERENCE=1 ",
         "--set B=0 --set C=0 --budget 16 --strategy grid --launch-deadline 0.2s "
         "--journal slow.jsonl",
         0);
    assert_null(strstr(program.out, "  A=15"));
    assert_non_null(strstr(program.out, "as the majority has them"));
    assert_non_null(strstr(program.out, "1 time a new worker"));
    assert_true(says("slow.jsonl", ", the majority's "));
    assert_int_equal(lab_count("slow.jsonl"), 16);
}

// What a configuration draws grows as its grid shrinks: the fastest one (A=15) is not the
// one that needs the least energy.
#define HOT                                                                              \
    "HONE_NVML=" HONE_BINARY_DIR "/tests/fake/fake_nvml.so HONE_FAKE_CUDA=hot=4e6 "
#define LARGE "--set N=200000 --strategy grid --budget 1024 --seed 1 "

// A of the best that a run with this objective prints.
static int best_a(const char *objective)
{
    char more[256];
    snprintf(more, sizeof more,
             LARGE "--set B=0 --set C=0 --objective %s --journal %s.jsonl", objective,
             objective);
    tune(HOT, more, 0);
    const char *at = strstr(program.out, "  A=");
    assert_non_null(at);
    return (int)strtol(at + 4, NULL, 10);
}

static void energy_has_another_winner_than_time(void **state)
{
    (void)state;
    assert_int_equal(best_a("time"), 15);
    assert_int_equal(best_a("energy"), 9);
    assert_true(says("energy.jsonl", "\"objective\":\"energy_j\""));
    assert_true(says("energy.jsonl", "\"energy_j\":"));
    assert_true(says("energy.jsonl", "\"cost\":"));
    assert_int_equal(best_a("flops_per_watt"), 9); // as many operations in each
    const int edp = best_a("edp");
    assert_true(edp > 9 && edp <= 15);
    program_run("emit time.jsonl energy.jsonl -o -");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "its objective is energy_j, elsewhere time_us"));
    program_run("emit energy.jsonl -o -");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "times as good by energy_j"));
    program_run("tune --device replay:energy.jsonl --budget 100 --strategy random");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "A=9"));
}

static void show_lists_time_against_energy(void **state)
{
    (void)state;
    best_a("energy");
    program_run("show energy.jsonl");
    const char *list = strstr(program.out, "time against energy");
    assert_non_null(list);
    assert_non_null(strstr(list, "A=15"));
    assert_non_null(strstr(list, "A=9"));
    const char *end = strstr(list, "  1  ");
    assert_non_null(end);
    assert_true(!strstr(list, "A=8\n") || strstr(list, "A=8\n") > end); // worse in both
    program_run("show energy.jsonl --json");
    assert_non_null(strstr(program.out, "\"pareto\""));
}

static void an_objective_that_cannot_be_had_is_an_error(void **state)
{
    (void)state;
    tune("", "--objective energy", 2); // no NVML
    assert_non_null(strstr(program.err, "cuda:0 counts no energy"));
    tune("HONE_NVML=" HONE_BINARY_DIR "/tests/fake/fake_nvml.so HONE_FAKE_CUDA=energy=0 ",
         "--objective edp", 2);
    assert_non_null(
        strstr(program.err, "cuda:0 counts no energy, which --objective edp"));
    tune("", "--device emu:h200 --objective energy", 2);
    assert_non_null(strstr(program.err, "emu:h200 counts no energy"));
    tune("", "--objective beauty", 2);
    assert_non_null(strstr(program.err, "--objective wants time, energy, edp"));
    program_run_with(HOT, "tune \"$SOURCE/tests/gpu/faulty.lua\" --device cuda:0 "
                          "--objective flops_per_watt");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "needs the kernel's work = { flops = ... }"));
}

// By the fake driver's model: all that a configuration's time depends on is A.
static double true_us(int64_t a)
{
    const int64_t threads = 64 * (1 + a), blocks = (4096 + threads - 1) / threads;
    return 2 + 1000.0 * (double)blocks * 64 / (132 * 2048);
}

// What a search on a GPU that drifts picked, against the best that it saw.
static double regret_of(int seed, int every)
{
    char more[256], path[256];
    snprintf(
        more, sizeof more,
        "--clock event --budget 120 --seed %d --drift-check %d --journal d%d-%d.jsonl",
        seed, every, seed, every);
    tune("HONE_FAKE_CUDA=memory=1e9,noise=0.005,drift=0.1,drift_launches=15000 ", more,
         0);
    snprintf(path, sizeof path, "%s/d%d-%d.jsonl", program.folder, seed, every);
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_recording_load(&recording, path, &err), err);
    double best = 1e9, picked = 0, least = 1e9;
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        uint16_t choices[3];
        hone_space_choices(hone_recording_space(recording), trial->index, choices);
        const struct hone_param *a = &hone_recording_info(recording)->params[0];
        const double truth = true_us(a->values[choices[0]].i);
        if (trial->time_us < least) picked = truth;
        if (trial->time_us < least) least = trial->time_us;
        if (truth < best) best = truth;
    }
    hone_recording_free(recording);
    return picked / best - 1;
}

static void a_gpu_that_drifts_is_noticed_and_the_winner_is_real(void **state)
{
    (void)state;
    enum { RUNS = 12 };
    double without = 0, with = 0;
    for (int seed = 1; seed <= RUNS; seed++) {
        without += regret_of(seed, 0) / RUNS;
        with += regret_of(seed, 20) / RUNS;
    }
    printf("a drift of 10 %%: mean regret %.2f %%, with the watch %.2f %%\n",
           100 * without, 100 * with);
    assert_true(with <= 0.005);
    assert_true(without > 2 * with);
    assert_true(says("d1-20.jsonl", "\"drift\":{\"every\":20,\"limit\":0.02}"));
    assert_true(says("d1-20.jsonl", "{\"note\":\"the default takes "));
    assert_false(says("d1-0.jsonl", "drift"));
}

// On a GPU every configuration is checked in a worker: what kills it costs one of them.
static void check_outlives_faults(void **state)
{
    (void)state;
    program_run_with("HONE_FAKE_CHAOS=ILLEGAL:A=1,HANG:A=2,SEGV:A=3,WRONG:A=4 ",
                     "check \"$SOURCE/tests/faults/lab.lua\" --device cuda:0 --all "
                     "--set B=0 --set C=0 --cache '' --quiet --launch-deadline 0.05s");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.out, "on cuda:0: 16 of 16 configurations checked"));
    assert_non_null(
        strstr(program.out, "12 valid, 1 wrong_result, 2 crashed, 1 timed_out"));
    program_run("check \"$SOURCE/tests/faults/lab.lua\" --device cuda:0 --sample 9 "
                "--cache '' --quiet --json");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "\"checked\": 9"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(who_is_wrong_at_the_tuned_size_loses_its_place),
    cmocka_unit_test(finals_are_held_among_those_who_are_right),
    cmocka_unit_test(a_reference_that_hangs_there_leaves_a_majority),
    cmocka_unit_test(clock_and_l2_are_chosen_and_stand_in_the_journal),
    cmocka_unit_test(what_a_script_sets_aside_of_l2_stands_in_journal_and_header),
    cmocka_unit_test(what_is_to_know_of_the_clock_stands_in_the_journal),
    cmocka_unit_test(a_clock_that_cannot_be_had_is_an_error),
    cmocka_unit_test(energy_has_another_winner_than_time),
    cmocka_unit_test(show_lists_time_against_energy),
    cmocka_unit_test(an_objective_that_cannot_be_had_is_an_error),
    cmocka_unit_test(check_outlives_faults),
    cmocka_unit_test(a_gpu_that_drifts_is_noticed_and_the_winner_is_real),
};
HONE_TEST_MAIN_WITH(tests, lab_setup, program_teardown)
