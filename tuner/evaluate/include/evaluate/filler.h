/* Fills large buffers where they lie, by a kernel on the device, which is compiled from
 * the text that the host fills by (fill_values.h). */
#ifndef HONE_EVALUATE_FILLER_H
#define HONE_EVALUATE_FILLER_H

#include "hone/build.h"
#include "hone/device.h"
#include "hone/kernel.h"

struct hone_filler {            /* all of it zero: nothing is filled */
    struct hone_device *device; /* borrowed */
    struct hone_module *module; /* NULL before the first large buffer */
    bool given_up;              /* it cannot be had here, which was logged */
};

enum { HONE_FILLER_LEAST = 4 << 20 }; /* bytes of a buffer that is worth a kernel */

/* Give count elements at data on the device what hone_element_fill gives them. *done
 * stays false where the host has to: for small buffers, on a device that predicts, and
 * where the kernel cannot be built, loaded or launched. EDEVICE when the device is lost.
 */
enum hone_status hone_filler_fill(struct hone_filler *filler, hone_devptr data,
                                  const struct hone_job_arg *arg, uint64_t seed,
                                  bool *done, struct hone_error *err);

/* To be called while the device is open; {0} is fine. */
void hone_filler_fini(struct hone_filler *filler);

/* The kernel's source, to be released with free; NULL: out of memory. Its entry is
 * hone_fill(out, count, rule). */
char *hone_filler_source(void);

#endif
