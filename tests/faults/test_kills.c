// Kills at random moments: of the tuner, which is resumed, and of its workers. No trial is
// lost, none is measured twice. HONE_TESTS=long kills 200 tuners.
#include "lab.h"

#include "hone_test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/program.h"
#include "hone/rng.h"

enum { BUDGET = 100 };

static void pause_ms(uint64_t ms)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)ms * 1000000}, NULL);
}

// The program itself, no shell between, so that a kill meets it.
static pid_t start_tune(const char *journal, const char *seed, bool resume)
{
    const pid_t pid = fork();
    if (pid != 0) return pid;
    const char *script = HONE_SOURCE_DIR "/tests/faults/lab.lua";
    const char *const argv[] = {"hone",    "tune",
                                script,    "--device",
                                "cuda:0",  "--strategy",
                                "random",  "--no-finals",
                                "--quiet", "--cache",
                                "",        "--budget",
                                "100",     "--journal",
                                journal,   "--seed",
                                seed,      resume ? "--resume" : NULL,
                                NULL};
    char *const *words;
    const char *const *from = argv;
    memcpy(&words, &from, sizeof words);
    if (chdir(program.folder) != 0) _exit(126);
    dup2(open("tune.err", O_WRONLY | O_CREAT | O_APPEND, 0666), STDERR_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execv(HONE_BINARY_DIR "/hone", words);
    _exit(127);
}

static bool has_ended(pid_t pid, int *status)
{
    return waitpid(pid, status, WNOHANG) == pid;
}

static char *read_journal(const char *name)
{
    char *text = program_file(name);
    if (text && strchr(text, '\n')) return text;
    // Killed before its first line was there: nothing was measured.
    free(text);
    char path[256];
    snprintf(path, sizeof path, "%s/%s", program.folder, name);
    unlink(path);
    return NULL;
}

// Whole lines of what stood there before stand there still.
static void assert_extends(const char *before, const char *after)
{
    const char *end = before ? strrchr(before, '\n') : NULL;
    if (!end) return;
    assert_non_null(after);
    assert_memory_equal(before, after, (size_t)(end + 1 - before));
}

static void show_errors(void)
{
    char *text = program_file("tune.err");
    print_message("%s\n", text ? text : "");
    free(text);
}

static void a_killed_tuner_goes_on_where_it_was(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 7);
    const size_t wanted = lab_scale(50, 200);
    size_t kills = 0, runs = 0, torn = 0;
    char journal[32] = "", seed[16], *before = NULL;
    while (kills < wanted || before) {
        if (!before) snprintf(journal, sizeof journal, "k%zu.jsonl", ++runs);
        snprintf(seed, sizeof seed, "%zu", runs);
        const pid_t pid = start_tune(journal, seed, before != NULL);
        int status = 0;
        pause_ms(kills < wanted ? 5 + hone_rng_below(&rng, 200) : 0);
        const bool ended =
            kills >= wanted ? waitpid(pid, &status, 0) == pid : has_ended(pid, &status);
        if (!ended) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            kills++;
        } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            show_errors();
            fail_msg("run %zu ended with %d", runs, status);
        }
        char *after = read_journal(journal);
        assert_extends(before, after);
        torn += after && after[strlen(after) - 1] != '\n';
        free(before);
        before = after;
        const size_t count = after ? lab_count(journal) : 0;
        assert_true(count <= BUDGET);
        if (!ended) continue;
        assert_int_equal(count, BUDGET);
        free(before);
        before = NULL;
    }
    print_message("%zu kills, %zu runs, %zu torn lines\n", kills, runs, torn);
}

// --- workers ---

// A child of parent; 0 when it has none.
static pid_t find_child(pid_t parent)
{
    DIR *folder = opendir("/proc");
    pid_t found = 0;
    assert_non_null(folder);
    for (struct dirent *entry; !found && (entry = readdir(folder));) {
        char path[300], line[512];
        const long pid = strtol(entry->d_name, NULL, 10);
        if (pid <= 0) continue;
        snprintf(path, sizeof path, "/proc/%ld/stat", pid);
        FILE *file = fopen(path, "r");
        if (!file) continue;
        const char *after = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
        int above = 0;
        if (after && sscanf(after + 1, " %*c %d", &above) == 1 && above == parent)
            found = (pid_t)pid;
        fclose(file);
    }
    closedir(folder);
    return found;
}

static size_t count_outcome(const char *journal, enum hone_outcome outcome)
{
    char path[256];
    struct hone_error err = {0};
    struct hone_recording *recording = NULL;
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s", program.folder, journal);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    for (size_t i = 0; i < hone_recording_count(recording); i++)
        count += hone_recording_trial(recording, i)->outcome == outcome;
    hone_recording_free(recording);
    return count;
}

static void killed_workers_cost_at_most_the_configurations_they_had(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 8);
    const size_t wanted = lab_scale(50, 200);
    size_t kills = 0, runs = 0, crashed = 0;
    while (kills < wanted) {
        char journal[32], seed[16];
        snprintf(journal, sizeof journal, "w%zu.jsonl", ++runs);
        snprintf(seed, sizeof seed, "%zu", runs);
        const pid_t pid = start_tune(journal, seed, false);
        int status = 0;
        size_t seen = 0;
        while (!has_ended(pid, &status)) {
            pause_ms(10 + hone_rng_below(&rng, 60));
            // One that gets no further between two kills would rightly be given up.
            const size_t count = lab_count(journal);
            const pid_t worker = count > seen ? find_child(pid) : 0;
            if (!worker || kill(worker, SIGKILL) != 0) continue;
            seen = count;
            kills++;
        }
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            show_errors();
            fail_msg("run %zu ended with %d", runs, status);
        }
        assert_int_equal(lab_count(journal), BUDGET);
        const size_t lost = count_outcome(journal, HONE_CRASHED);
        assert_int_equal(count_outcome(journal, HONE_VALID) + lost, BUDGET);
        crashed += lost;
    }
    assert_true(crashed <= kills / 2); // each took two
    print_message("%zu kills, %zu runs, %zu configurations given up\n", kills, runs,
                  crashed);
}

static void a_worker_ends_with_its_tuner(void **state)
{
    (void)state;
    const pid_t pid = start_tune("orphan.jsonl", "1", false);
    pid_t worker = 0;
    int status;
    while (!worker && !has_ended(pid, &status))
        worker = find_child(pid);
    assert_true(worker > 0);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    for (int ms = 0; ms < 5000 && kill(worker, 0) == 0; ms += 10) {
        char path[64], line[256] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", (int)worker);
        FILE *file = fopen(path, "r");
        if (file && fgets(line, sizeof line, file) && strstr(line, ") Z ")) {
            fclose(file);
            return; // ended; its new parent has not looked yet
        }
        if (file) fclose(file);
        pause_ms(10);
    }
    assert_int_equal(kill(worker, 0), -1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_killed_tuner_goes_on_where_it_was),
    cmocka_unit_test(killed_workers_cost_at_most_the_configurations_they_had),
    cmocka_unit_test(a_worker_ends_with_its_tuner),
};
HONE_TEST_MAIN_WITH(tests, lab_setup_in_memory, program_teardown)
