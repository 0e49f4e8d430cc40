/* What the program prints holds names, reasons and logs that others wrote: a terminal
 * must not take orders from them. */
#ifndef HONE_CLI_TERMINAL_H
#define HONE_CLI_TERMINAL_H

#include <stdio.h>

/* From here on stdout and stderr write control and invisible characters as \u001b. In
 * JSON that is an escape of the same character. Once, ahead of all output; where the C
 * library cannot do it nothing changes. */
void cli_terminal_guard(void);

/* Orders to the terminal itself, a text of the program's own: the guard lets it pass,
 * behind all that was printed before it. file: stdout or stderr. */
void cli_terminal_control(FILE *file, const char *sequence);

/* Columns of the terminal that standard error is, as it is now: windows change. 80 where
 * it does not say. */
int cli_terminal_width(void);

#endif
