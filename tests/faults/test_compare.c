// hone compare on the fake GPU, whose kernels take what the test says: a planted slowdown
// is found, a gain too, and noise is not taken for either.
#include "lab.h"

#include <stdlib.h>
#include <string.h>

#include "cli/program.h"
#include "hone_test.h"

#define SCRIPT "--script \"$SOURCE/tests/faults/lab.lua\" --device cuda:0 --cache '' "

static int setup(void **state)
{
    lab_setup(state);
    program_run_with("HONE_FAKE_CUDA=memory=1e9,kernel_us=100,noise=0.01",
                     LAB_TUNE "--budget 12 --journal base.jsonl -o base.h");
    return program.code;
}

static void compare(const char *fake, const char *args, int code)
{
    char prefix[256], line[512];
    snprintf(prefix, sizeof prefix, "HONE_FAKE_CUDA=memory=1e9,%s", fake);
    snprintf(line, sizeof line, "compare %s " SCRIPT, args);
    program_run_with(prefix, line);
    if (program.code != code)
        fail_msg("hone %s ended with %d\n%s%s", line, program.code, program.out,
                 program.err);
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("no '%s' in\n%s", part, text);
}

static void an_unchanged_machine_is_the_same(void **state)
{
    (void)state;
    compare("kernel_us=100,noise=0.01", "base.jsonl", 0);
    expect(program.out, "SAME  N=4096  ");
}

static void a_planted_slowdown_fails(void **state)
{
    (void)state;
    compare("kernel_us=110,noise=0.01", "base.jsonl", 1);
    expect(program.out, "SLOWER  N=4096  ");
    expect(program.out, "ratio 1.");
    expect(program.err, "1 of 1 rows regressed");
    compare("kernel_us=110,noise=0.01", "base.h", 1); // the header holds the same
    expect(program.out, "SLOWER  N=4096  ");
    compare("kernel_us=110,noise=0.01", "base.jsonl --tolerance 20%", 0);
    expect(program.out, "SAME  ");
}

static void a_gain_is_told_and_passes(void **state)
{
    (void)state;
    compare("kernel_us=80,noise=0.01", "base.h", 0);
    expect(program.out, "FASTER  N=4096  ");
}

static void what_noise_hides_is_ambiguous(void **state)
{
    (void)state;
    compare("kernel_us=103,noise=0.02", "base.jsonl", 0);
    expect(program.out, "AMBIGUOUS ");
    compare("kernel_us=103,noise=0.02", "base.jsonl --strict", 1);
}

static void a_configuration_that_fails_now_fails(void **state)
{
    (void)state;
    const struct {
        const char *chaos, *outcome;
    } cases[] = {{"WRONG=1", "wrong_result"}, {"ILLEGAL=1", "crashed"}};
    for (size_t i = 0; i < 2; i++) {
        setenv("HONE_FAKE_CHAOS", cases[i].chaos, 1);
        compare("kernel_us=100", "base.jsonl --neighbours 0", 1);
        unsetenv("HONE_FAKE_CHAOS");
        expect(program.out, "FAILED  N=4096");
        expect(program.out, cases[i].outcome);
    }
}

static void a_faster_neighbour_is_named(void **state)
{
    (void)state;
    // Without kernel_us the time follows from grid and block: more work a thread, fewer
    // blocks. The header's only row is the slowest configuration.
    program_run_with("HONE_FAKE_CUDA=memory=1e9",
                     LAB_TUNE "--set N=3000000 --budget 1 --journal slow.jsonl");
    assert_int_equal(program.code, 0);
    compare("noise=0", "slow.jsonl", 0);
    expect(program.out, "SAME ");
    expect(program.out, "faster now: A=1 B=0 C=0, ratio 0.");
    compare("noise=0", "slow.jsonl --strict", 1);
}

static void junit_and_json_say_the_same(void **state)
{
    (void)state;
    compare("kernel_us=110,noise=0.01", "base.jsonl --json --junit out.xml", 1);
    expect(program.out, "\"verdict\": \"SLOWER\"");
    char *xml = program_file("out.xml");
    assert_non_null(xml);
    expect(xml, "<testsuite name=\"base.jsonl\" tests=\"1\" failures=\"1\" errors=\"0\" "
                "skipped=\"0\"");
    expect(xml, "<testcase classname=\"lab\" name=\"N=4096\">");
    expect(xml, "<failure message=\"SLOWER 1");
    free(xml);
    compare("kernel_us=100,noise=0.01", "base.jsonl --junit out.xml", 0);
    xml = program_file("out.xml");
    expect(xml, "failures=\"0\"");
    expect(xml, "<system-out>SAME ");
    free(xml);
}

// A byte that is no UTF-8 would make readers of XML refuse the whole file.
static void junit_is_utf_8_whatever_a_journal_is_called(void **state)
{
    (void)state;
    program_run_with("odd=$(printf 'odd\\377.jsonl'); cp base.jsonl \"$odd\";"
                     "HONE_FAKE_CUDA=memory=1e9,kernel_us=100,noise=0.01",
                     "compare \"$odd\" --junit odd.xml " SCRIPT);
    char *xml = program_file("odd.xml");
    assert_non_null(xml);
    expect(xml, "<testsuite name=\"odd&lt;U+FFFD&gt;.jsonl\"");
    assert_null(strchr(xml, '\377'));
    free(xml);
}

static void what_changed_is_told(void **state)
{
    (void)state;
    program_run_with("sed 's/\"driver\":\"[^\"]*\"/\"driver\":\"1.2, CUDA 9.9\"/; "
                     "s/\"template_hash\":\"..../\"template_hash\":\"0000/' base.jsonl "
                     "> old.jsonl;",
                     "version");
    compare("kernel_us=100,noise=0.01", "old.jsonl", 0);
    expect(program.out, "changed: driver 1.2, CUDA 9.9 -> ");
    expect(program.out, "template hash 0000");
}

static void other_devices_clocks_and_files_are_refused(void **state)
{
    (void)state;
    program_run_with(
        "sed 's/\"device\":{\"name\":\"[^\"]*\"/\"device\":{\"name\":\"X\"/' "
        "base.jsonl > other.jsonl;",
        "version");
    compare("kernel_us=100", "other.jsonl", 2);
    expect(program.err, "no row of 'other.jsonl' is of ");
    program_run("compare \"$SOURCE/README.md\" " SCRIPT);
    assert_int_equal(program.code, 2);
    expect(program.err, "README.md:1: neither a header that hone emitted nor a journal");
    program_run("compare base.h --device cuda:0");
    assert_int_equal(program.code, 2);
    expect(program.err, "--script is missing");
    program_run("compare base.h " SCRIPT " --device replay:base.jsonl");
    assert_int_equal(program.code, 2);
    expect(program.err, "a recording measures nothing");
    program_run("compare base.h --tolerance much " SCRIPT);
    assert_int_equal(program.code, 2);
}

static void an_edited_header_is_refused_with_its_row(void **state)
{
    (void)state;
    program_run_with("grep -v '\"-D' base.h > edited.h;", "version");
    program_run("compare edited.h " SCRIPT);
    assert_int_equal(program.code, 2);
    expect(program.err, "row 0 has no configuration or no time");
}

static void quiet_prints_what_fails_alone(void **state)
{
    (void)state;
    compare("kernel_us=100,noise=0.01", "base.jsonl -q", 0);
    assert_string_equal(program.out, "");
    compare("kernel_us=110,noise=0.01", "base.jsonl -q", 1);
    expect(program.out, "SLOWER  N=4096  ");
}

static void a_size_chooses_among_rows(void **state)
{
    (void)state;
    compare("kernel_us=100,noise=0.01", "base.jsonl --set N=4096", 0);
    expect(program.out, "SAME  N=4096  ");
    compare("kernel_us=100,noise=0.01", "base.h --set N=4e3", 2);
    expect(program.err,
           "no row of 'base.h' has the sizes given by --set: there are N=4096");
    compare("kernel_us=100,noise=0.01", "base.h --set n=4096", 2);
    expect(program.err, "no problem size or parameter 'n'; did you mean 'N'?");
}

static void another_kernels_script_is_told_before_its_sizes(void **state)
{
    (void)state;
    program_run_with("sed 's/ N = / M = /g;s/\"N\"/\"M\"/g;s/(N/(M/g;s/8 \\* N/8 * M/' "
                     "$SOURCE/tests/cli/scripts/scale.lua >other.lua; "
                     "cp $SOURCE/tests/cli/scripts/*.cu .;",
                     "compare base.jsonl --script other.lua --device emu:a100");
    assert_int_equal(program.code, 2);
    expect(program.err, "what was shipped is of kernel lab, other.lua is of scale");
}

static const struct CMUnitTest cases[] = {
    cmocka_unit_test(an_unchanged_machine_is_the_same),
    cmocka_unit_test(a_planted_slowdown_fails),
    cmocka_unit_test(a_gain_is_told_and_passes),
    cmocka_unit_test(what_noise_hides_is_ambiguous),
    cmocka_unit_test(a_configuration_that_fails_now_fails),
    cmocka_unit_test(a_faster_neighbour_is_named),
    cmocka_unit_test(junit_and_json_say_the_same),
    cmocka_unit_test(junit_is_utf_8_whatever_a_journal_is_called),
    cmocka_unit_test(what_changed_is_told),
    cmocka_unit_test(other_devices_clocks_and_files_are_refused),
    cmocka_unit_test(an_edited_header_is_refused_with_its_row),
    cmocka_unit_test(quiet_prints_what_fails_alone),
    cmocka_unit_test(a_size_chooses_among_rows),
    cmocka_unit_test(another_kernels_script_is_told_before_its_sizes),
};
HONE_TEST_MAIN_WITH(cases, setup, program_teardown)
