/* Which of a kernel's buffers decide what it executes and which memory it touches. */
#ifndef HONE_DEVICE_STEER_H
#define HONE_DEVICE_STEER_H

#include "decode/emu_code.h"

/* Parameters from this number on share one bit; results of wgmma have one. */
enum { HONE_EMU_STEER_MAX = 60, HONE_EMU_STEER_PRODUCTS = 63 };

/* *out has bit i where values in the memory that parameter i points to may reach a
 * branch, a guard, an address or a barrier; too many are named rather than too few. The
 * bit of products is that of what wgmma computes. For code whose registers have no places
 * yet. */
enum hone_status hone_emu_find_steering(uint64_t *out, const struct hone_emu_code *code,
                                        const struct ptx_kernel *kernel,
                                        struct hone_error *err);

#endif
