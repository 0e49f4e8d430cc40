/* Random kernels as C text that a host compiler and NVRTC take alike. A kernel is a chain
 * of phases, each a function on one thread's variables; between phases threads exchange
 * values through shared memory, shuffles, votes or atomics, which the host does for all
 * threads in a loop. Nothing in them is undefined or depends on the order of threads. They
 * use what is in tests/random: device.cuh or host.h, then common.h. */
#ifndef HONE_TEST_RANDOM_KERNEL_H
#define HONE_TEST_RANDOM_KERNEL_H

#include "hone/rng.h"
#include "hone/strbuf.h"

enum { RANDOM_THREADS = 64, RANDOM_WORDS = 16 };

/* Kernel NAME: device, an entry NAME(const unsigned *in, unsigned *out); host, a function
 * of that name and kind for the whole block. in and out have RANDOM_WORDS words a thread.
 * The generator's state decides the text: start both from the same. */
void random_kernel(struct hone_strbuf *text, const char *name, struct hone_rng *rng,
                   bool device);

#endif
