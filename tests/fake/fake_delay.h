/* Delays of the fakes: what the real ones take, so that a sitting on a GPU can be tried in
 * the time that it will take. Without $HONE_FAKE_DELAYS there are none. */
#ifndef FAKE_DELAY_H
#define FAKE_DELAY_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds of $HONE_FAKE_DELAYS, which has the form of $HONE_FAKE_CUDA:
 *
 *   start=S    of cuInit: the driver wakes the GPU
 *   context=S  of a context that is made
 *   module=S   of a module that is loaded
 *   device=R   times what a launch takes, is what waiting for it takes; then kernels
 *              compute nothing
 *   compile=S  of NVRTC, for each source; NAME=S where its first kernel is NAME
 *   flush=S    of CUPTI giving out its records
 *   nvml=S     of each question to NVML */
static inline double fake_delay_of(const char *what)
{
    const char *text = getenv("HONE_FAKE_DELAYS");
    const size_t len = strlen(what);
    for (; text && *text; text += strcspn(text, ","), text += *text == ',')
        if (strncmp(text, what, len) == 0 && text[len] == '=')
            return strtod(text + len + 1, NULL);
    return 0;
}

static inline void fake_sleep(double seconds)
{
    if (!(seconds > 0)) return;
    const time_t whole = (time_t)seconds;
    nanosleep(&(struct timespec){.tv_sec = whole,
                                 .tv_nsec = (long)((seconds - (double)whole) * 1e9)},
              NULL);
}

static inline void fake_delay(const char *what)
{
    fake_sleep(fake_delay_of(what));
}

#endif
