/* What every suite includes: cmocka, and a main that runs the case named on the command
 * line (all of them without one). A skipped case exits with 77, which ctest reports as
 * skipped. */
#ifndef HONE_TEST_H
#define HONE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
        hone_test_single = argc > 1;                                                     \
        if (hone_test_single) cmocka_set_test_filter(argv[1]);                           \
        return cmocka_run_group_tests(tests, setup, teardown);                           \
    }

static int hone_test_single;

/* A status that must be OK; prints the error when it is not. */
#define assert_ok(call, err)                                                             \
    do {                                                                                 \
        enum hone_status status_ = (call);                                               \
        if (status_ != HONE_OK)                                                          \
            fail_msg("%s: %s:%d: %s", #call, (err).source, (err).line, (err).text);      \
    } while (0)

#endif
