#include "oom.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define FAR (SIZE_MAX / 2) // more allocations than a suite makes

// Builders have threads of their own.
static atomic_size_t until_failure = FAR; // allocations that still succeed
static atomic_size_t failures;            // allocations refused
static atomic_size_t live;                // blocks not freed yet

static bool refuse(void)
{
    if (atomic_fetch_sub(&until_failure, 1) != 0) return false;
    until_failure = FAR; // the next ones succeed again
    failures++;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);
char *__real_realpath(const char *path, char *out);
char *__wrap_realpath(const char *path, char *out);
void __wrap_free(void *block);

void *__wrap_malloc(size_t size)
{
    void *block = refuse() ? NULL : __real_malloc(size);
    live += block != NULL;
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *block = refuse() ? NULL : __real_calloc(count, size);
    live += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    void *moved = refuse() ? NULL : __real_realloc(block, size);
    live += !block && moved;
    return moved;
}

char *__wrap_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = __wrap_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *__wrap_strndup(const char *text, size_t most)
{
    size_t size = strnlen(text, most);
    char *copy = __wrap_malloc(size + 1);
    if (!copy) return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

char *__wrap_realpath(const char *path, char *out)
{
    char *resolved = refuse() ? NULL : __real_realpath(path, out);
    live += !out && resolved;
    return resolved;
}

void __wrap_free(void *block)
{
    live -= block != NULL;
    __real_free(block);
}

void oom_check(oom_work *work, void *context)
{
    oom_check_each(1, work, context);
}

void oom_check_each(size_t step, oom_work *work, void *context)
{
    bool reached = true;
    size_t n = 0;
    for (; reached; n += step) {
        struct hone_error err = {0};
        size_t live_before = live, failures_before = failures;
        until_failure = n;
        enum hone_status status = work(context, &err);
        until_failure = FAR;
        reached = failures > failures_before;
        if (status && (status != HONE_ENOMEM || !reached))
            fail_msg("allocation %zu failing: %s: %s", n, hone_status_text(status),
                     err.text);
        if (status && !err.text[0]) fail_msg("allocation %zu failing: no error text", n);
        if (live != live_before)
            fail_msg("allocation %zu failing: %zu blocks leaked", n, live - live_before);
    }
    assert_true(n > step); // there was something to refuse
}
