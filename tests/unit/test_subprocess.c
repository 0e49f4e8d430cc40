// Programs on pipes: lines both ways, deadlines, death, groups; and splitting commands.
#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>

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

static void expect_line(struct hone_subprocess *program, const char *expected)
{
    const char *line = NULL;
    size_t size = 0;
    struct hone_error err = {0};
    assert_ok(hone_subprocess_read_line(program, &line, &size, INFINITY, &err), err);
    assert_string_equal(line, expected);
    assert_int_equal(size, strlen(expected));
}

static enum hone_status read_until(struct hone_subprocess *program, double deadline,
                                   struct hone_error *err)
{
    const char *line = NULL;
    size_t size = 0;
    return hone_subprocess_read_line(program, &line, &size, deadline, err);
}

static void lines_go_both_ways(void **state)
{
    (void)state;
    struct hone_subprocess *program =
        start_shell("while read line; do echo \"<$line>\"; done");
    struct hone_error err = {0};
    const char text[] = "one\ntwo\n\n";
    assert_ok(hone_subprocess_write(program, text, strlen(text), INFINITY, &err), err);
    expect_line(program, "<one>");
    expect_line(program, "<two>");
    expect_line(program, "<>");
    struct hone_exit how = hone_subprocess_stop(program, INFINITY);
    assert_false(how.signalled);
    assert_int_equal(how.code, 0);
    hone_subprocess_free(program);
}

static void last_line_needs_no_end(void **state)
{
    (void)state;
    struct hone_subprocess *program = start_shell("printf 'a\\nb'");
    struct hone_error err = {0};
    expect_line(program, "a");
    expect_line(program, "b");
    assert_int_equal(read_until(program, INFINITY, &err), HONE_EIO);
    assert_string_equal(err.text, "'sh' closed its output");
    hone_subprocess_free(program);
}

// More than any pipe holds, echoed while it is still being written.
static void large_traffic_blocks_neither_side(void **state)
{
    (void)state;
    enum { SIZE = 4 << 20 };
    const char *argv[] = {"cat", NULL};
    struct hone_subprocess *program = NULL;
    struct hone_error err = {0};
    assert_ok(hone_subprocess_start(&program, argv, &err), err);
    char *text = malloc(SIZE + 1);
    assert_non_null(text);
    memset(text, 'x', SIZE);
    text[SIZE] = '\n';
    assert_ok(hone_subprocess_write(program, text, SIZE + 1, INFINITY, &err), err);
    const char *line = NULL;
    size_t size = 0;
    assert_ok(hone_subprocess_read_line(program, &line, &size, INFINITY, &err), err);
    assert_int_equal(size, SIZE);
    assert_memory_equal(line, text, SIZE);
    free(text);
    hone_subprocess_free(program);
}

static void deadline_keeps_what_came(void **state)
{
    (void)state;
    struct hone_subprocess *program = start_shell("printf half; read x; echo ' whole'");
    struct hone_error err = {0};
    assert_int_equal(read_until(program, 0, &err), HONE_ELIMIT);
    assert_int_equal(read_until(program, hone_clock_seconds() + 0.05, NULL), HONE_ELIMIT);
    assert_string_equal(err.text, "'sh' sent no line in the time it has");
    assert_ok(hone_subprocess_write(program, "\n", 1, INFINITY, &err), err);
    expect_line(program, "half whole");
    hone_subprocess_free(program);
}

static void writing_to_a_dead_program_is_an_error(void **state)
{
    (void)state;
    struct hone_subprocess *program = start_shell("exit 3");
    struct hone_error err = {0};
    assert_int_equal(read_until(program, INFINITY, NULL), HONE_EIO);
    enum hone_status status = HONE_OK;
    for (int i = 0; i < 1000 && status == HONE_OK; i++)
        status = hone_subprocess_write(program, "x\n", 2, INFINITY, &err);
    assert_int_equal(status, HONE_EIO);
    assert_string_equal(err.text, "'sh' no longer reads its input");
    char text[64];
    hone_exit_text(text, sizeof text, hone_subprocess_stop(program, INFINITY));
    assert_string_equal(text, "ended with status 3");
    hone_subprocess_free(program);
}

static void program_that_does_not_read_runs_into_the_deadline(void **state)
{
    (void)state;
    enum { SIZE = 8 << 20 };
    struct hone_subprocess *program = start_shell("sleep 100");
    struct hone_error err = {0};
    char *text = calloc(1, SIZE);
    assert_non_null(text);
    assert_int_equal(
        hone_subprocess_write(program, text, SIZE, hone_clock_seconds() + 0.05, &err),
        HONE_ELIMIT);
    free(text);
    char how[64];
    hone_exit_text(how, sizeof how, hone_subprocess_stop(program, 0));
    assert_string_equal(how, "was killed by signal 9 (Killed)");
    hone_subprocess_free(program);
}

// Gone, or a zombie that nobody has reaped yet.
static bool is_dead(long id)
{
    char path[64], stat[256] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", id);
    FILE *file = fopen(path, "r");
    if (!file) return true;
    const char *text = fgets(stat, sizeof stat, file);
    fclose(file);
    return !text || strstr(text, ") Z ") || strstr(text, ") X ");
}

static void children_of_a_program_end_with_it(void **state)
{
    (void)state;
    struct hone_subprocess *program = start_shell("sleep 100 & echo $!; wait");
    const char *line = NULL;
    size_t size = 0;
    struct hone_error err = {0};
    assert_ok(hone_subprocess_read_line(program, &line, &size, INFINITY, &err), err);
    long child = strtol(line, NULL, 10);
    assert_int_equal(getpgid((pid_t)child), hone_subprocess_id(program));
    hone_subprocess_free(program);
    double deadline = hone_clock_seconds() + 60;
    while (!is_dead(child))
        assert_true(hone_clock_seconds() < deadline);
}

static struct hone_exit leave(struct hone_subprocess *program,
                              struct hone_patience patience)
{
    struct hone_exit how;
    hone_subprocess_leave(program, patience);
    while (!hone_subprocess_has_left(program, &how)) {
        assert_true(isfinite(hone_subprocess_step_due(program)));
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    hone_subprocess_free(program);
    return how;
}

// A shell that has set its traps, which it says.
static struct hone_subprocess *start_ready(const char *script)
{
    struct hone_subprocess *program = start_shell(script);
    expect_line(program, "ready");
    return program;
}

// By the end of its input, else by SIGTERM, to all of its group, also where they stand
// still, else by SIGKILL; whatever it still says.
static void an_end_goes_by_steps(void **state)
{
    (void)state;
    const struct hone_patience slow = {.close_s = 600, .term_s = 600};
    const struct hone_patience brief = {.close_s = 0.05, .term_s = 600};
    const struct hone_patience short_one = {.close_s = 0.02, .term_s = 0.2};
    const char *const deaf = "trap '' TERM; echo ready; exec sleep 1000";
    struct hone_exit how = leave(start_shell("yes & cat; kill $!; exit 7"), slow);
    assert_true(!how.signalled && how.code == 7);
    how = leave(start_ready("sleep 1000 & trap 'exit 5' TERM; echo ready; wait"), brief);
    assert_true(!how.signalled && how.code == 5);
    how = leave(start_shell("kill -STOP $$; exit 9"), brief);
    assert_true(how.signalled && how.code == SIGTERM);
    how = leave(start_ready(deaf), short_one);
    assert_true(how.signalled && how.code == SIGKILL);
    how = leave(start_ready(deaf), (struct hone_patience){.close_s = 0, .term_s = 0});
    assert_true(how.signalled && how.code == SIGKILL);
}

static void an_end_can_be_hastened(void **state)
{
    (void)state;
    struct hone_subprocess *program = start_shell("exec sleep 1000");
    struct hone_exit how;
    hone_subprocess_leave(program, (struct hone_patience){.close_s = 600, .term_s = 1});
    assert_false(hone_subprocess_has_left(program, &how));
    how = leave(program, (struct hone_patience){.close_s = 0, .term_s = 1});
    assert_true(how.signalled && how.code == SIGTERM);
}

static void few_bytes_are_written_at_once_or_not(void **state)
{
    (void)state;
    struct hone_subprocess *program = start_shell("exec sleep 1000");
    size_t count = 0;
    while (hone_subprocess_try_write(program, "12345678901234567890", 20))
        assert_true(++count < 1000000);
    assert_true(count > 10);
    kill(-hone_subprocess_id(program), SIGKILL);
    hone_subprocess_stop(program, INFINITY);
    assert_false(hone_subprocess_try_write(program, "1", 1));
    hone_subprocess_free(program);
}

static void wait_finds_the_program_that_speaks(void **state)
{
    (void)state;
    struct hone_subprocess *programs[] = {start_shell("sleep 100"), NULL,
                                          start_shell("echo a; echo b; sleep 100")};
    assert_int_equal(hone_subprocess_wait(programs, 3, INFINITY), 2);
    expect_line(programs[2], "a");
    assert_int_equal(hone_subprocess_wait(programs, 3, INFINITY), 2);
    expect_line(programs[2], "b");
    assert_int_equal(hone_subprocess_wait(programs, 3, 0), 3);
    kill(-hone_subprocess_id(programs[0]), SIGKILL);
    assert_int_equal(hone_subprocess_wait(programs, 3, INFINITY), 0);
    assert_int_equal(read_until(programs[0], INFINITY, NULL), HONE_EIO);
    hone_subprocess_free(programs[0]);
    hone_subprocess_free(programs[2]);
}

static void programs_do_not_inherit_each_others_pipes(void **state)
{
    (void)state;
    struct hone_subprocess *first = start_shell("read x; echo ended");
    struct hone_subprocess *second = start_shell("sleep 100");
    struct hone_exit how = hone_subprocess_stop(first, hone_clock_seconds() + 60);
    assert_false(how.signalled);
    hone_subprocess_free(first);
    hone_subprocess_free(second);
}

static void missing_program_is_named(void **state)
{
    (void)state;
    const char *argv[] = {"no-such-program-of-hone", NULL};
    struct hone_subprocess *program = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_subprocess_start(&program, argv, &err), HONE_ENOTFOUND);
    assert_null(program);
    assert_string_equal(err.text, "cannot start 'no-such-program-of-hone': "
                                  "No such file or directory");
    hone_subprocess_free(NULL);
}

static void bytes_are_shown_until_they_are_taken(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_subprocess *program = NULL;
    const char *const argv[] = {"sh", "-c", "printf abc; read x; printf defg", NULL};
    const char *data;
    assert_ok(hone_subprocess_start(&program, argv, &err), err);
    const double deadline = hone_clock_seconds() + 60;
    while (hone_subprocess_peek(program, &data) < 3)
        assert_true(hone_subprocess_poll(&program, 1, deadline));
    assert_memory_equal(data, "abc", 3);
    assert_false(hone_subprocess_is_closed(program));
    hone_subprocess_skip(program, 2);
    assert_ok(hone_subprocess_write(program, "go\n", 3, deadline, &err), err);
    while (!hone_subprocess_is_closed(program))
        assert_true(hone_subprocess_poll(&program, 1, deadline));
    assert_int_equal(hone_subprocess_peek(program, &data), 5);
    assert_memory_equal(data, "cdefg", 5);
    assert_false(hone_subprocess_poll(&program, 1, 0)); // nobody is left to wait for
    hone_subprocess_free(program);
}

static void a_program_sees_the_environment_that_it_is_given(void **state)
{
    (void)state;
    const char *argv[] = {"/bin/sh", "-c", "echo $GIVEN$HELD; echo noise >&2", NULL};
    char given[] = "GIVEN=given", *environment[] = {given, NULL};
    const struct hone_subprocess_options options = {.environment = environment,
                                                    .quiet = true};
    struct hone_subprocess *program = NULL;
    struct hone_error err = {0};
    setenv("HELD", "held", 1);
    assert_ok(hone_subprocess_start_with(&program, argv, &options, &err), err);
    expect_line(program, "given");
    hone_subprocess_free(program);
}

static void commands_split_into_words(void **state)
{
    (void)state;
    static const struct {
        const char *command, *words[5];
    } cases[] = {
        {"python3 a.py", {"python3", "a.py"}},
        {"  a\t b \n", {"a", "b"}},
        {"a 'b c' \"d e\"", {"a", "b c", "d e"}},
        {"a\\ b \"c\\\"d\" 'e\\f'", {"a b", "c\"d", "e\\f"}},
        {"x''y ''", {"xy", ""}},
        {"re '\\d' \"\\d+\\\\\\\"\" \\d", {"re", "\\d", "\\d+\\\"", "d"}},
        {"$HOME *", {"$HOME", "*"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char **argv = NULL;
        struct hone_error err = {0};
        assert_ok(hone_command_split(&argv, cases[i].command, &err), err);
        size_t n = 0;
        for (; argv[n]; n++)
            assert_string_equal(argv[n], cases[i].words[n]);
        assert_null(cases[i].words[n]);
        free(argv);
    }
}

static void broken_commands_are_refused(void **state)
{
    (void)state;
    char **argv = NULL;
    struct hone_error open = {0}, empty = {0};
    assert_int_equal(hone_command_split(&argv, "a 'b", &open), HONE_EUSAGE);
    assert_string_equal(open.text, "command 'a 'b' lacks a closing '");
    assert_int_equal(hone_command_split(&argv, " ", &empty), HONE_EUSAGE);
    assert_string_equal(empty.text, "the command is empty");
    assert_null(argv);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lines_go_both_ways),
    cmocka_unit_test(last_line_needs_no_end),
    cmocka_unit_test(large_traffic_blocks_neither_side),
    cmocka_unit_test(deadline_keeps_what_came),
    cmocka_unit_test(writing_to_a_dead_program_is_an_error),
    cmocka_unit_test(program_that_does_not_read_runs_into_the_deadline),
    cmocka_unit_test(children_of_a_program_end_with_it),
    cmocka_unit_test(an_end_goes_by_steps),
    cmocka_unit_test(an_end_can_be_hastened),
    cmocka_unit_test(few_bytes_are_written_at_once_or_not),
    cmocka_unit_test(wait_finds_the_program_that_speaks),
    cmocka_unit_test(programs_do_not_inherit_each_others_pipes),
    cmocka_unit_test(missing_program_is_named),
    cmocka_unit_test(bytes_are_shown_until_they_are_taken),
    cmocka_unit_test(a_program_sees_the_environment_that_it_is_given),
    cmocka_unit_test(commands_split_into_words),
    cmocka_unit_test(broken_commands_are_refused),
};
HONE_TEST_MAIN(tests)
