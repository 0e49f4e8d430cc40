// Faults of every kind, by configuration, over many runs: each costs its configuration and
// nothing else. HONE_TESTS=long runs 1,000 of them, as docs/measurement.md reports.
#define _DEFAULT_SOURCE // flock
#include "lab.h"

#include "hone_test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "cli/program.h"

enum { BUDGET = 64, AT_ONCE = 3 };

static const struct {
    const char *kind;
    enum hone_outcome outcome;
} expected[] = {
    {"ILLEGAL", HONE_CRASHED},
    {"HANG", HONE_TIMED_OUT},
    {"LAUNCH", HONE_LAUNCH_FAILED},
    {"MEMORY", HONE_LAUNCH_FAILED},
    {"WRONG", HONE_WRONG_RESULT},
    {"SEGV", HONE_CRASHED},
    {"EXIT", HONE_CRASHED},
    {"FREEZE", HONE_TIMED_OUT},
    {"BUILD_SEGV", HONE_BUILD_FAILED},
};

static enum hone_outcome outcome_of(const char *kind)
{
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (strcmp(expected[i].kind, kind) == 0) return expected[i].outcome;
    fail_msg("an unknown fault '%s'", kind);
    return HONE_VALID;
}

// Every fault of the log stands in the journal as what it is, and everything else is
// valid. Returns the number of faults.
static size_t compare(const char *journal, const char *log)
{
    char path[256], kind[32];
    int a, b, c;
    static bool hit[LAB_A][LAB_B][LAB_C];
    struct hone_error err = {0};
    struct hone_recording *recording = NULL;
    size_t faults = 0, bad = 0;
    snprintf(path, sizeof path, "%s/%s", program.folder, journal);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    memset(hit, 0, sizeof hit);
    snprintf(path, sizeof path, "%s/%s", program.folder, log);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fscanf(file, "%31s A=%d B=%d C=%d\n", kind, &a, &b, &c) == 4) {
        const struct hone_trial *trial = lab_find(recording, a, b, c);
        faults++;
        // Builds ahead of the end of the budget may have faulted too.
        if (!trial && strcmp(kind, "BUILD_SEGV") == 0) continue;
        if (!trial) fail_msg("%s of A=%d B=%d C=%d left no trial", kind, a, b, c);
        if (trial->outcome != outcome_of(kind))
            fail_msg("%s is %s: %s", kind, hone_outcome_name(trial->outcome),
                     trial->reason);
        bad += !hit[a][b][c];
        hit[a][b][c] = true;
    }
    fclose(file);
    size_t valid = 0;
    for (size_t i = 0; i < hone_recording_count(recording); i++)
        valid += hone_recording_trial(recording, i)->outcome == HONE_VALID;
    assert_int_equal(valid + bad, hone_recording_count(recording));
    hone_recording_free(recording);
    return faults;
}

// Runs AT_ONCE seeds from first on beside each other, since a run mostly waits: for kernels
// that hang and workers that froze. Each has its own lock: the fake GPUs are not one.
static void run_seeds(unsigned first)
{
    char prefix[1024];
    snprintf(
        prefix, sizeof prefix,
        "for s in $(seq %u %u); do mkdir lock$s && HONE_LOCKS=$PWD/lock$s "
        "HONE_FAKE_CHAOS=seed=$s,ILLEGAL=0.06,HANG=0.03,LAUNCH=0.04,MEMORY=0.04,"
        "WRONG=0.06,SEGV=0.03,EXIT=0.02,FREEZE=0.01,BUILD_SEGV=0.02 "
        "HONE_FAKE_CHAOS_LOG=f$s.log \"$HONE\" " LAB_TUNE
        "--launch-deadline 0.05s --seed $s --budget %d --journal f$s.jsonl 2>f$s.err || "
        "echo \"run $s ended with $?: $(cat f$s.err)\" >>failed & done; wait; ",
        first, first + AT_ONCE - 1, BUDGET);
    program_run_with(prefix, "--version");
    char *failed = program_file("failed");
    if (failed) fail_msg("%s", failed);
}

static void faults_cost_their_configurations_and_never_a_run(void **state)
{
    (void)state;
    const size_t wanted = lab_scale(250, 1000);
    size_t faults = 0, runs = 0;
    while (faults < wanted) {
        const unsigned first = (unsigned)runs + 1;
        run_seeds(first);
        for (unsigned seed = first; seed < first + AT_ONCE; seed++) {
            char journal[32], log[32];
            snprintf(journal, sizeof journal, "f%u.jsonl", seed);
            snprintf(log, sizeof log, "f%u.log", seed);
            assert_int_equal(lab_count(journal), BUDGET);
            faults += compare(journal, log);
        }
        runs += AT_ONCE;
    }
    print_message("%zu faults in %zu trials of %zu runs\n", faults, runs * BUDGET, runs);
}

static void a_lost_gpu_ends_the_run_with_what_was_measured(void **state)
{
    (void)state;
    const char *environment = "HONE_FAKE_CHAOS=seed=5,LOST=0.05 "
                              "HONE_FAKE_CHAOS_LOG=lost.log HONE_FAKE_LOST=lost.gpu";
    const char *args = LAB_TUNE "--seed 3 --budget 100 --journal lost.jsonl -o lost.h";
    program_run_with(environment, args);
    assert_int_equal(program.code, 1);
    if (!strstr(program.err, "cuda:0 is lost")) fail_msg("%s", program.err);
    const size_t before = lab_count("lost.jsonl");
    assert_true(before > 0 && before < 100);
    char *header = program_file("lost.h");
    assert_non_null(header); // from what was measured
    free(header);
    // The GPU is back: nothing is measured again, the one it was lost over once more.
    program_run_with("rm lost.gpu lost.h; ",
                     LAB_TUNE "--seed 3 --budget 100 --journal lost.jsonl --resume");
    assert_int_equal(program.code, 0);
    assert_int_equal(lab_count("lost.jsonl"), 100);
}

static void a_slow_context_is_waited_for(void **state)
{
    (void)state;
    program_run_with("HONE_FAKE_CHAOS=slow_context=300",
                     LAB_TUNE "--budget 3 --journal slow.jsonl");
    assert_int_equal(program.code, 0);
    assert_int_equal(lab_count("slow.jsonl"), 3);
}

// Everything that is not of this process: the trials are those of the direct evaluator.
static void isolation_changes_no_trial(void **state)
{
    (void)state;
    program_run(LAB_TUNE "--budget 40 --drift-check 7 --journal there.jsonl");
    assert_int_equal(program.code, 0);
    program_run(LAB_TUNE "--budget 40 --drift-check 7 --journal here.jsonl --isolate no");
    assert_int_equal(program.code, 0);
    program_run("version; for f in here there; do tail -n +2 $f.jsonl | "
                "sed -E 's/,\"(build_ms|evaluate_ms)\":[^,}]*//g' > $f.txt; done; "
                "cmp here.txt there.txt");
    assert_int_equal(program.code, 0);
}

static void workers_of_any_command_share_the_work(void **state)
{
    (void)state;
    setenv("HONE_FAKE_CUDA", "memory=1e9,devices=2", 1);
    program_run(LAB_TUNE "--device cuda:0,cuda:1 --budget 2 --journal kinds.jsonl");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "one kind of device"));
    setenv("HONE_FAKE_CUDA", "memory=1e9,devices=3,alike=1", 1);
    program_run(LAB_TUNE "--device cuda:0,cuda:1 --worker \"sh -c '$HONE worker --device "
                         "cuda:2 --cache \\\"\\\"'\" --budget 60 --journal three.jsonl");
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    if (program.code != 0) fail_msg("%s", program.err);
    assert_int_equal(lab_count("three.jsonl"), 60);
}

// What another tuner would hold; the fake's first GPU.
static int hold_lock(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/hone-GPU-00000000-0000-0000-0000-%012d.lock",
             program.folder, 0);
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    assert_true(fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0);
    assert_int_equal(write(fd, "4711\n", 5), 5);
    return fd;
}

static bool file_says(const char *name, const char *text)
{
    char *found = program_file(name);
    const bool says = found && strstr(found, text);
    free(found);
    return says;
}

static void two_tuners_never_time_on_one_gpu(void **state)
{
    (void)state;
    const struct timespec nap = {.tv_nsec = 10000000};
    const int fd = hold_lock();
    program_run(LAB_TUNE "--budget 2 --journal two.jsonl --no-wait");
    assert_int_equal(program.code, 1);
    if (!strstr(program.err, "is in use by another tuner (process 4711)"))
        fail_msg("%s", program.err);
    assert_int_equal(lab_count("two.jsonl"), 0);
    program_run_with("(", LAB_TUNE "--budget 2 --journal two.jsonl 2>two.err; "
                                   "echo $? >two.code) >/dev/null & true");
    while (!file_says("two.err", "waiting for it"))
        nanosleep(&nap, NULL);
    assert_int_equal(lab_count("two.jsonl"), 0);
    close(fd);
    while (!file_says("two.code", "\n"))
        nanosleep(&nap, NULL);
    assert_true(file_says("two.code", "0"));
    assert_int_equal(lab_count("two.jsonl"), 2);
}

static void a_command_that_is_no_worker_is_named(void **state)
{
    (void)state;
    program_run(LAB_TUNE "--device auto --worker 'echo Welcome to node7'");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "got 'Welcome to node7'"));
    program_run(LAB_TUNE "--device auto --worker 'false'");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.err, "ended with status 1"));
    program_run(LAB_TUNE "--device cuda:7");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.err, "cuda:7"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(faults_cost_their_configurations_and_never_a_run),
    cmocka_unit_test(a_lost_gpu_ends_the_run_with_what_was_measured),
    cmocka_unit_test(a_slow_context_is_waited_for),
    cmocka_unit_test(isolation_changes_no_trial),
    cmocka_unit_test(workers_of_any_command_share_the_work),
    cmocka_unit_test(two_tuners_never_time_on_one_gpu),
    cmocka_unit_test(a_command_that_is_no_worker_is_named),
};
HONE_TEST_MAIN_WITH(tests, lab_setup_in_memory, program_teardown)
