// What the program says of results: compared at the tuned size, or without a reference.
#include "tune_frame.h"

#define LONG "$SOURCE/tests/cli/scripts/long.lua --device emu:h200 --strategy grid "
#define WIDE "$SOURCE/tests/cli/scripts/wide.lua --device emu:h200 --strategy grid "

// What a line of a journal with this configuration ends up saying: its last line counts.
static char *last_line_with(const char *name, const char *text)
{
    char *journal = program_file(name), *found = NULL;
    assert_non_null(journal);
    for (char *at = journal; (at = strstr(at, text)); at++)
        found = at;
    if (!found) fail_msg("nothing in %s says %s", name, text);
    while (found > journal && found[-1] != '\n')
        found--;
    char *line = strndup(found, strcspn(found, "\n"));
    free(journal);
    return line;
}

// An index of 16 bits is right up to 65536 elements, and saves the work of the rest.
static void an_index_that_overflows_at_the_tuned_size_loses_its_place(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " WIDE "--set CUT=1 --set MANY=0 --journal cut16.jsonl", 1);
    assert_non_null(strstr(program.err, "none of 3 configurations is valid"));
    assert_non_null(strstr(program.err, "y["));
    char *line = last_line_with("cut16.jsonl", "[64,1,0]");
    assert_non_null(strstr(line, "\"outcome\":\"wrong_result\""));
    assert_non_null(strstr(line, "never writes y[65536]"));
    assert_non_null(strstr(line, "at N=100000, the tuned size"));
    assert_non_null(strstr(line, "\"compared\":\"reference\""));
    free(line);
}

static void a_kernel_wrong_in_large_grids_only_is_not_in_the_header(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " WIDE "--journal wide.jsonl -o wide.h --accept-predicted", 0);
    assert_non_null(strstr(program.out, "MANY=0"));
    assert_non_null(strstr(program.out, "results at the tuned size: equal to the ref"));
    assert_non_null(strstr(program.out, "wrong at the tuned size only: never writes y["));
    char *header = program_file("wide.h");
    assert_non_null(strstr(header, "results at this size: equal to the reference's"));
    assert_non_null(strstr(header, "MANY=0"));
    assert_null(strstr(header, "MANY=1"));
    free(header);
    char *line = last_line_with("wide.jsonl", "[64,0,0]"); // the default, too
    assert_non_null(strstr(line, "\"compared\":\"reference\""));
    free(line);
    program_expect("tune " WIDE "--journal wide.jsonl --resume --json", 0);
    assert_non_null(strstr(program.out, "\"compared\": \"reference\""));
}

static void the_default_alone_wrong_is_named(void **state)
{
    (void)state;
    need_nvrtc();
    const char *copy = "cp $SOURCE/tests/cli/scripts/wide* .; sed -i 's/default = .*/"
                       "default = { BLOCK = 64, CUT = 0, MANY = 1 },/' wide.lua; ";
    program_run_with(copy, "tune wide.lua --device emu:h200 --set BLOCK=64 "
                           "--journal named.jsonl --set CUT=0");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "the default among them: never writes y["));
}

// The best and a default that is wrong make a tie, which others decide.
static void a_majority_decides_without_a_reference(void **state)
{
    (void)state;
    need_nvrtc();
    const char *copy =
        "cp $SOURCE/tests/cli/scripts/wide* .; sed -i 's/> 300/> 1000/' wide.cu; sed -i "
        "'/reference = /,+1d; s/default = .*/default = { BLOCK = 64, CUT = 0, MANY = 1 "
        "},/' wide.lua; ";
    program_run_with(copy, "tune wide.lua --device emu:h200 --strategy grid --set CUT=0 "
                           "--journal most.jsonl");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "the default among them: never writes y["));
    assert_non_null(strstr(program.out, "as the majority has them"));
    char *line = last_line_with("most.jsonl", "never writes y[64]");
    assert_non_null(strstr(line, "\"outcome\":\"wrong_result\""));
    free(line);
}

// Every kernel may share what is wrong with it: a majority would hide that. A
// worker's word for it is enough.
static void a_reference_that_is_wrong_at_the_tuned_size_ends_the_run(void **state)
{
    (void)state;
    need_nvrtc();
    for (size_t i = 0; i < 2; i++) {
        char args[256];
        snprintf(args, sizeof args,
                 "tune wide.lua --device emu:h200 --strategy grid --set CUT=0 --set "
                 "MANY=0 --journal short%zu.jsonl --accept-predicted -o short%zu.h "
                 "--isolate %s",
                 i, i, i ? "yes" : "no");
        program_run_with("cp $SOURCE/tests/cli/scripts/wide* .; sed -i 's/i < N;/i < N "
                         "\\&\\& i < 2000;/' wide_reference.cu; ",
                         args);
        if (program.code != 2)
            fail_msg("%s: exit %d\n%s", args, program.code, program.err);
        if (!strstr(program.err, "wide.lua:12: the reference 'wide_reference.cu' fails "
                                 "(wrong_result): never writes y[2000], at N=100000, the "
                                 "tuned size; are args in its order"))
            fail_msg("%s:\n%s", args, program.err);
        assert_null(program_file(i ? "short1.h" : "short0.h"));
    }
    // its journal is there, and a header of it says what became of the comparison
    program_expect("emit short1.jsonl --accept-predicted -o short1.h", 0);
    assert_non_null(strstr(program.err,
                           "hone: warning: short1.jsonl: the reference fails "
                           "at the tuned size"));
    char *header = program_file("short1.h");
    assert_non_null(header);
    assert_non_null(strstr(header, "not verified at this size (the reference fails"));
    free(header);
}

// Hours of emulation are not begun.
static void what_would_take_long_on_the_emulator_is_not_compared(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " SGEMM "--set M=8192 --set N=8192 --set K=8192 --budget 2 "
                   "--journal long.jsonl",
                   0);
    assert_non_null(
        strstr(program.out, "results at the tuned size: not compared: needs about"));
    const char *time = strstr(program.out, "not compared: needs about ");
    const char *end = strstr(program.out, " s of emulation");
    assert_true(time && end && !memchr(time, '+', (size_t)(end - time)));
}

static void a_reference_that_would_take_long_is_given_up(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " LONG "--set BLOCK=64 --journal alone.jsonl", 0);
    assert_non_null(strstr(program.out, "not compared: nothing to compare with "
                                        "(reference: would need over "));
    char *line = last_line_with("alone.jsonl", "[64]");
    assert_non_null(strstr(line, "\"compared\":\"no: nothing to compare with "));
    free(line);
    assert_non_null(strstr(program.err, "gives nothing at the tuned size: would need"));
}

static void workers_compare_results_as_one_process_does(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " WIDE "--isolate yes --journal there.jsonl", 0);
    assert_non_null(strstr(program.out, "MANY=0"));
    assert_non_null(strstr(program.out, "results at the tuned size: equal to the ref"));
    char *line = last_line_with("there.jsonl", "wrong_result");
    assert_non_null(strstr(line, "at N=100000, the tuned size"));
    free(line);
}

#define ALONE                                                                            \
    "$SOURCE/tests/cli/scripts/alone.lua --device emu:h200 --launch-deadline 2s "

// One configuration that is to fail, checked and tuned.
static void expect_found(int mode, const char *outcome, const char *words)
{
    char line[256], found[64];
    snprintf(line, sizeof line, "check " ALONE "--set MODE=%d --json", mode);
    program_expect(line, 1);
    snprintf(found, sizeof found, "\"outcome\": \"%s\"", outcome);
    if (!strstr(program.out, found) || !strstr(program.out, words))
        fail_msg("mode %d is not %s, %s: %s", mode, outcome, words, program.out);
    snprintf(line, sizeof line, "tune " ALONE "--set MODE=%d --journal mode%d.jsonl",
             mode, mode);
    program_expect(line, 1);
    if (!strstr(program.err, outcome)) fail_msg("%s", program.err);
}

static void a_trap_is_found_without_a_reference(void **state)
{
    (void)state;
    need_nvrtc();
    expect_found(1, "crashed", "trap");
}

static void a_store_to_null_is_found_without_a_reference(void **state)
{
    (void)state;
    need_nvrtc();
    expect_found(2, "crashed", "global store of 4 bytes");
}

static void a_store_before_a_buffer_is_found_without_a_reference(void **state)
{
    (void)state;
    need_nvrtc();
    expect_found(3, "crashed", "4 bytes before a buffer of");
}

static void an_endless_loop_is_found_without_a_reference(void **state)
{
    (void)state;
    need_nvrtc();
    expect_found(4, "timed_out", "still running");
}

static void what_the_checks_find_needs_no_reference(void **state)
{
    (void)state;
    need_nvrtc();
    expect_found(5, "wrong_result", "changes its input: x[2] was");
    expect_found(6, "wrong_result", "alone.cu:"); // a race, or a value not there yet
    expect_found(8, "wrong_result", "its first launch");
}

static void a_check_without_a_reference_says_what_it_could_not_judge(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " ALONE "--set MODE=0", 0);
    assert_non_null(strstr(program.out, "1 valid"));
    assert_non_null(strstr(program.out, "no reference: values were not judged"));
    assert_null(strstr(program.out, "unwritten"));
    assert_int_equal(count(program.err, "has no reference"), 1);
    program_expect("check " ALONE "--set MODE=7", 0);
    assert_non_null(strstr(program.out, "1 valid"));
    assert_non_null(
        strstr(program.out, "1 leave elements of outputs unwritten, at most 1"));
    program_expect("check " ALONE "--set MODE=7 --json", 0);
    assert_non_null(strstr(program.out, "\"values_judged\": false"));
    assert_non_null(strstr(program.out, "\"leave_outputs_unwritten\": 1"));
    program_expect("check " SCALE "--set MODE=0 --json", 0);
    assert_non_null(strstr(program.out, "\"values_judged\": true"));
    program_expect("tune " ALONE "--set MODE=0 --journal alone.jsonl", 0);
    assert_non_null(strstr(program.out, "no reference: values were not judged"));
}

/* A header, and who shows its journal, say of what is valid how its results were judged. */
static void a_header_claims_what_was_looked_at(void **state)
{
    (void)state;
    need_nvrtc();
    static const struct {
        const char *tune, *journal, *header, *shown;
    } cases[] = {
        {ALONE, "\"verified\":\"no reference\"", "values were not judged",
         "results not judged: the kernel has no reference"},
        {SCALE "--no-verify ", "\"verified\":\"no\"", "results were not verified",
         "results not verified (--no-verify)"},
        {SCALE, "\"verified\":\"reference\"", "its verify sizes",
         "results verified against the reference\n"},
        {"scale.lua --device emu:h200 ", "\"verified\":\"reference at the tuned size\"",
         "equal to the reference, within the script's tolerance, at the tuned size",
         "results verified against the reference, at the tuned size\n"},
        {"alone.lua --device emu:h200 ",
         "\"verified\":\"no reference at the tuned size\"", "run at the tuned size;",
         "results not judged: the kernel has no reference; run at the tuned size\n"},
    };
    program_run_with(
        "cp $SOURCE/tests/cli/scripts/alone* $SOURCE/tests/cli/scripts/scale* .; "
        "sed -i '/verify = /d' alone.lua scale.lua; ",
        "version");
    assert_int_equal(program.code, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "tune %s--set MODE=0 --journal v%zu.jsonl -o v.h --accept-predicted",
                 cases[i].tune, i);
        program_expect(line, 0);
        snprintf(line, sizeof line, "v%zu.jsonl", i);
        char *journal = program_file(line), *header = program_file("v.h");
        assert_non_null(strstr(journal, cases[i].journal));
        const char *valid = strstr(header, " * Valid: emulated, and ");
        assert_non_null(valid);
        const char *words = strstr(valid, cases[i].header);
        assert_true(words && words < strstr(valid, " * Selected:"));
        snprintf(line, sizeof line, "show v%zu.jsonl", i);
        program_expect(line, 0);
        assert_non_null(strstr(program.out, cases[i].shown));
        free(journal);
        free(header);
    }
}

// Nothing that was not run is called valid.
static void a_problem_too_large_to_run_alone_is_no_verdict(void **state)
{
    (void)state;
    need_nvrtc();
    const char *copy = "cp $SOURCE/tests/cli/scripts/alone* .; sed -i '/verify = /d' "
                       "alone.lua; ";
    program_run_with(copy, "check alone.lua --device emu:h200 --set MODE=3");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.out, "1 crashed")); // small enough
    program_expect("check alone.lua --device emu:h200 --set MODE=3 --set N=2000000", 1);
    assert_non_null(strstr(program.out, "1 rejected: not run: without a reference"));
    assert_non_null(strstr(program.err, "none of 1 configurations could be verified"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_trap_is_found_without_a_reference),
    cmocka_unit_test(a_store_to_null_is_found_without_a_reference),
    cmocka_unit_test(a_store_before_a_buffer_is_found_without_a_reference),
    cmocka_unit_test(an_endless_loop_is_found_without_a_reference),
    cmocka_unit_test(what_the_checks_find_needs_no_reference),
    cmocka_unit_test(a_check_without_a_reference_says_what_it_could_not_judge),
    cmocka_unit_test(a_header_claims_what_was_looked_at),
    cmocka_unit_test(a_problem_too_large_to_run_alone_is_no_verdict),
    cmocka_unit_test(an_index_that_overflows_at_the_tuned_size_loses_its_place),
    cmocka_unit_test(a_kernel_wrong_in_large_grids_only_is_not_in_the_header),
    cmocka_unit_test(the_default_alone_wrong_is_named),
    cmocka_unit_test(a_majority_decides_without_a_reference),
    cmocka_unit_test(a_reference_that_is_wrong_at_the_tuned_size_ends_the_run),
    cmocka_unit_test(what_would_take_long_on_the_emulator_is_not_compared),
    cmocka_unit_test(a_reference_that_would_take_long_is_given_up),
    cmocka_unit_test(workers_compare_results_as_one_process_does),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
