/* Threads beside those of the program. */
#ifndef HONE_BASE_THREAD_H
#define HONE_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Start a thread that takes no signals: they are for the threads that wait for them.
 * False where there can be no more threads. */
bool hone_thread_start(pthread_t *thread, void *(*work)(void *context), void *context);

#endif
