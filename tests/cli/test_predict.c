// A prediction is of the data that the script asks for, where they decide what a kernel
// executes.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

// Warp instructions of a block, as predicted with these data.
static double instructions(const char *settings)
{
    char line[300];
    snprintf(line, sizeof line,
             "tune $SOURCE/tests/cli/scripts/turns.lua --device emu:a100 --strategy grid "
             "--quiet --journal t.jsonl --no-finals %s",
             settings);
    program_run_with("rm -f t.jsonl;", line);
    if (program.code != 0) fail_msg("%s%s", program.out, program.err);
    char *journal = program_file("t.jsonl");
    const char *at = strstr(journal, "\"fp32_per_block\":");
    assert_non_null(at);
    const double count = strtod(at + strlen("\"fp32_per_block\":"), NULL);
    free(journal);
    return count;
}

static void turns_are_those_of_the_scripts_data(void **state)
{
    (void)state;
    need_nvrtc();
    const double one = instructions("--set STEP=64"), many = instructions("--set STEP=1");
    const double random = instructions("--set FILL=uniform");
    const double zero = instructions("--set FILL=zero");
    assert_true(many > 20 * one);   // 64 turns and 1
    assert_true(random > 2 * many); // the slowest of each warp takes some hundreds
    assert_true(zero >= random);    // 4096 in each
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(turns_are_those_of_the_scripts_data),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
