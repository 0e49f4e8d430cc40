/* What others wrote reaches a terminal as text: names, reasons, logs, scripts' messages.
 * Neither control nor invisible characters pass stdout or stderr of any command. */
#include "hostile_journal.h"

#include "base/file.h"
#include "base/sink.h"
#include "program.h"

// Escape sequences, a bell, C1 controls, overriding directions, what is not seen.
#define HOSTILE                                                                          \
    "\x1b]0;t\x07\x1b[2J\xc2\x9b\x33\x31m \xe2\x80\xae"                                  \
    "a\xe2\x80\x8b \"'%n*/\x7f<b>"

static void assert_shows_all(const char *name, const char *text)
{
    const char *at = hone_find_hidden(text, true);
    if (at) fail_msg("%s: hidden at %zu: %.80s", name, (size_t)(at - text), at);
    if (strchr(text, '\r')) fail_msg("%s has a carriage return", name);
}

static void assert_file_shows_all(const char *name, size_t least)
{
    char *text = program_file(name);
    assert_non_null(text);
    assert_shows_all(name, text);
    if (strlen(text) < least) fail_msg("%s: %s", name, text);
    free(text);
}

static size_t write_journals(const char *name)
{
    char path[512], *journal;
    struct hone_error err = {0};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    size_t count = 0;
    snprintf(path, sizeof path, HONE_SOURCE_DIR "/tests/golden/%s.jsonl", name);
    assert_int_equal(hone_file_read(&journal, NULL, path, &err), HONE_OK);
    for (size_t line = 0; line < 2; line++)
        for (long place = 0; make_journal(&text, journal, line, place, HOSTILE);
             place++) {
            snprintf(path, sizeof path, "%s/%s-%zu.jsonl", program.folder, name, count++);
            assert_int_equal(hone_file_write(path, text.data, text.len, &err), HONE_OK);
        }
    hone_strbuf_fini(&text);
    free(journal);
    return count;
}

static void every_field_of_a_journal_is_shown_as_text(void **state)
{
    (void)state;
    size_t count = write_journals("odd") + write_journals("sgemm_h200_small");
    program_run_with(
        "for f in *.jsonl; do for c in show 'show --json' 'emit --name k' "
        "'export --format t4' 'export --format kernel_tuner' "
        "'tune --quiet --budget 2 --device replay:'; do case $c in "
        "*:) \"$HONE\" $c$f ;; *) \"$HONE\" $c $f ;; esac >>out 2>>err </dev/null; "
        "echo $? >>codes; done; done;",
        "version");
    char *codes = program_file("codes");
    size_t refused = 0, done = 0;
    assert_non_null(codes);
    for (const char *p = codes; *p; p += 2) {
        if ((*p != '0' && *p != '1' && *p != '2') || p[1] != '\n')
            fail_msg("a command ended with %.4s", p);
        refused += *p == '2';
        done += *p == '0';
    }
    free(codes);
    print_message("%zu journals, 6 commands each: %zu refused, %zu done\n", count,
                  refused, done);
    assert_true(count > 200 && refused > 400 && done > 200);
    assert_file_shows_all("out", 100000);
    assert_file_shows_all("err", 10000);
}

static void scripts_and_file_names_are_shown_as_text(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "show \"$(printf '\\033[31mx\\342\\200\\256.jsonl')\"",
        "tune \"$(printf '\\033[31m.lua')\"",
        "\"$(printf '\\033]0;t\\007')\"",
        "space print.lua",
        "space error.lua",
        "space syntax.lua",
        "space names.lua",
        "space value.lua",
        "space expression.lua",
        "tune $SOURCE/tests/cli/scripts/tiny.lua --strategy \"exec:printf "
        "'\\033[31m\\n'\" "
        "--device replay:$SOURCE/tests/golden/plain.jsonl",
    };
    program_run_with(
        "printf 'print(\"\\\\27[31m\\\\u{202e}\")' > print.lua; "
        "printf 'error(\"\\\\27[31m\\\\u{202e}\")' > error.lua; "
        "printf 'local \\033[31m = 1' > syntax.lua; "
        "printf 'return (require \"hone\").space { tune = { [\"\\\\27[31m\"] = {1} } }' "
        "> names.lua; "
        "printf 'return (require \"hone\").space { tune = { A = {\"\\\\u{202e}\"} } }' "
        "> value.lua; "
        "printf 'return (require \"hone\").space { tune = { A = {1} }, "
        "where = { \"A == '\"'\"'\\\\u{202e}'\"'\"'\" } }' > expression.lua;",
        "version");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        program_run(commands[i]);
        if (program.code != 2)
            fail_msg("%s: %d %s", commands[i], program.code, program.err);
        assert_shows_all(commands[i], program.out);
        assert_shows_all(commands[i], program.err);
    }
    program_run("space value.lua");
    assert_non_null(strstr(program.err, "value.lua:1: "));
    assert_non_null(strstr(program.err, "U+202E"));
    program_run("space expression.lua");
    assert_non_null(strstr(program.err, "expression.lua:1: "));
    assert_non_null(strstr(program.err, "U+202E"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_field_of_a_journal_is_shown_as_text),
    cmocka_unit_test(scripts_and_file_names_are_shown_as_text),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
