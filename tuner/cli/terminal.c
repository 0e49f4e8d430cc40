#define _POSIX_C_SOURCE 200809L // isatty, flockfile
#include "terminal.h"

#include <stdarg.h>
#include <stdbool.h>
#include <unistd.h>

#include "terminal/guard.h"

static int descriptor(const FILE *file)
{
    return file == stdout ? STDOUT_FILENO : STDERR_FILENO;
}

struct hone_terminal_size cli_terminal_size(FILE *file)
{
    return hone_terminal_size(descriptor(file));
}

int cli_text_columns(void)
{
    enum { MOST = 100 };
    const int columns = cli_terminal_size(stdout).columns - 1;
    return columns > MOST ? MOST : columns;
}

static struct hone_stream_guard out = {.fd = STDOUT_FILENO}, err = {.fd = STDERR_FILENO};

void cli_terminal_guard(void)
{
    stdout = hone_guard_open(&out, stdout, isatty(STDOUT_FILENO));
    stderr = hone_guard_open(&err, stderr, true);
    err.folds = isatty(STDERR_FILENO); // nobody reads JSON there
}

// What stands in the stream already is printed as it is.
void cli_terminal_fold(void)
{
    if (isatty(STDOUT_FILENO) && fflush(stdout) == 0) out.folds = true;
}

void cli_terminal_control(FILE *file, const char *sequence)
{
    if (fflush(file) == 0) hone_guard_pass(file == stdout ? &out : &err, sequence);
}

/* --- colours --- */

static enum hone_color wish;

void cli_color_set(enum hone_color color)
{
    wish = color;
}

static bool has_color(const FILE *file)
{
    if (file != stdout && file != stderr) return false;
    return hone_color_wanted(wish, hone_terminal_is_screen(descriptor(file)));
}

void cli_style_begin(FILE *file, enum hone_style style)
{
    static const char *const sequences[] = {[HONE_STYLE_BAD] = "\033[1;31m",
                                            [HONE_STYLE_WARNING] = "\033[33m",
                                            [HONE_STYLE_GOOD] = "\033[32m",
                                            [HONE_STYLE_HEADING] = "\033[1m"};
    flockfile(file);
    if (style != HONE_STYLE_PLAIN && has_color(file))
        cli_terminal_control(file, sequences[style]);
}

void cli_style_end(FILE *file, enum hone_style style)
{
    if (style != HONE_STYLE_PLAIN && has_color(file))
        cli_terminal_control(file, "\033[0m");
    funlockfile(file);
}

void cli_print_styled(FILE *file, enum hone_style style, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_style_begin(file, style);
    vfprintf(file, format, args);
    cli_style_end(file, style);
    va_end(args);
}

void cli_print_text(FILE *file, struct hone_styled *text)
{
    size_t begin = 0;
    for (size_t i = 0; i < text->count; i++) {
        const struct hone_span *span = &text->spans[i];
        cli_style_begin(file, span->style);
        fwrite(text->text.data + begin, 1, span->end - begin, file);
        cli_style_end(file, span->style);
        begin = span->end;
    }
    hone_styled_fini(text);
}

void cli_print_columns(struct hone_columns *table, FILE *file, const char *indent)
{
    struct hone_styled text = HONE_STYLED_INIT;
    hone_columns_text(&text, table, indent);
    cli_print_text(file, &text);
}
