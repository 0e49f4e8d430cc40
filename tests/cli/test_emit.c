// hone emit and hone header: which arguments go together, which files are written, what is
// said of them.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "program.h"

#define GOLDEN "$SOURCE/tests/golden/plain.jsonl"
#define SCALE  "$SOURCE/tests/cli/scripts/scale.lua"

static void expect(int code, const char *text)
{
    if (program.code != code || !strstr(program.err, text))
        fail_msg("code %d, stdout '%s', stderr '%s'", program.code, program.out,
                 program.err);
}

static bool is_there(const char *name)
{
    char *text = program_file(name);
    free(text);
    return text != NULL;
}

// A tuning would have left its journal.
static void what_cannot_be_written_is_refused_ahead_of_all_work(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "emit " GOLDEN, "header " SCALE,
        "tune " SCALE " --device emu:h200 --accept-predicted --journal early.jsonl"};
    for (size_t i = 0; i < 3; i++) {
        char line[512];
        snprintf(line, sizeof line, "%s --shape runtime -o -", commands[i]);
        program_run(line);
        expect(2, "--shape runtime makes two files: say -o FILE");
        snprintf(line, sizeof line, "%s --shape runtime -o both.h", commands[i]);
        program_run_with("mkdir -p both_runtime.h;", line);
        expect(2, "both_runtime.h");
        assert_false(is_there("both.h"));
    }
    assert_false(is_there("early.jsonl"));
}

static void macros_have_no_payload_and_only_images_an_arch(void **state)
{
    (void)state;
    static const struct {
        const char *words, *says;
    } cases[] = {
        {"--shape macros --payload source", "--shape macros has no payload"},
        {"--shape macros --payload ptx --arch sm_80", "--shape macros has no payload"},
        {"--shape macros --arch sm_80", "--arch is what a payload is built for"},
        {"--arch sm_80", "--arch is what a payload is built for"},
        {"--payload source --arch sm_80", "--arch is what a payload is built for"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[512];
        snprintf(line, sizeof line, "emit " GOLDEN " --script " SCALE " -o m.h %s",
                 cases[i].words);
        program_run(line);
        expect(2, cases[i].says);
        assert_false(is_there("m.h"));
    }
}

static void macros_serve_no_sizes_that_coverage_could_tell(void **state)
{
    (void)state;
    program_expect("emit " GOLDEN " --shape macros -o m.h", 0);
    assert_string_equal(program.out, "");
    program_expect("emit " GOLDEN " --shape macros -o m.h --json", 0);
    assert_null(strstr(program.out, "coverage"));
    program_expect("emit " GOLDEN " --shape macros -o -", 0);
    assert_string_equal(program.err, "");
}

static void macros_without_results_say_that_they_are_not_tuned(void **state)
{
    (void)state;
    program_expect("header " SCALE " --shape macros -o none.h", 0);
    char *text = program_file("none.h");
    assert_non_null(text);
    assert_int_equal(
        strncmp(text, "/* The default configuration of the kernel scale as macros.", 58),
        0);
    assert_non_null(strstr(text, "NOT TUNED"));
    assert_non_null(strstr(text, "#define SCALE_NOT_TUNED 1\n"));
    free(text);
}

static void macros_are_compared_by_their_kernel(void **state)
{
    (void)state;
    program_expect("emit " GOLDEN " --shape macros -o m.h", 0);
    program_run("compare m.h --script " SCALE " --device emu:h200");
    expect(2, "what was shipped is of kernel plain");
}

static void both_files_are_named_and_compile(void **state)
{
    (void)state;
    program_expect("emit " GOLDEN " --shape runtime -o two.h --json", 0);
    assert_non_null(strstr(program.out, "\"header\": \"two.h\""));
    assert_non_null(strstr(program.out, "\"second_header\": \"two_runtime.h\""));
    program_expect("header " SCALE " --shape runtime -o of.h --json", 0);
    assert_non_null(strstr(program.out, "\"second_header\": \"of_runtime.h\""));
    program_expect("emit " GOLDEN " --shape macros -o m.h --name other", 0);
    program_run_with(
        "printf '#include \"%s\"\\n' two.h two_runtime.h of.h of_runtime.h m.h >u.c; "
        "for l in 'cc -std=c99' 'c++ -std=c++11 -x c++'; do "
        "$l -Wall -Wextra -Wpedantic -Wno-unused-function -Werror -c u.c -o u.o || exit "
        "9; "
        "done;",
        "version");
    expect(0, "");
}

/* Three problems with a best tile each, of which one is at most 4 % from all. */
static void a_regret_that_is_good_enough_takes_fewer_configurations(void **state)
{
    (void)state;
    static const char *const words[] = {"", " --max-regret 3%", " --max-regret 5%",
                                        " --max-regret 5% --max-configs 1"};
    static const char *const says[] = {"CONFIGS = 3", "CONFIGS = 2", "CONFIGS = 1",
                                       "CONFIGS = 1"};
    program_run_with(
        "cat >many.jsonl <<'END'\n"
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"A\","
        "\"values\":[1,2,3]}],\"problem\":{\"N\":1},\"problems\":[{\"N\":1},{\"N\":9},"
        "{\"N\":99}]}\n"
        "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":100,\"problem\":0}\n"
        "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":102,\"problem\":1}\n"
        "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":104,\"problem\":2}\n"
        "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":150,\"problem\":0}\n"
        "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":100,\"problem\":1}\n"
        "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":150,\"problem\":2}\n"
        "{\"config\":[3],\"outcome\":\"valid\",\"time_us\":150,\"problem\":0}\n"
        "{\"config\":[3],\"outcome\":\"valid\",\"time_us\":150,\"problem\":1}\n"
        "{\"config\":[3],\"outcome\":\"valid\",\"time_us\":100,\"problem\":2}\n"
        "END\n",
        "version");
    for (size_t i = 0; i < 4; i++) {
        char line[128];
        snprintf(line, sizeof line, "emit many.jsonl%s", words[i]);
        program_expect(line, 0);
        if (!strstr(program.out, says[i])) fail_msg("%s: %s", line, program.out);
    }
    program_run("emit many.jsonl --max-regret much");
    expect(2, "--max-regret wants a part like 3%");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_regret_that_is_good_enough_takes_fewer_configurations),
    cmocka_unit_test(what_cannot_be_written_is_refused_ahead_of_all_work),
    cmocka_unit_test(macros_have_no_payload_and_only_images_an_arch),
    cmocka_unit_test(macros_serve_no_sizes_that_coverage_could_tell),
    cmocka_unit_test(macros_without_results_say_that_they_are_not_tuned),
    cmocka_unit_test(macros_are_compared_by_their_kernel),
    cmocka_unit_test(both_files_are_named_and_compile),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
