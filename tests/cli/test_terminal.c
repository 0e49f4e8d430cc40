// What a terminal shows of a run: the program writes to a pseudo-terminal of some width,
// and its line of progress fits there.
#define _XOPEN_SOURCE 600 // posix_openpt
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE // TIOCSWINSZ
#endif
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "hone_test.h"
#include "program.h"

// 8 x 8 configurations, the best in the middle; a row of them fails.
static const char record[] =
    "version; [ -f bowl.jsonl ] || { "
    "echo '{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"bowl\",\"params\":["
    "{\"name\":\"x\",\"values\":[0,1,2,3,4,5,6,7]},"
    "{\"name\":\"y\",\"values\":[0,1,2,3,4,5,6,7]}],\"device\":{\"name\":\"Bowl\"},"
    "\"objective\":\"time_us\",\"complete\":true}'; "
    "for x in 0 1 2 3 4 5 6 7; do for y in 0 1 2 3 4 5 6; do "
    "echo \"{\\\"config\\\":[$x,$y],\\\"outcome\\\":\\\"valid\\\",\\\"time_us\\\":"
    "$((1 + (x - 5) * (x - 5) + (y - 2) * (y - 2)))}\"; done; "
    "echo \"{\\\"config\\\":[$x,7],\\\"outcome\\\":\\\"launch_failed\\\"}\"; done; "
    "} >>bowl.jsonl";

struct terminal {
    int master, slave;
    char name[64];
};

static void terminal_open(struct terminal *t, unsigned short columns)
{
    const struct winsize size = {.ws_row = 24, .ws_col = columns};
    t->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (t->master < 0) SKIP("no pseudo-terminal here");
    assert_int_equal(grantpt(t->master), 0);
    assert_int_equal(unlockpt(t->master), 0);
    snprintf(t->name, sizeof t->name, "%s", ptsname(t->master));
    t->slave =
        open(t->name, O_RDWR | O_NOCTTY); // what was written stays until it is read
    assert_true(t->slave >= 0);
    assert_int_equal(ioctl(t->slave, TIOCSWINSZ, &size), 0);
}

static size_t terminal_read(struct terminal *t, char *text, size_t size)
{
    size_t len = 0;
    ssize_t got;
    while (len + 1 < size && (got = read(t->master, text + len, size - 1 - len)) > 0)
        len += (size_t)got;
    text[len] = '\0';
    close(t->slave);
    close(t->master);
    return len;
}

// Takes the colours out of text; how many there were.
static size_t strip_colors(char *text)
{
    size_t count = 0;
    char *to = text;
    for (const char *from = text; *from;) {
        if (strncmp(from, "\033[", 2) == 0) {
            from += strcspn(from, "m") + 1;
            count++;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    return count;
}

// What "hone tune" of the whole record draws in so many columns.
static void draw_in(unsigned short columns, char *text, size_t size)
{
    char args[256];
    struct terminal terminal;
    program_run(record);
    terminal_open(&terminal, columns);
    snprintf(args, sizeof args,
             "tune --device replay:bowl.jsonl --strategy grid --budget 64 2>%s",
             terminal.name);
    program_expect(args, 0);
    assert_true(terminal_read(&terminal, text, size) > 0);
    strip_colors(text);
}

// Each state of the line, between the returns.
static size_t widest_line(const char *text)
{
    size_t widest = 0;
    for (const char *p = text; *p; p += strspn(p, "\r\n")) {
        const size_t len = strcspn(p, "\r\n");
        if (len > widest) widest = len;
        p += len;
    }
    return widest;
}

static void the_line_of_progress_fits_the_terminal(void **state)
{
    (void)state;
    static const unsigned short columns[] = {12, 30, 60, 100, 200};
    static char text[1 << 16];
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        draw_in(columns[i], text, sizeof text);
        if (widest_line(text) >= columns[i])
            fail_msg("%zu of %d columns:\n%s", widest_line(text), columns[i], text);
        assert_non_null(strstr(text, "best 1 us"));
        const char *end = strchr(text, '\n'); // one line, which is drawn again
        assert_non_null(end);
        assert_null(strstr(end, "best"));
    }
}

static void a_wide_line_says_how_the_run_goes(void **state)
{
    (void)state;
    static char text[1 << 16];
    draw_in(100, text, sizeof text);
    assert_non_null(strstr(text, "64/64"));
    assert_non_null(strstr(text, " 8 failed"));
    assert_non_null(strstr(text, "/s  done"));
    assert_non_null(strstr(text, "[####"));
    draw_in(30, text, sizeof text); // what counts most is left of it
    assert_non_null(strstr(text, "64/64  best 1 us"));
    assert_null(strstr(text, "/s"));
}

// Columns of a line up to where end stands; letters of three bytes are wide here.
static size_t columns_to(const char *line, const char *end)
{
    size_t columns = 0;
    for (; line < end; line++) {
        const unsigned char c = (unsigned char)*line;
        if (c < 0x80 || c >= 0xc0) columns += c >= 0xe0 ? 2 : 1;
    }
    return columns;
}

// Where the first column of lines that begin with name ends, and the next one begins.
static size_t second_column(const char *text, const char *name, const char *second)
{
    const char *line = strstr(text, name);
    if (!line) fail_msg("no %s in\n%s", name, text);
    while (line > text && line[-1] != '\n')
        line--;
    const char *end = strstr(line, second);
    assert_non_null(end);
    return columns_to(line, end + strlen(second));
}

static void columns_are_as_wide_as_the_names_in_them(void **state)
{
    (void)state;
    program_run(record);
    program_expect("version >/dev/null; for f in a a-name-of-more-than-thirty-characters "
                   "\xe6\x97\xa5\xe6\x9c\xac; do cp bowl.jsonl $f.jsonl; done; "
                   "\"$HONE\" bench strategies --budget 20 --repeats 2 --strategies "
                   "random,greedy_ils a*.jsonl \xe6*.jsonl",
                   0);
    const char *table = strstr(program.out, "score by space");
    assert_non_null(table);
    const size_t end = second_column(table, "space  ", "configs");
    assert_int_equal(second_column(table, "a  ", " 64"), end);
    assert_int_equal(second_column(table, "a-name-of", " 64"), end);
    assert_int_equal(second_column(table, "\xe6\x97\xa5", " 64"), end);
    program_expect("devices", 0);
    assert_int_equal(second_column(program.out, "emu:h200 ", " SMs"),
                     second_column(program.out, "emu:a6000 ", " SMs"));
}

// Colours that a command puts on a terminal, standard output and error, or on a pipe.
static size_t colors_of(const char *environment, const char *args, bool on_terminal)
{
    char line[512], where[96] = "";
    static char text[1 << 16];
    struct terminal terminal;
    program_run(record);
    if (on_terminal) {
        terminal_open(&terminal, 80);
        snprintf(where, sizeof where, ">%s 2>&1", terminal.name);
    }
    snprintf(line, sizeof line, "%s %s", args, where);
    program_run_with(environment, line);
    if (!on_terminal) return strip_colors(program.out) + strip_colors(program.err);
    terminal_read(&terminal, text, sizeof text);
    return strip_colors(text);
}

#define COLORED "unset NO_COLOR CLICOLOR_FORCE; export TERM=xterm;"

static void colours_are_for_terminals_that_want_them(void **state)
{
    (void)state;
    static const struct {
        const char *environment, *args;
        bool terminal, pipe;
    } cases[] = {
        {COLORED, "show bowl.jsonl", true, false},
        {COLORED, "help tune", true, false},
        {COLORED, "help", true, false},
        {COLORED, "show nowhere.jsonl", true, false},
        {COLORED, "tune --device replay:bowl.jsonl --budget 9", true, false},
        {COLORED "export NO_COLOR=;", "show bowl.jsonl", true, false},
        {COLORED "export NO_COLOR=1;", "show bowl.jsonl", false, false},
        {COLORED "export NO_COLOR=1;", "tune --device replay:bowl.jsonl", false, false},
        {COLORED "export NO_COLOR=1;", "help", false, false},
        {COLORED "export TERM=dumb;", "show bowl.jsonl", false, false},
        {COLORED "unset TERM;", "show bowl.jsonl", false, false},
        {COLORED "export CLICOLOR_FORCE=0;", "show bowl.jsonl", true, false},
        {COLORED "export CLICOLOR_FORCE=1;", "show bowl.jsonl", true, true},
        {COLORED "export CLICOLOR_FORCE=1 NO_COLOR=1;", "show bowl.jsonl", false, false},
        {COLORED, "show --color never bowl.jsonl", false, false},
        {COLORED, "help --color=never tune", false, false},
        {COLORED, "--color never help tune", false, false},
        {COLORED, "--color=never show bowl.jsonl", false, false},
        {COLORED, "tune --help --color=never", false, false},
        {COLORED, "show --color=never nowhere.jsonl", false, false},
        {COLORED "export NO_COLOR=1;", "show --color always bowl.jsonl", true, true},
        {COLORED "export NO_COLOR=1;", "--color always show bowl.jsonl", true, true},
        {COLORED, "show --json --color always bowl.jsonl", false, false},
        {COLORED, "tune --color always --json --quiet --device replay:bowl.jsonl", false,
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int terminal = 0; terminal < 2; terminal++) {
            const bool wanted = terminal ? cases[i].terminal : cases[i].pipe;
            const size_t colors =
                colors_of(cases[i].environment, cases[i].args, terminal == 1);
            if ((colors > 0) != wanted)
                fail_msg("%s hone %s on a %s: %zu colours", cases[i].environment,
                         cases[i].args, terminal ? "terminal" : "pipe", colors);
        }
}

static void escapes_of_others_stay_text_among_colours(void **state)
{
    (void)state;
    static const char *const ours[] = {"\033[1;31m", "\033[33m", "\033[32m", "\033[1m",
                                       "\033[0m"};
    program_run(record);
    program_run("version; cp bowl.jsonl \"$(printf 'b\\033[2J\\007\\303')\"");
    static const char *const lines[] = {
        "show --color always b?* 2>&1",
        "tune --color always --budget 9 --device replay:\"$(echo b?*)\" 2>&1",
        "show --color always \"$(printf 'no\\033[2Jwhere\\303')\" 2>&1"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        size_t count = 0;
        program_run(lines[i]);
        for (const char *p = program.out; (p = strchr(p, '\033')) != NULL; p++) {
            bool known = false;
            for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
                known = known || strncmp(p, ours[k], strlen(ours[k])) == 0;
            if (!known) fail_msg("%s lets %.20s through", lines[i], p);
            count++;
        }
        assert_true(count >= 2);
        if (i != 1) assert_non_null(strstr(program.out, "\\u001b[2J"));
        assert_null(strchr(program.out, '\007'));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(colours_are_for_terminals_that_want_them),
    cmocka_unit_test(escapes_of_others_stay_text_among_colours),
    cmocka_unit_test(columns_are_as_wide_as_the_names_in_them),
    cmocka_unit_test(the_line_of_progress_fits_the_terminal),
    cmocka_unit_test(a_wide_line_says_how_the_run_goes),
};

HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
