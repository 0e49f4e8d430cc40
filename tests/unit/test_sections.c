// What was found leads to its sections of docs/troubleshooting.md, and they are there.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "hone/finding.h"
#include "hone_test.h"
#include "report/sections.h"

static void add(struct hone_sections *sections, enum hone_outcome outcome,
                enum hone_finding finding)
{
    struct hone_trial trial = hone_trial_make(0, outcome);
    const struct hone_found found = {.finding = finding};
    trial.found = &found;
    hone_sections_add(sections, &trial);
}

static void a_finding_is_the_section_else_its_outcome(void **state)
{
    (void)state;
    struct hone_sections sections = {0};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_sections_text(&text, &sections, "t.md");
    assert_string_equal(text.data, "");
    add(&sections, HONE_VALID, HONE_FINDING_NONE);
    hone_sections_text(&text, &sections, "t.md");
    assert_string_equal(text.data, "");
    add(&sections, HONE_WRONG_RESULT, HONE_FINDING_MISMATCH);
    add(&sections, HONE_WRONG_RESULT, HONE_FINDING_RACE);
    add(&sections, HONE_WRONG_RESULT, HONE_FINDING_RACE);
    add(&sections, HONE_BUILD_FAILED, HONE_FINDING_NONE);
    hone_strbuf_add(&text, "see ");
    hone_sections_text(&text, &sections, "t.md");
    assert_string_equal(text.data, "see t.md#build_failed, #race, #mismatch");
    hone_strbuf_fini(&text);
}

static char *read_page(void)
{
    char *text = NULL;
    struct hone_error err = {0};
    assert_ok(
        hone_file_read(&text, NULL, HONE_SOURCE_DIR "/docs/troubleshooting.md", &err),
        err);
    return text;
}

static void assert_headings(const char *page, const struct hone_sections *sections)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    size_t count = 0;
    hone_sections_text(&text, sections, "");
    for (char *at = strtok(text.data, ", "); at; at = strtok(NULL, ", ")) {
        char heading[80];
        assert_int_equal(*at, '#');
        snprintf(heading, sizeof heading, "\n### %s\n", at + 1);
        if (!strstr(page, heading)) fail_msg("no section of %s", at);
        count++;
    }
    assert_int_equal(count, HONE_OUTCOME_COUNT - 1 + HONE_FINDING_COUNT - 1);
    hone_strbuf_fini(&text);
}

static void every_section_that_is_named_is_there(void **state)
{
    (void)state;
    struct hone_sections sections = {0};
    char *page = read_page();
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++)
        add(&sections, (enum hone_outcome)i, HONE_FINDING_NONE);
    for (int i = 1; i < HONE_FINDING_COUNT; i++)
        add(&sections, HONE_WRONG_RESULT, (enum hone_finding)i);
    assert_headings(page, &sections);
    free(page);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_finding_is_the_section_else_its_outcome),
    cmocka_unit_test(every_section_that_is_named_is_there),
};
HONE_TEST_MAIN(tests)
