// hone show --watch: one picture on a pipe, a screen on a terminal that follows a journal
// while another process, here the test itself, has its lock.
#define _XOPEN_SOURCE 600 // posix_openpt
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE // TIOCSWINSZ
#endif
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hone_test.h"
#include "program.h"

#define HEAD                                                                             \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"bowl\",\"params\":[{\"name\":\"x\","  \
    "\"values\":[0,1,2,3,4,5,6,7]},{\"name\":\"a_long_name_of_a_parameter\","            \
    "\"values\":[0,1,2,3,4,5,6,7]}],\"problem\":{\"M\":4096},"                           \
    "\"device\":{\"name\":\"NVIDIA H200 with a long name\"}}\n"

// A terminal, hone on it, and what it drew since it was asked for.
struct screen {
    int master, slave;
    pid_t child;
    char text[1 << 18];
    size_t len;
};
static struct screen screen;

static void resize(unsigned short columns, unsigned short rows)
{
    const struct winsize size = {.ws_row = rows, .ws_col = columns};
    assert_int_equal(ioctl(screen.slave, TIOCSWINSZ, &size), 0);
}

static void start(unsigned short columns, unsigned short rows, const char *journal)
{
    screen.len = 0;
    screen.master = posix_openpt(O_RDWR | O_NOCTTY);
    if (screen.master < 0) SKIP("no pseudo-terminal here");
    assert_int_equal(grantpt(screen.master), 0);
    assert_int_equal(unlockpt(screen.master), 0);
    screen.slave = open(ptsname(screen.master), O_RDWR | O_NOCTTY);
    assert_true(screen.slave >= 0);
    resize(columns, rows);
    screen.child = fork();
    assert_true(screen.child >= 0);
    if (screen.child) return;
    dup2(screen.slave, STDOUT_FILENO);
    dup2(screen.slave, STDERR_FILENO);
    if (chdir(program.folder) != 0) _exit(99);
    setenv("TERM", "xterm", 1);
    setenv("NO_COLOR", "1", 1);
    setenv("LC_ALL", "C", 1);
    execl(HONE_BINARY_DIR "/hone", "hone", "show", "--watch", journal, "--budget", "9",
          (char *)NULL);
    _exit(98);
}

// Until text was drawn; what stands before it is forgotten.
static void wait_for(const char *text)
{
    const char *found;
    screen.text[screen.len] = '\0';
    while (!(found = strstr(screen.text, text))) {
        struct pollfd ready = {.fd = screen.master, .events = POLLIN};
        if (poll(&ready, 1, 60000) <= 0) fail_msg("no '%s' in:\n%s", text, screen.text);
        const ssize_t got = read(screen.master, screen.text + screen.len,
                                 sizeof screen.text - 1 - screen.len);
        if (got <= 0) fail_msg("no '%s' in:\n%s", text, screen.text);
        screen.len += (size_t)got;
        screen.text[screen.len] = '\0';
    }
    screen.len -= (size_t)(found - screen.text);
    memmove(screen.text, found, screen.len + 1);
}

// Its exit code; the text that is left is all that was drawn after the last wait.
static int end(void)
{
    static const char mark[] = "<the end>";
    int status = 0;
    assert_int_equal(waitpid(screen.child, &status, 0), screen.child);
    assert_int_equal(write(screen.slave, mark, sizeof mark - 1), sizeof mark - 1);
    while (!strstr(screen.text, mark)) {
        const ssize_t got = read(screen.master, screen.text + screen.len,
                                 sizeof screen.text - 1 - screen.len);
        assert_true(got > 0);
        screen.len += (size_t)got;
        screen.text[screen.len] = '\0';
    }
    *strstr(screen.text, mark) = '\0';
    close(screen.slave);
    close(screen.master);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int open_locked(const char *name)
{
    char path[128];
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    snprintf(path, sizeof path, "%s/%s", program.folder, name);
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(fcntl(fd, F_SETLK, &lock), 0);
    return fd;
}

static void add(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void add_trial(int fd, int x, int y, int time_us)
{
    char line[128];
    if (time_us)
        snprintf(line, sizeof line,
                 "{\"config\":[%d,%d],\"outcome\":\"valid\",\"time_us\":%d}\n", x, y,
                 time_us);
    else
        snprintf(line, sizeof line, "{\"config\":[%d,%d],\"outcome\":\"crashed\"}\n", x,
                 y);
    add(fd, line);
}

static int write_bowl(const char *name)
{
    const int fd = open_locked(name);
    add(fd, HEAD);
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 8; y++)
            add_trial(fd, x, y, y == 7 ? 0 : 1 + (x - 5) * (x - 5) + (y - 2) * (y - 2));
    return fd;
}

// Lines of text, none of them as long as columns, nor as many as rows.
static void assert_fits(const char *text, size_t columns, size_t rows)
{
    size_t lines = 0;
    for (const char *p = text; *p; p += strspn(p, "\r\n"), lines++) {
        const size_t len = strcspn(p, "\r\n");
        if (len >= columns)
            fail_msg("%zu of %zu columns: %.*s", len, columns, (int)len, p);
        p += len;
    }
    if (lines >= rows) fail_msg("%zu lines of %zu rows:\n%s", lines, rows, text);
}

static void a_picture_fits_every_terminal(void **state)
{
    (void)state;
    static const unsigned short sizes[][2] = {{60, 24}, {100, 30}, {200, 50}, {60, 6},
                                              {20, 9},  {200, 3},  {100, 1},  {1, 24}};
    close(write_bowl("bowl.jsonl"));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        start(sizes[i][0], sizes[i][1], "bowl.jsonl");
        wait_for("\033[?1049l"); // the screen is left, the last picture follows
        assert_int_equal(end(), 0);
        const unsigned short columns = sizes[i][0] > 1 ? sizes[i][0] : 2;
        char *text = screen.text + strlen("\033[?1049l");
        assert_fits(text, columns, sizes[i][1] > 1 ? sizes[i][1] : 2);
        if (columns >= 60 && sizes[i][1] > 1)
            assert_non_null(strstr(text, "64/9 trials  best 1 us"));
    }
}

static void a_running_journal_is_drawn_as_it_grows(void **state)
{
    (void)state;
    const int fd = open_locked("grows.jsonl");
    start(100, 24, "grows.jsonl");
    wait_for("following grows.jsonl");
    add(fd, HEAD);
    add_trial(fd, 1, 1, 40);
    wait_for("1/9 trials  best 40 us");
    add_trial(fd, 2, 1, 0);
    add_trial(fd, 2, 2, 30);
    add(fd, "{\"config\":[7,7],\"outcome\":\"val"); // torn so far
    wait_for("3/9 trials  best 30 us");
    wait_for(" s left");
    wait_for("bowl on NVIDIA H200");
    wait_for("x=2 a_long_name_of_a_parameter=2");
    wait_for("2 valid, 1 crashed");
    wait_for("#");
    add(fd, "id\",\"time_us\":20}\n");
    wait_for("4/9 trials  best 20 us");
    close(fd);
    wait_for("nobody writes to grows.jsonl");
    assert_int_equal(end(), 0);
}

static void a_window_that_changes_is_drawn_anew(void **state)
{
    (void)state;
    const int fd = write_bowl("bowl.jsonl");
    start(200, 40, "bowl.jsonl");
    wait_for("following bowl.jsonl");
    resize(60, 10);
    wait_for("following bowl.jsonl"); // may be of the old size
    wait_for("\033[H");
    wait_for("following bowl.jsonl");
    assert_int_equal(kill(screen.child, SIGINT), 0);
    wait_for("\033[?1049l");
    assert_int_equal(end(), 0);
    assert_fits(screen.text + strlen("\033[?1049l"), 60, 10);
    close(fd);
}

static void a_journal_that_is_not_there_is_waited_for(void **state)
{
    (void)state;
    start(80, 24, "later.jsonl");
    wait_for("waiting for later.jsonl");
    close(write_bowl("bowl.jsonl"));
    program_run("version; mv bowl.jsonl later.jsonl"); // whole at once, as hone makes it
    wait_for("64/9 trials");
    wait_for("nobody writes to later.jsonl");
    assert_int_equal(end(), 0);
    program_expect("show --watch nowhere.jsonl", 2); // a pipe waits for nothing
    assert_non_null(strstr(program.err, "'nowhere.jsonl' is not there"));
}

static void signals_end_a_watch(void **state)
{
    (void)state;
    const int fd = write_bowl("bowl.jsonl");
    static const struct {
        int signal, code;
    } cases[] = {{SIGINT, 0}, {SIGTERM, 143}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        start(80, 24, "bowl.jsonl");
        wait_for("following bowl.jsonl");
        assert_int_equal(kill(screen.child, cases[i].signal), 0);
        wait_for("\033[?1049l");
        assert_int_equal(end(), cases[i].code);
    }
    close(fd);
}

static void what_is_no_journal_ends_it_with_its_line(void **state)
{
    (void)state;
    const int fd = write_bowl("bowl.jsonl");
    start(80, 24, "bowl.jsonl");
    wait_for("following bowl.jsonl");
    add(fd, "nonsense\n");
    wait_for("hone: bowl.jsonl:66: ");
    assert_int_equal(end(), 2);
    close(fd);
}

static void a_pipe_gets_one_picture(void **state)
{
    (void)state;
    const int fd = write_bowl("bowl.jsonl");
    program_run_with("export LC_ALL=C;", "show --watch bowl.jsonl");
    assert_int_equal(program.code, 0);
    assert_fits(program.out, 80, 24);
    assert_non_null(strstr(program.out, "64 trials  best 1 us\n"));
    assert_non_null(strstr(program.out, "56 valid, 8 crashed\n"));
    assert_non_null(strstr(program.out, "is being written: bowl.jsonl\n"));
    assert_null(strchr(program.out, '\033'));
    assert_null(strstr(program.out, "\xe2"));
    close(fd);
    program_run_with("export LC_ALL=en_US.UTF-8;", "show --watch bowl.jsonl");
    assert_non_null(strstr(program.out, "\xe2\x96\x88"));
    program_expect("show --watch --json bowl.jsonl", 2);
    program_expect("show --watch bowl.jsonl bowl.jsonl", 2);
    program_expect("show --budget 9 bowl.jsonl", 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_picture_fits_every_terminal),
    cmocka_unit_test(a_running_journal_is_drawn_as_it_grows),
    cmocka_unit_test(a_window_that_changes_is_drawn_anew),
    cmocka_unit_test(a_journal_that_is_not_there_is_waited_for),
    cmocka_unit_test(signals_end_a_watch),
    cmocka_unit_test(what_is_no_journal_ends_it_with_its_line),
    cmocka_unit_test(a_pipe_gets_one_picture),
};

HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
