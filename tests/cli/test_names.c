/* What others wrote reaches a terminal as text: names, reasons, logs, scripts' messages.
 * Neither control nor invisible characters pass stdout or stderr of any command. */
#include "shown.h"

#include "base/ascii.h"

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

// The commands that read a journal besides: tables, reports, other recordings, searches
// that begin with it.
static void every_field_is_shown_as_text_by_all_readers(void **state)
{
    (void)state;
    const size_t count = write_journals_of(HONE_SOURCE_DIR "/tests/golden/odd.jsonl",
                                           "rest", hone_test_one_of(5)) +
                         write_journals_of(HONE_SOURCE_DIR "/tests/golden/plain.jsonl",
                                           "more", hone_test_one_of(5));
    program_run_with(
        "rm -f out err codes; for f in rest-*.jsonl more-*.jsonl; do for c in "
        "'show --watch' 'show --metrics --importance' 'report -o -' "
        "'export --to csv -o -' 'export --to jsonl -o -' "
        "'import --from hone -o made.jsonl' "
        "'bench strategies --strategies random --repeats 1' "
        "'tune --quiet --budget 2 --device replay:$SOURCE/tests/golden/plain.jsonl "
        "--warm' "
        "'diff $SOURCE/tests/golden/odd.h' 'emit --shape macros'; do "
        "rm -f made.jsonl; eval \"set -- $c\"; \"$HONE\" \"$@\" $f >>out 2>>err "
        "</dev/null; echo $? >>codes; done; done;",
        "version");
    const struct ends ends = read_codes("codes");
    print_message("%zu journals, 10 commands each: %zu refused, %zu failed, %zu done\n",
                  count, ends.refused, ends.failed, ends.done);
    assert_true(count > 20 && ends.refused > 4 * count && ends.done > count);
    assert_file_shows_all("out", 10000);
    assert_file_shows_all("err", 10000);
}

// A file with HOSTILE in the place of each '@', as JSON escapes it.
static void write_events(const char *name, const char *event)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", program.folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (; *event; event++) {
        if (*event != '@') fputc(*event, file);
        for (const char *p = HOSTILE; *event == '@' && *p; p++)
            if (hone_is_control(*p) || *p == '"')
                fprintf(file, "\\u%04x", (unsigned char)*p);
            else
                fputc(*p, file);
    }
    fputc('\n', file);
    assert_int_equal(fclose(file), 0);
}

static void a_campaigns_folder_is_shown_as_text(void **state)
{
    (void)state;
    static const char *const events[] = {
        "{\"event\":\"begin\",\"host\":\"@\"}",
        "{\"event\":\"end\",\"code\":1,\"reason\":\"@\"}",
        "{\"event\":\"end\",\"code\":0,\"@\":\"@\"}",
        "{\"event\":\"@\"}",
        "{\"event\":\"begin\",\"job\":\"@\"}",
        "{\"event\":\"end\",\"code\":\"@\"}",
        "@"};
    enum { EVENTS = sizeof events / sizeof *events };
    for (size_t i = 0; i < EVENTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "events-%zu", i);
        write_events(name, events[i]);
    }
    program_run_with(
        "printf 'return require(\"hone\").campaign { kernels = { { script = \"'$SOURCE'"
        "/tests/cli/scripts/scale.lua\", problems = { { N = 5000 } } } }, "
        "devices = { { id = \"emu:a100\" } } }' >c.lua; "
        "d=$(\"$HONE\" campaign plan c.lua --json | sed -n "
        "'s/.*\"folder\": \"\\(.*\\/scale-[^\"]*\\)\".*/\\1/p'); mkdir -p $d; rm -f out "
        "err "
        "codes; for f in events-*; do cp $f $d/events.jsonl; for c in status "
        "'status --json' 'merge --accept-predicted' 'cancel --json' 'retry'; do "
        "set -- $c; a=$1; shift; \"$HONE\" campaign $a c.lua \"$@\" >>out 2>>err; echo "
        "$? >>codes; done; done;",
        "version");
    const struct ends ends = read_codes("codes");
    print_message("%d folders, 5 commands each: %zu refused, %zu done\n", EVENTS,
                  ends.refused, ends.done);
    assert_int_equal(ends.failed, 0);
    assert_true(ends.refused >= 3 * 5 && ends.done >= 3 * 5);
    assert_file_shows_all("out", 1000);
    assert_file_shows_all("err", 100);
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
    cmocka_unit_test(every_field_is_shown_as_text_by_all_readers),
    cmocka_unit_test(a_campaigns_folder_is_shown_as_text),
    cmocka_unit_test(scripts_and_file_names_are_shown_as_text),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
