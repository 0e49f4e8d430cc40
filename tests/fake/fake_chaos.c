#include "fake_chaos.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake_log.h"

static const char *const names[] = {[FAKE_CHAOS_NONE] = "none",
#define NAME(name) [FAKE_CHAOS_##name] = #name,
                                    FAKE_CHAOS_LIST(NAME)
#undef NAME
};

// The number after KEY=, or a fallback.
static double setting(const char *key, double fallback)
{
    const char *text = getenv("HONE_FAKE_CHAOS");
    const size_t len = strlen(key);
    while (text && *text) {
        if (strncmp(text, key, len) == 0 && text[len] == '=')
            return strtod(text + len + 1, NULL);
        text += strcspn(text, ",");
        text += *text == ',';
    }
    return fallback;
}

// FNV-1a over the first line, then the finaliser of splitmix64: uniform in [0, 1).
static double draw(const char *line, size_t len)
{
    uint64_t x = 14695981039346656037u ^ (uint64_t)setting("seed", 1);
    for (size_t i = 0; i < len; i++)
        x = (x ^ (unsigned char)line[i]) * 1099511628211u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

static int is_reference(const char *kernel)
{
    static const char end[] = "_reference";
    const size_t len = strlen(kernel), n = sizeof end - 1;
    return len >= n && strcmp(kernel + len - n, end) == 0;
}

// The kind of a pair "KIND:NAME=VALUE" whose definition stands in line.
static enum fake_chaos defined(const char *line, size_t len)
{
    const char *text = getenv("HONE_FAKE_CHAOS");
    for (; text && *text; text += strcspn(text, ","), text += *text == ',')
        for (int kind = 1; kind < FAKE_CHAOS_COUNT; kind++) {
            const size_t n = strlen(names[kind]);
            if (strncmp(text, names[kind], n) != 0 || text[n] != ':') continue;
            char wanted[64], padded[256];
            snprintf(wanted, sizeof wanted, " %.*s ", (int)strcspn(text + n + 1, ","),
                     text + n + 1);
            snprintf(padded, sizeof padded, "%.*s ", (int)len, line);
            if (strstr(padded, wanted)) return (enum fake_chaos)kind;
        }
    return FAKE_CHAOS_NONE;
}

enum fake_chaos fake_chaos_of(const char *image, const char *kernel)
{
    if (!getenv("HONE_FAKE_CHAOS")) return FAKE_CHAOS_NONE;
    if (is_reference(kernel) && setting("LARGE_REFERENCE", 0) > 0)
        return FAKE_CHAOS_LARGE_REFERENCE;
    if (strncmp(image, "// ", 3) != 0 || !strchr(image, '=') || is_reference(kernel))
        return FAKE_CHAOS_NONE;
    const enum fake_chaos certain = defined(image, strcspn(image, "\n"));
    if (certain) return certain;
    double at = draw(image, strcspn(image, "\n"));
    for (int kind = 1; kind < FAKE_CHAOS_COUNT; kind++) {
        if (kind == FAKE_CHAOS_LARGE_REFERENCE) continue;
        at -= setting(names[kind], 0);
        if (at < 0) return (enum fake_chaos)kind;
    }
    return FAKE_CHAOS_NONE;
}

static struct fake_log faults;

__attribute__((constructor)) static void open_log(void)
{
    fake_log_open(&faults, "HONE_FAKE_CHAOS_LOG");
}

void fake_chaos_log(enum fake_chaos kind, const char *image)
{
    char line[256];
    snprintf(line, sizeof line, "%s %.*s\n", names[kind], (int)strcspn(image, "\n") - 3,
             image + 3);
    fake_log_add(&faults, line);
}

void fake_chaos_strike(enum fake_chaos kind)
{
    if (kind == FAKE_CHAOS_SEGV || kind == FAKE_CHAOS_BUILD_SEGV) {
        signal(SIGSEGV, SIG_DFL); // also where a sanitizer looks at it
        raise(SIGSEGV);
        kill(getpid(), SIGKILL); // where it is blocked, as in compile threads
    }
    if (kind == FAKE_CHAOS_EXIT) _exit(3);
    if (kind == FAKE_CHAOS_FREEZE)
        for (;;)
            pause();
    if (kind == FAKE_CHAOS_LOST && getenv("HONE_FAKE_LOST"))
        close(open(getenv("HONE_FAKE_LOST"), O_WRONLY | O_CREAT, 0666));
}

int fake_chaos_lost(void)
{
    const char *path = getenv("HONE_FAKE_LOST");
    return path && access(path, F_OK) == 0;
}

void fake_chaos_context(void)
{
    const double ms = setting("slow_context", 0);
    const struct timespec nap = {(time_t)(ms / 1e3), (long)(ms * 1e6) % 1000000000};
    nanosleep(&nap, NULL);
}
