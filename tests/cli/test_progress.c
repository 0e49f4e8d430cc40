// The line of progress on a terminal, which the log ends on any thread.
#include "progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "hone_test.h"

enum { DRAWN = 20000, ENDERS = 3 };

// Standard error is a terminal here, whatever runs the suite.
int isatty(int fd)
{
    return fd == STDERR_FILENO;
}

static atomic_bool over;

static void *end_lines(void *unused)
{
    while (!over)
        cli_progress_end();
    return unused;
}

// What is drawn begins with \r; the first who ends it prints \n, and nobody after that.
static void a_line_is_ended_once_whoever_ends_it(void **state)
{
    (void)state;
    FILE *const terminal = stderr;
    pthread_t enders[ENDERS];
    long drawn = 0, ended = 0;
    FILE *file = tmpfile();
    assert_non_null(file);
    stderr = file;
    over = false;
    for (int i = 0; i < ENDERS; i++)
        assert_int_equal(pthread_create(&enders[i], NULL, end_lines, NULL), 0);
    for (int i = 0; i < DRAWN; i++)
        cli_progress_count(NULL, 1, 1, 1);
    over = true;
    for (int i = 0; i < ENDERS; i++)
        assert_int_equal(pthread_join(enders[i], NULL), 0);
    cli_progress_end();
    stderr = terminal;
    rewind(file);
    int last = 0;
    for (int c; (c = getc(file)) != EOF; last = c) {
        drawn += c == '\r';
        ended += c == '\n';
        if (c == '\n' && last == '\n') fail_msg("a line was ended twice");
        if (c == '\n' && last == '\r') fail_msg("a line was ended before it was drawn");
    }
    fclose(file);
    assert_int_equal(drawn, DRAWN);
    assert_true(ended >= 1 && ended <= drawn);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_line_is_ended_once_whoever_ends_it),
};
HONE_TEST_MAIN(tests)
