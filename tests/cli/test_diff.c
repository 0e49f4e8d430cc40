// hone diff: what differs between configurations of journals and headers.
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

#define GOLDEN "$SOURCE/tests/golden/"

// Two journals, one predicted, one measured, of a kernel with three parameters.
static void write_journals(void)
{
    program_run_with(
        "h='{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":["
        "{\"name\":\"A\",\"values\":[1,2]},{\"name\":\"F\",\"values\":[false,true]},"
        "{\"name\":\"S\",\"values\":[\"x\",\"y\"]}],\"default\":[1,false,\"x\"]';"
        "printf '%s}\\n"
        "{\"config\":[1,false,\"x\"],\"outcome\":\"valid\",\"predicted_us\":40,"
        "\"registers\":32,\"metrics\":{\"bank_conflicts\":64,\"issued_per_block\":8,"
        "\"grid_blocks\":10}}\\n"
        "{\"config\":[2,false,\"x\"],\"outcome\":\"valid\",\"predicted_us\":10,"
        "\"registers\":48,\"metrics\":{\"bank_conflicts\":0,\"issued_per_block\":8,"
        "\"grid_blocks\":20}}\\n"
        "{\"config\":[2,true,\"x\"],\"outcome\":\"crashed\",\"reason\":\"no\"}\\n"
        "' \"$h\" > p.jsonl;"
        "printf '%s}\\n{\"config\":[2,false,\"y\"],\"outcome\":\"valid\","
        "\"time_us\":12}\\n' \"$h\" > m.jsonl;",
        "version");
}

static const json_t *named(const json_t *list, const char *name)
{
    size_t i;
    const json_t *item;
    json_array_foreach(list, i, item)
    {
        if (strcmp(json_string_value(json_object_get(item, "name")), name) == 0)
            return item;
    }
    fail_msg("no '%s'", name);
    return NULL;
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static json_t *diff_json(const char *line)
{
    json_error_t error;
    program_expect(line, 0);
    json_t *root = json_loads(program.out, 0, &error);
    if (!root) fail_msg("%s: %s", line, error.text);
    return root;
}

static void a_journal_alone_has_its_default_against_its_best(void **state)
{
    (void)state;
    write_journals();
    json_t *root = diff_json("diff p.jsonl --json");
    assert_true(number(root, "ratio") == 0.25);
    const json_t *figures = json_object_get(root, "figures");
    const json_t *registers = named(figures, "registers");
    assert_true(number(registers, "a") == 32 && number(registers, "b") == 48);
    assert_true(json_is_true(json_object_get(registers, "differs")));
    const json_t *issued = named(figures, "issued_per_block");
    assert_true(json_is_false(json_object_get(issued, "differs")));
    const json_t *all = named(figures, "issued_per_launch");
    assert_true(number(all, "a") == 80 && number(all, "b") == 160);
    const json_t *a = named(json_object_get(root, "parameters"), "A");
    assert_string_equal(json_string_value(json_object_get(a, "a")), "1");
    assert_string_equal(json_string_value(json_object_get(a, "b")), "2");
    json_decref(root);
    program_expect("diff p.jsonl", 0);
    assert_non_null(strstr(program.out, "b takes 0.25 times as long as a (-75 %)"));
    assert_non_null(strstr(program.out, "parameters: 1 differ, 2 are the same"));
    assert_non_null(strstr(program.out, "-100 %  wavefronts a block"));
    assert_null(strstr(program.out, "issued_per_block"));
    program_expect("diff p.jsonl --all", 0);
    assert_non_null(strstr(program.out, "issued_per_block"));
}

static void predictions_are_not_compared_with_measurements(void **state)
{
    (void)state;
    write_journals();
    program_expect("diff p.jsonl m.jsonl", 0);
    assert_non_null(strstr(program.out, "they are not compared"));
    assert_null(strstr(program.out, "times as long"));
    json_t *root = diff_json("diff p.jsonl m.jsonl --json");
    assert_true(json_is_false(json_object_get(root, "comparable")));
    json_decref(root);
}

// That many parameters, and the same time.
static void expect_no_difference(const char *line, size_t parameters)
{
    json_t *root = diff_json(line);
    const json_t *list = json_object_get(root, "parameters"), *item;
    size_t i;
    assert_int_equal(json_array_size(list), parameters);
    json_array_foreach(list, i, item)
        assert_true(json_is_false(json_object_get(item, "differs")));
    assert_true(number(root, "ratio") > 0.999 && number(root, "ratio") < 1.001);
    json_decref(root);
}

// Headers that were made of the journal, the second of a kernel with macros of its problem.
static void a_header_and_its_journal_do_not_differ(void **state)
{
    (void)state;
    expect_no_difference("diff " GOLDEN "sgemm.h " GOLDEN "sgemm_a100.jsonl --json "
                         "--device A100",
                         6);
    program_expect("diff " GOLDEN "sgemm.h " GOLDEN "sgemm_a100.jsonl --device A100", 0);
    assert_non_null(strstr(program.out, "b takes 1 times as long as a (+0 %)"));
    static const char *const shapes[] = {"table", "runtime", "macros"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char line[128];
        snprintf(line, sizeof line, "emit d.jsonl -o %s.h --shape %s", shapes[i],
                 shapes[i]);
        program_run_with(
            "printf '%s\n' '{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\","
            "\"params\":[{\"name\":\"A\",\"values\":[1,2]}],\"problem\":{\"N\":8,"
            "\"OUT\":\"unsigned char\",\"PAD\":true},\"defines\":[\"PAD\",\"OUT\"]}' "
            "'{\"config\":[2],\"outcome\":\"valid\",\"time_us\":12}' > d.jsonl;",
            line);
        if (program.code) fail_msg("%s", program.err);
        snprintf(line, sizeof line, "diff %s.h d.jsonl --json", shapes[i]);
        expect_no_difference(line, 1);
    }
}

/* One journal has x as an integer, the others as a float; the header tells the fastest
 * one's spelling. */
static void a_row_of_a_header_is_chosen_as_that_of_its_journal(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "--set 'T=a, b' --set x=2 --set F=1", "--set 'T=a, b' --set x=2.0 --set F=true",
        "--set T= --set x=2 --set F=1", "--set 'T=\"\"' --set x=2e0 --set F=1",
        "--set 'T=\"\"' --set x=2.5 --set F=false"};
    program_run_with(
        "h='{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":["
        "{\"name\":\"A\",\"values\":[1,2]}],\"problem\":{';"
        "t='{\"config\":[2],\"outcome\":\"valid\",\"time_us\":12}';"
        "printf '%s\"T\":\"a, b\",\"x\":2.0,\"F\":true}}\\n%s\\n' \"$h\" \"$t\" > "
        "0.jsonl;"
        "printf '%s\"T\":\"\",\"x\":2,\"F\":true}}\\n%s\\n' \"$h\" \"$t\" > 1.jsonl;"
        "printf '%s\"T\":\"\\\\\"\\\\\"\",\"x\":2.0,\"F\":true}}\\n%s\\n' \"$h\" \"$t\" "
        "> 2.jsonl;"
        "printf '%s\"T\":\"\\\\\"\\\\\"\",\"x\":2.5,\"F\":false}}\\n%s\\n' \"$h\" \"$t\" "
        "> 3.jsonl;",
        "emit 0.jsonl 1.jsonl 2.jsonl 3.jsonl -o all.h");
    if (program.code) fail_msg("%s", program.err);
    static const int journals[] = {0, 0, 1, 2, 3};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        char line[256];
        snprintf(line, sizeof line, "diff all.h %d.jsonl %s --json", journals[i],
                 sets[i]);
        json_t *root = diff_json(line);
        assert_true(number(root, "ratio") == 1);
        json_decref(root);
    }
}

static void sides_that_are_none_or_several_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *error;
    } cases[] = {
        {"diff", "the journal or header"},
        {"diff p.jsonl p.jsonl p.jsonl", ""},
        {"diff " GOLDEN "sgemm.h p.jsonl", "rows of that problem and device"},
        {"diff " GOLDEN "sgemm.h --device A100", "has no default"},
        {"diff p.jsonl p.jsonl --b F=true", "no valid trial of that configuration"},
        {"diff p.jsonl p.jsonl --b Q=1", "no parameter 'Q'"},
        {"diff p.jsonl " GOLDEN "sgemm.h --b F=true", "is a header"},
        {"diff m.jsonl", "no valid trial of the default"},
    };
    write_journals();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program_run(cases[i].line);
        if (program.code != 2 || !strstr(program.err, cases[i].error))
            fail_msg("%s: %d %s", cases[i].line, program.code, program.err);
    }
}

// A default without spills and a best with them, of emu:a100.
#define SPILLS                                                                           \
    "printf '%s\\n' "                                                                    \
    "'{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"softmax\",\"params\":["              \
    "{\"name\":\"PLANT\",\"values\":[0,3]}],\"default\":[0],\"problem\":{\"N\":"         \
    "16777216},"                                                                         \
    "\"device\":{\"name\":\"NVIDIA A100-SXM4-80GB\",\"id\":\"emu:a100\"}}' "             \
    "'{\"config\":[0],\"outcome\":\"valid\",\"predicted_us\":40}' "                      \
    "'{\"config\":[3],\"outcome\":\"valid\",\"predicted_us\":10}' > s.jsonl;"
#define SASS "diff s.jsonl --sass --script $SOURCE/tests/explain/softmax.lua --cache '' "

// One that says the same of every image that is one.
#define DISASSEMBLER                                                                     \
    "printf '%s\\n' '#!/bin/sh' 'head -c4 \"$2\" | grep -q ELF || exit 3' "              \
    "'printf \".text.softmax:\\n /*0000*/ FFMA R1 ;\\n /*0010*/ @P0 LDL R1 ;\\n\"' "     \
    "> d.sh; chmod +x d.sh; HONE_NVDISASM=./d.sh "

static void instructions_of_the_machine_are_counted(void **state)
{
    (void)state;
    json_error_t error;
    need_nvrtc();
    program_run_with(SPILLS DISASSEMBLER, SASS "--json");
    if (program.code) fail_msg("%s", program.err);
    json_t *root = json_loads(program.out, 0, &error);
    const json_t *figures = json_object_get(root, "figures");
    assert_true(number(named(figures, "sass.all"), "a") == 2);
    assert_true(number(named(figures, "sass.local"), "b") == 1);
    assert_true(number(named(figures, "sass.fp32"), "b") == 1);
    json_decref(root);
    program_run_with(SPILLS "HONE_NVDISASM=/bin/false ", SASS);
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.err, "nvdisasm ended with status 1"));
    program_run_with(SPILLS "HONE_NVDISASM=/nowhere/nvdisasm ", SASS);
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "install the CUDA toolkit"));
    program_run_with(SPILLS, "diff s.jsonl --sass");
    assert_non_null(strstr(program.err, "--script names its script"));
}

static void spills_show_in_the_code(void **state)
{
    (void)state;
    json_error_t error;
    need_nvrtc();
    program_run_with(SPILLS, SASS "--json");
    if (strstr(program.err, "no nvdisasm")) SKIP("%s", program.err);
    if (program.code) fail_msg("%s", program.err);
    json_t *root = json_loads(program.out, 0, &error);
    const json_t *local = named(json_object_get(root, "figures"), "sass.local");
    assert_true(number(local, "a") == 0 && number(local, "b") > 8);
    json_decref(root);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_journal_alone_has_its_default_against_its_best),
    cmocka_unit_test(predictions_are_not_compared_with_measurements),
    cmocka_unit_test(a_header_and_its_journal_do_not_differ),
    cmocka_unit_test(instructions_of_the_machine_are_counted),
    cmocka_unit_test(spills_show_in_the_code),
    cmocka_unit_test(a_row_of_a_header_is_chosen_as_that_of_its_journal),
    cmocka_unit_test(sides_that_are_none_or_several_are_refused),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
