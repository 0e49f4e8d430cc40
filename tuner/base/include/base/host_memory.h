/* How much memory of this machine the process may take for the data of kernels: device
 * memory that is emulated, images of buffers, expected results. What is claimed here is
 * refused before the system has to end a process. */
#ifndef HONE_BASE_HOST_MEMORY_H
#define HONE_BASE_HOST_MEMORY_H

#include <stdint.h>

#include "hone/status.h"

/* The environment variable that says how much: "50%" of what the machine has, "8G"
 * (K, M, G, T of 1024) or a number of bytes. [50%] */
#define HONE_HOST_MEMORY "HONE_HOST_MEMORY"

/* Bytes that text stands for where the machine has total; EUSAGE for no such text. */
enum hone_status hone_host_memory_parse(uint64_t *out, const char *text, uint64_t total,
                                        struct hone_error *err);

/* Put text into the environment, where this process and those that it starts read it.
 * EUSAGE for no such text. */
enum hone_status hone_host_memory_set(const char *text, struct hone_error *err);

/* What the machine has: its memory, or the limit of the control group that the process
 * is in where that is less. */
uint64_t hone_host_memory_total(void);

/* Claim bytes before they are allocated, and give them back after they are freed. what:
 * "for device memory". ELIMIT with both numbers and the way out; nothing is claimed
 * then. From any thread. */
enum hone_status hone_host_memory_claim(uint64_t bytes, const char *what,
                                        struct hone_error *err);
/* The same for what can be done without: ELIMIT where it would not leave three quarters
 * of the limit to others. */
enum hone_status hone_host_memory_claim_spare(uint64_t bytes, const char *what,
                                              struct hone_error *err);
void hone_host_memory_release(uint64_t bytes);

/* Limit from now on, whatever the environment says; 0: as it says. For tests. */
void hone_host_memory_limit(uint64_t bytes);

#endif
