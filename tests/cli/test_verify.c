// What a script asks of verification, seen from outside: sizes that are drawn.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

#define DRAWN "$SOURCE/tests/cli/scripts/drawn.lua --device emu:a100 --quiet "

// A kernel that knows the sizes of its script, or is wrong where these do not look.
static void drawn_sizes_find_what_named_ones_hide(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " DRAWN "--set MODE=0", 0);
    assert_non_null(
        strstr(program.out, "verified at 1 size of the script and 24 drawn by seed 1"));
    static const char *const found[] = {[1] = "is 0, reference ",
                                        [2] = "never writes y[7]",
                                        [3] = "past a buffer of ",
                                        [4] = "never writes y[0], at N=1"};
    for (int mode = 1; mode <= 4; mode++) {
        char command[256];
        snprintf(command, sizeof command, "check " DRAWN "--set MODE=%d --json", mode);
        program_expect(command, 1);
        if (!strstr(program.out, found[mode])) fail_msg("%s", program.out);
        assert_non_null(strstr(program.out, "\"drawn\": 24"));
    }
}

// MODE, which no size under 'verify' names, is there as it was set.
static void a_size_that_is_set_and_not_verified_at_is_told(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " DRAWN "--set MODE=0 --set N=777", 0);
    assert_non_null(strstr(program.out, "not verified at N=777, which no size under"));
    assert_null(strstr(program.out, "not verified at MODE"));
}

// An emulated device judges PTX, so equal machine code is not enough to be judged alike.
static void a_race_is_found_behind_a_twin_of_volatile_accesses(void **state)
{
    (void)state;
    need_nvrtc();
    for (int seed = 1; seed <= 4; seed++) {
        char command[160];
        snprintf(command, sizeof command,
                 "check $SOURCE/tests/cli/scripts/strength.lua --device emu:h100 --all "
                 "--seed %d -q -j1",
                 seed);
        program_expect(command, 1);
        assert_non_null(strstr(program.out, "1 valid, 2 wrong_result"));
        assert_non_null(strstr(program.out, "(race): data race on shared memory"));
        assert_non_null(strstr(program.out, "(order): depends on the order of warps"));
    }
}

// The journal says by which seed: another one would have drawn others.
static void a_journal_of_drawn_sizes_is_resumed_by_its_seed(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " DRAWN "--budget 2 --seed 3 --journal drawn.jsonl", 0);
    assert_non_null(strstr(program.out, "and 24 drawn by seed 3"));
    char *journal = program_file("drawn.jsonl");
    assert_non_null(
        strstr(journal, "\"seed\":3,\"drawn_sizes\":[{\"N\":1},{\"N\":2000},"));
    free(journal);
    program_expect("tune " DRAWN "--budget 4 --seed 4 --journal drawn.jsonl --resume", 2);
    assert_non_null(strstr(program.err, "its seed is 3, now it is 4"));
    program_expect("tune " DRAWN "--budget 4 --seed 3 --journal drawn.jsonl --resume", 0);
    program_expect("check " DRAWN "--set MODE=0 --same-as drawn.jsonl", 0);
    assert_non_null(strstr(program.out, "have the same bits"));
}

#define PTXAS "$SOURCE/tests/cli/scripts/ptxas.lua --device emu:a100 --quiet --cache '' "

static void what_is_only_verified_needs_no_ptxas(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " PTXAS "--set WAY=0 --estimate", 0);
    assert_non_null(strstr(program.out, "1 valid, registers estimated from PTX"));
    program_expect("check " PTXAS "--set WAY=0 --estimate --json", 0);
    assert_non_null(strstr(program.out, "\"registers_estimated\": 1,"));
    program_expect("check " PTXAS "--set WAY=0", 0);
    assert_non_null(strstr(program.out, "1 valid"));
    assert_null(strstr(program.out, "estimated"));
}

// The emulator would run it: an instruction of a later GPU.
static void what_ptxas_refuses_does_not_build(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " PTXAS "--set WAY=1 --estimate", 1);
    if (!strstr(program.out, "1 build_failed: ") || !strstr(program.out, "elect"))
        fail_msg("%s", program.out);
}

static void expect_as_assembled(const char *what, const char *of, const char *verdicts)
{
    for (int estimates = 0; estimates < 2; estimates++) {
        char command[512];
        snprintf(command, sizeof command, "check %s%s", what,
                 estimates ? " --estimate" : "");
        program_run(command);
        if (!strstr(program.out, of) || !strstr(program.out, verdicts))
            fail_msg("%s: %s%s", command, program.out, program.err);
    }
}

// Modifiers, sizes and barriers that another kernel has one by one, in whatever order the
// configurations come.
static void what_ptxas_refuses_is_found_in_any_order(void **state)
{
    (void)state;
    need_nvrtc();
    for (int seed = 1; seed <= 3; seed++) {
        char what[256];
        snprintf(what, sizeof what,
                 "$SOURCE/tests/cli/scripts/forms.lua --device emu:a100 --quiet "
                 "--cache '' --sample 12 --seed %d -j %d",
                 seed, seed % 2 + 1);
        expect_as_assembled(what, "12 of 12 ", ": 3 valid, 9 build_failed");
    }
}

// Without launch bounds ptxas may take more registers than the block can have.
static void registers_that_may_be_too_many_are_asked_for(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " PTXAS "--set WAY=2 --estimate", 0);
    assert_non_null(strstr(program.out, "1 valid"));
    assert_null(strstr(program.out, "estimated"));
}

#define TOGETHER                                                                         \
    "$SOURCE/tests/cli/scripts/together.lua --device emu:a30 --quiet --cache '' "

// Of a cooperative launch, and of blocks that wait for one another, where the most
// registers that the launch bounds leave would not let all run at once.
static void blocks_that_run_at_once_are_not_estimated(void **state)
{
    (void)state;
    need_nvrtc();
    expect_as_assembled(TOGETHER "--set WAIT=0 --all", "6 of 6 ",
                        ": 5 valid, 1 rejected");
    program_expect("check " TOGETHER "--set WAIT=1 --set K=2 --all --estimate", 0);
    assert_non_null(strstr(program.out, ": 2 valid"));
    assert_non_null(strstr(program.out, "1 valid, registers estimated"));
}

#define UNSUITED "$SOURCE/tests/cli/scripts/unsuited.lua --device emu:a100 "

// What is launched at no size was not verified.
static void a_configuration_without_a_size_is_not_valid(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " UNSUITED "--quiet --all --json", 0);
    assert_non_null(strstr(program.out, "\"valid\": 2,"));
    assert_non_null(strstr(program.out, "no size to verify at suits it"));
}

// Of one parameter other sizes would be drawn than of all.
static void results_are_the_same_at_the_sizes_of_the_journal(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " UNSUITED "--quiet --journal all.jsonl", 0);
    program_expect("check " UNSUITED "--quiet --set T=4 --same-as all.jsonl", 0);
    assert_non_null(strstr(program.out, "1 of 1 have the same bits"));
}

static void another_kernels_journal_is_told_before_its_sizes(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " UNSUITED "--quiet --same-as "
                   "$SOURCE/tests/golden/sgemm_h200.jsonl",
                   2);
    if (!strstr(program.err, "sgemm_h200.jsonl' is of kernel sgemm, the script's is "))
        fail_msg("%s", program.err);
}

static void a_journal_of_other_ranges_is_not_resumed(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " UNSUITED "--quiet --journal ranges.jsonl", 0);
    program_run_with("cp $SOURCE/tests/cli/scripts/drawn*.cu . && "
                     "sed 's/range(1, 250)/range(300, 900)/' "
                     "$SOURCE/tests/cli/scripts/unsuited.lua > unsuited.lua && ",
                     "tune unsuited.lua --device emu:a100 --quiet --journal ranges.jsonl "
                     "--resume");
    assert_int_equal(program.code, 2);
    if (!strstr(program.err, "is of another run: its drawn_sizes"))
        fail_msg("%s", program.err);
}

#define NAMED(CHANGE, COMMAND)                                                           \
    program_run_with("cp $SOURCE/tests/cli/scripts/drawn*.cu . && "                      \
                     "sed '" CHANGE                                                      \
                     "' $SOURCE/tests/cli/scripts/unsuited.lua > n.lua && ",             \
                     COMMAND " n.lua --device emu:a100 --quiet ")

// The author's constraints hold where the script names a size, too: what they forbid is
// not launched there, and a size that they forbid to all is a mistake.
static void named_sizes_are_held_against_the_constraints(void **state)
{
    (void)state;
    need_nvrtc();
    NAMED("s/{ N = hone.range(1, 250) }/{ N = 4096 }, { N = 10 }, { N = 20 }/",
          "check --all");
    if (program.code != 0 || !strstr(program.out, "3 valid") ||
        !strstr(program.out, "  not run at N=10: 2, by their constraints\n") ||
        !strstr(program.out, "  not run at N=20: 1, by their constraints\n") ||
        strstr(program.out, "not run at N=4096"))
        fail_msg("%s%s", program.out, program.err);
    NAMED("s/{ N = hone.range(1, 250) }/{ N = 4096 }, { N = 10 }, { N = 20 }/",
          "tune --budget 3 --journal n.jsonl");
    if (program.code != 0 || !strstr(program.out, "  not run at N=10: 2") ||
        !strstr(program.out, "  not run at N=20: 1") ||
        strstr(program.out, "not run at N=4096"))
        fail_msg("%s%s", program.out, program.err);
    NAMED(
        "s/{ N = hone.range(1, 250) }/{ N = 4096 }, { N = 10 }/;s/{ 1, 4, 256 }/{ 4, 256 "
        "}/;s/T = 1 }/T = 4 }/",
        "check --all");
    if (program.code != 2 ||
        !strstr(program.err,
                "n.lua:17: verify names N=10, where the constraints allow no "
                "configuration"))
        fail_msg("%s%s", program.out, program.err);
    NAMED("s/{ N = hone.range(1, 250) }/{ N = 20 }/", "check --all");
    assert_int_equal(program.code, 0); // T = 256 would be launched nowhere
    assert_non_null(strstr(program.out, "2 valid, 1 rejected"));
    assert_non_null(strstr(program.out, "not verified: no size to verify at suits it"));
}

// Its default is not verified: sizes that are drawn, or cannot be, do not matter.
static void a_header_of_defaults_draws_no_sizes(void **state)
{
    (void)state;
    program_expect("header $SOURCE/tests/cli/scripts/unsuited.lua --set T=256 -o set.h",
                   0);
    char *header = program_file("set.h");
    assert_non_null(strstr(header, "#define"));
    free(header);
}

#define PRECISE "$SOURCE/tests/cli/scripts/precise.lua --device emu:a100 --quiet "

// The kernel's floats, halves, scalars and symbols against doubles of the same values.
static void a_reference_in_doubles_judges_kernels_of_other_types(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " PRECISE "--set MODE=0", 0);
    program_expect("check " PRECISE "--set MODE=1 --json", 1);
    assert_non_null(strstr(program.out, "\"finding\": \"precision\""));
    assert_non_null(strstr(program.out, "the mean error of y is 0.00"));
    assert_non_null(strstr(program.out, "(precision lowered?), at K=64 N=40"));
    program_expect("check " PRECISE "--set MODE=2 --json", 1);
    assert_non_null(strstr(program.out, "\"finding\": \"mismatch\""));
}

// At the tuned size, too, and through the messages of a worker.
static void a_reference_in_doubles_is_that_of_finals_and_workers(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " PRECISE "--set MODE=0 --journal precise.jsonl", 0);
    char *journal = program_file("precise.jsonl");
    assert_non_null(strstr(journal, "\"compared\":\"reference\""));
    free(journal);
    program_expect("tune " PRECISE "--isolate yes --journal there.jsonl", 0);
    journal = program_file("there.jsonl");
    assert_non_null(strstr(journal, "\"finding\":\"precision\""));
    assert_non_null(strstr(journal, "\"finding\":\"mismatch\""));
    assert_non_null(strstr(journal, "\"compared\":\"reference\""));
    free(journal);
}

// Runs check beside copies of the scripts whose FILE has no extern "C".
static void check_mangled(const char *file)
{
    char line[512];
    snprintf(line, sizeof line,
             "mkdir -p bare && cp $SOURCE/tests/cli/scripts/scale* bare && "
             "sed -i 's/extern \"C\"//' bare/%s; ",
             file);
    program_run_with(line, "check bare/scale.lua --set MODE=0 --device emu:a100 --quiet");
    assert_int_equal(program.code, 2);
}

static void a_kernel_without_its_name_is_told_of_by_its_file(void **state)
{
    (void)state;
    need_nvrtc();
    check_mangled("scale.cu");
    assert_non_null(strstr(program.err, "hone: 'scale.cu' has no kernel 'scale': declare "
                                        "it extern \"C\" __global__"));
    assert_non_null(strstr(program.err, "it has 'scale', mangled as '_Z5scale"));
    check_mangled("scale_reference.cu");
    assert_non_null(strstr(program.err, "hone: reference: 'scale_reference.cu' has no "
                                        "kernel 'scale_reference': declare it"));
}

// A script nobody named the size in: which one it was is said.
static void a_drawn_size_that_cannot_be_launched_is_named(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with("mkdir -p few && cp $SOURCE/tests/cli/scripts/drawn* few && "
                     "sed -i -e 's/ceil_div(N, 64)/N \\/ 64/' -e 's/{ N = 256 }, //' "
                     "-e 's/range(1, 2000), count = 24/range(1, 60)/' few/drawn.lua; ",
                     "check few/drawn.lua --device emu:a100 --quiet --set MODE=0");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.out, "grid x 'N / 64' is 0.0"));
    assert_null(
        strstr(program.out, "\n      \n")); // no values to tell: one configuration
    assert_non_null(strstr(program.out, ", at N=1, a drawn"));
}

static void a_seed_of_64_bits_is_told_as_it_is(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " DRAWN "--set MODE=0 --json --seed 18446744073709551615", 0);
    assert_non_null(strstr(program.out, "\"seed\": \"18446744073709551615\""));
}

// Its results are of sizes that only its run knew.
static void a_journal_from_before_sizes_were_drawn_is_not_compared_with(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with("mkdir -p older && cp $SOURCE/tests/cli/scripts/drawn* older && "
                     "sed -i 's/, { N = hone.range(1, 2000), count = 24 }//' "
                     "older/drawn.lua; ",
                     "tune older/drawn.lua --device emu:a100 --quiet --set MODE=0 "
                     "--journal older.jsonl");
    assert_int_equal(program.code, 0);
    program_expect("check " DRAWN "--same-as older.jsonl", 2);
    assert_non_null(strstr(program.err, "'older.jsonl' tells of no drawn sizes"));
}

// What may be recovered from, too little memory for other data, does not hide what fails.
static void an_error_that_was_recovered_from_hides_no_other(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check $SOURCE/tests/cli/scripts/beyond.lua --device emu:a100 --quiet "
                   "--host-memory 32M",
                   2);
    assert_non_null(strstr(program.err, "20 bytes past a buffer of 3108 bytes"));
}

static void the_buffer_that_a_reference_leaves_is_named(void **state)
{
    (void)state;
    need_nvrtc();
    program_run("new half && sed -i 's|\"x\", \"f32\", \"N\"|\"x\", \"f32\", "
                "\"max(N // 2, 1)\"|' half.lua");
    program_expect("check half.lua --device emu:a100 --quiet --set N=4096", 2);
    assert_non_null(strstr(program.err, "(crashed): out-of-bounds global load"));
    assert_non_null(strstr(program.err, ": argument 1 'x', f32 ["));
}

// What outputs hold before a launch is among the results: the reference's own launch at the
// tuned size has elements that seem unwritten.
static void results_of_every_value_are_compared_at_the_tuned_size(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune $SOURCE/tests/cli/scripts/bytes.lua --device emu:a100 "
                   "--budget 3 --journal bytes.jsonl",
                   0);
    assert_non_null(
        strstr(program.out, "results at the tuned size: equal to the reference's"));
}

// The kernel copies its boxes by TMA; the reference gets the buffers.
static void a_matrix_that_goes_by_tensor_maps_is_verified(void **state)
{
    (void)state;
    program_run("check \"$SOURCE/tests/cli/scripts/boxes.lua\" --device emu:h100 --quiet "
                "--cache ''");
    if (program.code != 0 || !strstr(program.out, "3 valid"))
        fail_msg("%d: %s%s", program.code, program.out, program.err);
    program_run("check \"$SOURCE/tests/cli/scripts/boxes.lua\" --device emu:a100 --quiet "
                "--cache ''");
    assert_int_not_equal(program.code, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_kernel_without_its_name_is_told_of_by_its_file),
    cmocka_unit_test(a_reference_in_doubles_judges_kernels_of_other_types),
    cmocka_unit_test(a_reference_in_doubles_is_that_of_finals_and_workers),
    cmocka_unit_test(drawn_sizes_find_what_named_ones_hide),
    cmocka_unit_test(a_size_that_is_set_and_not_verified_at_is_told),
    cmocka_unit_test(a_race_is_found_behind_a_twin_of_volatile_accesses),
    cmocka_unit_test(a_journal_of_drawn_sizes_is_resumed_by_its_seed),
    cmocka_unit_test(what_is_only_verified_needs_no_ptxas),
    cmocka_unit_test(what_ptxas_refuses_does_not_build),
    cmocka_unit_test(what_ptxas_refuses_is_found_in_any_order),
    cmocka_unit_test(registers_that_may_be_too_many_are_asked_for),
    cmocka_unit_test(blocks_that_run_at_once_are_not_estimated),
    cmocka_unit_test(a_configuration_without_a_size_is_not_valid),
    cmocka_unit_test(results_are_the_same_at_the_sizes_of_the_journal),
    cmocka_unit_test(another_kernels_journal_is_told_before_its_sizes),
    cmocka_unit_test(a_journal_of_other_ranges_is_not_resumed),
    cmocka_unit_test(named_sizes_are_held_against_the_constraints),
    cmocka_unit_test(a_header_of_defaults_draws_no_sizes),
    cmocka_unit_test(a_drawn_size_that_cannot_be_launched_is_named),
    cmocka_unit_test(a_seed_of_64_bits_is_told_as_it_is),
    cmocka_unit_test(a_journal_from_before_sizes_were_drawn_is_not_compared_with),
    cmocka_unit_test(an_error_that_was_recovered_from_hides_no_other),
    cmocka_unit_test(the_buffer_that_a_reference_leaves_is_named),
    cmocka_unit_test(a_matrix_that_goes_by_tensor_maps_is_verified),
    cmocka_unit_test(results_of_every_value_are_compared_at_the_tuned_size),
};

HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)