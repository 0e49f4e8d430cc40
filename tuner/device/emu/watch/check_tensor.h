/* Tensor maps in device memory: who changes them, and who copies by them. */
#ifndef HONE_DEVICE_CHECK_TENSOR_H
#define HONE_DEVICE_CHECK_TENSOR_H

#include "race.h"

struct hone_emu_checker;

/* The last copies of the block by such maps. read: the clock of the copy's warp when its
 * lane waited for the group that the copy is in, by which its map has been read, also
 * where its bytes are counted at an mbarrier (PTX ISA 9.0, cp.async.bulk.wait_group); 0:
 * it has not. */
enum { HONE_EMU_MAP_USES = 64 };
struct hone_emu_map_use {
    uint64_t map, number; /* number: of the copy; 0: there was none */
    uint32_t read;
};
struct hone_emu_map_uses {
    struct hone_emu_map_use list[HONE_EMU_MAP_USES];
    size_t count;                     /* so far */
    uint64_t map;                     /* that was used last */
    const struct hone_emu_insn *insn; /* by this instruction */
    bool is_new;                      /* no copy has begun by it yet */
};

/* The map of struct hone_emu_observer; context is a checker. */
void hone_emu_check_map(void *context, const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, enum hone_emu_map_event event,
                        uint32_t lane, uint64_t address);
/* An asynchronous operation may be a copy by a map, or a wait for some. */
void hone_emu_check_map_async(struct hone_emu_checker *checker,
                              const struct hone_emu_async *event);
/* Threads store to device memory, where a map may lie. */
void hone_emu_check_map_store(struct hone_emu_checker *checker,
                              const struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn,
                              const struct hone_emu_touch *touch);

#endif
