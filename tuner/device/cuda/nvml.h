/* The state of a GPU while it is timed, read by NVML (libnvidia-ml, opened at run time).
 * Only reading: clocks and limits are never changed. */
#ifndef HONE_DEVICE_NVML_H
#define HONE_DEVICE_NVML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

struct hone_nvml { /* one GPU; {0} reads nothing */
    void *device;
};

struct hone_gpu_state { /* NAN where a GPU does not tell */
    double sm_mhz;      /* clock of the multiprocessors */
    double temperature_c;
    double power_w;
    uint64_t reasons; /* why the clock is not higher: nvmlClocksEventReason bits */
};

/* The GPU at a PCI address as cuDeviceGetPCIBusId gives it: indices differ between the
 * two libraries. ENODEVICE says why there is no reading. */
enum hone_status hone_nvml_open(struct hone_nvml *out, const char *pci_bus_id,
                                struct hone_error *err);

/* The version of the driver, "580.95.05"; false, and text untouched, where it is not
 * told. */
bool hone_nvml_driver(char *text, size_t size);

struct hone_gpu_state hone_nvml_read(const struct hone_nvml *nvml);

/* Joules that the GPU has used since the driver was loaded; false where it does not count
 * (before Volta, on some virtual machines). The count moves on every 20 to 100 ms. */
bool hone_nvml_energy(const struct hone_nvml *nvml, double *joules);

/* How long heat or the board's limit has held the clock down since the driver was loaded,
 * and when that was read. The driver moves it on every 100 ms or so. */
struct hone_gpu_held {
    bool known; /* a GPU tells; most virtual ones and parts of one do not */
    double held_s, at_s;
};
struct hone_gpu_held hone_nvml_held(const struct hone_nvml *nvml);

/* Is the clock held down by heat or by the power supply? (The power cap of the software
 * is normal for heavy kernels and does not count.) Of a moment: a GPU that idles has no
 * reason but that. */
bool hone_nvml_is_slowed(const struct hone_gpu_state *state);

/* Compute processes on the GPU besides this one, which has a context there (and which a
 * container lists under a number that it does not know); 0 where they are not told. */
unsigned hone_nvml_strangers(const struct hone_nvml *nvml);

#endif
