// What options of several commands mean, from words to the structs of lower floors.
#include <stdio.h>
#include <string.h>

#include "args/common_kinds.h"
#include "args/header_args.h"
#include "hone_test.h"

struct args {
    struct hone_words words;
    struct hone_script_args script;
    struct hone_header_args header;
    struct hone_build_args build;
    struct hone_budget_args budget;
    const char *strategy;
};

static enum hone_status run_nothing(void *args, struct hone_error *err)
{
    (void)args, (void)err;
    return HONE_OK;
}

static const struct hone_option own[] = {
    {"budget", 'b', "N|TIME", "", &hone_kind_budget, offsetof(struct args, budget)},
    {"strategy", 's', "NAME", "", &hone_kind_strategy, offsetof(struct args, strategy)},
    HONE_BUILD_OPTIONS(struct args),
    {0},
};

static const struct hone_command command = {
    .name = "try",
    .options = (const struct hone_option *const[]){own, hone_options_of_script,
                                                   hone_options_of_header, NULL},
    .args_size = sizeof(struct args),
    .run = run_nothing,
};

// The words of line, between blanks; they live as long as the next ones.
static enum hone_status parse(struct args *args, const char *line, struct hone_error *err)
{
    static char text[512];
    char *argv[32];
    int argc = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    *args = (struct args){0};
    return hone_options_parse(&command, argc, argv, args, err);
}

static void a_budget_is_a_count_or_a_time(void **state)
{
    static const struct {
        const char *line;
        uint64_t evaluations;
        double seconds;
    } rows[] = {{"-b 200", 200, 0},
                {"--budget 30s", 0, 30},
                {"-b5m", 0, 300},
                {"--budget=2h", 0, 7200}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct args args;
        assert_int_equal(parse(&args, rows[i].line, NULL), HONE_OK);
        assert_int_equal(args.budget.evaluations, rows[i].evaluations);
        assert_true(args.budget.seconds == rows[i].seconds);
        hone_options_fini(&command, &args);
    }
}

static void a_budget_of_nothing_is_refused(void **state)
{
    static const char *const lines[] = {"-b 0", "-b 0s", "-b -1", "-b many", "-b 3x"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct args args;
        struct hone_error err = {0};
        assert_int_equal(parse(&args, lines[i], &err), HONE_EUSAGE);
        assert_non_null(strstr(err.text, lines[i] + 3));
        hone_options_fini(&command, &args);
    }
}

static void a_strategy_that_is_none_is_refused_when_it_is_read(void **state)
{
    struct args args;
    struct hone_error err = {0};
    (void)state;
    assert_int_equal(parse(&args, "--strategy portfolo", &err), HONE_EUSAGE);
    assert_non_null(strstr(err.text, "portfolio"));
    hone_options_fini(&command, &args);
}

static void a_tuning_gets_what_the_script_options_say(void **state)
{
    struct args args;
    struct hone_tuning_options tuning = {0};
    struct hone_script_input script;
    (void)state;
    assert_int_equal(parse(&args,
                           "--set M=64 --set N=8 --device emu:a100 --max-instructions 5K "
                           "--allow-io --templates here --threads 3 --cache=",
                           NULL),
                     HONE_OK);
    assert_int_equal(
        hone_script_args_tuning(&tuning, &script, &args.script, &args.build, NULL),
        HONE_OK);
    assert_string_equal(tuning.device, "emu:a100");
    assert_int_equal(tuning.set_count, 2);
    assert_string_equal(tuning.set[1].name, "N");
    assert_string_equal(tuning.set[1].value, "8");
    assert_int_equal(tuning.max_instructions, 5120);
    assert_true(tuning.allow_io);
    assert_int_equal(tuning.template_path_count, 1);
    assert_int_equal(tuning.builder.threads, 3);
    assert_string_equal(tuning.builder.cache_folder, "");
    assert_non_null(tuning.program);
    assert_int_equal(*tuning.cancel, 0);
    hone_script_input_fini(&script);
    hone_options_fini(&command, &args);
}

// A replay takes sets that a script would not: that they say something is asked apart.
static void a_set_without_a_value_is_refused_for_a_script_alone(void **state)
{
    struct args args;
    struct hone_tuning_options tuning = {0};
    struct hone_script_input script;
    (void)state;
    assert_int_equal(parse(&args, "--set M", NULL), HONE_OK);
    assert_int_equal(hone_script_input_make(&script, &args.script, NULL), HONE_EUSAGE);
    hone_script_input_fini(&script);
    assert_int_equal(
        hone_script_args_tuning(&tuning, &script, &args.script, &args.build, NULL),
        HONE_OK);
    hone_script_input_fini(&script);
    hone_options_fini(&command, &args);
}

static void a_header_that_would_be_lost_is_refused_before_all_work(void **state)
{
    struct args args;
    struct hone_error both = {0}, second = {0}, folder = {0};
    (void)state;
    assert_int_equal(parse(&args, "--name foo --shape runtime", NULL), HONE_OK);
    assert_int_equal(hone_header_args_check("x.h", &args.header, true, NULL), HONE_OK);
    assert_int_equal(hone_header_args_check("-", &args.header, true, &both), HONE_EUSAGE);
    assert_non_null(strstr(both.text, "--json and -o -"));
    assert_int_equal(hone_header_args_check("-", &args.header, false, &second),
                     HONE_EUSAGE);
    assert_non_null(strstr(second.text, "two files"));
    assert_int_equal(hone_header_args_check("/no/such/x.h", &args.header, false, &folder),
                     HONE_EUSAGE);
    hone_options_fini(&command, &args);
}

static void options_of_a_header_that_exclude_each_other_are_refused(void **state)
{
    struct args macros, arch;
    struct hone_error first = {0}, second = {0};
    (void)state;
    assert_int_equal(parse(&macros, "--shape macros --payload ptx", NULL), HONE_OK);
    assert_int_equal(hone_header_args_check("x.h", &macros.header, false, &first),
                     HONE_EUSAGE);
    assert_non_null(strstr(first.text, "--shape macros has no payload"));
    assert_int_equal(parse(&arch, "--arch sm_80", NULL), HONE_OK);
    assert_int_equal(hone_header_args_check("x.h", &arch.header, false, &second),
                     HONE_EUSAGE);
    assert_non_null(strstr(second.text, "--arch"));
    hone_options_fini(&command, &macros);
    hone_options_fini(&command, &arch);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_budget_is_a_count_or_a_time),
    cmocka_unit_test(a_budget_of_nothing_is_refused),
    cmocka_unit_test(a_strategy_that_is_none_is_refused_when_it_is_read),
    cmocka_unit_test(a_tuning_gets_what_the_script_options_say),
    cmocka_unit_test(a_set_without_a_value_is_refused_for_a_script_alone),
    cmocka_unit_test(a_header_that_would_be_lost_is_refused_before_all_work),
    cmocka_unit_test(options_of_a_header_that_exclude_each_other_are_refused),
};
HONE_TEST_MAIN(tests)
