// A program that is interrupted ends in order whatever it is at: a launch that never ends,
// here or in a worker, or a compiler that takes its time. How long that takes is the
// watchdog's affair; what is left behind is the test's.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

#define STUCK "$SOURCE/tests/cli/scripts/stuck.lua --device emu:a100 --cache '' "

// Ends the program $p for good when it outlives a minute, and says so by the code 99.
#define WAIT                                                                             \
    "n=0; while kill -0 $p 2>/dev/null && [ $n -lt 600 ]; do n=$((n+1)); sleep 0.1; "    \
    "done; [ $n -lt 600 ] || { kill -9 $p; exit 99; }; wait $p"

// As timeout(1) does: to the process, and to the group that it is in.
#define TWICE "kill -INT $p; sleep 0.05; kill -INT $p"

// Interrupt "hone ARGS" when the journal has a line with the words: kill is the command. The
// program ends by itself then, with the code that a death by the signal would have.
static void interrupt_at(const char *args, const char *words, const char *kill)
{
    char line[2048];
    snprintf(line, sizeof line,
             "%s & p=$!; until grep -q '%s' cut.jsonl 2>/dev/null || ! kill -0 $p; do "
             "sleep 0.05; done; sleep 0.2; %s; " WAIT,
             args, words, kill);
    program_run(line);
    const int code = strstr(kill, "-TERM") ? 143 : 130;
    if (program.code != code || !strstr(program.err, "interrupted"))
        fail_msg("hone %s\n  ended with %d\n%s%s", args, program.code, program.out,
                 program.err);
}

static void a_run_is_interrupted_within_a_launch_that_never_ends(void **state)
{
    static const char *const kills[] = {"kill -INT $p", "kill -TERM $p", TWICE};
    static const char *const isolate[] = {"no", "yes"};
    (void)state;
    need_nvrtc();
    for (int i = 0; i < 6; i++) {
        char args[512];
        snprintf(args, sizeof args,
                 "version; rm -f cut.*; \"$HONE\" tune " STUCK
                 "--set BLOCK=32 --strategy grid --launch-deadline 1000s --isolate %s "
                 "--journal cut.jsonl -o cut.h --accept-predicted",
                 isolate[i % 2]);
        interrupt_at(args, "begun.*\\[32,1\\]", kills[i / 2]);
        char *journal = program_file("cut.jsonl"), *header = program_file("cut.h");
        assert_non_null(strstr(journal, "\"config\":[32,0],\"outcome\":\"valid\""));
        assert_non_null(strstr(journal, "{\"left\":[32,1]}\n"));
        assert_non_null(header);
        free(journal);
        free(header);
        program_run("tune " STUCK "--set BLOCK=32 --set MODE=0 --budget 1");
        assert_int_equal(program.code, 0);
    }
}

static void a_run_is_interrupted_while_the_compiler_is_busy(void **state)
{
    (void)state;
    need_nvrtc();
    for (int isolated = 0; isolated < 2; isolated++) {
        char args[512];
        snprintf(args, sizeof args,
                 "version; rm -f cut.*; \"$HONE\" tune " STUCK
                 "--set BLOCK=32 --strategy grid --launch-deadline 0.2s --isolate %s "
                 "--journal cut.jsonl -o cut.h --accept-predicted",
                 isolated ? "yes" : "no");
        interrupt_at(args, "timed_out", "kill -INT $p");
        char *header = program_file("cut.h");
        assert_non_null(header);
        free(header);
        program_run("show cut.jsonl");
        assert_int_equal(program.code, 0);
    }
}

// Before anything was caught the signal itself is the end.
static void an_interrupted_check_ends(void **state)
{
    (void)state;
    need_nvrtc();
    for (int mode = 1; mode <= 2; mode++) {
        char args[512];
        snprintf(args, sizeof args,
                 "check " STUCK "--set MODE=%d --all --launch-deadline 1000s & p=$!; "
                 "sleep 2; kill -TERM $p; " WAIT,
                 mode);
        program_run(args);
        if (program.code != 143)
            fail_msg("%d\n%s%s", program.code, program.out, program.err);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_run_is_interrupted_within_a_launch_that_never_ends),
    cmocka_unit_test(a_run_is_interrupted_while_the_compiler_is_busy),
    cmocka_unit_test(an_interrupted_check_ends),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
