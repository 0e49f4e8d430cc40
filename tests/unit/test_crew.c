// Several evaluators at once: the order of trials, what a broken member does, and that a
// crew can be closed at any time. Members here are as slow as their index says.
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "evaluate/evaluator.h"
#include "hone_test.h"

enum { MEMBERS = 3, MEMBER_CAPACITY = 2, BREAKS = 1000 };

struct slow {
    uint64_t queue[MEMBER_CAPACITY];
    size_t oldest, count;
};

static atomic_int closed, at_work, most_at_work;

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
    assert_true(slow->count < MEMBER_CAPACITY);
    slow->queue[(slow->oldest + slow->count++) % MEMBER_CAPACITY] = index;
    return HONE_OK;
}

static void note_work(void)
{
    const int now = atomic_fetch_add(&at_work, 1) + 1;
    int most = atomic_load(&most_at_work);
    while (now > most && !atomic_compare_exchange_weak(&most_at_work, &most, now)) {
    }
}

// Index n gives way n % 7 hundred times; from BREAKS on the evaluator breaks.
static enum hone_status slow_wait(struct hone_evaluator *evaluator,
                                  struct hone_trial *out, size_t cap, size_t *count,
                                  struct hone_error *err)
{
    struct slow *slow = evaluator->priv;
    assert_true(slow->count > 0 && cap > 0);
    const uint64_t index = slow->queue[slow->oldest];
    slow->oldest = (slow->oldest + 1) % MEMBER_CAPACITY;
    slow->count--;
    enum hone_status status = hone_evaluator_begin(evaluator, index, err);
    if (status != HONE_OK) return status;
    note_work();
    for (uint64_t i = 0; i < index % 7 * 100; i++)
        sched_yield();
    atomic_fetch_sub(&at_work, 1);
    if (index >= BREAKS) return hone_fail(err, HONE_EDEVICE, "lost at %d", (int)index);
    *out = hone_trial_make(index, HONE_VALID);
    *count = 1;
    return HONE_OK;
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

static struct hone_evaluator *open_crew(void)
{
    struct hone_evaluator *members[MEMBERS], *crew = NULL;
    struct hone_error err = {0};
    atomic_store(&closed, 0);
    for (int i = 0; i < MEMBERS; i++)
        assert_ok(hone_evaluator_make(&members[i], &slow_fns, &err), err);
    assert_ok(hone_evaluator_crew(&crew, members, MEMBERS, &err), err);
    return crew;
}

static void trials_come_in_the_order_of_submission(void **state)
{
    (void)state;
    struct hone_evaluator *crew = open_crew();
    const size_t capacity = crew->fns->capacity(crew);
    struct hone_error err = {0};
    uint64_t submitted = 0, returned = 0;
    assert_true(capacity >= MEMBERS * MEMBER_CAPACITY);
    while (returned < 500) {
        for (; submitted < 500 && submitted - returned < capacity; submitted++)
            assert_ok(crew->fns->submit(crew, submitted, &err), err);
        struct hone_trial trials[4];
        size_t count = 0;
        assert_ok(crew->fns->wait(crew, trials, 4, &count, &err), err);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(trials[i].index, returned++);
    }
    assert_true(atomic_load(&most_at_work) <= MEMBERS);
    hone_evaluator_close(crew);
    assert_int_equal(atomic_load(&closed), MEMBERS);
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
    hone_evaluator_close(crew);
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
    hone_evaluator_close(crew);
}

static void a_crew_closes_while_at_work(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        struct hone_evaluator *crew = open_crew();
        struct hone_error err = {0};
        for (uint64_t n = 0; n < (uint64_t)i % 7; n++)
            assert_ok(crew->fns->submit(crew, n, &err), err);
        hone_evaluator_close(crew);
        assert_int_equal(atomic_load(&closed), MEMBERS);
    }
}

struct begun {
    int count;
    bool inside;
};

// Without a lock of its own: calls must not overlap.
static enum hone_status count_begin(void *context, uint64_t index, struct hone_error *err)
{
    struct begun *begun = context;
    assert_false(begun->inside);
    begun->inside = true;
    sched_yield();
    begun->inside = false;
    begun->count++;
    return index == 9 ? hone_fail(err, HONE_EIO, "no more") : HONE_OK;
}

static void begin_is_called_once_a_configuration_and_may_end_it(void **state)
{
    (void)state;
    struct hone_evaluator *crew = open_crew();
    struct begun begun = {0};
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
    hone_evaluator_close(crew);
}

static void a_crew_of_nobody_is_refused(void **state)
{
    (void)state;
    struct hone_evaluator *crew = NULL;
    assert_int_equal(hone_evaluator_crew(&crew, NULL, 0, NULL), HONE_EUSAGE);
    assert_null(crew);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_crew_of_nobody_is_refused),
    cmocka_unit_test(trials_come_in_the_order_of_submission),
    cmocka_unit_test(nothing_submitted_means_nothing_returned),
    cmocka_unit_test(what_breaks_a_member_breaks_the_crew),
    cmocka_unit_test(a_crew_closes_while_at_work),
    cmocka_unit_test(begin_is_called_once_a_configuration_and_may_end_it),
};

HONE_TEST_MAIN(tests)
