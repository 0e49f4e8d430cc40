// The page of journals: its text by a golden copy, escapes by what HTML and JSON say, and
// finals counted where their configurations were first measured.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "hone_test.h"
#include "insight/convergence.h"
#include "markup.h"
#include "page/page.h"

static void assert_markup(const char *text, const char *expected)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    hone_markup_text(&out, text);
    assert_string_equal(out.data, expected);
    hone_strbuf_fini(&out);
}

static void text_of_others_is_never_markup(void **state)
{
    (void)state;
    assert_markup("a<b>&\"'", "a&#60;b&#62;&#38;&#34;&#39;");
    assert_markup("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
                  "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    assert_markup("\x1b[0m\x7f", "&lt;U+001B&gt;[0m&lt;U+007F&gt;");
    assert_markup("\xff\xc3", "&lt;U+FFFD&gt;&lt;U+FFFD&gt;");
    assert_markup("tab\tand\nline", "tab\tand\nline");
}

static void assert_json(const char *text, const char *expected)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    hone_markup_json(&out, text);
    assert_string_equal(out.data, expected);
    hone_strbuf_fini(&out);
}

static void json_can_end_no_script(void **state)
{
    (void)state;
    assert_json("</script>", "\"\\u003c/script\\u003e\"");
    assert_json("<!--", "\"\\u003c!--\"");
    assert_json("a\"b\\c\n", "\"a\\\"b\\\\c\\u000a\"");
    assert_json("\xe2\x80\xa8", "\"\\u003cU+2028\\u003e\"");
    assert_json("\xff", "\"\\u003cU+FFFD\\u003e\"");
}

// A reason that turns its line around would tell another story than it has.
static void no_character_of_others_is_hidden(void **state)
{
    (void)state;
    assert_markup("a\xe2\x80\xae"
                  "b\xe2\x81\xa6",
                  "a&lt;U+202E&gt;b&lt;U+2066&gt;");
    assert_markup("\xe2\x80\x8b\xef\xbb\xbf\xc2\x85",
                  "&lt;U+200B&gt;&lt;U+FEFF&gt;&lt;U+0085&gt;");
    assert_json("a\xe2\x80\xae"
                "b\x1b\x7f",
                "\"a\\u003cU+202E\\u003eb\\u003cU+001B\\u003e\\u003cU+007F\\u003e\"");
}

static void assert_json_value(struct hone_value value, const char *expected)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    hone_markup_json_value(&out, value);
    assert_string_equal(out.data, expected);
    hone_strbuf_fini(&out);
}

static void integers_that_scripts_would_round_are_no_texts(void **state)
{
    (void)state;
    static const int64_t exact = 1LL << 53;
    assert_json_value((struct hone_value){.type = HONE_INT, .i = exact},
                      "9007199254740992");
    assert_json_value((struct hone_value){.type = HONE_INT, .i = -exact},
                      "-9007199254740992");
    assert_json_value((struct hone_value){.type = HONE_INT, .i = exact + 1},
                      "[\"9007199254740993\"]");
    assert_json_value((struct hone_value){.type = HONE_INT, .i = -exact - 1},
                      "[\"-9007199254740993\"]");
    assert_json_value((struct hone_value){.type = HONE_STRING, .s = "9007199254740993"},
                      "\"9007199254740993\"");
}

// Style sheet and script have files of their own: the golden page is without them.
static void cut_between(char *text, const char *from, const char *to)
{
    char *begin = strstr(text, from);
    assert_non_null(begin);
    begin += strlen(from);
    char *end = strstr(begin, to);
    assert_non_null(end);
    memmove(begin, end, strlen(end) + 1);
}

static void a_small_page_is_as_its_golden_copy(void **state)
{
    (void)state;
    static const char golden[] = "tests/golden/sgemm_h200_small.html";
    struct hone_recording *recording = NULL;
    struct hone_strbuf page = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    char *expected = NULL;
    if (!hone_file_exists("tests/golden")) SKIP("not started in the source folder");
    assert_ok(
        hone_recording_load(&recording, "tests/golden/sgemm_h200_small.jsonl", &err),
        err);
    const struct hone_recording *const list[] = {recording};
    assert_ok(hone_page_write(&page, list, 1, &err), err);
    cut_between(page.data, "<style>\n", "</style>");
    cut_between(page.data, "</div></main>\n<script>\n", "</script></body>");
    page.len = strlen(page.data);
    if (getenv("HONE_UPDATE_GOLDEN"))
        assert_ok(hone_file_write(golden, page.data, page.len, &err), err);
    assert_ok(hone_file_read(&expected, NULL, golden, &err), err);
    assert_string_equal(page.data, expected);
    free(expected);
    hone_strbuf_fini(&page);
    hone_recording_free(recording);
}

// A journal with finals: 8, the winner, was found second and stands last.
static void finals_do_not_move_a_trial_in_the_progress(void **state)
{
    (void)state;
    char path[] = "/tmp/hone-page-XXXXXX";
    struct hone_recording *recording = NULL;
    struct hone_convergence progress;
    struct hone_error err = {0};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs("{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","
          "\"values\":[7,8,9]}]}\n"
          "{\"config\":[7],\"outcome\":\"valid\",\"time_us\":7}\n"
          "{\"config\":[8],\"outcome\":\"valid\",\"time_us\":5}\n"
          "{\"config\":[9],\"outcome\":\"crashed\"}\n"
          "{\"config\":[8],\"outcome\":\"valid\",\"time_us\":6,\"final\":{\"rank\":1,"
          "\"ratio\":1,\"rounds\":9}}\n",
          file);
    fclose(file);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    assert_ok(hone_convergence_make(&progress, recording, &err), err);
    assert_int_equal(progress.count, 3);
    assert_true(progress.points[0].cost == 7 && progress.points[1].cost == 5);
    assert_true(progress.points[1].best == 5 && progress.points[2].best == 5);
    assert_int_equal(progress.points[1].trial->final.rank, 1);
    assert_int_equal(progress.points[2].trial->outcome, HONE_CRASHED);
    hone_convergence_fini(&progress);
    hone_recording_free(recording);
}

static void write_journal(struct hone_strbuf *page, const char *journal)
{
    char path[] = "/tmp/hone-page-XXXXXX";
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs(journal, file);
    fclose(file);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    const struct hone_recording *const list[] = {recording};
    assert_ok(hone_page_write(page, list, 1, &err), err);
    hone_recording_free(recording);
}

static void assert_badge(const char *fields, const char *badge)
{
    char journal[256], expected[64];
    struct hone_strbuf page = HONE_STRBUF_INIT;
    snprintf(journal, sizeof journal,
             "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":"
             "\"X\",\"values\":[7]}]%s}\n",
             fields);
    write_journal(&page, journal);
    snprintf(expected, sizeof expected, "<b class=\"badge %s\">", badge);
    assert_non_null(strstr(page.data, expected));
    hone_strbuf_fini(&page);
}

static void a_page_says_how_its_times_are_known(void **state)
{
    (void)state;
    assert_badge("", "imported");
    assert_badge(",\"objective\":\"predicted_us\"", "predicted");
    assert_badge(",\"hone_version\":\"0.1.0\",\"device\":{\"name\":\"d\"}", "imported");
    assert_badge(",\"hone_version\":\"0.1.0\",\"device\":{\"name\":\"d\",\"id\":"
                 "\"cuda:0\"}",
                 "measured");
}

#define THREE_VALUES                                                                     \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":"           \
    "\"X\",\"values\":[7,8,9]}]}\n"

// Each was valid only when it was measured again, so there is no step to draw.
static void a_search_that_found_nothing_at_first_has_no_progress(void **state)
{
    (void)state;
    struct hone_strbuf page = HONE_STRBUF_INIT;
    write_journal(&page, THREE_VALUES "{\"config\":[7],\"outcome\":\"crashed\"}\n"
                                      "{\"config\":[8],\"outcome\":\"crashed\"}\n"
                                      "{\"config\":[7],\"outcome\":\"valid\","
                                      "\"time_us\":7}\n"
                                      "{\"config\":[8],\"outcome\":\"valid\","
                                      "\"time_us\":5}\n");
    assert_non_null(strstr(page.data, "The best of 2 trials"));
    assert_null(strstr(page.data, "The best came at trial"));
    assert_null(strstr(page.data, "d=\"H"));
    assert_null(strstr(page.data, "inf"));
    hone_strbuf_fini(&page);
}

// A page of 20 values of X, each of which was tried with 3 of Y: those from valid_from on
// with success.
static void write_failures(struct hone_strbuf *page, int valid_from)
{
    enum { VALUES = 20, TRIES = 3 };
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text,
                    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":["
                    "{\"name\":\"X\",\"values\":[0");
    for (int x = 1; x < VALUES; x++)
        hone_strbuf_printf(&text, ",%d", x);
    hone_strbuf_add(&text, "]},{\"name\":\"Y\",\"values\":[0,1,2]}]}\n");
    for (int i = 0; i < VALUES * TRIES; i++)
        hone_strbuf_printf(
            &text, "{\"config\":[%d,%d],\"outcome\":%s}\n", i / TRIES, i % TRIES,
            i / TRIES < valid_from ? "\"crashed\"" : "\"valid\",\"time_us\":7");
    write_journal(page, text.data);
    hone_strbuf_fini(&text);
}

// The section with this heading, to be freed.
static char *section_of(const struct hone_strbuf *page, const char *heading)
{
    const char *section = strstr(page->data, heading);
    assert_non_null(section);
    const char *end = strstr(section, "</section>");
    assert_non_null(end);
    char *copy = strndup(section, (size_t)(end - section));
    assert_non_null(copy);
    return copy;
}

static void failures_cluster_where_others_are_valid(void **state)
{
    (void)state;
    static const struct {
        int valid_from;
        const char *has, *lacks;
    } cases[] = {
        {2, "<ul><li>X=0: 3 of 3<li>X=1: 3 of 3</ul>", "left out"},
        // Failed more often than not, so that twice as often is impossible.
        {15, "<li>X=11: 3 of 3</ul>\n<p class=\"note\">3 more values are left out.",
         "Y="},
        {20, "60 of 60 trials are not valid", "They cluster"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_strbuf page = HONE_STRBUF_INIT;
        write_failures(&page, cases[i].valid_from);
        char *section = section_of(&page, ">Not valid<");
        assert_non_null(strstr(section, cases[i].has));
        assert_null(strstr(section, cases[i].lacks));
        free(section);
        hone_strbuf_fini(&page);
    }
}

static void plots_of_many_trials_say_how_many_they_draw(void **state)
{
    (void)state;
    static const char *const headings[] = {">Best so far<", ">Each parameter<",
                                           ">Registers, spills"};
    enum { SIDE = 56, TRIALS = SIDE * SIDE };
    struct hone_strbuf text = HONE_STRBUF_INIT, page = HONE_STRBUF_INIT;
    hone_strbuf_add(&text,
                    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[");
    for (int p = 0; p < 2; p++) {
        hone_strbuf_printf(&text, "%s{\"name\":\"P%d\",\"values\":[0", p ? "," : "", p);
        for (int v = 1; v < SIDE; v++)
            hone_strbuf_printf(&text, ",%d", v);
        hone_strbuf_add(&text, "]}");
    }
    hone_strbuf_add(&text, "]}\n");
    for (int i = 0; i < TRIALS; i++)
        hone_strbuf_printf(&text,
                           "{\"config\":[%d,%d],\"outcome\":\"valid\",\"time_us\":7,"
                           "\"registers\":%d}\n",
                           i / SIDE, i % SIDE, 30 + i % 3);
    write_journal(&page, text.data);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        char *section = section_of(&page, headings[i]);
        if (!strstr(section, "1,568 of 3,136 trials are drawn."))
            fail_msg("%s does not say it", headings[i]);
        free(section);
    }
    hone_strbuf_fini(&page);
    hone_strbuf_fini(&text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(text_of_others_is_never_markup),
    cmocka_unit_test(json_can_end_no_script),
    cmocka_unit_test(no_character_of_others_is_hidden),
    cmocka_unit_test(integers_that_scripts_would_round_are_no_texts),
    cmocka_unit_test(a_small_page_is_as_its_golden_copy),
    cmocka_unit_test(finals_do_not_move_a_trial_in_the_progress),
    cmocka_unit_test(a_page_says_how_its_times_are_known),
    cmocka_unit_test(a_search_that_found_nothing_at_first_has_no_progress),
    cmocka_unit_test(failures_cluster_where_others_are_valid),
    cmocka_unit_test(plots_of_many_trials_say_how_many_they_draw),
};

HONE_TEST_MAIN(tests)
