// hone space: what it counts, what it warns of, what lint finds.
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "hone_test.h"
#include "program.h"

static void count_lines(const char *text, size_t *lines)
{
    for (*lines = 0; (text = strchr(text, '\n')); text++)
        ++*lines;
}

static void lint_names_constraints_by_line_and_values(void **state)
{
    (void)state;
    static const char *const findings[] = {
        "line 7: constraint 'A >= 1' removes nothing",
        "line 8: the function 'function(a, b) return a + b ~= 7 end' is called before "
        "'A % B == 0' is tested: move it behind line 9",
        "no valid configuration has B = 4",
    };
    program_run("space $SOURCE/tests/cli/scripts/careless.lua --device emu:a100 --lint");
    assert_int_equal(program.code, 0);
    const char *lint = strstr(program.out, "lint: 3 findings\n");
    assert_non_null(lint);
    for (size_t i = 0; i < sizeof findings / sizeof *findings; i++)
        if (!strstr(lint, findings[i])) fail_msg("no '%s' in %s", findings[i], lint);
    size_t lines;
    count_lines(lint, &lines);
    assert_int_equal(lines, 4);
}

static void a_constraint_that_is_never_true_is_named(void **state)
{
    (void)state;
    program_run("version; sed 's/A >= 1/A > 9/' $SOURCE/tests/cli/scripts/careless.lua "
                "> never.lua");
    program_run("space never.lua --device emu:a100 --lint");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "never.lua:7: "));
    assert_non_null(strstr(program.err, "'A > 9'"));
}

// Each constraint by itself, in the order of the script.
static void constraints_are_counted_one_by_one(void **state)
{
    (void)state;
    static const char *const alone[] = {"0.0", "2.0", "10.0", "3.0", "8.0"};
    program_run("space $SOURCE/tests/cli/scripts/careless.lua --device emu:a100 --json");
    assert_int_equal(program.code, 0);
    const char *at = program.out;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        char figure[64];
        snprintf(figure, sizeof figure, "\"removed_alone\": %s,", alone[i]);
        at = strstr(at, "\"removed_alone\"");
        assert_non_null(at);
        assert_memory_equal(at, figure, strlen(figure));
        at++;
    }
}

// The GPU is named only where the constraint asks for it.
static void a_default_that_is_not_valid_is_told_with_its_constraint(void **state)
{
    (void)state;
    program_run("new odd && sed -i 's/\"ITEMS % VEC == 0\"/\"ITEMS % VEC == 0 and "
                "N % VEC == 0\"/' odd.lua");
    program_run("space odd.lua --device emu:a100 --set N=1001");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.err,
                           "the default configuration is not valid at N=1001: it breaks "
                           "constraint 'ITEMS % VEC == 0 and N % VEC == 0'"));
    assert_non_null(strstr(program.err, "odd.lua:28: "));
    program_run("version; sed -i 's/BLOCK <= device/16 * BLOCK <= device/; "
                "s/BLOCK = 256/BLOCK = 128/' odd.lua");
    program_run("space odd.lua --device emu:a100");
    assert_non_null(strstr(program.err, " for NVIDIA A100"));
    assert_non_null(strstr(program.err, ": it breaks constraint '16 * BLOCK <= "
                                        "device.max_threads_per_block'"));
}

// As C and Python would have it; also as a part of one.
static void a_number_as_a_constraint_is_warned_of(void **state)
{
    (void)state;
    program_run(
        "new number && sed -i 's/\"ITEMS % VEC == 0\"/\"BLOCK > 0 and ITEMS % VEC\"/' "
        "number.lua");
    program_run("space number.lua --device emu:a100");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(
        program.err, "number.lua:28: 'ITEMS % VEC' in a constraint removes nothing: a "
                     "number is true, 0 too; compare it, as in 'ITEMS % VEC == 0'"));
    program_run("new right");
    program_run("space right.lua --device emu:a100");
    assert_null(strstr(program.err, "a number is true"));
}

static void spaces_of_1e20_combinations_take_less_than_100_mb_and_say_so(void **state)
{
    (void)state;
    struct rusage used;
    program_run("space $SOURCE/tests/cli/scripts/digits.lua --device emu:a100");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "1e+20 combinations, about "));
    assert_non_null(strstr(program.out, " sampled"));
    assert_non_null(strstr(program.err, "digits.lua: too large to list: a sample of "));
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
#ifndef __SANITIZE_ADDRESS__
    assert_true(used.ru_maxrss < 100000);
#endif
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lint_names_constraints_by_line_and_values),
    cmocka_unit_test(a_constraint_that_is_never_true_is_named),
    cmocka_unit_test(constraints_are_counted_one_by_one),
    cmocka_unit_test(a_default_that_is_not_valid_is_told_with_its_constraint),
    cmocka_unit_test(a_number_as_a_constraint_is_warned_of),
    cmocka_unit_test(spaces_of_1e20_combinations_take_less_than_100_mb_and_say_so),
};

HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
