// Real helper processes with a compiler that does what it should not: each misdeed costs
// its own configuration and nothing else, and nothing stays behind.
#define _GNU_SOURCE // dup3
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "hone/box.h"
#include "hone/build.h"
#include "hone_test.h"

#define FAKE HONE_BINARY_DIR "/tests/fake/fake_nvrtc.so"

static struct hone_builder *open_builder(const char *cache)
{
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options options = {
        .nvrtc_path = FAKE, .cache_folder = cache, .threads = 1};
    assert_ok(hone_builder_new(&builder, &options, &err), err);
    return builder;
}

static uint64_t submit(struct hone_builder *builder, const char *misdeed)
{
    uint64_t ticket;
    char source[256];
    struct hone_error err = {0};
    snprintf(source, sizeof source, "// misdeed: %s\n__global__ void k(int *p) {}\n",
             misdeed);
    const struct hone_build_request request = {
        .source = source, .entry = "k", .arch = "sm_90a"};
    assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
    return ticket;
}

static const struct hone_build *take(struct hone_builder *builder, uint64_t ticket)
{
    const struct hone_build *build = NULL;
    struct hone_error err = {0};
    assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
    return build;
}

static void expect_valid(struct hone_builder *builder)
{
    const struct hone_build *build = take(builder, submit(builder, "none"));
    assert_int_equal(build->outcome, HONE_VALID);
    assert_non_null(strstr(build->ptx, ".entry k"));
    hone_build_release(build);
}

static void need(enum hone_box_part part)
{
    struct hone_box box;
    struct hone_error err = {0};
    assert_ok(hone_compile_box(&box, &err), err);
    if (box.why[part][0]) SKIP("%s: %s", hone_box_name(part), box.why[part]);
}

static int count_children(void)
{
    int count = 0, id;
    char path[300];
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *task; (task = readdir(tasks));) {
        snprintf(path, sizeof path, "/proc/self/task/%s/children", task->d_name);
        FILE *file = task->d_name[0] == '.' ? NULL : fopen(path, "r");
        while (file && fscanf(file, "%d", &id) == 1)
            count++;
        if (file) fclose(file);
    }
    closedir(tasks);
    return count;
}

// Everything that a compiler could be made to try, tried inside of a helper.
static void nothing_gets_out_of_a_helper(void **state)
{
    (void)state;
    need(HONE_BOX_CALLS);
    need(HONE_BOX_FILES);
    setenv("SECRET_OF_THE_TUNER", "1", 1);
    setenv("HONE_FAKE_VICTIM", HONE_SOURCE_DIR, 1);
    for (int fd = 70; fd < 80; fd++) // which a program may have open, not close-on-exec
        assert_true(dup2(0, fd) == fd);
    struct hone_builder *builder = open_builder("");
    const struct hone_build *build = take(builder, submit(builder, "attack"));
    print_message("%s\n", build->reason);
    assert_int_equal(build->outcome, HONE_BUILD_FAILED);
    assert_non_null(strstr(build->reason, ": 0 of "));
    hone_build_release(build);
    expect_valid(builder); // by the same helper, which was not harmed
    hone_builder_free(builder);
    for (int fd = 70; fd < 80; fd++)
        close(fd);
}

static void expect_failure(struct hone_builder *builder, const char *misdeed,
                           const char *reason)
{
    const struct hone_build *build = take(builder, submit(builder, misdeed));
    assert_int_equal(build->outcome, HONE_BUILD_FAILED);
    if (!strstr(build->reason, reason)) fail_msg("%s: %s", misdeed, build->reason);
    assert_non_null(build->log);
    hone_build_release(build);
}

static void a_misdeed_costs_its_own_configuration(void **state)
{
    (void)state;
    static const struct {
        const char *misdeed, *reason;
    } cases[] = {
        {"crash", "the compiler crashed: it was killed by signal 11"},
        {"abort", "the compiler crashed: it was killed by signal 6"},
        {"end", "the compiler crashed: it ended with status 7"},
        {"nonsense", "its answer is nonsense: expected a frame, got 'all is well"},
        {"long frame", "its answer is nonsense: a frame of 4294967295 bytes"},
        {"flood", "the compiler "},
        {"shut up", "the compiler crashed: it was killed by signal 9"},
        {"run out", "the compiler ran out of memory, of which it gets 64 MiB; "
                    "HONE_COMPILE_MEMORY allows more"},
        {"fail", "NVRTC failed: NVRTC_ERROR_OF_THE_FAKE"},
    };
    setenv("HONE_COMPILE_MEMORY", HONE_TEST_SANITIZED ? "4G" : "64M", 1);
    struct hone_builder *builder = open_builder("");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (HONE_TEST_SANITIZED && strcmp(cases[i].misdeed, "run out") == 0) continue;
        expect_failure(builder, cases[i].misdeed, cases[i].reason);
        expect_valid(builder);
    }
    hone_builder_free(builder);
    unsetenv("HONE_COMPILE_MEMORY");
    assert_int_equal(count_children(), 0);
}

static void a_compiler_that_does_not_end_is_killed(void **state)
{
    (void)state;
    static const char *const misdeeds[] = {"hang", "spin"};
    for (int i = 0; i < 2; i++) {
        setenv("HONE_COMPILE_TIME", "0.5", 1);
        struct hone_builder *builder = open_builder("");
        unsetenv("HONE_COMPILE_TIME");
        expect_failure(builder, misdeeds[i],
                       "no end within 0.5 s; HONE_COMPILE_TIME allows more");
        hone_builder_free(builder);
    }
    assert_int_equal(count_children(), 0);
}

static void a_compiler_that_grows_is_killed(void **state)
{
    (void)state;
    setenv("HONE_COMPILE_MEMORY", HONE_TEST_SANITIZED ? "700M" : "100M", 1);
    struct hone_builder *builder = open_builder("");
    unsetenv("HONE_COMPILE_MEMORY");
    const struct hone_build *build = take(builder, submit(builder, "grow"));
    assert_int_equal(build->outcome, HONE_BUILD_FAILED);
    if (!strstr(build->reason, "00 MiB of memory; HONE_COMPILE_MEMORY allows more"))
        fail_msg("%s", build->reason);
    hone_build_release(build);
    expect_valid(builder);
    hone_builder_free(builder);
    unsetenv("HONE_COMPILE_MEMORY");
}

static void what_a_compiler_prints_is_not_its_answer(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("");
    const struct hone_build *build = take(builder, submit(builder, "print"));
    assert_int_equal(build->outcome, HONE_VALID);
    hone_build_release(build);
    hone_builder_free(builder);
}

// What happened to a compiler says nothing of its source.
static void no_such_failure_is_kept(void **state)
{
    (void)state;
    char folder[] = HONE_BINARY_DIR "/scratch/helper-XXXXXX", command[512];
    assert_int_equal(system("mkdir -p " HONE_BINARY_DIR "/scratch"), 0);
    assert_non_null(mkdtemp(folder));
    for (int round = 0; round < 2; round++) {
        struct hone_builder *builder = open_builder(folder);
        const struct hone_build *build = take(builder, submit(builder, "crash"));
        assert_false(build->cached);
        assert_int_equal(build->outcome, HONE_BUILD_FAILED);
        hone_build_release(build);
        build = take(builder, submit(builder, "none"));
        assert_int_equal(build->cached, round > 0);
        hone_build_release(build);
        hone_builder_free(builder);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void freeing_ends_a_compiler_that_hangs(void **state)
{
    (void)state;
    alarm(60); // were it waited for, it would be 600 s
    struct hone_builder *builder = open_builder("");
    submit(builder, "hang");
    while (count_children() == 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    hone_builder_free(builder);
    assert_int_equal(count_children(), 0);
    alarm(0);
}

// Who waits in take, and has given the lock away; others are not counted.
static sem_t waiting;
static _Thread_local bool is_taker;

int __real_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock);
int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock);
int __real_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *lock,
                                  const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *lock,
                                  const struct timespec *until);

int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock)
{
    if (is_taker) sem_post(&waiting);
    return __real_pthread_cond_wait(cond, lock);
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *lock,
                                  const struct timespec *until)
{
    if (is_taker) sem_post(&waiting);
    return __real_pthread_cond_timedwait(cond, lock, until);
}

struct taker {
    struct hone_builder *builder;
    uint64_t ticket;
    enum hone_status status;
    struct hone_error err;
};

static void *take_in_thread(void *context)
{
    struct taker *taker = context;
    const struct hone_build *build = NULL;
    is_taker = true;
    taker->status = hone_builder_take(taker->builder, taker->ticket, &build, &taker->err);
    return NULL;
}

// One waits for what is being compiled, one for what is queued.
static void freeing_answers_who_waits(void **state)
{
    (void)state;
    static const volatile sig_atomic_t never = 0;
    static const char *const misdeeds[] = {"hang", "none"};
    alarm(60);
    for (int cancels = 0; cancels < 2; cancels++) {
        struct hone_builder *builder = NULL;
        struct hone_error err = {0};
        const struct hone_builder_options options = {.nvrtc_path = FAKE,
                                                     .cache_folder = "",
                                                     .threads = 1,
                                                     .cancel = cancels ? &never : NULL};
        struct taker takers[2] = {0};
        pthread_t threads[2];
        assert_ok(hone_builder_new(&builder, &options, &err), err);
        assert_int_equal(sem_init(&waiting, 0, 0), 0);
        for (int i = 0; i < 2; i++) {
            takers[i].builder = builder;
            takers[i].ticket = submit(builder, misdeeds[i]);
            assert_int_equal(
                pthread_create(&threads[i], NULL, take_in_thread, &takers[i]), 0);
            sem_wait(&waiting);
        }
        hone_builder_free(builder);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_int_equal(takers[i].status, HONE_ECANCELLED);
            assert_true(takers[i].err.text[0]);
        }
    }
    alarm(0);
}

// The id of the helper of a process that was made here, once there is one.
static pid_t helper_of(pid_t parent)
{
    for (;;) {
        DIR *processes = opendir("/proc");
        for (const struct dirent *entry; (entry = readdir(processes));) {
            char path[300];
            int id = 0, above = 0;
            snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
            FILE *file = atoi(entry->d_name) ? fopen(path, "r") : NULL;
            const int n =
                file ? fscanf(file, "%d (hone-compile) %*c %d", &id, &above) : 0;
            if (file) fclose(file);
            if (n != 2 || above != parent) continue;
            closedir(processes);
            return (pid_t)id;
        }
        closedir(processes);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void a_helper_dies_with_its_tuner(void **state)
{
    (void)state;
    const pid_t tuner = fork();
    if (tuner == 0) {
        struct hone_builder *builder = open_builder("");
        take(builder, submit(builder, "hang"));
        _exit(0);
    }
    alarm(60);
    const pid_t helper = helper_of(tuner);
    assert_int_equal(getpgid(helper), helper); // Ctrl-C does not reach it
    kill(tuner, SIGKILL);
    assert_int_equal(waitpid(tuner, NULL, 0), tuner);
    // It may stay as a zombie where nobody adopts orphans.
    for (char letter = 'R'; letter != 'Z' && kill(helper, 0) == 0;) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/stat", (int)helper);
        FILE *file = fopen(path, "r");
        if (!file || fscanf(file, "%*d (%*[^)]) %c", &letter) != 1) letter = 'Z';
        if (file) fclose(file);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    alarm(0);
}

static void a_helper_of_no_use_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *program, *says;
    } cases[] = {
        {"/bin/true", "the compile helper '/bin/true' ended with status 0 before it was"},
        {HONE_BINARY_DIR "/scratch/echoes", "a message out of turn"},
        {"/bin/echo", "expected a frame, got '--compile-helper'"},
    };
    assert_int_equal(system("mkdir -p " HONE_BINARY_DIR "/scratch && cd " HONE_BINARY_DIR
                            "/scratch && printf '#!/bin/sh\\nexec cat' >echoes && "
                            "chmod +x echoes"),
                     0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("HONE_COMPILER_HELPER", cases[i].program, 1);
        struct hone_builder *builder = open_builder("");
        const struct hone_build *build = NULL;
        struct hone_error err = {0};
        const enum hone_status status =
            hone_builder_take(builder, submit(builder, "none"), &build, &err);
        assert_true(status == HONE_EBUILD);
        if (!strstr(err.text, cases[i].says)) fail_msg("%s", err.text);
        hone_builder_free(builder);
    }
    unsetenv("HONE_COMPILER_HELPER");
}

static void wrong_settings_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *says;
        enum hone_status status;
    } cases[] = {
        {"HONE_COMPILER_HELPER", "/nowhere/x", "no program '/nowhere/x'", HONE_ENOTFOUND},
        {"HONE_COMPILE_MEMORY", "much", "not 'much'", HONE_EUSAGE},
        {"HONE_COMPILE_MEMORY", "0", "not '0'", HONE_EUSAGE},
        {"HONE_COMPILE_TIME", "-1", "not '-1'", HONE_EUSAGE},
        {"HONE_COMPILE_TIME", "1h", "not '1h'", HONE_EUSAGE},
        {"HONE_COMPILE_TIME", "nan", "not 'nan'", HONE_EUSAGE},
        {"HONE_COMPILE_BOXED", "yes", "not 'yes'", HONE_EUSAGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_builder *builder = NULL;
        struct hone_error err = {0};
        const struct hone_builder_options options = {
            .nvrtc_path = FAKE, .cache_folder = "", .threads = 1};
        setenv(cases[i].name, cases[i].value, 1);
        assert_int_equal(hone_builder_new(&builder, &options, &err), cases[i].status);
        if (!strstr(err.text, cases[i].says)) fail_msg("%s", err.text);
        assert_non_null(strstr(err.text, cases[i].name));
        unsetenv(cases[i].name);
    }
}

static void without_a_helper_it_compiles_and_says_so(void **state)
{
    (void)state;
    struct hone_box box;
    struct hone_error err = {0};
    setenv("HONE_COMPILER_HELPER", "", 1);
    struct hone_builder *builder = open_builder("");
    expect_valid(builder);
    assert_int_equal(count_children(), 0);
    hone_builder_free(builder);
    assert_ok(hone_compile_box(&box, &err), err);
    for (int i = 0; i < HONE_BOX_PARTS; i++)
        assert_string_equal(box.why[i], "HONE_COMPILER_HELPER is empty");
    unsetenv("HONE_COMPILER_HELPER");
}

static void who_wants_a_box_gets_one_or_a_refusal(void **state)
{
    (void)state;
    static const char *const words[] = {NULL, "", "0", "1"};
    for (size_t i = 0; i < 2 * sizeof words / sizeof *words; i++) {
        struct hone_builder *builder = NULL;
        struct hone_error err = {0};
        const char *word = words[i / 2];
        const struct hone_builder_options options = {
            .nvrtc_path = FAKE, .cache_folder = "", .threads = 1, .boxed = i % 2};
        const bool wanted = options.boxed || (word && strcmp(word, "1") == 0);
        if (word) setenv("HONE_COMPILE_BOXED", word, 1);
        assert_ok(hone_builder_new(&builder, &options, &err), err); // there is a helper
        hone_builder_free(builder);
        builder = NULL;
        setenv("HONE_COMPILER_HELPER", "", 1);
        assert_int_equal(hone_builder_new(&builder, &options, &err),
                         wanted ? HONE_EUNSUPPORTED : HONE_OK);
        if (wanted) assert_non_null(strstr(err.text, "would run in this process"));
        hone_builder_free(builder);
        unsetenv("HONE_COMPILER_HELPER");
        unsetenv("HONE_COMPILE_BOXED");
    }
}

static void a_helper_is_shut_in(void **state)
{
    (void)state;
    struct hone_box box;
    struct hone_error err = {0};
    assert_ok(hone_compile_box(&box, &err), err);
    for (int i = 0; i < HONE_BOX_PARTS; i++)
        print_message("%s: %s\n", hone_box_name((enum hone_box_part)i),
                      box.why[i][0] ? box.why[i] : "active");
    // Every Linux has these.
    assert_string_equal(box.why[HONE_BOX_PROCESS], "");
    assert_string_equal(box.why[HONE_BOX_TIME], "");
    assert_string_equal(box.why[HONE_BOX_PRIVILEGES], "");
    assert_string_equal(box.why[HONE_BOX_FILE_SIZE], "");
    assert_string_equal(box.why[HONE_BOX_CPU], "");
    if (!HONE_TEST_SANITIZED) assert_string_equal(box.why[HONE_BOX_MEMORY], "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(who_wants_a_box_gets_one_or_a_refusal),
    cmocka_unit_test(a_helper_is_shut_in),
    cmocka_unit_test(nothing_gets_out_of_a_helper),
    cmocka_unit_test(a_misdeed_costs_its_own_configuration),
    cmocka_unit_test(a_compiler_that_does_not_end_is_killed),
    cmocka_unit_test(a_compiler_that_grows_is_killed),
    cmocka_unit_test(what_a_compiler_prints_is_not_its_answer),
    cmocka_unit_test(no_such_failure_is_kept),
    cmocka_unit_test(freeing_ends_a_compiler_that_hangs),
    cmocka_unit_test(freeing_answers_who_waits),
    cmocka_unit_test(a_helper_dies_with_its_tuner),
    cmocka_unit_test(a_helper_of_no_use_is_named),
    cmocka_unit_test(wrong_settings_are_named),
    cmocka_unit_test(without_a_helper_it_compiles_and_says_so),
};

HONE_TEST_MAIN(tests)
