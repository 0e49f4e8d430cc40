#include "base/alarm.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/thread.h"

enum { STEP_MS = 10 };

struct hone_alarm {
    double deadline;
    const volatile sig_atomic_t *also;
    volatile sig_atomic_t flag;
    atomic_bool over;
    pthread_t thread;
};

// A flag of another thread tells nobody that it changed: it is looked at again and again.
static void *alarm_watch(void *context)
{
    struct hone_alarm *alarm = context;
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    while (!atomic_load(&alarm->over)) {
        if (hone_clock_seconds() >= alarm->deadline || (alarm->also && *alarm->also)) {
            alarm->flag = 1;
            break;
        }
        nanosleep(&step, NULL);
    }
    return NULL;
}

enum hone_status hone_alarm_new(struct hone_alarm **out, double deadline,
                                const volatile sig_atomic_t *also, struct hone_error *err)
{
    assert(!isnan(deadline));
    struct hone_alarm *alarm = calloc(1, sizeof *alarm);
    if (!alarm) return hone_no_memory(err, "an alarm");
    alarm->deadline = deadline;
    alarm->also = also;
    if (!hone_thread_start(&alarm->thread, alarm_watch, alarm)) {
        free(alarm);
        return hone_no_memory(err, "the thread of an alarm");
    }
    *out = alarm;
    return HONE_OK;
}

const volatile sig_atomic_t *hone_alarm_flag(const struct hone_alarm *alarm)
{
    return &alarm->flag;
}

void hone_alarm_free(struct hone_alarm *alarm)
{
    if (!alarm) return;
    atomic_store(&alarm->over, true);
    pthread_join(alarm->thread, NULL);
    free(alarm);
}
