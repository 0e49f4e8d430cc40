// Which scripts are running Lua now, for a watchdog in another thread. It looks from time
// to time: the same entry still under way is measured by the processor time of its thread
// since it was first seen, so that neither a stopped nor a busy machine counts.
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "base/c_locale.h"
#include "bind_internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct hone_script *scripts;

void hone_watch_add(struct hone_script *script)
{
    pthread_mutex_lock(&lock);
    script->next = scripts;
    if (scripts) scripts->previous = script;
    scripts = script;
    pthread_mutex_unlock(&lock);
}

void hone_watch_remove(struct hone_script *script)
{
    pthread_mutex_lock(&lock);
    if (script->next) script->next->previous = script->previous;
    if (script->previous)
        script->previous->next = script->next;
    else
        scripts = script->next;
    pthread_mutex_unlock(&lock);
}

int hone_watch_call(struct hone_script *script, int args, int handler)
{
    const struct hone_c_locale locale = hone_c_locale_enter();
    atomic_store_explicit(&script->thread, pthread_self(), memory_order_relaxed);
    atomic_fetch_add_explicit(&script->entries, 1, memory_order_release);
    const int result = lua_pcall(script->L, args, 0, handler);
    atomic_fetch_add_explicit(&script->entries, 1, memory_order_release);
    hone_c_locale_leave(locale);
    return result;
}

// Processor time of a thread; 0 where it has ended.
static double thread_seconds(pthread_t thread)
{
    clockid_t clock;
    struct timespec used;
    if (pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &used)) return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static bool is_overdue(struct hone_script *script, double limit_s)
{
    const uint64_t entry = atomic_load_explicit(&script->entries, memory_order_acquire);
    if (entry % 2 == 0) return false;
    const double now = thread_seconds(atomic_load(&script->thread));
    if (entry != script->seen_entry) {
        script->seen_entry = entry;
        script->seen_seconds = now;
    }
    return now - script->seen_seconds > limit_s && atomic_load(&script->entries) == entry;
}

bool hone_script_overdue(double limit_s, char *path, size_t size)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (struct hone_script *s = scripts; s && !found; s = s->next) {
        found = is_overdue(s, limit_s);
        if (found) snprintf(path, size, "%s", s->path);
    }
    pthread_mutex_unlock(&lock);
    return found;
}
