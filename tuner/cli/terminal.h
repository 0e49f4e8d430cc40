/* What the program prints holds names, reasons and logs that others wrote: a terminal
 * must not take orders from them. */
#ifndef HONE_CLI_TERMINAL_H
#define HONE_CLI_TERMINAL_H

#include <stdio.h>

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

#endif
