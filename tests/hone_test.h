/* What every suite includes: cmocka, and a main that runs the case named on the command
 * line (all of them without one), and fails where it took HONE_TEST_MEMORY_KIB of memory
 * or more. A skipped case exits with 77, which ctest reports as skipped. Where
 * HONE_TEST_LOCALE names a locale, the suite runs in it, as in a program of that user. */
#ifndef HONE_TEST_H
#define HONE_TEST_H

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

/* Skip the case, saying why. */
#define SKIP(...)                                                                        \
    do {                                                                                 \
        printf("skipped: " __VA_ARGS__);                                                 \
        printf("\n");                                                                    \
        fflush(stdout);                                                                  \
        if (hone_test_single) _exit(77);                                                 \
        skip();                                                                          \
    } while (0)

#define HONE_TEST_MAIN(tests) HONE_TEST_MAIN_WITH(tests, NULL, NULL)

/* The same with a set-up and a tear-down of the whole group. */
#define HONE_TEST_MAIN_WITH(tests, setup, teardown)                                      \
    int main(int argc, char **argv)                                                      \
    {                                                                                    \
        const char *locale = getenv("HONE_TEST_LOCALE");                                 \
        if (locale && !setlocale(LC_ALL, locale)) return hone_test_lacks(locale);        \
        hone_test_single = argc > 1;                                                     \
        if (hone_test_single) cmocka_set_test_filter(argv[1]);                           \
        int failed = cmocka_run_group_tests(tests, setup, teardown);                     \
        return failed ? failed : !hone_test_fits_memory();                               \
    }

static int hone_test_single __attribute__((unused)); // by parts of a suite without main

static inline int hone_test_lacks(const char *locale)
{
    printf("skipped: no locale %s here\n", locale);
    return 77;
}

/* With HONE_TESTS=long suites do all of what the test run does a part of. */
static inline bool hone_test_is_long(void)
{
    const char *tests = getenv("HONE_TESTS");
    return tests && strcmp(tests, "long") == 0;
}

/* Cases that are alike: the test run takes each part-th of them. */
static inline size_t hone_test_one_of(size_t part)
{
    return hone_test_is_long() ? 1 : part;
}

/* Any machine that builds Hone must be able to test it. Sanitizers need memory of their
 * own, several times as much. */
enum { HONE_TEST_MEMORY_KIB = 1024 * 1024 };

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HONE_TEST_SANITIZED 1
#else
#define HONE_TEST_SANITIZED 0
#endif

#ifdef __SANITIZE_ADDRESS__
/* What no machine has is refused by malloc, as it is without the sanitizer. Thread-local
 * memory of opened libraries is not followed: its size is guessed by what stands before
 * it, and where it lies 16 bytes into a page, a search for leaks reads beyond. */
const char *__asan_default_options(void);
__attribute__((weak)) const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:intercept_tls_get_addr=0";
}
#endif

/* Whether neither this process nor one that it has waited for ever held too much: the
 * largest resident set, buffers of emulated devices included. */
static inline int hone_test_fits_memory(void)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    const long peak =
        self.ru_maxrss > children.ru_maxrss ? self.ru_maxrss : children.ru_maxrss;
    printf("peak resident set: %ld MiB\n", peak / 1024);
    if (HONE_TEST_SANITIZED || peak < HONE_TEST_MEMORY_KIB) return 1;
    fprintf(stderr, "the peak resident set is %ld MiB, tests get %d\n", peak / 1024,
            HONE_TEST_MEMORY_KIB / 1024);
    return 0;
}

/* A status that must be OK; prints the error when it is not. */
#define assert_ok(call, err)                                                             \
    do {                                                                                 \
        enum hone_status status_ = (call);                                               \
        if (status_ != HONE_OK)                                                          \
            fail_msg("%s: %s:%d: %s", #call, (err).source, (err).line, (err).text);      \
    } while (0)

#endif
