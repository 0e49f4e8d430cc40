// hone report: what a browser makes of the page, read back from its document. Without a
// Chromium the cases that need one are skipped.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hone/record.h"
#include "hone_test.h"
#include "insight/convergence.h"
#include "program.h"

#define GOLDEN HONE_SOURCE_DIR "/tests/golden/"

static const char *browser(void)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[64];
        snprintf(line, sizeof line, "command -v %s >/dev/null", names[i]);
        if (system(line) == 0) return names[i];
    }
    return NULL;
}

// The document of a page of the folder after its script ran, in dom.html; what the
// console said in console.
static void render(const char *page)
{
    char line[1024];
    snprintf(line, sizeof line,
             "%s --headless=new --no-sandbox --disable-gpu --virtual-time-budget=2000 "
             "--user-data-dir=profile --enable-logging=stderr --dump-dom "
             "\"file://$PWD/%s\" >dom.html 2>log; code=$?; grep -i CONSOLE log >console; "
             "[ $code = 0 ] || exit 77;",
             browser(), page);
    program_run_with(line, "version");
    assert_int_equal(program.code, 0);
}

static char *need_file(const char *name)
{
    char *text = program_file(name);
    if (!text) fail_msg("no file %s", name);
    return text;
}

static void assert_console_is_empty(void)
{
    char *console = need_file("console");
    if (*console) fail_msg("the console says: %s", console);
    free(console);
}

static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        n++;
    return n;
}

static struct hone_recording *load(const char *path)
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_recording_load(&recording, path, &err), err);
    return recording;
}

// The text of the cell that *at is before, and *at moved behind it.
static void next_cell(const char **at, char *out, size_t size)
{
    const char *from = strstr(*at, "<td"), *end = from ? strstr(from, "</td>") : NULL;
    assert_non_null(end);
    from = strchr(from, '>') + 1;
    snprintf(out, size, "%.*s", (int)(end - from), from);
    *at = end;
}

static void assert_row(const char *dom, const struct hone_recording *recording,
                       const struct hone_trial *trial, size_t number)
{
    const struct hone_space *space = hone_recording_space(recording);
    char cell[512], expected[64];
    uint16_t row[16];
    snprintf(expected, sizeof expected, "<tr><td>%zu</td><td>", number);
    const char *table = strstr(dom, "<table class=\"trials\"");
    const char *at = table ? strstr(table, expected) : NULL;
    if (!at) fail_msg("no row of trial %zu", number);
    next_cell(&at, cell, sizeof cell);
    next_cell(&at, cell, sizeof cell);
    assert_string_equal(cell, hone_outcome_name(trial->outcome));
    next_cell(&at, cell, sizeof cell);
    if (trial->outcome == HONE_VALID)
        assert_true(fabs(strtod(cell, NULL) / hone_trial_cost(trial) - 1) < 1e-5);
    else
        assert_string_equal(cell, "");
    hone_space_choices(space, trial->index, row);
    for (size_t p = 0; p < hone_space_param_count(space); p++) {
        const struct hone_param *param = hone_space_param(space, p);
        if (param->count < 2) continue;
        hone_value_print(expected, sizeof expected, param->values[row[p]]);
        next_cell(&at, cell, sizeof cell);
        assert_string_equal(cell, param->values[row[p]].type == HONE_STRING
                                      ? param->values[row[p]].s
                                      : expected);
    }
}

static void the_table_of_trials_reads_back_as_the_journal(void **state)
{
    (void)state;
    static const char *const journals[] = {"sgemm_emu", "sgemm_a100", "sgemm_h200_small"};
    if (!browser()) SKIP("no Chromium here");
    for (size_t i = 0; i < sizeof journals / sizeof *journals; i++) {
        char line[640], path[512];
        struct hone_convergence progress;
        struct hone_error err = {0};
        snprintf(path, sizeof path, GOLDEN "%s.jsonl", journals[i]);
        snprintf(line, sizeof line, "report %s -o page.html", path);
        program_expect(line, 0);
        render("page.html");
        assert_console_is_empty();
        char *dom = need_file("dom.html");
        struct hone_recording *recording = load(path);
        assert_ok(hone_convergence_make(&progress, recording, &err), err);
        assert_in_range(progress.count, 20, 50); // one screen of the table
        for (size_t t = 0; t < progress.count; t++)
            assert_row(dom, recording, progress.points[t].trial, t + 1);
        hone_convergence_fini(&progress);
        hone_recording_free(recording);
        free(dom);
    }
}

static void all_recordings_stand_on_one_page_without_an_error(void **state)
{
    (void)state;
    if (!browser()) SKIP("no Chromium here");
    if (!program_has_shared()) SKIP("no ../shared/recorded here");
    program_expect("report $SHARED/recorded/*.jsonl -o all.html", 0);
    render("all.html");
    assert_console_is_empty();
    char *dom = need_file("dom.html");
    assert_int_equal(count_of(dom, "<article "), 14);
    assert_int_equal(count_of(dom, "class=\"badge imported\""), 14);
    assert_int_equal(count_of(dom, " of 17956</span>"), 2); // the script made the tables
    assert_non_null(strstr(dom, "<b class=\"best\">5657.8 us</b>"));
    assert_int_equal(count_of(dom, "exact, of all "), 13);
    free(dom);
}

static void a_recording_of_18000_trials_is_below_3_megabytes(void **state)
{
    (void)state;
    if (!program_has_shared()) SKIP("no ../shared/recorded here");
    program_expect("report $SHARED/recorded/gemm_RTX_3090.jsonl -o big.html", 0);
    char *page = need_file("big.html");
    print_message("%zu bytes\n", strlen(page));
    assert_true(strlen(page) < 3000000);
    assert_non_null(strstr(page, "2,993 of 17,956 trials are drawn."));
    free(page);
}

// A journal whose names, values and reasons try to become markup or script.
static const char hostile[] =
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"</title><script>document.title="
    "'owned'</script>\",\"params\":[{\"name\":\"P\",\"values\":[\"</script><i "
    "id=owned>\",\"<img src=x onerror=owned()>\",\"\\\"><i id=owned>\",\"`'&amp;"
    "\\\\\\\"\"]},{\"name\":\"Q\",\"values\":[1,2,9007199254740993]}],\"problem\":"
    "{\"S\":\"<i "
    "id=owned>\"},\"device\":{\"name\":\"<i id=owned>\"},\"clock\":\"--><i "
    "id=owned>\",\"objective\":\"time_us\",\"strategy\":\"<!--<script>\",\"default\":["
    "\"</script><i id=owned>\",1]}\n"
    "{\"config\":[\"</script><i id=owned>\",1],\"outcome\":\"valid\",\"time_us\":3}\n"
    "{\"config\":[\"\\\"><i id=owned>\",2],\"outcome\":\"valid\",\"time_us\":2}\n"
    "{\"config\":[\"<img src=x onerror=owned()>\",1],\"outcome\":\"crashed\","
    "\"reason\":\"<!--<script><i id=owned>\"}\n"
    "{\"config\":[\"`'&amp;\\\\\\\"\",9007199254740993],\"outcome\":\"valid\","
    "\"time_us\":4}\n";

static void write_hostile(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/<i id=owned>.jsonl", program.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(hostile, file);
    fclose(file);
}

static void what_journals_say_becomes_neither_markup_nor_script(void **state)
{
    (void)state;
    write_hostile();
    program_expect("report '<i id=owned>.jsonl' -o hostile.html", 0);
    char *page = need_file("hostile.html");
    assert_int_equal(count_of(page, "<script"), 2); // the data and ours
    assert_int_equal(count_of(page, "</script"), 2);
    assert_int_equal(count_of(page, "<i id"), 0);
    assert_int_equal(count_of(page, "<!--"), 0);
    assert_int_equal(count_of(page, "<img"), 0);
    free(page);
    if (!browser()) return;
    render("hostile.html");
    assert_console_is_empty();
    char *dom = need_file("dom.html");
    assert_int_equal(count_of(dom, "<i id"), 0);
    assert_int_equal(count_of(dom, "<img"), 0);
    assert_non_null(strstr(dom, "<td>9007199254740993</td>"));
    // As Lua has it: the integer without quotes, backslash and quote escaped.
    assert_non_null(strstr(dom, "\"default = { P = &quot;`'&amp;amp;\\\\\\&quot;&quot;, "
                                "Q = 9007199254740993 }\""));
    assert_non_null(strstr(dom, "<td>\"&gt;&lt;i id=owned&gt;</td>"));
    assert_non_null(strstr(dom, "<h1>&lt;/title&gt;&lt;script&gt;document.title="));
    free(dom);
}

// That the cases above would see an error.
static void an_error_of_a_script_reaches_the_console(void **state)
{
    (void)state;
    if (!browser()) SKIP("no Chromium here");
    program_expect("report " GOLDEN "sgemm_emu.jsonl -o page.html; sed -i "
                   "'s/\"trials\":\\[/\"trials\":[,/' page.html",
                   0);
    render("page.html");
    char *console = need_file("console");
    assert_non_null(strstr(console, "SyntaxError"));
    free(console);
}

static void a_report_wants_a_journal_and_a_file(void **state)
{
    (void)state;
    program_run("report");
    assert_int_equal(program.code, 2);
    program_run("report " GOLDEN "sgemm_emu.jsonl");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "-o report.html"));
    program_run("report " GOLDEN "sgemm_emu.h -o page.html");
    assert_int_equal(program.code, 2);
    program_run("report " GOLDEN "sgemm_emu.jsonl -o -");
    assert_int_equal(program.code, 0);
    assert_int_equal(strncmp(program.out, "<!DOCTYPE html>", 15), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_table_of_trials_reads_back_as_the_journal),
    cmocka_unit_test(all_recordings_stand_on_one_page_without_an_error),
    cmocka_unit_test(a_recording_of_18000_trials_is_below_3_megabytes),
    cmocka_unit_test(what_journals_say_becomes_neither_markup_nor_script),
    cmocka_unit_test(an_error_of_a_script_reaches_the_console),
    cmocka_unit_test(a_report_wants_a_journal_and_a_file),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
