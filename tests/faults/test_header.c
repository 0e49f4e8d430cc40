// hone header: what a build gets with and without results, GPU and time, on the fake GPU.
#include "lab.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/program.h"
#include "hone_test.h"

#define HEADER "header \"$SOURCE/tests/faults/lab.lua\" -o lab.h "
#define ON_GPU "--tune --device cuda:0 --strategy random "

static int clean(void **state)
{
    (void)state;
    program_run_with("rm -rf *;", "version");
    return program.code;
}

static void run(const char *environment, const char *args, int code)
{
    program_run_with(environment, args);
    if (program.code != code)
        fail_msg("%s hone %s ended with %d\n%s%s", environment, args, program.code,
                 program.out, program.err);
}

static void expect(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("no '%s' in\n%s", part, text ? text : "no file");
}

static void expect_header(const char *part)
{
    char *header = program_file("lab.h");
    expect(header, part);
    free(header);
}

static void without_anything_the_default_is_written(void **state)
{
    (void)state;
    run("unset HONE_LIBCUDA; PATH= HONE_NVRTC=/nowhere HONE_LIBCUDA=/nowhere",
        HEADER "--tune --budget 1s", 0);
    expect(program.out, "lab.h: the author's default, not tuned");
    expect(program.err, "not tuned: ");
    expect_header("NOT TUNED: the author's default configuration");
    expect_header("#define LAB_NOT_TUNED 1");
}

static void what_is_written_is_told_when_it_is_written(void **state)
{
    (void)state;
    run("", "header \"$SOURCE/tests/faults/lab.lua\" -o /dev/full", 1);
    assert_string_equal(program.out, "");
    run("", "header \"$SOURCE/tests/faults/lab.lua\"", 0);
    expect(program.err, "the header: the author's default, not tuned");
    run("", HEADER "--results nowhere", 0);
    expect(program.err, "warning: there is no folder 'nowhere' of results");
    expect(program.out, "lab.h: the author's default, not tuned");
}

static void the_default_serves_every_gpu_and_compiles(void **state)
{
    (void)state;
    run("", HEADER, 0);
    run("printf '%s\\n' '#include \"lab.h\"' 'int main(void) {' "
        "'  int tier = -1;' "
        "'  const lab_config *c = lab_select(9, 0, 132, 4096, &tier);' "
        "'  return !(tier == LAB_DEFAULT && c->A == 0 && c->B == 0); }' > use.c; "
        "{ cc -std=c99 -Wall -Wextra -Wpedantic -Werror use.c -o use && ./use && "
        "c++ -std=c++11 -Wall -Wextra -Werror -x c++ use.c -o use && ./use; } || exit 9;",
        "version", 0);
}

static void a_required_tuning_that_is_not_there_fails(void **state)
{
    (void)state;
    run("", HEADER "--require-tuned", 2);
    expect(program.err, "lab.lua is not tuned: there is no journal of it");
    run("HONE_LIBCUDA=/nowhere", HEADER ON_GPU "--require-tuned", 1);
    expect(program.err, "no GPU to tune on");
    assert_null(program_file("lab.h"));
}

static void a_gpu_is_tuned_once(void **state)
{
    (void)state;
    run("", HEADER ON_GPU "--budget 3s --require-tuned", 0);
    expect(program.out, "lab.h: from lab.h.jsonl");
    expect_header("MEASURED");
    char *before = program_file("lab.h.jsonl");
    run("", HEADER ON_GPU "--budget 3s", 0);
    char *after = program_file("lab.h.jsonl");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void kept_results_count_while_they_are_true(void **state)
{
    (void)state;
    run("mkdir results;", LAB_TUNE "--budget 6 --journal results/a.jsonl", 0);
    run("HONE_LIBCUDA=/nowhere HONE_NVRTC=/nowhere",
        HEADER "--results results --tune --device auto --require-tuned --quiet", 1);
    run("HONE_LIBCUDA=/nowhere HONE_NVRTC=/nowhere",
        HEADER "--results results --require-tuned", 0);
    expect(program.out, "lab.h: from results/a.jsonl");
    // the GPU is covered: nothing is tuned
    run("", HEADER "--results results " ON_GPU, 0);
    assert_null(program_file("lab.h.jsonl"));
    const struct {
        const char *change, *why;
    } cases[] = {
        {"s/\"template_hash\":\"..../\"template_hash\":\"0000/",
         "its template hash is 0000"},
        {"s/\"space_hash\":\"..../\"space_hash\":\"0000/", "its space hash is 0000"},
        {"s/\"kernel\":\"lab\"/\"kernel\":\"other\"/", "it is of kernel other"},
        {"s/\"hone_version\":\"[^\"]*\"/\"hone_version\":\"9.9.9\"/",
         "it was recorded by hone 9.9.9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char prefix[256];
        snprintf(prefix, sizeof prefix, "sed -i.kept '%s' results/a.jsonl;",
                 cases[i].change);
        run(prefix, HEADER "--results results", 0);
        expect(program.out, "not tuned");
        expect(program.err, "not used: results/a.jsonl: ");
        expect(program.err, cases[i].why);
        run("", HEADER "--results results --require-tuned", 2);
        run("mv results/a.jsonl.kept results/a.jsonl;", "version", 0);
    }
}

static void a_damaged_journal_is_an_error_with_its_line(void **state)
{
    (void)state;
    run("mkdir results; printf '{\"hone\":1,\\nx\\n' > results/bad.jsonl;",
        HEADER "--results results", 2);
    expect(program.err, "results/bad.jsonl:1: ");
}

static void the_budget_ends_a_tuning_that_hangs(void **state)
{
    (void)state;
    const double begin = hone_clock_seconds();
    run("HONE_FAKE_CHAOS=FREEZE=1", HEADER ON_GPU "--budget 3s", 0);
    // a frozen driver is waited for 30 s and more where nobody has a budget
    assert_true(hone_clock_seconds() - begin < 15);
    expect_header("NOT TUNED");
    run("HONE_FAKE_CHAOS=FREEZE=1", HEADER ON_GPU "--budget 2s --require-tuned", 1);
}

// So do those of the reference, which nothing can be measured without.
static void the_budget_ends_a_compiler_that_hangs(void **state)
{
    (void)state;
    static const char *const hung[] = {"lab.cu", "lab_reference.cu"};
    for (size_t i = 0; i < sizeof hung / sizeof *hung; i++) {
        char prefix[256];
        snprintf(
            prefix, sizeof prefix,
            "cp \"$SOURCE\"/tests/faults/lab*.cu \"$SOURCE\"/tests/faults/lab.lua . && "
            "echo '// misdeed: hang' >> %s;",
            hung[i]);
        const double begin = hone_clock_seconds();
        run(prefix, "header lab.lua -o lab.h " ON_GPU "--budget 2s", 0);
        assert_true(hone_clock_seconds() - begin < 15); // it has 600 s without a budget
        expect_header("NOT TUNED");
        run("rm -f lab.h*;", "version", 0);
    }
}

static void what_was_measured_before_the_end_is_used(void **state)
{
    (void)state;
    // every second configuration freezes the driver
    run("HONE_FAKE_CHAOS=FREEZE:C=1=1,FREEZE:C=2=1", HEADER ON_GPU "--budget 4s", 0);
    expect_header("MEASURED");
    run("HONE_FAKE_CHAOS=FREEZE=1", HEADER ON_GPU "--budget 4s --require-tuned", 0);
}

static void wrong_use_is_refused(void **state)
{
    (void)state;
    run("", HEADER "--budget 200", 2);
    expect(program.err, "--budget wants a time above 0 with its unit");
    run("", HEADER "--tune --device gpu", 2);
    run("", "header nothing.lua -o lab.h", 2);
    run("", "header \"$SOURCE/tests/faults/lab.lua\" --depfile x.d", 2);
}

static void the_depfile_names_script_and_template(void **state)
{
    (void)state;
    run("", HEADER "--depfile lab.d", 0);
    char *depfile = program_file("lab.d");
    expect(depfile, "lab.h:");
    expect(depfile, "/tests/faults/lab.lua");
    expect(depfile, "/tests/faults/lab.cu");
    expect(depfile, "/tests/faults/lab_reference.cu");
    free(depfile);
}

static const struct CMUnitTest cases[] = {
    cmocka_unit_test_setup(without_anything_the_default_is_written, clean),
    cmocka_unit_test_setup(what_is_written_is_told_when_it_is_written, clean),
    cmocka_unit_test_setup(the_default_serves_every_gpu_and_compiles, clean),
    cmocka_unit_test_setup(a_required_tuning_that_is_not_there_fails, clean),
    cmocka_unit_test_setup(a_gpu_is_tuned_once, clean),
    cmocka_unit_test_setup(kept_results_count_while_they_are_true, clean),
    cmocka_unit_test_setup(a_damaged_journal_is_an_error_with_its_line, clean),
    cmocka_unit_test_setup(the_budget_ends_a_tuning_that_hangs, clean),
    cmocka_unit_test_setup(the_budget_ends_a_compiler_that_hangs, clean),
    cmocka_unit_test_setup(what_was_measured_before_the_end_is_used, clean),
    cmocka_unit_test_setup(wrong_use_is_refused, clean),
    cmocka_unit_test_setup(the_depfile_names_script_and_template, clean),
};
HONE_TEST_MAIN_WITH(cases, lab_setup, program_teardown)
