/* Colours of what people read, sparingly: errors, warnings, what is valid and what
 * failed, the best, headings. Only what the program itself prints by these functions is
 * coloured: escapes within texts of others stay text (terminal.h). JSON and files never
 * are. */
#ifndef HONE_CLI_COLOR_H
#define HONE_CLI_COLOR_H

#include <stdio.h>

/* AUTO: on a terminal, unless NO_COLOR is set and not empty or TERM is dumb or not set;
 * elsewhere too where CLICOLOR_FORCE is set and neither empty nor 0. */
enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };

enum cli_style {
    CLI_STYLE_PLAIN,
    CLI_STYLE_BAD,
    CLI_STYLE_WARNING,
    CLI_STYLE_GOOD,
    CLI_STYLE_HEADING
};

/* What --color asks for. */
void cli_color_set(enum cli_color wish);

/* Between begin and end other threads cannot write to file. Files other than stdout and
 * stderr stay plain. */
void cli_style_begin(FILE *file, enum cli_style style);
void cli_style_end(FILE *file, enum cli_style style);
void cli_print_styled(FILE *file, enum cli_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
