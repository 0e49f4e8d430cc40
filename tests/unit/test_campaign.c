// What a campaign's runs are, and what is made of them: identities, lists, votes, the
// commands that do them.
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
         "problem size 'N' is an integer, got '1.5'", 4},
        {"kernels = { { script = \"kernel.lua\", problems = \"gone.txt\" } }", "gone.txt",
         4},
        {"kernels = { { script = \"kernel.lua\", set = { C = 2 } } }", "'C'", 4},
        {"kernels = { { script = \"kernel.lua\" } },\nbudget = \"soon\"",
         "'budget' is a number of evaluations", 5},
        {"kernels = { { script = \"kernel.lua\" } }, strategy = \"portfoli\"",
         "'strategy': unknown strategy 'portfoli'; did you mean 'portfolio'?", 2},
        {"kernels = { { script = \"kernel.lua\" } }, strategy = \"gone.lua\"",
         "'strategy': ", 2},
        {"kernels = { { script = \"kernel.lua\" } }, strategy = \"kernel.lua\"",
         "defines no strategy", 2},
        {"kernels = { { script = \"kernel.lua\" },\n{ script = \"kernel.lua\" } }",
         "kernel 1 and kernel 2 have the same run", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(lines, sizeof lines, "%s%s", devices, cases[i].rest);
        expect_error(lines, cases[i].line, cases[i].text);
    }
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
    cmocka_unit_test(votes_decide_what_is_merged),
    cmocka_unit_test(a_device_of_another_name_measures_nothing),
    cmocka_unit_test(commands_say_what_the_campaign_says),
};
HONE_TEST_MAIN_WITH(tests, NULL, campaign_end)
