// Finals by launches in a row: whole runs of the program on a fake GPU whose power is
// capped and whose kernels draw more the fewer blocks they have.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"

#include "cli/program.h"
#include "lab.h"

static const char fake_gpu[] =
    "HONE_FAKE_CUDA=memory=1e9,kernel_us=200,noise=0.002,cap=400,watts=350,hot=3000 ";

static void tune(const char *journal, int seed, const char *more)
{
    char command[512];
    snprintf(command, sizeof command,
             "tune \"$SOURCE/tests/faults/thirsty.lua\" --device cuda:0 --quiet "
             "--cache '' --drift-check 0 --journal %s --seed %d -o %s.h %s",
             journal, seed, journal, more);
    program_run_with(fake_gpu, command);
    assert_int_equal(program.code, 0);
}

static bool says(const char *name, const char *text)
{
    char *file = program_file(name);
    assert_non_null(file);
    const bool found = strstr(file, text) != NULL;
    free(file);
    return found;
}

// The number of blocks of who won, as the summary has it.
static long winner(void)
{
    const char *at = strstr(program.out, "BLOCKS=");
    assert_non_null(at);
    return strtol(at + strlen("BLOCKS="), NULL, 10);
}

static void two_processes_name_the_winner_of_the_clock_that_stays(void **state)
{
    (void)state;
    tune("s1.jsonl", 1, "");
    assert_int_equal(winner(), 16);
    assert_non_null(strstr(program.out, " us sustained"));
    tune("s2.jsonl", 2, "");
    assert_int_equal(winner(), 16);
}

static void few_launches_at_a_time_name_another(void **state)
{
    (void)state;
    tune("b1.jsonl", 1, "--sustained no");
    assert_int_equal(winner(), 1); // all take as long: the first of the space
    assert_null(strstr(program.out, "sustained"));
    program_run("show b1.jsonl");
    assert_null(strstr(program.out, "sustained"));
}

static void which_figure_it_is_stands_everywhere(void **state)
{
    (void)state;
    tune("k.jsonl", 1, "--sustained yes");
    program_run("show k.jsonl");
    assert_non_null(strstr(program.out, "finals: sustained time, ratio of it to "));
    program_run("show k.jsonl --json");
    assert_non_null(strstr(program.out, "\"kind\": \"sustained\""));
    assert_true(says("k.jsonl", "\"kind\":\"sustained\",\"time_us\":2"));
    assert_true(says("k.jsonl", "\"kind\":\"burst\""));
    assert_true(says("k.jsonl.h", " us sustained"));
}

static void a_wish_that_is_none_is_refused(void **state)
{
    (void)state;
    program_run("tune \"$SOURCE/tests/faults/thirsty.lua\" --device cuda:0 "
                "--sustained maybe");
    assert_int_equal(program.code, 2);
    assert_non_null(
        strstr(program.err, "--sustained wants yes, no or auto, got 'maybe'"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_processes_name_the_winner_of_the_clock_that_stays),
    cmocka_unit_test(few_launches_at_a_time_name_another),
    cmocka_unit_test(which_figure_it_is_stands_everywhere),
    cmocka_unit_test(a_wish_that_is_none_is_refused),
};
HONE_TEST_MAIN_WITH(tests, lab_setup, program_teardown)
