// Findings: their names are stable words, each with a meaning.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "hone/finding.h"
#include "hone_test.h"

static void finding_names_roundtrip(void **state)
{
    (void)state;
    for (int i = 0; i < HONE_FINDING_COUNT; i++) {
        enum hone_finding back = HONE_FINDING_COUNT;
        const char *name = hone_finding_name((enum hone_finding)i);
        assert_int_equal(hone_finding_parse(&back, name), HONE_OK);
        assert_int_equal(back, i);
    }
    assert_string_equal(hone_finding_name(HONE_FINDING_OUT_OF_BOUNDS), "out_of_bounds");
    assert_string_equal(hone_finding_name(HONE_FINDING_COUNT), "unknown");
}

static void unknown_finding_is_not_found(void **state)
{
    static const char *const names[] = {"", "Race", "race ", "rac", "unknown"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        enum hone_finding out = HONE_FINDING_TRAP;
        assert_int_equal(hone_finding_parse(&out, names[i]), HONE_ENOTFOUND);
        assert_int_equal(out, HONE_FINDING_TRAP);
    }
}

// Waivers, journals and SARIF's rules name them.
static void every_finding_is_a_word_with_a_sentence(void **state)
{
    (void)state;
    for (int i = 0; i < HONE_FINDING_COUNT; i++) {
        const char *name = hone_finding_name((enum hone_finding)i);
        const char *meaning = hone_finding_meaning((enum hone_finding)i);
        assert_true(*name);
        for (const char *p = name; *p; p++)
            assert_true(islower((unsigned char)*p) || *p == '_');
        assert_true(isupper((unsigned char)*meaning));
        assert_true(meaning[strlen(meaning) - 1] == '.');
    }
    assert_string_equal(hone_finding_meaning(HONE_FINDING_COUNT), "");
}

// Where the kernel cannot go on, or its values are wrong, nothing can be waived.
static void only_what_leaves_right_values_can_be_waived(void **state)
{
    (void)state;
    for (int i = 0; i < HONE_FINDING_COUNT; i++) {
        const enum hone_finding finding = (enum hone_finding)i;
        const bool waivable =
            finding == HONE_FINDING_RACE || finding == HONE_FINDING_UNWRITTEN ||
            finding == HONE_FINDING_MISSING_WAIT || finding == HONE_FINDING_SCOPE ||
            finding == HONE_FINDING_READ_ONLY_DATA ||
            finding == HONE_FINDING_TENSOR_MAP || finding == HONE_FINDING_PROXY_FENCE ||
            finding == HONE_FINDING_IN_FLIGHT || finding == HONE_FINDING_WGMMA_FENCE ||
            finding == HONE_FINDING_GRID_WAIT;
        assert_int_equal(hone_finding_waive_by(finding) != HONE_WAIVE_NEVER, waivable);
    }
    assert_int_equal(hone_finding_waive_by(HONE_FINDING_COUNT), HONE_WAIVE_NEVER);
}

static void the_manual_lists_every_finding(void **state)
{
    (void)state;
    char *text = NULL;
    struct hone_error err = {0};
    assert_ok(hone_file_read(&text, NULL, HONE_SOURCE_DIR "/docs/verification.md", &err),
              err);
    for (int i = 1; i < HONE_FINDING_COUNT; i++) {
        char row[256];
        const char *meaning = hone_finding_meaning((enum hone_finding)i);
        snprintf(row, sizeof row, "\n| `%s` | %.*s |\n",
                 hone_finding_name((enum hone_finding)i), (int)strlen(meaning) - 1,
                 meaning);
        if (!strstr(text, row)) fail_msg("no row %s", row);
    }
    free(text);
}

static void troubleshooting_has_a_section_for_every_finding(void **state)
{
    (void)state;
    char *text = NULL, heading[64];
    struct hone_error err = {0};
    assert_ok(
        hone_file_read(&text, NULL, HONE_SOURCE_DIR "/docs/troubleshooting.md", &err),
        err);
    for (int i = 1; i < HONE_FINDING_COUNT; i++) {
        const char *name = hone_finding_name((enum hone_finding)i);
        snprintf(heading, sizeof heading, "\n### %s\n", name);
        if (!strstr(text, heading)) fail_msg("no section of finding %s", name);
        snprintf(heading, sizeof heading, "| [%s](#%s) |\n", name, name);
        if (!strstr(text, heading)) fail_msg("no text leads to finding %s", name);
    }
    free(text);
}

static void waivers_are_named_by_finding_and_place(void **state)
{
    (void)state;
    char text[160];
    const struct hone_waiver by_line = {
        .finding = HONE_FINDING_RACE, .file = "k.cu", .line = 12};
    const struct hone_waiver by_buffer = {.finding = HONE_FINDING_SCOPE, .buffer = "y"};
    hone_waiver_text(text, sizeof text, &by_line);
    assert_string_equal(text, "race at k.cu:12");
    hone_waiver_text(text, sizeof text, &by_buffer);
    assert_string_equal(text, "scope in buffer y");
    hone_waiver_text(text, 6, &by_line);
    assert_string_equal(text, "race ");
    hone_finding_waivable(text, sizeof text);
    assert_string_equal(text, "race, unwritten, missing_wait, scope, read_only_data, "
                              "tensor_map, proxy_fence, in_flight, wgmma_fence, "
                              "grid_wait");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(finding_names_roundtrip),
    cmocka_unit_test(unknown_finding_is_not_found),
    cmocka_unit_test(every_finding_is_a_word_with_a_sentence),
    cmocka_unit_test(the_manual_lists_every_finding),
    cmocka_unit_test(troubleshooting_has_a_section_for_every_finding),
    cmocka_unit_test(waivers_are_named_by_finding_and_place),
    cmocka_unit_test(only_what_leaves_right_values_can_be_waived),
};

HONE_TEST_MAIN(tests)
