// hone bench strategies from outside: repeatable, parsable, and exact about wrong use.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "program.h"

#define BENCH  "bench strategies --repeats 4 "
#define TWICE  "bench strategies --repeats 2 "
#define A100   "$SHARED/recorded/convolution_milo_A100.jsonl "
#define W6600  "$SHARED/recorded/convolution_milo_W6600.jsonl "
#define SAMPLE "$SHARED/recorded/hotspot_A4000_sampled.jsonl "

static void need_recordings(void)
{
    if (!program_has_shared()) SKIP("no ../shared/recorded here");
}

static void json_repeats_whatever_the_threads(void **state)
{
    (void)state;
    need_recordings();
    program_run(TWICE "--json " A100 W6600 "-j 1 | grep -v us_per_ask");
    assert_int_equal(program.code, 0);
    char *first = strdup(program.out);
    program_run(TWICE "--json " A100 W6600 "-j 5 | grep -v us_per_ask");
    assert_string_equal(first, program.out);
    free(first);
    assert_non_null(strstr(program.out, "\"strategy\": \"random\""));
    assert_non_null(strstr(program.out, "\"200\": "));
    program_run(TWICE "--json --seed 2 --strategies random " A100 W6600);
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "\"seed\": 2"));
    assert_null(strstr(program.out, "\"seed\": 1"));
}

static void every_strategy_is_compared_unless_some_are_named(void **state)
{
    (void)state;
    need_recordings();
    program_run(BENCH "--budget 30 " A100);
    assert_non_null(strstr(program.out, "\ngrid "));
    assert_non_null(strstr(program.out, "\ngreedy_ils "));
    program_run(BENCH "--budget 30 --strategies random,grid " A100);
    assert_non_null(strstr(program.out, "\nrandom "));
    assert_null(strstr(program.out, "greedy_ils"));
    assert_non_null(strstr(program.out, "score behind "));
}

static void samples_and_tiny_budgets_stay_out_of_the_means(void **state)
{
    (void)state;
    need_recordings();
    program_run(BENCH "--strategies random " A100 W6600 SAMPLE);
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "mean of 1 space, 4 runs"));
    assert_non_null(strstr(program.out, "* not the whole space"));
    assert_non_null(strstr(program.out, "* random search needs under 20 evaluations"));
    program_run(BENCH "--strategies random " SAMPLE);
    assert_int_equal(program.code, 0);
    assert_null(strstr(program.out, "mean of"));
}

static void short_runs_have_no_figures_but_dashes(void **state)
{
    (void)state;
    need_recordings();
    program_run(BENCH "-b 60 --strategies random,grid " A100 W6600);
    assert_int_equal(program.code, 0);
    assert_null(strstr(program.out, "nan"));
    assert_null(strstr(program.out, "inf"));
    assert_non_null(strstr(program.out, "  -  "));
    program_run(BENCH "-b 2 --strategies random,grid " A100);
    assert_int_equal(program.code, 0);
    assert_null(strstr(program.out, "nan"));
}

static void a_plot_is_written(void **state)
{
    (void)state;
    need_recordings();
    program_run(BENCH "--budget 50 --plot lines.svg " A100);
    assert_int_equal(program.code, 0);
    char *svg = program_file("lines.svg");
    assert_non_null(svg);
    assert_non_null(strstr(svg, ">random "));
    free(svg);
}

static void wrong_use_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *args, *message;
    } cases[] = {
        {"bench", "hone bench strategies FILE"},
        {"bench strategy x.jsonl", "hone bench strategies FILE"},
        {"bench strategies", "the recording is missing"},
        {"bench strategies nowhere.jsonl", "nowhere.jsonl"},
        {"bench strategies x --strategies randon", "did you mean 'random'?"},
        {"bench strategies x --strategies grid,grid", "'grid' is named twice"},
        {"bench strategies x --strategies grid,", "unknown strategy ''"},
        {"bench strategies x --repeats 0", "--repeats wants 1 to"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program_run(cases[i].args);
        if (program.code != 2 || !strstr(program.err, cases[i].message))
            fail_msg("hone %s ended with %d and said: %s", cases[i].args, program.code,
                     program.err);
    }
}

static void a_recording_without_a_valid_configuration_is_refused(void **state)
{
    (void)state;
    program_run("version; echo '{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\","
                "\"params\":[{\"name\":\"A\",\"values\":[1]}]}' > none.jsonl");
    program_run(BENCH "none.jsonl");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "none.jsonl: no configuration is valid"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(json_repeats_whatever_the_threads),
    cmocka_unit_test(every_strategy_is_compared_unless_some_are_named),
    cmocka_unit_test(samples_and_tiny_budgets_stay_out_of_the_means),
    cmocka_unit_test(short_runs_have_no_figures_but_dashes),
    cmocka_unit_test(a_plot_is_written),
    cmocka_unit_test(wrong_use_is_named),
    cmocka_unit_test(a_recording_without_a_valid_configuration_is_refused),
};

HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
