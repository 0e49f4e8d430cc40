#include "oom.h"

#include <execinfo.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hone_test.h"

#define FAR (SIZE_MAX / 2) // more allocations than a suite makes

// Builders have threads of their own.
static atomic_size_t until_failure = FAR; // allocations that still succeed
static atomic_size_t failures;            // allocations refused
static atomic_size_t live;                // blocks not freed yet

/* An allocation of a run in which none fails. */
struct allocation {
    uint64_t place; // hash of the calls that it is in
    size_t number;  // in the order of the run
};

#define MOST 1000000
#define FEW  500 // all of which are refused

static struct allocation *record; // of this run, unless NULL
static atomic_size_t recorded;

/* The calls that an allocation is in, the innermost of them. */
static uint64_t place_of_call(void)
{
    enum { DEPTH = 8 };
    void *frames[DEPTH];
    const int depth = backtrace(frames, DEPTH);
    uint64_t hash = 14695981039346656037U; // FNV-1a's, by words
    for (int i = 0; i < depth; i++)
        hash = (hash ^ (uintptr_t)frames[i]) * 1099511628211U;
    return hash;
}

bool oom_refuse(void)
{
    if (record) {
        const size_t number = recorded++;
        if (number < MOST) record[number] = (struct allocation){place_of_call(), number};
    }
    if (atomic_fetch_sub(&until_failure, 1) != 0) return false;
    until_failure = FAR; // the next ones succeed again
    failures++;
    return true;
}

void oom_count(int blocks)
{
    live += (size_t)blocks;
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
    void *block = oom_refuse() ? NULL : __real_malloc(size);
    live += block != NULL;
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *block = oom_refuse() ? NULL : __real_calloc(count, size);
    live += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    void *moved = oom_refuse() ? NULL : __real_realloc(block, size);
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
    char *resolved = oom_refuse() ? NULL : __real_realpath(path, out);
    live += !out && resolved;
    return resolved;
}

void __wrap_free(void *block)
{
    live -= block != NULL;
    __real_free(block);
}

/* Runs work with allocation n failing; whether it got that far. */
static bool check_one(size_t n, oom_work *work, void *context)
{
    struct hone_error err = {0};
    size_t live_before = live, failures_before = failures;
    until_failure = n;
    enum hone_status status = work(context, &err);
    until_failure = FAR;
    const bool reached = failures > failures_before;
    if (status && (status != HONE_ENOMEM || !reached))
        fail_msg("allocation %zu failing: %s: %s", n, hone_status_text(status), err.text);
    if (status && !err.text[0]) fail_msg("allocation %zu failing: no error text", n);
    if (live != live_before)
        fail_msg("allocation %zu failing: %zu blocks leaked", n, live - live_before);
    return reached;
}

static int by_place(const void *left, const void *right)
{
    const struct allocation *a = left, *b = right;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Allocations of a run in which none fails, those of a place together; how many. */
static size_t record_run(struct allocation *seen, oom_work *work, void *context)
{
    recorded = 0;
    record = seen;
    check_one(FAR - 1, work, context);
    record = NULL;
    assert_true(recorded > 0 && recorded <= MOST);
    qsort(seen, recorded, sizeof *seen, by_place);
    return recorded;
}

/* Allocations of a place that are refused where there are many. */
#ifdef __SANITIZE_ADDRESS__
enum { TIMES = 1 };
#else
enum { TIMES = 2 };
#endif

/* Keeps the first most allocations of each place; how many are left. */
static size_t keep_first(struct allocation *seen, size_t count, size_t most)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept < most || seen[kept - most].place != seen[i].place)
            seen[kept++] = seen[i];
    return kept;
}

void oom_check_some(size_t runs, oom_work *work, void *context)
{
    static struct allocation seen[MOST];
    const size_t count = record_run(seen, work, context);
    const bool all = hone_test_is_long() || count <= FEW;
    const size_t kept = all ? count : keep_first(seen, count, TIMES);
    const size_t step = hone_test_is_long() || kept <= runs ? 1 : kept / runs;
    size_t tried = 0, refused = 0;
    for (size_t i = 0; i < kept; i += step, tried++)
        refused += check_one(seen[i].number, work, context);
    assert_true(refused > tried / 2); // fewer than all where threads take turns
    // Threads may have made some more.
    for (size_t n = count; check_one(n, work, context);)
        n++;
}

void oom_check(oom_work *work, void *context)
{
    oom_check_some(MOST, work, context);
}
