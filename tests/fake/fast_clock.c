// Preloaded: processor time of other threads runs a thousand times as fast, so that a
// watchdog sees in a tenth of a second what else takes it a minute and a half.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    const int status = real(clock, now);
    if (status || clock >= 0) return status; // ids of single threads are negative
    const double seconds = 1000 * ((double)now->tv_sec + 1e-9 * (double)now->tv_nsec);
    now->tv_sec = (time_t)seconds;
    now->tv_nsec = 0;
    return 0;
}
