/* Text from outside at the places where it goes: every code point, and what each place
 * reads back. */
#include "hone_test.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/sink.h"
#include "hone/rng.h"

static size_t encode(char *text, uint32_t code)
{
    if (code < 0x80) {
        text[0] = (char)code;
        return 1;
    }
    const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; code >>= 6)
        text[i] = (char)(0x80 | (code & 0x3f));
    text[0] = (char)(first[length] | code);
    return length;
}

static bool is_surrogate(uint32_t code)
{
    return code >= 0xd800 && code <= 0xdfff;
}

static void every_code_point_is_read_and_nothing_else(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "\x80",         "\xc0\x80", "\xc1\xbf",  "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xc3",     "\xe2\x80",  "\xf4\x90\x80\x80",
        "\xf8\x88",     "\xff",     "\xe2(\xa1", "\xf0\x8f\xbf\xbf"};
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        char text[4];
        size_t length;
        const size_t size = encode(text, code);
        const uint32_t read = hone_utf8_next(text, size, &length);
        assert_int_equal(read, is_surrogate(code) ? HONE_NOT_UTF8 : code);
        if (!is_surrogate(code)) assert_int_equal(length, size);
    }
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        size_t length;
        const uint32_t read = hone_utf8_next(broken[i], strlen(broken[i]), &length);
        assert_int_equal(read, HONE_NOT_UTF8);
        assert_int_equal(length, 1);
    }
}

static void what_is_hidden_is_what_unicode_says(void **state)
{
    (void)state;
    static const uint32_t hidden[] = {0x1b,   0x7f,   0x85,   0x9b,   0xad,    0x61c,
                                      0x180e, 0x200b, 0x200f, 0x2028, 0x202a,  0x202e,
                                      0x2066, 0x2069, 0xfeff, 0xfff9, 0xe0001, 0xe007f};
    static const uint32_t seen[] = {' ',    'a',    0xa0,   0xe9,    0x3b1,
                                    0x2010, 0x20ac, 0x4e2d, 0x1f389, 0xfffd};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        assert_true(hone_is_hidden(hidden[i]));
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        assert_false(hone_is_hidden(seen[i]));
}

// Texts of all bytes, with more of those that mean something somewhere.
static void random_text(char *text, size_t size, struct hone_rng *rng)
{
    static const char odd[] = "*/\\?'\"$`#% \t\n\r<>&;|!~=:-.{}()";
    size_t n = (size_t)hone_rng_below(rng, size);
    text[n] = '\0';
    while (n--)
        text[n] = hone_rng_below(rng, 3) ? odd[hone_rng_below(rng, sizeof odd - 1)]
                                         : (char)(1 + hone_rng_below(rng, 255));
}

static void comments_and_html_cannot_be_left(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 1);
    for (int i = 0; i < 20000; i++) {
        char text[40];
        struct hone_strbuf out = HONE_STRBUF_INIT;
        random_text(text, sizeof text, &rng);
        hone_strbuf_add(&out, "/*");
        hone_sink_comment(&out, text);
        hone_strbuf_add(&out, " */");
        assert_ptr_equal(strstr(out.data + 2, "*/"), out.data + out.len - 2);
        assert_null(strstr(out.data + 1, "/*"));
        assert_null(strpbrk(out.data, "\\\n\r"));
        assert_null(strstr(out.data, "?\?"));
        assert_null(hone_find_hidden(out.data, false));
        hone_strbuf_clear(&out);
        hone_sink_html(&out, text);
        assert_null(strpbrk(out.data, "<>\"'"));
        assert_null(hone_find_hidden(out.data, true));
        hone_strbuf_clear(&out);
        hone_sink_visible(&out, text, strlen(text));
        assert_null(hone_find_hidden(out.data, true));
        hone_strbuf_fini(&out);
    }
}

static void a_uri_has_each_byte_and_only_safe_ones(void **state)
{
    (void)state;
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~";
    for (unsigned byte = 1; byte < 256; byte++) {
        struct hone_strbuf out = HONE_STRBUF_INIT;
        const char text[] = {(char)byte, '\0'};
        unsigned read = byte;
        hone_sink_uri(&out, text);
        if (strchr(safe, (int)byte)) {
            assert_string_equal(out.data, text);
        } else {
            assert_int_equal(sscanf(out.data, "%%%2X", &read), 1);
            assert_int_equal(out.len, 3);
        }
        assert_int_equal(read, byte);
        hone_strbuf_fini(&out);
    }
}

static char *shell_says(const char *script)
{
    static char folder[] = "/tmp/hone-sink-XXXXXX";
    char command[256], path[64], *said = NULL;
    struct hone_error err = {0};
    if (strchr(folder, 'X')) assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/s", folder);
    assert_int_equal(hone_file_write(path, script, strlen(script), &err), HONE_OK);
    snprintf(command, sizeof command, "sh %s > %s.out", path, path);
    assert_int_equal(system(command), 0);
    unlink(path);
    snprintf(path, sizeof path, "%s/s.out", folder);
    assert_int_equal(hone_file_read(&said, NULL, path, &err), HONE_OK);
    unlink(path);
    rmdir(folder);
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return said;
}

static void a_shell_reads_the_word_that_was_written(void **state)
{
    (void)state;
    struct hone_rng rng;
    struct hone_strbuf script = HONE_STRBUF_INIT, expected = HONE_STRBUF_INIT;
    hone_rng_seed(&rng, 2);
    for (int i = 0; i < 500; i++) {
        char text[24];
        random_text(text, sizeof text, &rng);
        hone_strbuf_add(&script, "printf '%s\\n' ");
        hone_sink_shell(&script, text);
        hone_strbuf_add(&script, "\n");
        hone_strbuf_printf(&expected, "%s\n", text);
    }
    char *said = shell_says(script.data);
    assert_string_equal(said, expected.data);
    free(said);
    hone_strbuf_fini(&script);
    hone_strbuf_fini(&expected);
}

static void make_finds_the_file_that_was_written(void **state)
{
    (void)state;
    static const char *const names[] = {"a b",  "a$b",     "a#b", "$HOME x", "a\\ b",
                                        "a\\b", "a\\\\ b", "a&b", "a'b\"c"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct hone_strbuf script = HONE_STRBUF_INIT, rule = HONE_STRBUF_INIT;
        hone_strbuf_add(&rule, "all: ");
        assert_true(hone_sink_make(&rule, names[i]));
        hone_strbuf_add(&script, "d=$(mktemp -d); cd $d; : > ");
        hone_sink_shell(&script, names[i]);
        hone_strbuf_add(&script, "; printf '%s\\n' ");
        hone_sink_shell(&script, rule.data);
        hone_strbuf_add(&script, " > M; make -s -f M 2>&1; ls | wc -l; rm -r $d");
        char *said = shell_says(script.data);
        if (!strstr(said, "2\n") || strstr(said, "***"))
            fail_msg("%s: %s", names[i], said);
        free(said);
        hone_strbuf_fini(&script);
        hone_strbuf_fini(&rule);
    }
    static const char *const none[] = {"a\nb", "a;touch b", "SHELL=b", "%.o", "*"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(hone_sink_make(&(struct hone_strbuf)HONE_STRBUF_INIT, none[i]));
}

static void faults_name_the_character_and_the_place(void **state)
{
    (void)state;
    char why[96];
    assert_null(hone_text_fault(why, sizeof why, "row \xc3\xa9", 10, false));
    assert_string_equal(hone_text_fault(why, sizeof why, "ab\xe2\x80\xae", 10, false),
                        "has the control or invisible character U+202E at byte 3");
    assert_string_equal(hone_text_fault(why, sizeof why, "a\xff", 10, false),
                        "is not UTF-8 at byte 2");
    assert_string_equal(hone_text_fault(why, sizeof why, "abcd", 3, false),
                        "has 4 bytes, over the limit of 3");
    assert_null(hone_text_fault(why, sizeof why, "a\nb", 10, true));
    assert_non_null(hone_text_fault(why, sizeof why, "a\nb", 10, false));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_code_point_is_read_and_nothing_else),
    cmocka_unit_test(what_is_hidden_is_what_unicode_says),
    cmocka_unit_test(comments_and_html_cannot_be_left),
    cmocka_unit_test(a_uri_has_each_byte_and_only_safe_ones),
    cmocka_unit_test(a_shell_reads_the_word_that_was_written),
    cmocka_unit_test(make_finds_the_file_that_was_written),
    cmocka_unit_test(faults_name_the_character_and_the_place),
};
HONE_TEST_MAIN(tests)
