// What becomes of runs: states, tries, losses, warm starts, with a fake in the place of
// `hone tune`.
#include <string.h>

#include "campaign/attempt.h"
#include "campaign/merge.h"
#include "campaign_test.h"

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

static const struct CMUnitTest tests[] = {
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
};
HONE_TEST_MAIN_WITH(tests, NULL, campaign_end)
