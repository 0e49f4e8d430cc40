/* What is checked while blocks run, beyond what every run checks: races on shared and
 * device memory, missing waits of asynchronous copies, and values never written that
 * reach an address, a branch, a barrier or global memory; and where values that a GPU
 * computes differently have reached. Works as the observer of a block. */
#ifndef HONE_DEVICE_CHECK_H
#define HONE_DEVICE_CHECK_H

#include "exec/emu_exec.h"

/* What the blocks of a launch share. judge is borrowed. */
struct hone_emu_checks;
struct hone_emu_judge;
enum hone_status hone_emu_checks_new(struct hone_emu_checks **out,
                                     const struct hone_emu_launch *launch,
                                     struct hone_emu_judge *judge,
                                     struct hone_error *err);
void hone_emu_checks_free(struct hone_emu_checks *checks);

/* ELIMIT or ENOMEM where there was no room to follow what the launch did. */
enum hone_status hone_emu_checks_status(const struct hone_emu_checks *checks,
                                        struct hone_error *err);

/* Where approximate values have reached so far; END: a bulk store, its block's end. */
enum {
    HONE_EMU_REACHED_ADDRESS = 1,
    HONE_EMU_REACHED_BRANCH = 2,
    HONE_EMU_REACHED_BARRIER = 4,
    HONE_EMU_REACHED_END = 8
};
unsigned hone_emu_checks_reached(const struct hone_emu_checks *checks);
/* Dynamic shared bytes up to the last one that a block wrote, of blocks that ended. */
uint64_t hone_emu_checks_shared_written(const struct hone_emu_checks *checks);
/* A variable of the module, borrowed, that was read before anything wrote it; NULL: none
 * was, or not all blocks were watched, or the module had run before. */
const char *hone_emu_checks_unset(const struct hone_emu_checks *checks);

/* For the blocks that use one workspace in turn. checks is borrowed. */
struct hone_emu_checker;
enum hone_status hone_emu_checker_new(struct hone_emu_checker **out,
                                      struct hone_emu_checks *checks,
                                      struct hone_error *err);
void hone_emu_checker_free(struct hone_emu_checker *checker);
/* Before each block; ENOMEM. Findings are faults of the launch. */
enum hone_status hone_emu_checker_begin(struct hone_emu_checker *checker,
                                        const uint32_t id[3], struct hone_error *err);
/* After a block that ran to its end. */
void hone_emu_checker_end(struct hone_emu_checker *checker);
const struct hone_emu_observer *
hone_emu_checker_observer(const struct hone_emu_checker *checker);

#endif
