/* How blocks of a multiprocessor share it. */
#ifndef HONE_DEVICE_QUEUE_H
#define HONE_DEVICE_QUEUE_H

/* Cycles in which n resident blocks each get done, when a block alternates between the
 * busiest pipe, which serves one block at a time and is needed for pipe cycles in all,
 * and waiting for path others: the machine repairman's queue, by mean value analysis
 * (Reiser and Lavenberg, JACM 1980). One block takes pipe + path; many take n * pipe. */
static inline double hone_emu_resident_cycles(double n, double pipe, double path)
{
    double queue = 0.0, throughput = 0.0;
    for (double k = 1; k <= n; k++) {
        const double stay = pipe * (1 + queue);
        throughput = k / (stay + path);
        queue = throughput * stay;
    }
    return n / throughput;
}

#endif
