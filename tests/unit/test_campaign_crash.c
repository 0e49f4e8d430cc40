// Runs of a campaign whose process dies at every step, that two processes do at once, on
// a disk that is full or broken: nothing is lost and nothing is measured twice.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file.h"
#include "campaign/attempt.h"
#include "campaign_test.h"

// --- dying at the n-th call that changes files ---

static bool deadly;    // calls count
static int calls_left; // until death
static bool in_half;   // the deadly write writes half of its bytes

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_unlink(const char *path);
int __wrap_unlink(const char *path);

static void count_call(void)
{
    if (deadly && calls_left-- == 0) _exit(77);
}

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    if (deadly && calls_left == 0 && in_half && size > 1) {
        if (__real_write(fd, data, size / 2) < 0) _exit(78);
        _exit(77);
    }
    count_call();
    return __real_write(fd, data, size);
}

int __wrap_rename(const char *from, const char *to)
{
    count_call();
    return __real_rename(from, to);
}

int __wrap_unlink(const char *path)
{
    count_call();
    return __real_unlink(path);
}

enum { TRIALS = 4 };

// A run in a process of its own that dies at call n; false where it came to its end.
static bool die_at(const struct hone_campaign *campaign, int n, bool half)
{
    int status;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct campaign_fake fake = {.trials = TRIALS};
        struct hone_engine_result result;
        calls_left = n;
        in_half = half;
        deadly = true;
        _exit(campaign_run(&result, campaign, &fake, NULL) == HONE_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77);
    return WEXITSTATUS(status) == 77;
}

// Each trial of the run is there once; the last of a dead process may be missing in the
// list of what was measured, which is written behind the journal.
static void check_trials(const struct hone_campaign *campaign, const char *what, int n)
{
    char *journal = hone_run_file(&campaign->runs[0], HONE_RUN_JOURNAL);
    const int lines = campaign_count(journal, "{\"config\"");
    const int measured = campaign_count("measured", "/");
    free(journal);
    if (lines != TRIALS || measured > TRIALS || measured < TRIALS - 1)
        fail_msg("%s %d: %d trials in the journal, %d measured", what, n, lines,
                 measured);
}

static void die_everywhere(void **state, bool half)
{
    const char *what = half ? "within write" : "before call";
    int steps = 0;
    for (bool died = true; died; steps++) {
        campaign_begin(state);
        struct hone_campaign *campaign = campaign_open("tries = 1");
        struct campaign_fake fake = {.trials = TRIALS};
        struct hone_engine_result result;
        died = die_at(campaign, steps, half);
        struct hone_run_state now = campaign_state(campaign, 0);
        if (now.phase == HONE_RUN_FAILED) // lost before it measured anything
            assert_int_equal(hone_run_retry(&campaign->runs[0], NULL), HONE_OK);
        assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
        now = campaign_state(campaign, 0);
        if (now.phase != HONE_RUN_DONE)
            fail_msg("%s %d: %s, %s", what, steps, hone_run_phase_name(now.phase),
                     now.reason);
        check_trials(campaign, what, steps);
        hone_campaign_close(campaign);
    }
    printf("died %s of %d steps\n", what, steps - 1);
    assert_in_range(steps, 8, 100);
}

static void a_process_that_dies_before_any_step_loses_nothing(void **state)
{
    die_everywhere(state, false);
}

static void a_process_that_dies_within_any_write_loses_nothing(void **state)
{
    die_everywhere(state, true);
}

// --- two at once ---

static void two_processes_share_a_campaign(void **state)
{
    enum { RUNS = 60, PROCESSES = 3 };
    char problems[4096] = "kernels = { { script = \"kernel.lua\", problems = {";
    campaign_begin(state);
    for (int i = 0; i < RUNS; i++)
        sprintf(problems + strlen(problems), " { N = %d },", i + 1);
    strcat(problems, " } } }, devices = { { id = \"emu:a100\", at_once = 2 } }");
    struct hone_campaign *campaign = campaign_open(problems);
    pid_t children[PROCESSES];
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] != 0) continue;
        struct campaign_fake fake = {.trials = TRIALS};
        struct hone_engine_result result;
        _exit(campaign_run(&result, campaign, &fake, NULL) != HONE_OK);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    for (size_t i = 0; i < RUNS; i++) {
        const struct hone_run_state now = campaign_state(campaign, i);
        assert_int_equal(now.phase, HONE_RUN_DONE);
        assert_int_equal(now.starts, 1);
    }
    assert_int_equal(campaign_count("measured", "/"), RUNS * TRIALS);
    hone_campaign_close(campaign);
}

static void a_run_that_others_do_is_left_to_them(void **state)
{
    campaign_begin(state);
    struct hone_campaign *campaign = campaign_open("");
    struct campaign_fake fake = {.trials = TRIALS};
    struct hone_engine_result result;
    struct hone_attempt attempt, other;
    enum hone_claim claim;
    assert_int_equal(hone_attempt_begin(&attempt, &claim, campaign, 0, "emu:a100", NULL),
                     HONE_OK);
    assert_int_equal(claim, HONE_CLAIM_OURS);
    assert_int_equal(hone_attempt_begin(&other, &claim, campaign, 0, "emu:a100", NULL),
                     HONE_OK);
    assert_int_equal(claim, HONE_CLAIM_BUSY);
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(result.begun, 0);
    assert_int_equal(result.left, 1);
    assert_int_equal(hone_run_retry(&campaign->runs[0], NULL), HONE_EUSAGE);
    struct hone_run_state now;
    assert_int_equal(hone_run_state_read(&now, &campaign->runs[0], 3, 1, NULL), HONE_OK);
    assert_int_equal(now.phase, HONE_RUN_RUNNING);
    const int64_t late = now.begun + HONE_RUN_STALE_S + 2;
    assert_int_equal(hone_run_state_read(&now, &campaign->runs[0], 3, late, NULL),
                     HONE_OK);
    assert_int_equal(now.phase, HONE_RUN_STALE);
    assert_int_equal(hone_attempt_end(&attempt, 0, NULL, NULL), HONE_OK);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_DONE);
    hone_campaign_close(campaign);
}

// --- a full disk ---

static enum hone_status run_with_room(const struct hone_campaign *campaign,
                                      struct campaign_fake *fake, rlim_t most,
                                      struct hone_error *err)
{
    struct hone_engine_result result;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = most;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const enum hone_status status = campaign_run(&result, campaign, fake, err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    return status;
}

// What ends the work is the disk.
static void a_program_is_missing_where_that_cannot_be_noted(void **state)
{
    int unnoted = 0;
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t most = 0; most < 1000; most += 90) {
        campaign_begin(state);
        struct hone_campaign *campaign = campaign_open("");
        struct campaign_fake fake = {.missing = true};
        struct hone_error err = {0};
        const enum hone_status status = run_with_room(campaign, &fake, most, &err);
        assert_int_equal(err.code, status);
        if (status != HONE_OK) assert_non_null(strstr(err.text, "events.jsonl"));
        unnoted += status != HONE_OK && fake.starts == 1;
        hone_campaign_close(campaign);
    }
    assert_true(unnoted > 0);
}

static void a_full_disk_ends_the_work_and_loses_nothing(void **state)
{
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t most = 0; most < 1000; most += 90) {
        campaign_begin(state);
        struct hone_campaign *campaign = campaign_open("");
        struct campaign_fake fake = {.trials = TRIALS};
        struct hone_engine_result result;
        struct hone_error err = {0};
        const enum hone_status status = run_with_room(campaign, &fake, most, &err);
        if (status != HONE_OK && !strstr(err.text, "events.jsonl"))
            fail_msg("%d bytes: %s", (int)most, err.text);
        if (campaign_state(campaign, 0).phase == HONE_RUN_FAILED)
            assert_int_equal(hone_run_retry(&campaign->runs[0], NULL), HONE_OK);
        assert_int_equal(campaign_run(&result, campaign, &fake, &err), HONE_OK);
        assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_DONE);
        check_trials(campaign, "bytes of a file", (int)most);
        hone_campaign_close(campaign);
    }
}

// --- a broken disk ---

static int read_error, cut_error; // of every such call; 0: none
static bool reads_short;

ssize_t __real_pread(int fd, void *data, size_t size, off_t from);
ssize_t __wrap_pread(int fd, void *data, size_t size, off_t from);
int __real_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size);

ssize_t __wrap_pread(int fd, void *data, size_t size, off_t from)
{
    errno = read_error;
    return read_error ? -1 : __real_pread(fd, data, reads_short ? size / 2 : size, from);
}

int __wrap_ftruncate(int fd, off_t size)
{
    errno = cut_error;
    return cut_error ? -1 : __real_ftruncate(fd, size);
}

// What a power loss leaves behind events has to be cut off before another is written.
static void an_end_that_cannot_be_mended_is_told_with_its_reason(void **state)
{
    static const char left[] = "{\"event\":\"retry\",\"at\":1}\n\0\0";
    static const struct {
        int read_error, cut_error;
        bool is_short;
        int reason;
    } rows[] = {{EACCES, 0, false, EACCES}, {0, EROFS, false, EROFS}, {0, 0, true, EIO}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct campaign_fake fake = {.trials = TRIALS};
        struct hone_engine_result result;
        struct hone_error err = {0};
        struct stat info;
        campaign_begin(state);
        struct hone_campaign *campaign = campaign_open("");
        char *path = hone_run_file(&campaign->runs[0], HONE_RUN_EVENTS);
        assert_ok(hone_file_mkdirs(campaign->runs[0].folder, &err), err);
        assert_ok(hone_file_write(path, left, sizeof left - 1, &err), err);
        read_error = rows[i].read_error;
        cut_error = rows[i].cut_error;
        reads_short = rows[i].is_short;
        const enum hone_status status = campaign_run(&result, campaign, &fake, &err);
        read_error = cut_error = 0;
        reads_short = false;
        if (status != HONE_EIO || !strstr(err.text, path) || fake.starts ||
            !strstr(err.text, hone_errno_text(rows[i].reason)))
            fail_msg("row %zu: %d %s, %d starts", i, status, err.text, fake.starts);
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_size, sizeof left - 1);
        assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
        assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_DONE);
        hone_campaign_close(campaign);
        free(path);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_process_that_dies_before_any_step_loses_nothing),
    cmocka_unit_test(a_process_that_dies_within_any_write_loses_nothing),
    cmocka_unit_test(two_processes_share_a_campaign),
    cmocka_unit_test(a_run_that_others_do_is_left_to_them),
    cmocka_unit_test(a_full_disk_ends_the_work_and_loses_nothing),
    cmocka_unit_test(a_program_is_missing_where_that_cannot_be_noted),
    cmocka_unit_test(an_end_that_cannot_be_mended_is_told_with_its_reason),
};
HONE_TEST_MAIN_WITH(tests, NULL, campaign_end)
