/* What buffers.c has of the values in them. */
#ifndef HONE_EVALUATE_BUFFERS_DATA_H
#define HONE_EVALUATE_BUFFERS_DATA_H

#include "evaluate/buffers.h"

/* The argument has memory on the device. */
bool hone_buffer_is_memory(const struct hone_job_arg *arg);
/* With its red zones. */
size_t hone_buffer_block_bytes(const struct hone_buffer *buffer);

/* What the i-th argument is filled from: each has its own, whatever the others are. */
uint64_t hone_buffer_seed(uint64_t seed, size_t i);
/* The addresses of the parts of a buffer, as a table has them now. */
void hone_buffer_fill_addresses(const struct hone_buffer *table, unsigned char *out);
/* Red zones and first contents, on the host. ELIMIT, ENOMEM. */
enum hone_status hone_buffer_make_image(struct hone_buffer *buffer, uint64_t seed,
                                        struct hone_error *err);

#endif
