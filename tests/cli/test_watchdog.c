/* The program's last resort: a call into a script that no bound ends. */
#include <string.h>

#include "hone_test.h"
#include "program.h"

// No limit of the script's own holds: the processor time that the watchdog sees runs a
// thousand times as fast.
#define PRELOAD                                                                          \
    "export LD_PRELOAD=" HONE_BINARY_DIR "/tests/fake/fast_clock.so; "                   \
    "export ASAN_OPTIONS=verify_asan_link_order=0;"

static void a_call_without_end_ends_the_program(void **state)
{
    (void)state;
    program_run("version; echo 'while true do end' > loop.lua");
    program_run_with(PRELOAD, "space loop.lua --max-instructions 1000000000000");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err,
                           "hone: loop.lua: one call into the script ran over "
                           "90 seconds of processor time"));
}

static void a_constraint_without_end_ends_the_program(void **state)
{
    (void)state;
    program_run(
        "version; echo 'local h = require \"hone\" return h.space { tune = { A = { 1, 2 "
        "} }, "
        "where = { h.fn({ \"A\" }, function(A) while A do end end) } }' > loop.lua");
    program_run_with(PRELOAD, "space loop.lua --device emu:a100 --max-instructions "
                              "1000000000000");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "loop.lua: one call into the script"));
}

static void many_short_calls_are_left_alone(void **state)
{
    (void)state;
    program_run(
        "version; echo 'local h = require \"hone\" return h.space { tune = { A = "
        "h.range(1, 300), B = h.range(1, 300) }, where = { h.fn({ \"A\", \"B\" }, "
        "function(A, B) return A < B end) } }' > many.lua");
    program_run_with(PRELOAD, "space many.lua --device emu:a100");
    if (program.code != 0) fail_msg("%s", program.err);
}

static void a_signal_ends_a_script(void **state)
{
    (void)state;
    program_run("version; echo 'print(\"begun\") while true do end' > loop.lua");
    program_run_with(
        "run() { \"$HONE\" space loop.lua --max-instructions 1000000000000 "
        "2>err & }; run; p=$!; while ! grep -q begun err; do sleep 0.05; done; "
        "kill -TERM $p; wait $p; echo $? >code;",
        "version");
    char *code = program_file("code");
    assert_non_null(code);
    assert_string_equal(code, "143\n");
    free(code);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_call_without_end_ends_the_program),
    cmocka_unit_test(a_constraint_without_end_ends_the_program),
    cmocka_unit_test(many_short_calls_are_left_alone),
    cmocka_unit_test(a_signal_ends_a_script),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
