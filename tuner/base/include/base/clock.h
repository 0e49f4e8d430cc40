#ifndef HONE_BASE_CLOCK_H
#define HONE_BASE_CLOCK_H

/* Seconds from a fixed start, monotonic. */
double hone_clock_seconds(void);

#endif
