// hone campaign from outside: a campaign of the smallest kernel on emulated devices runs,
// is interrupted, goes on and is told of.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

static void write_campaign(const char *lines)
{
    char path[128];
    snprintf(path, sizeof path, "%s/c.lua", program.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "local hone = require \"hone\"\n"
            "return hone.campaign {\n"
            "    kernels = { { script = \"" HONE_SOURCE_DIR
            "/tests/cli/scripts/scale.lua\",\n"
            "        set = { MODE = 0 }, problems = { { N = 5000 }, { N = 700 } } } },\n"
            "%s\n}\n",
            lines);
    assert_int_equal(fclose(file), 0);
    program_run_with("rm -rf c.runs; export HONE_CACHE=cache;", "version");
    assert_int_equal(program.code, 0);
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)) != NULL; text += strlen(what))
        n++;
    return n;
}

static void expect(const char *line, int code, const char *out)
{
    program_run_with("export HONE_CACHE=cache;", line);
    if (program.code != code || !strstr(program.out, out))
        fail_msg("hone %s: %d\n%s%s", line, program.code, program.out, program.err);
}

#define TWO "devices = { { id = \"emu:a100\", at_once = 2 }, { id = \"emu:h100\" } }, "

static void a_campaign_is_planned_run_and_told_of(void **state)
{
    (void)state;
    need_nvrtc();
    write_campaign(TWO "budget = 3");
    expect("campaign plan c.lua", 0, "4 runs, 4 waiting\n");
    assert_non_null(strstr(program.out, "how long that takes is not known"));
    expect("campaign run c.lua", 0, "4 begun: 4 done, 0 failed\n");
    assert_int_equal(count(program.err, " begun "), 4);
    expect("campaign status c.lua", 0, "4 runs, 4 done\n");
    assert_int_equal(count(program.out, " us (predicted), "), 4);
    expect("campaign run c.lua", 0, "nothing to do");
    expect("campaign status c.lua --json", 0, "\"done\": 4,");
    expect("show c.runs/scale-*/journal.jsonl", 0, "3 trials");
}

// Without a run: plan counts what was chosen, and changes nothing.
static void counts_are_of_the_chosen_runs(void **state)
{
    (void)state;
    char id[17] = "", line[96];
    write_campaign(TWO "budget = 3");
    expect("campaign plan c.lua --json", 0, "\"waiting\": 4");
    const char *const found = strstr(program.out, "\"run\": \"");
    assert_non_null(found);
    assert_int_equal(sscanf(found, "\"run\": \"%16[0-9a-f]", id), 1);
    for (size_t i = 0; i < 2; i++) {
        const char *const action = i ? "status" : "plan";
        snprintf(line, sizeof line, "campaign %s c.lua --run %s", action, id);
        expect(line, 0, "\n1 run, 1 waiting\n");
        assert_int_equal(count(program.out, " waiting"), 2);
        snprintf(line, sizeof line, "campaign %s c.lua --json --run %s", action, id);
        expect(line, 0, "\"waiting\": 1,");
    }
}

static void another_budget_is_another_run(void **state)
{
    (void)state;
    need_nvrtc();
    write_campaign(TWO "budget = 2");
    expect("campaign run c.lua", 0, "4 done");
    program_run_with("sed -i 's/budget = 2/budget = 3/' c.lua;", "campaign status c.lua");
    assert_non_null(strstr(program.out, "4 runs, 4 waiting\n"));
    assert_non_null(strstr(program.out, "4 runs of before a change"));
}

// The tuner's process, too, is gone with the campaign's, however that ends.
// The signal comes after the first trial. Where a busy machine sees that too late, when all
// is done, it is tried anew; a second run that is killed before it measured anything has
// failed once.
static void interrupt_a_campaign(const char *signal, int code)
{
    char line[1024], ended[32];
    snprintf(line, sizeof line,
             "export HONE_CACHE=cache; \"$HONE\" campaign run c.lua & p=$!; until grep "
             "-q '\"config\"' c.runs/*/journal.jsonl 2>/dev/null; do sleep 0.05; done; "
             "kill -%s $p; wait $p; echo code $?;",
             signal);
    snprintf(ended, sizeof ended, "code %d\n", code);
    for (int tries = 0; tries < 20; tries++) {
        write_campaign("devices = { { id = \"emu:a100\" } }, budget = 4, tries = 2");
        program_run_with(line, "campaign status c.lua");
        if (!strstr(program.out, "code 0\n")) break;
    }
    if (!strstr(program.out, ended) || strstr(program.out, "  failed  "))
        fail_msg("%s: %s%s", signal, program.out, program.err);
}

static void a_killed_campaign_goes_on_with_its_journals(void **state)
{
    (void)state;
    need_nvrtc();
    static const char *const signals[] = {"TERM", "INT", "KILL"};
    static const int codes[] = {143, 130, 137};
    for (int i = 0; i < 3; i++) {
        interrupt_a_campaign(signals[i], codes[i]);
        // A fast run may have come to its end just before the signal.
        expect("campaign run c.lua", 0, "");
        expect("campaign status c.lua", 0, "2 runs, 2 done\n");
        program_run_with("grep -h '\"config\"' c.runs/*/journal.jsonl | grep -c valid;",
                         "version");
        // 4 of each, and those that were compared at the tuned size once more.
        const int lines = atoi(program.out);
        assert_in_range(lines, 8, 16);
        program_run_with("for j in c.runs/*/journal.jsonl; do \"$HONE\" show $j; done;",
                         "version");
        assert_int_equal(count(program.out, "4 trials"), 2);
    }
}

static void runs_are_cancelled_and_tried_again(void **state)
{
    (void)state;
    need_nvrtc();
    write_campaign("devices = { { id = \"emu:a100\" } }, budget = 2");
    expect("campaign cancel c.lua", 0, "2 runs cancelled");
    expect("campaign run c.lua", 0, "");
    expect("campaign status c.lua", 0, "2 runs, 2 cancelled\n");
    expect("campaign retry c.lua", 0, "2 runs may be tried again");
    expect("campaign run c.lua", 0, "2 begun: 2 done, 0 failed\n");
}

static void commands_are_printed_and_do_their_run(void **state)
{
    (void)state;
    need_nvrtc();
    write_campaign("devices = { { id = \"emu:a100\", via = \"print\" } }, budget = 2");
    expect("campaign run c.lua", 0, " campaign run ");
    assert_int_equal(count(program.out, "\n"), 2);
    program_run_with(
        "export HONE_CACHE=cache; \"$HONE\" campaign run c.lua >list; cat list "
        "list >twice; sh -e twice;",
        "campaign status c.lua");
    if (!strstr(program.out, "2 runs, 2 done\n"))
        fail_msg("%s%s", program.out, program.err);
    assert_int_equal(count(program.err, " begun "), 2);
}

// Those of other kernels lie in a GPU's folder as well, of any version of hone; what is no
// journal at all is told and ends nothing there.
static void others_journals_leave_a_header_alone(void)
{
    const char *const header =
        "header $SOURCE/kernels/convolution.lua --results results -o other.h";
    expect(header, 0, "not tuned");
    assert_null(strstr(program.err, "not used"));
    program_run_with("for j in results/a100/*.jsonl; do sed '1s/\"hone_version\": "
                     "*\"[^\"]*\"/\"hone_version\":\"0.0.9\"/' $j >old; mv old $j; done; "
                     "grep -c 0.0.9 results/a100/*.jsonl;",
                     "version");
    assert_null(strstr(program.out, ":0\n"));
    expect(header, 0, "not tuned");
    assert_null(strstr(program.err, "not used"));
    program_run_with("echo '{\"some\":\"log\"}' >results/a100/log.jsonl;", "version");
    expect(header, 0, "not tuned");
    assert_non_null(strstr(program.err, "not used: results/a100/log.jsonl: "));
    assert_int_equal(count(program.err, "not used"), 1);
    program_run_with("mv results/a100/log.jsonl results;", "version");
    program_run(header); // a folder of this kernel's own
    assert_int_equal(program.code, 2);
}

// Whoever does the runs, in whatever order and however many at once.
static void the_same_seeds_give_the_same_bytes(void **state)
{
    (void)state;
    need_nvrtc();
    write_campaign(TWO "budget = 3");
    program_run_with("rm -rf one results;", "version");
    expect("campaign run c.lua", 0, "4 done");
    expect("campaign merge c.lua --rows 1", 0, "no header: ");
    expect("campaign merge c.lua --rows 1 --accept-predicted", 0,
           "scale on a100: 2 problems of 2 runs, predicted\n");
    assert_int_equal(count(program.out, "/scale.predicted.h\n"), 2);
    program_run_with("mv results one; rm -rf c.runs;", "version");
    expect("campaign run c.lua --engine local --at-once 1", 0, "4 done");
    expect("campaign merge c.lua --rows 1 --accept-predicted --json", 0,
           "\"missing\": 0,");
    program_run_with("diff -r one results && ls results/*/* | wc -l;", "version");
    if (strncmp(program.out, "6\n", 2) != 0) fail_msg("%s%s", program.out, program.err);
    // Two trials are shipped of each run, and the header says that there were three.
    program_run_with(
        "grep -c '\"config\"' one/a100/scale-N5000.predicted.jsonl; grep -c ' 3 "
        "evaluated, 3 of them valid' one/a100/scale.predicted.h;",
        "version");
    if (strncmp(program.out, "2\n2\n", 4) != 0) fail_msg("%s", program.out);
    // What is shipped is enough to make the header again.
    expect("emit --accept-predicted one/a100/scale-N5000.predicted.jsonl "
           "one/a100/scale-N700.predicted.jsonl -o again.h",
           0, "");
    program_run_with("cmp again.h one/a100/scale.predicted.h && echo equal;", "version");
    assert_non_null(strstr(program.out, "equal"));
    expect("campaign merge c.lua --accept-predicted", 0, "scale.predicted.html\n");
    // A build takes predictions where it is told to, from the folder of each GPU.
    const char *const header = "header $SOURCE/tests/cli/scripts/scale.lua --set MODE=0 "
                               "--results results -o built.h";
    expect(header, 0, "not tuned");
    assert_int_equal(count(program.err, "it holds predictions (--accept-predicted)"), 4);
    char accepting[256];
    snprintf(accepting, sizeof accepting, "%s --accept-predicted", header);
    expect(accepting, 0, "from results/a100/scale-N5000.predicted.jsonl");
    others_journals_leave_a_header_alone();
}

// A text that is a size may be empty, as the epilogue of a product is unless it is given.
static void a_size_may_be_an_empty_text(void **state)
{
    (void)state;
    need_nvrtc();
    program_run_with(
        "cp $SOURCE/tests/cli/scripts/scale*.cu .; "
        "sed 's/{ N = 5000 }/{ N = 5000, END = \"\" }/; s/0, 1, 2, 3 }/0 }/' "
        "$SOURCE/tests/cli/scripts/scale.lua >scale.lua; "
        "echo 'return require(\"hone\").campaign { kernels = { { "
        "script = \"scale.lua\" } }, devices = { { id = \"emu:a100\" } }, "
        "budget = 2 }' >empty.lua;",
        "campaign plan empty.lua");
    if (!strstr(program.out, "END= N=5000")) fail_msg("%s%s", program.out, program.err);
    expect("campaign run empty.lua", 0, "1 begun: 1 done, 0 failed\n");
    expect("diff empty.runs/scale-*/journal.jsonl empty.runs/scale-*/journal.jsonl "
           "--set END=",
           0, "END= N=5000");
}

static void what_fails_is_said_with_its_reason(void **state)
{
    (void)state;
    write_campaign("devices = { { id = \"emu:a100\" } }, options = { \"--l2=tepid\" }");
    expect("campaign run c.lua", 1, "2 begun: 0 done, 2 failed\n");
    expect("campaign run c.lua", 1, "0 begun: 0 done, 2 failed\n");
    assert_non_null(strstr(program.err, "2 runs failed"));
    expect("campaign run c.lua --engine print", 1, "");
    expect("campaign status c.lua", 1, "failed");
    assert_int_equal(count(program.out, "--l2 wants cold or warm"), 2);
    assert_non_null(strstr(program.err, "2 runs failed: 'hone campaign retry c.lua'"));
    expect("campaign status c.lua --json", 1, "\"failed\": 2");
    expect("campaign plan c.lua", 0, "2 failed");
    expect("campaign retry c.lua", 0, "2 runs may be tried again");
    expect("campaign status c.lua", 0, "2 runs, 2 interrupted\n");
}

static void wrong_uses_and_files_end_with_2(void **state)
{
    static const char *const cases[][2] = {
        {"campaign", "is missing"},
        {"campaign plan", "is missing"},
        {"campaign pln c.lua", "plan, run, status, cancel, retry or merge, got 'pln'"},
        {"campaign plan gone.lua", "gone.lua"},
        {"campaign plan c.lua --run 0", "is no run of"},
        {"campaign run c.lua --engine slrum", "did you mean 'slurm'?"},
        {"campaign plan c.lua --engine print", "--engine is for hone campaign run"},
        {"campaign merge c.lua --at-once 5", "--at-once is for hone campaign run"},
        {"campaign status c.lua --rows 3", "--rows is for hone campaign merge"},
        {"campaign run c.lua --accept-predicted", "merge: run goes without it"},
        {"campaign plan bad.lua", "bad.lua:4: unknown key 'at_onc' in device 1 of "
                                  "hone.campaign; did you mean 'at_once'?"},
        {"campaign plan $SOURCE/tests/cli/scripts/scale.lua", "defines no campaign"},
        {"tune c.lua", "'c.lua' defines a campaign"},
        {"campaign plan gpu.lua", "gpu.lua:5: no GPU 'a1000' to emulate; did you mean "
                                  "'a100'? there are "},
        {"campaign run gpu.lua", "gpu.lua:5: no GPU 'a1000' to emulate"},
        {"campaign plan kind.lua", "kind.lua:5: there is no device 'emo:a100'"},
        {"campaign run reach.lua", "reach.lua:2: 'exec:touch came' starts a program"},
        {"campaign plan reach.lua --allow-io", "--allow-io is for hone campaign run"},
    };
    (void)state;
    write_campaign("devices = { { id = \"emu:a100\" } }");
    program_run_with("printf 'return require(\"hone\").campaign {\\nkernels = "
                     "{},\\ndevices = { { id = "
                     "\"emu:a100\",\\nat_onc = 2 } } }\\n' >bad.lua; "
                     "sed s/emu:a100/emu:a1000/ c.lua >gpu.lua; "
                     "sed s/emu:a100/emo:a100/ c.lua >kind.lua; "
                     "sed '3i strategy = \"exec:touch came\",' c.lua >reach.lua;",
                     "version");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program_run(cases[i][0]);
        if (program.code != 2 || !strstr(program.err, cases[i][1]))
            fail_msg("%s: %d %s", cases[i][0], program.code, program.err);
    }
    assert_null(program_file("came"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_campaign_is_planned_run_and_told_of),
    cmocka_unit_test(counts_are_of_the_chosen_runs),
    cmocka_unit_test(another_budget_is_another_run),
    cmocka_unit_test(a_killed_campaign_goes_on_with_its_journals),
    cmocka_unit_test(runs_are_cancelled_and_tried_again),
    cmocka_unit_test(commands_are_printed_and_do_their_run),
    cmocka_unit_test(the_same_seeds_give_the_same_bytes),
    cmocka_unit_test(a_size_may_be_an_empty_text),
    cmocka_unit_test(what_fails_is_said_with_its_reason),
    cmocka_unit_test(wrong_uses_and_files_end_with_2),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
