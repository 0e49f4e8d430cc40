// Messages between tuner and worker: each survives the way there and back, and damage of
// every kind is refused with words.
#include "message_frame.h"

static struct hone_message read_one(const struct hone_strbuf *bytes)
{
    struct hone_error err = {0};
    struct hone_frame frame;
    struct hone_message message;
    size_t used = 0;
    assert_ok(hone_frame_parse(&frame, &used, bytes->data, bytes->len, &err), err);
    assert_int_equal(used, bytes->len);
    assert_ok(hone_message_read(&message, &frame, &err), err);
    return message;
}

// Writing what was read gives the same bytes: nothing is lost on the way.
static void every_message_survives_the_way_there_and_back(void **state)
{
    (void)state;
    for (int type = 1; type < HONE_MESSAGE_TYPES; type++) {
        struct hone_error err = {0};
        struct hone_strbuf sent = write_one((enum hone_message_type)type);
        struct hone_strbuf again = HONE_STRBUF_INIT;
        struct hone_message message = read_one(&sent);
        assert_int_equal(message.type, type);
        assert_ok(hone_message_write(&again, &message, &err), err);
        assert_int_equal(again.len, sent.len);
        assert_memory_equal(again.data, sent.data, sent.len);
        hone_message_fini(&message);
        hone_strbuf_fini(&again);
        hone_strbuf_fini(&sent);
    }
}

static void a_job_arrives_with_all_it_needs(void **state)
{
    (void)state;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_JOB);
    struct hone_message message = read_one(&sent);
    const struct hone_candidate *job = message.job;
    assert_int_equal(message.id, 0x123456789abcdefu);
    assert_int_equal(job->count, 3);
    assert_int_equal(job->variants[0].job.args[0].pointers, 32);
    assert_int_equal(job->variants[0].job.args[0].line, 12);
    assert_string_equal(job->variants[0].job.script, "k.lua");
    assert_int_equal(job->variants[0].job.args[3].pointers, 0);
    assert_false(job->variants[0].job.args[2].bounded);
    assert_true(job->variants[0].job.args[3].bounded);
    assert_memory_equal(&job->variants[0].job.args[3].tolerance, &args[3].tolerance,
                        sizeof args[3].tolerance);
    assert_memory_equal(&job->variants[0].job.args[0].map, &args[0].map,
                        sizeof args[0].map);
    assert_int_equal(job->variants[0].job.args[1].map.rank, 0);
    assert_string_equal(job->variants[1].job.source, other);
    assert_ptr_equal(job->variants[2].job.source, job->variants[0].job.source);
    assert_string_equal(job->variants[2].job.source, source);
    for (size_t i = 0; i < 3; i++)
        assert_memory_equal(&job->variants[i].job.geometry, &variants[i].job.geometry,
                            sizeof variants[i].job.geometry);
    assert_int_equal(job->variants[0].job.args[4].value.i, -7);
    assert_string_equal(job->variants[0].job.args[7].value.s, "abc");
    for (size_t i = 0; i < 3; i++) { // what a file holds came once
        const struct hone_job_arg *got = job->variants[i].job.args;
        assert_int_equal(got[1].data.size, 12);
        assert_memory_equal(got[1].data.bytes, "rows of 12 b", 12);
        assert_ptr_equal(got[1].data.bytes, job->variants[0].job.args[1].data.bytes);
        assert_true(got[2].data.low == -3 && got[2].data.high == 4);
    }
    assert_true(job->variants[1].job.args[2].wide);
    assert_int_equal(job->variants[1].job.args[2].narrow, HONE_F16);
    assert_false(job->variants[1].job.args[1].wide);
    assert_string_equal(job->variants[0].job.options[1], "--use_fast_math");
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(job->variants[0].job.headers[i].name, headers[i].name);
        assert_string_equal(job->variants[0].job.headers[i].text, headers[i].text);
        assert_int_equal(job->variants[i].job.header_count, 2);
    }
    assert_ptr_equal(job->variants[1].job.headers, job->variants[0].job.headers);
    assert_true(isnan(job->variants[0].job.flops));
    assert_true(job->variants[1].job.tolerance.absolute == 0x1p-20);
    assert_true(job->variants[1].job.tolerance.mean == 0x1p-30);
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
}

// A size that does not suit a configuration has no job to send.
static void a_skipped_size_arrives_as_one(void **state)
{
    (void)state;
    variants[1].skipped = true;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_JOB);
    struct hone_message message = read_one(&sent);
    assert_true(message.job->variants[1].skipped);
    assert_null(message.job->variants[1].job.source);
    assert_false(message.job->variants[2].skipped);
    assert_string_equal(message.job->variants[2].job.source, source);
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
    variants[1].skipped = false;
}

static void a_plan_arrives_with_all_it_needs(void **state)
{
    (void)state;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_SETUP);
    struct hone_message message = read_one(&sent);
    const struct hone_evaluate_options *got = &message.setup.plan->options;
    const struct hone_time_policy *policy = &got->policy;
    assert_int_equal(got->flags, 2);
    assert_int_equal(got->objective, HONE_OBJECTIVE_EDP);
    assert_true(got->data_seed == 1ull << 63);
    assert_float_equal(got->deadline_s, 8, 0);
    assert_int_equal(got->lookahead, 9);
    assert_int_equal(policy->min_samples, 3);
    assert_int_equal(policy->max_samples, 4);
    assert_true(policy->target_rel_ci == 0.01 && policy->budget_ms == 5);
    assert_true(policy->energy_ms == 1000 && policy->sustained_s == 6);
    assert_true(policy->warm_cache && policy->sustained && policy->brief);
    assert_true(policy->rival_us == 7 && policy->rival_margin == 0.125);
    assert_int_equal(message.setup.plan->named, 1);
    assert_int_equal(message.setup.plan->verify_count, 2);
    assert_string_equal(message.setup.plan->verify_at[0].where, "M=33 N=17");
    assert_string_equal(message.setup.plan->verify_at[1].reference.source, source);
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
}

static void sizes_without_a_reference_arrive_without_jobs(void **state)
{
    (void)state;
    struct hone_message whole = make(HONE_MESSAGE_SETUP);
    struct hone_plan alone = *whole.setup.plan;
    struct hone_strbuf sent = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    alone.alone = alone.at_tuned = true;
    alone.tuned.reference = (struct hone_job){0};
    whole.setup.plan = &alone;
    assert_ok(hone_message_write(&sent, &whole, &err), err);
    struct hone_message message = read_one(&sent);
    const struct hone_plan *got = message.setup.plan;
    assert_true(got->alone && got->at_tuned);
    assert_int_equal(got->verify_count, 2);
    assert_string_equal(got->verify_at[0].where, "M=33 N=17");
    assert_null(got->verify_at[0].reference.source);
    assert_null(got->tuned.reference.source);
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
}

static void waivers_findings_and_kinds_arrive(void **state)
{
    (void)state;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_SETUP);
    struct hone_message message = read_one(&sent);
    const struct hone_plan *got = message.setup.plan;
    assert_int_equal(got->waiver_count, 2);
    assert_int_equal(got->waivers[0].finding, HONE_FINDING_RACE);
    assert_string_equal(got->waivers[0].file, "k.cu");
    assert_int_equal(got->waivers[0].line, 7);
    assert_null(got->waivers[0].buffer);
    assert_string_equal(got->waivers[1].buffer, "C");
    assert_string_equal(got->waivers[1].reason, "padding");
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
    sent = write_one(HONE_MESSAGE_TRIAL);
    message = read_one(&sent);
    const struct hone_trial *trial = &message.result.trial;
    assert_int_equal(trial->kind, HONE_TIME_SUSTAINED);
    assert_int_equal(trial->found->finding, HONE_FINDING_OUT_OF_BOUNDS);
    assert_int_equal(trial->found->line, 12);
    assert_string_equal(trial->found->file, "a b.cu");
    assert_string_equal(trial->found->buffer, "C");
    assert_string_equal(trial->reason, "an illegal address");
    assert_true(hone_trial_metric(trial, "event_us", 0) == 12.5);
    assert_int_equal(hone_trial_counter_count(trial), 2);
    assert_true(hone_trial_counter(trial, "occupancy", 0) == 50);
    assert_string_equal(trial->counters[0].unit, "warp instructions");
    assert_int_equal(trial->waived[3], 7);
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
}

static void half_a_frame_is_waited_for(void **state)
{
    (void)state;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_TRIAL);
    for (size_t size = 0; size < sent.len; size++) {
        struct hone_error err = {0};
        struct hone_frame frame;
        size_t used = 1;
        assert_ok(hone_frame_parse(&frame, &used, sent.data, size, &err), err);
        assert_int_equal(used, 0);
    }
    hone_strbuf_fini(&sent);
}

// Its form may be another behind the version, which is all that refusing it needs.
static void of_another_version_nothing_but_that_is_read(void **state)
{
    (void)state;
    static const char *const versions[] = {"0.1.0", "0.1.0+0", "9.1.0+1", "", "x"};
    for (size_t i = 0; i <= sizeof versions / sizeof *versions; i++) {
        const bool is_ours = i == sizeof versions / sizeof *versions;
        const char *version = is_ours ? hone_message_version : versions[i];
        struct hone_error err = {0};
        struct hone_message message;
        unsigned char contents[64] = {(unsigned char)strlen(version)};
        memset(contents + 4, 0xee, sizeof contents - 4);
        memcpy(contents + 4, version, strlen(version));
        const struct hone_frame frame = {HONE_MESSAGE_HELLO, contents, sizeof contents};
        const enum hone_status status = hone_message_read(&message, &frame, &err);
        assert_int_equal(status, is_ours ? HONE_EINPUT : HONE_OK);
        if (is_ours) continue;
        assert_string_equal(message.hello.version, version);
        assert_string_equal(message.hello.host, "");
        hone_message_fini(&message);
    }
}

static void every_flipped_bit_is_found(void **state)
{
    (void)state;
    struct hone_strbuf sent = write_one(HONE_MESSAGE_HELLO);
    for (size_t bit = 0; bit < 8 * sent.len; bit++) {
        struct hone_error err = {0};
        struct hone_frame frame;
        size_t used = 0;
        sent.data[bit / 8] ^= (char)(1 << bit % 8);
        enum hone_status status =
            hone_frame_parse(&frame, &used, sent.data, sent.len, &err);
        // A longer length is waited for; everything else is refused with words.
        if (status == HONE_OK)
            assert_true(used == 0 && bit / 8 >= 8 && bit / 8 < 12);
        else
            assert_true(err.text[0]);
        sent.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    hone_strbuf_fini(&sent);
}

static void a_greeting_of_a_shell_is_shown(void **state)
{
    (void)state;
    const char text[] = "Welcome to node7\nLast login: ...";
    struct hone_error err = {0};
    struct hone_frame frame;
    size_t used;
    assert_int_equal(hone_frame_parse(&frame, &used, text, strlen(text), &err),
                     HONE_EINPUT);
    assert_string_equal(err.text, "expected a frame, got 'Welcome to node7'");
}

static void a_message_over_its_limit_is_not_sent(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    char *line = calloc(HONE_FRAME_SMALL + 1, 1);
    assert_non_null(line);
    memset(line, 'x', HONE_FRAME_SMALL);
    const struct hone_message message = {.type = HONE_MESSAGE_LOG, .log.line = line};
    assert_int_equal(hone_message_write(&out, &message, &err), HONE_ELIMIT);
    assert_int_equal(out.len, 0);
    free(line);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_message_survives_the_way_there_and_back),
    cmocka_unit_test(a_plan_arrives_with_all_it_needs),
    cmocka_unit_test(sizes_without_a_reference_arrive_without_jobs),
    cmocka_unit_test(a_job_arrives_with_all_it_needs),
    cmocka_unit_test(a_skipped_size_arrives_as_one),
    cmocka_unit_test(waivers_findings_and_kinds_arrive),
    cmocka_unit_test(half_a_frame_is_waited_for),
    cmocka_unit_test(of_another_version_nothing_but_that_is_read),
    cmocka_unit_test(every_flipped_bit_is_found),
    cmocka_unit_test(a_greeting_of_a_shell_is_shown),
    cmocka_unit_test(a_message_over_its_limit_is_not_sent),
};
HONE_TEST_MAIN(tests)
