/* Dependent launches: which threads know that the launch before has ended, and what they
 * touch before they do. */
#ifndef HONE_DEVICE_CHECK_DEPENDENT_H
#define HONE_DEVICE_CHECK_DEPENDENT_H

#include "order.h"

struct hone_emu_checker;

/* A griddepcontrol.wait of some lanes of a warp of a watched block. */
struct hone_emu_grid_wait {
    uint32_t block, world; /* its number; signals of all blocks until then */
    hone_emu_stamp stamp;
};

bool hone_emu_waits_for_grid(const struct hone_emu_insn *insn);
/* Lanes of the warp wait until the launch before has ended. */
void hone_emu_check_grid_wait(struct hone_emu_checker *checker,
                              const struct hone_emu_warp *warp, uint32_t mask);
/* A lane has waited for a phase of the object: it knows of the end of the launch before
 * where a copy that landed there was issued behind it. */
void hone_emu_check_grid_answer(struct hone_emu_checker *checker,
                                const struct hone_emu_warp *warp, uint32_t lane,
                                uint32_t mbarrier);
/* Lanes touch device memory, or issue what does so: a finding where the launch before may
 * still use it. Where there is such a launch. */
void hone_emu_check_early(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn,
                          const struct hone_emu_touch *touch);
void hone_emu_check_early_async(struct hone_emu_checker *checker,
                                const struct hone_emu_async *event);

#endif
