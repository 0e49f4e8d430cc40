// Tensor maps from the script to the kernel: through a worker to a driver, and through
// the emitted header. The fake driver's kernel computes nothing unless both maps are
// what the configuration and the problem say.
#include <stdlib.h>
#include <string.h>

#include "cli/program.h"
#include "hone_test.h"
#include "lab.h"

#define TUNE                                                                             \
    "tune \"$SOURCE/tests/faults/mapped.lua\" --strategy grid --budget 4 --no-finals "   \
    "--quiet --cache '' "

static void expect(const char *args, int code, const char *text)
{
    program_run(args);
    if (program.code != code || !(strstr(program.out, text) || strstr(program.err, text)))
        fail_msg("%s: %d, '%s' not in\n%s%s", args, program.code, text, program.out,
                 program.err);
}

static void maps_follow_configuration_and_problem(void **state)
{
    (void)state;
    static const char *const isolation[] = {"yes", "no"};
    for (size_t i = 0; i < 2; i++) {
        char line[256], name[32];
        snprintf(name, sizeof name, "maps-%s.jsonl", isolation[i]);
        snprintf(line, sizeof line, TUNE "--device cuda:0 --isolate %s --journal %s",
                 isolation[i], name);
        expect(line, 0, "3 valid");
        char *journal = program_file(name);
        assert_non_null(strstr(journal, "tensor map of argument 'x' has a box of 512 in "
                                        "axis 1, from 1 to 256 are allowed"));
        assert_non_null(
            strstr(journal, "\"tensor_map\":{\"axes\":[{\"size\":\"N\",\"box\":\"BOX\"},"
                            "{\"size\":\"ROWS\",\"box\":\"2\"}],\"promotion\":128}"));
        free(journal);
    }
}

// Copies that later launches work on would not be where the map says.
static void a_graph_of_maps_holds_one_launch_and_says_how_else(void **state)
{
    (void)state;
    expect(TUNE "--device cuda:0 --clock graph --journal graph.jsonl", 0, "3 valid");
    assert_non_null(strstr(program.err, "gets buffers by tensor maps or arrays of"));
    assert_non_null(strstr(program.err, "--clock cupti tells the kernel alone"));
    char *journal = program_file("graph.jsonl");
    size_t ones = 0;
    for (const char *at = journal; (at = strstr(at, "\"graph_launches\":")); at++) {
        assert_int_equal(strtol(at + 17, NULL, 10), 1);
        ones++;
    }
    assert_true(ones >= 3);
    free(journal);
}

// Maps are encoded for where buffers lie, which a lost device does not do.
static void a_fault_in_any_launch_is_the_configurations(void **state)
{
    (void)state;
    enum { REFERENCES = 3, ALL = REFERENCES + 1 + 12 };
    for (int launch = REFERENCES + 1; launch <= ALL + 1; launch++) {
        char prefix[64];
        snprintf(prefix, sizeof prefix, "HONE_FAKE_CUDA=memory=1e9,fault=700@%d", launch);
        program_run_with(prefix, "check \"$SOURCE/tests/faults/mapped.lua\" --device "
                                 "cuda:0 --sample 1 --seed 1 --quiet --cache ''");
        const char *const text = launch > ALL ? "1 valid" : "1 crashed";
        if (!strstr(program.out, text) || strstr(program.out, "the worker ended"))
            fail_msg("%d: %s\n%s", launch, program.out, program.err);
    }
}

// The driver's own limits decide what the tuner builds and what a header answers for.
static void rows_that_no_map_takes_have_no_configuration(void **state)
{
    (void)state;
    static const char text[] = "tensor map of argument 'x' has a stride of 200 bytes in "
                               "axis 2, multiples of 16 below";
    expect("check \"$SOURCE/tests/faults/mapped.lua\" --device cuda:0 --all --set N=50 "
           "--quiet --cache ''",
           2, text);
}

static void a_header_launches_with_maps_of_pointers(void **state)
{
    (void)state;
    expect(TUNE "--device cuda:0 --isolate no --journal m.jsonl", 0, "3 valid");
    expect("emit m.jsonl --payload source --script $SOURCE/tests/faults/mapped.lua -o "
           "mapped.h",
           0, "");
    static const char *const compilers[] = {"gcc -std=c99 -D_POSIX_C_SOURCE=200809L",
                                            "g++ -x c++ -std=c++11"};
    for (size_t i = 0; i < 2; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "%s%s -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I. "
                 "$SOURCE/tests/faults/mapped_user.c -o user -ldl && ./user;",
                 compilers[i],
                 HONE_TEST_SANITIZED ? " -fsanitize=address,undefined" : "");
        program_run_with(command, "version >/dev/null");
        if (strcmp(program.out, "launch: 0, wrong: 0\nodd address: 1\nodd size: -3\n"
                                "odd size, forced: 1\n") != 0)
            fail_msg("%s\n%s%s", compilers[i], program.out, program.err);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(maps_follow_configuration_and_problem),
    cmocka_unit_test(a_graph_of_maps_holds_one_launch_and_says_how_else),
    cmocka_unit_test(a_fault_in_any_launch_is_the_configurations),
    cmocka_unit_test(rows_that_no_map_takes_have_no_configuration),
    cmocka_unit_test(a_header_launches_with_maps_of_pointers),
};
HONE_TEST_MAIN_WITH(tests, lab_setup, program_teardown)
