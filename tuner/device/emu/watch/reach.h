/* Which exchanges of lanes (shuffles, votes, redux, match) the value of a load may reach:
 * through registers alone, by some path that neither makes the load again nor passes that
 * exchange before. Asked of few loads, so each is followed when it is asked of first. */
#ifndef HONE_DEVICE_REACH_H
#define HONE_DEVICE_REACH_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/emu_code.h"

struct hone_emu_reach {
    const struct hone_emu_code *code;
    /* Each instruction has its number among loads, or among exchanges, from 1 on; 0: it
     * is neither. */
    uint32_t *numbers;
    uint32_t loads, exchanges;
    bool *targets;      /* of branches */
    uint64_t **reached; /* by each load: a bit an exchange; NULL: not asked yet */
};

/* code is borrowed. False when memory is out; fini takes it all the same. */
bool hone_emu_reach_init(struct hone_emu_reach *reach, const struct hone_emu_code *code);
void hone_emu_reach_fini(struct hone_emu_reach *reach);

/* The exchanges that the load, an instruction, may reach: a bit each, by number less 1.
 * None where the kernel is too large to tell; NULL when memory is out. */
const uint64_t *hone_emu_reach_of(struct hone_emu_reach *reach, uint32_t load);

static inline bool hone_emu_is_load(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_LD || insn->op == EMU_LDMATRIX;
}

#endif
