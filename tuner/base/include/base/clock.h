#ifndef HONE_BASE_CLOCK_H
#define HONE_BASE_CLOCK_H

/* Seconds from a fixed start, monotonic. */
double hone_clock_seconds(void);

/* Seconds of processor time that the calling thread has used. */
double hone_clock_thread_seconds(void);

#endif
