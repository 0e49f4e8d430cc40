// Campaigns whose file another wrote: it starts no program by what it says, unless its
// user lets it.
#include <string.h>

#include "args/tune_args.h"
#include "campaign/attempt.h"
#include "campaign_test.h"

static void a_file_starts_no_program_by_itself(void **state)
{
    static const char *const files[] = {
        "strategy = \"exec:touch came\"",
        "options = { \"--worker\", \"touch came\" }",
        "options = { \"--worker=touch came\" }",
        "options = { \"--no-race\", \"--allow-io\" }",
        "options = { \"--templates\", \"/\" }",
        "options = { \"--max-memory=900G\" }",
        "options = { \"--cache=elsewhere\" }",
        "options = { \"--host-memory\", \"99%\" }",
        "options = { \"--build-deadline=9h\", \"--launch-deadline=9h\" }",
        "kernels = { { script = \"kernel.lua\", options = { \"--worker=sh\" } } }",
        "devices = { { id = \"cuda:0\", via = \"slurm\", sbatch = { \"--export=X\" } } }",
    };
    static const char *const harmless[] = {
        "", "strategy = \"random\", options = { \"--no-race\", \"--worker-start=5s\" }"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct hone_error err = {0};
        campaign_begin(state);
        struct hone_campaign *campaign = campaign_open(files[i]);
        if (hone_campaign_check_reach(campaign, &err) != HONE_EUSAGE || !err.line ||
            !strstr(err.text, "--allow-io"))
            fail_msg("%s: %s", files[i], err.text);
        hone_campaign_close(campaign);
    }
    for (size_t i = 0; i < 2; i++) {
        struct hone_error err = {0};
        struct hone_argv argv = {0};
        campaign_begin(state);
        struct hone_campaign *campaign = campaign_open(harmless[i]);
        assert_ok(hone_campaign_check_reach(campaign, &err), err);
        campaign->allow_io = i;
        assert_ok(hone_run_own_command(&argv, "hone", campaign, 0, &err), err);
        assert_int_equal(strcmp(argv.items[argv.count - 1], "--allow-io") == 0, i);
        hone_argv_fini(&argv);
        hone_campaign_close(campaign);
    }
}

// The verdict of two on at most four options, of lines 7 to 10, as `hone campaign run`
// asks them: on what nobody may say, and on the rest without --allow-io.
static enum hone_status judge(struct hone_error *err, const char *const *words,
                              size_t count)
{
    static const int lines[] = {7, 8, 9, 10};
    const struct hone_campaign_def def = {
        .options = words, .option_lines = lines, .option_count = count};
    const struct hone_campaign campaign = {.path = "c.lua", .def = &def};
    assert_true(count <= sizeof lines / sizeof *lines);
    *err = (struct hone_error){0};
    const enum hone_status status = hone_campaign_check_own(&campaign, err);
    return status != HONE_OK ? status : hone_campaign_check_reach(&campaign, err);
}

// C judges them, so that nothing that the script puts in the place of a function of Lua
// lets one through.
static void what_the_campaign_says_itself_is_no_option_in_any_spelling(void **state)
{
    (void)state;
    static const char *const words[] = {"--strategy=exec:touch came",
                                        "--strategy",
                                        "-sexec:touch came",
                                        "-s",
                                        "-o",
                                        "-oout.h",
                                        "--output=out.h",
                                        "--journal",
                                        "--journal=j",
                                        "--device",
                                        "-demu:a100",
                                        "--set=N=1",
                                        "--budget=9",
                                        "-b9",
                                        "--seed=1",
                                        "--problems=p",
                                        "--warm=j",
                                        "--repeat-tuning=2",
                                        "--resume",
                                        "--json",
                                        "-q",
                                        "--quiet",
                                        "--",
                                        "--help",
                                        "-h"};
    struct hone_error err;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        // Behind an option that takes a value it is no better.
        const char *const list[] = {"--no-race", "--drift-check", words[i], "9"};
        if (judge(&err, list, 4) != HONE_EINPUT || err.line != 9 ||
            !strstr(err.text, words[i]))
            fail_msg("%s: %s", words[i], err.text);
    }
}

static void replaced_functions_of_lua_hide_no_option(void **state)
{
    struct hone_error err = {0};
    struct hone_campaign *campaign = NULL;
    char path[128];
    campaign_begin(state);
    campaign_write("campaign.lua",
                   "local hone = require \"hone\"\n"
                   "string.match = function() return \"x\" end\n"
                   "string.find = function() return 1 end\n"
                   "ipairs = function() return function() end end\n"
                   "next, pairs, rawget, type, error = nil, ipairs, nil, nil, nil\n"
                   "return hone.campaign { kernels = { { script = \"kernel.lua\" } },\n"
                   "    devices = { { id = \"emu:a100\" } },\n"
                   "    options = { \"--strategy=exec:touch came\" } }\n");
    snprintf(path, sizeof path, "%s/campaign.lua", campaign_folder);
    assert_int_equal(hone_campaign_open(&campaign, path, &err), HONE_EINPUT);
    assert_non_null(strstr(err.text, "is said by 'strategy' of the campaign"));
    assert_int_equal(err.line, 8);
}

// Each is refused where it stands, which is not where its list begins.
static void an_option_is_refused_at_its_line(void **state)
{
    static const struct {
        const char *options, *says;
        int line;
    } rows[] = {
        {"\"--no-race\",\n\"--journal\"", "'--journal' in options is said by 'state'", 4},
        {"\"--no-race\",\n\n\"-q\"", "'-q' in options is the campaign's own to say", 5},
        {"\"--no-race\",\n\"--worker=sh\"", "'--worker=sh' starts a program", 4},
        {"\"--no-race\",\n\"--no-final\"", "--allow-io'; did you mean '--no-finals'?", 4},
        {"\"--clock\",\n\"1\",\n\"2\"", "'2' in options is no option, nor the value", 5},
        {"\"--no-race\",\n\"--clock\"", "'--clock' in options lacks its value", 4},
    };
    const size_t count = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < 2 * count; i++) { // of the campaign and of a kernel
        struct hone_error err = {0};
        struct hone_campaign *campaign = NULL;
        char path[128], options[128];
        snprintf(options, sizeof options, "options = {\n%s }", rows[i % count].options);
        campaign_begin(state);
        campaign_write(
            "campaign.lua",
            "return require(\"hone\").campaign { devices = { { id = \"emu:a100\" "
            "} }, kernels =\n{ { script = \"kernel.lua\"%s%s } }%s%s }\n",
            i < count ? "" : ", ", i < count ? "" : options, i < count ? ", " : "",
            i < count ? options : "");
        snprintf(path, sizeof path, "%s/campaign.lua", campaign_folder);
        enum hone_status status = hone_campaign_open(&campaign, path, &err);
        if (status == HONE_OK) status = hone_campaign_check_reach(campaign, &err);
        if (status == HONE_OK || !strstr(err.text, rows[i % count].says) ||
            err.line != rows[i % count].line)
            fail_msg("%s: %d: %s", options, err.line, err.text);
        hone_campaign_close(campaign);
    }
}

static const struct {
    const char *lines, *says; // from line 2 on, of a table or before it
    int line;
} refused_words[] = {
    {"{ kernels = { { script = \"kernel.lua\",\n options = { \"--clock\", \"1\" } } "
     "},\n"
     "options = { \"--no-race\", \"1\" },",
     "'1' in options is no option", 4},
    {"{ options = { \"--clock\", \"1\" }, kernels = { { script = \"kernel.lua\",\n"
     "options = { \"--no-race\",\n\"1\" } } },",
     "'1' in options is no option", 4},
    {"{ kernels = { { script = \"kernel.lua\", options = { \"--clock\", \"1\" } },\n"
     "{ script = \"kernel.lua\",\noptions = { \"1\" } } },",
     "'1' in options is no option", 4},
    {"{ options = {\n-- not \"--worker=sh\" yet\n\"--no-race\",\n\"--worker=sh\" },",
     "'--worker=sh'", 5},
    {"{ -- options = { \"-q\" }\noptions = { --[==[ ]] \"-q\",\n]==] \"--no-race\",\n"
     "\"-q\" },",
     "'-q'", 5},
    {"{ output = \"options = { '-q' }\",\n['options'] = { [[--no-race]];\n[=[-q]=]; "
     "},",
     "'-q'", 4},
    {"{ options = { \"--clock\",\n\"1\", \"--counters\",\n\"1\", \"--no-race\",\n"
     "\"1\" },",
     "'1' in options is no option", 5},
    {"{ kernels = { { script = \"kernel.lua\", options = { } } },\n"
     "options = { \"--no-race\",\n\"--cache=\" ..\n\"x\" },",
     "'--cache=x'", 4},
    {"{ kernels = { { script = \"kernel.lua\", options = { } } },\n"
     "options = { (function() local a, b = 1; if b then return 1, 2 end\n"
     "return \"--no-race\" end)(),\n\"-q\" },",
     "'-q'", 5},
    {"{ kernels = { { script = \"kernel.lua\", options = { } } },\n"
     "options = { \"--no-race\",\ntable.unpack { \"--no-finals\", \"-q\" } },",
     "'-q'", 3},
    {"{ kernels = { { script = \"kernel.lua\", options = { } } },\n"
     "options = (function() return { \"-q\" } end)(),",
     "'-q'", 3},
    {"({ kernels = { (function() return { script = \"kernel.lua\",\n"
     "options = { \"-q\" } } end)() }, options = { },",
     "'-q'", 2},
};

// Words of other lists, of comments, of strings and of functions take no word's line; one
// that is computed is named where it is an item, or else where its list begins.
static void a_word_is_refused_at_the_line_of_its_own_list(void **state)
{
    for (size_t i = 0; i < sizeof refused_words / sizeof *refused_words; i++) {
        struct hone_error err = {0};
        struct hone_campaign *campaign = NULL;
        char path[128];
        const bool parens = refused_words[i].lines[0] == '(';
        campaign_begin(state);
        campaign_write("campaign.lua",
                       "return require(\"hone\").campaign\n%s\n%s"
                       "devices = { { id = \"emu:a100\" } } }%s\n",
                       refused_words[i].lines,
                       strstr(refused_words[i].lines, "kernels")
                           ? ""
                           : "kernels = { { script = \"kernel.lua\", options = { } } }, ",
                       parens ? ")" : "");
        snprintf(path, sizeof path, "%s/campaign.lua", campaign_folder);
        enum hone_status status = hone_campaign_open(&campaign, path, &err);
        if (status == HONE_OK) status = hone_campaign_check_reach(campaign, &err);
        if (status == HONE_OK || !strstr(err.text, refused_words[i].says) ||
            err.line != refused_words[i].line)
            fail_msg("%s: %d: %s", refused_words[i].lines, err.line, err.text);
        hone_campaign_close(campaign);
    }
}

// A table that is not written out in the call shows no list of its own.
static void words_of_a_table_from_elsewhere_are_refused_at_the_call(void **state)
{
    struct hone_error err = {0};
    struct hone_campaign *campaign = NULL;
    char path[128];
    campaign_begin(state);
    campaign_write("campaign.lua", "local define = require(\"hone\").campaign\n"
                                   "local t = { devices = { { id = \"emu:a100\" } },\n"
                                   "    kernels = { { script = \"kernel.lua\" } },\n"
                                   "    options = { \"-q\" } }\n"
                                   "do return define(t) end\n"
                                   "local other = { options = { \"-q\" } }\n");
    snprintf(path, sizeof path, "%s/campaign.lua", campaign_folder);
    assert_int_equal(hone_campaign_open(&campaign, path, &err), HONE_EINPUT);
    assert_non_null(strstr(err.text, "'-q'"));
    assert_int_equal(err.line, 5);
}

// An option that is new is refused until somebody has looked at it; of one that is not,
// C knows whether its value is the next word.
static void of_all_options_only_those_of_searching_and_measuring_are_free(void **state)
{
    (void)state;
    static const char free_ones[] =
        " on-strategy-error strategy-timeout no-verify no-race no-finals sustained "
        "counters clock objective drift-check l2 threads isolate worker-start "
        "worker-silence no-wait ";
    const struct hone_option *const tables[] = {
        hone_options_of_script, hone_options_of_header, hone_options_of_tune};
    struct hone_error err;
    size_t free_count = 0;
    for (size_t t = 0; t < 3; t++)
        for (const struct hone_option *o = tables[t]; o->name; o++) {
            char word[64], name[64];
            snprintf(word, sizeof word, "--%s", o->name);
            snprintf(name, sizeof name, " %s ", o->name);
            const bool is_free = strstr(free_ones, name), alone = o->kind->alone;
            const char *const list[] = {word, "1", "--no-race"};
            const enum hone_status with = judge(&err, list, 2);
            const enum hone_status without = judge(&err, list, 1);
            free_count += is_free;
            if (((alone ? without : with) == HONE_OK) != is_free)
                fail_msg("%s: %s", word, err.text);
            if ((alone ? with : without) == HONE_OK) fail_msg("%s: its value", word);
            if (!is_free && judge(&err, list, 3) == HONE_OK) fail_msg("%s", word);
        }
    assert_int_equal(free_count, 16);
    assert_int_equal(judge(&err, (const char *const[]){"-j4", "-j", "4"}, 3), HONE_OK);
    assert_int_equal(judge(&err, (const char *const[]){"--clock", "--worker=sh"}, 2),
                     HONE_EUSAGE);
    assert_non_null(strstr(err.text, "no value of the option before it"));
    assert_int_equal(judge(&err, (const char *const[]){"--no-such"}, 1), HONE_EUSAGE);
    assert_non_null(strstr(err.text, "--allow-io"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_file_starts_no_program_by_itself),
    cmocka_unit_test(what_the_campaign_says_itself_is_no_option_in_any_spelling),
    cmocka_unit_test(replaced_functions_of_lua_hide_no_option),
    cmocka_unit_test(an_option_is_refused_at_its_line),
    cmocka_unit_test(a_word_is_refused_at_the_line_of_its_own_list),
    cmocka_unit_test(words_of_a_table_from_elsewhere_are_refused_at_the_call),
    cmocka_unit_test(of_all_options_only_those_of_searching_and_measuring_are_free),
};
HONE_TEST_MAIN_WITH(tests, NULL, campaign_end)
