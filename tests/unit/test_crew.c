// Several evaluators at once: the order of trials, what a broken member does, and that a
// crew can be closed at any time. Members here are as slow as their index says. Their
// threads assert nothing: they count what is wrong, and the crew's owner asserts.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "evaluate/evaluator.h"
#include "hone_test.h"

// From MEETS on members wait for each other, from BREAKS on they break, with LAST after
// its trial.
enum { MEMBERS = 3, MEMBER_CAPACITY = 2, MEETS = 500, BREAKS = 1000, LAST = 2000 };

struct slow {
    uint64_t queue[MEMBER_CAPACITY];
    size_t oldest, count;
};

static size_t threads_left = SIZE_MAX; // that may be started

bool __real_hone_thread_start(pthread_t *thread, void *(*work)(void *context),
                              void *context);
bool __wrap_hone_thread_start(pthread_t *thread, void *(*work)(void *context),
                              void *context);

bool __wrap_hone_thread_start(pthread_t *thread, void *(*work)(void *context),
                              void *context)
{
    return threads_left-- && __real_hone_thread_start(thread, work, context);
}

static atomic_int closed, wrong_calls;

// What members wait for: how many of them are at work, at most so far.
static struct {
    pthread_mutex_t lock;
    pthread_cond_t more;
    int now, most, finished;
    int breaks_after;     // so many have finished
    struct timespec last; // until when is waited
} at_work = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

static size_t slow_capacity(struct hone_evaluator *evaluator)
{
    (void)evaluator;
    return MEMBER_CAPACITY;
}

static enum hone_status slow_submit(struct hone_evaluator *evaluator, uint64_t index,
                                    struct hone_error *err)
{
    (void)err;
    struct slow *slow = evaluator->priv;
    if (slow->count == MEMBER_CAPACITY) atomic_fetch_add(&wrong_calls, 1);
    slow->queue[(slow->oldest + slow->count++) % MEMBER_CAPACITY] = index;
    return HONE_OK;
}

static bool has_to_wait(uint64_t index)
{
    if (index >= BREAKS) return at_work.finished < at_work.breaks_after;
    return index >= MEETS && at_work.most < MEMBERS;
}

// Whoever meets stays until all have been at work at once; where they never are, the
// test fails after a minute instead of hanging.
static void work_as_index_says(uint64_t index)
{
    int failed = 0;
    pthread_mutex_lock(&at_work.lock);
    if (++at_work.now > at_work.most) at_work.most = at_work.now;
    pthread_cond_broadcast(&at_work.more);
    while (has_to_wait(index) && !failed)
        failed = pthread_cond_timedwait(&at_work.more, &at_work.lock, &at_work.last);
    pthread_mutex_unlock(&at_work.lock);
    for (uint64_t i = 0; i < index % 7; i++)
        sched_yield();
    pthread_mutex_lock(&at_work.lock);
    at_work.now--;
    at_work.finished++;
    pthread_cond_broadcast(&at_work.more);
    pthread_mutex_unlock(&at_work.lock);
}

// Index n gives way n % 7 times.
static enum hone_status slow_wait(struct hone_evaluator *evaluator,
                                  struct hone_trial *out, size_t cap, size_t *count,
                                  struct hone_error *err)
{
    struct slow *slow = evaluator->priv;
    if (!slow->count || !cap) atomic_fetch_add(&wrong_calls, 1);
    const uint64_t index = slow->queue[slow->oldest];
    slow->oldest = (slow->oldest + 1) % MEMBER_CAPACITY;
    slow->count--;
    enum hone_status status = hone_evaluator_begin(evaluator, index, err);
    if (status != HONE_OK) return status;
    work_as_index_says(index);
    *out = hone_trial_make(index, HONE_VALID);
    *count = index < BREAKS || index == LAST;
    if (index < BREAKS) return HONE_OK;
    return hone_fail(err, HONE_EDEVICE, "lost at %d", (int)index);
}

static void slow_close(struct hone_evaluator *evaluator)
{
    (void)evaluator;
    atomic_fetch_add(&closed, 1);
}

static const struct hone_evaluator_fns slow_fns = {
    .name = "slow",
    .priv_size = sizeof(struct slow),
    .capacity = slow_capacity,
    .submit = slow_submit,
    .wait = slow_wait,
    .close = slow_close,
};

static void make_members(struct hone_evaluator *members[MEMBERS])
{
    struct hone_error err = {0};
    atomic_store(&closed, 0);
    at_work.most = at_work.finished = at_work.breaks_after = 0;
    clock_gettime(CLOCK_REALTIME, &at_work.last);
    at_work.last.tv_sec += 60;
    for (int i = 0; i < MEMBERS; i++)
        assert_ok(hone_evaluator_make(&members[i], &slow_fns, &err), err);
}

static struct hone_evaluator *open_crew(void)
{
    struct hone_evaluator *members[MEMBERS], *crew = NULL;
    struct hone_error err = {0};
    make_members(members);
    assert_ok(hone_evaluator_crew(&crew, members, MEMBERS, &err), err);
    return crew;
}

static void close_crew(struct hone_evaluator *crew)
{
    hone_evaluator_close(crew);
    assert_int_equal(atomic_load(&closed), MEMBERS);
    assert_int_equal(atomic_load(&wrong_calls), 0);
}

static void trials_come_in_the_order_of_submission(void **state)
{
    (void)state;
    struct hone_evaluator *crew = open_crew();
    const size_t capacity = crew->fns->capacity(crew);
    struct hone_error err = {0};
    uint64_t submitted = 0, returned = 0;
    assert_true(capacity >= MEMBERS * MEMBER_CAPACITY);
    while (returned < MEETS) {
        for (; submitted < MEETS && submitted - returned < capacity; submitted++)
            assert_ok(crew->fns->submit(crew, submitted, &err), err);
        struct hone_trial trials[4];
        size_t count = 0;
        assert_ok(crew->fns->wait(crew, trials, 4, &count, &err), err);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(trials[i].index, returned++);
    }
    close_crew(crew);
}

// As many are submitted as fill them all, so that each takes one.
static void members_work_at_once(void **state)
{
    (void)state;
    struct hone_evaluator *crew = open_crew();
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    for (uint64_t n = 0; n < MEMBERS * MEMBER_CAPACITY; n++)
        assert_ok(crew->fns->submit(crew, MEETS + n, &err), err);
    for (uint64_t n = 0; n < MEMBERS * MEMBER_CAPACITY; n++)
        assert_ok(crew->fns->wait(crew, &trial, 1, &count, &err), err);
    close_crew(crew);
    assert_int_equal(at_work.most, MEMBERS);
}

static void nothing_submitted_means_nothing_returned(void **state)
{
    (void)state;
    struct hone_evaluator *crew = open_crew();
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 7;
    assert_ok(crew->fns->wait(crew, &trial, 1, &count, &err), err);
    assert_int_equal(count, 0);
    close_crew(crew);
}

static void what_breaks_a_member_breaks_the_crew(void **state)
{
    (void)state;
    struct hone_evaluator *crew = open_crew();
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(crew->fns->submit(crew, BREAKS + 3, &err), err);
    assert_int_equal(crew->fns->wait(crew, &trial, 1, &count, &err), HONE_EDEVICE);
    assert_string_equal(err.text, "lost at 1003");
    close_crew(crew);
}

// The member that breaks has taken two of the five at most: the others finish three.
static void what_was_measured_is_given_out_before_the_crew_breaks(void **state)
{
    (void)state;
    struct hone_evaluator *crew = open_crew();
    struct hone_error err = {0};
    struct hone_trial trials[2];
    size_t count = 0, given = 0;
    uint64_t newest = 0;
    enum hone_status status = HONE_OK;
    at_work.breaks_after = 3;
    assert_ok(crew->fns->submit(crew, BREAKS, &err), err);
    for (uint64_t n = 1; n < 5; n++)
        assert_ok(crew->fns->submit(crew, n, &err), err);
    while ((status = crew->fns->wait(crew, trials, 2, &count, &err)) == HONE_OK) {
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++, given++) {
            assert_true(trials[i].index > newest && trials[i].index < 5);
            newest = trials[i].index;
        }
    }
    assert_int_equal(status, HONE_EDEVICE);
    assert_int_equal(count, 0);
    assert_true(given >= 3);
    close_crew(crew);
}

static void a_trial_that_comes_with_the_break_is_given_out(void **state)
{
    (void)state;
    struct hone_evaluator *crew = open_crew();
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(crew->fns->submit(crew, LAST, &err), err);
    assert_ok(crew->fns->wait(crew, &trial, 1, &count, &err), err);
    assert_int_equal(count, 1);
    assert_int_equal(trial.index, LAST);
    assert_int_equal(crew->fns->wait(crew, &trial, 1, &count, &err), HONE_EDEVICE);
    close_crew(crew);
}

// Also without work for the others.
static void a_crew_that_broke_does_no_more(void **state)
{
    (void)state;
    struct hone_evaluator *crew = open_crew();
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(crew->fns->submit(crew, BREAKS, &err), err);
    assert_int_equal(crew->fns->wait(crew, &trial, 1, &count, &err), HONE_EDEVICE);
    for (size_t n = 0; n < crew->fns->capacity(crew); n++)
        assert_ok(crew->fns->submit(crew, n, &err), err);
    assert_int_equal(crew->fns->wait(crew, &trial, 1, &count, &err), HONE_EDEVICE);
    assert_int_equal(count, 0);
    close_crew(crew);
    assert_int_equal(at_work.finished, 1);
}

static void a_crew_closes_while_at_work(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        struct hone_evaluator *crew = open_crew();
        struct hone_error err = {0};
        for (uint64_t n = 0; n < (uint64_t)i % 7; n++)
            assert_ok(crew->fns->submit(crew, n, &err), err);
        close_crew(crew);
    }
}

struct begun {
    pthread_t owner;
    int count, elsewhere;
};

static enum hone_status count_begin(void *context, uint64_t index, struct hone_error *err)
{
    struct begun *begun = context;
    begun->elsewhere += !pthread_equal(pthread_self(), begun->owner);
    begun->count++;
    return index == 9 ? hone_fail(err, HONE_EIO, "no more") : HONE_OK;
}

static void begin_is_called_once_a_configuration_and_may_end_it(void **state)
{
    (void)state;
    struct hone_evaluator *crew = open_crew();
    struct begun begun = {.owner = pthread_self()};
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    crew->begin = count_begin;
    crew->begin_context = &begun;
    for (uint64_t n = 0; n < 9; n++)
        assert_ok(crew->fns->submit(crew, n, &err), err);
    for (uint64_t n = 0; n < 9; n++)
        assert_ok(crew->fns->wait(crew, &trial, 1, &count, &err), err);
    assert_int_equal(begun.count, 9);
    assert_ok(crew->fns->submit(crew, 9, &err), err);
    assert_int_equal(crew->fns->wait(crew, &trial, 1, &count, &err), HONE_EIO);
    assert_string_equal(err.text, "no more");
    close_crew(crew);
}

// Who has one thread is then in submit or wait: what begin uses needs no lock.
static void begin_is_called_in_the_thread_of_the_owner(void **state)
{
    (void)state;
    struct hone_evaluator *crew = open_crew();
    struct begun begun = {.owner = pthread_self()};
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    crew->begin = count_begin;
    crew->begin_context = &begun;
    for (uint64_t n = 0; n < 9; n++)
        assert_ok(crew->fns->submit(crew, n, &err), err);
    for (uint64_t n = 0; n < 9; n++)
        assert_ok(crew->fns->wait(crew, &trial, 1, &count, &err), err);
    close_crew(crew);
    assert_int_equal(begun.elsewhere, 0);
}

static void a_crew_closes_while_members_ask_to_begin(void **state)
{
    (void)state;
    struct begun begun = {.owner = pthread_self()};
    for (int i = 0; i < 50; i++) {
        struct hone_evaluator *crew = open_crew();
        struct hone_error err = {0};
        crew->begin = count_begin;
        crew->begin_context = &begun;
        for (uint64_t n = 0; n < 9; n++)
            assert_ok(crew->fns->submit(crew, n, &err), err);
        for (int n = 0; n < i; n++)
            sched_yield();
        close_crew(crew);
    }
}

static void a_crew_of_nobody_is_refused(void **state)
{
    (void)state;
    struct hone_evaluator *crew = NULL;
    assert_int_equal(hone_evaluator_crew(&crew, NULL, 0, NULL), HONE_EUSAGE);
    assert_null(crew);
}

// For each thread that can be the first one that does not start.
static void members_without_a_crew_are_as_they_were(void **state)
{
    (void)state;
    for (size_t started = 0; started < MEMBERS; started++) {
        struct hone_evaluator *members[MEMBERS], *crew = NULL;
        struct hone_error err = {0};
        struct begun begun = {.owner = pthread_self()};
        make_members(members);
        for (int i = 0; i < MEMBERS; i++) {
            members[i]->begin = count_begin;
            members[i]->begin_context = &begun;
        }
        threads_left = started;
        const enum hone_status status =
            hone_evaluator_crew(&crew, members, MEMBERS, &err);
        threads_left = SIZE_MAX;
        assert_int_equal(status, HONE_EIO);
        assert_null(crew);
        assert_int_equal(atomic_load(&closed), 0);
        for (int i = 0; i < MEMBERS; i++) {
            struct hone_trial trial;
            assert_ok(hone_evaluate_one(&trial, members[i], 1, &err), err);
            hone_evaluator_close(members[i]);
        }
        assert_int_equal(begun.count, MEMBERS);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_crew_of_nobody_is_refused),
    cmocka_unit_test(members_without_a_crew_are_as_they_were),
    cmocka_unit_test(trials_come_in_the_order_of_submission),
    cmocka_unit_test(members_work_at_once),
    cmocka_unit_test(nothing_submitted_means_nothing_returned),
    cmocka_unit_test(what_breaks_a_member_breaks_the_crew),
    cmocka_unit_test(what_was_measured_is_given_out_before_the_crew_breaks),
    cmocka_unit_test(a_trial_that_comes_with_the_break_is_given_out),
    cmocka_unit_test(a_crew_that_broke_does_no_more),
    cmocka_unit_test(a_crew_closes_while_at_work),
    cmocka_unit_test(begin_is_called_once_a_configuration_and_may_end_it),
    cmocka_unit_test(begin_is_called_in_the_thread_of_the_owner),
    cmocka_unit_test(a_crew_closes_while_members_ask_to_begin),
};

HONE_TEST_MAIN(tests)
