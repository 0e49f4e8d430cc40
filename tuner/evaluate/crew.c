// Several evaluators at work at once, each in a thread of its own. A ring holds what was
// submitted: members take the next index as they have room, and trials leave in the order
// in which their indices came, whoever was faster. What a member begins is told by the
// thread that is in submit or wait: its user needs no lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/thread.h"
#include "evaluate/evaluator.h"

struct slot {
    uint64_t index;
    struct hone_trial trial;
    bool done;
};

struct member {
    struct crew *crew;
    struct hone_evaluator *evaluator; // used by its thread alone
    pthread_t thread;
    bool started;
    uint64_t *taken; // ring of its capacity: numbers of what it works on, oldest first
    size_t capacity, oldest, in_flight;
    bool asks; // whether it may begin asked_index; the answer follows
    uint64_t asked_index;
    enum hone_status answer;
    struct hone_error answer_error;
};

struct crew {
    const struct hone_evaluator *self; // its begin belongs to who is in submit or wait
    struct member *members;
    size_t member_count;
    size_t capacity;
    pthread_mutex_t lock; // guards all below
    pthread_cond_t work, done, answered;
    struct slot *slots; // ring of capacity: number n is at n % capacity
    uint64_t submitted, taken, returned;
    size_t left_count; // members that work no more
    bool announces;    // somebody wants to know what begins
    bool stopping;
    enum hone_status status; // what broke a member; OK while nothing did
    struct hone_error error;
};

// ---- in a member's thread ----

static bool crew_goes_on(const struct crew *crew)
{
    return !crew->stopping && crew->status == HONE_OK;
}

// Wait until there is work for the member, or none will come: false.
static bool wait_for_work(struct member *member)
{
    struct crew *crew = member->crew;
    while (crew_goes_on(crew) && !member->in_flight && crew->taken == crew->submitted)
        pthread_cond_wait(&crew->work, &crew->lock);
    return crew_goes_on(crew);
}

static void break_crew(struct crew *crew, enum hone_status status,
                       const struct hone_error *err)
{
    if (crew->status == HONE_OK) {
        crew->status = status;
        crew->error = *err;
    }
    pthread_cond_broadcast(&crew->answered);
    pthread_cond_broadcast(&crew->work);
}

// Called with the lock, gives it away while the evaluator is at work.
static enum hone_status take_next(struct member *member, struct hone_error *err)
{
    struct crew *crew = member->crew;
    const uint64_t number = crew->taken++;
    const uint64_t index = crew->slots[number % crew->capacity].index;
    pthread_mutex_unlock(&crew->lock);
    enum hone_status status =
        member->evaluator->fns->submit(member->evaluator, index, err);
    pthread_mutex_lock(&crew->lock);
    member->taken[(member->oldest + member->in_flight++) % member->capacity] = number;
    return status;
}

// The same for the oldest that the member works on: members return trials in order.
static enum hone_status finish_oldest(struct member *member, struct hone_error *err)
{
    struct crew *crew = member->crew;
    struct hone_trial trial;
    size_t count = 0;
    pthread_mutex_unlock(&crew->lock);
    enum hone_status status =
        member->evaluator->fns->wait(member->evaluator, &trial, 1, &count, err);
    pthread_mutex_lock(&crew->lock);
    if (!count) return status;
    struct slot *slot = &crew->slots[member->taken[member->oldest] % crew->capacity];
    slot->trial = trial;
    slot->done = true;
    member->oldest = (member->oldest + 1) % member->capacity;
    member->in_flight--;
    pthread_cond_broadcast(&crew->done);
    return status;
}

static void *crew_work(void *argument)
{
    struct member *member = argument;
    struct crew *crew = member->crew;
    struct hone_error err = {0};
    pthread_mutex_lock(&crew->lock);
    while (wait_for_work(member)) {
        enum hone_status status = HONE_OK;
        while (status == HONE_OK && member->in_flight < member->capacity &&
               crew->taken < crew->submitted)
            status = take_next(member, &err);
        if (status == HONE_OK) status = finish_oldest(member, &err);
        if (status != HONE_OK) break_crew(crew, status, &err);
    }
    crew->left_count++;
    pthread_cond_broadcast(&crew->done);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

// The member's begin: ask who is in submit or wait. After the end of the crew nothing
// more is launched.
static enum hone_status crew_ask(void *context, uint64_t index, struct hone_error *err)
{
    struct member *member = context;
    struct crew *crew = member->crew;
    pthread_mutex_lock(&crew->lock);
    member->asks = crew->announces;
    member->asked_index = index;
    member->answer = HONE_OK;
    pthread_cond_broadcast(&crew->done);
    while (member->asks && crew_goes_on(crew))
        pthread_cond_wait(&crew->answered, &crew->lock);
    member->asks = false;
    enum hone_status status =
        crew_goes_on(crew) ? hone_error_pass(err, member->answer, &member->answer_error)
                           : hone_fail(err, HONE_ECANCELLED, "the crew has ended");
    pthread_mutex_unlock(&crew->lock);
    return status;
}

// ---- the evaluator ----

static size_t crew_capacity(struct hone_evaluator *evaluator)
{
    const struct crew *crew = evaluator->priv;
    return crew->capacity;
}

// Called with the lock, in submit or wait.
static void answer_members(struct crew *crew)
{
    for (size_t i = 0; i < crew->member_count; i++) {
        struct member *member = &crew->members[i];
        if (!member->asks) continue;
        member->answer_error = (struct hone_error){0};
        member->answer =
            hone_evaluator_begin(crew->self, member->asked_index, &member->answer_error);
        member->asks = false;
        pthread_cond_broadcast(&crew->answered);
    }
}

static enum hone_status crew_submit(struct hone_evaluator *evaluator, uint64_t index,
                                    struct hone_error *err)
{
    (void)err; // what goes wrong is told by wait
    struct crew *crew = evaluator->priv;
    pthread_mutex_lock(&crew->lock);
    assert(crew->submitted - crew->returned < crew->capacity);
    crew->announces = evaluator->begin != NULL;
    answer_members(crew);
    crew->slots[crew->submitted++ % crew->capacity] = (struct slot){.index = index};
    pthread_cond_signal(&crew->work);
    pthread_mutex_unlock(&crew->lock);
    return HONE_OK;
}

// No trial comes any more.
static bool has_ended(const struct crew *crew)
{
    return crew->status != HONE_OK && crew->left_count == crew->member_count;
}

// The oldest trials; of a crew that has ended also those behind one that never came.
static size_t give_out(struct crew *crew, struct hone_trial *out, size_t cap)
{
    size_t count = 0;
    for (; count < cap && crew->returned < crew->submitted; crew->returned++) {
        const struct slot *slot = &crew->slots[crew->returned % crew->capacity];
        if (slot->done)
            out[count++] = slot->trial;
        else if (!has_ended(crew))
            break;
    }
    return count;
}

static enum hone_status crew_wait(struct hone_evaluator *evaluator,
                                  struct hone_trial *out, size_t cap, size_t *count,
                                  struct hone_error *err)
{
    struct crew *crew = evaluator->priv;
    enum hone_status status = HONE_OK;
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        answer_members(crew);
        *count = give_out(crew, out, cap);
        const bool ended = has_ended(crew);
        if (ended && !*count) status = hone_error_pass(err, crew->status, &crew->error);
        const bool idle = crew->status == HONE_OK && crew->returned == crew->submitted;
        if (*count || !cap || ended || idle) break;
        pthread_cond_wait(&crew->done, &crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
    return status;
}

static void crew_close(struct hone_evaluator *evaluator)
{
    struct crew *crew = evaluator->priv;
    pthread_mutex_lock(&crew->lock);
    crew->stopping = true;
    pthread_cond_broadcast(&crew->answered);
    pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->lock);
    for (size_t i = 0; i < crew->member_count; i++) {
        struct member *member = &crew->members[i];
        if (member->started) pthread_join(member->thread, NULL);
        hone_evaluator_close(member->evaluator);
        free(member->taken);
    }
    free(crew->members);
    free(crew->slots);
    pthread_cond_destroy(&crew->answered);
    pthread_cond_destroy(&crew->done);
    pthread_cond_destroy(&crew->work);
    pthread_mutex_destroy(&crew->lock);
}

static const struct hone_evaluator_fns crew_fns = {
    .name = "crew",
    .priv_size = sizeof(struct crew),
    .capacity = crew_capacity,
    .submit = crew_submit,
    .wait = crew_wait,
    .close = crew_close,
};

// ---- opening ----

static enum hone_status allocate(struct crew *crew, struct hone_evaluator *const *members,
                                 size_t count, struct hone_error *err)
{
    crew->members = calloc(count, sizeof *crew->members);
    if (!crew->members) return hone_no_memory(err, "for a crew of evaluators");
    for (size_t i = 0; i < count; i++) {
        const size_t capacity = members[i]->fns->capacity(members[i]);
        crew->members[i] = (struct member){.crew = crew, .capacity = capacity};
        crew->members[i].taken = calloc(capacity, sizeof(uint64_t));
        crew->member_count++;
        crew->capacity += 2 * capacity; // one slow trial must not stop the others
        if (!crew->members[i].taken)
            return hone_no_memory(err, "for a crew of evaluators");
    }
    crew->slots = calloc(crew->capacity, sizeof *crew->slots);
    if (!crew->slots) return hone_no_memory(err, "for a crew of evaluators");
    return HONE_OK;
}

static enum hone_status crew_start(struct crew *crew, struct hone_error *err)
{
    bool started = true;
    for (size_t i = 0; i < crew->member_count && started; i++) {
        struct member *member = &crew->members[i];
        started = hone_thread_start(&member->thread, crew_work, member);
        member->started = started;
    }
    if (started) return HONE_OK;
    return hone_fail(err, HONE_EIO, "cannot start %zu threads", crew->member_count);
}

enum hone_status hone_evaluator_crew(struct hone_evaluator **out,
                                     struct hone_evaluator *const *members, size_t count,
                                     struct hone_error *err)
{
    struct hone_evaluator *evaluator = NULL;
    if (!count) return hone_fail(err, HONE_EUSAGE, "a crew needs an evaluator");
    enum hone_status status = hone_evaluator_make(&evaluator, &crew_fns, err);
    if (status != HONE_OK) return status;
    struct crew *crew = evaluator->priv;
    crew->self = evaluator;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work, NULL);
    pthread_cond_init(&crew->done, NULL);
    pthread_cond_init(&crew->answered, NULL);
    status = allocate(crew, members, count, err);
    if (status == HONE_OK) status = crew_start(crew, err);
    if (status != HONE_OK) {
        hone_evaluator_close(evaluator); // the members are still the caller's
        return status;
    }
    for (size_t i = 0; i < count; i++) { // before there is work for them
        crew->members[i].evaluator = members[i];
        members[i]->begin = crew_ask;
        members[i]->begin_context = &crew->members[i];
    }
    *out = evaluator;
    return HONE_OK;
}
