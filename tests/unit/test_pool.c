// When a pool has nobody at work: time in queues is not the run's, that of its own
// machine is.
#include "hone_test.h"
#include "pool_internal.h"

static char some_process; // never looked into

#define OFF                                                                              \
    {                                                                                    \
        .phase = HONE_MEMBER_OFF                                                         \
    }
#define QUEUED                                                                           \
    {                                                                                    \
        .phase = HONE_MEMBER_STARTING, .program = (void *)&some_process                  \
    }
#define STIRRED                                                                          \
    {                                                                                    \
        .phase = HONE_MEMBER_STARTING, .program = (void *)&some_process, .stirred = true \
    }
#define GONE                                                                             \
    {                                                                                    \
        .phase = HONE_MEMBER_GONE                                                        \
    }
#define OURS_OFF                                                                         \
    {                                                                                    \
        .phase = HONE_MEMBER_OFF, .local = true                                          \
    }
#define OURS_ON                                                                          \
    {                                                                                    \
        .phase = HONE_MEMBER_IDLE, .local = true, .program = (void *)&some_process       \
    }
#define OURS_NEW                                                                         \
    {                                                                                    \
        .phase = HONE_MEMBER_STARTING, .local = true, .program = (void *)&some_process   \
    }
#define OURS_OUT                                                                         \
    {                                                                                    \
        .phase = HONE_MEMBER_GONE, .local = true                                         \
    }

static void time_is_absent_only_while_all_who_are_left_wait_elsewhere(void **state)
{
    (void)state;
    struct {
        const char *what;
        struct hone_member members[2];
        size_t count;
        bool deserted;
    } rows[] = {
        {"a queue", {QUEUED}, 1, true},
        {"before its next start", {OFF}, 1, true},
        {"both", {OFF, QUEUED}, 2, true},
        {"one was given up", {GONE, QUEUED}, 2, true},
        {"ours was given up", {OURS_OUT, QUEUED}, 2, true},
        {"one has said something", {QUEUED, STIRRED}, 2, false},
        {"ours between its end and its restart", {OURS_OFF}, 1, false},
        {"the same, and a queue", {OURS_OFF, QUEUED}, 2, false},
        {"ours at work", {QUEUED, OURS_ON}, 2, false},
        {"ours begins", {QUEUED, OURS_NEW}, 2, false},
        {"nobody is left", {GONE, OURS_OUT}, 2, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct hone_pool pool = {.members = rows[i].members,
                                       .count = rows[i].count};
        if (hone_pool_is_deserted(&pool) != rows[i].deserted)
            fail_msg("%s", rows[i].what);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(time_is_absent_only_while_all_who_are_left_wait_elsewhere),
};
HONE_TEST_MAIN(tests)
