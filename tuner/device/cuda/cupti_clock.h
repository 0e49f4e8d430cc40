/* CUPTI's activity records as a clock: start of the first block to end of the last, in
 * ns, without the cost of launching. CUPTI knows one client a process and calls back
 * without a context, so this is a process-wide object behind a lock: one batch at a time,
 * whatever the device. */
#ifndef HONE_DEVICE_CUPTI_CLOCK_H
#define HONE_DEVICE_CUPTI_CLOCK_H

#include "cuda_driver.h"
#include "hone/device.h"

enum { HONE_CUPTI_BATCH = 64 }; /* launches recorded in a batch at most */

/* Open CUPTI ($HONE_CUPTI, else the usual places) and start recording kernels. Done once
 * a process; later calls repeat the first answer. ENODEVICE with the reason when there is
 * no CUPTI, another profiler holds it, or the driver has no interface for it. Call after
 * cuInit. */
enum hone_status hone_cupti_open(const struct hone_cuda_driver *driver,
                                 struct hone_error *err);

/* Begin a batch of launches of kernel, with the grid and block of this one, in this
 * context, which must be idle: records of what has started before are dropped, also where
 * CUPTI hands them out later. Takes the lock until hone_cupti_end, also when the launches
 * fail; when begin itself fails it does not. */
enum hone_status hone_cupti_begin(CUcontext context, const char *kernel,
                                  const struct hone_launch *launch,
                                  struct hone_error *err);

/* When the launches have ended: the durations of the first cap of them. *count is smaller
 * when CUPTI dropped records or has no timestamps for them. Always ends the batch. With
 * cap 0 it is given up without asking CUPTI, which might wait for a kernel that never
 * ends. */
enum hone_status hone_cupti_end(double *durations_us, size_t cap, size_t *count,
                                struct hone_error *err);

/* Launches between the two are not recorded, since that makes the gaps between them
 * longer. Nobody records meanwhile: who begins a batch waits. The context must be idle at
 * the first. Both are fine where CUPTI was never opened. */
void hone_cupti_pause(void);
void hone_cupti_resume(void);

#endif
