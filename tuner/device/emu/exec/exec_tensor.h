/* Copies by tensor map (async/tensor_map.h): the handlers of exec_tensor.c, and of
 * exec_tensor_edit.c, which change maps and fence what was changed. */
#ifndef HONE_DEVICE_EXEC_TENSOR_H
#define HONE_DEVICE_EXEC_TENSOR_H

#include "emu_exec.h"

/* Reads the map at a generic address and checks it by the rules of its encoder. False
 * after a fault. */
bool hone_emu_tensor_read(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                          int lane, uint64_t address, struct hone_tensor_map *map,
                          uint64_t *base);
/* Tell the observer of it, where the map lies in device memory. */
void hone_emu_tensor_tell(const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, int lane,
                          enum hone_emu_map_event event, uint64_t address);

void hone_emu_tensor_load(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
void hone_emu_tensor_store(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
void hone_emu_tensor_prefetch(struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn);
/* tensormap.replace, tensormap.cp_fenceproxy, fence.proxy.tensormap...acquire. */
void hone_emu_tensor_replace(struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn);
void hone_emu_tensor_publish(struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn);
void hone_emu_tensor_acquire(struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn);

/* clang-format off */
#define TENSOR_TABLE                                                                     \
    [EMU_TMALOAD][PTX_NONE] = hone_emu_tensor_load,                                      \
    [EMU_TMACAST][PTX_NONE] = hone_emu_tensor_load,                                      \
    [EMU_TMASTORE][PTX_NONE] = hone_emu_tensor_store,                                    \
    [EMU_TMAPREFETCH][PTX_NONE] = hone_emu_tensor_prefetch,                              \
    [EMU_MAPREPLACE][PTX_NONE] = hone_emu_tensor_replace,                                \
    [EMU_MAPPUBLISH][PTX_NONE] = hone_emu_tensor_publish,                                \
    [EMU_MAPACQUIRE][PTX_NONE] = hone_emu_tensor_acquire,
/* clang-format on */

#endif
