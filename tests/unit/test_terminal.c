// Text for terminals: widths, tables, the status line and the curve, at every width.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hone_test.h"
#include "terminal/columns.h"
#include "terminal/curve.h"
#include "terminal/guard.h"
#include "terminal/status_line.h"

#define KANJI "\xe6\xbc\xa2" // two columns wide

static void a_text_is_as_wide_as_it_shows(void **state)
{
    (void)state;
    assert_int_equal(hone_text_width(""), 0);
    assert_int_equal(hone_text_width("abc"), 3);
    assert_int_equal(hone_text_width(KANJI "a"), 3);
    assert_int_equal(hone_text_width("\033[1m"), strlen("\\u001b[1m"));
}

static void a_wide_character_is_never_halved(void **state)
{
    (void)state;
    static const struct {
        size_t columns, taken;
        const char *text;
    } rows[] = {
        {0, 0, ""}, {1, 1, "a"}, {2, 1, "a"}, {3, 3, "a" KANJI}, {9, 4, "a" KANJI "b"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_strbuf cut = HONE_STRBUF_INIT;
        assert_int_equal(hone_text_cut(&cut, "a" KANJI "b", rows[i].columns),
                         rows[i].taken);
        assert_string_equal(cut.data, rows[i].text);
        hone_strbuf_fini(&cut);
    }
}

static void colours_end_where_their_text_was_cut(void **state)
{
    (void)state;
    for (size_t columns = 0; columns < 12; columns++) {
        struct hone_styled text = HONE_STYLED_INIT;
        hone_styled_add(&text, HONE_STYLE_BAD, "red%d", 1);
        hone_styled_add(&text, HONE_STYLE_PLAIN, "plain");
        const size_t shown = columns < 9 ? columns : 9, red = shown < 4 ? shown : 4;
        assert_int_equal(hone_styled_cut(&text, columns), columns - shown);
        assert_int_equal(text.text.len, shown);
        assert_memory_equal(text.text.data, "red1plain", shown);
        assert_int_equal(text.spans[0].end, red);
        assert_int_equal(text.spans[1].end, shown);
        hone_styled_fini(&text);
    }
}

static void columns_line_up_by_width_and_end_without_blanks(void **state)
{
    (void)state;
    struct hone_styled text = HONE_STYLED_INIT;
    struct hone_columns table = {.sides = "lrl"};
    hone_columns_add(&table, "name");
    hone_columns_add(&table, "%d", 10000);
    hone_columns_add(&table, "%s", "");
    hone_columns_add(&table, KANJI KANJI KANJI);
    hone_columns_add(&table, "%d", 7);
    hone_columns_style(&table, HONE_STYLE_GOOD);
    hone_columns_add(&table, "two\nlines");
    hone_columns_add(&table, "x");
    hone_columns_add_rest(&table, "a rest that is far wider than its column");
    hone_columns_add(&table, "half"); // a row, which is left out
    hone_columns_text(&text, &table, "> ");
    assert_string_equal(text.text.data,
                        "> name    10000\n"
                        "> " KANJI KANJI KANJI "      7  two lines\n"
                        "> x       a rest that is far wider than its column\n");
    size_t good = 0;
    for (size_t i = 1; i < text.count; i++)
        if (text.spans[i].style == HONE_STYLE_GOOD) {
            good++;
            assert_int_equal(text.spans[i].end - text.spans[i - 1].end, 1);
            assert_int_equal(text.text.data[text.spans[i - 1].end], '7');
        }
    assert_int_equal(good, 1);
    hone_styled_fini(&text);
}

static struct hone_status_line line_of(double fraction)
{
    struct hone_status_line line = {.fraction = fraction};
    hone_status_line_add(&line, 1, HONE_STYLE_PLAIN, "12/200");
    hone_status_line_add(&line, 0, HONE_STYLE_GOOD, "best 553.6 us");
    hone_status_line_add(&line, 3, HONE_STYLE_PLAIN, "3.1/s");
    hone_status_line_add_left(&line, 2, 6);
    return line;
}

static void a_status_line_fits_every_width(void **state)
{
    (void)state;
    for (size_t columns = 0; columns < 120; columns++) {
        struct hone_styled text = HONE_STYLED_INIT;
        struct hone_status_line line = line_of(0.25);
        const size_t taken = hone_status_line_fit(&text, &line, columns);
        assert_true(taken <= columns);
        assert_int_equal(hone_text_width(text.text.data), taken);
        if (columns >= strlen("best 553.6 us"))
            assert_non_null(strstr(text.text.data, "best 553.6 us"));
        hone_styled_fini(&text);
    }
}

static void pieces_go_by_rank_and_the_bar_takes_what_is_left(void **state)
{
    (void)state;
    static const struct {
        size_t columns;
        const char *text;
    } rows[] = {
        {80, "[######..................] 12/200  best 553.6 us  3.1/s  18 s left"},
        {39, "12/200  best 553.6 us  3.1/s  18 s left"},
        {38, "12/200  best 553.6 us  18 s left"},
        {31, "[##.....] 12/200  best 553.6 us"},
        {20, "best 553.6 us"},
        {4, "best"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_styled text = HONE_STYLED_INIT;
        struct hone_status_line line = line_of(0.25);
        hone_status_line_fit(&text, &line, rows[i].columns);
        assert_string_equal(text.text.data, rows[i].text);
        hone_styled_fini(&text);
    }
}

static void the_time_left_is_told_once_it_is_known(void **state)
{
    (void)state;
    static const struct {
        double fraction, seconds;
        const char *text;
    } rows[] = {
        {0, 3, "?"}, {1, 3, "done"}, {0.5, 3, "3 s left"}, {0.01, 3, "5 min left"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_status_line line = {.fraction = rows[i].fraction};
        hone_status_line_add_left(&line, 0, rows[i].seconds);
        assert_string_equal(line.pieces[0].text, rows[i].text);
    }
}

// The lowest step is at the bottom, the first one at the top, and nothing is in between.
static void a_curve_falls_from_its_first_to_its_last_cost(void **state)
{
    (void)state;
    static const struct hone_curve_step steps[] = {{1, 100}, {51, 1}};
    const struct hone_curve curve = {.done = 100, .steps = steps, .count = 2};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_curve_text(&text, &curve, 30, 4, false);
    assert_string_equal(text.data, "      100 ##########          \n"
                                   "          ##########          \n"
                                   "        1 ##########..........\n"
                                   "          1                100\n");
    hone_strbuf_fini(&text);
}

static void a_curve_of_nothing_is_blank(void **state)
{
    (void)state;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_curve_text(&text, &(struct hone_curve){0}, HONE_CURVE_LEAST_COLUMNS,
                    HONE_CURVE_LEAST_ROWS, true);
    assert_null(strpbrk(text.data, "#.:"));
    hone_strbuf_fini(&text);
}

// What a guarded stream writes of texts, each of which is flushed; pass goes past the guard
// behind the first one.
static const char *guarded(const char *const *texts, size_t count, const char *pass)
{
    static char seen[256];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct hone_stream_guard guard = {.fd = ends[1]};
    FILE *stream = hone_guard_open(&guard, NULL, false);
    if (!stream) skip();
    for (size_t i = 0; i < count; i++) {
        fputs(texts[i], stream);
        fflush(stream);
        if (!i && pass) hone_guard_pass(&guard, pass);
    }
    assert_int_equal(fclose(stream), 0);
    const ssize_t size = read(ends[0], seen, sizeof seen - 1);
    assert_true(size >= 0);
    seen[size] = '\0';
    close(ends[0]);
    return seen;
}

static void a_guarded_stream_takes_no_orders(void **state)
{
    (void)state;
    assert_string_equal(guarded((const char *[]){"a\033[1mb\n"}, 1, NULL),
                        "a\\u001b[1mb\n");
    assert_string_equal(guarded((const char *[]){"a", "\033b"}, 2, "\033[1m"),
                        "a\033[1m\\u001bb");
}

static void a_character_may_come_in_parts(void **state)
{
    (void)state;
    assert_string_equal(guarded((const char *[]){"\xe6", "\xbc", "\xa2x"}, 3, NULL),
                        KANJI "x");
    assert_string_equal(guarded((const char *[]){"\xe6\xbc"}, 1, NULL), "\\ufffd");
    assert_string_equal(guarded((const char *[]){"\xe6", "x"}, 2, "!"), "\\ufffd!x");
}

static void wrapped_text_keeps_its_words(void **state)
{
    (void)state;
    static const struct {
        size_t used, indent, width;
        const char *text;
    } rows[] = {
        {0, 2, 80, "one two three"},
        {0, 2, 8, "one two\n  three"},
        {3, 0, 7, "one\ntwo\nthree"},
        {0, 0, 1, "one\ntwo\nthree"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_strbuf out = HONE_STRBUF_INIT;
        hone_text_wrap(&out, "one  two\nthree", rows[i].used, rows[i].indent,
                       rows[i].width);
        assert_string_equal(out.data, rows[i].text);
        hone_strbuf_fini(&out);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_text_is_as_wide_as_it_shows),
    cmocka_unit_test(a_wide_character_is_never_halved),
    cmocka_unit_test(colours_end_where_their_text_was_cut),
    cmocka_unit_test(columns_line_up_by_width_and_end_without_blanks),
    cmocka_unit_test(a_status_line_fits_every_width),
    cmocka_unit_test(pieces_go_by_rank_and_the_bar_takes_what_is_left),
    cmocka_unit_test(the_time_left_is_told_once_it_is_known),
    cmocka_unit_test(a_curve_falls_from_its_first_to_its_last_cost),
    cmocka_unit_test(a_curve_of_nothing_is_blank),
    cmocka_unit_test(a_guarded_stream_takes_no_orders),
    cmocka_unit_test(a_character_may_come_in_parts),
    cmocka_unit_test(wrapped_text_keeps_its_words),
};

HONE_TEST_MAIN(tests)
