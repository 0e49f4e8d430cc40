/* A kernel definition, its space and a direct evaluator on the fake machine. Parameters:
 * MODE (what it does, enum fake_mode) and TWIN (0 or 1, which changes nothing). Verified
 * at N = 16 and 37, tuned at 100. */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include "fake/fake_machine.h"
#include "hone/evaluate.h"

enum fake_kernel_flags {
    FAKE_NO_REFERENCE = 1,
    FAKE_NO_VERIFY_SIZES = 2,
    FAKE_SIZE_BY_MODE = 4, /* mode 1 needs 400 MB at the tuned size */
    FAKE_SIZES_DEFINED = 8 /* N is compiled in */
};

struct fake_kernel {
    struct hone_space *space;
    struct hone_kernel *kernel;
    struct hone_device device;
    struct hone_evaluator *evaluator;
};

/* Group set-up and tear-down: the template files. */
int fake_kernel_set_up(void **state);
int fake_kernel_tear_down(void **state);
extern char fake_kernel_folder[64];

/* Zeroes fake_counts. close is due also after a failure. */
enum hone_status fake_kernel_open(struct fake_kernel *k, unsigned flags,
                                  unsigned evaluate_flags, struct hone_error *err);
void fake_kernel_close(struct fake_kernel *k);
uint64_t fake_kernel_index(const struct fake_kernel *k, enum fake_mode mode,
                           uint16_t twin);

#endif
