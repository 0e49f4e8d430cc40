/* One kernel on the bench: a scale kernel with the direct evaluator on the fake machine,
 * opened, evaluated and closed with nothing left behind. A suite has one device. */
#ifndef HONE_FAKE_SCALE_BENCH_H
#define HONE_FAKE_SCALE_BENCH_H

#include "fake/fake_machine.h"

extern struct hone_device bench_device;

/* flags as in scale_open; counts begin anew. Closed by bench_close. */
void bench_open(struct scale_kernel *k, unsigned flags, unsigned evaluate_flags);
/* The same where it may fail; it is closed then, too. */
enum hone_status bench_try(struct scale_kernel *k, unsigned flags,
                           unsigned evaluate_flags, struct hone_error *err);
/* Fails the test where tickets, builds, modules or memory were left behind. */
void bench_close(struct scale_kernel *k);
/* The trial of this configuration alone. */
struct hone_trial bench_evaluate(struct scale_kernel *k, enum scale_mode mode,
                                 uint16_t twin);

#endif
