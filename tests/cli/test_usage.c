// The program as a user meets it: help, exit codes, and a clear message for every kind of
// bad input.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "program.h"

static void help_names_every_command_and_exit_code(void **state)
{
    (void)state;
    static const char *const names[] = {
        "tune",    "emit", "space",   "check",  "show", "devices", "strategies",
        "version", "help", "explain", "report", "diff", "counters"};
    program_run("help");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "hone help --man tune"));
    assert_non_null(strstr(program.out, "hone help --completion bash"));
    assert_non_null(
        strstr(program.out, "exit codes: 0 done; 1 the work failed; 2 wrong use"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[64];
        program_run("help");
        assert_non_null(strstr(program.out, names[i]));
        snprintf(line, sizeof line, "help %s", names[i]);
        program_run(line);
        assert_int_equal(program.code, 0);
        assert_non_null(strstr(program.out, "usage: hone "));
        snprintf(line, sizeof line, "%s --help", names[i]);
        program_run(line);
        assert_int_equal(program.code, 0);
    }
}

// The first line is the version alone, for scripts; what is missing comes behind.
static void version_tells_what_compilers_are_shut_in_by(void **state)
{
    (void)state;
    program_run("version");
    assert_int_equal(program.code, 0);
    assert_int_equal(strncmp(program.out, "hone 0.", 7), 0);
    program_run("version --json");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "\"protections\": {"));
    assert_non_null(strstr(program.out, "\"process\": \"active\""));
    assert_non_null(strstr(program.out, "\"no_new_privs\": \"active\""));
    program_run_with("HONE_COMPILER_HELPER=", "version");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "\ncompilers run in this process, with all its "
                                        "rights: HONE_COMPILER_HELPER is empty\n"));
    program_run_with("HONE_COMPILER_HELPER=/bin/true", "version --json");
    assert_int_equal(program.code, 0);
    assert_null(strstr(program.out, "\"active\""));
}

static void no_command_is_wrong_use(void **state)
{
    (void)state;
    program_run("");
    assert_int_equal(program.code, 2);
}

struct bad {
    const char *args, *message;
};

static void expect_refused(const struct bad *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        program_run(cases[i].args);
        if (program.code != 2 || !strstr(program.err, cases[i].message))
            fail_msg("hone %s\n  ended with %d and said: %s  expected: %s", cases[i].args,
                     program.code, program.err, cases[i].message);
        assert_int_equal(strncmp(program.err, "hone: ", 6), 0);
    }
}

static void wrong_words_are_refused_with_a_suggestion(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"tunes", "unknown command 'tunes'; did you mean 'tune'?"},
        {"frobnicate", "unknown command 'frobnicate'; 'hone help' lists them"},
        {"help tunes", "unknown command 'tunes'; did you mean 'tune'?"},
        {"tune x.lua --buget 3", "unknown option '--buget'; did you mean '--budget'?"},
        {"tune x.lua -z", "unknown option '-z'"},
        {"tune x.lua --budget", "--budget needs a value: N|TIME"},
        {"tune x.lua --budget ten",
         "--budget wants a number of evaluations (200) or a time"},
        {"tune x.lua --budget 0",
         "--budget wants a number of evaluations (200) or a time"},
        {"check x.lua --sample 0", "--sample wants a whole number above 0, got '0'"},
        {"tune x.lua --seed -1", "--seed wants a whole number, got '-1'"},
        {"tune x.lua --json=yes", "--json takes no value"},
        {"tune", "the script is missing"},
        {"tune a.lua b.lua", "'b.lua' is one argument too many"},
        {"tune x.lua --strategy greedyils", "did you mean 'greedy_ils'?"},
        {"tune x.lua --strategy magic", "unknown strategy 'magic'"},
        {"tune x.lua --resume", "--resume needs --journal FILE"},
        {"devices x", "'x' is one argument too many"},
        {"help tune extra", "'extra' is one argument too many"},
        {"--json devices", "option '--json' and no command before it"},
        {"--color always", "option '--color' and no command before it"},
        {"--color=sometimes devices", "got 'sometimes'"},
    };
    expect_refused(cases, sizeof cases / sizeof *cases);
}

// By the names that journals get by themselves.
static void resume_alone_names_the_journal_that_is_there(void **state)
{
    (void)state;
    program_run_with("touch rows-emu_h200.jsonl rowsum-emu_h200.jsonl rows-emu_h200.h;",
                     "tune scripts/rows.lua --resume");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "needs --journal FILE to go on with: "
                                        "'rows-emu_h200.jsonl' is here\n"));
    program_run_with("touch rows-emu_a100.jsonl rows-emu_a100-2.jsonl;",
                     "tune scripts/rows.lua --resume");
    assert_non_null(strstr(program.err, "'rows-emu_a100-2.jsonl' is here, and 2 more\n"));
    program_run("tune row.lua --resume");
    assert_non_null(strstr(program.err, "needs --journal FILE to go on with\n"));
}

// Whatever the word is of: all options with choices have one parser.
static void a_wrong_choice_lists_the_choices(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"tune x.lua --isolate maybe", "--isolate wants yes, no or auto, got 'maybe'"},
        {"compare x.h --isolate YES", "--isolate wants yes, no or auto, got 'YES'"},
        {"tune x.lua --sustained=on", "--sustained wants yes, no or auto, got 'on'"},
        {"tune x.lua --l2 hot", "--l2 wants cold or warm, got 'hot'"},
        {"worker --clock cupty",
         "--clock wants auto, cupti, event or graph, got 'cupty'; "
         "did you mean 'cupti'?"},
        {"tune x.lua --objective energ", "--objective wants time, energy, edp or "
                                         "flops_per_watt, got 'energ'; did you mean "
                                         "'energy'?"},
        {"bench strategies x.jsonl --on-strategy-error go", "wants random or stop"},
        {"emit x.jsonl --payload image", "--payload wants none, source, ptx or cubin"},
        {"import x.json --from t3", "--from wants kernel_tuner, t4, hone, t1 or auto"},
        {"export x.jsonl --to t1", "--to wants kernel_tuner, t4, csv or jsonl, got 't1'"},
    };
    expect_refused(cases, sizeof cases / sizeof *cases);
    program_run("help tune");
    assert_non_null(strstr(program.out, "  --isolate yes|no|auto"));
    program_run("help --man tune");
    assert_non_null(strstr(program.out, "isolate\\fR \\fIyes|no|auto\\fR"));
}

static void a_wrong_time_or_size_says_how_one_is_written(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"tune x.lua --launch-deadline 30",
         "--launch-deadline wants a time above 0 with its unit (30s, 5m, 2h), got '30'"},
        {"tune x.lua --build-deadline 0s", "--build-deadline wants a time above 0"},
        {"check x.lua --launch-deadline soon", "got 'soon'"},
        {"header x.lua --budget 200", "--budget wants a time above 0 with its unit"},
        {"tune x.lua --strategy-timeout 0", "--strategy-timeout wants a time above 0"},
        {"tune x.lua --max-memory lots", "--max-memory wants a size in bytes"},
        {"cache --max-size -1", "--max-size wants a size in bytes (500M, 2G, 1.5GiB)"},
        {"cache --evict-older-than 30days", "--evict-older-than wants a time above 0"},
        {"compare x.h --tolerance 100%", "--tolerance wants a part like 3%, got '100%'"},
    };
    expect_refused(cases, sizeof cases / sizeof *cases);
}

static void kernels_that_come_along_are_taken_by_name(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"space sgem", "no script 'sgem'; did you mean the installed kernel 'sgemm'?"},
        {"space frobnicate", "frobnicate"},
        {"kernels sgem", "no installed kernel 'sgem'; did you mean 'sgemm'?"},
        {"kernels frobnicate", "'hone kernels' lists them"},
        {"check masked", "no script 'masked'; did you mean 'masked.lua'?"},
        {"check kernels/sgemm.lua", "is taken by name: hone check sgemm\n"},
        {"tune sgemm.lua", "is taken by name: hone tune sgemm\n"},
        {"tune away/sgemm.cu.lua", "sgemm.cu.lua"},
    };
    setenv("HONE_KERNELS", HONE_SOURCE_DIR "/kernels", 1);
    program_run("kernels");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "  Matrix product in fp32 on"));
    program_run("kernels --json");
    assert_non_null(strstr(program.out, "/kernels/sgemm.lua\""));
    program_run("space sgemm --device emu:a100 --json");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "/kernels/sgemm.lua\",\n"));
    program_run("kernels sgemm");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "in fp64\n  script      "));
    assert_non_null(strstr(program.out, "hone space sgemm lists them\n  page        "
                                        "docs/templates/sgemm.md\n"));
    program_run("kernels sgemm --json");
    assert_non_null(strstr(program.out, "\"parameters\": 1"));
    program_run_with("touch masked.lua;", "version");
    expect_refused(cases, sizeof cases / sizeof *cases);
    // A file of that name is meant before a kernel is.
    program_run("version; echo 'error(\"mine\")' > sgemm");
    program_run("space sgemm");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "mine"));
    setenv("HONE_KERNELS", "/nowhere", 1);
    program_run("kernels");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "no kernels are installed in '/nowhere'"));
    unsetenv("HONE_KERNELS");
}

static void missing_files_and_devices_are_named(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"space nowhere.lua", "nowhere.lua"},
        {"tune nowhere.lua --device emu:h200", "nowhere.lua"},
        {"show nowhere.jsonl", "nowhere.jsonl"},
        {"emit nowhere.jsonl", "nowhere.jsonl"},
        {"emit $SOURCE/tests/golden/sgemm_emu.jsonl",
         "sgemm_emu.jsonl:1: this journal holds predictions"},
        {"tune --device replay:nowhere.jsonl", "nowhere.jsonl"},
        {"space $SOURCE/tests/cli/scripts/tiny.lua --device emu:h2000", "h200"},
        {"space $SOURCE/tests/cli/scripts/tiny.lua --device gpu", "gpu"},
        {"space $SOURCE/tests/cli/scripts/tiny.lua --set Q=1", "Q"},
        {"space $SOURCE/tests/cli/scripts/tiny.lua --set A",
         "--set wants NAME=VALUE, got 'A'"},
        {"space $SOURCE/tests/cli/scripts/tiny.lua --set A=",
         "--set A=: parameter 'A' has the values 1, 2, 4"},
        {"tune $SOURCE/tests/cli/scripts/tiny.lua --device emu:h200", "without a kernel"},
        {"tune x.lua -o /nowhere/x.h", "cannot write '/nowhere/x.h'"},
        {"tune x.lua -o /tmp", "it is a folder"},
    };
    expect_refused(cases, sizeof cases / sizeof *cases);
}

static void broken_journals_are_refused_with_file_and_line(void **state)
{
    (void)state;
    program_run(
        "version; echo 'no journal' > bad.jsonl; "
        "echo '{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":"
        "[{\"name\":\"A\",\"values\":[1,2]}]}' > value.jsonl; "
        "echo '{\"config\":[7],\"outcome\":\"valid\",\"time_us\":1}' >> value.jsonl; "
        "echo '{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1}' >> value.jsonl");
    static const struct bad cases[] = {
        {"show bad.jsonl", "bad.jsonl:1:"},
        {"show value.jsonl", "value.jsonl:2:"},
        {"tune --device replay:value.jsonl", "value.jsonl:2:"},
    };
    expect_refused(cases, sizeof cases / sizeof *cases);
}

static void a_script_that_never_ends_is_stopped(void **state)
{
    (void)state;
    program_run(
        "version; echo 'while true do end' > loop.lua; "
        "echo 'local t = {} while true do t[#t+1] = (\"x\"):rep(1e6)..#t end' > eat.lua");
    program_run("space loop.lua --max-instructions 100000");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "loop.lua:1:"));
    program_run("space eat.lua --max-memory 50M");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "memory"));
}

// Messages are golden in lua.script; here it is what every user sees of them. What a
// script returns, and memory that ran out, have no line.
static void broken_scripts_end_with_code_2_and_their_place(void **state)
{
    (void)state;
    program_run("version > /dev/null; cd $SOURCE; for f in tests/lua/bad/*.lua; do "
                "\"$HONE\" check $f --device emu:a100 --quiet --max-instructions 3000000 "
                "--max-memory 8M >/dev/null 2>$OLDPWD/one; "
                "echo $? $(sed -n \"s|^hone: .*\\.lua:[0-9]*: ..*|line|p;"
                "s|^hone: .*\\.lua: ..*|file|p\" $OLDPWD/one) $f; done");
    size_t scripts = 0, lines = 0;
    for (char *row = strtok(program.out, "\n"); row; row = strtok(NULL, "\n")) {
        const bool line = strncmp(row, "2 line tests/", 13) == 0;
        if (!line && strncmp(row, "2 file tests/", 13) != 0) fail_msg("%s", row);
        scripts++;
        lines += line;
    }
    assert_true(scripts > 120 && lines + 10 > scripts);
}

static void a_full_disk_is_a_failure_of_the_work(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) SKIP("no /dev/full here");
    program_run("devices > /dev/full");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.err, "cannot write to standard output"));
}

static void space_counts_are_printed(void **state)
{
    (void)state;
    program_run("space $SOURCE/tests/cli/scripts/tiny.lua --device emu:a100 --sample 2");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "18 combinations, 9 valid"));
    assert_non_null(strstr(program.out, "A % B == 0"));
    assert_non_null(strstr(program.out, "sample of 2"));
    program_run("space $SOURCE/tests/cli/scripts/tiny.lua --set A=4 --json");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "\"valid\": 4"));
    program_run("space $SOURCE/tests/cli/scripts/tiny.lua --set A=4.0 --json");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "\"valid\": 4"));
}

static void counters_say_what_they_lack(void **state)
{
    (void)state;
    program_run("counters --json");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "of one chip: which?"));
    program_run("counters emu:nothing");
    assert_int_equal(program.code, 2);
    for (int named = 0; named < 2; named++) {
        program_run_with("export HONE_CUPTI=/nowhere;",
                         named ? "counters GA100" : "counters");
        assert_int_equal(program.code, 1);
        assert_string_equal(program.out, "");
        assert_non_null(strstr(program.err, "HONE_CUPTI"));
    }
}

static void devices_and_strategies_are_listed(void **state)
{
    (void)state;
    program_run("devices");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "emu:h200"));
    program_run("devices --json");
    assert_non_null(strstr(program.out, "\"sm_count\": 132"));
    program_run("strategies");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "greedy_ils"));
    program_run("strategies --json");
    assert_non_null(strstr(program.out, "\"strategy\": \"random\""));
}

#define INERT "space $SOURCE/tests/cli/scripts/inert.lua --device emu:h200 --lint --json"

static void parameters_that_change_nothing_are_named(void **state)
{
    (void)state;
    static const char idle[] = "\"parameter\": \"IDLE\"",
                      same[] = "\"parameter\": \"SAME\"";
    program_run("version; HONE_NVRTC=/nowhere \"$HONE\" " INERT);
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.err, "judged by sources only"));
    assert_non_null(strstr(program.out, idle));
    assert_null(strstr(program.out, "\"parameter\": \"WIDE\""));
    assert_null(strstr(program.out, "\"parameter\": \"BLOCK\""));
    assert_null(strstr(program.out, same)); // it takes the compiler to see that
    program_run(INERT);
    assert_int_equal(program.code, 0);
    if (strstr(program.err, "judged by sources only")) SKIP("no NVRTC here");
    assert_non_null(strstr(program.out, idle));
    assert_non_null(strstr(program.out, same));
    assert_null(strstr(program.out, "\"parameter\": \"WIDE\""));
    assert_null(strstr(program.out, "\"parameter\": \"BLOCK\""));
}

// Nothing is listed, or something empty: none of it stands for a device, a file or a name.
static void empty_lists_are_wrong_use(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "check $SOURCE/kernels/sgemm.lua --sample 1 --device",
        "tune $SOURCE/kernels/sgemm.lua --budget 1 --device",
        "tune $SOURCE/kernels/sgemm.lua --budget 1 --isolate yes --device",
        "space $SOURCE/kernels/sgemm.lua --device",
        "header $SOURCE/kernels/sgemm.lua --tune --budget 1s -o x.h --device",
        "worker --device",
        "tune $SOURCE/kernels/sgemm.lua --budget 1 --worker",
        "tune $SOURCE/kernels/sgemm.lua --device emu:h200 --budget 1 --strategy",
        "tune $SOURCE/kernels/sgemm.lua --device emu:h200 --budget 1 --journal",
        "tune $SOURCE/kernels/sgemm.lua --device emu:h200 --budget 1 --warm",
        "tune $SOURCE/kernels/sgemm.lua --device emu:h200 --budget 1 --problems",
        "tune $SOURCE/kernels/sgemm.lua --device emu:h200 --budget 1 --set",
        "bench strategies $SOURCE/tests/golden/plain.jsonl --strategies",
        "emit $SOURCE/tests/golden/plain.jsonl -o",
        "export $SOURCE/tests/golden/plain.jsonl --to",
        "show",
        "emit",
        "import",
        "bench strategies",
    };
    static const char *const empty[] = {"''", "','", "' '", "',,'", "'\t'", "', '"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        for (size_t e = 0; e < sizeof empty / sizeof *empty; e++) {
            char line[256];
            // A file may be called ",".
            const char *end = strrchr(commands[i], ' ');
            const bool file = strcmp(end ? end : "", " -o") == 0 ||
                              strcmp(end ? end : "", " --journal") == 0;
            if (file && strchr(empty[e], ',')) continue;
            snprintf(line, sizeof line, "%s %s </dev/null", commands[i], empty[e]);
            program_run_with("exec timeout 60", line);
            const int wanted = strncmp(line, "worker", 6) == 0 ? 1 : 2;
            if (program.code != 2 && program.code != wanted)
                fail_msg("hone %s ended with %d: %s", line, program.code, program.err);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(empty_lists_are_wrong_use),
    cmocka_unit_test(help_names_every_command_and_exit_code),
    cmocka_unit_test(version_tells_what_compilers_are_shut_in_by),
    cmocka_unit_test(no_command_is_wrong_use),
    cmocka_unit_test(wrong_words_are_refused_with_a_suggestion),
    cmocka_unit_test(resume_alone_names_the_journal_that_is_there),
    cmocka_unit_test(a_wrong_choice_lists_the_choices),
    cmocka_unit_test(a_wrong_time_or_size_says_how_one_is_written),
    cmocka_unit_test(kernels_that_come_along_are_taken_by_name),
    cmocka_unit_test(missing_files_and_devices_are_named),
    cmocka_unit_test(broken_journals_are_refused_with_file_and_line),
    cmocka_unit_test(a_script_that_never_ends_is_stopped),
    cmocka_unit_test(broken_scripts_end_with_code_2_and_their_place),
    cmocka_unit_test(a_full_disk_is_a_failure_of_the_work),
    cmocka_unit_test(space_counts_are_printed),
    cmocka_unit_test(devices_and_strategies_are_listed),
    cmocka_unit_test(counters_say_what_they_lack),
    cmocka_unit_test(parameters_that_change_nothing_are_named),
};

HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
