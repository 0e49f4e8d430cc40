/* Symbols: arrays of a kernel's module (__constant__, __device__) that hold data like an
 * input, in place of a parameter. Each module that is loaded has them anew. */
#ifndef HONE_EVALUATE_SYMBOLS_H
#define HONE_EVALUATE_SYMBOLS_H

#include "evaluate/buffers.h"
#include "evaluate/module.h"

/* Find the symbols of buffers in the kernel's module and copy their values there. A
 * configuration may lack one whose name its source has (its macros leave it out); a
 * reference may not. REJECTED for one that is missing or too small. */
enum hone_status hone_symbols_place(struct hone_buffers *buffers,
                                    const struct hone_loaded *kernel,
                                    struct hone_fault *fault, struct hone_error *err);

/* hone_module_load, then place: by this is loaded whatever buffers are launched with. */
enum hone_status hone_symbols_load(struct hone_buffers *buffers,
                                   struct hone_loaded *kernel, struct hone_fault *fault,
                                   struct hone_error *err);

/* Bring each symbol of the module at hand to its values. */
enum hone_status hone_symbols_arm(struct hone_buffers *buffers, struct hone_error *err);

/* After a launch: WRONG_RESULT where one is no longer what it was. scratch has room for
 * the largest. */
enum hone_status hone_symbols_check(struct hone_buffers *buffers, unsigned char *scratch,
                                    struct hone_fault *fault, struct hone_error *err);

#endif
