// The whole way on the emulator: script, NVRTC, verification, prediction, journal,
// header.
#include "tune_frame.h"

#define REDUCE "$SOURCE/kernels/reduction.lua --device emu:h200 --set N=100000 "

static void every_failing_configuration_is_a_result(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " SCALE "--strategy grid --budget 16 --journal all.jsonl", 0);
    assert_non_null(strstr(program.out, "4 valid"));
    assert_non_null(strstr(program.out, "4 build_failed"));
    assert_non_null(strstr(program.out, "4 wrong_result"));
    assert_non_null(strstr(program.out, "4 crashed"));
    char *journal = program_file("all.jsonl");
    assert_non_null(strstr(journal, "this mode is illegal"));
    assert_non_null(strstr(journal, "y[77]"));
    assert_null(strstr(journal, "time_us\":")); // predictions never go by that name
    assert_non_null(strstr(journal, "predicted_us\":"));
    free(journal);
}

static void nothing_valid_is_a_failure_with_a_reason(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " SCALE "--set MODE=1 --journal none.jsonl", 1);
    assert_non_null(strstr(program.err, "none of 4 configurations is valid"));
    assert_non_null(strstr(program.err, "this mode is illegal"));
}

static void predictions_need_consent_before_anything_runs(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " SCALE "--journal consent.jsonl -o consent.h", 2);
    assert_non_null(strstr(program.err, "--accept-predicted"));
    assert_null(program_file("consent.jsonl"));
    program_expect("tune " SCALE
                   "--budget 4 --journal consent.jsonl -o consent.h --accept-predicted",
                   0);
    char *header = program_file("consent.h");
    assert_non_null(strstr(header, "PREDICTED"));
    free(header);
}

// Ten times as slow as predicted, says the journal: calibrated predictions are, too.
static void predictions_are_calibrated_by_a_journal(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " SCALE "--strategy grid --budget 16 --journal raw.jsonl", 0);
    program_expect("version; sed -E 's/\"predicted_us\":([0-9.]+)/\"time_us\":\\1e1/' "
                   "raw.jsonl > gpu.jsonl",
                   0);
    program_expect(
        "tune " SCALE
        "--strategy grid --budget 16 --journal both.jsonl --calibrate gpu.jsonl",
        0);
    char *journal = program_file("both.jsonl");
    const char *raw = strstr(journal, "\"uncalibrated_us\":");
    const char *corrected = strstr(journal, "\"predicted_us\":");
    assert_non_null(strstr(journal, "calibrated with 4 points"));
    assert_non_null(raw);
    assert_non_null(corrected);
    const double ratio = atof(corrected + strlen("\"predicted_us\":")) /
                         atof(raw + strlen("\"uncalibrated_us\":"));
    assert_true(ratio > 9.99 && ratio < 10.01);
    free(journal);
    program_expect("tune " REDUCE "--journal other.jsonl --calibrate gpu.jsonl", 2);
    assert_non_null(strstr(program.err, "is of kernel 'scale'"));
}

static void check_counts_failures_and_fails(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " SCALE "--all", 1);
    assert_non_null(strstr(program.err, "12 of 16 configurations failed"));
    assert_non_null(strstr(program.out, "thread time: "));
    assert_non_null(
        strstr(program.out,
               "  4 crashed (out_of_bounds): out-of-bounds global load of 4 bytes"));
    assert_non_null(strstr(
        program.out, "  4 wrong_result (mismatch): y[77] is 0.345249176, reference "));
    assert_non_null(
        strstr(program.out, "  4 build_failed: scale.cu:8: static assertion"));
    program_expect("check " SCALE "--all --set MODE=0 --json", 0);
    assert_non_null(strstr(program.out, "\"valid\": 4"));
    assert_non_null(strstr(program.out, "\"causes\": []"));
    assert_non_null(strstr(program.out, "\"verify_seconds\": "));
}

static void what_a_kernel_prints_is_passed_on(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with("cd $SOURCE/tests/cli/scripts; for f in scale.lua scale.cu "
                     "scale_reference.cu; do sed 's/int i = blockIdx.x.*/&"
                     "if (i == 7) printf(\"seven is %d\\\\n\", i);/' $f > "
                     "$OLDPWD/$f; done; cd $OLDPWD;",
                     "check scale.lua --device emu:h200 --all --set MODE=0");
    if (!strstr(program.err, "the kernel prints: seven is 7"))
        fail_msg("%s", program.err);
}

// A smallest size at which all are right takes no launches from the others, whose first
// data has what nearly all other data lacks.
static void data_of_its_own_comes_to_each_size(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check $SOURCE/tests/cli/scripts/knows.lua --device emu:a100 --all",
                   1);
    assert_non_null(strstr(program.out, ": 10 wrong_result"));
}

// One of each kind, and nothing else is wrong with the kernel.
static void lint_finds_what_a_template_lacks(void **state)
{
    (void)state;
    need_nvrtc();
    static const char *const kinds[] = {"unused_parameter", "no_default", "no_contract",
                                        "no_static_assert", "barrier_id", "local_memory",
                                        "shared_unwritten"};
    program_expect("check $SOURCE/tests/cli/scripts/lapses.lua --device emu:a100 --all",
                   0);
    assert_non_null(strstr(program.out, "4 ask for more than they write, most 3968"));
    program_expect("check $SOURCE/tests/cli/scripts/lapses.lua --device emu:a100 --lint "
                   "--json",
                   1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strstr(program.out, kinds[i]))
            fail_msg("no %s in %s", kinds[i], program.out);
    assert_null(strstr(program.out, "no_shared"));
    program_expect("check $SOURCE/tests/cli/scripts/lapses.lua --device emu:a100 --lint "
                   "--set DECLARED=0",
                   1);
    assert_non_null(strstr(program.out, "asks for 4096 bytes of dynamic shared memory"));
    assert_non_null(strstr(program.out, "no static_assert refuses UNUSED = -1"));
    assert_null(strstr(program.out, "refuses TIMES")); // only the launch has it
    assert_non_null(strstr(program.err, "the template has "));
}

// What depends on time is left out.
static char *checked_with_threads(const char *threads)
{
    char words[128];
    snprintf(words, sizeof words, "check " SCALE "--all --json --threads %s", threads);
    program_expect(words, 1);
    const char *outcomes = strstr(program.out, "\"outcomes\"");
    assert_non_null(outcomes);
    return strdup(outcomes);
}

static void check_says_the_same_with_any_number_of_threads(void **state)
{
    (void)state;
    need_nvrtc();
    char *one = checked_with_threads("1"), *four = checked_with_threads("4");
    assert_string_equal(one, four);
    free(one);
    free(four);
}

// A journal is held against what is computed now: its own bits, then changed ones.
static void check_tells_results_apart_to_the_bit(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " SCALE "--budget 16 --seed 5 --journal run.jsonl", 0);
    program_expect("check " SCALE "--same-as run.jsonl", 0);
    assert_non_null(strstr(program.out, "4 of 4 have the same bits, 0 differ"));
    program_run_with("sed 's/\"outputs\":\"[0-9a-f]*/\"outputs\":\"0123456789abcdef/' "
                     "run.jsonl >other.jsonl;",
                     "check " SCALE "--same-as other.jsonl --json");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.out, "other bits than on NVIDIA H200: hash "));
    program_expect("check " REDUCE "--same-as run.jsonl", 2);
    assert_non_null(strstr(program.err, "is of kernel scale, the script's is "));
    program_expect("check " SCALE "--same-as run.jsonl --lint", 2);
}

// Half precision is the journal's choice, the default is f32.
static void check_takes_the_problem_of_the_journal(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect(
        "tune " REDUCE "--set TYPE=f16 --budget 3 --seed 5 --journal run.jsonl", 0);
    program_expect("check " REDUCE "--same-as run.jsonl", 0);
    assert_non_null(strstr(program.out, "have the same bits, 0 differ"));
    program_run("check " REDUCE "--same-as run.jsonl --set TYPE=f32 --json");
    assert_null(strstr(program.out, "\"apart\":0,\"equal\":3"));
    program_run_with("sed '1s/\"PARTS\"/\"PORTS\"/g' run.jsonl >other.jsonl;",
                     "check " REDUCE "--same-as other.jsonl");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "at the problem of 'other.jsonl': --set PORTS"));
}

static void sgemm_and_reduction_are_tuned_to_a_header(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " SGEMM "--budget 3 --journal s.jsonl -o sgemm_tuned.h "
                   "--accept-predicted",
                   0);
    assert_non_null(strstr(program.out, "valid"));
    program_expect(
        "tune " REDUCE "--budget 3 --journal r.jsonl -o r.h --accept-predicted", 0);
    program_run_with("cc -std=c99 -I. $SOURCE/examples/geometry.c -o geometry && "
                     "./geometry;",
                     "version >/dev/null"); // the example of quickstart.sh
    assert_non_null(strstr(program.out, "9.0, 132 SMs, n = 5000: tuned for another GPU"));
    assert_non_null(
        strstr(program.out, "8.0, 108 SMs, n = 1024: the default, not tuned"));
}

static void the_same_seed_gives_the_same_header_bytes(void **state)
{
    (void)state;
    need_nvrtc();
    for (int i = 0; i < 2; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "tune " REDUCE "--seed 5 --budget 6 --journal seed%d.jsonl -o seed%d.h "
                 "--accept-predicted",
                 i, i);
        program_expect(line, 0);
    }
    char *a = program_file("seed0.h"), *b = program_file("seed1.h");
    assert_non_null(a);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

static void an_interrupted_run_keeps_its_journal_and_resumes(void **state)
{
    (void)state;
    need_nvrtc();
    // Interrupted when two trials are in the journal, however long that takes.
    program_run(
        "tune " SGEMM "--cache '' --budget 1000 --journal cut.jsonl -o cut.h "
        "--accept-predicted & "
        "until [ \"$(cat cut.jsonl 2>/dev/null | wc -l)\" -ge 3 ] || ! kill -0 $!; do "
        "sleep 0.05; done; kill -INT $!; wait $!");
    assert_int_equal(program.code, 130);
    assert_non_null(strstr(program.err, "interrupted"));
    assert_non_null(strstr(program.out, "journal cut.jsonl"));
    program_expect("show cut.jsonl", 0);
    program_expect("tune " SGEMM "--budget 4 --journal cut.jsonl --resume", 0);
}

// Buffers of the tuned size, of 4 and 40 MB each.
static void what_does_not_fit_this_machine_is_rejected(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " SCALE
                   "--set N=1000000 --set MODE=0 --set BLOCK=32 --host-memory "
                   "20M --journal fits.jsonl",
                   0);
    program_expect("tune " SCALE "--set N=10000000 --set MODE=0 --set BLOCK=32 "
                   "--host-memory 20M --journal large.jsonl",
                   1);
    assert_non_null(strstr(program.err, "rejected: 40013824 bytes of this machine's "
                                        "memory for device memory"));
    assert_non_null(strstr(program.err, "of 20971520 are in use: HONE_HOST_MEMORY (now "
                                        "20M) sets how much may be"));
    program_expect("check " SCALE "--set MODE=0 --host-memory plenty", 2);
    assert_non_null(strstr(program.err, "got 'plenty'"));
}

static void a_template_that_is_missing_is_named(void **state)
{
    (void)state;
    program_expect(
        "version; sed s/scale.cu/lost.cu/ $SOURCE/tests/cli/scripts/scale.lua > lost.lua",
        0);
    program_expect("tune lost.lua --device emu:h200", 2);
    assert_non_null(strstr(program.err, "lost.cu"));
}

static void a_reference_that_does_not_build_stops_the_run(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("version; cp $SOURCE/tests/cli/scripts/scale.* .; "
                   "echo 'nonsense' > scale_reference.cu",
                   0);
    program_expect("tune scale.lua --device emu:h200 --journal ref.jsonl", 2);
    assert_non_null(strstr(program.err, "scale_reference.cu"));
}

#define PROBLEMS "$SOURCE/tests/cli/scripts/scale.lua --device emu:h200 --problems p.txt "

static void a_default_that_wins_is_no_gain(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " SCALE "--budget 1", 0);
    assert_non_null(strstr(program.out, "\n  the default is the fastest\n"));
    assert_null(strstr(program.out, "as fast as"));
    program_expect("version; printf 'N=1000\\nN=2000\\n' > sizes.txt", 0);
    program_expect("tune $SOURCE/kernels/reduction.lua --device emu:h200 --budget 1 "
                   "--problems sizes.txt",
                   0);
    assert_non_null(strstr(program.out, "(predicted), the default is the fastest, 1 "));
}

#define TRANSPOSE                                                                        \
    "$SOURCE/kernels/transpose.lua --device emu:h200 --budget 1 --accept-predicted "

// A problem that no configuration can run is in the result and in the header.
static void a_problem_without_a_valid_configuration_is_told(void **state)
{
    static const char told[] =
        "\n * No row: M = 0, N = 64 on NVIDIA H200: none of 1 configurations ";
    (void)state;
    need_nvrtc();
    program_expect("version; printf 'M=64 N=64\\nM=0 N=64\\n' > some.txt", 0);
    program_expect("tune " TRANSPOSE "--problems some.txt --journal some.jsonl -o some.h",
                   0);
    assert_non_null(strstr(program.out, "  M=0: none of "));
    program_expect("version; cat some.h", 0);
    assert_non_null(strstr(program.out, told));
    program_expect("emit some.jsonl --accept-predicted --shape macros -o -", 0);
    assert_non_null(strstr(program.out, told));
}

// In whatever order journals are given; with two of one problem their trials are summed.
static void problems_without_a_row_are_told_in_one_order(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " TRANSPOSE "--set M=64 --set N=64 --journal g.jsonl", 0);
    program_run("tune " TRANSPOSE "--set M=0 --set N=64 --journal m.jsonl");
    program_run("tune " TRANSPOSE "--set M=64 --set N=0 --journal n.jsonl");
    program_run("tune " TRANSPOSE "--set M=0 --set N=64 --seed 2 --journal o.jsonl");
    program_expect("emit g.jsonl m.jsonl n.jsonl o.jsonl --accept-predicted -o 1.h", 0);
    program_expect("emit o.jsonl n.jsonl m.jsonl g.jsonl --accept-predicted -o 2.h", 0);
    program_expect("version; cmp 1.h 2.h && cat 1.h", 0);
    assert_non_null(
        strstr(program.out, " H200: none of 2 configurations tried is valid"));
    assert_non_null(
        strstr(program.out, " H200: none of 1 configurations tried is valid"));
}

// As hone space writes them.
static void check_writes_large_counts_as_space_does(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("check " SGEMM "--sample 1", 0);
    const char *end = strstr(program.out, " configurations checked in ");
    assert_true(end && end - program.out > 9);
    assert_true(end[-4] == ',' && end[-8] == ','); // 1,214,112
}

// Each problem is searched, then has every other's best: all of it resumes from the one
// journal, which then needs no further trial.
static void several_problems_share_a_journal_and_resume(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with("printf 'N=5000\\nN=70 weight=2\\nN=100000\\n' > p.txt;",
                     "tune " PROBLEMS "--set MODE=0 --budget 2 --journal several.jsonl");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "3 problems"));
    assert_non_null(strstr(program.out, "  N=100000: best "));
    char *journal = program_file("several.jsonl");
    assert_non_null(
        strstr(journal, "\"problems\":[{\"N\":5000},{\"weight\":2.0,\"N\":70},"));
    const size_t trials = count(journal, "\"outcome\"");
    assert_true(trials >= 6 && trials <= 12);
    assert_true(count(journal, "\"problem\":2}") >= 2);
    free(journal);
    program_expect("tune " PROBLEMS
                   "--set MODE=0 --budget 2 --journal several.jsonl --resume "
                   "--accept-predicted -o several.h",
                   0);
    journal = program_file("several.jsonl");
    assert_int_equal(count(journal, "\"outcome\""), trials);
    free(journal);
    char *header = program_file("several.h");
    assert_non_null(strstr(header, "SCALE_ROWS = 3"));
    free(header);
    program_run_with("printf 'N=5000\\nN=71\\n' > p.txt;",
                     "tune " PROBLEMS "--set MODE=0 --journal several.jsonl --resume");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "its problems"));
}

// Without a folder for builds, too, each configuration is compiled once.
static void problems_share_their_builds(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with("printf 'N=5000\\nN=70\\nN=100000\\n' > p.txt;",
                     "tune " PROBLEMS
                     "--set MODE=0 --strategy grid --budget 4 --cache '' "
                     "--journal built.jsonl");
    assert_int_equal(program.code, 0);
    // Those that were compared have a second line.
    program_run_with("grep -v compared built.jsonl > first.jsonl;", "version");
    char *journal = program_file("first.jsonl");
    assert_int_equal(count(journal, "\"outcome\":\"valid\""), 12);
    assert_int_equal(count(journal, "\"build_ms\":0"), 8); // those that were there
    free(journal);
}

static void problems_need_a_single_script_run(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with("printf 'N=5000\\nM=70\\n' > p.txt;", "tune " PROBLEMS);
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "p.txt:2: the kernel has no problem size 'M'"));
    program_run_with("printf 'N=5000\\nN=70\\n' > p.txt;",
                     "tune " PROBLEMS "--repeat-tuning 3");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "--repeat-tuning is for a single problem"));
}

static void shipped_predictions_compare_exactly(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("tune " SCALE "--strategy grid --budget 6 --journal ship.jsonl "
                   "--accept-predicted -o ship.h",
                   0);
    program_expect("compare ship.h --script " SCALE, 0);
    assert_non_null(strstr(program.out, "(predicted)"));
    assert_non_null(strstr(program.out, "SAME  N=5000  "));
    assert_non_null(strstr(program.out, "ratio 1.0000"));
    program_run_with("sed 's/^ [*]   [0-9.]* us/ *   1.5 us/' ship.h > fast.h;",
                     "version");
    program_expect("compare fast.h --script " SCALE, 1);
    assert_non_null(strstr(program.out, "SLOWER  N=5000  "));
    program_expect("emit ship.jsonl --accept-predicted --shape macros -o macros.h", 0);
    program_expect("compare macros.h --script " SCALE, 0);
    assert_non_null(strstr(program.out, "SAME  N=5000  "));
    assert_non_null(strstr(program.out, "ratio 1.0000"));
    program_run_with("HONE_LIBCUDA=/nowhere", "compare ship.h --script "
                                              "$SOURCE/tests/cli/scripts/scale.lua "
                                              "--device cuda:0");
    assert_int_equal(program.code, 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_default_that_wins_is_no_gain),
    cmocka_unit_test(a_problem_without_a_valid_configuration_is_told),
    cmocka_unit_test(problems_without_a_row_are_told_in_one_order),
    cmocka_unit_test(check_writes_large_counts_as_space_does),
    cmocka_unit_test(every_failing_configuration_is_a_result),
    cmocka_unit_test(nothing_valid_is_a_failure_with_a_reason),
    cmocka_unit_test(predictions_need_consent_before_anything_runs),
    cmocka_unit_test(predictions_are_calibrated_by_a_journal),
    cmocka_unit_test(check_counts_failures_and_fails),
    cmocka_unit_test(what_a_kernel_prints_is_passed_on),
    cmocka_unit_test(data_of_its_own_comes_to_each_size),
    cmocka_unit_test(lint_finds_what_a_template_lacks),
    cmocka_unit_test(check_tells_results_apart_to_the_bit),
    cmocka_unit_test(check_takes_the_problem_of_the_journal),
    cmocka_unit_test(check_says_the_same_with_any_number_of_threads),
    cmocka_unit_test(sgemm_and_reduction_are_tuned_to_a_header),
    cmocka_unit_test(the_same_seed_gives_the_same_header_bytes),
    cmocka_unit_test(an_interrupted_run_keeps_its_journal_and_resumes),
    cmocka_unit_test(what_does_not_fit_this_machine_is_rejected),
    cmocka_unit_test(a_template_that_is_missing_is_named),
    cmocka_unit_test(a_reference_that_does_not_build_stops_the_run),
    cmocka_unit_test(several_problems_share_a_journal_and_resume),
    cmocka_unit_test(problems_share_their_builds),
    cmocka_unit_test(problems_need_a_single_script_run),
    cmocka_unit_test(shipped_predictions_compare_exactly),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
