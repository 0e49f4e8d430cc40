// A strategy that another program runs, over a bowl of 8 x 8 configurations whose best is
// at (5, 2): what is said on the pipe, and programs that misbehave. The programs are
// shells.
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "hone_test.h"
#include "partner/partner.h"
#include "query.h"
#include "record/json_in.h"

enum { VALUES = 8, BUDGET = 10 };

static char warnings[4096];

static void keep_warning(void *context, enum hone_log_level level, const char *line)
{
    (void)context;
    if (level > HONE_LOG_WARNING) return;
    strncat(warnings, line, sizeof warnings - strlen(warnings) - 1);
    strncat(warnings, "\n", sizeof warnings - strlen(warnings) - 1);
}

// x + y = 14 is forbidden.
static struct hone_space *bowl_space(void)
{
    struct hone_value numbers[VALUES];
    for (int i = 0; i < VALUES; i++)
        numbers[i] = (struct hone_value){.type = HONE_INT, .i = i};
    const struct hone_param params[] = {{"x", numbers, VALUES}, {"y", numbers, VALUES}};
    const struct hone_constraint constraint = {.text = "x + y < 14"};
    const struct hone_space_def def = {.params = params,
                                       .param_count = 2,
                                       .constraints = &constraint,
                                       .constraint_count = 1};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, &def, &err), err);
    return space;
}

// Row 7 fails to launch.
static struct hone_trial bowl(const struct hone_space *space, uint64_t index)
{
    uint16_t at[2];
    hone_space_choices(space, index, at);
    struct hone_trial trial = hone_trial_make(index, HONE_LAUNCH_FAILED);
    trial.reason = "row 7";
    if (at[1] == 7) return trial;
    trial = hone_trial_make(index, HONE_VALID);
    trial.time_us = 1 + (at[0] - 5) * (at[0] - 5) + (at[1] - 2) * (at[1] - 2);
    return trial;
}

struct run {
    uint64_t order[VALUES * VALUES];
    size_t count;
    enum hone_status status; // of the last ask
    struct hone_error err;
};

struct setup {
    const char *command;
    double patience; // 0: long
    size_t lag;      // results outstanding, told last first; 0: 1
    uint64_t seed;
    enum hone_on_error on_error;
};

static void loop(struct hone_search *s, const struct hone_space *space, size_t lag,
                 struct run *run)
{
    uint64_t pending[VALUES];
    size_t waiting = 0;
    for (;;) {
        size_t got = 0;
        run->status =
            hone_search_ask(s, pending + waiting, lag - waiting, &got, &run->err);
        for (size_t i = 0; i < got; i++)
            run->order[run->count++] = pending[waiting + i];
        waiting += got;
        if (!waiting || run->status != HONE_OK) break;
        struct hone_trial trial = bowl(space, pending[--waiting]);
        assert_ok(hone_search_tell(s, &trial, 1, &run->err), run->err);
    }
}

static struct run search(const struct setup *setup)
{
    struct hone_space *space = bowl_space();
    struct hone_partner *partner = NULL;
    struct hone_search *s = NULL;
    struct run run = {0};
    const struct hone_search_options options = {
        .seed = setup->seed, .budget = BUDGET, .on_error = setup->on_error};
    const struct hone_value size = {.type = HONE_INT, .i = 64};
    const struct hone_constant problem = {.name = "size", .value = size};
    const struct hone_record_info info = {.kernel = "bowl",
                                          .problem = &problem,
                                          .problem_count = 1,
                                          .device_name = "Bowl",
                                          .objective = "time_us"};
    const double patience = setup->patience > 0 ? setup->patience : 60;
    assert_ok(hone_partner_new(&partner, setup->command, patience, &run.err), run.err);
    hone_partner_describe(partner, &info);
    warnings[0] = '\0';
    run.status =
        hone_search_new(&s, hone_partner_strategy(partner), space, &options, &run.err);
    if (run.status == HONE_OK) loop(s, space, setup->lag ? setup->lag : 1, &run);
    hone_search_free(s);
    hone_partner_free(partner);
    hone_space_free(space);
    return run;
}

static void assert_whole(const struct run *run)
{
    bool seen[VALUES * VALUES] = {false};
    assert_int_equal(run->status, HONE_OK);
    assert_int_equal(run->count, BUDGET);
    for (size_t i = 0; i < run->count; i++) {
        assert_false(seen[run->order[i]]);
        seen[run->order[i]] = true;
    }
}

// --- what is said ---

static void a_configuration_has_three_names(void **state)
{
    (void)state;
    const struct run run = search(&(struct setup){
        .command = "sh -c 'read hello; read ask; "
                   "echo \"{\\\"propose\\\":[9,[3,4.0],{\\\"y\\\":2,\\\"x\\\":5}]}\"; "
                   "cat > /dev/null'",
        .patience = 0.2});
    assert_whole(&run);
    assert_int_equal(run.order[0], 9);
    assert_int_equal(run.order[1], 3 * VALUES + 4);
    assert_int_equal(run.order[2], 5 * VALUES + 2);
}

static void what_is_said_is_as_documented(void **state)
{
    (void)state;
    char path[] = "/tmp/hone-partner-XXXXXX", command[512], *said = NULL;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    snprintf(command, sizeof command,
             "sh -c 'tee %s | while read line; do case $line in "
             "*ask*) n=$((n+1)); case $n in 1) echo \"{\\\"propose\\\":[7]}\";; "
             "2) echo \"{\\\"query\\\":\\\"valid\\\",\\\"configs\\\":[[7,7],[7,6]]}\";; "
             "*) echo \"{\\\"done\\\":true}\";; esac;; "
             "??valid*) echo \"{\\\"query\\\":\\\"neighbours\\\",\\\"config\\\":[7,6],"
             "\\\"kind\\\":\\\"adjacent\\\"}\";; "
             "??configs*) echo \"{\\\"propose\\\":[42]}\";; esac; done'",
             path);
    const struct run run = search(&(struct setup){.command = command, .seed = 5});
    assert_whole(&run);
    struct hone_error err = {0};
    assert_ok(hone_file_read(&said, NULL, path, &err), err);
    unlink(path);
    assert_string_equal(warnings, "");
    char *seed = strstr(said, "\"seed\":"); // any number will do
    assert_non_null(seed);
    memset(seed + 7, '0', strspn(seed + 7, "0123456789"));
    memmove(seed + 8, strchr(seed, ','), strlen(strchr(seed, ',')) + 1);
    assert_string_equal(
        said,
        "{\"hone\":1,\"kind\":\"search\",\"kernel\":\"bowl\",\"params\":["
        "{\"name\":\"x\",\"values\":[0,1,2,3,4,5,6,7]},"
        "{\"name\":\"y\",\"values\":[0,1,2,3,4,5,6,7]}],\"problem\":{\"size\":64},"
        "\"device\":{\"name\":\"Bowl\"},\"objective\":\"time_us\",\"complete\":false,"
        "\"seed\":0,\"space_count\":63,\"budget\":10,"
        "\"constraints\":[\"x + y < 14\"]}\n"
        "{\"ask\":1}\n"
        "{\"tell\":[{\"index\":7,\"config\":[0,7],\"outcome\":\"launch_failed\","
        "\"reason\":\"row 7\"}]}\n"
        "{\"ask\":1}\n"
        "{\"valid\":[false,true]}\n"
        "{\"configs\":[[6,6],[7,5]],\"indices\":[54,61]}\n"
        "{\"tell\":[{\"index\":42,\"config\":[5,2],\"outcome\":\"valid\",\"cost\":1.0}]}"
        "\n"
        "{\"ask\":1}\n");
    free(said);
}

static void an_empty_proposal_is_filled_at_random(void **state)
{
    (void)state;
    const struct run run = search(
        &(struct setup){.command = "sh -c 'while read line; do case $line in "
                                   "*ask*) echo \"{\\\"propose\\\":[]}\";; esac; done'"});
    assert_whole(&run);
    assert_string_equal(warnings, "");
}

static void waiting_lets_results_come_first(void **state)
{
    (void)state;
    const struct run run = search(&(struct setup){
        .command =
            "sh -c 'n=0; while read line; do case $line in "
            "*tell*) told=1;; "
            "*ask*) if [ $n = 0 -o \"$told\" ]; then echo \"{\\\"propose\\\":[$n]}\"; "
            "n=$((n+1)); told=; else echo \"{\\\"wait\\\":true}\"; fi;; esac; done'",
        .lag = 4});
    assert_whole(&run);
    for (size_t i = 0; i < BUDGET; i++)
        assert_int_equal(run.order[i], i);
}

// How many of the last three configurations an answer has; no other may be there.
static size_t count_last(struct hone_search *s, const char *query)
{
    struct hone_error err = {0};
    char why[80];
    struct json_t *asked = hone_json_parse(query, strlen(query), why, sizeof why),
                  *answer = NULL;
    uint16_t choices[2];
    bool found[3] = {false};
    size_t count;
    assert_non_null(asked);
    assert_ok(hone_query_answer(&answer, s, asked, choices, &err), err);
    const struct json_t *indices = hone_json_get(answer, "indices");
    assert_true(hone_json_is_list(indices, &count));
    for (size_t i = 0; i < count; i++) {
        struct hone_value index;
        assert_true(hone_json_peek_value(&index, hone_json_at(indices, i)));
        assert_in_range(index.i, 60, 62);
        assert_false(found[index.i - 60]);
        found[index.i - 60] = true;
    }
    hone_json_free(answer);
    hone_json_free(asked);
    return count;
}

static void a_query_finds_the_last_that_were_not_proposed(void **state)
{
    (void)state;
    struct hone_space *space = bowl_space();
    struct hone_search *s = NULL;
    struct hone_error err = {0};
    uint64_t start[60], asked[60];
    size_t count = 0;
    for (size_t i = 0; i < 60; i++)
        start[i] = i;
    const struct hone_search_options options = {
        .budget = 63, .start = start, .start_count = 60};
    assert_ok(hone_search_new(&s, hone_strategy_find("random"), space, &options, &err),
              err);
    assert_ok(hone_search_ask(s, asked, 60, &count, &err), err);
    assert_int_equal(count, 60);
    for (int i = 0; i < 20; i++)
        assert_int_equal(count_last(s, "{\"query\":\"random\"}"), 1);
    assert_int_equal(count_last(s, "{\"query\":\"random\",\"n\":2}"), 2);
    assert_int_equal(count_last(s, "{\"query\":\"random\",\"n\":100000}"), 3);
    hone_search_free(s);
    hone_space_free(space);
}

// --- programs that misbehave ---

#define ANSWER(text) "sh -c 'read hello; read ask; echo \"" text "\"; cat > /dev/null'"

static const struct {
    const char *command, *complaint;
} faults[] = {
    {"sh -c 'exit 3'", "the program ended with status 3 instead of answering"},
    {"sh -c 'kill -9 $$'", "the program was killed by signal 9 (Killed) instead"},
    {"sleep 1000", "the program gave no answer within 0.2 s"},
    {ANSWER("good morning"), "'good morning' is no JSON: "},
    {ANSWER("{}"), ":1: {} is neither a proposal, a query, wait nor done"},
    {ANSWER("[1]"), ":1: [1] is neither a proposal"},
    {ANSWER("{\\\"wait\\\":1}"), "{\"wait\":1} is neither a proposal"},
    {ANSWER("{\\\"propose\\\":3}"), "\"propose\" wants a list, got 3"},
    {ANSWER("{\\\"propose\\\":[63]}"), "index 63 is not in a space of 63"},
    {ANSWER("{\\\"propose\\\":[-1]}"), "index -1 is not in a space of 63"},
    {ANSWER("{\\\"propose\\\":[null]}"), "null is no configuration"},
    {ANSWER("{\\\"propose\\\":[[1]]}"), "a configuration has 1 values, there are 2"},
    {ANSWER("{\\\"propose\\\":[[1,9]]}"), ":1: 9 is no value of parameter 'y'"},
    {ANSWER("{\\\"propose\\\":[{\\\"x\\\":1}]}"), "a configuration lacks parameter 'y'"},
    {ANSWER("{\\\"query\\\":\\\"all\\\"}"), "unknown query \"all\""},
    {ANSWER("{\\\"query\\\":\\\"valid\\\"}"), "\"valid\" lacks \"configs\""},
    {ANSWER("{\\\"query\\\":\\\"random\\\",\\\"n\\\":0}"),
     "\"random\" wants \"n\" of 1 to"},
    {ANSWER("{\\\"query\\\":\\\"neighbours\\\"}"), "absent is no configuration"},
    // the hello comes back
    {"cat", ":1: {\"hone\":1,"},
};

static void a_broken_program_is_named_and_replaced(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const struct run run =
            search(&(struct setup){.command = faults[i].command, .patience = 0.2});
        assert_whole(&run);
        if (!strstr(warnings, faults[i].complaint) ||
            !strstr(warnings, faults[i].command) ||
            !strstr(warnings, "; the search goes on at random"))
            fail_msg("%s: warned: %s", faults[i].command, warnings);
    }
}

static void a_broken_program_can_stop_the_search(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const struct run run = search(&(struct setup){.command = faults[i].command,
                                                      .patience = 0.2,
                                                      .on_error = HONE_ON_ERROR_STOP});
        assert_int_equal(run.status, HONE_EINPUT);
        assert_int_equal(run.count, 0);
        const size_t len = strlen(run.err.source), whole = strlen(faults[i].command);
        const size_t tail =
            whole < len - 3 ? whole : len - 3; // long ones lose their head
        assert_string_equal(run.err.source + len - tail,
                            faults[i].command + whole - tail);
        assert_string_equal(warnings, "");
    }
}

static void what_was_measured_is_answered_again(void **state)
{
    (void)state;
    const struct run run = search(&(struct setup){
        .command = "sh -c 'n=0; while read line; do case $line in *ask*) "
                   "echo \"{\\\"propose\\\":[3,$n]}\"; n=$((n+1));; esac; done'"});
    assert_whole(&run);
    assert_non_null(strstr(warnings, "configuration 3 was proposed before; such ones are "
                                     "answered from what is known"));
    assert_null(strstr(strchr(warnings, '\n') + 1, "proposed before"));
    assert_int_equal(run.order[0], 3);
    assert_int_equal(run.order[1], 0);
    assert_int_equal(run.order[9], 9); // 3 stands at its place no more
}

static void what_is_forbidden_costs_no_evaluation(void **state)
{
    (void)state;
    const struct run run = search(&(struct setup){
        .command =
            "sh -c 'n=0; while read line; do case $line in "
            "*forbidden*) ok=1;; "
            "*ask*) if [ \"$ok\" ]; then echo \"{\\\"propose\\\":[$n]}\"; n=$((n+1)); "
            "else echo \"{\\\"propose\\\":[[7,7]]}\"; fi;; esac; done'"});
    assert_whole(&run);
    assert_non_null(strstr(warnings, "the constraints forbid [7,7]"));
    for (size_t i = 0; i < BUDGET; i++)
        assert_int_equal(run.order[i], i);
}

static void endless_repeats_come_to_an_end(void **state)
{
    (void)state;
    const struct run run = search(&(struct setup){
        .command = "sh -c 'while read line; do case $line in "
                   "*ask*) echo \"{\\\"propose\\\":[3]}\";; esac; done'"});
    assert_whole(&run);
    assert_non_null(strstr(warnings, "1000 proposals in a row held nothing new"));
}

static void a_program_that_is_missing_fails_at_once(void **state)
{
    (void)state;
    const struct run run = search(&(struct setup){.command = "no-such-program-of-hone"});
    assert_int_equal(run.status, HONE_ENOTFOUND);
    assert_non_null(strstr(run.err.text, "cannot start 'no-such-program-of-hone'"));
}

// --- the examples ---

static void examples_repeat_by_their_seed(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "python3 " HONE_SOURCE_DIR "/examples/strategies/uniform.py",
        "python3 " HONE_SOURCE_DIR "/examples/strategies/optuna_tpe.py",
    };
    if (system("python3 -c 'import json' 2> /dev/null") != 0) SKIP("no python3 here");
    size_t count = system("python3 -c 'import optuna' 2> /dev/null") == 0 ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        const struct setup setup = {.command = commands[i], .seed = 7};
        const struct run a = search(&setup);
        assert_whole(&a);
        assert_string_equal(warnings, "");
        const struct run b = search(&setup);
        assert_memory_equal(a.order, b.order, BUDGET * sizeof *a.order);
        const struct run c = search(&(struct setup){.command = commands[i], .seed = 8});
        assert_memory_not_equal(a.order, c.order, BUDGET * sizeof *a.order);
    }
}

static int setup(void **state)
{
    (void)state;
    hone_log_set(keep_warning, NULL);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_configuration_has_three_names),
    cmocka_unit_test(what_is_said_is_as_documented),
    cmocka_unit_test(an_empty_proposal_is_filled_at_random),
    cmocka_unit_test(a_query_finds_the_last_that_were_not_proposed),
    cmocka_unit_test(waiting_lets_results_come_first),
    cmocka_unit_test(a_broken_program_is_named_and_replaced),
    cmocka_unit_test(a_broken_program_can_stop_the_search),
    cmocka_unit_test(what_was_measured_is_answered_again),
    cmocka_unit_test(what_is_forbidden_costs_no_evaluation),
    cmocka_unit_test(endless_repeats_come_to_an_end),
    cmocka_unit_test(a_program_that_is_missing_fails_at_once),
    cmocka_unit_test(examples_repeat_by_their_seed),
};
HONE_TEST_MAIN_WITH(tests, setup, NULL)
