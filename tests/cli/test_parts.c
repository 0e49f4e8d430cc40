// One journal of several problems: every command finds the problem it is about.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "program.h"

// X = 1 is the best for N = 10, X = 2 for the others.
static const char several[] =
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"device\":{\"name\":\"A GPU\"},"
    "\"clock\":\"event\",\"objective\":\"time_us\",\"complete\":true,\"l2\":\"cold\","
    "\"params\":[{\"name\":\"X\",\"values\":[1,2,3]}],\"problem\":{\"M\":1,\"N\":10},"
    "\"problems\":[{\"M\":1,\"N\":10},{\"M\":1,\"N\":20},{\"M\":2,\"N\":30}]}\n"
    "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":11}\n"
    "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":12}\n"
    "{\"problem\":1,\"config\":[1],\"outcome\":\"valid\",\"time_us\":22}\n"
    "{\"problem\":1,\"config\":[2],\"outcome\":\"valid\",\"time_us\":21,\"kind\":"
    "\"burst\","
    "\"metrics\":{\"warm_us\":19.5}}\n"
    "{\"problem\":2,\"config\":[2],\"outcome\":\"valid\",\"time_us\":31}\n"
    "{\"problem\":2,\"config\":[3],\"outcome\":\"valid\",\"time_us\":32}\n";

static int setup(void **state)
{
    char path[128];
    if (program_setup(state)) return -1;
    snprintf(path, sizeof path, "%s/s.jsonl", program.folder);
    FILE *file = fopen(path, "w");
    if (!file) return -1;
    fputs(several, file);
    return fclose(file);
}

static void expect(const char *args, int code, const char *text)
{
    program_run(args);
    if (program.code != code || !(strstr(program.out, text) || strstr(program.err, text)))
        fail_msg("%s: %d, '%s' not in\n%s%s", args, program.code, text, program.out,
                 program.err);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    while ((text = strstr(text, part))) {
        text += strlen(part);
        n++;
    }
    return n;
}

static void a_journal_that_names_little_is_shown(void **state)
{
    (void)state;
    program_run_with(
        "printf '{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":["
        "{\"name\":\"x\",\"values\":[1]}]}\\n' > little.jsonl;",
        "show little.jsonl");
    assert_int_equal(program.code, 0);
    assert_string_equal(program.out, "little.jsonl: k on a device that was not named\n"
                                     "clock unknown, times, 0 trials: none\n");
}

static void show_prints_every_problem(void **state)
{
    (void)state;
    expect("show s.jsonl", 0, "s.jsonl: k on A GPU, problem M=1 N=10\n");
    assert_int_equal(count(program.out, "s.jsonl: "), 3);
    assert_non_null(strstr(program.out, "problem M=1 N=20\n"));
    assert_non_null(strstr(program.out, "problem M=2 N=30\n"));
    assert_int_equal(count(program.out, "2 trials"), 3);
    assert_non_null(strstr(program.out, "21 us"));
    expect("show s.jsonl --json", 0, "\"time_us\": 31");
    assert_int_equal(count(program.out, "\"journal\""), 3);
    assert_int_equal(strncmp(program.out, "[\n  {\n", 6), 0);
    assert_non_null(strstr(program.out, "\n  }\n]\n"));
    expect("show s.jsonl s.jsonl --json >twice.json; python3 -m json.tool twice.json", 0,
           "\"journal\"");
    assert_int_equal(count(program.out, "\"journal\""), 6);
}

static void show_tells_what_a_time_is(void **state)
{
    (void)state;
    expect("show s.jsonl", 0, "event time_us (burst, L2 cold), 2 trials");
    assert_int_equal(count(program.out, "burst"), 1); // the other two do not say
    assert_non_null(strstr(program.out, "21 us, 19.5 warm"));
    expect("show s.jsonl --json", 0, "\"kind\": \"burst\"");
    assert_int_equal(count(program.out, "\"l2\": \"cold\""), 3);
    assert_int_equal(count(program.out, "\"warm_us\": 19.5"), 1);
}

static void show_draws_the_best_so_far_of_searches(void **state)
{
    (void)state;
    static const char curve[] = "best so far against evaluations:\n";
    expect("show s.jsonl", 0, "21 us");
    assert_int_equal(count(program.out, curve), 0);
    program_run_with(
        "sed 's/\"complete\":true/\"strategy\":\"random\"/' s.jsonl >r.jsonl;",
        "show r.jsonl");
    assert_int_equal(program.code, 0);
    // The problems that are not drawn began with their best.
    assert_int_equal(count(program.out, curve), 1);
    const char *at = strstr(program.out, curve);
    assert_non_null(strstr(program.out, "N=20"));
    assert_true(strstr(program.out, "N=20") < at && at < strstr(program.out, "N=30"));
}

static void a_replay_is_of_the_problem_that_is_set(void **state)
{
    (void)state;
    static const struct {
        const char *set, *best;
    } cases[] = {{"", "best 11 us"},
                 {"--set N=10", "best 11 us"},
                 {"--set N=20", "best 21 us"},
                 {"--set N=20.0 --set M=1", "best 21 us"},
                 {"--set M=2", "best 31 us"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[128];
        snprintf(line, sizeof line, "tune --device replay:s.jsonl --strategy grid %s",
                 cases[i].set);
        expect(line, 0, cases[i].best);
        const char *told =
            strstr(program.err, "the first of 3 problems; --set for M=1 N=20, M=2 N=30");
        assert_int_equal(told != NULL, !*cases[i].set);
    }
    // What it writes is of that problem alone.
    expect("tune --device replay:s.jsonl --strategy grid --set N=30 --journal r.jsonl "
           "-o r.h",
           0, "best 31 us");
    expect("show r.jsonl --json", 0, "\"N\": 30");
    assert_int_equal(count(program.out, "\"journal\""), 1);
}

static void sizes_of_no_problem_are_refused(void **state)
{
    (void)state;
    static const char all[] = "it is of M=1 N=10, M=1 N=20, M=2 N=30";
    static const char *const bad[] = {"N=11", "N=", "N", "NN=10", "=10", "N=10x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char line[128];
        snprintf(line, sizeof line, "tune --device replay:s.jsonl --set %s", bad[i]);
        expect(line, 2, "no problem has the sizes given");
        assert_non_null(strstr(program.err, all));
    }
    expect("tune --device replay:s.jsonl --set M=1", 2, "more than one problem is meant");
    expect("export s.jsonl --to t4 --set M=1", 2, "s.jsonl:1: more than one problem");
}

static void an_export_is_of_the_problem_that_is_set(void **state)
{
    (void)state;
    expect("export s.jsonl --to t4 --set N=20 -o t.json", 0, "");
    expect("import t.json -o t.jsonl", 0, "");
    expect("show t.jsonl", 0, "21 us");
}

static void a_bench_has_a_space_of_each_problem(void **state)
{
    (void)state;
    expect("bench strategies s.jsonl --strategies random --repeats 2", 0, "s M=1 N=20");
    assert_int_equal(count(program.out, "\ns M="), 3);
}

static void a_warm_start_knows_every_problem(void **state)
{
    (void)state;
    expect("tune --device replay:s.jsonl --set M=2 --warm s.jsonl --journal w.jsonl", 0,
           "best 31 us");
    char *journal = program_file("w.jsonl");
    assert_non_null(strstr(journal, "warm from 3 runs"));
    free(journal);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_journal_that_names_little_is_shown),
    cmocka_unit_test(show_prints_every_problem),
    cmocka_unit_test(show_tells_what_a_time_is),
    cmocka_unit_test(show_draws_the_best_so_far_of_searches),
    cmocka_unit_test(a_replay_is_of_the_problem_that_is_set),
    cmocka_unit_test(sizes_of_no_problem_are_refused),
    cmocka_unit_test(an_export_is_of_the_problem_that_is_set),
    cmocka_unit_test(a_bench_has_a_space_of_each_problem),
    cmocka_unit_test(a_warm_start_knows_every_problem),
};
HONE_TEST_MAIN_WITH(tests, setup, program_teardown)
