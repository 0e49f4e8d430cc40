// Symbols from the script to the module: on the emulator, where each way of declaring one
// is verified; through a worker to a driver; and through the emitted header.
#include <stdlib.h>
#include <string.h>

#include "cli/program.h"
#include "hone/build.h"
#include "hone_test.h"
#include "lab.h"

#define SCRIPT "\"$SOURCE/tests/faults/weighted.lua\" "

static char nvrtc[512]; // the compiler's file

static void need_nvrtc(void)
{
    struct hone_error err = {0};
    struct hone_builder *builder = NULL;
    const struct hone_builder_options options = {.cache_folder = "", .threads = 1};
    char *fake = strdup(getenv("HONE_NVRTC"));
    unsetenv("HONE_NVRTC");
    enum hone_status status = hone_builder_new(&builder, &options, &err);
    if (builder) snprintf(nvrtc, sizeof nvrtc, "%s", hone_builder_library(builder));
    hone_builder_free(builder);
    setenv("HONE_NVRTC", fake, 1);
    free(fake);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
}

// With the real compiler.
static void run_emulated(const char *args)
{
    char prefix[600];
    snprintf(prefix, sizeof prefix, "export HONE_NVRTC=%s;", nvrtc);
    program_run_with(prefix, args);
}

static void expect_emulated(const char *args, int code, const char *text)
{
    char line[300];
    snprintf(line, sizeof line, "check " SCRIPT "--device emu:a100 --cache '' --json %s",
             args);
    run_emulated(line);
    if (program.code != code || !(strstr(program.out, text) || strstr(program.err, text)))
        fail_msg("%s: %d, '%s' not in\n%s%s", args, program.code, text, program.out,
                 program.err);
}

static void a_symbol_is_filled_wherever_it_is_declared(void **state)
{
    (void)state;
    static const char *const places[] = {"--set PLACE=0", "--set PLACE=1",
                                         "--set PLACE=2"};
    need_nvrtc();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        expect_emulated(places[i], 0, "\"valid\": 1");
}

static void a_configuration_may_leave_a_symbol_out(void **state)
{
    (void)state;
    need_nvrtc();
    expect_emulated("--set PLACE=3 --set FILL=one", 0, "\"valid\": 1");
    expect_emulated("--set PLACE=3", 1, "wrong_result"); // it needed the weights
}

static void a_symbol_that_changes_is_a_wrong_result(void **state)
{
    (void)state;
    need_nvrtc();
    expect_emulated("--set PLACE=4", 1, "changes its input: weights[7] was ");
    expect_emulated("--set PLACE=4 --set REFERENCE=none", 1,
                    "changes its input: weights[7] was ");
    expect_emulated("--set PLACE=5 --set REFERENCE=none", 1, "the variable has 16");
}

static void a_variable_that_is_too_small_is_told_with_both_sizes(void **state)
{
    (void)state;
    need_nvrtc();
    expect_emulated("--set PLACE=5", 1,
                    "symbol 'weights': 8 elements of f32 have 32 bytes, the variable has "
                    "16");
}

static void a_missing_variable_is_told_with_those_that_there_are(void **state)
{
    (void)state;
    need_nvrtc();
    expect_emulated("--set PLACE=0 --set REFERENCE=unweighted", 2,
                    "symbol 'weights': the module has no variable 'weights'; it has "
                    "weight; did you mean 'weight'?");
    run_emulated("check " SCRIPT "--device emu:a100 --cache '' --set NAME=weihgts "
                 "--set PLACE=0");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "the reference 'weighted_reference.cu' fails "
                                        "(rejected): symbol 'weihgts'"));
}

static void symbols_reach_a_driver_and_the_journal(void **state)
{
    (void)state;
    static const char *const isolation[] = {"yes", "no"};
    for (size_t i = 0; i < 2; i++) {
        char line[256], name[32];
        snprintf(name, sizeof name, "symbols-%s.jsonl", isolation[i]);
        snprintf(line, sizeof line,
                 "tune " SCRIPT "--strategy grid --set PLACE=0 --quiet --cache '' "
                 "--device cuda:0 --isolate %s --journal %s",
                 isolation[i], name);
        program_run(line);
        if (program.code != 0 || !strstr(program.out, "1 valid"))
            fail_msg("%s\n%s%s", line, program.out, program.err);
        char *journal = program_file(name);
        assert_non_null(strstr(journal, "{\"kind\":\"symbol\",\"name\":\"weights\","
                                        "\"dtype\":\"f32\",\"size\":\"8\"}"));
        free(journal);
    }
}

static void a_header_tells_of_symbols_and_finds_them(void **state)
{
    (void)state;
    need_nvrtc();
    run_emulated("tune " SCRIPT "--strategy grid --set PLACE=0 --quiet --cache '' "
                 "--device emu:h200 --journal e.jsonl");
    assert_int_equal(program.code, 0);
    run_emulated("emit e.jsonl --accept-predicted --payload ptx --script " SCRIPT
                 "-o weighted.h");
    if (program.code) fail_msg("%s%s", program.out, program.err);
    char *header = program_file("weighted.h");
    assert_non_null(strstr(header,
                           " * The kernel reads the variable weights of its "
                           "module, f32 [8]: fill it before a launch,\n"
                           " *     at the address that weighted_variable gives."));
    free(header);
    static const char *const compilers[] = {"gcc -std=c99 -D_POSIX_C_SOURCE=200809L",
                                            "g++ -x c++ -std=c++11"};
    for (size_t i = 0; i < 2; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "%s%s -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I. "
                 "$SOURCE/tests/faults/weighted_user.c -o user -ldl && "
                 "HONE_LIBCUDA=%s/tests/fake/emu_cuda.so ./user;",
                 compilers[i], HONE_TEST_SANITIZED ? " -fsanitize=address,undefined" : "",
                 HONE_BINARY_DIR);
        program_run_with(command, "version >/dev/null");
        if (strcmp(program.out, "other name: 500\nvariable: 0, 64 bytes\n"
                                "launch: 0, wrong: 0\n") != 0)
            fail_msg("%s\n%s%s", compilers[i], program.out, program.err);
    }
}

static void a_symbol_takes_no_pointers_and_no_map(void **state)
{
    (void)state;
    static const struct {
        const char *options, *says;
    } cases[] = {{"{ pointers = 2 }", "hone.symbol takes no 'pointers'"},
                 {"{ tensor_map = { size = { 8 }, box = { 8 } } }",
                  "a tensor_map is of inputs and outputs"}};
    for (size_t i = 0; i < 2; i++) {
        char prefix[300];
        snprintf(
            prefix, sizeof prefix,
            "sed 's/{ fill = FILL }/%s/' $SOURCE/tests/faults/weighted.lua > bad.lua;",
            cases[i].options);
        program_run_with(prefix, "space bad.lua");
        assert_int_equal(program.code, 2);
        if (!strstr(program.err, cases[i].says)) fail_msg("%s", program.err);
    }
}

static void a_reference_is_compiled_once_for_all_its_sizes(void **state)
{
    (void)state;
    program_run_with("export HONE_FAKE_NVRTC_LOG=compiles.txt;",
                     "check " SCRIPT "--device cuda:0 --cache '' --set PLACE=0");
    if (program.code) fail_msg("%s%s", program.out, program.err);
    char *log = program_file("compiles.txt");
    assert_string_equal(log, "compile\ncompile\n"); // it, and the one configuration
    free(log);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_reference_is_compiled_once_for_all_its_sizes),
    cmocka_unit_test(a_symbol_is_filled_wherever_it_is_declared),
    cmocka_unit_test(a_configuration_may_leave_a_symbol_out),
    cmocka_unit_test(a_symbol_that_changes_is_a_wrong_result),
    cmocka_unit_test(a_variable_that_is_too_small_is_told_with_both_sizes),
    cmocka_unit_test(a_missing_variable_is_told_with_those_that_there_are),
    cmocka_unit_test(symbols_reach_a_driver_and_the_journal),
    cmocka_unit_test(a_header_tells_of_symbols_and_finds_them),
    cmocka_unit_test(a_symbol_takes_no_pointers_and_no_map),
};
HONE_TEST_MAIN_WITH(tests, lab_setup, program_teardown)
