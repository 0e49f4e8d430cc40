// A machine that gives little: descriptors, address space, processes, bytes of a file, room
// on a disk, folders, standard streams. A run ends well or with words, loses nothing that
// was measured, leaves no file but its journal, and goes on where there is more.
#include "lab.h"

#include "hone_test.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/program.h"

enum { TRIALS = 30 };

#define RUN LAB_TUNE "--budget 30 --journal r.jsonl"

// Each run has a folder of its own, so that what it leaves is seen.
#define IN_FOLDER "cd w; export HONE_LOCKS=$PWD TMPDIR=$PWD; "
#define BEGIN     "rm -rf w; mkdir w; " IN_FOLDER

// The journal and the lock of a GPU stay on purpose, for the next run.
static void check_left(const char *what)
{
    char command[256], name[256] = "";
    snprintf(command, sizeof command,
             "ls -A %s/w | grep -vx -e r.jsonl -e 'hone-GPU-.*lock'", program.folder);
    FILE *files = popen(command, "r");
    assert_non_null(files);
    if (fgets(name, sizeof name, files)) fail_msg("%s: it leaves %s", what, name);
    pclose(files);
}

// Lines of the journal are whole, and the run goes on with them.
static size_t check_goes_on(const char *what)
{
    char *text = program_file("w/r.jsonl");
    const size_t before = lab_count("w/r.jsonl");
    if (text && *text && text[strlen(text) - 1] != '\n') fail_msg("%s: %s", what, text);
    program_run_with(IN_FOLDER, text ? RUN " --resume" : RUN);
    // A worker that had no memory may have failed at all: then that is said again.
    if (program.code != 0 && !strstr(program.err, "is valid; the first: crashed: "))
        fail_msg("%s, then: %s", what, program.err);
    if (lab_count("w/r.jsonl") != TRIALS || before > TRIALS)
        fail_msg("%s: %zu trials, then %zu", what, before, lab_count("w/r.jsonl"));
    free(text);
    return before;
}

// 127: the loader of shared libraries gave up before the program began, and says so.
static bool is_loaders_end(void)
{
    return program.code == 127 &&
           strstr(program.err, "error while loading shared libraries");
}

static void check_end(const char *what)
{
    const int code = program.code;
    if (code != 0 && code != 1 && !is_loaders_end())
        fail_msg("%s: ended with %d: %s", what, code, program.err);
    if (code != 0 && !program.err[0]) fail_msg("%s: %d without a word", what, code);
    check_left(what);
    const size_t trials = check_goes_on(what);
    if (code == 0 && trials != TRIALS) fail_msg("%s: lost %zu trials", what, trials);
}

/* A run under each of the limits, a line of shell before and behind its value. Returns
 * how many came to their end. */
static size_t run_under(const char *limit, const char *const *values, const char *rest)
{
    size_t done = 0;
    for (; *values; values++) {
        char before[512];
        snprintf(before, sizeof before, BEGIN "%s%s%s", limit, *values, rest);
        program_run_with(before, RUN);
        done += program.code == 0;
        check_end(before);
    }
    return done;
}

static void few_descriptors_lose_nothing(void **state)
{
    (void)state;
    static const char *const values[] = {"4",  "5",  "6",  "7",  "8",  "9",  "10",
                                         "11", "12", "13", "14", "16", "24", NULL};
    const size_t done = run_under("ulimit -n ", values, "; exec");
    assert_in_range(done, 2, 11); // 16 are enough, 5 are not
    program_run_with(BEGIN "ulimit -n 6; exec", RUN);
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.err, "Too many open files"));
}

static void little_address_space_loses_nothing(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    SKIP("a sanitizer takes terabytes of address space");
#endif
    static const char *const values[] = {"20000",  "30000",    "50000",
                                         "80000",  "120000",   "200000",
                                         "400000", "64000000", NULL};
    // 64 GB are enough for the threads of any machine, 20 MB are not.
    assert_in_range(run_under("ulimit -v ", values, "; exec"), 1, 7);
    program_run_with(BEGIN "ulimit -v 400000; exec",
                     "check \"$SOURCE/tests/faults/lab.lua\" --device emu:a100");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.err, "GiB of address space"));
    check_left("an emulator without address space");
}

// Root has no such limit, so it becomes another user.
static void no_further_process_loses_nothing(void **state)
{
    (void)state;
    static const char *const values[] = {"1", "2", "3", "4096", NULL};
    static const char as_other[] = "chmod 777 . ..; exec setpriv --reuid=65534 "
                                   "--regid=65534 --clear-groups prlimit --nproc=";
    if (system("prlimit --version >/dev/null 2>&1") != 0) SKIP("no prlimit here");
    if (geteuid() == 0 && system("setpriv --reuid=65534 --regid=65534 --clear-groups "
                                 "test -x " HONE_BINARY_DIR "/hone 2>/dev/null") != 0)
        SKIP("another user may not run this program");
    const bool is_root = geteuid() == 0;
    const size_t done =
        run_under(is_root ? as_other : "exec prlimit --nproc=", values, "");
    // Who already has more processes than 4096 has room for none.
    assert_in_range(done, is_root, 1);
}

// Messages go by a pipe, which has no such limit.
static void no_room_in_files_loses_nothing(void **state)
{
    (void)state;
    static const char *const blocks[] = {"0", "1", "2", "4", "8", "16"};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        char before[256];
        snprintf(before, sizeof before,
                 "rm -f said; mkfifo said; " BEGIN "{ ulimit -f %s; exec", blocks[i]);
        program_run_with(before, RUN " >/dev/null 2>../said; } & cat ../said >&2; "
                                     "wait $!");
        if (i == 0) assert_non_null(strstr(program.err, "'r.jsonl': File too large"));
        check_end(before);
    }
}

// A disk of a few pages: full before the run, or while it goes on.
static void a_disk_that_is_full_or_becomes_so_loses_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *size, *full;
        size_t most; // trials that it may hold
    } disks[] = {{"8k", "yes", 0}, {"4k", "no", 0}, {"8k", "no", 29}, {"12k", "no", 29}};
    for (size_t i = 0; i < sizeof disks / sizeof *disks; i++) {
        char before[512];
        snprintf(before, sizeof before,
                 "rm -rf w; mkdir w; sh \"$SOURCE/tests/faults/small_disk.sh\" %s %s "
                 "\"$PWD/w\"",
                 disks[i].size, disks[i].full);
        program_run_with(before, RUN);
        if (program.code == 77) SKIP("this kernel gives its user no disk of his own");
        assert_int_equal(program.code, 1);
        assert_non_null(strstr(program.err, ": No space left on device"));
        assert_in_range(lab_count("w/r.jsonl"), disks[i].most ? 1 : 0, disks[i].most);
        check_end(before);
    }
}

/* --- folders --- */

// Where nothing can be kept, builds are not kept, which is said.
static void folders_that_cannot_be_used_are_told_and_done_without(void **state)
{
    (void)state;
    static const struct {
        const char *before, *says;
    } rows[] = {
        {"unset HONE_CACHE XDG_CACHE_HOME; export HOME=/proc/1;",
         "builds are not kept: cannot make folder '/proc/1/.cache'"},
        {"export HONE_CACHE=/dev/null/cache;", "builds are not kept: "},
        {"export HONE_CACHE=$PWD/../shared; mkdir -p ../shared; chmod 777 ../shared;",
         "may be written by others"},
        {"export HONE_CACHE=/proc/none; export TMPDIR=/proc/none;",
         "builds are not kept: "},
        {"unset HONE_CACHE XDG_CACHE_HOME HOME TMPDIR;", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char before[512];
        snprintf(before, sizeof before, BEGIN "%s", rows[i].before);
        program_run_with(before, "tune \"$SOURCE/tests/faults/lab.lua\" --device cuda:0 "
                                 "--strategy random --no-finals --quiet --budget 30 "
                                 "--journal r.jsonl");
        if (program.code != 0 || !strstr(program.err, rows[i].says))
            fail_msg("%s: %d %s", rows[i].before, program.code, program.err);
        check_end(rows[i].before);
    }
}

static void a_cache_of_another_user_is_told_and_not_used(void **state)
{
    (void)state;
    if (geteuid() != 0) SKIP("only root can give a folder away");
    program_run_with(BEGIN "mkdir ../given; chown 65534 ../given; export "
                           "HONE_CACHE=$PWD/../given;",
                     "tune \"$SOURCE/tests/faults/lab.lua\" --device cuda:0 --strategy "
                     "random --no-finals --quiet --budget 30 --journal r.jsonl");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.err, "belongs to user 65534"));
    program_run_with("test -z \"$(ls -A given)\" || exit 9;", "version");
    assert_int_equal(program.code, 0);
}

/* --- streams --- */

// A file that is opened must not take the number of a stream that is closed.
static void closed_streams_lose_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *closed;
        int code;
    } rows[] = {{"<&-", 0},      {">&-", 1},      {"2>&-", 0},        {"<&- >&-", 1},
                {"<&- 2>&-", 0}, {">&- 2>&-", 1}, {"<&- >&- 2>&-", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[512];
        snprintf(line, sizeof line, "%s %s", RUN, rows[i].closed);
        program_run_with(BEGIN, line);
        if (program.code != rows[i].code)
            fail_msg("%s: %d %s", rows[i].closed, program.code, program.err);
        check_left(rows[i].closed);
        assert_int_equal(check_goes_on(rows[i].closed), TRIALS);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(few_descriptors_lose_nothing),
    cmocka_unit_test(little_address_space_loses_nothing),
    cmocka_unit_test(no_further_process_loses_nothing),
    cmocka_unit_test(no_room_in_files_loses_nothing),
    cmocka_unit_test(a_disk_that_is_full_or_becomes_so_loses_nothing),
    cmocka_unit_test(folders_that_cannot_be_used_are_told_and_done_without),
    cmocka_unit_test(a_cache_of_another_user_is_told_and_not_used),
    cmocka_unit_test(closed_streams_lose_nothing),
};
HONE_TEST_MAIN_WITH(tests, lab_setup, program_teardown)
