// From recorded A100 times to a header through the program: repeatable, resumable, never
// overwriting.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "program.h"

#define REPLAY "tune --device replay:$SHARED/recorded/convolution_milo_A100.jsonl "

static void need_recordings(void)
{
    if (!program_has_shared()) SKIP("no ../shared/recorded here");
}

static void assert_same_files(const char *a, const char *b)
{
    char *x = program_file(a), *y = program_file(b);
    assert_non_null(x);
    assert_non_null(y);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

static size_t count_lines(const char *name)
{
    char *text = program_file(name);
    size_t n = 0;
    for (const char *c = text; c && *c; c++)
        n += *c == '\n';
    free(text);
    return n;
}

static void a_header_comes_out_of_a_recording(void **state)
{
    (void)state;
    need_recordings();
    program_run(REPLAY "--strategy random --budget 200 -o conv.h");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "200 trials"));
    char *header = program_file("conv.h");
    assert_non_null(header);
    assert_non_null(strstr(header, "A100"));
    assert_non_null(strstr(header, "MEASURED"));
    free(header);
}

static void the_same_seed_gives_the_same_journal_and_header(void **state)
{
    (void)state;
    need_recordings();
    static const char *const strategies[] = {"grid", "random", "greedy_ils"};
    for (size_t i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            char line[512];
            snprintf(line, sizeof line,
                     REPLAY
                     "--strategy %s --budget 150 --seed 7 --journal %s%d.jsonl -o %s%d.h",
                     strategies[i], strategies[i], k, strategies[i], k);
            program_run(line);
            assert_int_equal(program.code, 0);
        }
        char a[64], b[64];
        snprintf(a, sizeof a, "%s0.jsonl", strategies[i]);
        snprintf(b, sizeof b, "%s1.jsonl", strategies[i]);
        assert_same_files(a, b);
        snprintf(a, sizeof a, "%s0.h", strategies[i]);
        snprintf(b, sizeof b, "%s1.h", strategies[i]);
        assert_same_files(a, b);
    }
}

static void another_seed_gives_another_journal(void **state)
{
    (void)state;
    need_recordings();
    program_run(REPLAY "--strategy random --budget 20 --seed 1 --journal s1.jsonl");
    program_run(REPLAY "--strategy random --budget 20 --seed 2 --journal s2.jsonl");
    char *a = program_file("s1.jsonl"), *b = program_file("s2.jsonl");
    assert_string_not_equal(strchr(a, '\n'), strchr(b, '\n'));
    free(a);
    free(b);
}

static void a_journal_is_never_overwritten(void **state)
{
    (void)state;
    need_recordings();
    program_run(REPLAY "--strategy random --budget 10 --journal once.jsonl");
    assert_int_equal(program.code, 0);
    program_run(REPLAY "--strategy random --budget 10 --journal once.jsonl");
    assert_int_not_equal(program.code, 0);
    assert_non_null(strstr(program.err, "once.jsonl"));
    assert_int_equal(count_lines("once.jsonl"), 11);
}

static void resume_goes_on_where_the_journal_ends(void **state)
{
    (void)state;
    need_recordings();
    program_run(REPLAY "--strategy grid --budget 30 --journal part.jsonl");
    program_run(REPLAY "--strategy grid --budget 100 --journal part.jsonl --resume");
    assert_int_equal(program.code, 0);
    assert_int_equal(count_lines("part.jsonl"), 101);
    program_run(REPLAY "--strategy grid --budget 100 --journal whole.jsonl");
    assert_same_files("part.jsonl", "whole.jsonl");
}

static void resume_survives_a_torn_last_line(void **state)
{
    (void)state;
    need_recordings();
    program_run(REPLAY "--strategy grid --budget 30 --journal torn.jsonl; "
                       "head -c -20 torn.jsonl > cut.jsonl");
    program_run(REPLAY "--strategy grid --budget 30 --journal cut.jsonl --resume");
    assert_int_equal(program.code, 0);
    assert_same_files("cut.jsonl", "torn.jsonl");
}

static void resume_refuses_another_kernels_journal(void **state)
{
    (void)state;
    need_recordings();
    program_run(REPLAY "--strategy grid --budget 5 --journal conv.jsonl");
    program_run("tune --device replay:$SHARED/recorded/gemm_RTX_3090.jsonl --budget 9 "
                "--journal conv.jsonl --resume");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "kernel"));
    assert_int_equal(count_lines("conv.jsonl"), 6);
}

static void a_full_disk_ends_the_run_and_keeps_whole_lines(void **state)
{
    (void)state;
    need_recordings();
    program_run("version; ulimit -f 8; \"$HONE\" tune --strategy grid --budget 4000 "
                "--device replay:$SHARED/recorded/convolution_milo_A100.jsonl "
                "--journal full.jsonl -o full.h");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.err, "full.jsonl"));
    assert_true(count_lines("full.jsonl") > 10);
    program_run("show full.jsonl");
    assert_int_equal(program.code, 0);
}

static void show_and_emit_read_the_journal_of_a_run(void **state)
{
    (void)state;
    need_recordings();
    program_run(REPLAY "--strategy random --budget 50 --journal run.jsonl -o run.h");
    program_run("show run.jsonl --top 3");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "50 trials"));
    assert_non_null(strstr(program.out, "1.000x"));
    program_run("emit run.jsonl -o again.h");
    assert_int_equal(program.code, 0);
    assert_same_files("run.h", "again.h");
    program_run("show run.jsonl --json");
    assert_non_null(strstr(program.out, "\"trials\": 50"));
}

static void a_whole_recording_can_be_exhausted(void **state)
{
    (void)state;
    need_recordings();
    program_run(REPLAY "--strategy grid --budget 100000 --json");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "\"trials\": 4362"));
    assert_non_null(strstr(program.out, "\"valid\": 4201"));
}

static void repeated_tunings_count_their_winners(void **state)
{
    (void)state;
    need_recordings();
    program_run(REPLAY "--strategy random --budget 30 -q --repeat-tuning 4 "
                       "--journal many.jsonl");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "4 tunings, "));
    assert_int_equal(count_lines("many-1.jsonl"), 31);
    assert_int_equal(count_lines("many-4.jsonl"), 31);
    program_run(REPLAY "--strategy grid --budget 50 -q --repeat-tuning 3 --json "
                       "--journal same.jsonl");
    assert_non_null(strstr(program.out, "\"tunings\": 3"));
    assert_null(strstr(program.out, "\"trials\""));
    program_run(REPLAY "--repeat-tuning 2 -o x.h");
    assert_int_equal(program.code, 2);
    program_run(REPLAY "--repeat-tuning 20000");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "at most 10000"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(repeated_tunings_count_their_winners),
    cmocka_unit_test(a_header_comes_out_of_a_recording),
    cmocka_unit_test(the_same_seed_gives_the_same_journal_and_header),
    cmocka_unit_test(another_seed_gives_another_journal),
    cmocka_unit_test(a_journal_is_never_overwritten),
    cmocka_unit_test(resume_goes_on_where_the_journal_ends),
    cmocka_unit_test(resume_survives_a_torn_last_line),
    cmocka_unit_test(resume_refuses_another_kernels_journal),
    cmocka_unit_test(a_full_disk_ends_the_run_and_keeps_whole_lines),
    cmocka_unit_test(show_and_emit_read_the_journal_of_a_run),
    cmocka_unit_test(a_whole_recording_can_be_exhausted),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
