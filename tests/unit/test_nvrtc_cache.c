// The builder's cache and tickets with a real NVRTC; every case is skipped where there is
// none.
#include "nvrtc_frame.h"

static void second_builder_answers_from_the_cache(void **state)
{
    (void)state;
    char *folder = scratch("nvrtc_cache");
    struct hone_build_request good = request_of(copy_kernel, "copy", "sm_90a"),
                              bad = request_of("broken", "copy", "sm_90a");
    const struct hone_build *builds[2][2];
    for (int round = 0; round < 2; round++) {
        struct hone_builder *builder = open_builder(folder, 1);
        builds[round][0] = build_now(builder, &good);
        builds[round][1] = build_now(builder, &bad);
        hone_builder_free(builder);
    }
    for (int i = 0; i < 2; i++) {
        const struct hone_build *fresh = builds[0][i], *cached = builds[1][i];
        assert_false(fresh->cached);
        assert_true(cached->cached);
        assert_int_equal(fresh->outcome, cached->outcome);
        assert_string_equal(fresh->reason, cached->reason);
        assert_string_equal(fresh->log, cached->log);
        assert_string_equal(fresh->image_hash, cached->image_hash);
        assert_memory_equal(&fresh->resources, &cached->resources,
                            sizeof fresh->resources);
        assert_int_equal(fresh->max_threads, cached->max_threads);
        assert_true(fresh->build_ms == cached->build_ms);
        assert_int_equal(fresh->cubin_size, cached->cubin_size);
        if (fresh->cubin)
            assert_memory_equal(fresh->cubin, cached->cubin, fresh->cubin_size);
        hone_build_release(fresh);
        hone_build_release(cached);
    }
    free(folder);
}

static void equal_requests_in_flight_share_one_build(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    struct hone_error err = {0};
    struct hone_build_request request = request_of(copy_kernel, "copy", "sm_90a");
    uint64_t tickets[5];
    const struct hone_build *builds[5];
    for (int i = 0; i < 5; i++)
        assert_ok(hone_builder_submit(builder, &request, &tickets[i], &err), err);
    for (int i = 4; i >= 0; i--)
        assert_ok(hone_builder_take(builder, tickets[i], &builds[i], &err), err);
    for (int i = 0; i < 5; i++)
        assert_ptr_equal(builds[i], builds[0]);
    for (int i = 0; i < 5; i++)
        hone_build_release(builds[i]);
    hone_builder_free(builder);
}

// Behind however many others: it is not built again.
static void a_ticket_that_nobody_takes_keeps_its_build(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    struct hone_error err = {0};
    struct hone_build_request request = request_of(copy_kernel, "copy", "sm_90a");
    uint64_t kept, ticket;
    const struct hone_build *first = NULL, *build = NULL;
    assert_ok(hone_builder_submit(builder, &request, &kept, &err), err);
    for (int i = 0; i < 3; i++) {
        assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
        assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
        if (!first) first = build;
        assert_ptr_equal(build, first);
        hone_build_release(build);
    }
    assert_ok(hone_builder_take(builder, kept, &build, &err), err);
    assert_ptr_equal(build, first);
    hone_build_release(build);
    hone_builder_free(builder);
}

static void ticket_is_taken_once(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    struct hone_error err = {0};
    struct hone_build_request request = request_of(copy_kernel, "copy", "sm_90a");
    uint64_t ticket;
    const struct hone_build *build = NULL;
    assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
    assert_int_equal(hone_builder_take(builder, ticket + 1, &build, NULL), HONE_EUSAGE);
    assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
    assert_int_equal(hone_builder_take(builder, ticket, &build, NULL), HONE_EUSAGE);
    hone_build_release(build);
    hone_builder_free(builder);
}

static void freeing_cancels_what_is_queued(void **state)
{
    (void)state;
    struct hone_builder *builder = open_builder("", 1);
    struct hone_error err = {0};
    char source[2048];
    for (int i = 0; i < 500; i++) { // minutes of work, were it not dropped
        uint64_t ticket;
        snprintf(source, sizeof source, "#define N %d\n%s", i, spilling_kernel);
        struct hone_build_request request = request_of(source, "heavy", "sm_90a");
        assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
    }
    hone_builder_free(builder);
}

struct user {
    struct hone_builder *builder;
    int first;
};

static void *use_builder(void *argument)
{
    const struct user *user = argument;
    for (int i = 0; i < 4; i++) {
        char source[1024];
        snprintf(source, sizeof source, "#define N %d\n%s", user->first + i, copy_kernel);
        struct hone_build_request request = request_of(source, "copy", "sm_90a");
        const struct hone_build *build = build_now(user->builder, &request);
        assert_int_equal(build->outcome, HONE_VALID);
        hone_build_release(build);
    }
    return NULL;
}

// Overlapping requests from several threads; meant for the thread sanitizer too.
static void many_threads_share_a_builder_and_a_cache(void **state)
{
    (void)state;
    char *folder = scratch("nvrtc_threads");
    struct hone_builder *builder = open_builder(folder, 3);
    assert_int_equal(hone_builder_threads(builder), 3);
    pthread_t threads[4];
    struct user users[4];
    for (int i = 0; i < 4; i++) {
        users[i] = (struct user){builder, i};
        assert_int_equal(pthread_create(&threads[i], NULL, use_builder, &users[i]), 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    hone_builder_free(builder);
    free(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(second_builder_answers_from_the_cache),
    cmocka_unit_test(equal_requests_in_flight_share_one_build),
    cmocka_unit_test(a_ticket_that_nobody_takes_keeps_its_build),
    cmocka_unit_test(ticket_is_taken_once),
    cmocka_unit_test(freeing_cancels_what_is_queued),
    cmocka_unit_test(many_threads_share_a_builder_and_a_cache),
};

HONE_TEST_MAIN(tests)
