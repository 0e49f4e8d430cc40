/* Threads beside those of the program. */
#ifndef HONE_BASE_THREAD_H
#define HONE_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Start a thread that takes no signals: they are for the threads that wait for them.
 * False where there can be no more threads. */
bool hone_thread_start(pthread_t *thread, void *(*work)(void *context), void *context);

/* A condition for hone_condition_wait, which waits for so many milliseconds at most, by
 * the clock that nobody sets: who waits looks again what is true. */
void hone_condition_init(pthread_cond_t *condition);
void hone_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, unsigned ms);

#endif
