/* A stream to a terminal, which must take no orders from what is printed: names, reasons
 * and logs that others wrote. */
#ifndef HONE_TERMINAL_GUARD_H
#define HONE_TERMINAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What the terminal behind a descriptor has now: windows change. 80 and 24 where it does
 * not say, or is none. */
struct hone_terminal_size {
    int columns, rows;
};
struct hone_terminal_size hone_terminal_size(int fd);

/* Is it a terminal that can be drawn on again: neither a file nor TERM=dumb? */
bool hone_terminal_is_screen(int fd);

struct hone_stream_guard {
    int fd; /* where the stream writes */
    /* Begin a new line between words rather than wrap within one, indented; for text that
     * people read. It may be set once the stream is flushed. */
    bool folds;
    /* What a write ends with may be the first bytes of a character: they wait for the
     * rest. */
    char begun[4];
    size_t begun_size;
    size_t column;     /* where the next character stands */
    bool behind_blank; /* it does: a line may end there */
};

/* A stream to g->fd that writes control and invisible characters as \u001b; in JSON that
 * is an escape of the same character. by_line: it is line buffered. g must outlive it.
 * Where the C library cannot do it, stream itself. */
FILE *hone_guard_open(struct hone_stream_guard *g, FILE *stream, bool by_line);

/* Write a text of the program's own past the guard; flush the stream before. What fails
 * here fails again with the next text, which is where it counts. */
void hone_guard_pass(struct hone_stream_guard *g, const char *sequence);

#endif
