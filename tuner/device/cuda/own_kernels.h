/* The kernels that the device has of its own. NVRTC builds them for this very GPU where
 * it can be had, since a driver without its JIT library loads no PTX; else their PTX is
 * tried. They are built when the first of them is needed and kept until the device is
 * closed. */
#ifndef HONE_DEVICE_OWN_KERNELS_H
#define HONE_DEVICE_OWN_KERNELS_H

#include <stddef.h>

#include "hone/device.h"

enum hone_own_kernel {
    HONE_OWN_PROBE, /* hone_probe(): nothing */
    HONE_OWN_HEAT,  /* hone_heat(u32 rounds): multiply-adds, some 10 ns a round */
    HONE_OWN_READ,  /* hone_read(ptr from, u32 words of 16 zero bytes, ptr sink) */
    HONE_OWN_COUNT
};

struct hone_own_kernels { /* {0} has none yet */
    const struct hone_build *build;
    bool tried; /* to build them */
    struct hone_module *modules[HONE_OWN_COUNT];
    char refused[HONE_REASON_MAX]; /* why there are none; "" while there are */
};

/* Borrowed from the device. NULL where neither form loads: *why (which may be NULL) gets
 * the reason, which was logged the first time. */
struct hone_module *hone_cuda_own(struct hone_device *dev, enum hone_own_kernel which,
                                  struct hone_error *why);

/* Before the device closes. */
void hone_cuda_own_fini(struct hone_device *dev);

/* own_kernels.cu and own_kernels.ptx, each with a NUL behind its last byte. */
extern const unsigned char hone_own_source[], hone_own_ptx[];
extern const size_t hone_own_source_size, hone_own_ptx_size;

#endif
