/* Shared arrays: accesses that leave the one whose address they were computed from, as
 * far as that is known (struct hone_emu_code). */
#ifndef HONE_DEVICE_CHECK_ARRAYS_H
#define HONE_DEVICE_CHECK_ARRAYS_H

#include "check_state.h"

/* shared_bytes: of a block. False when memory is out. */
bool hone_emu_arrays_init(struct hone_emu_checks *checks, uint64_t shared_bytes);
/* Where the instruction may touch shared memory. */
static inline const struct hone_emu_range *
hone_emu_array_of(const struct hone_emu_checker *checker,
                  const struct hone_emu_insn *insn)
{
    const uint8_t *owners = checker->code->owners;
    return &checker->checks->arrays[owners ? owners[insn - checker->code->insns] : 0];
}
/* Lanes may be outside of there, though in shared memory: false after a finding. */
bool hone_emu_check_array(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn,
                          const struct hone_emu_touch *touch);

#endif
