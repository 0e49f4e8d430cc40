/* Processes of this machine by their numbers, as /proc tells of them. */
#ifndef HONE_BASE_PROCESS_H
#define HONE_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When a process began, in ticks since the boot: with its number, one name a process. 0
 * where that is not known. */
uint64_t hone_process_start(long id);

/* Does this process still run? It is taken to where /proc does not tell. */
bool hone_process_is(long id, uint64_t start);

/* "process 12 (hone tune a.lua), 35 s old", for messages; control characters become
 * '?'. */
void hone_process_text(char *buf, size_t size, long id);

/* Call with the number of each process that /proc shows, until visit returns false. */
void hone_process_each(bool (*visit)(void *context, long id), void *context);

#endif
