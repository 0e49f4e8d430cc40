// What a campaign's runs are, and what becomes of them: identities, states, tries, warm
// starts, with a fake in the place of `hone tune`.
#include <string.h>

#include "campaign/attempt.h"
#include "campaign/merge.h"
#include "campaign_test.h"

static void id_of(char out[HONE_RUN_ID], const char *lines)
{
    struct hone_campaign *campaign = campaign_open(lines);
    assert_int_equal(campaign->run_count, 1);
    strcpy(out, campaign->runs[0].id);
    hone_campaign_close(campaign);
}

static void identity_changes_with_all_that_decides_a_result(void **state)
{
    static const char *const other[] = {
        "",
        "budget = 10",
        "budget = \"10s\"",
        "seed = 2",
        "strategy = \"random\"",
        "options = { \"--no-race\" }",
        "devices = { { id = \"emu:h100\" } }",
        "devices = { { id = \"emu:a100\", name = \"A100\" } }",
        "kernels = { { script = \"kernel.lua\", budget = 10, options = { \"--no-race\" } "
        "} "
        "}",
        "kernels = { { script = \"kernel.lua\", problems = { { N = 65 } } } }",
        "kernels = { { script = \"kernel.lua\", problems = { { M = 65 } } } }",
        "kernels = { { script = \"kernel.lua\", set = { B = 32 } } }",
    };
    enum { COUNT = sizeof other / sizeof *other };
    char ids[COUNT][HONE_RUN_ID];
    campaign_begin(state);
    for (size_t i = 0; i < COUNT; i++) {
        id_of(ids[i], other[i]);
        for (size_t k = 0; k < i; k++)
            if (strcmp(ids[i], ids[k]) == 0)
                fail_msg("the same: '%s' and '%s'", other[i], other[k]);
    }
}

static void identity_stays_with_what_decides_nothing(void **state)
{
    static const char *const same[] = {
        "output = \"elsewhere\", state = \"there\", tries = 9, warm = true",
        "devices = { { id = \"emu:a100\", via = \"print\" } }",
        "devices = { { id = \"emu:a100\", at_once = 7 } }",
        "kernels = { { script = \"kernel.lua\", name = \"again\" } }",
        "kernels = { { script = \"kernel.lua\", problems = { { N = 64, M = 2 } } } }",
    };
    char usual[HONE_RUN_ID], id[HONE_RUN_ID];
    campaign_begin(state);
    id_of(usual, "");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        id_of(id, same[i]);
        if (strcmp(id, usual) != 0) fail_msg("another: '%s'", same[i]);
    }
}

static void a_changed_file_makes_another_run_and_keeps_the_old_one(void **state)
{
    static const char *const changes[] = {"echo '-- more' >>kernel.lua",
                                          "echo '// more' >>kernel.cu",
                                          "echo '#define MORE 2' >>part.cuh"};
    char before[HONE_RUN_ID], after[HONE_RUN_ID];
    struct campaign_fake fake = {.trials = 2};
    struct hone_engine_result result;
    campaign_begin(state);
    id_of(before, "");
    for (size_t i = 0; i < 3; i++) {
        struct hone_overview overview;
        struct hone_campaign *campaign = campaign_open("");
        assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
        assert_int_equal(result.begun, 1);
        assert_int_equal(hone_overview_make(&overview, campaign, NULL), HONE_OK);
        assert_int_equal(overview.counts[HONE_RUN_DONE], 1);
        assert_int_equal(overview.superseded, i);
        hone_overview_fini(&overview);
        hone_campaign_close(campaign);
        campaign_shell(changes[i]);
        id_of(after, "");
        assert_string_not_equal(before, after);
        strcpy(before, after);
    }
    assert_int_equal(campaign_count("measured", ""), 6);
}

#define STRATEGY                                                                         \
    "return require('hone').strategy { ask = function() return { { B = 32 } } end }\n"

static void a_changed_strategy_file_makes_another_run(void **state)
{
    char usual[HONE_RUN_ID], changed[HONE_RUN_ID], module[HONE_RUN_ID];
    campaign_begin(state);
    campaign_write("part.lua", "return {}\n");
    campaign_write("mine.lua", "require 'part'\n" STRATEGY);
    id_of(usual, "strategy = \"mine.lua\"");
    campaign_write("mine.lua", "require 'part' -- more\n" STRATEGY);
    id_of(changed, "strategy = \"mine.lua\"");
    assert_string_not_equal(usual, changed);
    campaign_write("part.lua", "return { more = 1 }\n");
    id_of(module, "strategy = \"mine.lua\"");
    assert_string_not_equal(changed, module);
}

static void runs_are_the_product_of_the_lists(void **state)
{
    campaign_begin(state);
    campaign_write("sizes.txt", "# two\nN=32 M=4\n{\"N\": 96}\n");
    struct hone_campaign *campaign = campaign_open(
        "kernels = { { script = \"kernel.lua\", problems = \"sizes.txt\" }, { script = "
        "\"kernel.lua\", set = { B = 64 }, devices = { \"emu:h100\" } } },\n"
        "devices = { { id = \"emu:a100\" }, { id = \"emu:h100\" } }, votes = 3");
    assert_int_equal(campaign->run_count, 2 * 2 * 3 + 3);
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_run_problem_text(&text, campaign, &campaign->runs[1]);
    assert_string_equal(text.data, "M=2 N=96");
    hone_strbuf_fini(&text);
    assert_int_equal(campaign->runs[2].seed, 2);
    hone_campaign_close(campaign);
}

static void expect_error(const char *lines, int line, const char *text)
{
    struct hone_campaign *campaign = NULL;
    struct hone_error err = {0};
    char path[128];
    campaign_write("bad.lua",
                   "local hone = require \"hone\"\nreturn hone.campaign {\n%s\n}\n",
                   lines);
    snprintf(path, sizeof path, "%s/bad.lua", campaign_folder);
    assert_int_equal(hone_campaign_open(&campaign, path, &err), HONE_EINPUT);
    assert_null(campaign);
    if (err.line != line || !strstr(err.text, text))
        fail_msg("%s\n%s:%d: %s", lines, err.source, err.line, err.text);
}

static void devices_of_one_folder_are_told_with_the_second_ones_line(void **state)
{
    static const char *const pairs[][2] = {
        {"name = \"NVIDIA H100\"", "id = \"emu:h100\""},
        {"name = \"GeForce RTX 4090\"", "name = \"NVIDIA GeForce RTX 4090\""},
        {"name = \"H100 PCIe\"", "name = \"h100-pcie\""},
    };
    campaign_begin(state);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char lines[512];
        snprintf(lines, sizeof lines,
                 "kernels = { { script = \"kernel.lua\" } }, devices = {\n{ id = "
                 "\"emu:a100\" },\n{ %s },\n{ %s } }",
                 pairs[i][0], pairs[i][1]);
        expect_error(lines, 6, "have one folder of results");
    }
}

static void what_is_wrong_is_told_with_its_line(void **state)
{
    static const char devices[] = "devices = { { id = \"emu:a100\" } },\n";
    char lines[512];
    campaign_begin(state);
    static const struct {
        const char *rest, *text;
        int line;
    } cases[] = {
        {"kernels = { { script = \"gone.lua\" } }", "no script", 4},
        {"kernels = { { script = \"nothing\" } }", "no script", 4},
        {"kernels = { { script = \"kernel.lua\", problems = { { K = 2 } } } }",
         "the kernel has no problem size 'K'", 4},
        {"kernels = { { script = \"kernel.lua\", problems = { { N = 1.5 } } } }",
         "a value of another type", 4},
        {"kernels = { { script = \"kernel.lua\", problems = \"gone.txt\" } }", "gone.txt",
         4},
        {"kernels = { { script = \"kernel.lua\", set = { C = 2 } } }", "'C'", 4},
        {"kernels = { { script = \"kernel.lua\" } },\nbudget = \"soon\"",
         "'budget' is a number of evaluations", 5},
        {"kernels = { { script = \"kernel.lua\" } }, strategy = \"gone.lua\"",
         "'strategy': ", 2},
        {"kernels = { { script = \"kernel.lua\" } }, strategy = \"kernel.lua\"",
         "defines no strategy", 2},
        {"kernels = { { script = \"kernel.lua\" },\n{ script = \"kernel.lua\" } }",
         "kernel 1 and kernel 2 have the same run", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(lines, sizeof lines, "%s%s", devices, cases[i].rest);
        expect_error(lines, cases[i].line, cases[i].text);
    }
}

static void a_run_that_is_done_is_never_done_again(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.trials = 4};
    struct hone_engine_result result;
    struct hone_campaign *campaign = campaign_open("");
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_WAITING);
    for (int i = 0; i < 2; i++)
        assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(result.begun, 0);
    assert_int_equal(fake.starts, 1);
    const struct hone_run_state now = campaign_state(campaign, 0);
    assert_int_equal(now.phase, HONE_RUN_DONE);
    assert_int_equal(now.figures.trials, 4);
    assert_true(now.figures.best == 96 && now.figures.base == 99 &&
                now.figures.predicted);
    hone_campaign_close(campaign);
}

static void a_run_fails_as_often_as_it_may(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.trials = 4, .code = 1};
    struct hone_engine_result result;
    struct hone_campaign *campaign = campaign_open("tries = 4");
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(fake.starts, 4);
    assert_int_equal(result.failed, 1);
    const struct hone_run_state now = campaign_state(campaign, 0);
    assert_int_equal(now.phase, HONE_RUN_FAILED);
    assert_string_equal(now.reason, "that is what it said");
    // Nothing was measured twice for all that, and a retry begins to count anew.
    assert_int_equal(campaign_count("measured", ""), 4);
    assert_int_equal(hone_run_retry(&campaign->runs[0], NULL), HONE_OK);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_INTERRUPTED);
    fake.code = 0;
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_DONE);
    assert_int_equal(campaign_count("measured", ""), 4);
    hone_campaign_close(campaign);
}

static void wrong_use_is_not_tried_again(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.code = 2};
    struct hone_engine_result result;
    struct hone_campaign *campaign = campaign_open("");
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(fake.starts, 1);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_FAILED);
    hone_campaign_close(campaign);
}

static void an_interruption_is_no_failure(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.trials = 8, .most = 3, .codes = {143}, .code_count = 1};
    struct hone_engine_result result;
    struct hone_campaign *campaign = campaign_open("tries = 1");
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    struct hone_run_state now = campaign_state(campaign, 0);
    assert_int_equal(now.phase, HONE_RUN_INTERRUPTED);
    assert_int_equal(now.tries, 0);
    fake.most = 0;
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_non_null(strstr(fake.argv, " --resume "));
    now = campaign_state(campaign, 0);
    assert_int_equal(now.phase, HONE_RUN_DONE);
    assert_int_equal(now.starts, 2);
    assert_int_equal(campaign_count("measured", ""), 8);
    hone_campaign_close(campaign);
}

// A start whose end nobody wrote: its process was killed.
static void lose(const struct hone_campaign *campaign, int bytes)
{
    char line[512];
    const char *folder = strrchr(campaign->runs[0].folder, '/') + 1;
    snprintf(
        line, sizeof line,
        "mkdir -p campaign.runs/%s && printf '%%s\\n' '{\"event\":\"begin\",\"at\":1,"
        "\"host\":\"n7\",\"process\":1,\"bytes\":%d}' >>campaign.runs/%s/events.jsonl",
        folder, bytes, folder);
    campaign_shell(line);
}

static void a_loss_counts_as_a_failure_where_nothing_was_measured(void **state)
{
    campaign_begin(state);
    struct hone_campaign *campaign = campaign_open("tries = 2");
    lose(campaign, 0);
    struct hone_run_state now = campaign_state(campaign, 0);
    assert_int_equal(now.tries, 1);
    assert_int_equal(now.phase, HONE_RUN_WAITING);
    lose(campaign, 100); // the first one did measure: it is forgiven
    now = campaign_state(campaign, 0);
    assert_int_equal(now.tries, 1);
    lose(campaign, 100);
    now = campaign_state(campaign, 0);
    assert_int_equal(now.phase, HONE_RUN_FAILED);
    assert_non_null(strstr(now.reason, "its process on n7 was lost"));
    hone_campaign_close(campaign);
}

// Who claims a run holds its lock, and must not take that for a living process of others.
static void a_lost_run_that_is_over_is_not_begun_again(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.trials = 1};
    struct hone_engine_result result;
    struct hone_campaign *campaign = campaign_open("tries = 2");
    lose(campaign, 0);
    lose(campaign, 0);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_FAILED);
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(fake.starts, 0);
    // A retry forgives the start that was lost last, too.
    assert_int_equal(hone_run_retry(&campaign->runs[0], NULL), HONE_OK);
    assert_int_equal(campaign_state(campaign, 0).tries, 0);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_INTERRUPTED);
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_DONE);
    hone_campaign_close(campaign);
}

static void a_lost_run_that_is_cancelled_is_not_begun_again(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.trials = 1};
    struct hone_engine_result result;
    struct hone_campaign *campaign = campaign_open("");
    lose(campaign, 0);
    assert_int_equal(hone_run_cancel(&campaign->runs[0], NULL), HONE_OK);
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(fake.starts, 0);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_CANCELLED);
    hone_campaign_close(campaign);
}

static void an_event_without_its_numbers_is_told_with_its_line(void **state)
{
    static const char *const events[] = {
        "{\"event\":\"end\",\"at\":1}",
        "{\"event\":\"end\",\"code\":\"0\"}",
        "{\"event\":\"end\",\"code\":0.5}",
        "{\"event\":\"end\",\"code\":-1}",
        "{\"event\":\"end\",\"code\":4294967296}",
        "{\"event\":\"end\",\"code\":1e300}",
        "{\"event\":\"end\",\"code\":0,\"trials\":-3}",
        "{\"event\":\"begin\",\"bytes\":1e300}",
        "{\"event\":\"begin\",\"at\":-1e300}",
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        char line[512];
        struct hone_run_state now;
        struct hone_error err = {0};
        campaign_begin(state);
        struct hone_campaign *campaign = campaign_open("");
        lose(campaign, 0);
        snprintf(line, sizeof line, "echo '%s' >>%s/events.jsonl", events[i],
                 campaign->runs[0].folder);
        campaign_shell(line);
        const enum hone_status status =
            hone_run_state_read(&now, &campaign->runs[0], 3, 1, &err);
        if (status != HONE_EINPUT || err.line != 2 || !strstr(err.source, "events.jsonl"))
            fail_msg("%s: %d, line %d", events[i], status, err.line);
        hone_campaign_close(campaign);
    }
}

static void a_cancelled_run_is_left_alone_until_it_may_be_tried(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.trials = 1};
    struct hone_engine_result result;
    struct hone_campaign *campaign = campaign_open("");
    assert_int_equal(hone_run_cancel(&campaign->runs[0], NULL), HONE_OK);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_CANCELLED);
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(fake.starts, 0);
    assert_int_equal(hone_run_retry(&campaign->runs[0], NULL), HONE_OK);
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_DONE);
    assert_int_equal(hone_run_cancel(&campaign->runs[0], NULL), HONE_OK);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_DONE);
    hone_campaign_close(campaign);
}

static void a_run_that_failed_before_is_told_by_each_call(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.code = 2};
    struct hone_engine_result result;
    struct hone_campaign *campaign = campaign_open("");
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
        assert_int_equal(result.begun, i == 0);
        assert_int_equal(result.failed, 1);
    }
    assert_int_equal(hone_run_retry(&campaign->runs[0], NULL), HONE_OK);
    fake.code = 0;
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(result.failed, 0);
    hone_campaign_close(campaign);
}

// Ended from elsewhere, or failed and not tried again by this call: it is not over.
static void a_warm_run_waits_for_one_that_is_not_over(void **state)
{
    static const struct {
        int code;
        size_t failed, unfinished;
    } cases[] = {{143, 0, 2}, {130, 0, 2}, {1, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        campaign_begin(state);
        struct campaign_fake fake = {.trials = 1, .code = cases[i].code};
        const struct hone_starter starter = campaign_starter(&fake);
        struct hone_engine_result result;
        struct hone_campaign *campaign =
            campaign_open("warm = true, kernels = { { script = \"kernel.lua\", "
                          "problems = { { N = 1 }, { N = 2 } } } }");
        const struct hone_engine_options options = {.campaign = campaign,
                                                    .chosen = (const bool[]){true, true},
                                                    .program = "hone",
                                                    .attempts = 1,
                                                    .starter = &starter};
        assert_int_equal(hone_engine_local(&result, &options, NULL), HONE_OK);
        assert_int_equal(fake.starts, 1);
        assert_int_equal(result.failed, cases[i].failed);
        assert_int_equal(result.unfinished, cases[i].unfinished);
        assert_int_equal(result.left, 0);
        hone_campaign_close(campaign);
    }
}

static void a_warm_run_begins_with_what_the_one_before_found(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.trials = 1, .codes = {0, 1, 1, 1}, .code_count = 4};
    struct hone_engine_result result;
    struct hone_campaign *campaign =
        campaign_open("warm = true, kernels = { { script = \"kernel.lua\", problems = { "
                      "{ N = 1 }, { N = "
                      "2 }, { N = 3 } } } }");
    assert_int_equal(campaign->runs[0].after, HONE_RUN_NONE);
    assert_int_equal(campaign->runs[2].after, 1);
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(fake.starts, 5); // the second one fails three times, then it is over
    char *journal = hone_run_file(&campaign->runs[1], HONE_RUN_JOURNAL), warm[256];
    snprintf(warm, sizeof warm, " --warm %s ", journal);
    assert_non_null(strstr(fake.argv, warm));
    free(journal);
    assert_int_equal(result.done, 2);
    hone_campaign_close(campaign);
}

static void votes_decide_what_is_merged(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.trials = 3};
    struct hone_engine_result result;
    struct hone_merge merged;
    struct hone_campaign *campaign = campaign_open("votes = 4");
    const bool chosen[] = {true, true, true, true};
    const struct hone_merge_options options = {
        .campaign = campaign, .chosen = chosen, .rows = 1};
    assert_int_equal(campaign->run_count, 4);
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    // Two find 7 to be the best, one that is faster, and one nothing that is new.
    static const char *const found[] = {"[7],5", "[8],4", "[7],6", "[2],97"};
    for (size_t i = 0; i < 4; i++) {
        char line[512], folder[256];
        strcpy(folder, campaign->runs[i].folder);
        snprintf(line, sizeof line,
                 "printf '{\"config\":%.3s,\"outcome\":\"valid\",\"predicted_us\":%s}\\n'"
                 " >>%s/journal.jsonl",
                 found[i], found[i] + 4, folder);
        campaign_shell(line);
    }
    struct hone_error err = {0};
    assert_ok(hone_campaign_merge(&merged, &options, &err), err);
    assert_int_equal(merged.count, 1);
    assert_int_equal(merged.items[0].problems, 1);
    assert_int_equal(merged.items[0].runs, 4);
    assert_int_equal(merged.items[0].agreed, 0);
    assert_non_null(merged.items[0].why); // predictions are not accepted
    hone_merge_fini(&merged);
    hone_campaign_close(campaign);
    assert_int_equal(
        campaign_count("results/a100/tiny.predicted.jsonl", "{\"config\":[0],"), 1);
    assert_int_equal(campaign_count("results/a100/tiny.predicted.jsonl",
                                    "{\"config\":[7],\"outcome\":\"valid\",\"predicted_"
                                    "us\":5.0"),
                     1);
    assert_int_equal(campaign_count("results/a100/tiny.predicted.jsonl", "{\"config\""),
                     2);
    // How many there were is told, too.
    campaign_shell("grep -q '\"evaluated\":4,\"valid\":4,' "
                   "results/a100/tiny.predicted.jsonl");
}

static void a_device_of_another_name_measures_nothing(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.trials = 1};
    struct hone_engine_result result;
    struct hone_campaign *campaign =
        campaign_open("devices = { { id = \"emu:a100\", name = \"NVIDIA H100\" } }");
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_int_equal(fake.starts, 0);
    const struct hone_run_state now = campaign_state(campaign, 0);
    assert_int_equal(now.phase, HONE_RUN_FAILED);
    assert_string_equal(now.reason, "emu:a100 is NVIDIA A100-SXM4-80GB, and the campaign "
                                    "wants NVIDIA H100");
    hone_campaign_close(campaign);
}

static void a_program_as_strategy_is_no_file(void **state)
{
    campaign_begin(state);
    struct campaign_fake fake = {.trials = 1};
    struct hone_engine_result result;
    struct hone_campaign *campaign = campaign_open("strategy = \"exec:./mine.lua\"");
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_non_null(strstr(fake.argv, " --strategy exec:./mine.lua "));
    hone_campaign_close(campaign);
}

static void commands_say_what_the_campaign_says(void **state)
{
    campaign_begin(state);
    campaign_write("mine.lua", STRATEGY);
    struct campaign_fake fake = {.trials = 1};
    struct hone_engine_result result;
    struct hone_campaign *campaign = campaign_open(
        "seed = 7, budget = \"3m\", strategy = \"mine.lua\", options = { \"--no-race\" "
        "}, "
        "kernels = { { script = \"kernel.lua\", set = { M = 9, B = 64 }, options = { "
        "\"--isolate\", \"yes\" } } }");
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    char wanted[1024];
    snprintf(wanted, sizeof wanted,
             "hone tune %s/kernel.lua --device emu:a100 --set B=64 --set M=9 --set N=64 "
             "--budget 3m --seed 7 --strategy %s/mine.lua --no-race --isolate yes "
             "--journal %s/journal.jsonl --quiet ",
             campaign_folder, campaign_folder, campaign->runs[0].folder);
    assert_string_equal(fake.argv, wanted);
    hone_campaign_close(campaign);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(identity_changes_with_all_that_decides_a_result),
    cmocka_unit_test(identity_stays_with_what_decides_nothing),
    cmocka_unit_test(a_changed_file_makes_another_run_and_keeps_the_old_one),
    cmocka_unit_test(a_changed_strategy_file_makes_another_run),
    cmocka_unit_test(a_program_as_strategy_is_no_file),
    cmocka_unit_test(runs_are_the_product_of_the_lists),
    cmocka_unit_test(devices_of_one_folder_are_told_with_the_second_ones_line),
    cmocka_unit_test(what_is_wrong_is_told_with_its_line),
    cmocka_unit_test(a_run_that_is_done_is_never_done_again),
    cmocka_unit_test(a_run_fails_as_often_as_it_may),
    cmocka_unit_test(wrong_use_is_not_tried_again),
    cmocka_unit_test(an_interruption_is_no_failure),
    cmocka_unit_test(a_loss_counts_as_a_failure_where_nothing_was_measured),
    cmocka_unit_test(a_lost_run_that_is_over_is_not_begun_again),
    cmocka_unit_test(a_lost_run_that_is_cancelled_is_not_begun_again),
    cmocka_unit_test(an_event_without_its_numbers_is_told_with_its_line),
    cmocka_unit_test(a_cancelled_run_is_left_alone_until_it_may_be_tried),
    cmocka_unit_test(a_run_that_failed_before_is_told_by_each_call),
    cmocka_unit_test(a_warm_run_waits_for_one_that_is_not_over),
    cmocka_unit_test(a_warm_run_begins_with_what_the_one_before_found),
    cmocka_unit_test(votes_decide_what_is_merged),
    cmocka_unit_test(a_device_of_another_name_measures_nothing),
    cmocka_unit_test(commands_say_what_the_campaign_says),
};
HONE_TEST_MAIN_WITH(tests, NULL, campaign_end)
