// What a program starts ends with it, and the program ends with us: also what left its
// group and its parent, and also when we are killed.
#define _GNU_SOURCE // usleep
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/subprocess.h"
#include "hone_test.h"

static struct hone_subprocess *start_shell(const char *script)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    struct hone_subprocess *program = NULL;
    struct hone_error err = {0};
    assert_ok(hone_subprocess_start(&program, argv, &err), err);
    return program;
}

static long read_number(struct hone_subprocess *program)
{
    const char *line = NULL;
    size_t size = 0;
    struct hone_error err = {0};
    assert_ok(hone_subprocess_read_line(program, &line, &size, INFINITY, &err), err);
    return strtol(line, NULL, 10);
}

// A zombie has ended; whoever adopted it may not have looked.
static bool is_running(long id)
{
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", id);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    const size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    const char *state = strrchr(text, ')');
    return state && state[2] != 'Z' && state[2] != 'X';
}

// The system needs a moment to end what was killed.
static bool ends(long id)
{
    for (int i = 0; i < 1000 && is_running(id); i++)
        usleep(10000);
    return !is_running(id);
}

static void what_left_the_group_ends_with_the_program(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "setsid sh -c 'echo $$; exec sleep 300' & wait",
        // its parent is gone, too
        "setsid sh -c 'setsid sh -c \"echo \\$\\$; exec sleep 300\" & exit 0'; read x",
        "(setsid sh -c 'echo $$; trap \"\" TERM HUP INT; exec sleep 300' >&1 &) ; read x",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct hone_subprocess *program = start_shell(scripts[i]);
        const long child = read_number(program);
        assert_true(child > 1 && is_running(child));
        hone_subprocess_stop(program, 0);
        if (!ends(child)) {
            kill((pid_t)child, SIGKILL);
            fail_msg("the child of script %zu outlived it", i);
        }
        hone_subprocess_free(program);
    }
}

// The program ended by itself and left a child behind.
static void what_a_program_leaves_behind_ends_when_it_is_stopped(void **state)
{
    (void)state;
    struct hone_subprocess *program =
        start_shell("setsid sh -c 'echo $$; exec sleep 300' & read x; exit 0");
    const long child = read_number(program);
    const struct hone_exit how = hone_subprocess_stop(program, INFINITY);
    assert_int_equal(how.code, 0);
    const bool ended = ends(child);
    if (!ended) kill((pid_t)child, SIGKILL);
    assert_true(ended);
    hone_subprocess_free(program);
}

static void others_are_left_alone(void **state)
{
    (void)state;
    struct hone_subprocess *one = start_shell("echo $$; read x");
    struct hone_subprocess *two =
        start_shell("setsid sh -c 'echo $$; exec sleep 300' & wait");
    const long first = read_number(one), child = read_number(two);
    hone_subprocess_stop(one, 0);
    assert_true(ends(first));
    assert_true(is_running(child));
    hone_subprocess_free(one);
    hone_subprocess_free(two);
    assert_true(ends(child));
}

// It reads no input, so that a closed pipe tells it nothing.
static void a_program_ends_when_we_are_killed(void **state)
{
    (void)state;
    int ends_of[2];
    char text[32] = "";
    assert_int_equal(pipe(ends_of), 0);
    const pid_t tuner = fork();
    if (tuner == 0) {
        struct hone_subprocess *program = start_shell("echo $$; exec sleep 300");
        const long id = read_number(program);
        const int n = snprintf(text, sizeof text, "%ld", id);
        if (write(ends_of[1], text, (size_t)n) != n) _exit(1);
        pause();
    }
    assert_true(read(ends_of[0], text, sizeof text - 1) > 0);
    const long id = strtol(text, NULL, 10);
    assert_true(is_running(id));
    kill(tuner, SIGKILL);
    waitpid(tuner, NULL, 0);
    const bool ended = ends(id);
    if (!ended) kill((pid_t)id, SIGKILL);
    assert_true(ended);
    close(ends_of[0]);
    close(ends_of[1]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_left_the_group_ends_with_the_program),
    cmocka_unit_test(what_a_program_leaves_behind_ends_when_it_is_stopped),
    cmocka_unit_test(others_are_left_alone),
    cmocka_unit_test(a_program_ends_when_we_are_killed),
};
HONE_TEST_MAIN(tests)
