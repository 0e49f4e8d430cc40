// What hone compare reads: emitted headers and journals.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sink.h"
#include "emit/shipped.h"
#include "hone/emit.h"
#include "hone/strbuf.h"
#include "hone_test.h"

static char path[] = "/tmp/hone-shipped-XXXXXX";

static void load_text(struct hone_shipped *out, const struct hone_strbuf *text)
{
    struct hone_error err = {0};
    assert_ok(hone_file_write(path, text->data, text->len, &err), err);
    assert_ok(hone_shipped_load(out, path, &err), err);
}

static void a_journal_without_a_device_is_of_any(void **state)
{
    (void)state;
    struct hone_shipped shipped;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":"
                           "[{\"name\":\"x\",\"values\":[1,2]}]}\n"
                           "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":2}\n");
    load_text(&shipped, &text);
    assert_int_equal(shipped.count, 1);
    assert_null(shipped.rows[0].device);
    assert_string_equal(shipped.rows[0].config[0], "x=2");
    hone_shipped_fini(&shipped);
    hone_strbuf_fini(&text);
}

static void a_header_of_defaults_is_told_from_no_header(void **state)
{
    (void)state;
    struct hone_shipped shipped;
    struct hone_error err = {0};
    static const char text[] = "/* The default configuration of the kernel k. Emitted\n";
    assert_ok(hone_file_write(path, text, sizeof text - 1, &err), err);
    assert_int_equal(hone_shipped_load(&shipped, path, &err), HONE_EINPUT);
    assert_non_null(strstr(err.text, "of which nothing was measured"));
}

static void a_weight_is_no_size(void **state)
{
    (void)state;
    struct hone_shipped shipped;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, "/* Tuned configurations of the kernel k.\n"
                           " * Row 0: M = 64, layout = 'nn', weight 2.5\n *   1.5 us\n"
                           " * Row 1: weight 3\n *   1.5 us\n */\n"
                           "#define K_0_DEFINES \"-DB=1\"\n"
                           "#define K_1_DEFINES \"-DB=2\"\n");
    load_text(&shipped, &text);
    assert_string_equal(shipped.rows[0].problem[0], "M=64");
    assert_string_equal(shipped.rows[0].problem[1], "layout=nn");
    assert_null(shipped.rows[0].problem[2]);
    assert_null(shipped.rows[1].problem[0]);
    hone_shipped_fini(&shipped);
    hone_strbuf_fini(&text);
}

/* Lines of a header that were too wide, and options of configurations by their number. */
static void broken_lines_are_read_as_one(void **state)
{
    (void)state;
    struct hone_shipped shipped;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, "/* Tuned configurations of the kernel k. Emitted\n"
                           " * Of problems with E = \"\", T = f32,\n *     L = nn.\n"
                           " * Device 0: A\n *   template t, template hash\n *     12ab\n"
                           " * Row 0, configuration 1: M = 64,\n *     N = 32\n"
                           " *   1.5 us, n 7, standard deviation 2 %\n"
                           " * Row 1, configuration 0: M = 8, N = 9\n"
                           " *   served by configuration 0: 3.5 us, 9 % over the best\n"
                           " *   3.25 us, n 8\n */\n"
                           "static const char *const k_defines[K_CONFIGS] = {\n"
                           "    \"-DA=1 \"\n            \"-DB=2\",\n"
                           "    \"-DA=3 -DB=4\",\n};\n");
    load_text(&shipped, &text);
    assert_int_equal(shipped.count, 2);
    assert_string_equal(shipped.template_hash, "12ab");
    static const char *const problem[] = {"M=64", "N=32", "E=", "T=f32", "L=nn"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(shipped.rows[0].problem[i], problem[i]);
    assert_null(shipped.rows[0].problem[5]);
    assert_string_equal(shipped.rows[0].config[0], "A=3");
    assert_string_equal(shipped.rows[1].config[0], "A=1");
    assert_string_equal(shipped.rows[1].config[1], "B=2");
    assert_true(shipped.rows[0].time_us == 1.5 && shipped.rows[1].time_us == 3.5);
    assert_int_equal(shipped.rows[0].samples, 7);
    hone_shipped_fini(&shipped);
    hone_strbuf_fini(&text);
}

/* Options have the macros of the problem, too: a configuration is its parameters. */
static void macros_of_the_problem_are_no_parameters(void **state)
{
    (void)state;
    static const char journal[] =
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"A\","
        "\"values\":[1,2]},{\"name\":\"PAD_A\",\"values\":[3]}],\"problem\":{\"N\":8,"
        "\"OUT\":\"unsigned char\",\"PAD\":true},\"defines\":[\"OUT\",\"PAD\"],"
        "\"device\":{\"name\":\"NVIDIA H200\",\"limits\":{\"arch\":\"sm_90a\","
        "\"cc_major\":9,\"cc_minor\":0,\"sm_count\":132}}}\n"
        "{\"config\":[2,3],\"outcome\":\"valid\",\"time_us\":2.5}\n";
    static const enum hone_emit_shape shapes[] = {HONE_SHAPE_TABLE, HONE_SHAPE_RUNTIME,
                                                  HONE_SHAPE_MACROS};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct hone_emit_options options = {.shape = shapes[i]};
        struct hone_error err = {0};
        struct hone_recording *recording = NULL;
        struct hone_strbuf text = HONE_STRBUF_INIT;
        struct hone_shipped shipped;
        assert_ok(hone_file_write(path, journal, sizeof journal - 1, &err), err);
        assert_ok(hone_recording_load(&recording, path, &err), err);
        const struct hone_recording *list[] = {recording};
        assert_ok(hone_emit(&text, list, 1, &options, &err), err);
        load_text(&shipped, &text);
        assert_int_equal(shipped.count, 1);
        assert_string_equal(shipped.rows[0].config[0], "A=2");
        assert_string_equal(shipped.rows[0].config[1], "PAD_A=3");
        assert_null(shipped.rows[0].config[2]);
        hone_shipped_fini(&shipped);
        hone_recording_free(recording);
        hone_strbuf_fini(&text);
    }
}

// Values that a shell would take apart, or a C literal has no letter for.
static void options_are_read_as_a_shell_reads_them(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "T=unsigned long", "U=a'b\"c?", "V=", "W=\\ e", "X=\303\251", NULL};
    static const char *const broken[] = {
        "-DA", "A=1", "-D=1", "-DA=\\000", "-DA=1\\", "-DA=\\777", "'-DA' -DB=1"};
    struct hone_shipped shipped;
    struct hone_strbuf line = HONE_STRBUF_INIT, text = HONE_STRBUF_INIT;
    static const char head[] = "/* Tuned configurations of the kernel k. Emitted\n"
                               " * Row 0, configuration 0: M = 64\n *   1.5 us\n */\n"
                               "static const char *const k_defines[K_CONFIGS] = {\n    ";
    for (size_t i = 0; wanted[i]; i++) {
        char word[64];
        snprintf(word, sizeof word, "-D%s", wanted[i]);
        if (i) hone_strbuf_add(&line, " ");
        hone_sink_shell(&line, word);
    }
    hone_strbuf_add(&text, head);
    hone_sink_c_string(&text, line.data);
    hone_strbuf_add(&text, ",\n};\n");
    load_text(&shipped, &text);
    for (size_t i = 0; wanted[i]; i++)
        assert_string_equal(shipped.rows[0].config[i], wanted[i]);
    assert_null(shipped.rows[0].config[5]);
    hone_shipped_fini(&shipped);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct hone_error err = {0};
        hone_strbuf_clear(&text);
        hone_strbuf_printf(&text, "%s\"%s\",\n};\n", head, broken[i]);
        assert_ok(hone_file_write(path, text.data, text.len, &err), err);
        if (hone_shipped_load(&shipped, path, &err) != HONE_EINPUT ||
            !strstr(err.text, "row 0 has no configuration"))
            fail_msg("%s: %s", broken[i], err.text);
    }
    hone_strbuf_fini(&line);
    hone_strbuf_fini(&text);
}

/* --- problems of any text --- */

static const char *const hard[] = {"a, b",
                                   "",
                                   "\"\"",
                                   "\"",
                                   "x=\"\"",
                                   "x\", N = 12",
                                   "N = 12",
                                   " begins",
                                   "ends ",
                                   "  ",
                                   "it's",
                                   "'nn'",
                                   "a  b",
                                   "100%",
                                   "%41, %",
                                   "a*/b",
                                   "//, /*/",
                                   "?\?=, ?\?/",
                                   "back\\slash\\",
                                   "\303\251, \303\251",
                                   "weight 2",
                                   "ends with a dot.",
                                   "a: b (compute capability 8.0), 2 us",
                                   "k_devices[] driver 7",
                                   "0123456789012345678901234567890123456789012345678901"
                                   "2345678901234567890123456789",
                                   "a text of many words that is wider than a line of a "
                                   "page, so that it is broken in two, with  two blanks "
                                   "and a last word"};
enum { HARD = sizeof hard / sizeof *hard };

static const struct hone_recording *record_text(const char *text, int number)
{
    struct hone_strbuf journal = HONE_STRBUF_INIT;
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    hone_strbuf_add(&journal,
                    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":"
                    "[{\"name\":\"x\",\"values\":[1,2]}],\"problem\":{\"T\":\"");
    for (const char *p = text; *p; p++)
        hone_strbuf_printf(&journal, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
    hone_strbuf_printf(&journal, "\",\"N\":%d}}\n", number);
    hone_strbuf_add(&journal, "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":2}\n");
    assert_ok(hone_file_write(path, journal.data, journal.len, &err), err);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    hone_strbuf_fini(&journal);
    return recording;
}

static bool tells(const struct hone_shipped_row *row, const char *text, int number)
{
    char word[256], size[32];
    bool has_text = false, has_size = false;
    size_t count = 0;
    snprintf(word, sizeof word, "T=%s", text);
    snprintf(size, sizeof size, "N=%d", number);
    for (; row->problem[count]; count++) {
        has_text |= strcmp(row->problem[count], word) == 0;
        has_size |= strcmp(row->problem[count], size) == 0;
    }
    return count == 2 && has_text && has_size;
}

static void ship(struct hone_shipped *shipped, const struct hone_recording *const *list,
                 size_t count, enum hone_emit_shape shape)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    const struct hone_emit_options options = {.shape = shape};
    assert_ok(hone_emit(&out, list, count, &options, &err), err);
    load_text(shipped, &out);
    hone_strbuf_fini(&out);
}

/* Each in a row of its own among the others, and alone, where the header's first comment
 * or its macros tell it. */
static void problems_of_any_text_are_read_back(void **state)
{
    (void)state;
    const struct hone_recording *list[HARD];
    struct hone_shipped shipped;
    for (int i = 0; i < HARD; i++)
        list[i] = record_text(hard[i], 60 + i);
    ship(&shipped, list, HARD, HONE_SHAPE_TABLE);
    assert_int_equal(shipped.count, HARD);
    for (int i = 0; i < HARD; i++) {
        int rows = 0;
        for (size_t r = 0; r < shipped.count; r++)
            rows += tells(&shipped.rows[r], hard[i], 60 + i);
        if (rows != 1) fail_msg("%d rows of '%s'", rows, hard[i]);
    }
    hone_shipped_fini(&shipped);
    for (int i = 0; i < 2 * HARD; i++) {
        ship(&shipped, &list[i / 2], 1, i % 2 ? HONE_SHAPE_MACROS : HONE_SHAPE_TABLE);
        assert_int_equal(shipped.count, 1);
        assert_null(shipped.driver);
        if (!tells(&shipped.rows[0], hard[i / 2], 60 + i / 2))
            fail_msg("alone: '%s'", hard[i / 2]);
        hone_shipped_fini(&shipped);
    }
    for (int i = 0; i < HARD; i++)
        hone_recording_free((struct hone_recording *)(uintptr_t)list[i]);
}

/* Texts that no quotes are round, whatever they hold. */
static void texts_of_older_headers_are_read(void **state)
{
    (void)state;
    static const char *const wanted[] = {"T=\"x", "U=a b", "V=", "W=x\"", "M=64"};
    struct hone_shipped shipped;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, "/* Tuned configurations of the kernel k.\n"
                           " * Row 0: T = \"x, U = a b, V = \"\", W = x\", M = 64\n"
                           " *   1.5 us\n */\n"
                           "#define K_0_DEFINES \"-DB=1\"\n");
    load_text(&shipped, &text);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(shipped.rows[0].problem[i], wanted[i]);
    assert_null(shipped.rows[0].problem[5]);
    hone_shipped_fini(&shipped);
    hone_strbuf_fini(&text);
}

/* --- macros --- */

static const char macros[] =
    " * PREDICTED by the emulator's model, not measured.\n"
    " * Of problems with T = f32.\n"
    " * Row 0: A us (x), B (compute capability 8.0), M = 64, N = 32,\n"
    " *     1.5 us (predicted)\n";
static const char defines[] = "#define K_DEFINES \"-DA=1 \" \\\n    \"-DB=2\"\n";

static void macros_tell_the_size_of_a_row(void **state)
{
    (void)state;
    struct hone_shipped shipped;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_printf(
        &text,
        "/* Tuned configurations of the kernel k as macros. Emitted by hone "
        "0.1.0 (form 3): do not\n *     edit.\n%s */\n%s",
        macros, defines);
    load_text(&shipped, &text);
    assert_int_equal(shipped.count, 1);
    assert_true(shipped.predicted && shipped.rows[0].time_us == 1.5);
    assert_string_equal(shipped.kernel, "k");
    assert_string_equal(shipped.rows[0].device, "A us (x), B");
    static const char *const problem[] = {"M=64", "N=32", "T=f32"};
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(shipped.rows[0].problem[i], problem[i]);
    assert_null(shipped.rows[0].problem[3]);
    assert_string_equal(shipped.rows[0].config[1], "B=2");
    hone_shipped_fini(&shipped);
    hone_strbuf_fini(&text);
}

static void expect_refused(const char *form, const char *rows, const char *message)
{
    char text[1024];
    struct hone_shipped shipped;
    struct hone_error err = {0};
    snprintf(
        text, sizeof text,
        "/* Tuned configurations of the kernel k as macros. Emitted by hone 0.1.0%s: "
        "do not edit.\n%s */\n%s",
        form, rows, defines);
    assert_ok(hone_file_write(path, text, strlen(text), &err), err);
    assert_int_equal(hone_shipped_load(&shipped, path, &err), HONE_EINPUT);
    if (!strstr(err.text, message)) fail_msg("%s", err.text);
}

static void macros_without_one_size_a_row_are_refused(void **state)
{
    (void)state;
    expect_refused(" (form 3)",
                   " * Row 0: A (compute capability 8.0), the best on average for 3 "
                   "problems\n",
                   "row 0 of this header of macros stands for several sizes");
    expect_refused(" (form 2)", macros, "macros of this form tell no sizes");
    expect_refused("", macros, "macros of this form tell no sizes");
}

// A list that is copied for each row would need 9 GB here (hone_test.h has the limit).
static void memory_grows_with_the_rows_of_a_header(void **state)
{
    (void)state;
    enum { ROWS = 16000 };
    struct hone_shipped shipped;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, "/* Tuned configurations of the kernel k.\n");
    for (int i = 0; i < ROWS; i++)
        hone_strbuf_printf(&text, " * Row %d: M = %d\n *   1.5 us\n", i, i);
    hone_strbuf_add(&text, " */\n");
    for (int i = 0; i < ROWS; i++)
        hone_strbuf_printf(&text, "#define K_%d_DEFINES \"-DB=%d\"\n", i, i);
    load_text(&shipped, &text);
    assert_int_equal(shipped.count, ROWS);
    assert_string_equal(shipped.rows[ROWS - 1].problem[0], "M=15999");
    assert_string_equal(shipped.rows[ROWS - 1].config[0], "B=15999");
    hone_shipped_fini(&shipped);
    hone_strbuf_fini(&text);
}

static int make_file(void **state)
{
    (void)state;
    return close(mkstemp(path));
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_journal_without_a_device_is_of_any),
    cmocka_unit_test(a_header_of_defaults_is_told_from_no_header),
    cmocka_unit_test(a_weight_is_no_size),
    cmocka_unit_test(broken_lines_are_read_as_one),
    cmocka_unit_test(macros_of_the_problem_are_no_parameters),
    cmocka_unit_test(options_are_read_as_a_shell_reads_them),
    cmocka_unit_test(problems_of_any_text_are_read_back),
    cmocka_unit_test(texts_of_older_headers_are_read),
    cmocka_unit_test(macros_tell_the_size_of_a_row),
    cmocka_unit_test(macros_without_one_size_a_row_are_refused),
    cmocka_unit_test(memory_grows_with_the_rows_of_a_header),
};
HONE_TEST_MAIN_WITH(tests, make_file, remove_file)
