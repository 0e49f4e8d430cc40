/* What the program prints holds names, reasons and logs that others wrote: a terminal
 * must not take orders from them. */
#ifndef HONE_CLI_TERMINAL_H
#define HONE_CLI_TERMINAL_H

#include <stdio.h>

#include "terminal/columns.h"
#include "terminal/guard.h"

/* From here on stdout and stderr write control and invisible characters as \u001b. In
 * JSON that is an escape of the same character. Once, ahead of all output; where the C
 * library cannot do it nothing changes. */
void cli_terminal_guard(void);

/* Orders to the terminal itself, a text of the program's own: the guard lets it pass,
 * behind all that was printed before it. file: stdout or stderr. */
void cli_terminal_control(FILE *file, const char *sequence);

/* From here on what is printed on stdout, where that is a terminal, begins a new line
 * between words rather than wrap within one, indented. For text that people read, not for
 * JSON or a header. Nothing changes where the guard does nothing. */
void cli_terminal_fold(void);

/* A terminal, file being stdout or stderr, has this size now: windows change. 80 and
 * 24 where it does not say. */
struct hone_terminal_size cli_terminal_size(FILE *file);

/* How wide text is on stdout: the terminal but for its last column, at most 100. */
int cli_text_columns(void);

/* Colours of what people read, sparingly: errors, warnings, what is valid and what
 * failed, the best, headings. Only what the program itself prints by these functions is
 * coloured: escapes within texts of others stay text. JSON and files never are. */

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
