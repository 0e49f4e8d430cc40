// hone check --dump: each stage of a kernel's way says what it made of it.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

#define ROWS "$SOURCE/tests/cli/scripts/rows.lua --device emu:a100 "

static void every_stage_prints_what_it_made(void **state)
{
    (void)state;
    static const struct {
        const char *stage, *begins, *has;
    } rows[] = {
        {"source", "#define BLOCK 32\n#define MODE 0\n", "void rows("},
        {"log", "", "ptxas info"},
        {"ptx", "", ".visible .entry rows("},
        {"statements", "rows: ", " rows.cu:12 mov.u32 r"},
        {"variables", "param   0x0 ", "static shared memory"},
        {"decoded", "rows: ", "setp.s32 (int) "},
        {"steering", "rows_param_0: its data ", "rows_param_2: its data do not steer"},
        {"registers", "rows: ", " bytes a warp\n"},
        {"counts", "predicted_us ", "global_per_block "},
    };
    need_nvrtc();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char args[200];
        snprintf(args, sizeof args, "check " ROWS "--dump %s", rows[i].stage);
        program_expect(args, 0);
        assert_memory_equal(program.out, rows[i].begins, strlen(rows[i].begins));
        if (!strstr(program.out, rows[i].has))
            fail_msg("%s: no '%s' in\n%s", rows[i].stage, rows[i].has, program.out);
    }
}

// One configuration, the author's: others are chosen by --set.
static void the_configuration_is_the_default_as_set(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " ROWS "--dump source --set BLOCK=64", 0);
    assert_non_null(strstr(program.out, "#define BLOCK 64\n"));
}

static void an_unknown_stage_names_those_that_there_are(void **state)
{
    (void)state;
    program_expect("check " ROWS "--dump sass", 2);
    assert_non_null(strstr(program.err, "no stage 'sass' to dump; there are source, log, "
                                        "ptx, statements, variables, decoded, steering, "
                                        "registers, counts"));
}

static void a_dump_checks_nothing(void **state)
{
    (void)state;
    program_expect("check " ROWS "--dump ptx --all", 2);
    program_expect("check " ROWS "--dump ptx --json", 2);
    assert_non_null(strstr(program.err, "--dump checks nothing"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_stage_prints_what_it_made),
    cmocka_unit_test(the_configuration_is_the_default_as_set),
    cmocka_unit_test(an_unknown_stage_names_those_that_there_are),
    cmocka_unit_test(a_dump_checks_nothing),
};

HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
