/* What a launch left in a buffer against what it should have. Each check returns true
 * when all is well, else the fault says what is wrong, naming argument and element. */
#ifndef HONE_EVALUATE_COMPARE_H
#define HONE_EVALUATE_COMPARE_H

#include "evaluate/buffers.h"

/* block: the device's block, as copied back. */
bool hone_compare_red_zones(const struct hone_buffer *buffer, const unsigned char *block,
                            struct hone_fault *fault);

/* data: an input, or a symbol, after the launch. */
bool hone_compare_input(const struct hone_buffer *buffer, const unsigned char *data,
                        struct hone_fault *fault);

/* data: an output after the reference: no element may still hold poison. */
bool hone_compare_written(const struct hone_buffer *buffer, const unsigned char *data,
                          struct hone_fault *fault);

/* How many elements of an output still hold poison. */
uint64_t hone_compare_count_unwritten(const struct hone_buffer *buffer,
                                      const unsigned char *data);

/* data: an output or inout after the launch; every element within |x - ref| <= absolute +
 * relative * |ref|, and the buffer's slack; then all of them within the mean. */
bool hone_compare_output(const struct hone_buffer *buffer, const unsigned char *data,
                         const struct hone_tolerance *tolerance,
                         struct hone_fault *fault);

/* By how much launches may differ in what is expected of a buffer: the last bits of a
 * float may depend on the order of sums, which launches do not share, so half of its
 * digits count, of the largest value that there is. 0 of integers. */
double hone_compare_slack(const struct hone_buffer *buffer);

/* Has what is expected of a floating output NaN or infinities? text names the first. */
bool hone_compare_odd(const struct hone_buffer *buffer, char *text, size_t size);

#endif
