// Strategies of others through the program: how they misbehave, and what is kept then.
// Replays a recorded bowl of 8 x 8 configurations whose best is x = 5, y = 2.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "hone/strbuf.h"
#include "hone_test.h"
#include "program.h"

#define TUNE  "tune --quiet --device replay:bowl.jsonl "
#define BENCH "bench strategies --repeats 2 --budget 20 bowl.jsonl "

// Row y = 7 fails to launch.
static void record_bowl(void)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text,
                    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"bowl\",\"params\":["
                    "{\"name\":\"x\",\"values\":[0,1,2,3,4,5,6,7]},"
                    "{\"name\":\"y\",\"values\":[0,1,2,3,4,5,6,7]}],"
                    "\"problem\":{\"size\":64},\"device\":{\"name\":\"Bowl\"},"
                    "\"objective\":\"time_us\",\"complete\":true}\n");
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 8; y++)
            if (y == 7)
                hone_strbuf_printf(
                    &text, "{\"config\":[%d,%d],\"outcome\":\"launch_failed\"}\n", x, y);
            else
                hone_strbuf_printf(
                    &text, "{\"config\":[%d,%d],\"outcome\":\"valid\",\"time_us\":%d}\n",
                    x, y, 1 + (x - 5) * (x - 5) + (y - 2) * (y - 2));
    char path[128];
    struct hone_error err = {0};
    snprintf(path, sizeof path, "%s/bowl.jsonl", program.folder);
    assert_ok(hone_file_write(path, text.data, text.len, &err), err);
    hone_strbuf_fini(&text);
}

static size_t count_trials(const char *name)
{
    char *text = program_file(name);
    size_t n = 0;
    for (const char *c = text; c && (c = strstr(c, "{\"config\":")); c++)
        n++;
    free(text);
    return n;
}

static void a_broken_lua_strategy_is_replaced_or_stops_the_run(void **state)
{
    (void)state;
    program_run(TUNE "--strategy $SOURCE/tests/lua/strategy/raises.lua --budget 20 "
                     "--journal on.jsonl");
    assert_int_equal(program.code, 0);
    assert_non_null(
        strstr(program.err, "raises.lua:5: out of ideas; the search goes on"));
    assert_int_equal(count_trials("on.jsonl"), 20);
    program_run(TUNE "--strategy $SOURCE/tests/lua/strategy/raises.lua --budget 20 "
                     "--journal stop.jsonl --on-strategy-error stop");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "raises.lua:5: out of ideas"));
    assert_in_range(count_trials("stop.jsonl"), 1, 19);
}

static void a_budget_that_asks_no_strategy_says_so(void **state)
{
    (void)state;
    program_run(TUNE "--strategy $SOURCE/tests/lua/strategy/raises.lua --budget 6");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "raises.lua was not asked: "));
    program_run(TUNE "--strategy sa --budget 15");
    assert_null(strstr(program.out, "was not asked"));
    program_run(TUNE "--strategy random --budget 6");
    assert_null(strstr(program.out, "was not asked"));
}

static void a_benchmark_stops_unless_told_to_go_on(void **state)
{
    (void)state;
    program_run(BENCH "--strategies $SOURCE/tests/lua/strategy/foreign.lua");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "foreign.lua:2: 99 is no value of parameter"));
    program_run(BENCH "--strategies $SOURCE/tests/lua/strategy/foreign.lua "
                      "--on-strategy-error random");
    assert_int_equal(program.code, 0);
    program_run(BENCH "--strategies grid --on-strategy-error never");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "--on-strategy-error wants random or stop"));
}

static void need_python(void)
{
    if (system("python3 -c 'import json' 2> /dev/null") != 0) SKIP("no python3 here");
}

#define UNIFORM_PY "'exec:python3 '$SOURCE'/examples/strategies/uniform.py'"

static void a_program_searches_like_any_strategy(void **state)
{
    (void)state;
    need_python();
    program_run(TUNE "--strategy " UNIFORM_PY " --budget 20 --journal py.jsonl");
    assert_int_equal(program.code, 0);
    assert_string_equal(program.err, "");
    assert_int_equal(count_trials("py.jsonl"), 20);
    program_run(TUNE "--strategy " UNIFORM_PY " --budget 64 --journal py.jsonl --resume");
    assert_int_equal(program.code, 0);
    assert_string_equal(program.err, "");
    assert_int_equal(count_trials("py.jsonl"), 64);
    program_run(BENCH "--strategies random," UNIFORM_PY " -j 2");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "examples/strategies/uniform.py "));
}

/* An optimiser behind ask and tell: it proposes the best that it was told once more each
 * time, as many do near their end, and now and then what is new. */
static void write_adapter(void)
{
    static const char text[] =
        "import json, random, sys\n"
        "hello = json.loads(sys.stdin.readline())\n"
        "rng, best = random.Random(hello['seed']), None\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    for trial in message.get('tell', []):\n"
        "        if 'cost' in trial and (not best or trial['cost'] < best['cost']):\n"
        "            best = trial\n"
        "    if 'ask' in message:\n"
        "        config = [rng.choice(p['values']) for p in hello['params']]\n"
        "        ideas = [best['config'], config] if best else [config]\n"
        "        print(json.dumps({'propose': ideas}), flush=True)\n";
    char path[128];
    struct hone_error err = {0};
    snprintf(path, sizeof path, "%s/adapter.py", program.folder);
    assert_ok(hone_file_write(path, text, sizeof text - 1, &err), err);
}

static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;
    while ((text = strstr(text, part)))
        n++, text++;
    return n;
}

static void repeats_are_free_and_no_fault(void **state)
{
    (void)state;
    need_python();
    write_adapter();
    program_run(BENCH "--repeats 6 -j 2 --strategies \"exec:python3 adapter.py\"");
    if (program.code != 0) fail_msg("%s", program.err);
    assert_int_equal(count_of(program.err, "was proposed before"), 1);
    assert_non_null(strstr(program.err, "such ones are answered from what is known"));
    program_run(TUNE "--strategy \"exec:python3 adapter.py\" --budget 20 "
                     "--on-strategy-error stop --journal adapter.jsonl");
    assert_int_equal(program.code, 0);
    assert_int_equal(count_trials("adapter.jsonl"), 20);
    program_run(BENCH "--strategies $SOURCE/tests/lua/strategy/again.lua");
    if (program.code != 0) fail_msg("%s", program.err);
    assert_non_null(strstr(program.err, "such ones are passed over"));
}

static void a_program_that_dies_leaves_a_whole_journal(void **state)
{
    (void)state;
    static const char *const policies[] = {"random", "stop"};
    for (int i = 0; i < 2; i++) {
        char line[512], name[32];
        snprintf(name, sizeof name, "dies%d.jsonl", i);
        snprintf(line, sizeof line,
                 TUNE "--strategy \"exec:sh -c 'read hello; read ask; read ask'\" "
                      "--budget 20 --journal %s --on-strategy-error %s",
                 name, policies[i]);
        program_run(line);
        assert_int_equal(program.code, i ? 2 : 0);
        assert_non_null(
            strstr(program.err, "exec:sh -c 'read hello; read ask; read ask'"));
        assert_non_null(strstr(program.err, "ended with status 0 instead of answering"));
        if (i)
            assert_in_range(count_trials(name), 1, 19);
        else
            assert_int_equal(count_trials(name), 20);
        snprintf(line, sizeof line, "show %s", name);
        program_run(line);
        assert_int_equal(program.code, 0);
    }
}

static void a_warm_start_begins_with_the_best_of_others(void **state)
{
    (void)state;
    program_run("version; sed 's/\"Bowl\"/\"Other\"/' bowl.jsonl > other.jsonl");
    program_run(TUNE "--strategy random --budget 30 --journal warm.jsonl "
                     "--warm other.jsonl");
    assert_int_equal(program.code, 0);
    char *text = program_file("warm.jsonl");
    assert_non_null(text);
    assert_non_null(strstr(text, "\"strategy\":\"random, warm from 1 runs\""));
    assert_int_equal(strncmp(strchr(text, '\n') + 1, "{\"config\":[5,2],", 16), 0);
    assert_int_equal(count_trials("warm.jsonl"), 30);
    free(text);
    // its own recording is left out
    program_run(BENCH
                "--budget 25 --json --strategies random --warm other.jsonl bowl.jsonl");
    assert_non_null(strstr(program.out, "\"25\": 1.0"));
    program_run(BENCH "--budget 25 --json --strategies random --warm bowl.jsonl");
    assert_null(strstr(program.out, "\"25\": 1.0"));
    program_run(TUNE "--warm nowhere.jsonl");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "nowhere.jsonl"));
}

static void shards_of_a_grid_are_the_whole_space(void **state)
{
    (void)state;
    for (int shard = 1; shard <= 3; shard++)
        for (int part = 0; part < 2; part++) {
            char line[256];
            snprintf(line, sizeof line,
                     TUNE "--strategy grid:%d/3 --budget %d --journal shard%d.jsonl %s",
                     shard, part ? 100 : 5, shard, part ? "--resume" : "");
            program_run(line);
            assert_int_equal(program.code, 0);
        }
    assert_non_null(strstr(program.out, "the strategy is done"));
    program_run(
        "version; cat shard?.jsonl | grep -o '.config.:[^]]*]' | sort -u | wc -l");
    assert_non_null(strstr(program.out, "\n64\n"));
    program_run("version; cat shard?.jsonl | grep -c config.:");
    assert_non_null(strstr(program.out, "\n64\n"));
    program_run(TUNE "--strategy grid:4/3");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "strategy grid has no shard 4 of 3"));
    program_run("strategies --json");
    assert_non_null(strstr(program.out, "\"name\": \"shards\""));
}

static void wrong_commands_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *args, *message;
    } cases[] = {
        {TUNE "--strategy exec:", "the command is empty"},
        {TUNE "--strategy \"exec:a 'b\"", "lacks a closing '"},
        {TUNE "--strategy exec:cat --strategy-timeout 0",
         "--strategy-timeout wants a time above 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program_run(cases[i].args);
        if (program.code != 2 || !strstr(program.err, cases[i].message))
            fail_msg("hone %s ended with %d and said: %s", cases[i].args, program.code,
                     program.err);
    }
    program_run(TUNE "--strategy exec:no-such-program-of-hone");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "cannot start 'no-such-program-of-hone'"));
}

static int setup(void **state)
{
    program_setup(state);
    record_bowl();
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_broken_lua_strategy_is_replaced_or_stops_the_run),
    cmocka_unit_test(a_budget_that_asks_no_strategy_says_so),
    cmocka_unit_test(a_benchmark_stops_unless_told_to_go_on),
    cmocka_unit_test(a_program_searches_like_any_strategy),
    cmocka_unit_test(repeats_are_free_and_no_fault),
    cmocka_unit_test(a_program_that_dies_leaves_a_whole_journal),
    cmocka_unit_test(a_warm_start_begins_with_the_best_of_others),
    cmocka_unit_test(shards_of_a_grid_are_the_whole_space),
    cmocka_unit_test(wrong_commands_are_refused),
};

HONE_TEST_MAIN_WITH(tests, setup, program_teardown)
