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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(clock_and_l2_are_chosen_and_stand_in_the_journal),
    cmocka_unit_test(what_is_to_know_of_the_clock_stands_in_the_journal),
    cmocka_unit_test(a_clock_that_cannot_be_had_is_an_error),
};
HONE_TEST_MAIN_WITH(tests, lab_setup, program_teardown)
