/* What others wrote reaches a terminal as text: names, reasons, logs, scripts' messages.
 * Neither control nor invisible characters pass stdout or stderr of any command. */
#include "shown.h"

static size_t write_journals(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, HONE_SOURCE_DIR "/tests/golden/%s.jsonl", name);
    return write_journals_of(path, name, 1);
}

static void every_field_of_a_journal_is_shown_as_text(void **state)
{
    (void)state;
    size_t count = write_journals("odd") + write_journals("sgemm_h200_small");
    program_run_with(
        "for f in *.jsonl; do for c in show 'show --json' explain 'explain --json' "
        "diff 'diff --json' "
        "'emit --name k' "
        "'export --format t4' 'export --format kernel_tuner' "
        "'tune --quiet --budget 2 --device replay:'; do case $c in "
        "*:) \"$HONE\" $c$f ;; *) \"$HONE\" $c $f ;; esac >>out 2>>err </dev/null; "
        "echo $? >>codes; done; done;",
        "version");
    const struct ends ends = read_codes("codes");
    print_message("%zu journals, 10 commands each: %zu refused, %zu done\n", count,
                  ends.refused, ends.done);
    assert_true(count > 200 && ends.refused > 400 && ends.done > 200);
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
