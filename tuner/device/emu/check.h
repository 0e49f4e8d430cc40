/* What is checked while a block runs, beyond what every run checks: races on shared
 * memory, and values never written that reach an address, a branch, a barrier or global
 * memory. Works as the observer of the launch. */
#ifndef HONE_EMU_CHECK_H
#define HONE_EMU_CHECK_H

#include "emu_exec.h"

struct hone_emu_checker;

/* For the blocks of a launch, whose workspace is there. */
enum hone_status hone_emu_checker_new(struct hone_emu_checker **out,
                                      const struct hone_emu_launch *launch,
                                      struct hone_error *err);
void hone_emu_checker_free(struct hone_emu_checker *checker);
/* Before each block. */
void hone_emu_checker_begin(struct hone_emu_checker *checker);
/* Findings are faults of the launch. */
const struct hone_emu_observer *
hone_emu_checker_observer(const struct hone_emu_checker *checker);

#endif
