// hone new: what it writes works at once, and it touches nothing that is there.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

static void a_new_kernel_is_called_by_its_name_alone(void **state)
{
    (void)state;
    static const char *const endings[] = {".lua", ".cu", "_reference.cu"};
    program_expect("new blur_2d --folder named", 0);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char path[64];
        snprintf(path, sizeof path, "named/blur_2d%s", endings[i]);
        assert_non_null(strstr(program.out, path));
        char *text = program_file(path);
        assert_non_null(text);
        assert_non_null(strstr(text, "blur_2d"));
        assert_null(strstr(text, "starter"));
        free(text);
    }
    assert_non_null(strstr(program.out, "docs/tutorial.md"));
}

static void files_that_exist_are_not_touched(void **state)
{
    (void)state;
    program_expect("version; echo mine > taken_reference.cu", 0);
    program_expect("new taken", 2);
    assert_non_null(strstr(program.err, "'./taken_reference.cu' exists already"));
    char *text = program_file("taken_reference.cu");
    assert_string_equal(text, "mine\n");
    free(text);
    assert_null(program_file("taken.lua"));
    assert_null(program_file("taken.cu"));
}

static void a_name_that_cannot_be_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"2d", "a-b", "../up", "while", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[64];
        snprintf(text, sizeof text, "new '%s'", names[i]);
        program_expect(text, 2);
        snprintf(text, sizeof text, "%s.lua", names[i]);
        assert_null(program_file(text));
    }
    program_expect("new", 2);
    program_expect("new two names", 2);
}

static void a_new_kernel_passes_check_and_tunes_at_once(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("new scaled_sum --json", 0);
    assert_non_null(strstr(program.out, "\"script\": \"./scaled_sum.lua\""));
    program_expect("check scaled_sum.lua --device emu:a100 --sample 12", 0);
    assert_non_null(strstr(program.out, "12 valid"));
    program_expect("check scaled_sum.lua --device emu:a100 --lint", 0);
    assert_non_null(strstr(program.out, "0 findings"));
    program_expect("tune scaled_sum.lua --device emu:a100 --budget 8 --accept-predicted "
                   "-o scaled_sum.h",
                   0);
    char *header = program_file("scaled_sum.h");
    assert_non_null(strstr(header, "scaled_sum_select("));
    free(header);
}

// From a kept journal, as a build does it.
static void a_header_from_results_tells_its_coverage(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("new kept", 0);
    program_expect("tune kept.lua --device emu:a100 --budget 2 --journal kept.jsonl", 0);
    program_expect("version; mkdir results && mv kept.jsonl results", 0);
    program_expect("header kept.lua --device emu:a100 --results results "
                   "--accept-predicted -o kept.h",
                   0);
    assert_non_null(strstr(program.out, "  coverage: "));
    program_expect("header kept.lua --device emu:a100 --results results "
                   "--accept-predicted -o kept.h --json",
                   0);
    assert_non_null(strstr(program.out, "\"coverage\": {"));
    program_expect("header kept.lua --device emu:a100 -o plain.h", 0);
    assert_null(strstr(program.out, "coverage"));
}

// As a template author would meet them.
static void a_new_kernel_says_what_cannot_be(void **state)
{
    (void)state;
    need_nvrtc();
    program_expect("new strict", 0);
    program_expect("version; sed -i -e 's/VEC   = { 1, 2, 4 }/VEC = { 3 }/' "
                   "-e 's/ITEMS = {.*}/ITEMS = { 3 }/' -e 's/default  = .*//' strict.lua",
                   0);
    program_expect("check strict.lua --device emu:a100 --sample 1", 1);
    assert_non_null(strstr(program.out, "VEC must be 1, 2 or 4"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_new_kernel_is_called_by_its_name_alone),
    cmocka_unit_test(files_that_exist_are_not_touched),
    cmocka_unit_test(a_name_that_cannot_be_is_refused),
    cmocka_unit_test(a_new_kernel_passes_check_and_tunes_at_once),
    cmocka_unit_test(a_header_from_results_tells_its_coverage),
    cmocka_unit_test(a_new_kernel_says_what_cannot_be),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
