// Campaigns whose folders another wrote: what stands there is refused with its place,
// keeps nobody waiting and is handed to no program.
#include <string.h>
#include <unistd.h>

#include "campaign/merge.h"
#include "campaign/slurm.h"
#include "campaign_test.h"
#include "record/json_in.h"

#define BEGIN "{\"event\":\"begin\",\"at\":1,\"host\":\"n\",\"process\":1,\"bytes\":0}\n"
// A text that may hold NULs, and its size.
#define BYTES(text) text, sizeof(text) - 1

// The folder of the only run, made, with a file of it.
static struct hone_campaign *open_with(void **state, const char *name, const char *data,
                                       size_t size)
{
    char line[512];
    campaign_begin(state);
    struct hone_campaign *campaign = campaign_open("");
    snprintf(line, sizeof line, "mkdir -p %s", campaign->runs[0].folder);
    campaign_shell(line);
    char *path = hone_run_file(&campaign->runs[0], name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(path);
    return campaign;
}

// Refused by who reads and by who would begin, which starts nothing.
static void check_refused(const struct hone_campaign *campaign, const char *what,
                          const char *says)
{
    struct campaign_fake fake = {.trials = 1};
    struct hone_engine_result result;
    struct hone_run_state now;
    struct hone_error err = {0};
    enum hone_status status = hone_run_state_read(&now, &campaign->runs[0], 3, 1, &err);
    if (status != HONE_EINPUT || !strstr(err.text, says))
        fail_msg("%s: %d %s", what, status, err.text);
    err = (struct hone_error){0};
    status = campaign_run(&result, campaign, &fake, &err);
    if (status != HONE_EINPUT || !strstr(err.text, says) || fake.starts)
        fail_msg("%s: %d %s, %d starts", what, status, err.text, fake.starts);
}

// Events that were appended behind a NUL would never be read, and the run be begun for
// ever; so would a line without an end, once that has got one.
static void events_that_would_hide_later_ones_are_refused(void **state)
{
    static const struct {
        const char *data;
        size_t size;
        int line;
    } rows[] = {{BYTES("\0\0\0\n"), 1},    {BYTES(BEGIN "\0\n" BEGIN), 2},
                {BYTES(BEGIN "begin"), 2}, {BYTES(BEGIN "3"), 2},
                {BYTES(BEGIN "[]\n"), 2},  {BYTES(" "), 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char what[32];
        struct hone_run_state now;
        struct hone_error err = {0};
        snprintf(what, sizeof what, "row %zu", i);
        struct hone_campaign *campaign =
            open_with(state, HONE_RUN_EVENTS, rows[i].data, rows[i].size);
        check_refused(campaign, what, "no event of a run");
        hone_run_state_read(&now, &campaign->runs[0], 3, 1, &err);
        assert_int_equal(err.line, rows[i].line);
        hone_campaign_close(campaign);
    }
}

// What counts once somebody has written behind it counts before.
static void an_event_without_the_end_of_its_line_has_happened(void **state)
{
    static const char ended[] = BEGIN "{\"event\":\"end\",\"code\":0}";
    static const char torn[] = BEGIN "{\"event\":\"end\",\"code\":0";
    struct hone_campaign *campaign =
        open_with(state, HONE_RUN_EVENTS, ended, sizeof ended - 1);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_DONE);
    hone_campaign_close(campaign);
    campaign = open_with(state, HONE_RUN_EVENTS, torn, sizeof torn - 1);
    assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_WAITING);
    hone_campaign_close(campaign);
}

// An append of which nothing or a part had reached the disk: the run goes on, and what is
// written behind it is read.
static void what_a_power_loss_leaves_of_an_append_has_not_happened(void **state)
{
    static char page[4096 + 200];
    static const struct {
        const char *data;
        size_t size;
        enum hone_run_phase phase;
    } rows[] = {{BYTES("\0"), HONE_RUN_WAITING},
                {BYTES(BEGIN "\0"), HONE_RUN_WAITING},
                {page, sizeof page, HONE_RUN_WAITING},
                {BYTES(BEGIN "{\"event\":\"e\0\0\0"), HONE_RUN_WAITING},
                {BYTES(BEGIN "{\"event\":\"end\",\"code\":0}\0\0"), HONE_RUN_DONE}};
    memcpy(page, BEGIN, sizeof BEGIN - 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct campaign_fake fake = {.trials = 1};
        struct hone_engine_result result;
        struct hone_error err = {0};
        struct hone_campaign *campaign =
            open_with(state, HONE_RUN_EVENTS, rows[i].data, rows[i].size);
        assert_int_equal(campaign_state(campaign, 0).phase, rows[i].phase);
        assert_ok(campaign_run(&result, campaign, &fake, &err), err);
        assert_int_equal(fake.starts, rows[i].phase == HONE_RUN_WAITING);
        assert_int_equal(campaign_state(campaign, 0).phase, HONE_RUN_DONE);
        hone_campaign_close(campaign);
    }
}

// What a crash took the end of is passed over; what somebody damaged may have been the
// end of the run, which would be done again.
static void a_damaged_event_is_refused_and_a_torn_one_passed_over(void **state)
{
    static const char whole[] =
        "{\"event\":\"end\",\"at\":-1.5e3,\"code\":0,\"predicted\":true,"
        "\"reason\":\"\\u00e9\\n \xc3\xa9\",\"best\":null}";
    static const char *const damaged[] = {
        "{\"event\":\"end\",\"at\":2,\"code\":0}x",
        "{\"event\":\"end\" \"at\":2}",
        "{\"event\":\"end\",\"code\":yes",
        "{event:end}",
        "{\"code\":0}}",
        "{\"event\":\"end\",\"code\":0}{\"event\":\"retry\"}"};
    char text[512];
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        snprintf(text, sizeof text, BEGIN "%s\n" BEGIN, damaged[i]);
        struct hone_campaign *campaign =
            open_with(state, HONE_RUN_EVENTS, text, strlen(text));
        check_refused(campaign, damaged[i], "no event of a run");
        hone_campaign_close(campaign);
    }
    for (size_t size = 1; size < sizeof whole - 1; size++) {
        snprintf(text, sizeof text, "%.*s\n" BEGIN, (int)size, whole);
        struct hone_campaign *campaign =
            open_with(state, HONE_RUN_EVENTS, text, strlen(text));
        assert_int_equal(campaign_state(campaign, 0).starts, 1);
        hone_campaign_close(campaign);
    }
}

// Cut behind every byte of the letter that ends it, whatever letter is before that one.
static void an_event_cut_within_any_letter_is_passed_over(void **state)
{
    static const char *const letters[] = {
        "x", // of one byte to four, at both ends of what UTF-8 has of each
        "\xc2\x80",
        "\xc3\xa9",
        "\xdf\xbf",
        "\xe0\xa0\x80",
        "\xe4\xb8\xad",
        "\xe6\x96\x87",
        "\xed\x9f\xbf",
        "\xef\xbf\xbd",
        "\xf0\x90\x80\x80",
        "\xf0\x9f\x98\x80",
        "\xf4\x8f\xbf\xbf"};
    const size_t count = sizeof letters / sizeof *letters;
    for (size_t i = 0; i < count * count; i++) {
        const char *before = letters[i / count], *last = letters[i % count];
        for (size_t size = 1; size <= strlen(last); size++) {
            char event[64];
            const int len = snprintf(event, sizeof event, "{\"reason\":\"%s%.*s", before,
                                     (int)size, last);
            if (!hone_json_is_torn(event, (size_t)len))
                fail_msg("letters %zu, %zu, byte %zu", i / count, i % count, size);
        }
    }
    static const char torn[] = BEGIN "{\"event\":\"end\",\"reason\":\"\xe4\xb8\xad\xe6";
    struct hone_campaign *campaign =
        open_with(state, HONE_RUN_EVENTS, torn, sizeof torn - 1);
    assert_int_equal(campaign_state(campaign, 0).starts, 1);
    hone_campaign_close(campaign);
}

// Nothing behind these bytes makes a letter of them.
static void an_event_that_ends_in_no_letter_is_refused(void **state)
{
    static const char *const ends[] = {"\x80",     "\xc3\xa9\xa9", "\xc0",
                                       "\xe0\x80", "\xed\xa0",     "\xf0\x8f",
                                       "\xf4\x90", "\xf5",         "\xff"};
    char text[256];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(text, sizeof text, BEGIN "{\"event\":\"end\",\"reason\":\"%s\n" BEGIN,
                 ends[i]);
        struct hone_campaign *campaign =
            open_with(state, HONE_RUN_EVENTS, text, strlen(text));
        check_refused(campaign, ends[i], "no event of a run");
        hone_campaign_close(campaign);
    }
}

static void figures_that_are_none_are_refused(void **state)
{
    static const char *const fields[] = {
        "\"seconds\":-1", "\"seconds\":1e308", "\"seconds\":\"1\"",
        "\"best\":-0.5",  "\"default\":[]",    "\"gain\":{}",
        "\"best\":true",  "\"best\":null",     "\"valid\":-1",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char line[128];
        snprintf(line, sizeof line, "{\"event\":\"end\",\"code\":0,%s}\n", fields[i]);
        struct hone_campaign *campaign =
            open_with(state, HONE_RUN_EVENTS, line, strlen(line));
        check_refused(campaign, fields[i], "no event of a run: '");
        hone_campaign_close(campaign);
    }
}

// scancel takes '-u root' for all jobs of root, sbatch a comma for another dependency.
static void what_is_no_job_is_handed_to_no_program(void **state)
{
    static const char *const jobs[] = {
        "-u root", "--user=root", "",       "12,afterok:1", "12 13",   "12\n13",
        "12_",     "_3",          "12_3_4", "12_3x",        "\xff\xfe"};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        struct hone_campaign *campaign =
            open_with(state, HONE_RUN_JOB, jobs[i], strlen(jobs[i]));
        check_refused(campaign, jobs[i], "names no job of Slurm");
        hone_campaign_close(campaign);
    }
    static const char event[] = "{\"event\":\"begin\",\"job\":\"--user=root\"}\n";
    struct hone_campaign *campaign =
        open_with(state, HONE_RUN_EVENTS, event, sizeof event - 1);
    check_refused(campaign, event, "'job' is not a job of Slurm");
    hone_campaign_close(campaign);
    char longer[160]; // whose first digits are another job's
    snprintf(longer, sizeof longer, "{\"event\":\"begin\",\"job\":\"%0100d\"}\n", 1);
    campaign = open_with(state, HONE_RUN_EVENTS, longer, strlen(longer));
    check_refused(campaign, longer, "'job' is not a job of Slurm");
    hone_campaign_close(campaign);
    assert_true(hone_slurm_is_job("12") && hone_slurm_is_job("12_3"));
}

// An alarm ends the suite where one is waited for.
static void special_files_keep_nobody_waiting(void **state)
{
    static const char *const names[] = {HONE_RUN_EVENTS, HONE_RUN_JOB, HONE_RUN_LOG};
    static const struct {
        const char *command, *says;
    } kinds[] = {{"mkfifo", "it is a pipe"},
                 {"mkdir", "it is a folder"},
                 {"ln -s /dev/zero", "it is a device"},
                 {"ln -s /dev/full", "it is a device"}};
    alarm(120);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            char line[512];
            struct campaign_fake fake = {.trials = 1};
            struct hone_engine_result result;
            struct hone_error err = {0};
            campaign_begin(state);
            struct hone_campaign *campaign = campaign_open("");
            snprintf(line, sizeof line, "mkdir -p %s && %s %s/%s",
                     campaign->runs[0].folder, kinds[k].command, campaign->runs[0].folder,
                     names[i]);
            campaign_shell(line);
            const enum hone_status status = campaign_run(&result, campaign, &fake, &err);
            if (status != HONE_EINPUT || !strstr(err.text, kinds[k].says) || fake.starts)
                fail_msg("%s: %d %s, %d starts", line, status, err.text, fake.starts);
            hone_campaign_close(campaign);
        }
    alarm(0);
}

// They are no run that somebody is at.
static void events_that_cannot_be_written_are_told(void **state)
{
    struct campaign_fake fake = {.trials = 1};
    struct hone_engine_result result;
    struct hone_error err = {0};
    char line[512];
    campaign_begin(state);
    struct hone_campaign *campaign = campaign_open("");
    snprintf(line, sizeof line, "mkdir -p %s && ln -s /proc/none %s/" HONE_RUN_EVENTS,
             campaign->runs[0].folder, campaign->runs[0].folder);
    campaign_shell(line);
    assert_int_equal(campaign_run(&result, campaign, &fake, &err), HONE_EINPUT);
    assert_non_null(strstr(err.text, "events.jsonl': No such file or directory"));
    assert_int_equal(fake.starts, 0);
    hone_campaign_close(campaign);
}

// A share that is gone for a moment says nothing of a cancel; a link to itself is as
// unreadable.
static void a_cancel_that_cannot_be_read_is_not_taken_for_none(void **state)
{
    struct campaign_fake fake = {.trials = 1};
    struct hone_engine_result result;
    struct hone_error err = {0};
    char line[512];
    campaign_begin(state);
    struct hone_campaign *campaign = campaign_open("");
    snprintf(line, sizeof line,
             "mkdir -p %s && ln -s " HONE_RUN_CANCEL " %s/" HONE_RUN_CANCEL,
             campaign->runs[0].folder, campaign->runs[0].folder);
    campaign_shell(line);
    assert_int_equal(campaign_run(&result, campaign, &fake, &err), HONE_EIO);
    assert_int_equal(fake.starts, 0);
    assert_non_null(strstr(err.text, "/" HONE_RUN_CANCEL "'"));
    hone_campaign_close(campaign);
}

// What is said of a state that cannot be read, or of an engine that ends for it.
static void what_was_said_first_is_not_said_over(void **state)
{
    static const char *const names[] = {HONE_RUN_EVENTS, HONE_RUN_JOB};
    for (size_t i = 0; i < 2; i++) {
        struct campaign_fake fake = {.trials = 1};
        struct hone_engine_result result;
        struct hone_run_state now;
        struct hone_error err = {0};
        char line[512];
        campaign_begin(state);
        struct hone_campaign *campaign = campaign_open("");
        snprintf(line, sizeof line, "mkdir -p %s/%s", campaign->runs[0].folder, names[i]);
        campaign_shell(line);
        hone_fail(&err, HONE_EUSAGE, "said before");
        assert_int_not_equal(hone_run_state_now(&now, campaign, 0, &err), HONE_OK);
        assert_string_equal(err.text, "said before");
        assert_int_not_equal(campaign_run(&result, campaign, &fake, &err), HONE_OK);
        assert_string_equal(err.text, "said before");
        hone_campaign_close(campaign);
    }
}

// "a+b" and "a-b" would share a file, a prediction of "a" one with what was measured of
// "a.predicted", and a long value has none.
static void problems_with_names_that_look_alike_keep_a_file_each(void **state)
{
    struct campaign_fake fake = {.trials = 2};
    struct hone_engine_result result;
    struct hone_merge merged;
    struct hone_error err = {0};
    const bool chosen[] = {true, true, true, true, true};
    campaign_begin(state);
    campaign_shell("sed -i 's/N = 64,/N = 64, T = \"a\",/' kernel.lua");
    struct hone_campaign *campaign = campaign_open(
        "kernels = { { script = \"kernel.lua\", problems = { { T = \"a+b\" }, { T = "
        "\"a-b\" }, { T = \"a.predicted\" }, { T = string.rep(\"x\", 400) }, { T = "
        "string.rep(\"x\", 401) } } } "
        "}");
    const struct hone_merge_options options = {
        .campaign = campaign, .chosen = chosen, .rows = 1};
    assert_int_equal(campaign->run_count, 5);
    assert_int_equal(campaign_run(&result, campaign, &fake, NULL), HONE_OK);
    assert_ok(hone_campaign_merge(&merged, &options, &err), err);
    assert_int_equal(merged.items[0].problems, 5);
    hone_merge_fini(&merged);
    hone_campaign_close(campaign);
    campaign_shell("test $(ls results/a100/tiny-Ta_b-*.jsonl | wc -l) = 2 && "
                   "test -e results/a100/tiny-Ta_predicted-*.predicted.jsonl && "
                   "test $(ls results/a100/tiny-Txxx*.jsonl | wc -l) = 2");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(events_that_would_hide_later_ones_are_refused),
    cmocka_unit_test(an_event_without_the_end_of_its_line_has_happened),
    cmocka_unit_test(what_a_power_loss_leaves_of_an_append_has_not_happened),
    cmocka_unit_test(a_damaged_event_is_refused_and_a_torn_one_passed_over),
    cmocka_unit_test(an_event_cut_within_any_letter_is_passed_over),
    cmocka_unit_test(an_event_that_ends_in_no_letter_is_refused),
    cmocka_unit_test(figures_that_are_none_are_refused),
    cmocka_unit_test(what_is_no_job_is_handed_to_no_program),
    cmocka_unit_test(special_files_keep_nobody_waiting),
    cmocka_unit_test(events_that_cannot_be_written_are_told),
    cmocka_unit_test(what_was_said_first_is_not_said_over),
    cmocka_unit_test(a_cancel_that_cannot_be_read_is_not_taken_for_none),
    cmocka_unit_test(problems_with_names_that_look_alike_keep_a_file_each),
};
HONE_TEST_MAIN_WITH(tests, NULL, campaign_end)
