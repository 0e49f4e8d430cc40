#ifndef _GNU_SOURCE
#define _GNU_SOURCE // fopencookie
#endif
#include "terminal/guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/sink.h"
#include "terminal/styled.h"

bool hone_terminal_is_screen(int fd)
{
    const char *kind = getenv("TERM");
    return kind && *kind && strcmp(kind, "dumb") != 0 && isatty(fd);
}

struct hone_terminal_size hone_terminal_size(int fd)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0) size = (struct winsize){.ws_col = 0};
    return (struct hone_terminal_size){size.ws_col ? size.ws_col : 80,
                                       size.ws_row ? size.ws_row : 24};
}

// What began and never ended is none.
static const char no_character[] = "\\ufffd";

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

void hone_guard_pass(struct hone_stream_guard *g, const char *sequence)
{
    if (g->begun_size) write_all(g->fd, no_character, sizeof no_character - 1);
    g->begun_size = 0;
    write_all(g->fd, sequence, strlen(sequence));
}

#ifdef __GLIBC__

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

// Indent of lines that go on, and the least width that is folded to.
enum { FOLD_INDENT = 6, FOLD_LEAST = 24 };

// One word, on the next line where it does not fit behind a blank.
static void fold_word(struct hone_stream_guard *g, struct hone_strbuf *out,
                      const char *word, size_t len, size_t most)
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
static void fold(struct hone_stream_guard *g, struct hone_strbuf *out, const char *text)
{
    const size_t columns = (size_t)hone_terminal_size(g->fd).columns;
    const size_t most = columns > FOLD_LEAST ? columns - 1 : FOLD_LEAST;
    while (*text) {
        const size_t len = strcspn(text, " \n\r");
        if (len) {
            fold_word(g, out, text, len, most);
            g->behind_blank = false;
        }
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
    struct hone_stream_guard *g = cookie;
    struct hone_strbuf whole = HONE_STRBUF_INIT, seen = HONE_STRBUF_INIT,
                       folded = HONE_STRBUF_INIT;
    hone_strbuf_add_bytes(&whole, g->begun, g->begun_size);
    hone_strbuf_add_bytes(&whole, text, size);
    const size_t rest = begun_size(whole.data, whole.len);
    hone_sink_visible(&seen, whole.data, whole.len - rest);
    if (g->folds) fold(g, &folded, seen.data);
    bool done = !whole.failed && !seen.failed && !folded.failed;
    if (done) {
        memcpy(g->begun, whole.data + whole.len - rest, rest);
        g->begun_size = rest;
    }
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

static int guarded_close(void *cookie)
{
    const struct hone_stream_guard *g = cookie;
    const bool written =
        !g->begun_size || write_all(g->fd, no_character, sizeof no_character - 1);
    const int reason = errno;
    const int closed = close(g->fd);
    if (!written) errno = reason;
    return written ? closed : EOF;
}

FILE *hone_guard_open(struct hone_stream_guard *g, FILE *stream, bool by_line)
{
    FILE *guarded = fopencookie(
        g, "w", (cookie_io_functions_t){.write = guarded_write, .close = guarded_close});
    if (!guarded) return stream;
    if (by_line) setvbuf(guarded, NULL, _IOLBF, BUFSIZ);
    return guarded;
}

#else

FILE *hone_guard_open(struct hone_stream_guard *g, FILE *stream, bool by_line)
{
    (void)g, (void)by_line;
    return stream;
}

#endif
