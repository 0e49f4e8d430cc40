/* Colours of what people read, sparingly: errors, warnings, what is valid and what
 * failed, the best, headings. Only what the program itself prints by these functions is
 * coloured: escapes within texts of others stay text (terminal.h). JSON and files never
 * are. */
#ifndef HONE_CLI_COLOR_H
#define HONE_CLI_COLOR_H

#include <stdio.h>

#include "terminal/columns.h"

/* What --color asks for. AUTO: on a terminal, unless NO_COLOR is set and not empty or
 * TERM is dumb or not set; elsewhere too where CLICOLOR_FORCE is set and neither empty
 * nor 0. */
void cli_color_set(enum hone_color wish);

/* Between begin and end other threads cannot write to file. Files other than stdout and
 * stderr stay plain. */
void cli_style_begin(FILE *file, enum hone_style style);
void cli_style_end(FILE *file, enum hone_style style);
void cli_print_styled(FILE *file, enum hone_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Print the text with its colours, and release it. */
void cli_print_text(FILE *file, struct hone_styled *text);

/* Print the full rows, each behind indent, and release the table. */
void cli_print_columns(struct hone_columns *table, FILE *file, const char *indent);

#endif
