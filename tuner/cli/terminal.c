#ifndef _GNU_SOURCE
#define _GNU_SOURCE // fopencookie
#endif
#include "terminal.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/sink.h"
#include "terminal/styled.h"

static int descriptor(const FILE *file)
{
    return file == stdout ? STDOUT_FILENO : STDERR_FILENO;
}

struct cli_terminal_size cli_terminal_size(FILE *file)
{
    struct winsize size;
    if (ioctl(descriptor(file), TIOCGWINSZ, &size) != 0)
        size = (struct winsize){.ws_col = 0};
    return (struct cli_terminal_size){size.ws_col ? size.ws_col : 80,
                                      size.ws_row ? size.ws_row : 24};
}

bool cli_terminal_is_screen(FILE *file)
{
    const char *kind = getenv("TERM");
    return kind && *kind && strcmp(kind, "dumb") != 0 && isatty(descriptor(file));
}

#ifdef __GLIBC__

// A stream over a descriptor. What a write ends with may be the first bytes of a
// character: they wait for the rest.
struct guarded {
    int fd;
    char begun[4];
    size_t begun_size;
    bool folds;
    size_t column;     // where the next character stands
    bool behind_blank; // it does: a line may end there
};

// How many bytes at the end of text begin a character that does not end there.
static size_t begun_size(const char *text, size_t size)
{
    for (size_t back = 1; back <= 3 && back <= size; back++) {
        const unsigned char c = (unsigned char)text[size - back];
        const size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
        if (c >= 0xc0) return length > back ? back : 0;
        if (c < 0x80) return 0;
    }
    return 0;
}

static bool write_all(int fd, const char *text, size_t size)
{
    while (size) {
        const ssize_t written = write(fd, text, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text += written;
        size -= (size_t)written;
    }
    return true;
}

// Indent of lines that go on, and the least width that is folded to.
enum { FOLD_INDENT = 6, FOLD_LEAST = 24 };

// One word, on the next line where it does not fit behind a blank.
static void fold_word(struct guarded *g, struct hone_strbuf *out, const char *word,
                      size_t len, size_t most)
{
    struct hone_strbuf alone = HONE_STRBUF_INIT;
    hone_strbuf_add_bytes(&alone, word, len);
    const size_t width = hone_text_width(alone.data);
    if (g->behind_blank && g->column > FOLD_INDENT && g->column + width > most) {
        hone_strbuf_printf(out, "\n%*s", FOLD_INDENT, "");
        g->column = FOLD_INDENT;
    }
    g->column += width;
    hone_strbuf_add_bytes(out, word, len);
    out->failed |= alone.failed;
    hone_strbuf_fini(&alone);
}

// In the last column terminals begin the next line; blanks that would stand there are
// left out.
static void fold(struct guarded *g, struct hone_strbuf *out, const char *text)
{
    FILE *file = g->fd == STDERR_FILENO ? stderr : stdout;
    const size_t columns = (size_t)cli_terminal_size(file).columns;
    const size_t most = columns > FOLD_LEAST ? columns - 1 : FOLD_LEAST;
    while (*text) {
        const size_t len = strcspn(text, " \n\r");
        if (len) fold_word(g, out, text, len, most);
        if (len) g->behind_blank = false;
        text += len;
        if (!*text) break;
        g->behind_blank = *text == ' ';
        if (*text != ' ' || g->column < most) hone_strbuf_add_bytes(out, text, 1);
        g->column = *text == ' ' ? g->column + (g->column < most) : 0;
        text++;
    }
}

static ssize_t guarded_write(void *cookie, const char *text, size_t size)
{
    struct guarded *g = cookie;
    struct hone_strbuf whole = HONE_STRBUF_INIT, seen = HONE_STRBUF_INIT,
                       folded = HONE_STRBUF_INIT;
    hone_strbuf_add_bytes(&whole, g->begun, g->begun_size);
    hone_strbuf_add_bytes(&whole, text, size);
    const size_t rest = begun_size(whole.data, whole.len);
    hone_sink_visible(&seen, whole.data, whole.len - rest);
    if (g->folds) fold(g, &folded, seen.data);
    bool done = !whole.failed && !seen.failed && !folded.failed;
    if (done) memcpy(g->begun, whole.data + whole.len - rest, rest);
    if (done) g->begun_size = rest;
    if (!done) errno = ENOMEM;
    const struct hone_strbuf *shown = g->folds ? &folded : &seen;
    done = done && write_all(g->fd, shown->data, shown->len);
    const int reason = errno;
    hone_strbuf_fini(&whole);
    hone_strbuf_fini(&seen);
    hone_strbuf_fini(&folded);
    errno = reason;
    return done ? (ssize_t)size : 0;
}

// What began and never ended is none.
static const char no_character[] = "\\ufffd";

static int guarded_close(void *cookie)
{
    const struct guarded *g = cookie;
    const bool written =
        !g->begun_size || write_all(g->fd, no_character, sizeof no_character - 1);
    const int reason = errno;
    const int closed = close(g->fd);
    if (!written) errno = reason;
    return written ? closed : EOF;
}

static FILE *guard(struct guarded *g, FILE *stream, bool by_line)
{
    FILE *guarded = fopencookie(
        g, "w", (cookie_io_functions_t){.write = guarded_write, .close = guarded_close});
    if (!guarded) return stream;
    if (by_line) setvbuf(guarded, NULL, _IOLBF, BUFSIZ);
    return guarded;
}

static struct guarded out = {.fd = STDOUT_FILENO}, err = {.fd = STDERR_FILENO};

void cli_terminal_guard(void)
{
    stdout = guard(&out, stdout, isatty(STDOUT_FILENO));
    stderr = guard(&err, stderr, true);
    err.folds = isatty(STDERR_FILENO); // nobody reads JSON there
}

// What stands in the stream already is printed as it is.
void cli_terminal_fold(void)
{
    if (isatty(STDOUT_FILENO) && fflush(stdout) == 0) out.folds = true;
}

// What fails here fails again with the next text, which is where it counts.
void cli_terminal_control(FILE *file, const char *sequence)
{
    struct guarded *g = file == stdout ? &out : &err;
    if (fflush(file) != 0) return;
    if (g->begun_size) write_all(g->fd, no_character, sizeof no_character - 1);
    g->begun_size = 0;
    write_all(g->fd, sequence, strlen(sequence));
}

#else

void cli_terminal_guard(void) {}

void cli_terminal_fold(void) {}

void cli_terminal_control(FILE *file, const char *sequence)
{
    fputs(sequence, file);
}

#endif
