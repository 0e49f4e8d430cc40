// Workers by a command whose pipes do what pipes between machines do (tests/fake/relay.c): buffer,
// split, print greetings, break. The trials are those of a worker without it.
#include "lab.h"

#include "hone_test.h"

#include <string.h>

#include "base/file.h"
#include "base/wire.h"
#include "cli/program.h"
#include "hone/version.h"

// Tune by a worker behind the relay, whose words are given.
#define BY(words, worker_options)                                                        \
    LAB_TUNE "--device auto --worker \"$RELAY " words                                    \
             " -- $HONE worker --device cuda:0 "                                         \
             "--cache '' " worker_options "\" "

static int set_up(void **state)
{
    setenv("RELAY", HONE_BINARY_DIR "/tests/fake/relay", 1);
    return lab_setup(state);
}

static void expect_done(const char *args, const char *journal, size_t count)
{
    program_run(args);
    if (program.code != 0) fail_msg("%s", program.err);
    assert_int_equal(lab_count(journal), count);
}

// The times of builds and of evaluating are the machine's.
static void assert_same_trials(const char *a, const char *b)
{
    char line[512];
    snprintf(line, sizeof line,
             "version; for f in %s %s; do tail -n +2 $f | "
             "sed -E 's/,\"(build_ms|evaluate_ms)\":[^,}]*//g' > $f.txt; done; "
             "cmp %s.txt %s.txt",
             a, b, a, b);
    program_run(line);
    if (program.code != 0) fail_msg("%s%s", program.out, program.err);
}

static void whole_lines_are_enough(void **state)
{
    (void)state;
    expect_done(BY("", "") "--budget 40 --journal plain.jsonl", "plain.jsonl", 40);
    expect_done(BY("lines", "") "--budget 40 --journal lines.jsonl", "lines.jsonl", 40);
    assert_same_trials("plain.jsonl", "lines.jsonl");
}

// What is kept back comes with the signs of life that follow, one a second.
static void blocks_come_late_but_whole(void **state)
{
    (void)state;
    expect_done(BY("block=16", "") "--budget 1 --journal block.jsonl", "block.jsonl", 1);
}

static void pieces_are_put_together(void **state)
{
    (void)state;
    expect_done(BY("", "") "--budget 20 --journal whole.jsonl", "whole.jsonl", 20);
    expect_done(BY("split=3", "") "--budget 20 --journal split.jsonl", "split.jsonl", 20);
    assert_same_trials("whole.jsonl", "split.jsonl");
}

static void a_greeting_is_passed_over(void **state)
{
    (void)state;
    expect_done(BY("'greet=Welcome to node7; hone users: read the news'",
                   "") "--budget 3 --journal greet.jsonl",
                "greet.jsonl", 3);
    expect_done(
        BY("split=5 'greet=hone hone\t' lines", "") "--budget 3 --journal again.jsonl",
        "again.jsonl", 3);
    program_run(LAB_TUNE "--device auto --worker 'yes no' --journal yes.jsonl");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "expected a frame, got 'no'"));
}

// --- connections that break ---

static bool noted(const char *file, const char *text)
{
    char *notes = program_file(file);
    const bool is_there = notes && strstr(notes, text);
    free(notes);
    return is_there;
}

static void expect_all_valid(const char *journal, size_t count)
{
    char line[256];
    assert_int_equal(lab_count(journal), count);
    snprintf(line, sizeof line,
             "version; grep outcome %s | grep -v '\"outcome\":\"valid\"'", journal);
    program_run(line);
    if (program.out[0] != 'h' || strstr(program.out, "outcome"))
        fail_msg("%s", program.out);
}

// Each new connection brings some trials and then breaks in its own way.
static void a_connection_that_breaks_costs_a_worker(void **state)
{
    (void)state;
    static const char *const ways[] = {"drop=3000", "split=9 drop=4001", "freeze=3500",
                                       "no_output=4500"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char args[1024], journal[32];
        snprintf(journal, sizeof journal, "broken%zu.jsonl", i);
        snprintf(args, sizeof args,
                 LAB_TUNE "--device auto --worker-silence 1s --budget 20 --journal %s "
                          "--worker \"$RELAY note=broken%zu.txt %s -- $HONE worker "
                          "--device cuda:0 --cache '' --silence 2s\"",
                 journal, i, ways[i]);
        program_run(args);
        if (program.code != 0) fail_msg("%s: %s", ways[i], program.err);
        expect_all_valid(journal, 20);
        char notes[32];
        snprintf(notes, sizeof notes, "broken%zu.txt", i);
        char *text = program_file(notes);
        assert_non_null(strstr(strstr(text, "worker ") + 1, "worker ")); // a second one
        free(text);
    }
}

static void a_connection_that_never_stands_is_an_error(void **state)
{
    (void)state;
    program_run(BY("drop=100", "") "--budget 3 --journal never.jsonl");
    assert_int_equal(program.code, 1);
    if (!strstr(program.err, "ended with status 255")) fail_msg("%s", program.err);
}

// It hears nothing, though it can speak: it ends itself and says why, and its configuration
// has had no attempt.
static void a_worker_that_hears_nothing_ends_itself(void **state)
{
    (void)state;
    program_run_with("HONE_VERBOSE=1 ",
                     BY("no_input=1500 note=deaf.txt",
                        "--silence 1s") "--budget 12 --journal deaf.jsonl");
    if (program.code != 0 || !strstr(program.err, "heard nothing from the tuner for 1 s"))
        fail_msg("%s", program.err);
    expect_all_valid("deaf.jsonl", 12);
    assert_true(noted("deaf.txt", "worker ended"));
}

// In a launch that never returns, too: the tuner stands still, its pipes are open.
static void an_orphan_ends_itself_within_a_launch(void **state)
{
    (void)state;
    program_run_with("HONE_FAKE_CHAOS=seed=1,FREEZE=1 ",
                     BY("remote deaf note=orphan.txt",
                        "--silence 1s") "--launch-deadline 1000s --budget 3 --journal "
                                        "orphan.jsonl & p=$!; "
                                        "until grep -q begun orphan.jsonl 2>/dev/null; "
                                        "do sleep 0.05; done; "
                                        "kill -STOP $p; n=0; until grep -q 'worker "
                                        "ended' orphan.txt || [ $n = 300 ]; "
                                        "do n=$((n+1)); sleep 0.1; done; kill -KILL $p; "
                                        "kill -CONT $p; "
                                        "grep -q 'worker ended' orphan.txt");
    if (program.code != 0) fail_msg("it lives on: %s", program.err);
}

// --- ends ---

static void a_worker_ends_before_its_command_is_told_to(void **state)
{
    (void)state;
    expect_done(BY("remote note=end.txt", "") "--budget 3 --journal end.jsonl",
                "end.jsonl", 3);
    assert_true(noted("end.txt", "worker ended 0\n"));
    assert_false(noted("end.txt", "terminated"));
    // What it built and nobody wanted is no reason to end otherwise.
    expect_done(
        BY("remote note=bare.txt", "") "--no-verify --budget 3 --journal bare.jsonl",
        "bare.jsonl", 3);
    assert_true(noted("bare.txt", "worker ended 0\n"));
    assert_false(noted("bare.txt", "worker ended 139"));
}

// Which minds nothing but SIGKILL. Its worker is out of reach then, and sees its input end.
static void a_deaf_command_is_killed_in_the_end(void **state)
{
    (void)state;
    if (!hone_test_is_long()) SKIP("HONE_TESTS=long waits for that");
    program_run(
        BY("remote deaf freeze=1500 note=killed.txt",
           "--silence 300s") "--worker-silence 2s --budget 3 --journal killed.jsonl");
    if (program.code != 0) fail_msg("%s", program.err);
    assert_true(noted("killed.txt", "terminated"));
    program_run(
        "version; n=0; for p in $(sed -n 's/worker \\([0-9]\\)/\\1/p' killed.txt); "
        "do while [ -d /proc/$p ] && [ $n -lt 200 ]; do n=$((n+1)); sleep 0.1; "
        "done; done; [ $n -lt 200 ]");
    if (program.code != 0) fail_msg("a worker lives on");
}

// Ctrl-C and SIGTERM end the commands in order, also while their workers have not begun.
static void an_interrupted_tuner_ends_its_commands_in_order(void **state)
{
    (void)state;
    program_run(
        BY("remote delay=20 note=int.txt",
           "") "--budget 2000 --journal int.jsonl & p=$!; "
               "until grep -q outcome int.jsonl 2>/dev/null; do sleep 0.05; done; "
               "kill -TERM $p; wait $p");
    assert_int_equal(program.code, 143);
    assert_true(noted("int.txt", "worker ended"));
    program_run(LAB_TUNE
                "--device auto --worker \"$RELAY note=queue.txt -- sleep 1000\" "
                "--journal queue.jsonl & p=$!; "
                "until grep -q worker queue.txt 2>/dev/null; do sleep 0.05; done; "
                "kill -INT $p; wait $p");
    assert_int_equal(program.code, 130);
    assert_true(noted("queue.txt", "terminated"));
}

// The journal says who measured: host, job and GPU of a worker elsewhere, the GPU alone of
// one of several here, nothing of a single one. Documents and tables have it.
static void trials_tell_where_they_were_measured(void **state)
{
    (void)state;
    setenv("SLURM_JOB_ID", "4711", 1);
    expect_done(BY("", "") "--budget 3 --journal where.jsonl", "where.jsonl", 3);
    unsetenv("SLURM_JOB_ID");
    assert_true(noted("where.jsonl", "\"host\":\""));
    assert_true(noted("where.jsonl", "\"job\":\"4711\",\"gpu_uuid\":\"GPU-"));
    program_expect("show where.jsonl", 0);
    assert_non_null(strstr(program.out, "measured by:"));
    program_expect("show --json where.jsonl", 0);
    assert_non_null(strstr(program.out, "\"places\""));
    assert_non_null(strstr(program.out, "\"job\": \"4711\""));
    program_expect("export --to csv where.jsonl -o -", 0);
    assert_non_null(strstr(program.out, ",host,job,gpu_uuid"));
    program_expect("report where.jsonl -o where.html", 0);
    assert_true(noted("where.html", ">Machines<"));
    setenv("HONE_FAKE_CUDA", "memory=1e9,devices=2,alike=1", 1);
    expect_done(LAB_TUNE "--device cuda:0,cuda:1 --budget 6 --journal two.jsonl",
                "two.jsonl", 6);
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    assert_true(noted("two.jsonl", "\"gpu_uuid\""));
    assert_false(noted("two.jsonl", "\"host\""));
    expect_done(LAB_TUNE "--budget 3 --journal one.jsonl", "one.jsonl", 3);
    assert_false(noted("one.jsonl", "\"gpu_uuid\""));
}

// --- queues ---

// One that is silent waits; the work is done by whoever is there, and it is ended then.
static void a_worker_in_a_queue_is_not_waited_for(void **state)
{
    (void)state;
    expect_done(LAB_TUNE
                "--device cuda:0 --worker \"$RELAY note=late.txt -- sleep 1000\" "
                "--budget 20 --journal late.jsonl",
                "late.jsonl", 20);
    assert_true(noted("late.txt", "terminated"));
    program_run(LAB_TUNE "--device auto --worker 'sleep 1000' --worker-start 0.3s "
                         "--journal nobody.jsonl");
    assert_int_equal(program.code, 1);
    if (!strstr(program.err, "still starting after 0.3 s")) fail_msg("%s", program.err);
}

// While nobody else is there it takes nothing from the time that a run may last.
static void time_in_a_queue_is_told_apart(void **state)
{
    (void)state;
    program_run(
        LAB_TUNE
        "--device auto --budget 20 --journal apart.jsonl --worker \"sh -c '[ ! -e "
        "been.txt ] || sleep 1.5; touch been.txt; exec $RELAY drop=3000 -- "
        "$HONE worker --device cuda:0'\"");
    if (program.code != 0) fail_msg("%s", program.err);
    if (!strstr(program.out, " s without a worker, while all waited in a queue"))
        fail_msg("%s", program.out);
    expect_all_valid("apart.jsonl", 20);
}

// A second one joins when it comes; one on another device is refused by name, and the run
// goes on.
static void late_workers_join_or_are_refused(void **state)
{
    (void)state;
    setenv("HONE_FAKE_CUDA", "memory=1e9,devices=2", 1);
    program_run(
        LAB_TUNE
        "--device auto --budget 40 --journal join.jsonl --worker \"$RELAY delay=30 "
        "-- $HONE worker --device cuda:0 --cache ''\" --worker \"$RELAY "
        "note=joins.txt -- sh -c 'sleep 4; exec $HONE worker --device cuda:1'\"");
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    if (program.code != 0) fail_msg("%s", program.err);
    assert_int_equal(lab_count("join.jsonl"), 40);
    if (!strstr(program.err, "one run measures on one kind of device"))
        fail_msg("not refused: %s", program.err);
    setenv("HONE_FAKE_CUDA", "memory=1e9,devices=2,alike=1", 1);
    program_run_with(
        "HONE_VERBOSE=1 ", LAB_TUNE
        "--device auto --budget 40 --journal both.jsonl --worker \"$RELAY delay=30 "
        "-- $HONE worker --device cuda:0 --cache ''\" --worker \"$RELAY "
        "note=joins.txt -- sh -c 'sleep 4; exec $HONE worker --device cuda:1'\"");
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    if (program.code != 0) fail_msg("%s", program.err);
    expect_all_valid("both.jsonl", 40);
    assert_true(
        noted("both.jsonl", "\"gpu_uuid\":\"GPU-00000000-0000-0000-0000-000000000000"));
    assert_true(
        noted("both.jsonl", "\"gpu_uuid\":\"GPU-00000000-0000-0000-0000-000000000001"));
}

// Also while the first one is still being set up, and nobody is ready.
static void one_that_is_refused_does_not_end_the_setting_up(void **state)
{
    (void)state;
    setenv("HONE_FAKE_CUDA", "memory=1e9,devices=2", 1);
    program_run(LAB_TUNE
                "--device auto --budget 10 --journal setup.jsonl --worker \"$RELAY "
                "hold=go note=setup.txt -- $HONE worker --device cuda:0\" --worker "
                "\"sh -c 'until grep -qs held setup.txt; do sleep 0.05; done; "
                "$HONE worker --device cuda:1; touch go'\"");
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    if (program.code != 0) fail_msg("%s", program.err);
    if (!strstr(program.err, "one run measures on one kind of device"))
        fail_msg("not refused: %s", program.err);
    expect_all_valid("setup.jsonl", 10);
}

// It is tried again, and given up in the end; so is one that says what no worker does. The
// others may come as late as they like.
static void a_command_that_fails_at_its_start_leaves_the_others(void **state)
{
    (void)state;
    program_run(LAB_TUNE
                "--device auto --budget 10 --journal fails.jsonl "
                "--worker \"sh -c 'echo x >>fails.txt; exit 3'\" "
                "--worker \"sh -c 'echo x >>speaks.txt; echo no account here'\" "
                "--worker \"sh -c 'until [ \\$(cat fails.txt speaks.txt | wc -l) = "
                "12 ]; do sleep 0.05; done; exec $HONE worker'\"");
    if (program.code != 0) fail_msg("%s", program.err);
    if (!strstr(program.err, "did not start 6 times: ended with status 3") ||
        !strstr(program.err,
                "did not start 6 times: answered nonsense: expected a frame, "
                "got 'no account here'"))
        fail_msg("%s", program.err);
    expect_all_valid("fails.jsonl", 10);
    program_run(LAB_TUNE "--device auto --worker false --worker false");
    assert_int_equal(program.code, 1);
    if (!strstr(program.err, "worker 'false' ended with status 1"))
        fail_msg("%s", program.err);
}

// What a worker says of itself, with another version: another digit in this place.
static void write_hello_of_another_version(const char *name, size_t place)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_frame frame;
    size_t size, used;
    char path[256], *said;
    program_expect("worker --device cuda:0 </dev/null >hello.bin", 0);
    snprintf(path, sizeof path, "%s/hello.bin", program.folder);
    assert_int_equal(hone_file_read(&said, &size, path, NULL), HONE_OK);
    for (size_t at = 0; at < size; at += used) {
        char contents[1024];
        assert_int_equal(hone_frame_parse(&frame, &used, said + at, size - at, NULL),
                         HONE_OK);
        assert_true(used && frame.size > 16 && frame.size <= sizeof contents);
        memcpy(contents, frame.data, frame.size);
        // HELLO begins with it, behind its length, and goes on as it likes.
        if (memcmp(contents + 4, HONE_VERSION "+", strlen(HONE_VERSION "+")) == 0) {
            contents[4 + place] = '9';
            frame.size -= 3;
        }
        hone_frame_write(&out, frame.type, contents, frame.size);
    }
    snprintf(path, sizeof path, "%s/%s", program.folder, name);
    assert_int_equal(hone_file_write(path, out.data, out.len, NULL), HONE_OK);
    hone_strbuf_fini(&out);
    free(said);
}

// By name and at once; alone it ends the run.
static void a_worker_of_another_version_is_refused(void **state)
{
    (void)state;
    const char *const other = "--worker \"sh -c 'cat other.bin; cat >other.in'\" ";
    static const struct {
        size_t place;
        const char *says;
    } rows[] = {{0, "is hone 9."},
                {sizeof HONE_VERSION,
                 "is hone " HONE_VERSION "+9, this is " HONE_VERSION "+"}}; // its form
    for (int i = 0; i < 4; i++) {
        const bool with = i % 2;
        char args[1024];
        write_hello_of_another_version("other.bin", rows[i / 2].place);
        snprintf(args, sizeof args,
                 LAB_TUNE "--device auto --budget 5 --journal other%d.jsonl %s %s", i,
                 other, with ? "--worker \"$HONE worker\"" : "");
        program_run(args);
        assert_int_equal(program.code, with ? 0 : 2);
        if (!strstr(program.err, rows[i / 2].says) || strstr(program.err, "nonsense"))
            fail_msg("%s", program.err);
    }
    expect_all_valid("other1.jsonl", 5);
    expect_all_valid("other3.jsonl", 5);
}

// While the tuner waits for the lock of a GPU, say.
static void one_that_ends_before_it_is_set_up_is_started_again(void **state)
{
    (void)state;
    setenv("HONE_FAKE_CUDA", "memory=1e9,devices=2,alike=1", 1);
    program_run_with(
        "flock hone-GPU-00000000-0000-0000-0000-000000000000.lock sh -c 'touch locked; "
        "until grep -qs waiting.for.it ends.err || [ -e over ]; do sleep 0.05; done; "
        "kill -KILL $(sed -n s/worker.//p ends.txt)' & "
        "until [ -e locked ]; do sleep 0.05; done; ",
        LAB_TUNE "--budget 10 --journal ends.jsonl --worker \"$RELAY note=ends.txt -- "
                 "$HONE worker --device cuda:1\" 2>ends.err; code=$?; touch over; wait; "
                 "exit $code");
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    char *err = program_file("ends.err");
    if (program.code != 0 || !strstr(err, "waiting for it")) fail_msg("%s", err);
    free(err);
    expect_all_valid("ends.jsonl", 10);
    assert_true(noted("ends.txt", "worker ended 137"));
}

// What one had is older than what the other is at.
static void jobs_of_one_that_ended_come_later(void **state)
{
    (void)state;
    setenv("HONE_FAKE_CUDA", "memory=1e9,devices=2,alike=1", 1);
    program_run(
        LAB_TUNE
        "--device auto --budget 80 --journal later.jsonl --worker \"$RELAY delay=5 "
        "-- $HONE worker --device cuda:0 --cache ''\" --worker \"$RELAY delay=5 "
        "note=later.txt -- $HONE worker --device cuda:1 --cache ''\" & p=$!; "
        "until grep -q outcome later.jsonl 2>/dev/null; do sleep 0.05; done; "
        "for i in 1 2 3; do sleep 0.3; "
        "kill -KILL $(sed -n 's/worker \\([0-9]\\)/\\1/p' later.txt | tail -n 1); "
        "done; wait $p");
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    if (program.code != 0 || strstr(program.err, "out of turn"))
        fail_msg("%s", program.err);
    expect_all_valid("later.jsonl", 80);
}

// SIGTERM, by which a batch system preempts: however often, no configuration is given up.
static void preemption_costs_no_attempt(void **state)
{
    (void)state;
    program_run(
        BY("delay=20 note=pre.txt",
           "") "--budget 25 --journal pre.jsonl & p=$!; "
               "while kill -0 $p 2>/dev/null; do sleep 0.4; "
               "kill -TERM $(sed -n '$s/worker //p' pre.txt) 2>/dev/null; done; wait $p");
    if (program.code != 0) fail_msg("%s", program.err);
    expect_all_valid("pre.jsonl", 25);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(whole_lines_are_enough),
    cmocka_unit_test(blocks_come_late_but_whole),
    cmocka_unit_test(pieces_are_put_together),
    cmocka_unit_test(a_greeting_is_passed_over),
    cmocka_unit_test(a_connection_that_breaks_costs_a_worker),
    cmocka_unit_test(a_connection_that_never_stands_is_an_error),
    cmocka_unit_test(a_worker_that_hears_nothing_ends_itself),
    cmocka_unit_test(an_orphan_ends_itself_within_a_launch),
    cmocka_unit_test(a_worker_ends_before_its_command_is_told_to),
    cmocka_unit_test(a_deaf_command_is_killed_in_the_end),
    cmocka_unit_test(an_interrupted_tuner_ends_its_commands_in_order),
    cmocka_unit_test(trials_tell_where_they_were_measured),
    cmocka_unit_test(a_worker_in_a_queue_is_not_waited_for),
    cmocka_unit_test(time_in_a_queue_is_told_apart),
    cmocka_unit_test(late_workers_join_or_are_refused),
    cmocka_unit_test(one_that_is_refused_does_not_end_the_setting_up),
    cmocka_unit_test(a_command_that_fails_at_its_start_leaves_the_others),
    cmocka_unit_test(a_worker_of_another_version_is_refused),
    cmocka_unit_test(one_that_ends_before_it_is_set_up_is_started_again),
    cmocka_unit_test(jobs_of_one_that_ended_come_later),
    cmocka_unit_test(preemption_costs_no_attempt),
};
HONE_TEST_MAIN_WITH(tests, set_up, program_teardown)
