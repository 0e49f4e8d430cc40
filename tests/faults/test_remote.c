// Workers by a command whose pipes do what pipes between machines do (tests/fake/relay.c): buffer,
// split, print greetings, break. The trials are those of a worker without it.
#include "lab.h"

#include "hone_test.h"

#include <string.h>

#include "cli/program.h"

// Tune by a worker behind the relay, whose words are given.
#define BY(words, worker_options)                                                        \
    LAB_TUNE "--device auto --worker \"$RELAY " words                                    \
             " -- $HONE worker --device cuda:0 "                                         \
             "--cache '' " worker_options "\" "

static int set_up(void **state)
{
    setenv("RELAY", HONE_BINARY_DIR "/tests/fake/relay", 1);
    return lab_setup(state);
}

static void expect_done(const char *args, const char *journal, size_t count)
{
    program_run(args);
    if (program.code != 0) fail_msg("%s", program.err);
    assert_int_equal(lab_count(journal), count);
}

// The times of builds and of evaluating are the machine's.
static void assert_same_trials(const char *a, const char *b)
{
    char line[512];
    snprintf(line, sizeof line,
             "version; for f in %s %s; do tail -n +2 $f | "
             "sed -E 's/,\"(build_ms|evaluate_ms)\":[^,}]*//g' > $f.txt; done; "
             "cmp %s.txt %s.txt",
             a, b, a, b);
    program_run(line);
    if (program.code != 0) fail_msg("%s%s", program.out, program.err);
}

static void whole_lines_are_enough(void **state)
{
    (void)state;
    expect_done(BY("", "") "--budget 40 --journal plain.jsonl", "plain.jsonl", 40);
    expect_done(BY("lines", "") "--budget 40 --journal lines.jsonl", "lines.jsonl", 40);
    assert_same_trials("plain.jsonl", "lines.jsonl");
}

// What is kept back comes with the signs of life that follow, one a second.
static void blocks_come_late_but_whole(void **state)
{
    (void)state;
    expect_done(BY("block=16", "") "--budget 1 --journal block.jsonl", "block.jsonl", 1);
}

static void pieces_are_put_together(void **state)
{
    (void)state;
    expect_done(BY("", "") "--budget 20 --journal whole.jsonl", "whole.jsonl", 20);
    expect_done(BY("split=3", "") "--budget 20 --journal split.jsonl", "split.jsonl", 20);
    assert_same_trials("whole.jsonl", "split.jsonl");
}

static void a_greeting_is_passed_over(void **state)
{
    (void)state;
    expect_done(BY("'greet=Welcome to node7; hone users: read the news'",
                   "") "--budget 3 --journal greet.jsonl",
                "greet.jsonl", 3);
    expect_done(
        BY("split=5 'greet=hone hone\t' lines", "") "--budget 3 --journal again.jsonl",
        "again.jsonl", 3);
    program_run(LAB_TUNE "--device auto --worker 'yes no' --journal yes.jsonl");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "expected a frame, got 'no'"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(whole_lines_are_enough),
    cmocka_unit_test(blocks_come_late_but_whole),
    cmocka_unit_test(pieces_are_put_together),
    cmocka_unit_test(a_greeting_is_passed_over),
};
HONE_TEST_MAIN_WITH(tests, set_up, program_teardown)
