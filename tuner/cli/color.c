#define _POSIX_C_SOURCE 200809L // flockfile
#include "color.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "terminal.h"

static enum cli_color wish;

void cli_color_set(enum cli_color color)
{
    wish = color;
}

static bool is_set(const char *name, const char *off)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, off) != 0;
}

static bool has_color(FILE *file)
{
    if (file != stdout && file != stderr) return false;
    if (wish != CLI_COLOR_AUTO) return wish == CLI_COLOR_ALWAYS;
    if (is_set("NO_COLOR", "")) return false;
    if (is_set("CLICOLOR_FORCE", "0")) return true;
    return cli_terminal_is_screen(file);
}

void cli_style_begin(FILE *file, enum cli_style style)
{
    static const char *const sequences[] = {[CLI_STYLE_BAD] = "\033[1;31m",
                                            [CLI_STYLE_WARNING] = "\033[33m",
                                            [CLI_STYLE_GOOD] = "\033[32m",
                                            [CLI_STYLE_HEADING] = "\033[1m"};
    flockfile(file);
    if (style != CLI_STYLE_PLAIN && has_color(file))
        cli_terminal_control(file, sequences[style]);
}

void cli_style_end(FILE *file, enum cli_style style)
{
    if (style != CLI_STYLE_PLAIN && has_color(file))
        cli_terminal_control(file, "\033[0m");
    funlockfile(file);
}

void cli_print_styled(FILE *file, enum cli_style style, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    cli_style_begin(file, style);
    vfprintf(file, format, args);
    cli_style_end(file, style);
    va_end(args);
}
