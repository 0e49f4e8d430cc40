/* Ctrl-C and SIGTERM: the first one asks the command to end in order and gives it a
 * second. What comes within that second belongs to it, since who ends a group may signal
 * each process twice; a later one ends the program at once. */
#ifndef HONE_TERMINAL_INTERRUPT_H
#define HONE_TERMINAL_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* The number of the signal once the program was interrupted, else 0; for whatever takes a
 * cancel. */
const volatile sig_atomic_t *hone_interrupt_flag(void);

/* Catch the signals from now on; the first call counts. In an interrupted program that is
 * still there after 0.8 seconds, in a compiler or a strategy that hears nothing, another
 * thread calls late with the number of the signal, which ends the program as it would
 * have ended in order: a journal has all that was measured at any time. */
void hone_interrupt_catch(void (*late)(int number));

/* Where commands reach other machines, whose jobs are to end with ours: seconds in the
 * place of those 0.8. */
void hone_interrupt_patience(double seconds);

/* While results are written that time does not count. Returns what held before. */
bool hone_interrupt_hold(bool hold);

#endif
