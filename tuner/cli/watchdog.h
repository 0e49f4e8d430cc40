/* The last resort against scripts: libhone bounds what they may do, and does not end its
 * host; this program does, where a bound is missing. */
#ifndef HONE_CLI_WATCHDOG_H
#define HONE_CLI_WATCHDOG_H

/* Start a thread that ends the program with a message and CLI_WRONG_USE when one call
 * into a script has used over HONE_SCRIPT_OVERDUE_S of processor time. Journals keep what
 * was measured: they are written line by line. Once, at the start; without a thread the
 * bounds alone hold. */
void cli_watchdog_start(void);

#endif
